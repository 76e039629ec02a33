import KeyDragCore
import Synchronization

/// The last delivery, when the history does not know of it: what a program did with it can't be taken
/// back from outside.
final class Unrecorded: Sendable {
  private let entry = Mutex<HistoryEntry?>(nil)

  /// As many as an entry of the history has.
  private static let mostNames = 20

  /// What can't be undone; `nil` when the newest entry of the history is what was done last.
  var last: HistoryEntry? { entry.withLock { $0 } }

  /// Takes the end of a delivery into a program.
  func note(
    _ result: DeliveryResult, _ order: DeliveryOrder, isRecorded: Bool, place: String
  ) {
    guard result.outcome.leavesTraces else { return }
    let count = result.outcome == .unconfirmed ? order.items.count : result.delivered
    entry.withLock {
      $0 =
        isRecorded
        ? nil
        : HistoryEntry(
          number: 0, operation: order.operation,
          names: order.items.prefix(Self.mostNames).map(\.name), count: count, place: place,
          time: 0, isUndone: false)
    }
  }

  /// Takes what those report who keep a history.
  func note(_ report: WorldReport) {
    switch report {
    case .delivery(_, .finished(let result)) where result.outcome.leavesTraces: forget()
    case .redone(_, .done), .redone(_, .partly): forget()
    case .redoneLate(.done), .redoneLate(.partly): forget()
    default: break
    }
  }

  func forget() { entry.withLock { $0 = nil } }
}

extension DeliveryOutcome {
  /// Whether something may be at the target.
  var leavesTraces: Bool {
    switch self {
    case .delivered, .partly, .unconfirmed: true
    case .refused, .failed, .cancelled: false
    }
  }
}
