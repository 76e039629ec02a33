import CFaults
import Foundation

/// An ext4 of its own, whose power can be cut.
struct CuttableDisk {
  private let ground: Ground
  private let image: String
  private let folder: String

  /// As long as the words "copied" may be heard before the power goes, in seconds.
  private static let patience: UInt32 = 3

  /// `nil` where no disk can be made: that takes root and a free loop device.
  init?(_ ground: Ground) throws {
    self.ground = ground
    image = ground.base + "/image"
    folder = ground.base + "/mounted"
    try ground.empty()
    try ground.fill()
    guard geteuid() == 0, FileManager.default.createFile(atPath: image, contents: nil) else {
      return nil
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard truncate(image, 128 << 20) == 0, Self.run("mkfs.ext4", "-q", "-F", image), attach()
    else {
      remove()
      return nil
    }
  }

  func remove() {
    _ = Self.run("umount", folder)
    for path in [image, folder] { try? FileManager.default.removeItem(atPath: path) }
  }

  private func attach() -> Bool { Self.run("mount", "-o", "loop", image, folder) }

  private static func run(_ words: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// Copies, trashes one of the copies, waits, cuts the power, and looks at what the disk holds then.
  func cut(_ number: Int, _ program: Program) throws -> (found: Set<Finding>, told: String) {
    let target = "\(folder)/\(number)"
    try FileManager.default.createDirectory(
      atPath: target, withIntermediateDirectories: true)
    sync()
    let sources = ["f1", "f2", "tree", "big"].map { ground.a + "/" + $0 }
    let copy = program.run(["copy"] + sources + ["--to", target])
    let trash = program.run(["files", target, "--keys", "\"f2\" space \"trash\" enter"])
    let told = "\(copy.status): \(copy.text) | \(trash.status): \(trash.text)"
    sleep(Self.patience)
    let isCut = cfaults_cut_power(folder) == 0
    guard isCut, Self.run("umount", folder), attach() else {
      throw CocoaError(.fileWriteUnknown)
    }
    var found: Set<Finding> = []
    let there = ground.contents(of: [target])
    for (path, contents) in ground.contents(of: [ground.a]) {
      let name = path.dropFirst(ground.a.count)
      if name == "/f2", trash.status == 0 { continue }
      guard copy.status == 0, let copied = there[target + name] else {
        found.insert(.toldWrong)
        continue
      }
      if copied != contents { found.insert(.torn) }
    }
    // Each cut leaves one more thing in this disk's trash, with its note.
    let trashed = ground.contents(of: ["\(folder)/.Trash-0/files", "\(folder)/.Trash-0/info"])
    let notes = trashed.filter { $0.key.contains("/info/") }
    let things = trashed.filter { $0.key.contains("/files/") }
    if trash.status != 0 || things.count != number + 1 { found.insert(.toldWrong) }
    if things.contains(where: { !$0.value.hasPrefix("new f2") }) { found.insert(.torn) }
    if notes.count != number + 1
      || notes.contains(where: { !$0.value.contains("\nDeletionDate=") })
    {
      found.insert(.badNotes)
    }
    return (found, told.replacing("\n", with: " / "))
  }
}
