import Synchronization

/// Waits for the one answer of what answers by a callback, from any thread: a thread of its own, or
/// a library. It is asked where the caller runs. A second answer is dropped; it must not end the
/// program.
package func answer<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation,
  _ ask: (@escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
  await withCheckedContinuation { continuation in
    let once = AnswerOnce(continuation)
    ask { once.resume($0) }
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

/// Lets the first answer through.
package final class AnswerOnce<Value: Sendable>: Sendable {
  private let waiting: Mutex<CheckedContinuation<Value, Never>?>

  package init(_ continuation: CheckedContinuation<Value, Never>) { waiting = Mutex(continuation) }

  package func resume(_ value: Value) {
    let continuation = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    continuation?.resume(returning: value)
  }
}

extension Result where Failure == Reason, Success: Sendable {
  /// Catches the result that an asynchronous call gives, or the reason that it throws.
  package init(_ body: @Sendable () async throws(Reason) -> Success) async {
    do throws(Reason) { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
