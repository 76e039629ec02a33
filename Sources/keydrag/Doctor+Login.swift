import Glibc
import KeyDragConfiguration
import KeyDragCore

extension DoctorProbe {
  /// Whether the agent starts by itself.
  static let login = DoctorProbe(
    id: "login",
    title: { phrases in
      // keydrag doctor: the name of a part: whether keydrag desktop starts whenever the person logs in.
      phrases.term(in: "part", "Start at login")
    },
    run: { context, part in
      let settings = ConfigurationFile.home(context.environment)
      let files = [LoginStart(context.environment).path, settings.map { $0 + unit }]
      let isOn = files.compactMap(\.self).contains { access($0, F_OK) == 0 }
      let hasWindows = ["DISPLAY", "WAYLAND_DISPLAY"].contains {
        context.environment[$0]?.isEmpty == false
      }
      describe(isOn: isOn, hasWindows: hasWindows, &part)
    })

  static func describe(isOn: Bool, hasWindows: Bool, _ part: inout DoctorPart) {
    guard !isOn else {
      part.found = { $0.phrase("keydrag desktop starts whenever you log in.") }
      return
    }
    part.state = .absent
    part.found = { $0.phrase("keydrag desktop does not start when you log in.") }
    // Nobody needs it where there are no windows.
    if hasWindows { part.repair = .own(["desktop", "--autostart"]) }
  }

  /// What `systemctl --user enable` makes of the unit.
  private static let unit = "/systemd/user/graphical-session.target.wants/keydrag-desktop.service"
}
