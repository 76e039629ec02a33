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

  /// Answers why nothing can be created or removed in it, when that is known without trying.
  func refusesChanges() -> Errno? {
    faccessat(raw, ".", W_OK | X_OK, AT_EACCESS) == 0 ? nil : Errno(rawValue: errno)
  }

  /// Writes the names in it to the device. Folders that may not be read can't be flushed.
  func flush() throws { try FileCalls.flush(raw) }
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
