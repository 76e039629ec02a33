/// Windows of several toolkits, in processes of their own. Each says "ready" when it is shown, then
/// where some of its parts are by its own account, as "Row 3|80|120|400|21", then "end".
enum ProgramSources {
  /// A list box whose rows are made in different ways, all in turn.
  static let mixedBox = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, GLib

    window = Gtk.Window(title="Mixed")
    window.set_default_size(500, 300)
    box = Gtk.ListBox()
    for row in range(0, 60, 5):
        box.add(Gtk.Label(label=f"Plain {row}"))
        own = Gtk.ListBoxRow()
        own.add(Gtk.Label(label="inside"))
        own.get_accessible().set_name(f"Own {row}")
        box.add(own)
        parts = Gtk.Box()
        parts.add(Gtk.Image.new_from_icon_name("folder", Gtk.IconSize.MENU))
        parts.add(Gtk.Label(label=f"Part {row}"))
        parts.add(Gtk.Label(label="more"))
        box.add(parts)
        box.add(Gtk.ListBoxRow(height_request=12))
        hidden = Gtk.Label(label=f"Hidden {row}", no_show_all=True)
        last = Gtk.ListBoxRow(height_request=12)
        last.add(hidden)
        box.add(last)
    pane = Gtk.ScrolledWindow()
    pane.add(box)
    window.add(pane)
    window.connect("map-event", lambda *_: GLib.timeout_add(
        200, lambda: print("end", flush=True)) and False)
    window.show_all()
    Gtk.main()
    """

  /// Arguments: how many rows, and which of them is scrolled to.
  static let gtk3 = """
    import gi, sys
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, GLib

    count, first = int(sys.argv[1]), int(sys.argv[2])
    window = Gtk.Window(title="Rows")
    window.set_default_size(500, 400)
    window.move(80, 60)
    book = Gtk.Notebook()
    window.add(book)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    store = Gtk.ListStore(str, str)
    for row in range(count):
        store.append([f"Row {row + 1}", f"kind {row + 1}"])
    tree = Gtk.TreeView(model=store)
    tree.get_selection().set_mode(Gtk.SelectionMode.MULTIPLE)
    for number, title in enumerate(["Name", "Kind"]):
        column = Gtk.TreeViewColumn(title, Gtk.CellRendererText(), text=number)
        # As wide from the start as it stays.
        column.set_sizing(Gtk.TreeViewColumnSizing.FIXED)
        column.set_fixed_width(150)
        tree.append_column(column)
    pane = Gtk.ScrolledWindow()
    pane.add(tree)
    box.pack_start(pane, True, True, 0)
    entry = Gtk.Entry(text="hello world")
    entry.get_accessible().set_name("Note")
    entry.select_region(6, 11)
    box.pack_start(entry, False, False, 0)
    secret = Gtk.Entry(text="secret")
    secret.set_visibility(False)
    box.pack_start(secret, False, False, 0)
    button = Gtk.Button(label="Press me")
    def pressed(*_):
        store.append([f"Row {len(store) + 1}", "new"])
        print("pressed", flush=True)
    button.connect("clicked", pressed)
    box.pack_start(button, False, False, 0)
    book.append_page(box, Gtk.Label(label="First"))
    items = Gtk.ListBox()
    for item in range(3):
        items.add(Gtk.Label(label=f"Item {item + 1}"))
    book.append_page(items, Gtk.Label(label="Second"))

    def place(name, area, inside):
        x, y = inside.get_origin()[1:]
        print(f"{name}|{x + area.x}|{y + area.y}|{area.width}|{area.height}", flush=True)

    def tell():
        for row in range(first, min(first + 3, count)):
            path = Gtk.TreePath.new_from_indices([row])
            area = tree.get_cell_area(path, tree.get_column(0))
            place(f"Row {row + 1}", area, tree.get_bin_window())
        place("Note", entry.get_allocation(), window.get_window())
        place("Press me", button.get_allocation(), window.get_window())
        print("end", flush=True)

