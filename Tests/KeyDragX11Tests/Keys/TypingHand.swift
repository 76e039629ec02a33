import CXCB
import Glibc
import KeyDragCore
import PrivateDesktop

@testable import KeyDragX11

/// Presses keys and buttons on a display as a hand does, by XTEST.
final class TypingHand {
  let server: XServer

  init(on desktop: PrivateDesktop) throws {
    server = try XServer(display: desktop.environment["DISPLAY"])
  }

  private func fake(_ type: Int32, _ detail: UInt8, x: Int16 = 0, y: Int16 = 0) {
    xcb_test_fake_input(server.connection, UInt8(type), detail, 0, server.root.rawValue, x, y, 0)
    sync()
  }

  /// Returns when the server has done everything asked before.
  func sync() {
    free(xcb_get_input_focus_reply(server.connection, xcb_get_input_focus(server.connection), nil))
  }

  func down(_ code: Keycode) { fake(XCB_KEY_PRESS, code) }
  func up(_ code: Keycode) { fake(XCB_KEY_RELEASE, code) }

  /// Presses keys one after the other and lets them go in reverse: modifiers, then the key.
  func press(_ codes: Keycode...) {
    codes.forEach(down)
    codes.reversed().forEach(up)
  }

  func click(x: Int, y: Int) {
    fake(XCB_MOTION_NOTIFY, 0, x: Int16(x), y: Int16(y))
    fake(XCB_BUTTON_PRESS, 1)
    fake(XCB_BUTTON_RELEASE, 1)
  }

  func focus(_ window: UInt32) {
    xcb_set_input_focus(
      server.connection, UInt8(XCB_INPUT_FOCUS_PARENT.rawValue), window,
      xcb_timestamp_t(XCB_CURRENT_TIME))
    sync()
  }
}

/// The keys of a PC by their numbers on every X server that runs on one.
enum PCKey {
  static let escape: Keycode = 9
  static let tab: Keycode = 23
  static let enter: Keycode = 36
  static let ctrl: Keycode = 37
  static let a: Keycode = 38
  static let s: Keycode = 39
  static let shift: Keycode = 50
  static let z: Keycode = 52
  static let m: Keycode = 58
  static let alt: Keycode = 64
  static let menu: Keycode = 135
  static let f4: Keycode = 70
  static let space: Keycode = 65
  static let capsLock: Keycode = 66
  static let numLock: Keycode = 77
  static let keypadInsert: Keycode = 90
  static let down: Keycode = 116
  static let insert: Keycode = 118
}

/// A program with a line to type in, which says every key that it gets.
final class TypingTarget {
  let process: KeptProcess

  init(on desktop: PrivateDesktop, hand: TypingHand) throws {
    process = try desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.program],
      adding: ["NO_AT_BRIDGE": "1", "GDK_BACKEND": "x11", "GTK_IM_MODULE": "gtk-im-context-simple"])
    let window = UInt32(try process.line()) ?? 0
    hand.focus(window)
    _ = try process.line()
  }

  /// The names of the keys that came, up to and with this one.
  func keys(upTo last: String) throws -> [String] {
    var keys: [String] = []
    while keys.last != last { keys.append(try process.line()) }
    return keys
  }

  private static let program = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk, GdkX11
    window = Gtk.Window(title="Typing")
    entry = Gtk.Entry()
    window.add(entry)
    seen = []
    def focused(widget, event):
        if not seen:
            seen.append(True)
            print("focused")
    def pressed(widget, event):
        print(Gdk.keyval_name(event.keyval))
        # What moves the focus or closes something has to leave the line where it is.
        return event.keyval in (Gdk.KEY_Tab, Gdk.KEY_ISO_Left_Tab)
    window.connect("focus-in-event", focused)
    window.connect("key-press-event", pressed)
    window.connect("map-event", lambda *_: print(window.get_window().get_xid()))
    entry.connect("activate", lambda *_: print("text " + entry.get_text()))
    window.show_all()
    Gtk.main()
    """
}
