import Glibc
import KeyDragCore
import SystemPackage

/// Thrown where a person's wish to stop is noticed.
struct CancelledByPerson: Error {}

extension Reason {
  /// The reason a person is told for an error of the system.
  init(_ error: any Error) {
    switch error {
    case let reason as Reason: self = reason
    case let code as Errno: self = Reason(code: code)
    case is CancelledByPerson: self = .interrupted
    default: self = .unknown
    }
  }

  init(code: Errno) {
    switch code.rawValue {
    case ENOSPC, EDQUOT: self = .noSpace
    case EFBIG: self = .tooLarge
    case ENOENT, ESTALE: self = .gone
    case EACCES, EPERM, EBUSY, ETXTBSY: self = .notPermitted
    case EROFS: self = .readOnly
    case EEXIST, ENOTEMPTY: self = .nameExists
    case ENAMETOOLONG: self = .nameTooLong
    case ELOOP: self = .linkLoop
    case ENOTDIR: self = .notAFolder
    case EISDIR: self = .isAFolder
    case EIO, ENXIO, ENODEV, EREMOTEIO, EUCLEAN: self = .deviceError
    case EINTR: self = .interrupted
    default: self = .unknown
    }
  }
}
