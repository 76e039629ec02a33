import CLinux
import Glibc
import KeyDragCore
import SystemPackage

/// A file descriptor, closed at the end of its lifetime. Noncopyable, so that it is closed only
/// once: its number may be reused by then.
struct OwnedDescriptor: ~Copyable, Sendable {
  /// Negative for none.
  let raw: CInt

  /// Takes ownership.
  init(owning raw: CInt) { self.raw = raw }

  // Ignores errors of close(2): everything important was flushed before.
  deinit { if raw >= 0 { _ = close(raw) } }
}

/// An open folder shared by several steps. Refers to the inode, so that replacing its path by a
/// link has no effect. Closed with the last reference. Descriptors are scarce, see ``OpenFolders``.
final class OpenFolder: Sendable {
  /// As opened; for messages and the journal, not for further calls.
  let path: FilePath
  /// At open.
  let stamp: FileStamp
  private let descriptor: OwnedDescriptor

  /// Valid for the object's lifetime.
  var raw: CInt { descriptor.raw }

  /// Opens a folder, which may be writable but not readable. Follows links, including the last one.
  /// Throws `Errno.notDirectory` for a file.
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

  /// - Parameter path: used for messages and the journal only.
  init(_ descriptor: consuming OwnedDescriptor, at path: FilePath) throws {
    self.path = path
    stamp = try FileCalls.status(of: descriptor.raw)
    self.descriptor = descriptor
  }

  /// A descriptor from another program: a folder, or a file, which has an empty name in it (see
  /// ``FileCalls/open(_:_:flags:mode:)``). The path is the kernel's current one.
  convenience init(handed descriptor: consuming OwnedDescriptor) throws {
    let here = FileName(bytes: FilePath("/proc/self/fd/\(descriptor.raw)").rawBytes)
    let path = FilePath(rawBytes: try FileCalls.linkText(AT_FDCWD, here))
    try self.init(descriptor, at: path)
  }

  /// The path with links resolved (proc(5)); `nil` without `/proc`.
  var place: FilePath? { FilePath("/proc/self/fd/\(raw)").withoutLinks }

  /// Whether it is the recorded folder.
  ///
  /// A device's number may change when it is reconnected or on reboot: then the inode decides,
  /// unless the path contains a link. FAT and most FUSE file systems renumber inodes.
  ///
  /// Uses realpath(3), which may block.
  func isSame(as recorded: FileIdentity) -> Bool {
    if stamp.identity == recorded { return true }
    guard path.withoutLinks == path else { return false }
    return stamp.identity.inode == recorded.inode || !hasLastingInodes
  }

  /// Whether inodes are stable across mounts.
  private var hasLastingInodes: Bool {
    !Self.withoutLastingInodes.contains(clinux_file_system_type(raw))
  }

  /// Whether the file with this name is the recorded one, whatever its name was. Also `false` if it
  /// can't be read.
  func holds(_ recorded: RecordedStamp, _ name: FileName) -> Bool {
    guard let now = try? FileCalls.status(raw, name), recorded.isSame(as: now) else { return false }
    return recorded.inode == now.identity.inode || !hasLastingInodes
  }

  /// FAT, exFAT and FUSE, by the magic numbers of statfs(2).
  private static let withoutLastingInodes: Set<Int64> = [0x4d44, 0x2011_bab0, 0x6573_5546]

  /// Why nothing can be created or removed in it, as far as it is known without trying. By the
  /// effective user's rights.
  func refusesChanges() -> Reason? {
    let result = faccessat(raw, ".", W_OK | X_OK, AT_EACCESS)
    let code = Errno(rawValue: errno)
    if FileCalls.isProtected(raw) { return .protected }
    return result == 0 ? nil : Reason(code, .access)
  }

  /// Flushes its names to the device. Some file systems don't support fsync(2) for folders
  /// (EINVAL).
  func flush() throws(Errno) {
    do throws(Errno) {
      try FileCalls.flush(raw)
    } catch .badFileDescriptor {
      // fsync(2) does not accept O_PATH descriptors, used for unreadable folders: flushes
      // everything.
      sync()
    }
  }
}

/// A cache of open folders by path. Not thread-safe.
struct OpenFolders {
  /// Descriptors are scarce (1,024 per process by default) and deliveries run concurrently.
  private let capacity: Int
  /// Cleared when full: items come folder by folder, so few are opened twice.
  private var folders: [FilePath: OpenFolder] = [:]
  /// Fast path: most items are in one folder.
  private var latest: OpenFolder?

  init(capacity: Int = 32) { self.capacity = capacity }

  mutating func folder(around path: FilePath) throws -> OpenFolder {
    if let latest, path.lies(in: latest.path) { return latest }
    return try folder(at: path.folder)
  }

  /// The folder as first opened: a path that has changed since is not noticed here.
  mutating func folder(at path: FilePath) throws -> OpenFolder {
    if let latest, latest.path == path { return latest }
    if let known = folders[path] {
      latest = known
      return known
    }
    if folders.count >= capacity { folders.removeAll(keepingCapacity: true) }
    let opened = try OpenFolder(path)
    folders[path] = opened
    latest = opened
    return opened
  }
}
