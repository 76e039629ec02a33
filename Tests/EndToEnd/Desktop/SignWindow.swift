import PrivateDesktop

/// A window of one toolkit or another in a process of its own that takes files where nothing but words
/// say so: on the words themselves, and on an unnamed box around others. It says who got what.
enum SignWindow {
  static func start(
    _ kind: TextWindow.Kind, _ title: String, on desktop: DesktopStage
  ) throws -> KeptProcess {
    let program =
      switch kind {
      case .gtk3: gtk3
      case .gtk4: gtk4
      case .qt5: qt5
      }
    let window = try desktop.desktop.start(
      ["/usr/bin/python3", "-u", "-c", program, title],
      adding: [
        "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
      ])
    try desktop.wait(for: "Drop files here", in: title)
    return window
  }

  private static let gtk3 = """
    import sys, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk, Gio
    def takes(widget, name):
        entry = Gtk.TargetEntry.new("text/uri-list", 0, 0)
        widget.drag_dest_set(Gtk.DestDefaults.ALL, [entry], Gdk.DragAction.COPY)
        widget.connect("drag-data-received", lambda widget, context, x, y, data, *_: print(
            name, *[Gio.File.new_for_uri(uri).get_path() for uri in data.get_uris()]))
    window = Gtk.Window(title=sys.argv[1])
    window.set_default_size(500, 400)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    window.add(box)
    box.pack_start(Gtk.Entry(), False, False, 0)
    sign = Gtk.Label(label="Drop files here")
    box.pack_start(sign, True, True, 0)
    takes(sign, "sign")
    around = Gtk.EventBox()
    inner = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    inner.set_size_request(-1, 120)
    inner.pack_start(Gtk.Label(label="Attachments"), False, False, 0)
    inner.pack_start(Gtk.Button(label="Choose"), False, False, 0)
    around.add(inner)
    box.pack_start(around, False, False, 0)
    takes(around, "box")
    box.pack_start(Gtk.Label(label="Ready"), False, False, 0)
    window.show_all()
    Gtk.main()
    """

  private static let gtk4 = """
    import sys, gi
    gi.require_version("Gtk", "4.0")
    gi.require_version("Gdk", "4.0")
    from gi.repository import Gtk, Gdk, GLib
    def takes(widget, name):
        target = Gtk.DropTarget.new(Gdk.FileList, Gdk.DragAction.COPY)
        def take(target, value, x, y):
            print(name, *[file.get_path() for file in value.get_files()])
            return True
        target.connect("drop", take)
        widget.add_controller(target)
    window = Gtk.Window(title=sys.argv[1])
    window.set_default_size(500, 400)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    window.set_child(box)
    box.append(Gtk.Entry())
    sign = Gtk.Label(label="Drop files here", vexpand=True)
    box.append(sign)
    takes(sign, "sign")
    around = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    around.set_size_request(-1, 120)
    around.append(Gtk.Label(label="Attachments"))
    around.append(Gtk.Button(label="Choose"))
    box.append(around)
    takes(around, "box")
    box.append(Gtk.Label(label="Ready"))
    window.present()
    GLib.MainLoop().run()
    """

  private static let qt5 = """
    import sys
    from PyQt5.QtWidgets import (
        QApplication, QFrame, QLabel, QLineEdit, QPushButton, QSizePolicy, QVBoxLayout, QWidget)
    application = QApplication(sys.argv[:1])
    def takes(kind, name):
        class Taker(kind):
            def dragEnterEvent(self, event):
                event.acceptProposedAction()
            def dropEvent(self, event):
                event.acceptProposedAction()
                print(name, *[url.toLocalFile() for url in event.mimeData().urls()])
        taker = Taker()
        taker.setAcceptDrops(True)
        return taker
    window = QWidget()
    window.setWindowTitle(sys.argv[1])
    box = QVBoxLayout(window)
    line = QLineEdit()
    line.setAcceptDrops(False)
    box.addWidget(line)
    sign = takes(QLabel, "sign")
    sign.setText("Drop files here")
    sign.setSizePolicy(QSizePolicy.Preferred, QSizePolicy.Expanding)
    box.addWidget(sign)
    around = takes(QFrame, "box")
    around.setMinimumHeight(120)
    inner = QVBoxLayout(around)
    inner.addWidget(QLabel("Attachments"))
    inner.addWidget(QPushButton("Choose"))
    box.addWidget(around)
    window.resize(500, 400)
    window.show()
    application.exec()
    """
}