    def shown(*_):
        print("ready", flush=True)
        tree.grab_focus()
        tree.scroll_to_cell(Gtk.TreePath.new_from_indices([first]), None, True, 0.0, 0.0)
        for row in (first, first + 2):
            if row < count:
                tree.get_selection().select_path(Gtk.TreePath.new_from_indices([row]))
        GLib.timeout_add(200, tell)

    window.connect("map-event", shown)
    window.connect("destroy", Gtk.main_quit)
    window.show_all()
    Gtk.main()
    """

  /// Argument: "even", or "uneven" for a few rows that are higher than the others.
  static let columns = """
    import gi, sys
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, GLib

    store = Gtk.ListStore(str, str)
    for row in range(300):
        isHigh = sys.argv[1] == "uneven" and row in (4, 9, 10)
        store.append([f"Row {row}" + ("\\nin two lines" if isHigh else ""), f"{row} bytes"])
    rows = Gtk.TreeView(model=store)
    for number, name in enumerate(["Name", "Size"]):
        rows.append_column(Gtk.TreeViewColumn(name, Gtk.CellRendererText(), text=number))
    pane = Gtk.ScrolledWindow()
    pane.add(rows)
    window = Gtk.Window(title="Columns")
    window.set_default_size(500, 450)
    window.add(pane)
    window.connect("map-event", lambda *_: GLib.timeout_add(
        500, lambda: print("end", flush=True)) and False)
    window.show_all()
    Gtk.main()
    """

  /// A list of files in which each is an icon and a name. The last row is taken out, or put back
  /// and selected, soon after each SIGUSR1.
  static let restless = """
    import gi, random, signal
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, GLib

    store = Gtk.ListStore(str, str)
    def add(row): store.insert_with_valuesv(-1, [0, 1], [f"Row {row}", f"{row} bytes"])
    for row in range(8): add(row)
    rows = Gtk.TreeView(model=store)
    for number, name in enumerate(["Name", "Size"]):
        column = Gtk.TreeViewColumn(name)
        if number == 0: column.pack_start(Gtk.CellRendererPixbuf(icon_name="folder"), False)
        text = Gtk.CellRendererText()
        column.pack_start(text, True)
        column.add_attribute(text, "text", number)
        rows.append_column(column)
    def change():
        if len(store) > 7: return store.remove(store.iter_nth_child(None, 7)) and False
        add(7)
        rows.get_selection().select_path(7)
    def soon():
        GLib.timeout_add(random.randint(0, 12), change)
        return True
    GLib.unix_signal_add(GLib.PRIORITY_HIGH, signal.SIGUSR1, soon)
    window = Gtk.Window(title="Restless")
    window.set_default_size(500, 450)
    window.add(rows)
    window.connect("map-event", lambda *_: GLib.timeout_add(
        500, lambda: print("end", flush=True)) and False)
    window.show_all()
    Gtk.main()
    """

  /// Argument: how many rows.
  static let listBox = """
    import gi, sys
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, GLib

    count, first = int(sys.argv[1]), int(sys.argv[2])
    window = Gtk.Window(title="Rows")
    window.set_default_size(500, 400)
    window.move(80, 60)
    pane = Gtk.ScrolledWindow()
    window.add(pane)
    box = Gtk.ListBox()
    for row in range(count):
        box.add(Gtk.Label(label=f"Row {row + 1}", xalign=0))
    pane.add(box)

    def tell():
        seen = pane.get_vadjustment()
        for number in range(first, min(first + 30, count)):
            row = box.get_row_at_index(number)
            area = row.get_allocation()
            top = area.y - int(seen.get_value())
            if top >= 0 and top + area.height <= 400:
                x, y = window.get_window().get_origin()[1:]
                print(f"Row {number + 1}|{x}|{y + top}|{area.width}|{area.height}", flush=True)
        print("end", flush=True)

    def shown(*_):
        height = box.get_row_at_index(0).get_allocation().height
        pane.get_vadjustment().set_value(first * height)
        GLib.timeout_add(200, tell)

