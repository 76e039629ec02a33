import Glibc
import Testing

@testable import KeyDragWayland

@Suite("The compositor of a Wayland session")
struct WaylandSessionTests {
  @Test(
    "W01 A compositor is called as the people who use it know it",
    arguments: [
      ("sway", nil, "sway"), ("kwin_wayland", "KDE", "KWin"), ("kwin_wayland_wr", nil, "KWin"),
      ("gnome-shell", "ubuntu:GNOME", "GNOME Shell"), (".gnome-shell-wr", nil, "GNOME Shell"),
      (".sway-wrapped", nil, "sway"), ("Hyprland", nil, "Hyprland"), ("labwc", nil, "labwc"),
      (nil, "KDE", "KDE"), ("", "ubuntu:GNOME", "GNOME"), (nil, nil, "Wayland"),
      (nil, "", "Wayland"),
    ] as [(String?, String?, String)])
  func named(program: String?, desktop: String?, name: String) {
    #expect(CompositorName.of(program: program, desktop: desktop) == name)
  }

  @Test("W01 The socket is found as the Wayland library finds it")
  func socket() {
    func path(_ display: String?, _ folder: String? = "/run/user/1") -> String? {
      var environment: [String: String] = ["XDG_SESSION_TYPE": "wayland"]
      environment["WAYLAND_DISPLAY"] = display
      environment["XDG_RUNTIME_DIR"] = folder
      return CompositorName.socket(environment)
    }
    #expect(path("wayland-1") == "/run/user/1/wayland-1")
    #expect(path("/tmp/own") == "/tmp/own")
    #expect(path("/tmp/own", nil) == "/tmp/own")
    #expect(path(nil) == "/run/user/1/wayland-0" && path("") == "/run/user/1/wayland-0")
    for (display, folder) in [(nil, nil), ("wayland-1", nil), ("wayland-1", "run")]
      as [(String?, String?)]
    {
      #expect(path(display, folder) == nil)
    }
    // An X server may be that of another computer.
    #expect(CompositorName.socket(["DISPLAY": ":9", "XDG_RUNTIME_DIR": "/run"]) == nil)
  }

  @Test("W01 Who listens at the socket is known by its process; where nobody does is no session")
  func live() throws {
    let folder = "/tmp/keydrag-wayland-\(getpid())"
    mkdir(folder, 0o700)
    defer { rmdir(folder) }
    let environment = [
      "WAYLAND_DISPLAY": "wayland-9", "XDG_RUNTIME_DIR": folder, "XDG_SESSION_TYPE": "wayland",
      "XDG_CURRENT_DESKTOP": "GNOME",
    ]
    #expect(WaylandSession.find(environment) == nil)
    let path = folder + "/wayland-9"
    let listening = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { unlink(path) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listening, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isBound && listen(listening, 1) == 0)
    // This process listens, which is no compositor, and is told by its name.
    let own = try #require(WaylandSession.find(environment)?.compositor)
    #expect(!own.isEmpty && own != "GNOME")
    close(listening)
    // The socket is left on the disk, as after a crash.
    #expect(access(path, F_OK) == 0 && WaylandSession.find(environment) == nil)
  }
}
