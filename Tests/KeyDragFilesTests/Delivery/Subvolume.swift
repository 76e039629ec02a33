import Foundation
import Glibc
import SystemPackage

@testable import KeyDragFiles

/// A subvolume in a small disk of Btrfs, which has a device number of its own and is no mount.
final class Subvolume {
  let path: FilePath
  private let disk: FilePath

  static let isPossible =
    Bench.canMount && access("/usr/sbin/mkfs.btrfs", X_OK) == 0
    && (try? Subvolume(in: "/var/tmp")) != nil

  struct Failed: Error {}

  init(in folder: FilePath) throws {
    let name = "keydrag-\(RandomName.hexadecimal(12))"
    disk = try (folder / name).makeFolder()
    path = disk / "inner"
    let image = (folder / (name + ".img")).string
    defer { unlink(image) }
    for command in [
      "/usr/bin/truncate -s 120M \(image)", "/usr/sbin/mkfs.btrfs -q \(image)",
      "/usr/bin/mount -o loop \(image) \(disk)", "/usr/bin/btrfs subvolume create \(path)",
    ] {
      let words = command.split(separator: " ").map(String.init)
      let process = Process()
      process.executableURL = URL(fileURLWithPath: words[0])
      process.arguments = Array(words.dropFirst())
      process.standardOutput = nil
      process.standardError = nil
      try process.run()
      process.waitUntilExit()
      if process.terminationStatus != 0 {
        rmdir(disk.string)
        throw Failed()
      }
    }
  }

  deinit {
    umount2(disk.string, CInt(MNT_DETACH))
    rmdir(disk.string)
  }
}
