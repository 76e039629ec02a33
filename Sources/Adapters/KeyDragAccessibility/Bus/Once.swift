import Synchronization

/// Passes on the first of several answers.
final class Once<Value: Sendable>: Sendable {
  private let done: Mutex<(@Sendable (Value) -> Void)?>

  init(_ done: @escaping @Sendable (Value) -> Void) { self.done = Mutex(done) }

  func give(_ value: Value) {
    let done = done.withLock { done in
      defer { done = nil }
      return done
    }
    done?(value)
  }
}
