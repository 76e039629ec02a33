import CAtspi
import KeyDragBus

extension BusName {
  /// Starts the accessibility bus; on the session bus.
  static let launcher = "org.a11y.Bus"
  /// Knows which programs are on the accessibility bus.
  static let registry = ATSPI_DBUS_NAME_REGISTRY
}

/// Questions about the accessibility bus: to its launcher, and to its registry.
extension BusConnection {
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
