/// A window of GTK 3 with a list called Chapters, which takes files.
enum ChaptersProgram {
  /// The program, in Python.
  ///
  /// - Parameters:
  ///   - isEmpty: whether nothing is in the list beforehand, so that nothing shows there.
  ///   - taking: what connects `view` to what becomes of a drop; there are `window` and `rows` too.
  static func source(_ title: String, isEmpty: Bool = false, taking: String) -> String {
    """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk, GLib
    window = Gtk.Window(title="\(title)")
    window.set_default_size(400, 300)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    window.add(box)
    rows = Gtk.ListStore(str)
    view = Gtk.TreeView(model=rows)
    view.append_column(Gtk.TreeViewColumn("Name", Gtk.CellRendererText(), text=0))
    if \(isEmpty ? "True" : "False"):
        view.set_headers_visible(False)
    else:
        rows.append(["z.txt"])
    view.get_accessible().set_name("Chapters")
    box.pack_start(view, True, True, 0)
    box.pack_start(Gtk.Entry(), False, False, 0)
    entries = [Gtk.TargetEntry.new("text/uri-list", 0, 0)]
    view.drag_dest_set(Gtk.DestDefaults.ALL, entries, Gdk.DragAction.COPY)
    \(taking)
    window.connect("map-event", lambda *_: print("ready"))
    window.show_all()
    Gtk.main()
    """
  }
}
