import PrivateDesktop

/// A window of GTK 3 in a process of its own, all of it an area that takes one content type; it says
/// what it gets: pictures with their size, texts as they are.
final class DropWindow {
  let process: KeptProcess

  /// - Parameter stops: whether the program stops with what it was given, before it says that it has
  ///   got it.
  init(
    _ title: String, taking type: String, stops: Bool = false, on desktop: PrivateDesktop
  ) throws {
    process = try desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.program, title, type, stops ? "stops" : ""],
      adding: ["GDK_BACKEND": "x11"])
  }

  private static let program = """
    import os, signal, sys, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk
    title, kind, fate = sys.argv[1:]
    window = Gtk.Window(title=title)
    window.set_default_size(300, 240)
    area = Gtk.DrawingArea()
    area.get_accessible().set_name("Area")
    window.add(area)
    entry = Gtk.TargetEntry.new(kind, 0, 0)
    area.drag_dest_set(Gtk.DestDefaults.ALL, [entry], Gdk.DragAction.COPY)
    def take(widget, context, x, y, data, info, time):
        got = data.get_data()
        if kind.startswith("image/"):
            picture = data.get_pixbuf()
            print(picture.get_width(), "by", picture.get_height(), got.hex())
        else:
            print(got.decode().strip())
        if fate:
            os.kill(os.getpid(), signal.SIGSTOP)
    area.connect("drag-data-received", take)
    window.show_all()
    Gtk.main()
    """
}
