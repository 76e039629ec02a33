import KeyDragCore
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragDesktop

@Suite(
  "Picking up in a window that tells nothing of what is selected", .realPrograms(by: .suite),
  .serialized, .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct CopyingWindowTests {
  private func start(_ menu: String, on stage: DesktopStage) async throws -> KeptProcess {
    let program = try stage.desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.drawing, menu], adding: ["GDK_BACKEND": "x11"])
    #expect(try program.line() == "shown")
    return program
  }

  @Test(
    "T10 Its menu copies what is selected, once it is open, and the clipboard is given back",
    arguments: ["copy", "keyless"])
  func menu(menu: String) async throws {
    let stage = try DesktopStage()
    let program = try await start(menu, on: stage)
    let item = try await stage.pickUp("Drawing")
    #expect(item.name == "drawn words")
    // It reads the clipboard when a key is pressed, as another program would.
    try stage.type("key", "F6")
    #expect(try program.line() == "kept")
  }

  @Test(
    "T10 Where nothing can be copied, it is said that it tells nothing of what is selected",
    arguments: ["none", "disabled"])
  func untold(menu: String) async throws {
    let stage = try DesktopStage()
    let program = try await start(menu, on: stage)
    try stage.type("search", "--sync", "--name", "^Drawing$", "windowfocus", "--sync")
    let deadline = ContinuousClock.now + .seconds(30)
    var last: WorldReport?
    while ContinuousClock.now < deadline {
      last = await stage.request(.focus)
      if case .unreadable(_, _, .selectionUntold)? = last { break }
    }
    guard case .unreadable(_, _, .selectionUntold)? = last else {
      Issue.record("\(String(describing: last))")
      return
    }
    try stage.type("key", "F6")
    #expect(try program.line() == "kept")
  }

  /// Draws its words itself, and finds out what can be copied when its menu opens.
  static let drawing = """
    import sys, gi
    gi.require_version("Gdk", "3.0")
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gdk, GLib, Gtk
    clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
    clipboard.set_text("kept", -1)
    window = Gtk.Window(title="Drawing")
    window.set_default_size(400, 300)
    keys = Gtk.AccelGroup()
    window.add_accel_group(keys)
    box = Gtk.VBox()
    bar = Gtk.MenuBar()
    for name in ("File", "Edit"):
        head = Gtk.MenuItem(label=name)
        menu = Gtk.Menu()
        head.set_submenu(menu)
        bar.append(head)
        if name == "Edit" and sys.argv[1] != "none":
            copy = Gtk.MenuItem(label="Copy", sensitive=False)
            if sys.argv[1] != "keyless": copy.add_accelerator("activate", keys, ord("c"), Gdk.ModifierType.CONTROL_MASK,
                                 Gtk.AccelFlags.VISIBLE)
            copy.connect("activate", lambda *_: clipboard.set_text("drawn words", -1))
            if sys.argv[1] in ("copy", "keyless"):
                menu.connect("show", lambda *_: copy.set_sensitive(True))
            menu.append(copy)
            menu.append(Gtk.MenuItem(label="Paste"))
        else:
            menu.append(Gtk.MenuItem(label="Other"))
    area = Gtk.DrawingArea(can_focus=True)
    box.pack_start(bar, False, False, 0)
    box.pack_start(area, True, True, 0)
    def pressed(widget, event):
        if event.keyval == Gdk.KEY_F6:
            clipboard.request_text(lambda clipboard, text: print(text))
    window.connect("key-press-event", pressed)
    window.add(box)
    window.connect("map-event", lambda *_: GLib.timeout_add(300, print, "shown") and False)
    window.show_all()
    area.grab_focus()
    Gtk.main()
    """
}
