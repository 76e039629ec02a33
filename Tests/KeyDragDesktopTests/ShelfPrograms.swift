/// Programs of GTK 3 that can be reached by other ways than drops; each says what happens in it.
enum ShelfPrograms {
  /// A list that refuses drags and takes what is pasted, with commands in another language. It has the
  /// clipboard at first; USR1 has it say what is in it, USR2 adds a line.
  static let shelf = """
    import signal, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk, GLib
    window = Gtk.Window(title="Shelf")
    window.set_default_size(400, 300)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    window.add(box)
    keys = Gtk.AccelGroup()
    window.add_accel_group(keys)
    bar = Gtk.MenuBar()
    edit = Gtk.MenuItem.new_with_mnemonic("_Bearbeiten")
    menu = Gtk.Menu()
    edit.set_submenu(menu)
    bar.append(edit)
    box.pack_start(bar, False, False, 0)
    model = Gtk.ListStore(str)
    model.append(["one"])
    view = Gtk.TreeView(model=model, headers_visible=False)
    view.append_column(Gtk.TreeViewColumn("Name", Gtk.CellRendererText(), text=0))
    view.get_accessible().set_name("Books")
    box.pack_start(view, True, True, 0)
    view.drag_dest_set(0, [], Gdk.DragAction.COPY)
    def refuse(view, context, x, y, time):
        Gdk.drag_status(context, 0, time)
        return True
    view.connect("drag-motion", refuse)
    clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
    def paste(*_):
        for uri in clipboard.wait_for_uris() or []:
            model.append([uri.split("/")[-1]])
            print("pasted", uri)
    def undo(*_):
        model.remove(model.get_iter(len(model) - 1))
        print("undone")
    def entry(label, key, act):
        item = Gtk.MenuItem.new_with_mnemonic(label)
        control = Gdk.ModifierType.CONTROL_MASK
        item.add_accelerator("activate", keys, ord(key), control, Gtk.AccelFlags.VISIBLE)
        item.connect("activate", act)
        menu.append(item)
    entry("_Rückgängig", "z", undo)
    entry("_Einfügen", "v", paste)
    clipboard.set_text("before", -1)
    def tell():
        print("clipboard", clipboard.wait_for_text())
        return True
    def add():
        model.append(["more"])
        print("added")
        return True
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, tell)
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR2, add)
    window.connect("map-event", lambda *_: print("ready"))
    window.show_all()
    Gtk.main()
    """

  /// The same, which says yes to a drag and then does not take it.
  static let promising = shelf.replacing(
    "Gdk.drag_status(context, 0, time)",
    with: "Gdk.drag_status(context, Gdk.DragAction.COPY, time)")

  /// The same, with commands that have no keys.
  static let keyless = shelf.replacing(
    "item.add_accelerator(\"activate\", keys, ord(key), control, Gtk.AccelFlags.VISIBLE)",
    with: "pass")

  /// Has something in the clipboard.
  static let owner = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk
    clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
    clipboard.set_text("owned", -1)
    Gdk.Display.get_default().sync()
    print("ready")
    Gtk.main()
    """

  /// A list whose rows are put in order by the pointer alone; it says the order when it has changed.
  static let ranking = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk
    window = Gtk.Window(title="Ranking")
    window.set_default_size(300, 300)
    window.move(40, 40)
    model = Gtk.ListStore(str)
    for name in "ant", "bee", "cat", "dog":
        model.append([name])
    view = Gtk.TreeView(model=model, reorderable=True, headers_visible=False)
    view.append_column(Gtk.TreeViewColumn("Name", Gtk.CellRendererText(ypad=6), text=0))
    window.add(view)
    def changed(*_):
        names = [row[0] for row in model if row[0]]
        if len(names) == 4:
            print(*names)
    model.connect("row-deleted", changed)
    window.connect("map-event", lambda *_: print("ready"))
    window.show_all()
    view.set_cursor(Gtk.TreePath(0), None, False)
    view.grab_focus()
    Gtk.main()
    """

  /// Lies over the lower part of that list, and no window manager looks after it.
  static let cover = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk
    window = Gtk.Window(type=Gtk.WindowType.POPUP)
    window.set_default_size(300, 240)
    window.move(40, 100)
    window.connect("map-event", lambda *_: print("ready"))
    window.show_all()
    Gtk.main()
    """

  /// A link, a picture that its Copy command copies, and a text.
  static let desk = """
    import signal, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk, GdkPixbuf, GLib
    window = Gtk.Window(title="Desk")
    window.set_default_size(400, 300)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    window.add(box)
    keys = Gtk.AccelGroup()
    window.add_accel_group(keys)
    bar = Gtk.MenuBar()
    edit = Gtk.MenuItem(label="Edit")
    menu = Gtk.Menu()
    edit.set_submenu(menu)
    bar.append(edit)
    box.pack_start(bar, False, False, 0)
    link = Gtk.LinkButton.new_with_label("https://example.org/x", "Example")
    box.pack_start(link, False, False, 0)
    canvas = Gtk.DrawingArea(can_focus=True)
    canvas.set_size_request(100, 60)
    canvas.get_accessible().set_name("Sunset")
    box.pack_start(canvas, False, False, 0)
    view = Gtk.TextView()
    view.get_accessible().set_name("Notes")
    box.pack_start(view, True, True, 0)
    text = view.get_buffer()
    def written(*_):
        print("notes", text.get_text(text.get_start_iter(), text.get_end_iter(), True))
    text.connect("changed", written)
    clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
    clipboard.set_text("before", -1)
    def copy(*_):
        picture = GdkPixbuf.Pixbuf.new(GdkPixbuf.Colorspace.RGB, False, 8, 20, 10)
        picture.fill(0xFF8800FF)
        clipboard.set_image(picture)
    item = Gtk.MenuItem(label="Copy")
    control = Gdk.ModifierType.CONTROL_MASK
    item.add_accelerator("activate", keys, ord("c"), control, Gtk.AccelFlags.VISIBLE)
    item.connect("activate", copy)
    menu.append(item)
    def tell():
        print("clipboard", clipboard.wait_for_text())
        return True
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, tell)
    canvas.connect("focus-in-event", lambda *_: print("focus Sunset"))
    window.connect("map-event", lambda *_: print("ready"))
    window.show_all()
    link.grab_focus()
    Gtk.main()
    """

  /// The same with a menu that has the key of its command only after it has been opened, as
  /// LibreOffice has.
  static let forgetful = desk.replacing(
    """
    item.add_accelerator("activate", keys, ord("c"), control, Gtk.AccelFlags.VISIBLE)
    """,
    with: """
      menu.connect("map", lambda *_: item.add_accelerator(
          "activate", keys, ord("c"), control, Gtk.AccelFlags.VISIBLE))
      """)

  /// The same, but its program is busy for a while when the menu comes up.
  static let slow = forgetful.replacing(
    """
    menu.append(item)
    """,
    with: """
      menu.connect("map", lambda *_: time.sleep(3))
      menu.connect("unmap", lambda *_: print("menu closed"))
      menu.append(item)
      """
  ).replacing("import signal", with: "import signal, time")
}
