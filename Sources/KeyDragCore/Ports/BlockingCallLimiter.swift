import Synchronization

/// Limits how many calls may be blocked at once by a disk that never answers: each holds a thread,
/// even when its result is no longer awaited.
package final class BlockingCallLimiter: Sendable {
  private let waiting = Mutex(0)
  private static let most = 16

  package init() {}

  /// Runs `body` by way of `start`, where it may block; returns `busy` if too many are blocked.
  package func look<Value: Sendable>(
    else busy: Value, by start: (@escaping @Sendable () -> Void) -> Void,
    _ body: @escaping @Sendable () -> Value
  ) async -> Value {
    let isFree = waiting.withLock { waiting in
      guard waiting < Self.most else { return false }
      waiting += 1
      return true
    }
    guard isFree else { return busy }
    return await answer { reply in
      start { [self] in
        let value = body()
        waiting.withLock { $0 -= 1 }
        reply(value)
      }
    }
  }
}
