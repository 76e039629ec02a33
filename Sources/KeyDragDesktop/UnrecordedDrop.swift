import KeyDragCore
import Synchronization

/// The last delivery if it is missing from the history: what a program did with it can't be taken
/// back from outside.
///
/// Safe from any thread.
final class UnrecordedDrop: Sendable {
  private let entry = Mutex<HistoryEntry?>(nil)

  /// The most names in an entry of the history.
  private static let mostNames = 20

  /// The delivery that can't be undone; `nil` when the history's newest entry is the last action.
  var last: HistoryEntry? { entry.withLock { $0 } }

  func note(
    _ result: DeliveryResult, _ order: DeliveryOrder, isRecorded: Bool, place: String
  ) {
    // Nothing came of a drop that was reported as pending.
    if result.question == .answered { forget() }
    guard result.mayHaveEffect else { return }
    let count = result.outcome == .unconfirmed ? order.items.count : result.delivered
    var done = HistoryEntry(
      number: 0, operation: result.effect.operation ?? order.operation,
      names: order.items.prefix(Self.mostNames).map(\.name), count: count, place: place,
      time: 0, isUndone: false)
    done.wayBack = result.wayBack
    entry.withLock { [done] in $0 = isRecorded ? nil : done }
  }

  /// Takes the events of a drop that the history records.
  func note(_ event: DeliveryEvent) {
    if case .finished(let result) = event, result.mayHaveEffect { forget() }
  }

  func note(redone result: HistoryResult) {
    switch result {
    case .done, .partly: forget()
    case .nothing, .refused, .unavailable: break
    }
  }

  /// Called when the history's newest entry is the last action again.
  func forget() { entry.withLock { $0 = nil } }
}

extension DeliveryResult {
  /// Whether something may be at the target.
  var mayHaveEffect: Bool {
    switch outcome {
    case .delivered, .partly: true
    // After the person's answer nothing had changed.
    case .unconfirmed: question != .answered
    case .refused, .failed, .cancelled: false
    }
  }
}
