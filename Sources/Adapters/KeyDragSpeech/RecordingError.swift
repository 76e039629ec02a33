import Glibc
import KeyDragCore

/// The reason why a recording can't be made or continued.
package struct RecordingError: Error, Hashable, Sendable {
  /// The file's own name, safe to show and to speak.
  package var name: String
  package var reason: Reason
}

extension RecordingError {
  init(path: String, code: Int32) {
    self.init(path: path, reason: Self.reason(for: code))
  }

  init(path: String, reason: Reason) {
    let last = path.split(separator: "/").last.map(String.init) ?? path
    self.init(name: SpokenName.clean(last), reason: reason)
  }

  /// Names the file, the reason and the remedy.
  package func words(in phrases: Phrasebook) -> String {
    // Speech can't be recorded into a file; the reason and what to do follow. %1$@ is the file.
    phrases.join(phrases.phrase("Can't record speech to %1$@.", name), explanation(phrases))
  }

  private func explanation(_ phrases: Phrasebook) -> String {
    switch reason {
    case .gone:
      // Why speech can't be recorded into a file, and what to do. It is the file.
      phrases.phrase("Its folder does not exist. Make the folder, or choose another one.")
    case .notAFolder:
      // Why speech can't be recorded into a file, and what to do. It is the file.
      phrases.phrase("Part of its path is not a folder. Choose another path.")
    case .notPermitted:
      // Why speech can't be recorded into a file, and what to do.
      phrases.phrase("You are not allowed to write there. Choose another folder.")
    // Why speech can't be recorded into a file, and what to do.
    case .readOnly: phrases.phrase("The disk is read-only. Choose another folder.")
    case .noSpace:
      // Why speech can't be recorded into a file, and what to do.
      phrases.phrase("The disk is full. Free some space, or choose another disk.")
    // Why speech can't be recorded into a file, and what to do. It is the file.
    case .isAFolder: phrases.phrase("It is a folder. Give the name of a file.")
    case .specialFile:
      // Why speech can't be recorded into a file, and what to do. It is the file.
      phrases.phrase("It is a device or a pipe. Give the name of a file.")
    case .wrongType:
      // Why speech can't be recorded into a file, and what to do. It is the file.
      phrases.phrase("It exists and is not a recording. Choose another name.")
    case .nameTooLong:
      // Why speech can't be recorded into a file, and what to do. The name of the file.
      phrases.phrase("The name is too long. Choose a shorter one.")
    case .tooLarge:
      // Why speech can't be recorded any more, and what to do.
      phrases.phrase("The recording is as long as it can be. Start another one.")
    default:
      // Why speech can't be recorded into a file, and what to do.
      phrases.phrase("The disk reported an error. Choose another disk.")
    }
  }

  private static func reason(for code: Int32) -> Reason {
    switch code {
    case ENOENT: .gone
    case ENOTDIR: .notAFolder
    case EACCES, EPERM: .notPermitted
    case EROFS: .readOnly
    case ENOSPC, EDQUOT: .noSpace
    case EISDIR: .isAFolder
    case ENXIO, ENODEV: .specialFile
    // Symbolic links are not followed: an existing one is no recording.
    case ELOOP: .wrongType
    case ENAMETOOLONG: .nameTooLong
    case EFBIG: .tooLarge
    default: .deviceError
    }
  }
}
