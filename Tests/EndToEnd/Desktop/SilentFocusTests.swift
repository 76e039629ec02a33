import Glibc
import PrivateDesktop
import RealPrograms
import Testing

/// A program in front that does not tell what it has in focus.
@Suite(
  "keydrag desktop, in front of a program that tells nothing", .realPrograms(by: .suite),
  .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct SilentFocusTests {
  @Test("What can't be picked up there is said with the program's name")
  func named() throws {
    let desktop = try DesktopStage()
    let program = try desktop.desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.program],
      adding: ["GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1"])
    #expect(try program.line() == "ready")
    let agent = try desktop.agent()
    try desktop.activate("Sketch")
    try desktop.press("ctrl+alt+space")
    let answer = try agent.wait(for: "nothing-to-pick-up")
    #expect(answer.argument("reason") == "selection-untold", "\(answer)")
    #expect(answer.text == "Painter: it tells nothing of what is selected.", "\(answer)")
  }

  @Test("T10 What a program copies in a form of its own alone is not told as nothing")
  func ownForm() throws {
    let desktop = try DesktopStage()
    let program = try desktop.desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.copying],
      adding: ["QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"])
    try desktop.wait(for: "Bytes", in: "Sketch")
    let agent = try desktop.agent()
    try desktop.activate("Sketch")
    try desktop.wait(for: "Bytes", in: "Sketch", isFramed: true)
    try desktop.press("ctrl+alt+space")
    let answer = try agent.wait(for: "nothing-to-pick-up")
    #expect(answer.argument("reason") == "selection-untold", "\(answer)")
    _ = program
  }

  private static let copying = """
    import sys
    from PyQt5.QtCore import QMimeData
    from PyQt5.QtWidgets import QApplication, QMainWindow, QPushButton
    application = QApplication(sys.argv)
    window = QMainWindow()
    window.setWindowTitle("Sketch")
    def copy():
        data = QMimeData()
        data.setData("application/x-bytes", b"ab")
        application.clipboard().setMimeData(data)
    edit = window.menuBar().addMenu("Edit")
    edit.addAction("Copy", copy, "Ctrl+C")
    button = QPushButton("Bytes")
    window.setCentralWidget(button)
    window.show()
    button.setFocus()
    application.exec()
    """

  @Test("T10 A list that tells no row, of which something can be copied, is not told as empty")
  func list() throws {
    let desktop = try DesktopStage()
    let program = try desktop.desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.bytes], adding: ["GDK_BACKEND": "x11"])
    #expect(try program.line() == "ready")
    try desktop.wait(for: "Bytes", in: "Sketch")
    let agent = try desktop.agent()
    try desktop.activate("Sketch")
    try desktop.wait(for: "Bytes", in: "Sketch", isFramed: true)
    try desktop.press("ctrl+alt+space")
    let answer = try agent.wait(for: "nothing-to-pick-up")
    #expect(answer.argument("reason") == "selection-untold", "\(answer)")
    _ = program
  }

  private static let bytes = """
    import gi
    gi.require_version("Gdk", "3.0")
    gi.require_version("Gtk", "3.0")
    from gi.repository import Atk, Gdk, GLib, Gtk
    GLib.set_prgname("Painter")
    window = Gtk.Window(title="Sketch")
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    window.add(box)
    keys = Gtk.AccelGroup()
    window.add_accel_group(keys)
    copy = Gtk.MenuItem(label="Copy")
    copy.add_accelerator("activate", keys, ord("c"), Gdk.ModifierType.CONTROL_MASK, Gtk.AccelFlags.VISIBLE)
    edit = Gtk.Menu()
    edit.append(copy)
    menus = Gtk.MenuBar()
    menus.append(Gtk.MenuItem(label="Edit", submenu=edit))
    box.pack_start(menus, False, False, 0)
    area = Gtk.DrawingArea(can_focus=True)
    area.get_accessible().set_name("Bytes")
    area.get_accessible().set_role(Atk.Role.TREE)
    box.pack_start(area, True, True, 0)
    window.connect("map-event", lambda *_: (area.grab_focus(), print("ready")))
    window.set_default_size(300, 200)
    window.show_all()
    Gtk.main()
    """

  private static let program = """
    import gi
    gi.require_version("Gdk", "3.0")
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gdk, GLib, Gtk
    Gdk.set_program_class("Painter")
    window = Gtk.Window(title="Sketch")
    window.connect("map-event", lambda *_: print("ready"))
    window.show_all()
    Gtk.main()
    """
}
