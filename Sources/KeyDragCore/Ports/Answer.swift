import Synchronization

/// Waits for the one answer of what answers by a callback, from any thread: a thread of its own, or
/// a library. It is asked where the caller runs. A second answer is dropped; it must not end the
/// program.
package func answer<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation,
  _ ask: (@escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
  await withCheckedContinuation { continuation in
    let once = Once { continuation.resume(returning: $0) }
    ask { once.give($0) }
  }
}

/// The same where the answer may be a reason, which is thrown.
package func answered<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation,
  _ ask: (@escaping @Sendable (Result<Value, Reason>) -> Void) -> Void
) async throws(Reason) -> Value {
  let result: Result<Value, Reason> = await answer(isolation: isolation, ask)
  return try result.get()
}

/// Lets the first of several answers through, from any thread.
package final class Once<Value: Sendable>: Sendable {
  /// `nil` once it was called.
  private let done: Mutex<(@Sendable (Value) -> Void)?>

  /// Has something called with the first answer.
  package init(_ done: @escaping @Sendable (Value) -> Void) { self.done = Mutex(done) }

  /// Gives an answer, which is passed on where the caller runs, outside of the lock.
  ///
  /// - Returns: `false` where one was given before; this one is dropped.
  @discardableResult
  package func give(_ value: Value) -> Bool {
    let done = done.withLock { done in
      defer { done = nil }
      return done
    }
    done?(value)
    return done != nil
  }
}

extension Result where Failure == Reason, Success: Sendable {
  /// Catches the result that an asynchronous call gives, or the reason that it throws.
  package init(_ body: @Sendable () async throws(Reason) -> Success) async {
    do throws(Reason) { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
