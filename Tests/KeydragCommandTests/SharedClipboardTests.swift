import KeyDragWayland
import Testing

@testable import keydrag

@Suite("The clipboard of an X server")
struct SharedClipboardTests {
  private let terminal = ["DISPLAY": ":0", "WINDOWID": "7"]

  @Test("H20: it is the person's own without Wayland, under GNOME, and in a terminal of X11")
  func own() {
    #expect(DisplayClipboard.isShared(["DISPLAY": ":0"], nil))
    for compositor in ["GNOME Shell", "Mutter"] {
      #expect(DisplayClipboard.isShared(["DISPLAY": ":0"], WaylandSession(compositor: compositor)))
    }
    for compositor in ["sway", "KWin", "Wayland"] {
      #expect(DisplayClipboard.isShared(terminal, WaylandSession(compositor: compositor)))
    }
  }

  @Test("H20: it is not where the compositor keeps one apart for the windows in front")
  func another() {
    for compositor in ["sway", "KWin", "Hyprland", "Wayland"] {
      let session = WaylandSession(compositor: compositor)
      #expect(!DisplayClipboard.isShared(["DISPLAY": ":0"], session))
    }
    #expect(!DisplayClipboard.isShared(["DISPLAY": ""], nil))
    let gnome = WaylandSession(compositor: "GNOME Shell")
    #expect(!DisplayClipboard.isShared(["WINDOWID": "7"], gnome))
  }
}
