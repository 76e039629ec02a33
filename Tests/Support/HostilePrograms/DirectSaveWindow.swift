/// A target of XDS: at the drop it puts its address into the property, asks, says what letter it got, and
/// asks for words after an F.
public enum DirectSaveWindow {
  /// Its words: what it looks like, the folder whose files it lists, and an address for each drop, or
  /// several, one a line, that it asks for one after the other.
  public static let program = """
    import ctypes, os, sys, gi
    gi.require_version("Gdk", "3.0")
    gi.require_version("GdkX11", "3.0")
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gdk, GdkX11, Gio, GLib, Gtk
    look, folder, *addresses = sys.argv[1:]
    x = ctypes.CDLL("libX11.so.6")
    x.XOpenDisplay.restype = ctypes.c_void_p
    display = ctypes.c_void_p(x.XOpenDisplay(None))
    x.XInternAtom.restype = ctypes.c_ulong
    def atom(name):
        return ctypes.c_ulong(x.XInternAtom(display, name.encode(), 0))
    GLib.set_prgname("harmless")
    window = Gtk.Window(title="Harmless")
    window.set_default_size(300, 300)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    window.add(box)
    if look == "nothing":
        area = Gtk.DrawingArea()
    else:
        store = Gtk.ListStore(str)
        for name in sorted(os.listdir(folder)): store.append([name])
        area = Gtk.TreeView(model=store)
        area.append_column(Gtk.TreeViewColumn("Name", Gtk.CellRendererText(), text=0))
        monitor = Gio.File.new_for_path(folder).monitor_directory(0, None)
        bar = Gtk.Box()
        box.pack_start(bar, False, False, 0)
        if look == "folder":
            bar.pack_start(Gtk.Entry(text=os.path.normpath(folder)), True, True, 0)
        else:
            for name in folder.split("/")[1:]:
                bar.pack_start(Gtk.ToggleButton(label=name), False, False, 0)
    box.pack_start(area, True, True, 0)
    direct, words = "XdndDirectSave0", "text/plain;charset=utf-8"
    area.drag_dest_set(0, [Gtk.TargetEntry.new(name, 0, 0) for name in (direct, words)],
                       Gdk.DragAction.COPY)
    told = []
    def move(area, context, x, y, time):
        Gdk.drag_status(context, Gdk.DragAction.COPY, time)
        return True
    asked = []
    def ask(area, context, time):
        address = asked.pop(0).encode()
        source = context.get_source_window().get_xid()
        x.XChangeProperty(display, ctypes.c_ulong(source), atom(direct), atom("text/plain"), 8, 0,
                          address, len(address))
        x.XSync(display, 0)
        area.drag_get_data(context, Gdk.Atom.intern(direct, False), time)
    def drop(area, context, column, row, time):
        asked.extend(addresses.pop(0).split("\\n"))
        if direct in [target.name() for target in context.list_targets()]:
            ask(area, context, time)
        else:
            area.drag_get_data(context, Gdk.Atom.intern(words, False), time)
        return True
    def take(area, context, column, row, data, info, time):
        got = (data.get_data() or b"nothing").decode()
        told.append(got)
        if data.get_target().name() == direct and asked:
            return ask(area, context, time)
        if data.get_target().name() == direct and got == "F":
            area.drag_get_data(context, Gdk.Atom.intern(words, False), time)
            return
        Gtk.drag_finish(context, got not in ("E", "nothing"), False, time)
        print(", ".join(told))
        told.clear()
    area.connect("drag-motion", move)
    area.connect("drag-drop", drop)
    area.connect("drag-data-received", take)
    window.show_all()
    GLib.idle_add(print, "shown")
    Gtk.main()
    """
}
