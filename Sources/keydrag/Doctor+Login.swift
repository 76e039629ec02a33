import Glibc
import KeyDragConfiguration
import KeyDragCore

extension DoctorProbe {
  /// Whether the agent starts by itself.
  static let login = DoctorProbe(
    id: "login",
    // keydrag doctor: the name of a part: whether keydrag desktop starts whenever the person logs in.
    title: .term(in: "part", "Start at login"),
    run: { context, part in
      let isInFolder = isThere(AutostartEntry(context.environment).path)
      // Sway ignores the autostart folder.
      let isStarted = SwayStart(context.environment)?.isOn ?? isInFolder
      let hasUnit = isThere(ConfigurationFile.home(context.environment).map { $0 + unit })
      let hasWindows = ["DISPLAY", "WAYLAND_DISPLAY"].contains {
        context.environment[$0]?.isEmpty == false
      }
      describe(isOn: isStarted || hasUnit, hasWindows: hasWindows, &part)
    })

  static func describe(isOn: Bool, hasWindows: Bool, _ part: inout DoctorPart) {
    guard !isOn else {
      part.found = .phrase("keydrag desktop starts whenever you log in.")
      return
    }
    part.state = .absent
    part.found = .phrase("keydrag desktop does not start when you log in.")
    // Not needed without windows.
    if hasWindows { part.repair = .own(["desktop", "--autostart"]) }
  }

  private static func isThere(_ path: String?) -> Bool {
    path.map { access($0, F_OK) == 0 } ?? false
  }

  /// The link that `systemctl --user enable` creates for the unit.
  private static let unit = "/systemd/user/graphical-session.target.wants/keydrag-desktop.service"
}