    window.connect("map-event", lambda *_: GLib.timeout_add(200, shown) and False)
    window.connect("destroy", Gtk.main_quit)
    window.show_all()
    Gtk.main()
    """

  static let gtk4 = """
    import gi, sys
    gi.require_version("Gtk", "4.0")
    from gi.repository import Gtk, GLib, Gio

    def activate(app):
        window = Gtk.ApplicationWindow(application=app, title="Four")
        window.set_default_size(500, 400)
        book = Gtk.Notebook()
        window.set_child(book)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        rows = Gtk.StringList()
        for row in range(int(sys.argv[1])):
            rows.append(f"Row {row + 1}")
        factory = Gtk.SignalListItemFactory()
        factory.connect("setup", lambda _, item: item.set_child(Gtk.Label(xalign=0)))
        factory.connect("bind", lambda _, item:
                        item.get_child().set_label(item.get_item().get_string()))
        view = Gtk.ListView(model=Gtk.SingleSelection(model=rows), factory=factory)
        pane = Gtk.ScrolledWindow(vexpand=True)
        pane.set_child(view)
        box.append(pane)
        box.append(Gtk.Entry(text="hello four"))
        button = Gtk.Button(label="Press me")
        button.connect("clicked", lambda *_: print("pressed", flush=True))
        box.append(button)
        book.append_page(box, Gtk.Label(label="First"))
        items = Gtk.ListBox()
        items.append(Gtk.Label(label="Item 1"))
        book.append_page(items, Gtk.Label(label="Second"))

        def tell():
            area = button.compute_bounds(window)[1]
            print(f"Press me|{int(area.get_x())}|{int(area.get_y())}"
                  f"|{int(area.get_width())}|{int(area.get_height())}", flush=True)
            print("end", flush=True)

        def shown(*_):
            print("ready", flush=True)
            GLib.timeout_add(500, tell)

        window.connect("map", shown)
        window.present()

    app = Gtk.Application(flags=Gio.ApplicationFlags.NON_UNIQUE)
    app.connect("activate", activate)
    app.run([])
    """

  static let qt5 = """
    import sys
    from PyQt5.QtCore import QTimer, QPoint
    from PyQt5.QtWidgets import *

    app = QApplication(sys.argv)
    app.setApplicationName("five")
    window = QWidget()
    window.setWindowTitle("Five")
    window.setGeometry(90, 70, 500, 400)
    layout = QVBoxLayout(window)
    tabs = QTabWidget()
    layout.addWidget(tabs)
    page = QWidget()
    inner = QVBoxLayout(page)
    rows = QListWidget()
    for row in range(int(sys.argv[1])):
        rows.addItem(f"Row {row + 1}")
    rows.scrollToItem(rows.item(int(sys.argv[2])), QAbstractItemView.PositionAtTop)
    inner.addWidget(rows)
    inner.addWidget(QLineEdit("hello five"))
    secret = QLineEdit("secret")
    secret.setEchoMode(QLineEdit.Password)
    inner.addWidget(secret)
    button = QPushButton("Press me")
    button.clicked.connect(lambda: print("pressed", flush=True))
    inner.addWidget(button)
    tabs.addTab(page, "First")
    tabs.addTab(QLabel("other"), "Second")

    def place(name, corner, size):
        print(f"{name}|{corner.x()}|{corner.y()}|{size.width()}|{size.height()}", flush=True)

    def tell():
        for row in range(int(sys.argv[2]), int(sys.argv[2]) + 2):
            area = rows.visualItemRect(rows.item(row))
            place(f"Row {row + 1}", rows.viewport().mapToGlobal(area.topLeft()), area.size())
        place("Press me", button.mapToGlobal(QPoint(0, 0)), button.size())
        print("end", flush=True)

    def shown():
        rows.scrollToItem(rows.item(int(sys.argv[2])), QAbstractItemView.PositionAtTop)
        rows.item(int(sys.argv[2])).setSelected(True)
        print("ready", flush=True)
        QTimer.singleShot(200, tell)

    window.show()
    QTimer.singleShot(100, shown)
    app.exec()
    """
}
