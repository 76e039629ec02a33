import Glibc
import PrivateDesktop

@testable import KeyDragX11

/// A window of one toolkit or another in which the key M opens a menu and Escape closes it.
final class MenuTarget {
  enum Kind: String, CaseIterable, Sendable {
    case gtk3, qt5, qt6
    /// Says that it is a menu and leaves the keyboard to the window.
    case unGrabbed

    /// Those of which the toolkit is there: the test command installs no Qt 6.
    static func installed(_ kinds: [Kind]) -> [Kind] {
      let isQt6There = access("/usr/lib/python3/dist-packages/PyQt6", F_OK) == 0
      return kinds.filter { $0 != .qt6 || isQt6There }
    }
  }

  private let process: KeptProcess

  /// Returns with the menu open.
  init(_ kind: Kind, on desktop: PrivateDesktop, hand: TypingHand) throws {
    let program =
      switch kind {
      case .gtk3: Self.gtk3.replacing("GRAB", with: "menu")
      case .unGrabbed: Self.gtk3.replacing("GRAB", with: "window")
      case .qt5: Self.qt.replacing("PYQT", with: "PyQt5")
      case .qt6: Self.qt.replacing("PYQT", with: "PyQt6")
      }
    process = try desktop.start(
      ["/usr/bin/python3", "-u", "-c", program],
      adding: [
        "NO_AT_BRIDGE": "1", "GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb",
        "GTK_IM_MODULE": "gtk-im-context-simple",
      ])
    hand.focus(UInt32(try process.line()) ?? 0)
    try wait(for: "focused")
    hand.press(PCKey.m)
    try wait(for: "open")
  }

  /// Closes the menu as a person does.
  func close(with hand: TypingHand) throws {
    hand.press(PCKey.escape)
    try wait(for: "closed")
  }

  /// Returns when it has said this.
  func wait(for line: String) throws {
    while try process.line() != line {}
  }

  private static let gtk3 = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk, GdkX11
    window = Gtk.Window(title="Menus")
    menu = Gtk.Menu()
    menu.append(Gtk.MenuItem(label="Copy here"))
    menu.show_all()
    plain = Gtk.Window(type=Gtk.WindowType.POPUP, type_hint=Gdk.WindowTypeHint.POPUP_MENU)
    def pressed(widget, event):
        if event.keyval == Gdk.KEY_Escape and plain.get_visible():
            plain.hide()
        elif event.keyval == Gdk.KEY_m:
            if "GRAB" == "menu":
                menu.popup_at_widget(window, Gdk.Gravity.CENTER, Gdk.Gravity.CENTER, event)
            else:
                plain.show()
        return True
    # The menu itself is in a window of its own.
    for shown in (menu.get_toplevel(), plain):
        shown.connect("map-event", lambda *_: print("open"))
        shown.connect("unmap-event", lambda *_: print("closed"))
    window.connect("key-press-event", pressed)
    window.connect("focus-in-event", lambda *_: print("focused"))
    window.connect("map-event", lambda *_: print(window.get_window().get_xid()))
    window.show_all()
    Gtk.main()
    """

  private static let qt = """
    import sys
    from PYQT.QtCore import QTimer
    from PYQT.QtWidgets import QApplication, QMenu, QWidget
    class Window(QWidget):
        def keyPressEvent(self, event):
            if event.text() == "m":
                menu.popup(self.mapToGlobal(self.rect().center()))
        def focusInEvent(self, event):
            print("focused")
    application = QApplication(sys.argv[:1])
    window = Window()
    window.resize(300, 200)
    menu = QMenu(window)
    menu.addAction("Copy here")
    menu.aboutToShow.connect(lambda: QTimer.singleShot(0, lambda: print("open")))
    menu.aboutToHide.connect(lambda: QTimer.singleShot(0, lambda: print("closed")))
    window.show()
    window.setFocus()
    print(int(window.winId()))
    getattr(application, "exec_", application.exec)()
    """
}
