import Glibc
import KeyDragCore
import SystemPackage

/// Raw values are stored in the journal and must never change.
enum FileKind: Int64, Sendable {
  case file = 1
  case folder = 2
  case link = 3
  /// A FIFO, a socket or a device.
  case special = 4

  /// From the format bits of `st_mode`, inode(7).
  init(mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    case S_IFLNK: self = .link
    default: self = .special
    }
  }

  var item: ItemKind {
    switch self {
    case .file: .file
    case .folder: .folder
    case .link: .link
    case .special: .special
    }
  }
}

/// Device and inode; equal for hard links. Inodes are reused after deletion, and a device's number
/// may change with the next mount.
struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var inode: UInt64
}

/// A snapshot of a file's metadata, never updated: compare it with a fresh one. ``RecordedStamp``
/// is the stored part.
struct FileStamp: Sendable {
  var kind: FileKind
  var identity: FileIdentity
  /// Permission bits and the three special ones (07777).
  var mode: mode_t
  /// Ids, not names: a server's users may be unknown here.
  var owner: uid_t
  var group: gid_t
  /// Number of hard links; 0 for an open file that was removed.
  var links: UInt64
  /// In bytes: for a link the length of its target, for a folder whatever the file system reports.
  var size: Int64
  /// Allocated bytes; fewer than ``size`` in a sparse file.
  var stored: Int64
  var accessTime: timespec
  var modificationTime: timespec
  /// Set by the kernel only, on every write, rename or change of owner.
  var changeTime: timespec

  init(_ status: stat) {
    kind = FileKind(mode: status.st_mode)
    identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    mode = status.st_mode & 0o7777
    owner = status.st_uid
    group = status.st_gid
    links = UInt64(status.st_nlink)
    size = Int64(status.st_size)
    // `st_blocks` counts units of 512 bytes regardless of the block size, stat(2).
    stored = Int64(status.st_blocks) * 512
    accessTime = status.st_atim
    modificationTime = status.st_mtim
    changeTime = status.st_ctim
  }

  /// The state at a path, or the reason to report; may block.
  ///
  /// - Parameter following: follows a link; a broken one is `Reason.gone`.
  static func look(at path: FilePath, following: Bool) -> Result<FileStamp, Reason> {
    Result { () throws(Errno) in try FileCalls.status(path, following: following) }
      .mapError { Reason($0, .look) }
  }

  /// As above for a name in an open folder.
  static func look(
    at name: FileName, in folder: CInt, following: Bool = false
  ) -> Result<FileStamp, Reason> {
    Result { () throws(Errno) in try FileCalls.status(folder, name, following: following) }
      .mapError { Reason($0, .look) }
  }

  /// Nanoseconds since 1970; times beyond 2262 wrap, which is harmless for comparing.
  var modified: Int64 { modificationTime.nanoseconds }
  /// Nanoseconds since 1970, see ``changeTime``.
  var changed: Int64 { changeTime.nanoseconds }

  var recorded: RecordedStamp {
    RecordedStamp(
      kind: kind, inode: identity.inode, size: size, modified: modified, changed: changed)
  }
}

/// The metadata stored in the journal, forty bytes (see ``data``). Without the device number, which
/// may differ after a reboot.
struct RecordedStamp: Hashable, Sendable {
  var kind: FileKind
  var inode: UInt64
  var size: Int64
  /// Nanoseconds since 1970.
  var modified: Int64
  /// Nanoseconds since 1970, set by the kernel only.
  var changed: Int64

  /// Whether this may be the same, unmodified file.
  ///
  /// A folder's time changes whenever an entry is added or removed, including by undo: there the
  /// inode decides, and the time only where inodes are not stable (FAT).
  func isSame(as other: FileStamp) -> Bool {
    guard kind == other.kind else { return false }
    return switch kind {
    case .folder: inode == other.identity.inode || modified == other.modified
    // The target's length only: times are ignored.
    case .link: size == other.size
    case .file, .special: size == other.size && modified == other.modified
    }
  }

  /// Whether nothing at all has changed: the kernel updates the change time on every write. Most
  /// file systems also update it on a rename, so that a renamed file counts as touched.
  func isUntouched(_ other: FileStamp) -> Bool {
    isSame(as: other) && inode == other.identity.inode && changed == other.changed
  }
}

/// Wraps on overflow, because file stamps may hold anything.
extension timespec {
  var nanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }

  /// The wall clock, which may be set back.
  static var now: timespec {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time
  }
}
