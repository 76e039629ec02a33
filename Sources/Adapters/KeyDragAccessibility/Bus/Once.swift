import Synchronization

/// Passes on the first of several answers.
///
/// Safe from any thread. Later answers are dropped without a word.
final class Once<Value: Sendable>: Sendable {
  /// `nil` once it was called.
  private let done: Mutex<(@Sendable (Value) -> Void)?>

  /// Has something called with the first answer.
  init(_ done: @escaping @Sendable (Value) -> Void) { self.done = Mutex(done) }

  /// Gives an answer; it is passed on outside of the lock.
  func give(_ value: Value) {
    let done = done.withLock { done in
      defer { done = nil }
      return done
    }
    done?(value)
  }
}
