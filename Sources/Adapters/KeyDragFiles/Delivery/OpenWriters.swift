import CLinux
import Glibc
import KeyDragCore

/// Detects files that other programs have open for writing.
///
/// Uses a read lease (fcntl(2), F_SETLEASE), which the kernel refuses in that case. A lease needs
/// the file's owner or CAP_LEASE; without them, no writers are assumed.
enum OpenWriters {
  /// NFS, SMB and CIFS, by the magic numbers of statfs(2).
  private static let onServers: Set<Int64> = [0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42]

  /// `false` if there are any; file systems without leases report none. On success, the next writer
  /// blocks until `file` is closed.
  static func hasNoWriters(of file: CInt) -> Bool {
    // A signal ignored by default, since the default one ends the process.
    _ = fcntl(file, clinux_set_lease_signal, SIGURG)
    // EAGAIN: open for writing elsewhere.
    if fcntl(file, clinux_set_lease, CInt(F_RDLCK)) == 0 || errno != EAGAIN { return true }
    // Servers return the same without a delegation.
    return onServers.contains(clinux_file_system_type(file))
  }

  /// As above, by name. For regular files only; a file that can't be opened counts as having none.
  static func hasNoWriters(of name: FileName, in folder: CInt) -> Bool {
    guard let file = open(name, in: folder) else { return true }
    return hasNoWriters(of: file.raw)
  }

  /// Removes a file unless it has changed or is open for writing. Nothing is removed on an error.
  /// Unreadable and special files are checked by stamp only.
  ///
  /// - Throws: `Reason.inUse` if it is open for writing, `Reason.changed` if it has changed.
  static func unlink(
    _ folder: CInt, _ name: FileName, _ isKnown: (FileStamp) -> Bool
  ) throws {
    let stamp = try FileCalls.status(folder, name)
    guard stamp.kind == .file, let file = open(name, in: folder) else {
      guard isKnown(stamp) else { throw Reason.changed }
      return try FileCalls.unlink(folder, name)
    }
    // The lease is held during removal: a new writer blocks until its end.
    guard hasNoWriters(of: file.raw) else { throw Reason.inUse }
    let now = try FileCalls.status(of: file.raw)
    // By descriptor, which has the lease: the name may refer to another file by now.
    guard now.identity == stamp.identity, isKnown(now) else { throw Reason.changed }
    try FileCalls.unlink(folder, name)
  }

  /// `nil` if it can't be opened; O_NONBLOCK for a FIFO, O_NOCTTY for a terminal.
  private static func open(_ name: FileName, in folder: CInt) -> OwnedDescriptor? {
    guard let opened = try? FileCalls.open(folder, name, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
    else { return nil }
    return opened
  }
}
