import Glibc
import Synchronization

/// A disk with fewer abilities than ext4, by a file system in user space; see `poor-disk.py`.
public final class PoorDisk: Sendable {
  /// The folder on which it is mounted.
  public let place: String
  private let process: Mutex<KeptProcess>

  /// Why it can't be had here; `nil` when it can, by whoever may mount.
  public static let obstacle: String? =
    if access("/dev/fuse", R_OK) != 0 {
      "There is no /dev/fuse"
    } else if access("/usr/lib/python3/dist-packages/fusepy.py", R_OK) != 0 {
      "fusepy is not installed"
    } else {
      nil
    }

  /// - Parameters:
  ///   - folder: shown once more.
  ///   - limits: see `poor-disk.py`.
  public init(of folder: String, at place: String, _ limits: [String], log: String) throws {
    self.place = place
    let support = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let process = try KeptProcess(
      ["/usr/bin/python3", "/\(support)/poor-disk.py", folder, place] + limits,
      environment: ["PATH": "/usr/bin:/bin"], log: log)
    let line = try process.line()
    guard line == "ready" else { throw KeptProcess.Trouble(description: line) }
    self.process = Mutex(process)
  }

  /// Waits for a call that is not answered.
  public func waitUntilHung() throws {
    let line = try process.withLock { try $0.line() }
    guard line == "hung" else { throw KeptProcess.Trouble(description: line) }
  }

  /// Unmounts it and ends its process.
  public func close() {
    umount2(place, CInt(MNT_DETACH))
    process.withLock { $0.end() }
  }
}
