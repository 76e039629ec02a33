import Synchronization

/// Limits how many looks wait at once for a disk that may never answer: each of them holds a
/// thread, also when nobody waits for it any more.
package final class BlockingCallLimiter: Sendable {
  private let waiting = Mutex(0)
  private static let most = 16

  package init() {}

  /// Looks at a disk; where too many looks wait already, it is answered at once.
  ///
  /// - Parameters:
  ///   - busy: the answer then; `body` is not called.
  ///   - start: runs a look where it may block.
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
