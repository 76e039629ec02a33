import CAtspi

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

  /// The first value of the bus's own reply; `nil` without one.
  @discardableResult
  func askBus(
    _ member: String, _ arguments: BusValue..., within milliseconds: Int32,
    isolation: isolated any Actor = #isolation
  ) async -> BusValue? {
    await call(BusName.bus, .toBus(member, arguments), within: milliseconds)?.first
  }

  /// The process of a name; `nil` for one that has left.
  func process(
    of name: String, within milliseconds: Int32, isolation: isolated any Actor = #isolation
  ) async -> Int32? {
    await askBus("GetConnectionUnixProcessID", .string(name), within: milliseconds)?.number
      .flatMap { Int32(exactly: $0) }
  }

  /// The address of the accessibility bus, from its launcher on the session bus.
  func accessibilityAddress(
    within milliseconds: Int32, isolation: isolated any Actor = #isolation
  ) async -> String? {
    let call = BusCall(path: "/org/a11y/bus", interface: BusName.launcher, member: "GetAddress")
    let reply = await self.call(BusName.launcher, call, within: milliseconds)
    return reply?.first?.text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The programs that listen on the accessibility bus, with their events; none without a registry.
  func eventListeners(
    within milliseconds: Int32, isolation: isolated any Actor = #isolation
  ) async -> [(name: String, events: [String])] {
    let call = BusCall(
      path: ATSPI_DBUS_PATH_REGISTRY, interface: ATSPI_DBUS_INTERFACE_REGISTRY,
      member: "GetRegisteredEvents")
    return RegisteredEvents.listeners(
      await self.call(BusName.registry, call, within: milliseconds)?.first)
  }
}
