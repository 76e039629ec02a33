import KeyDragCore

/// A mutex for asynchronous work, in the order of arrival. A body that throws releases it, too.
actor AsyncMutex {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Waits without a timeout. Not reentrant.
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
