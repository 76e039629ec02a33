import Dispatch

/// Lets one thread wait for another.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  /// Returns when it is open, or after two seconds: nobody is kept from leaving.
  func wait() { _ = semaphore.wait(timeout: .now() + .seconds(2)) }
}
