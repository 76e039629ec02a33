import Glibc
import KeyDragCore
import KeyDragThreads

package struct WaylandSession: Hashable, Sendable {
  /// The name of the compositor, such as "sway" or "KWin", safe to speak; "Wayland" when neither
  /// its process nor the environment reveals it.
  package var compositor: String

  package init(compositor: String) { self.compositor = compositor }

  /// Whether the clipboards of its windows and of X11 programs are always in sync: most compositors
  /// join the two only while an X11 program has the focus.
  package var joinsClipboards: Bool { ["GNOME Shell", "Mutter"].contains(compositor) }

  /// The compositor that `WAYLAND_DISPLAY` names; `nil` when nobody listens there.
  /// `XDG_SESSION_TYPE` is no proof: programs in another session inherit it.
  package static func find(_ environment: [String: String]) -> WaylandSession? {
    guard let path = CompositorName.socket(environment),
      let peer = CompositorSocket.peer(at: path)
    else { return nil }
    return WaylandSession(
      compositor: CompositorName.of(
        program: CompositorSocket.program(of: peer),
        desktop: environment["XDG_CURRENT_DESKTOP"]))
  }

  /// Whether Xwayland is installed, which a compositor starts by itself.
  package static func hasXWayland(_ environment: [String: String]) -> Bool {
    (environment["PATH"] ?? "/usr/bin").split(separator: ":").contains {
      access($0 + "/Xwayland", X_OK) == 0
    }
  }
}

/// Finds and names a compositor by environment and process name alone.
enum CompositorName {
  /// The path of the socket, as libwayland finds it; `nil` when none is named.
  static func socket(_ environment: [String: String]) -> String? {
    var name = environment["WAYLAND_DISPLAY"] ?? ""
    if name.isEmpty {
      guard environment["DISPLAY"]?.isEmpty != false else { return nil }
      name = "wayland-0"
    }
    if name.hasPrefix("/") { return name }
    guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
    return folder + "/" + name
  }

  /// Compositors whose process has another name than the one users know, by the beginning of the
  /// process name.
  private static let known = [
    ("kwin_wayland", "KWin"), ("gnome-shell", "GNOME Shell"), ("mutter", "Mutter"),
    ("weston", "Weston"), ("hyprland", "Hyprland"), ("cosmic-comp", "COSMIC"),
  ]

  /// - Parameters:
  ///   - program: the process name, which the kernel cuts to 15 bytes.
  ///   - desktop: `XDG_CURRENT_DESKTOP`, separated by colons, the general name last.
  static func of(program: String?, desktop: String?) -> String {
    // Some systems start programs through ".sway-wrapped".
    let name = String(SpokenName.clean(program ?? "").drop { $0 == "." })
    if !name.isEmpty {
      let folded = name.lowercased()
      if let found = known.first(where: { folded.hasPrefix($0.0) }) { return found.1 }
      let wrapped = name.range(of: "-wrap")
      return wrapped.map { String(name[..<$0.lowerBound]) } ?? name
    }
    let last = (desktop ?? "").split(separator: ":").last?.prefix(64)
    let told = SpokenName.clean(String(last ?? ""))
    return told.isEmpty ? "Wayland" : told
  }
}

extension String {
  fileprivate func range(of part: String) -> Range<Index>? {
    indices.first { self[$0...].hasPrefix(part) }.map {
      $0..<index($0, offsetBy: part.count)
    }
  }
}

private enum CompositorSocket {
  /// Its process id as the kernel knows it, 0 for one in another namespace; `nil` when nobody
  /// listens.
  static func peer(at path: String) -> Int32? {
    // One that is too busy to accept is there all the same.
    guard let descriptor = LocalSocket.connect(to: path) else { return errno == EAGAIN ? 0 : nil }
    defer { close(descriptor) }
    return LocalSocket.credentials(of: descriptor)?.process ?? 0
  }

  /// `nil` when it can't be read.
  static func program(of process: Int32) -> String? {
    guard process > 0 else { return nil }
    return SystemFiles.text("/proc/\(process)/comm", most: 64)?.split(separator: "\n").first.map {
      String($0)
    }
  }
}
