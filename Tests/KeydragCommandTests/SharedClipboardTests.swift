import KeyDragWayland
import Testing

@testable import keydrag

@Suite("The clipboard of an X server")
struct SharedClipboardTests {
  private let terminal = ["DISPLAY": ":0", "WINDOWID": "7"]

  @Test("H20: it is the person's own without Wayland, under GNOME, and in a terminal of X11")
  func own() {
    #expect(Displays.clipboard(["DISPLAY": ":0"], nil) != nil)
    for compositor in ["GNOME Shell", "Mutter"] {
      #expect(Displays.clipboard(["DISPLAY": ":0"], WaylandSession(compositor: compositor)) != nil)
    }
    for compositor in ["sway", "KWin", "Wayland"] {
      #expect(Displays.clipboard(terminal, WaylandSession(compositor: compositor)) != nil)
    }
  }

  @Test("H20: it is not where the compositor keeps one apart for the windows in front")
  func another() {
    for compositor in ["sway", "KWin", "Hyprland", "Wayland"] {
      let session = WaylandSession(compositor: compositor)
      #expect(Displays.clipboard(["DISPLAY": ":0"], session) == nil)
    }
    #expect(Displays.clipboard(["DISPLAY": ""], nil) == nil)
    let gnome = WaylandSession(compositor: "GNOME Shell")
    #expect(Displays.clipboard(["WINDOWID": "7"], gnome) == nil)
  }
}
