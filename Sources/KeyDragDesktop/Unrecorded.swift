import KeyDragCore
import Synchronization

/// The last delivery, when the history does not know of it: what a program did with it can't be
/// taken back from outside.
///
/// Safe from any thread.
final class Unrecorded: Sendable {
  private let entry = Mutex<HistoryEntry?>(nil)

  /// As many as an entry of the history has.
  private static let mostNames = 20

  /// The delivery that can't be undone; `nil` when the newest entry of the history is what was done
  /// last.
  var last: HistoryEntry? { entry.withLock { $0 } }

  /// Takes the end of a delivery into a program.
  func note(
    _ result: DeliveryResult, _ order: DeliveryOrder, isRecorded: Bool, place: String
  ) {
    // Nothing came of what was said to be on its way.
    if result.question == .answered { forget() }
    guard result.leavesTraces else { return }
    let count = result.outcome == .unconfirmed ? order.items.count : result.delivered
    var done = HistoryEntry(
      number: 0, operation: result.effect.operation ?? order.operation,
      names: order.items.prefix(Self.mostNames).map(\.name), count: count, place: place,
      time: 0, isUndone: false)
    done.wayBack = result.wayBack
    entry.withLock { [done] in $0 = isRecorded ? nil : done }
  }

  /// Takes what becomes of a drop that is written into the history.
  func note(_ event: DeliveryEvent) {
    if case .finished(let result) = event, result.leavesTraces { forget() }
  }

  /// Takes what became of a redo.
  func note(redone result: HistoryResult) {
    switch result {
    case .done, .partly: forget()
    case .nothing, .refused, .unavailable: break
    }
  }

  /// The history's newest entry is what was done last again.
  func forget() { entry.withLock { $0 = nil } }
}

extension DeliveryResult {
  /// Whether something may be at the target.
  var leavesTraces: Bool {
    switch outcome {
    case .delivered, .partly: true
    // After the person's answer all was seen to be what it had been.
    case .unconfirmed: question != .answered
    case .refused, .failed, .cancelled: false
    }
  }
}
