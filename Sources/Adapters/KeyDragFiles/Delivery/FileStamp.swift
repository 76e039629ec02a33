import Glibc

/// The kind of a thing that bears a name.
///
/// The numbers are stored in the journal and may never change.
enum FileKind: Int64, Sendable {
  case file = 1
  case folder = 2
  case link = 3
  /// A FIFO, a socket or a device.
  case special = 4

  /// By the format bits of `st_mode`, inode(7).
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
///
/// Equal for two hard links of one file. An inode's number is given again after the file is gone,
/// and a device's number may change with the next mount.
struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var inode: UInt64
}

/// A snapshot of one file, as the kernel tells it.
///
/// Nothing keeps it up to date: each use compares it with a fresh one. ``RecordedStamp`` is the
/// part that is stored.
struct FileStamp: Sendable {
  var kind: FileKind
  var identity: FileIdentity
  /// Permission bits and the three special ones (07777), without the kind.
  var mode: mode_t
  /// Numbers and no names: a server's users may have none here.
  var owner: uid_t
  var group: gid_t
  /// How many names the file has; 0 for an open file that was removed.
  var links: UInt64
  /// In bytes: for a link the length of its text, for a folder whatever the file system says.
  var size: Int64
  /// Bytes that are really stored; fewer than ``size`` where there are holes.
  var stored: Int64
  var accessTime: timespec
  var modificationTime: timespec
  /// Set by the kernel on every write, rename or change of owner, and by nobody else.
  var changeTime: timespec

  /// From the kernel's structure.
  init(_ status: stat) {
    kind = FileKind(mode: status.st_mode)
    identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    mode = status.st_mode & 0o7777
    owner = status.st_uid
    group = status.st_gid
    links = UInt64(status.st_nlink)
    size = Int64(status.st_size)
    // `st_blocks` counts 512 bytes each, whatever the block size of the file system is, stat(2).
    stored = Int64(status.st_blocks) * 512
    accessTime = status.st_atim
    modificationTime = status.st_mtim
    changeTime = status.st_ctim
  }

  /// Nanoseconds since 1970; times beyond the year 2262 wrap, which is harmless for comparing.
  var modified: Int64 { modificationTime.nanoseconds }
  /// Nanoseconds since 1970, see ``changeTime``.
  var changed: Int64 { changeTime.nanoseconds }

  /// The part that is written down.
  var recorded: RecordedStamp {
    RecordedStamp(
      kind: kind, inode: identity.inode, size: size, modified: modified, changed: changed)
  }
}

/// The facts of one file that the journal remembers. No device number: those differ after the next
/// start.
///
/// Forty bytes in the journal, see ``data``.
struct RecordedStamp: Hashable, Sendable {
  var kind: FileKind
  var inode: UInt64
  var size: Int64
  /// Nanoseconds since 1970.
  var modified: Int64
  /// Nanoseconds since 1970, set by the kernel alone.
  var changed: Int64

  /// Whether this may be the same thing, not written to since.
  ///
  /// A folder's own time changes whenever something goes in or out, also when we undo that: there
  /// the inode decides, and the time only where inodes do not last (FAT).
  func isSame(as other: FileStamp) -> Bool {
    guard kind == other.kind else { return false }
    return switch kind {
    case .folder: inode == other.identity.inode || modified == other.modified
    // The length of its text: times are left out.
    case .link: size == other.size
    case .file, .special: size == other.size && modified == other.modified
    }
  }

  /// Whether nothing at all has happened to it: the kernel renews the change time on every write.
  ///
  /// Renaming renews it too on most file systems, so a thing that was renamed counts as touched.
  func isUntouched(_ other: FileStamp) -> Bool {
    isSame(as: other) && inode == other.identity.inode && changed == other.changed
  }
}

/// Times as one number. Overflow wraps instead of trapping, because stamps of files may hold
/// anything.
extension timespec {
  var nanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }

  /// The wall clock.
  ///
  /// May be set back by the person or a server.
  static var now: timespec {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time
  }
}
