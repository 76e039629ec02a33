/// Calls for actors on the connection's thread: sent before the actor does anything else, and
/// answered once, even when the connection is lost.
extension BusConnection {
  /// `nil` when nobody answers in time.
  static func open(
    _ address: String, on thread: BusThread, within milliseconds: UInt32, isBus: Bool = true,
    isolation: isolated any Actor = #isolation
  ) async -> BusConnection? {
    await withCheckedContinuation { continuation in
      open(address, on: thread, within: milliseconds, isBus: isBus) {
        continuation.resume(returning: $0)
      }
    }
  }

  /// A reply's values; `nil` for an error or a timeout.
  ///
  /// - Parameter milliseconds: timeout; `nil` waits as long as the connection lives.
  func call(
    _ destination: String, _ call: BusCall, within milliseconds: Int32?,
    startsService: Bool = false, isolation: isolated any Actor = #isolation
  ) async -> [BusValue]? {
    await withCheckedContinuation { continuation in
      ask(destination, call, within: milliseconds, startsService: startsService) {
        continuation.resume(returning: $0.values)
      }
    }
  }
}
