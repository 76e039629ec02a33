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
    case EINTR: self = .interrupted
    default: self = .unknown
    }
  }
}
