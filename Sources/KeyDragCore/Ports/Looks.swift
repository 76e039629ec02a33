import Synchronization

/// Limits how many looks wait at once for a disk that may never answer: each of them holds a
/// thread, also when nobody waits for it any more.
package final class Looks: Sendable {
  private let waiting = Mutex(0)
  private static let most = 16

  package init() {}

  /// Whether one more may wait; if so, ``end()`` is called when it is over.
  package func begin() -> Bool {
    waiting.withLock { waiting in
      guard waiting < Self.most else { return false }
      waiting += 1
      return true
    }
  }

  package func end() { waiting.withLock { $0 -= 1 } }
}
