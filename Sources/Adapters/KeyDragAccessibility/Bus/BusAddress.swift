import Glibc

/// Where the buses of a desktop are, as the environment tells it.
enum BusAddress {
  /// The session bus; `nil` when there is none.
  static func session(_ environment: [String: String]) -> String? {
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
    guard let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty,
      access(folder + "/bus", F_OK) == 0
    else { return nil }
    return "unix:path=" + folder + "/bus"
  }
}
