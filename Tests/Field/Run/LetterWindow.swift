/// A window with a line of words to carry away and a body that writes what it holds to a file.
enum LetterWindow {
  static let file = "Out/body.txt"

  static func open(_ field: FieldDesktop) throws -> Window {
    try field.start(
      ["/usr/bin/python3", "-u", "-c", program, field.path(file)],
      adding: ["GDK_BACKEND": "x11", "GTK_IM_MODULE": "gtk-im-context-simple"])
    return try field.window("Letter") { $0.title == "Letter" }
  }

  private static let program = """
    import sys, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import GLib, Gtk
    GLib.set_prgname("letter")
    window = Gtk.Window(title="Letter")
    window.set_default_size(300, 240)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    window.add(box)
    line = Gtk.Entry(text="some words to carry")
    line.get_accessible().set_name("Line")
    box.pack_start(line, False, False, 0)
    body = Gtk.TextView()
    body.get_accessible().set_name("Body")
    box.pack_start(body, True, True, 0)
    text = body.get_buffer()
    def changed(*_):
        with open(sys.argv[1], "w") as file:
            file.write(text.get_text(text.get_start_iter(), text.get_end_iter(), True))
    changed()
    text.connect("changed", changed)
    window.show_all()
    Gtk.main()
    """
}
