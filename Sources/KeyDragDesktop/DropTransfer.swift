import KeyDragCore
import Synchronization

/// A drop in progress: when it no longer blocks others, and how it ends.
///
/// Safe from any thread.
final class DropTransfer: Sendable {
  /// Called with the bytes that the program has taken, and their total.
  typealias Progress = @Sendable (_ bytes: Int, _ total: Int) -> Void

  private struct State {
    var outcome: DragOutcome?
    /// The program took the first part more than ``patience`` ago.
    var isLong = false
    var isBegun = false
    /// Callers of ``isHandedOver()``.
    var handed: [CheckedContinuation<Void, Never>] = []
    /// Callers of ``outcome()``.
    var ended: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let clock: any Clock<Duration>
  /// Time from the first part until other drags may begin: the program may ask for another form.
  private static let patience = Duration.seconds(1)

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

  /// Returns the outcome once it has ended, or `nil` when its program takes long.
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

  /// Resumes callers that need not wait for the end.
  private func handOver() {
    let waiting = state.withLock { state in
      defer { state.handed = [] }
      state.isLong = true
      return state.handed
    }
    for continuation in waiting { continuation.resume() }
  }

  private func end(_ outcome: DragOutcome) {
    let waiting = state.withLock { state in
      defer { (state.handed, state.ended) = ([], []) }
      state.outcome = outcome
      return state.handed + state.ended
    }
    for continuation in waiting { continuation.resume() }
  }
}
