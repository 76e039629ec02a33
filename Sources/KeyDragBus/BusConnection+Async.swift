/// Calls for actors on the connection's thread: sent before the actor does anything else, and
/// answered once, even when the connection is lost.
extension BusConnection {
  /// `nil` when nobody answers in time.
  package static func open(
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
  package func call(
    _ destination: String, _ call: BusCall, within milliseconds: Int32?,
    startsService: Bool = false, isolation: isolated any Actor = #isolation
  ) async -> [BusValue]? {
    await withCheckedContinuation { continuation in
      ask(destination, call, within: milliseconds, startsService: startsService) {
        continuation.resume(returning: $0.values)
      }
    }
  }

  /// The first value of the bus's own reply; `nil` without one.
  @discardableResult
  package func askBus(
    _ member: String, _ arguments: BusValue..., within milliseconds: Int32,
    isolation: isolated any Actor = #isolation
  ) async -> BusValue? {
    await call(BusName.bus, .toBus(member, arguments), within: milliseconds)?.first
  }

  /// The process of a name; `nil` for one that has left.
  package func process(
    of name: String, within milliseconds: Int32, isolation: isolated any Actor = #isolation
  ) async -> Int32? {
    await askBus("GetConnectionUnixProcessID", .string(name), within: milliseconds)?.number
      .flatMap { Int32(exactly: $0) }
  }
}
