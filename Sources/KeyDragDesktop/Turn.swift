import KeyDragCore

/// Lets one task after the other through.
///
/// In the order in which they came. A body that throws passes the turn on as well.
actor Turn {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Waits without a bound; not from inside of a turn.
  func take<Value: Sendable>(
    _ body: @Sendable () async throws(Reason) -> Value
  ) async throws(Reason) -> Value {
    if isTaken {
      await withCheckedContinuation { waiting.append($0) }
    } else {
      isTaken = true
    }
    defer { pass() }
    return try await body()
  }

  private func pass() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
