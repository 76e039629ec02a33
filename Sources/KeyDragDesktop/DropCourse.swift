import KeyDragCore
import Synchronization

/// A drop on its way: when it needs nobody's patience any more, and how it ends.
final class DropCourse: Sendable {
  private struct Progress {
    var outcome: DragOutcome?
    var isLong = false
    var isBegun = false
    var handed: [CheckedContinuation<Void, Never>] = []
    var ended: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(Progress())
  /// The time within which a drop that is taken is worth no other drag: its program may ask for
  /// another form.
  private static let patience = Duration.seconds(1)

  /// Begins it.
  init(
    of drag: any DragConversing,
    _ progress: @escaping @Sendable (_ bytes: Int, _ total: Int) -> Void
  ) {
    drag.drop { [self] bytes, total in
      begin()
      progress(bytes, total)
    } _: { [self] in
      end($0)
    }
  }

  /// Returns when it has ended, or its program is taking long.
  func isHandedOver() async {
    await withCheckedContinuation { continuation in
      let isNow = state.withLock { state in
        if state.outcome != nil || state.isLong { return true }
        state.handed.append(continuation)
        return false
      }
      if isNow { continuation.resume() }
    }
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

  private func begin() {
    let isFirst = state.withLock { state in
      defer { state.isBegun = true }
      return !state.isBegun
    }
    guard isFirst else { return }
    Task {
      try? await Task.sleep(for: Self.patience)
      handOver()
    }
  }

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
