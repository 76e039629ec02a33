import Dispatch
import Synchronization

/// An answer that comes from another thread, perhaps too late.
final class LateAnswer<Value: Sendable>: Sendable {
  private let answer = Mutex<Value?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  func give(_ value: Value) {
    answer.withLock { $0 = value }
    isThere.signal()
  }

  /// Waits for it so long; `nil` when it has not come by then.
  func value(within patience: DispatchTimeInterval) -> Value? {
    _ = isThere.wait(timeout: .now() + patience)
    return answer.withLock { $0 }
  }

  /// Waits for it; `nil` when it has not come by then.
  func value(until end: DispatchTime) -> Value? {
    _ = isThere.wait(timeout: end)
    return answer.withLock { $0 }
  }
}
