import Dispatch
import KeyDragCore
import Synchronization

/// The drops into programs that can be taken back.
///
/// A drop that can't be undone from here is recorded in the history, which other processes read,
/// too: the next `keydrag undo` must not take back something older instead. Calls return at once;
/// the history is written on a serial queue.
final class DropLedger: Sendable {
  private struct Entries {
    /// The last delivery if the history can't undo it.
    var last: HistoryEntry?
    /// The history's numbers for drops whose end may still change.
    var numbers: [DeliveryID: Int64] = [:]
    var newest: DeliveryID?
    var run = RunEntries()
  }

  /// `nil` where no history is kept.
  private let history: (any ForeignDropHistory)?
  private let state = Mutex(Entries())
  /// Serial, and off the callers' threads.
  private let queue = DispatchQueue(label: "keydrag.foreign")

  /// The most names in an entry of the history.
  private static let mostNames = 20
  /// The ends of older drops no longer change.
  private static let mostNumbers = 1000

  init(_ history: (any ForeignDropHistory)?) { self.history = history }

  /// The last delivery if it can't be undone; `nil` when the history's newest entry is the last
  /// action.
  var last: HistoryEntry? { state.withLock(\.last) }

  /// Records the end of a drop, and updates it if the end changes.
  func note(_ result: DeliveryResult, of drop: Drop, place: String, isNewest: Bool) {
    let order = drop.order
    var foreign: HistoryEntry?
    if result.mayHaveEffect, result.entry == nil {
      foreign = HistoryEntry(
        operation: result.effect.operation ?? order.operation,
        names: order.items.prefix(Self.mostNames).map(\.name),
        count: result.outcome == .unconfirmed ? order.items.count : result.delivered, place: place,
        wayBack: result.wayBack)
    }
    queue.async { [self, foreign] in record(foreign, drop.id, isNewest: isNewest) }
    // Undo applies to the newest drop.
    guard isNewest else { return }
    state.withLock { [foreign] state in
      // Nothing came of a drop that was reported as pending.
      if result.mayHaveEffect || result.question == .answered {
        state.last = foreign
      }
      if let entry = result.entry { state.run.note(entry) }
    }
  }

  /// - Parameter foreign: `nil` where nothing came of it, or the history has it already.
  private func record(_ foreign: HistoryEntry?, _ id: DeliveryID, isNewest: Bool) {
    guard let history else { return }
    let known = state.withLock { $0.numbers[id] }
    guard let foreign else {
      state.withLock { $0.numbers[id] = nil }
      if let known { history.withdraw(known) }
      return
    }
    if let known { return history.update(known, to: foreign) }
    guard let number = history.note(foreign, isNewest: isNewest) else { return }
    state.withLock { state in
      state.numbers[id] = number
      if state.numbers.count > Self.mostNumbers {
        state.numbers.keys.min { $0.rawValue < $1.rawValue }.map { state.numbers[$0] = nil }
      }
      if isNewest { state.newest = id }
    }
  }

  /// Runs after everything that was noted before.
  func inTurn(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  /// Takes the events of a drop that another world records.
  func note(_ event: DeliveryEvent) {
    if case .finished(let result) = event, result.mayHaveEffect {
      state.withLock { $0.last = nil }
    }
  }

  // MARK: Taking back

  /// Whether this is the history's number for the newest drop; `false` for `nil`.
  func isNewest(_ number: Int64?) -> Bool { number != nil && number == newest }

  private var newest: Int64? {
    state.withLock { state in state.newest.flatMap { state.numbers[$0] } }
  }

  /// Marks the newest drop as undone by its program.
  func undidNewest() {
    state.withLock { $0.last = nil }
    queue.async { [self] in
      if let newest { history?.setUndone(newest) }
    }
  }

  func note(redone result: HistoryResult) {
    if result.hasChanged { state.withLock { $0.last = nil } }
  }

  /// Takes the late results of undos and redos.
  func note(_ report: WorldReport) {
    if case .redoneLate(let result) = report { note(redone: result) }
    state.withLock { $0.run.noteLate(report) }
  }

  /// The history's entries of this run's drops.
  var run: RunEntries { state.withLock(\.run) }

  func note(_ entry: Int64, _ result: HistoryResult, isRedo: Bool) {
    state.withLock { $0.run.note(entry, result, isRedo: isRedo) }
  }
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

  /// The way to take back what a program has made of a drop.
  var wayBack: WayBack {
    if outcome == .unconfirmed { return effect == .taken ? .taken : .unconfirmed }
    // Nothing was copied.
    return [.pathsWritten, .listed].contains(effect) ? .taken : .programs
  }
}
