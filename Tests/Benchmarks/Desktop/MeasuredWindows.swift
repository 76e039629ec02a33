/// Windows whose lists are read, each in a process of its own that says "ready" when it is shown, and
/// what reads them beside us.
enum MeasuredWindows {
  /// Arguments: how many rows, and in what: "tree" or "box".
  static let gtk3 = """
    import gi, sys
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, GLib

    count = int(sys.argv[1])
    window = Gtk.Window(title="Measured")
    window.set_default_size(500, 400)
    pane = Gtk.ScrolledWindow()
    window.add(pane)
    if sys.argv[2] == "box":
        rows = Gtk.ListBox()
        for row in range(count):
            rows.add(Gtk.Label(label=f"Row {row + 1}", xalign=0))
    else:
        store = Gtk.ListStore(str)
        for row in range(count):
            store.append([f"Row {row + 1}"])
        rows = Gtk.TreeView(model=store)
        column = Gtk.TreeViewColumn("Name", Gtk.CellRendererText(), text=0)
        column.set_sizing(Gtk.TreeViewColumnSizing.FIXED)
        rows.append_column(column)
    pane.add(rows)
    window.connect("map-event", lambda *_: GLib.timeout_add(
        500, lambda: print("ready", flush=True)) and False)
    window.show_all()
    Gtk.main()
    """

  /// Argument: how many rows.
  static let gtk4 = """
    import gi, sys
    gi.require_version("Gtk", "4.0")
    from gi.repository import Gtk, GLib, Gio

    def activate(app):
        window = Gtk.ApplicationWindow(application=app, title="Measured")
        window.set_default_size(500, 400)
        rows = Gtk.StringList()
        for row in range(int(sys.argv[1])):
            rows.append(f"Row {row + 1}")
        factory = Gtk.SignalListItemFactory()
        factory.connect("setup", lambda _, item: item.set_child(Gtk.Label(xalign=0)))
        factory.connect("bind", lambda _, item:
                        item.get_child().set_label(item.get_item().get_string()))
        pane = Gtk.ScrolledWindow()
        pane.set_child(Gtk.ListView(model=Gtk.SingleSelection(model=rows), factory=factory))
        window.set_child(pane)
        window.connect("map", lambda *_: GLib.timeout_add(
            500, lambda: print("ready", flush=True)))
        window.present()

    app = Gtk.Application(flags=Gio.ApplicationFlags.NON_UNIQUE)
    app.connect("activate", activate)
    app.run([])
    """

  /// Argument: how many rows.
  static let qt5 = """
    import sys
    from PyQt5.QtCore import QTimer
    from PyQt5.QtWidgets import *

    app = QApplication(sys.argv)
    app.setApplicationName("measured")
    window = QWidget()
    window.setWindowTitle("Measured")
    window.setGeometry(90, 70, 500, 400)
    layout = QVBoxLayout(window)
    rows = QListWidget()
    layout.addWidget(rows)
    for row in range(int(sys.argv[1])):
        rows.addItem(f"Row {row + 1}")
    window.show()
    QTimer.singleShot(500, lambda: print("ready", flush=True))
    app.exec()
    """

  /// Walks the window as assistive technologies in Python do, and writes the seconds that it took and
  /// how many rows are shown. Nothing is known from an earlier walk.
  static let walk = """
    import pyatspi, time

    def find():
        for program in pyatspi.Registry.getDesktop(0):
            for frame in program or []:
                if frame.name.startswith("Measured"):
                    return frame

    frame = None
    while frame is None:
        frame = find()
    area = frame.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
    found = []

    def look(node):
        role, states = node.getRole(), node.getState()
        if states.contains(pyatspi.STATE_SHOWING):
            try:
                place = node.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
            except NotImplementedError:
                place = None
            if place and place.width > 0 and area.y <= place.y < area.y + area.height:
                found.append((role, node.name, place))
        for child in node:
            if child:
                look(child)

    start = time.monotonic()
    look(frame)
    print(time.monotonic() - start, len(found), flush=True)
    """

  /// A field that takes what is dropped, and a line with a selection that has the focus.
  static let fields = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, GLib

    window = Gtk.Window(title="Fields")
    window.set_default_size(400, 300)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    line = Gtk.Entry(text="some words to carry")
    body = Gtk.TextView()
    body.get_accessible().set_name("Body")
    box.pack_start(line, False, False, 0)
    box.pack_start(body, True, True, 0)
    window.add(box)

    def focused(*_):
        line.select_region(0, -1)
        GLib.timeout_add(300, lambda: print("ready", flush=True))

    line.connect("focus-in-event", focused)
    window.connect("map-event", lambda *_: line.grab_focus() and False)
    window.show_all()
    Gtk.main()
    """
}
