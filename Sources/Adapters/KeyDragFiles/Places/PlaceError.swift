import Glibc
import KeyDragCore

/// The meaning of a failed system call to a person.
///
/// For looks at places. `Reason(code:)` does the same for deliveries, where the same error may mean
/// something else: a network that is gone, for one, is told here as not responding.
enum PlaceError {
  /// - Parameter number: of errno(3).
  static func reason(_ number: Int32) -> Reason {
    switch number {
    case ENOENT, ESTALE, ENXIO, ENODEV: .gone
    case EACCES, EPERM: .notPermitted
    case ENOTDIR: .notAFolder
    case EISDIR: .isAFolder
    case ELOOP: .linkLoop
    case ENAMETOOLONG: .nameTooLong
    case EROFS: .readOnly
    case ENOSPC, EDQUOT: .noSpace
    case EFBIG: .tooLarge
    case EIO: .deviceError
    case ETIMEDOUT, EHOSTDOWN, EHOSTUNREACH, ENOTCONN: .notResponding
    case EINTR: .interrupted
    default: .unknown
    }
  }
}
