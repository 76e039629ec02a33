import Glibc
import KeyDragCore

/// Why a recording cannot be made or continued.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's own name, safe to show and to speak.
  public var name: String
  public var reason: Reason

  public init(name: String, reason: Reason) {
    self.name = name
    self.reason = reason
  }

  init(path: String, code: Int32) {
    self.init(path: path, reason: Self.reason(for: code))
  }

  init(path: String, reason: Reason) {
    let last = path.split(separator: "/").last.map(String.init) ?? path
    self.init(name: SpokenName.clean(last), reason: reason)
  }

  /// Names the file, the reason and the remedy, in English.
  public var description: String {
    "Can't record speech to \(name): \(explanation)"
  }

  private var explanation: String {
    switch reason {
    case .gone: "its folder does not exist. Make the folder, or choose another one."
    case .notAFolder: "part of its path is not a folder. Choose another path."
    case .notPermitted: "you are not allowed to write there. Choose another folder."
    case .readOnly: "the disk is read only. Choose another folder."
    case .noSpace: "the disk is full. Free some space, or choose another disk."
    case .isAFolder: "it is a folder. Give the name of a file."
    case .specialFile: "it is a device or a pipe. Give the name of a file."
    case .wrongType: "it exists and is not a recording. Choose another name."
    case .nameTooLong: "the name is too long. Choose a shorter one."
    case .tooLarge: "the recording is as long as it can be. Start another one."
    default: "the disk reported an error. Choose another disk."
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
    case ELOOP: .linkLoop
    case ENAMETOOLONG: .nameTooLong
    case EFBIG: .tooLarge
    default: .deviceError
    }
  }
}
