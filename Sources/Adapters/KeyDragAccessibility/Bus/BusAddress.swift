import Glibc

/// The addresses of a desktop's buses, as the environment tells them.
///
/// Reads nothing but the environment, and asks whether a socket is there.
enum BusAddress {
  /// The session bus; `nil` when there is none.
  ///
  /// Without an address it is the socket in the person's runtime folder, as systemd has it.
  static func session(_ environment: [String: String]) -> String? {
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
    guard let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty,
      access(folder + "/bus", F_OK) == 0
    else { return nil }
    return "unix:path=" + folder + "/bus"
  }
}
