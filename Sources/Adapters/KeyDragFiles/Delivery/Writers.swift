import CLinux
import Glibc
import KeyDragCore

/// Other programs that have a file open for writing.
///
/// By a read lease (fcntl(2), F_SETLEASE): the kernel gives none while a file is open for writing.
/// A lease needs the file's owner or CAP_LEASE; where we may not have one, there count as being
/// none.
enum Writers {
  /// NFS, SMB and CIFS, by the numbers of statfs(2).
  private static let onServers: Set<Int64> = [0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42]

  /// `false` when there are some; a file system that does not know counts as none.
  ///
  /// The next writer waits until `file` is closed, where there are none now.
  static func areNone(of file: CInt) -> Bool {
    // A signal that nobody listens to, instead of one that ends the program.
    _ = fcntl(file, clinux_set_lease_signal, SIGURG)
    // EAGAIN: somebody has it open for writing.
    if fcntl(file, clinux_set_lease, CInt(F_RDLCK)) == 0 || errno != EAGAIN { return true }
    // A server says the same of a file that it has not handed over.
    return onServers.contains(clinux_file_system_type(file))
  }

  /// The same of a name; of what may not be read nothing is known.
  ///
  /// Only for plain files: an error of opening counts as none.
  static func areNone(of name: FileName, in folder: CInt) -> Bool {
    guard let file = open(name, in: folder) else { return true }
    return areNone(of: file.raw)
  }

  /// Removes a file that is known and that nobody has open for writing.
  ///
  /// Nothing is removed when this throws. What may not be read, and what is no file, is known by
  /// its stamp alone.
  ///
  /// - Throws: `Reason.inUse` where somebody has, `Reason.changed` where it is another by now.
  static func unlink(
    _ folder: CInt, _ name: FileName, _ isKnown: (FileStamp) -> Bool
  ) throws {
    let stamp = try FileCalls.status(folder, name)
    guard stamp.kind == .file, let file = open(name, in: folder) else {
      guard isKnown(stamp) else { throw Reason.changed }
      return try FileCalls.unlink(folder, name)
    }
    // Held while the file goes: whoever opens it to write meanwhile waits for its end.
    guard areNone(of: file.raw) else { throw Reason.inUse }
    let now = try FileCalls.status(of: file.raw)
    // By the descriptor, on which the lease is: the name may have changed hands.
    guard now.identity == stamp.identity, isKnown(now) else { throw Reason.changed }
    try FileCalls.unlink(folder, name)
  }

  /// `nil` for what can't be opened; O_NONBLOCK for a FIFO, O_NOCTTY for a terminal.
  private static func open(_ name: FileName, in folder: CInt) -> OwnedDescriptor? {
    guard let opened = try? FileCalls.open(folder, name, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
    else { return nil }
    return opened
  }
}
