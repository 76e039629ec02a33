import Dispatch
import Synchronization

/// An answer of another thread, for which a thread stands still: at the end of the program, say, where
/// nothing else is left to do. It may come too late.
package final class LateAnswer<Value: Sendable>: Sendable {
  private let answer = Mutex<Value?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  package init() {}

  /// Gives the answer; to be called once.
  package func give(_ value: Value) {
    answer.withLock { $0 = value }
    isThere.signal()
  }

  /// Waits for it so long; `nil` when it has not come by then.
  package func value(within patience: DispatchTimeInterval) -> Value? {
    value(until: .now() + patience)
  }

  /// Waits for it; `nil` when it has not come by then.
  package func value(until end: DispatchTime) -> Value? {
    // Whoever else waits is let through as well.
    if isThere.wait(timeout: end) == .success { isThere.signal() }
    return answer.withLock { $0 }
  }
}

extension LateAnswer<Void> {
  /// Says that it is done.
  package func give() { give(()) }

  /// Waits until it is done, so long.
  package func wait(within patience: DispatchTimeInterval) { _ = value(within: patience) }

  /// Waits until it is done, as long as that takes.
  package func wait() { _ = value(until: .distantFuture) }
}
