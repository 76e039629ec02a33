import Dispatch
import Synchronization

/// What callbacks hand to the thread that measures.
final class Arrivals<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  private let semaphore = DispatchSemaphore(value: 0)

  func add(_ value: Value) {
    values.withLock { $0.append(value) }
    semaphore.signal()
  }

  func next() -> Value {
    semaphore.wait()
    return values.withLock { $0.removeFirst() }
  }

  /// Waits for at most `seconds`; `nil` when nothing came.
  func next(within seconds: Double) -> Value? {
    guard semaphore.wait(timeout: .now() + seconds) == .success else { return nil }
    return values.withLock { $0.removeFirst() }
  }
}
