import Glibc
import KeyDragCore
import SystemPackage

/// Thrown where a person's wish to stop is noticed.
struct CancelledByPerson: Error {}

/// Errors of the system become few reasons, by what a person can do about them: the name of an
/// errno is never spoken.
extension Reason {
  /// The reason a person is told for an error of the system.
  ///
  /// - Parameter error: `Errno`, `Reason` or `CancelledByPerson`; anything else becomes `unknown`.
  init(_ error: any Error) {
    switch error {
    case let reason as Reason: self = reason
    case let code as Errno: self = Reason(code: code)
    case is CancelledByPerson: self = .interrupted
    default: self = .unknown
    }
  }

  /// By the numbers of errno(3).
  init(code: Errno) {
    switch code.rawValue {
    // A quota that is used up is told like a full disk: both are mended by removing something.
    case ENOSPC, EDQUOT: self = .noSpace
    case EFBIG: self = .tooLarge
    // ESTALE: a server (NFS) has removed the file behind an open descriptor.
    case ENOENT, ESTALE: self = .gone
    // EBUSY: a mount point. ETXTBSY: a program that runs.
    case EACCES, EPERM, EBUSY, ETXTBSY: self = .notPermitted
    case EROFS: self = .readOnly
    // ENOTEMPTY is what rename(2) and rmdir(2) answer for a folder that holds something.
    case EEXIST, ENOTEMPTY: self = .nameExists
    case ENAMETOOLONG: self = .nameTooLong
    case ELOOP: self = .linkLoop
    case ENOTDIR: self = .notAFolder
    case EISDIR: self = .isAFolder
    // EUCLEAN is a damaged file system (ext4, XFS); ENXIO and ENODEV a device that was pulled out.
    case EIO, ENXIO, ENODEV, EREMOTEIO, EUCLEAN: self = .deviceError
    // A server, or a file system in user space, that has gone.
    case ENOTCONN, ETIMEDOUT, EHOSTDOWN, EHOSTUNREACH, ENETUNREACH, ECONNABORTED, ECONNRESET:
      self = .notResponding
    case EINTR: self = .interrupted
    default: self = .unknown
    }
  }

  /// Why a disk has not made a name in a folder: the same numbers mean something else there than
  /// where something is looked for.
  ///
  /// - Parameter folder: looked at: it may have gone itself, or let nothing be made in it.
  static func making(_ code: Errno, in folder: CInt, isLink: Bool = false) -> any Error {
    switch code.rawValue {
    // FAT, and what stands in for it in user space (symlink(2)).
    case EPERM, ENOTSUP, ENOSYS:
      return isLink && faccessat(folder, ".", W_OK, AT_EACCESS) == 0 ? noLinks : code
    // EINVAL of FAT and NTFS, EILSEQ of a name in no character set, ENOENT of exFAT.
    case EINVAL, EILSEQ: return nameRefused
    case ENOENT:
      return ((try? FileCalls.status(of: folder).links) ?? 0) > 0 ? nameRefused : code
    default: return code
    }
  }

  /// Why something that is to be copied can't be looked at, opened or read, as it is told of it.
  static func reading(_ error: any Error) -> Reason {
    switch (error as? Errno)?.rawValue {
    case EACCES, EPERM: .unreadable
    case EIO, EREMOTEIO, EUCLEAN: .readError
    // A file or a link has come in the place of a folder, or a link in that of a file.
    case ENOTDIR, ELOOP: .changed
    default: Reason(error)
    }
  }

  /// Why a part of a folder is left out while the rest goes; `nil` where the error holds for the other
  /// parts as well, as a full disk does.
  static func ofPart(_ error: any Error, isRead: Bool = false) -> Reason? {
    switch (error as? Errno)?.rawValue {
    // Of this process or of the machine.
    case EMFILE, ENFILE, ENOMEM: return nil
    default: break
    }
    let reason = isRead ? reading(error) : Reason(error)
    switch reason {
    case .noSpace, .deviceError, .interrupted, .readOnly, .ownDescendant, .notResponding: return nil
    default: return error is CancelledByPerson ? nil : reason
    }
  }
}
