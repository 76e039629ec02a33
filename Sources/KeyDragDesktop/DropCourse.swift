import KeyDragCore
import Synchronization

/// A drop on its way: when it needs nobody's patience any more, and how it ends.
///
/// Made with the drop itself; safe from any thread.
final class DropCourse: Sendable {
  /// Called with the bytes that the program has taken, and the sum of them.
  typealias Progress = @Sendable (_ bytes: Int, _ total: Int) -> Void

  /// Everything behind the lock.
  private struct State {
    var outcome: DragOutcome?
    /// The program has begun to take a part, more than ``patience`` ago.
    var isLong = false
    /// The program has taken a part.
    var isBegun = false
    /// Wait for ``isHandedOver()``.
    var handed: [CheckedContinuation<Void, Never>] = []
    /// Wait for ``outcome()``.
    var ended: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let clock: any Clock<Duration>
  /// The time within which a drop that is taken is worth no other drag: its program may ask for
  /// another form.
  private static let patience = Duration.seconds(1)

  /// Begins it.
  init(
    on clock: any Clock<Duration>,
    _ drop: @escaping @Sendable (@escaping Progress) async -> DragOutcome,
    _ progress: @escaping Progress
  ) {
    self.clock = clock
    Task.immediate {
      let outcome = await drop { [self] bytes, total in
        begin()
        progress(bytes, total)
      }
      end(outcome)
    }
  }

  /// Returns when it has ended, with how, or its program is taking long.
  func isHandedOver() async -> DragOutcome? {
    await withCheckedContinuation { continuation in
      let isNow = state.withLock { state in
        if state.outcome != nil || state.isLong { return true }
        state.handed.append(continuation)
        return false
      }
      if isNow { continuation.resume() }
    }
    return state.withLock { $0.outcome }
  }

  /// How it ends, waited for.
  func outcome() async -> DragOutcome {
    await withCheckedContinuation { continuation in
      let isNow = state.withLock { state in
        if state.outcome != nil { return true }
        state.ended.append(continuation)
        return false
      }
      if isNow { continuation.resume() }
    }
    return state.withLock { $0.outcome } ?? .unknown
  }

  /// The first part starts the clock.
  private func begin() {
    let isFirst = state.withLock { state in
      defer { state.isBegun = true }
      return !state.isBegun
    }
    guard isFirst else { return }
    Task {
      try? await clock.sleep(for: Self.patience)
      handOver()
    }
  }

  /// Lets go those who need not wait for the end.
  private func handOver() {
    let waiting = state.withLock { state in
      defer { state.handed = [] }
      state.isLong = true
      return state.handed
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Called by the drag, once.
  private func end(_ outcome: DragOutcome) {
    let waiting = state.withLock { state in
      defer { (state.handed, state.ended) = ([], []) }
      state.outcome = outcome
      return state.handed + state.ended
    }
    for continuation in waiting { continuation.resume() }
  }
}
