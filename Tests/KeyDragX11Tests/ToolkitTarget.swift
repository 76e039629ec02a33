import Glibc
import PrivateDesktop

@testable import KeyDragX11

/// A window of one toolkit or another in a process of its own, whose upper half takes links to files;
/// it says what it gets.
final class ToolkitTarget {
  enum Toolkit: String, CaseIterable, Sendable {
    case gtk3, gtk4, qt5
  }

  let process: KeptProcess

  /// Why none can be started here; `nil` when all can.
  static var obstacle: String? {
    if let obstacle = PrivateDesktop.obstacle { return obstacle }
    let missing = [
      "girepository-1.0/Gtk-3.0.typelib", "girepository-1.0/Gtk-4.0.typelib",
    ].filter { name in
      ["x86_64", "aarch64"].allSatisfy { access("/usr/lib/\($0)-linux-gnu/\(name)", R_OK) != 0 }
    }
    return missing.isEmpty && access("/usr/lib/python3/dist-packages/PyQt5", R_OK) == 0
      ? nil
      : "needs toolkits: apt-get install python3-gi gir1.2-gtk-3.0 gir1.2-gtk-4.0 python3-pyqt5"
  }

  init(_ toolkit: Toolkit, title: String = "Target", on desktop: PrivateDesktop) throws {
    let program =
      switch toolkit {
      case .gtk3: Self.gtk3
      case .gtk4: Self.gtk4
      case .qt5: Self.qt5
      }
    process = try desktop.start(
      ["/usr/bin/python3", "-u", "-c", program, title],
      adding: [
        "NO_AT_BRIDGE": "1", "GDK_BACKEND": "x11", "GTK_A11Y": "none", "GSK_RENDERER": "cairo",
      ])
    _ = try process.line()
  }

  /// The link and the operation of the next drop, as "file:///tmp/a.txt copy".
  func received() throws -> String { try process.line() }

  private static let gtk3 = """
    import sys, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk
    window = Gtk.Window(title=sys.argv[1])
    window.set_default_size(300, 200)
    window.move(50, 60)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, homogeneous=True)
    window.add(box)
    taking = Gtk.Label(label="drop here")
    box.pack_start(taking, True, True, 0)
    box.pack_start(Gtk.Label(label="not here"), True, True, 0)
    actions = Gdk.DragAction.COPY | Gdk.DragAction.MOVE
    entry = Gtk.TargetEntry.new("text/uri-list", 0, 0)
    taking.drag_dest_set(Gtk.DestDefaults.ALL, [entry], actions)
    names = {Gdk.DragAction.COPY: "copy", Gdk.DragAction.MOVE: "move"}
    def received(widget, context, x, y, data, info, time):
        print(data.get_uris()[0], names.get(context.get_selected_action(), "other"))
    taking.connect("drag-data-received", received)
    window.connect("map-event", lambda *_: print("ready"))
    window.show_all()
    Gtk.main()
    """

  private static let gtk4 = """
    import sys, gi
    gi.require_version("Gtk", "4.0")
    from gi.repository import Gtk, Gdk, GLib
    GLib.set_prgname("target")
    window = Gtk.Window(title=sys.argv[1], decorated=False)
    window.set_default_size(300, 200)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, homogeneous=True)
    window.set_child(box)
    taking = Gtk.Label(label="drop here")
    box.append(taking)
    box.append(Gtk.Label(label="not here"))
    actions = Gdk.DragAction.COPY | Gdk.DragAction.MOVE
    target = Gtk.DropTarget.new(Gdk.FileList, actions)
    names = {Gdk.DragAction.COPY: "copy", Gdk.DragAction.MOVE: "move"}
    def dropped(target, value, x, y):
        drop = target.get_current_drop()
        print(value.get_files()[0].get_uri(), names.get(drop.get_actions(), "other"))
        return True
    target.connect("drop", dropped)
    taking.add_controller(target)
    window.connect("map", lambda *_: GLib.idle_add(lambda: print("ready")))
    window.present()
    GLib.MainLoop().run()
    """

  private static let qt5 = """
    import sys
    from PyQt5.QtCore import Qt, QTimer
    from PyQt5.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget
    names = {Qt.CopyAction: "copy", Qt.MoveAction: "move"}
    class Half(QLabel):
        def dragEnterEvent(self, event):
            if event.mimeData().hasUrls():
                event.acceptProposedAction()
        def dropEvent(self, event):
            event.acceptProposedAction()
            link = event.mimeData().urls()[0].toString()
            print(link, names.get(event.dropAction(), "other"))
    application = QApplication(sys.argv[:1])
    window = QWidget()
    window.setWindowTitle(sys.argv[1])
    taking = Half("drop here")
    taking.setAcceptDrops(True)
    layout = QVBoxLayout(window)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    layout.addWidget(taking, 1)
    layout.addWidget(QLabel("not here"), 1)
    window.resize(300, 200)
    window.move(50, 60)
    window.show()
    QTimer.singleShot(0, lambda: print("ready"))
    application.exec()
    """
}
