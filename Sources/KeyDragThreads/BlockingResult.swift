import Dispatch
import Synchronization

/// A one-shot result of another thread that a thread blocks on, for instance at the end of the
/// program; it may come too late.
package final class BlockingResult<Value: Sendable>: Sendable {
  private let answer = Mutex<Value?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  package init() {}

  /// To be called once.
  package func give(_ value: Value) {
    answer.withLock { $0 = value }
    isThere.signal()
  }

  /// Blocks for up to `patience`; `nil` on timeout.
  package func value(within patience: DispatchTimeInterval) -> Value? {
    value(until: .now() + patience)
  }

  /// Blocks until `end`; `nil` on timeout.
  package func value(until end: DispatchTime) -> Value? {
    // Lets other waiters through as well.
    if isThere.wait(timeout: end) == .success { isThere.signal() }
    return answer.withLock { $0 }
  }
}

extension BlockingResult<Void> {
  package func give() { give(()) }

  package func wait(within patience: DispatchTimeInterval) { _ = value(within: patience) }

  /// Blocks without a timeout.
  package func wait() { _ = value(until: .distantFuture) }
}
