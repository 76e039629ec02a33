import Synchronization

/// Awaits the single answer of a callback-based call, which may come from any thread. `ask` runs in
/// the caller's isolation. A second answer is dropped rather than trapping.
package func answer<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation,
  _ ask: (@escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
  await withCheckedContinuation { continuation in
    let once = Once { continuation.resume(returning: $0) }
    ask { once.give($0) }
  }
}

/// As ``answer(isolation:_:)``, throwing the reason of a failure.
package func answered<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation,
  _ ask: (@escaping @Sendable (Result<Value, Reason>) -> Void) -> Void
) async throws(Reason) -> Value {
  let result: Result<Value, Reason> = await answer(isolation: isolation, ask)
  return try result.get()
}

/// Passes on the first of several answers, from any thread.
package final class Once<Value: Sendable>: Sendable {
  /// `nil` once called.
  private let done: Mutex<(@Sendable (Value) -> Void)?>

  package init(_ done: @escaping @Sendable (Value) -> Void) { self.done = Mutex(done) }

  /// Passes on an answer on this thread, outside the lock; `false` if it came too late.
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
  /// Catches the result of an asynchronous call, or the reason that it throws.
  package init(_ body: @Sendable () async throws(Reason) -> Success) async {
    do throws(Reason) { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
