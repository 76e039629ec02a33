import ArgumentParser
import KeyDragCore

/// Exit statuses, as in sysexits.h where that has a name for one.
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

  /// The status of something that could not even begin.
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
