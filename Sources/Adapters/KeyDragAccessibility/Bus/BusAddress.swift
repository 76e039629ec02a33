import CAtspi
import Glibc

/// The addresses of a desktop's buses, from the environment and a check for the socket.
enum BusAddress {
  /// The session bus; `nil` when there is none. Without an address, the socket in the user's
  /// runtime folder, as systemd has it.
  static func session(_ environment: [String: String]) -> String? {
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
    guard let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty,
      access(folder + "/bus", F_OK) == 0
    else { return nil }
    return "unix:path=" + folder + "/bus"
  }
}

/// Names on the buses.
enum BusName {
  static let bus = "org.freedesktop.DBus"
  /// Starts the accessibility bus; on the session bus.
  static let launcher = "org.a11y.Bus"
  /// Knows which programs are on the accessibility bus.
  static let registry = ATSPI_DBUS_NAME_REGISTRY
}
