import Glibc
import KeyDragCore

/// The meaning of a failed system call to a person.
enum PlaceError {
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
