/// Calls for actors that live on the connection's thread: they are sent before anything else of the
/// actor runs, and each is answered once, also where the connection is lost meanwhile.
extension BusConnection {
  /// Connects; `nil` when nobody is there or does not answer in time.
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

  /// The values of a reply; `nil` for an error, and when none comes in time.
  ///
  /// - Parameter milliseconds: how long to wait; `nil` as long as the connection lives.
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
