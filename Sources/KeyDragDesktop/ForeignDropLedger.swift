import Dispatch
import KeyDragCore
import Synchronization

/// Records drops that can't be undone from here in the history, which other processes read, too:
/// the next `keydrag undo` must not take back something older instead.
///
/// Calls return at once; the history is written on a serial queue.
final class ForeignDropLedger: Sendable {
  private struct Entries {
    /// The history's numbers for drops whose end may still change.
    var numbers: [DeliveryID: Int64] = [:]
    var newest: DeliveryID?
  }

  /// `nil` where no history is kept.
  private let keeper: (any ForeignDropHistory)?
  private let state = Mutex(Entries())
  /// Serial, and off the callers' threads.
  private let queue = DispatchQueue(label: "keydrag.foreign")

  /// The most names in an entry of the history.
  private static let mostNames = 20
  /// The ends of older drops no longer change.
  private static let mostNumbers = 1000

  init(_ keeper: (any ForeignDropHistory)?) { self.keeper = keeper }

  /// Records the end of a drop, and updates it if the end changes.
  func note(
    _ id: DeliveryID, _ result: DeliveryResult, _ order: DeliveryOrder, isRecorded: Bool,
    place: String, isNewest: Bool
  ) {
    guard let keeper else { return }
    queue.async { [self] in
      let known = state.withLock { $0.numbers[id] }
      guard result.mayHaveEffect, !isRecorded else {
        state.withLock { $0.numbers[id] = nil }
        if let known { keeper.withdraw(known) }
        return
      }
      let isConfirmed = result.outcome != .unconfirmed
      let drop = ForeignDrop(
        operation: result.effect.operation ?? order.operation,
        names: order.items.prefix(Self.mostNames).map(\.name),
        count: isConfirmed ? result.delivered : order.items.count, place: place,
        wayBack: result.wayBack)
      if let known { return keeper.update(known, to: drop) }
      guard let number = keeper.note(drop, isNewest: isNewest) else { return }
      state.withLock { state in
        state.numbers[id] = number
        if state.numbers.count > Self.mostNumbers {
          state.numbers.keys.min { $0.rawValue < $1.rawValue }.map { state.numbers[$0] = nil }
        }
        if isNewest { state.newest = id }
      }
    }
  }

  /// Runs after everything that was noted before.
  func inTurn(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  /// Whether this is the history's number for the newest drop; `false` for `nil`.
  func isNewest(_ number: Int64?) -> Bool {
    guard let number else { return false }
    return state.withLock { state in
      state.newest.flatMap { state.numbers[$0] } == number
    }
  }

  /// Marks the newest drop as undone by its program.
  func undidNewest() {
    guard let keeper else { return }
    queue.async { [self] in
      let number = state.withLock { state in state.newest.flatMap { state.numbers[$0] } }
      if let number { keeper.setUndone(number) }
    }
  }
}

extension DeliveryResult {
  /// The way to take back what a program has made of a drop.
  var wayBack: WayBack {
    if outcome == .unconfirmed { return effect == .taken ? .taken : .unconfirmed }
    // Nothing was copied.
    return [.pathsWritten, .listed].contains(effect) ? .taken : .programs
  }
}
