import Dispatch

/// Lets one thread wait for another.
///
/// Used where a caller may go on only when the thread has let go of everything.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  /// Lets the one who waits go on.
  func open() { semaphore.signal() }

  /// Returns when it is open, or after two seconds: nobody is kept from leaving.
  func wait() { _ = semaphore.wait(timeout: .now() + .seconds(2)) }
}
