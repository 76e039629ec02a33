import CLinux
import Glibc
import SystemPackage

/// A file descriptor that is closed when its owner lets go of it.
struct OwnedDescriptor: ~Copyable, Sendable {
  let raw: CInt

  init(owning raw: CInt) { self.raw = raw }

  deinit { if raw >= 0 { _ = close(raw) } }
}

/// An open folder that several steps share.
final class OpenFolder: Sendable {
  let path: FilePath
  let stamp: FileStamp
  private let descriptor: OwnedDescriptor

  var raw: CInt { descriptor.raw }

  /// Opens a folder for what happens inside it; one that may be written but not read will do.
  init(_ path: FilePath) throws {
    self.path = path
    let flags = O_DIRECTORY | O_CLOEXEC
    do {
      descriptor = try FileCalls.open(path, flags: O_RDONLY | flags)
    } catch Errno.permissionDenied {
      descriptor = try FileCalls.open(path, flags: clinux_open_path_only | flags)
    }
    stamp = try FileCalls.status(of: descriptor.raw)
  }

  /// Whether it is the folder that was recorded.
  ///
  /// A device may get another number when it is put in again or the system is started anew: then the
  /// inode decides, unless the path leads through a link. FAT and most file systems in user space
  /// give their inodes new numbers.
  func isSame(as recorded: FileIdentity) -> Bool {
    if stamp.identity == recorded { return true }
    let isStraight =
      path.withPlatformString { path -> Bool in
        guard let resolved = realpath(path, nil) else { return false }
        defer { free(resolved) }
        return strcmp(resolved, path) == 0
      }
    guard isStraight else { return false }
    return stamp.identity.inode == recorded.inode || !hasLastingInodes
  }

  /// Whether what is in it keeps its number when the device is put in again.
  private var hasLastingInodes: Bool {
    !Self.withoutLastingInodes.contains(clinux_file_system_type(raw))
  }

  /// Whether what was recorded is what bears a name in it, under whatever name it was then.
  func holds(_ recorded: RecordedStamp, _ name: FileName) -> Bool {
    guard let now = try? FileCalls.status(raw, name), recorded.isSame(as: now) else { return false }
    return recorded.inode == now.identity.inode || !hasLastingInodes
  }

  /// FAT, exFAT and FUSE, by the numbers of statfs(2).
  private static let withoutLastingInodes: Set<Int64> = [0x4d44, 0x2011_bab0, 0x6573_5546]

  /// Answers why nothing can be created or removed in it, when that is known without trying.
  func refusesChanges() -> Errno? {
    faccessat(raw, ".", W_OK | X_OK, AT_EACCESS) == 0 ? nil : Errno(rawValue: errno)
  }

  /// Writes the names in it to the device.
  func flush() throws(Errno) {
    do throws(Errno) {
      try FileCalls.flush(raw)
    } catch .badFileDescriptor {
      // A folder that may be written but not read: everything is flushed instead.
      sync()
    }
  }
}

/// Open folders by path, so that thousands of items of one folder open it once.
struct OpenFolders {
  /// Descriptors are scarce (1,024 in a process by default) and deliveries run side by side.
  private static let capacity = 32
  private var folders: [FilePath: OpenFolder] = [:]
  private var latest: OpenFolder?

  mutating func folder(at path: FilePath) throws -> OpenFolder {
    if let latest, latest.path == path { return latest }
    if let known = folders[path] {
      latest = known
      return known
    }
    if folders.count >= Self.capacity { folders.removeAll(keepingCapacity: true) }
    let opened = try OpenFolder(path)
    folders[path] = opened
    latest = opened
    return opened
  }
}
