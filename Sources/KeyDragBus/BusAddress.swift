import Glibc

/// The addresses of a desktop's buses, from the environment and a check for the socket.
package enum BusAddress {
  /// The session bus; `nil` when there is none. Without an address, the socket in the user's
  /// runtime folder, as systemd has it.
  package static func session(_ environment: [String: String]) -> String? {
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
    guard let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty,
      access(folder + "/bus", F_OK) == 0
    else { return nil }
    return "unix:path=" + folder + "/bus"
  }
}

/// Names on the buses.
package enum BusName {
  /// The bus itself.
  package static let bus = "org.freedesktop.DBus"
}
