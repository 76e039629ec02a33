import ArgumentParser
import KeyDragCore

/// Exit statuses, as sysexits.h names them where it has a name.
enum ExitStatus: Int32 {
  case done = 0
  /// A drop or delivery was refused, partial, failed, cancelled or unconfirmed.
  case undelivered = 1
  case usage = 64
  case noInput = 66
  case unavailable = 69
  case internalError = 70
  case inputOutput = 74
  case notPermitted = 77
  case interrupted = 130

  /// The status for something that could not even be begun.
  init(_ reason: Reason) {
    self =
      switch reason {
      case .gone, .notAFolder, .isAFolder, .linkLoop, .nothingThere, .fileRoot: .noInput
      case .notPermitted, .protected, .readOnly, .unreadable, .notRemovable: .notPermitted
      case .journalUnavailable, .journalNewer, .notResponding: .unavailable
      case .noSpace, .deviceError: .inputOutput
      default: .undelivered
      }
  }

  var code: ExitCode { ExitCode(rawValue) }
}
