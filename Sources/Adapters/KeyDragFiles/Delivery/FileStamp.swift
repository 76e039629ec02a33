import Glibc

/// The kind of a thing that bears a name.
enum FileKind: Int64, Sendable {
  case file = 1
  case folder = 2
  case link = 3
  /// A FIFO, a socket or a device.
  case special = 4

  init(mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    case S_IFLNK: self = .link
    default: self = .special
    }
  }
}

/// Which inode it is, whatever it is called.
struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var inode: UInt64
}

/// A snapshot of one file, as the kernel tells it.
struct FileStamp: Sendable {
  var kind: FileKind
  var identity: FileIdentity
  var mode: mode_t
  var owner: uid_t
  var group: gid_t
  var links: UInt64
  var size: Int64
  /// Bytes that are really stored; fewer than ``size`` where there are holes.
  var stored: Int64
  var accessTime: timespec
  var modificationTime: timespec
  var changeTime: timespec

  init(_ status: stat) {
    kind = FileKind(mode: status.st_mode)
    identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    mode = status.st_mode & 0o7777
    owner = status.st_uid
    group = status.st_gid
    links = UInt64(status.st_nlink)
    size = Int64(status.st_size)
    stored = Int64(status.st_blocks) * 512
    accessTime = status.st_atim
    modificationTime = status.st_mtim
    changeTime = status.st_ctim
  }

  /// Nanoseconds since 1970; times beyond the year 2262 wrap, which is harmless for comparing.
  var modified: Int64 { modificationTime.nanoseconds }
  var changed: Int64 { changeTime.nanoseconds }

  /// The part that is written down.
  var recorded: RecordedStamp {
    RecordedStamp(
      kind: kind, inode: identity.inode, size: size, modified: modified, changed: changed)
  }
}

/// The facts of one file that the journal remembers. No device number: those differ after the next
/// start.
struct RecordedStamp: Hashable, Sendable {
  var kind: FileKind
  var inode: UInt64
  var size: Int64
  /// Nanoseconds since 1970.
  var modified: Int64
  var changed: Int64

  /// Whether this may be the same thing, not written to since.
  ///
  /// A folder's own time changes whenever something goes in or out, also when we undo that: there
  /// the inode decides, and the time only where inodes do not last (FAT).
  func isSame(as other: FileStamp) -> Bool {
    guard kind == other.kind else { return false }
    return switch kind {
    case .folder: inode == other.identity.inode || modified == other.modified
    case .link: size == other.size
    case .file, .special: size == other.size && modified == other.modified
    }
  }

  /// Whether nothing at all has happened to it: the kernel renews the change time on every write.
  func isUntouched(_ other: FileStamp) -> Bool {
    isSame(as: other) && inode == other.identity.inode && changed == other.changed
  }
}

extension timespec {
  var nanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }

  /// The wall clock.
  static var now: timespec {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time
  }
}
