import CLinux
import Glibc
import KeyDragCore
import SystemPackage

/// A file descriptor that is closed when its owner lets go of it.
///
/// Cannot be copied, so that nobody closes a number twice: by then it might be another file.
struct OwnedDescriptor: ~Copyable, Sendable {
  /// Negative for none.
  let raw: CInt

  /// From now on nobody else may close it.
  init(owning raw: CInt) { self.raw = raw }

  // An error of close(2) is passed over: what has to be on the device was flushed before.
  deinit { if raw >= 0 { _ = close(raw) } }
}

/// An open folder that several steps share.
///
/// Everything done in it goes to this inode, whatever bears its path by then: a folder that is
/// swapped for a link leads nowhere else. Closed when the last step lets go of it. Descriptors are
/// scarce, see ``OpenFolders``.
final class OpenFolder: Sendable {
  /// As it was opened; for words and for the journal, not for further calls.
  let path: FilePath
  /// From the moment of opening.
  let stamp: FileStamp
  private let descriptor: OwnedDescriptor

  /// Valid as long as the object lives.
  var raw: CInt { descriptor.raw }

  /// Opens a folder for what happens inside it; one that may be written but not read will do.
  ///
  /// Links in the path are followed, the last one too. Throws `Errno.notDirectory` for a file.
  init(_ path: FilePath) throws {
    self.path = path
    let flags = O_DIRECTORY | O_CLOEXEC
    do {
      descriptor = try FileCalls.open(path, flags: O_RDONLY | flags)
    } catch Errno.permissionDenied {
      // O_PATH.
      descriptor = try FileCalls.open(path, flags: clinux_open_path_only | flags)
    }
    stamp = try FileCalls.status(of: descriptor.raw)
  }

  /// An open folder, with the path that is told of it.
  init(_ descriptor: consuming OwnedDescriptor, at path: FilePath) throws {
    self.path = path
    stamp = try FileCalls.status(of: descriptor.raw)
    self.descriptor = descriptor
  }

  /// A thing handed over by another program: a folder, or the file itself, which bears an empty name in
  /// it (see ``FileCalls/open(_:_:flags:mode:)``).
  ///
  /// Its path is where the kernel finds it now, for looking for it later.
  convenience init(handed descriptor: consuming OwnedDescriptor) throws {
    let here = FileName(bytes: FilePath("/proc/self/fd/\(descriptor.raw)").rawBytes)
    let path = FilePath(rawBytes: try FileCalls.linkText(AT_FDCWD, here))
    try self.init(descriptor, at: path)
  }

  /// The path without links to what was opened (proc(5)); `nil` without a `/proc`.
  var place: FilePath? {
    guard let place = realpath("/proc/self/fd/\(raw)", nil) else { return nil }
    defer { free(place) }
    return FilePath(platformString: place)
  }

  /// Whether it is the folder that was recorded.
  ///
  /// A device may get another number when it is put in again or the system is started anew: then
  /// the inode decides, unless the path leads through a link. FAT and most file systems in user
  /// space give their inodes new numbers.
  ///
  /// Takes realpath(3), which blocks like the disk.
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
  ///
  /// `false` also where the look fails.
  func holds(_ recorded: RecordedStamp, _ name: FileName) -> Bool {
    guard let now = try? FileCalls.status(raw, name), recorded.isSame(as: now) else { return false }
    return recorded.inode == now.identity.inode || !hasLastingInodes
  }

  /// FAT, exFAT and FUSE, by the numbers of statfs(2).
  private static let withoutLastingInodes: Set<Int64> = [0x4d44, 0x2011_bab0, 0x6573_5546]

  /// Answers why nothing can be created or removed in it, when that is known without trying.
  ///
  /// By the effective user's rights.
  func refusesChanges() -> Reason? {
    let result = faccessat(raw, ".", W_OK | X_OK, AT_EACCESS)
    let code = Errno(rawValue: errno)
    if FileCalls.isProtected(raw) { return .protected }
    return result == 0 ? nil : Reason(code, .access)
  }

  /// Writes the names in it to the device.
  ///
  /// Throws what fsync(2) answers; some file systems do not know it for folders (EINVAL).
  func flush() throws(Errno) {
    do throws(Errno) {
      try FileCalls.flush(raw)
    } catch .badFileDescriptor {
      // A folder that may be written but not read: everything is flushed instead.
      // fsync(2) takes no descriptor of O_PATH.
      sync()
    }
  }
}

/// Open folders by path, so that thousands of items of one folder open it once.
///
/// A value of one thread.
struct OpenFolders {
  /// Descriptors are scarce (1,024 in a process by default) and deliveries run side by side.
  private let capacity: Int
  /// When full it is emptied as a whole: items come folder by folder, so little is opened twice.
  private var folders: [FilePath: OpenFolder] = [:]
  /// The last one given: most items lie in one folder.
  private var latest: OpenFolder?

  init(capacity: Int = 32) { self.capacity = capacity }

  /// The folder that a thing lies in, by its path.
  mutating func folder(around path: FilePath) throws -> OpenFolder {
    if let latest, path.lies(in: latest.path) { return latest }
    return try folder(at: path.folder)
  }

  /// The folder as it was first opened: a path that leads elsewhere by now is not noticed here.
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
