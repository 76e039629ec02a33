import Glibc
import PrivateDesktop

/// A window of GTK 3 in a process of its own, half of which takes drops; it says what it gets.
final class DropTarget {
  let process: KeptProcess

  /// Where the window's upper half, which takes drops, and its lower half are.
  static let taking = (x: 150, y: 100)
  static let refusing = (x: 150, y: 230)

  /// Why it can't be started here; `nil` when it can.
  static var obstacle: String? {
    if let obstacle = PrivateDesktop.obstacle { return obstacle }
    let bindings = "/usr/lib/x86_64-linux-gnu/girepository-1.0/Gtk-3.0.typelib"
    let arm = bindings.replacing("x86_64", with: "aarch64")
    return access(bindings, R_OK) == 0 || access(arm, R_OK) == 0
      ? nil : "needs GTK for Python: apt-get install python3-gi gir1.2-gtk-3.0"
  }

  init(on desktop: PrivateDesktop) throws {
    process = try desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.program],
      adding: ["NO_AT_BRIDGE": "1", "GDK_BACKEND": "x11"])
    _ = try process.line()
  }

  /// What was dropped: type, length, operation and where in the half, as "text/plain 3 copy 100 40".
  func received() throws -> String { try process.line() }

  private static let program = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk
    window = Gtk.Window(title="Target")
    window.set_default_size(300, 200)
    window.move(50, 60)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, homogeneous=True)
    window.add(box)
    taking = Gtk.Label(label="drop here")
    box.pack_start(taking, True, True, 0)
    box.pack_start(Gtk.Label(label="not here"), True, True, 0)
    types = ["text/uri-list", "image/png"]
    entries = [Gtk.TargetEntry.new(name, 0, number) for number, name in enumerate(types)]
    actions = Gdk.DragAction.COPY | Gdk.DragAction.MOVE
    taking.drag_dest_set(Gtk.DestDefaults.ALL, entries, actions)
    names = {Gdk.DragAction.COPY: "copy", Gdk.DragAction.MOVE: "move"}
    def received(widget, context, x, y, data, info, time):
        operation = names.get(context.get_selected_action(), "other")
        print(data.get_data_type().name(), len(data.get_data()), operation, x, y)
    taking.connect("drag-data-received", received)
    window.connect("map-event", lambda *_: print("ready"))
    window.show_all()
    Gtk.main()
    """
}
