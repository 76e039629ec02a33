import PrivateDesktop

/// Windows that make of a drop what looks like something else.
enum HostileTarget {
  /// Starts one that behaves as its name says.
  ///
  /// - Parameter behavior: the name of a function of the program.
  static func start(
    _ behavior: String, in kind: TextWindow.Kind = .gtk3, on desktop: DesktopStage
  ) throws -> KeptProcess {
    let window = try desktop.desktop.start(
      [
        "/usr/bin/python3", "-u", "-c", program(kind), behavior, desktop.stage.path("arch.zip"),
      ],
      adding: [
        "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
      ])
    try desktop.wait(for: "Area", in: behavior)
    return window
  }

  /// Drops a file on a part of a window that behaves so; gives all that is told of it.
  static func drop(
    _ file: String, on place: String = "Area", of behavior: String,
    in kind: TextWindow.Kind = .gtk3,
    _ desktop: DesktopStage
  ) throws -> KeydragRun {
    let window = try start(behavior, in: kind, on: desktop)
    defer { window.end() }
    return try desktop.run("drop", file, "--onto", place, "--app", behavior)
  }

  private static func program(_ kind: TextWindow.Kind) -> String {
    switch kind {
    case .gtk3: gtk
    case .gtk4: gtk4
    case .qt5: qt
    }
  }

  private static let gtk4 = """
    import os, sys, gi
    gi.require_version("Gtk", "4.0")
    gi.require_version("Gdk", "4.0")
    from gi.repository import Gtk, Gdk, GLib
    name = sys.argv[1]
    GLib.set_prgname(name)
    window = Gtk.Window(title=name)
    window.set_default_size(500, 400)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    window.set_child(box)
    bar = Gtk.InfoBar(visible=False)
    bar.add_child(Gtk.Label(label="This can't be played."))
    box.append(bar)
    area = Gtk.Label(label="Area", vexpand=True)
    box.append(area)
    def titled(path):
        window.set_title(os.path.basename(path) + " - " + name)
    def stays(path):
        titled(path)
    def alarm():
        dialog = Gtk.MessageDialog(transient_for=window, modal=True, text="This can't be played.")
        dialog.add_button("Close", 1)
        dialog.present()
        GLib.timeout_add(1500, lambda: dialog.destroy() and False)
    def alarmed(path):
        titled(path)
        GLib.timeout_add(600, lambda: alarm() and False)
    def take(target, value, x, y):
        globals()[name](value.get_files()[0].get_path())
        return True
    target = Gtk.DropTarget.new(Gdk.FileList, Gdk.DragAction.COPY)
    target.connect("drop", take)
    area.add_controller(target)
    window.present()
    GLib.MainLoop().run()
    """

  private static let gtk = """
    import os, sys, zipfile, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk, Gio, GLib
    name = sys.argv[1]
    GLib.set_prgname(name)
    window = Gtk.Window(title=name)
    window.set_default_size(500, 400)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    window.add(box)
    bar = Gtk.InfoBar(no_show_all=True)
    bar.get_content_area().add(Gtk.Label(label="This can't be played.", visible=True))
    box.pack_start(bar, False, False, 0)
    subject = Gtk.Entry()
    subject.get_accessible().set_name("Subject")
    box.pack_start(subject, False, False, 0)
    area = Gtk.DrawingArea()
    area.get_accessible().set_name("Area")
    box.pack_start(area, True, True, 0)
    def later(time, act, *words):
        GLib.timeout_add(time, lambda: act(*words) and False)
    def titled(path):
        window.set_title(os.path.basename(path) + " - " + name)
    def alarm(is_modal=True):
        dialog = Gtk.MessageDialog(transient_for=window, modal=is_modal, text="This can't be played.")
        dialog.add_button("Close", 1)
        dialog.show_all()
        later(1500, dialog.destroy)
    def followed(path):
        pass
    def stays(path):
        titled(path)
    def moment(path):
        titled(path)
        later(500, window.set_title, name)
        later(600, alarm)
    def alarmed(path):
        titled(path)
        later(600, alarm, False)
    def barred(path):
        titled(path)
        later(600, bar.show)
    def elsewhere(path):
        subject.set_text(os.path.basename(path))
    def paged(path):
        pages.append_page(Gtk.TextView(visible=True), Gtk.Label(label="Second"))
        pages.set_current_page(-1)
        titled(path)
    def tabbed(path):
        book.append_page(Gtk.Label(label="page", visible=True), Gtk.Label(label=os.path.basename(path)))
        later(600, book.remove_page, -1)
        later(700, alarm)
    if name == "turned":
        window.set_title(name + " - Untitled")
    if name == "chip":
        # Its menus are filled when they open.
        menus = Gtk.MenuBar()
        menus.append(Gtk.MenuItem(label="Edit", submenu=Gtk.Menu()))
        box.pack_start(menus, False, False, 0)
    if name in ("followed", "elsewhere"):
        subject.connect("changed", lambda *_: window.set_title(subject.get_text() + " - " + name))
    if name == "tabbed":
        book = Gtk.Notebook()
        book.append_page(Gtk.Label(label="first"), Gtk.Label(label="Start"))
        box.pack_start(book, True, True, 0)
    def listing(path):
        rows.append([os.path.basename(path)])
    def shelf(path):
        pass
    def busy(path):
        dialog = Gtk.Dialog(title="Adding", transient_for=window, modal=True)
        dialog.get_content_area().add(Gtk.ProgressBar())
        dialog.show_all()
        later(900, rows.append, [os.path.basename(path)])
        later(900, dialog.destroy)
    def offering(path):
        dialog = Gtk.MessageDialog(transient_for=window, text="What now?")
        dialog.add_button("Cancel", 1)
        dialog.add_button("Move", 2)
        dialog.show_all()
        later(2500, rows.append, [os.path.basename(path)])
        later(2500, dialog.destroy)
    def turned(path):
        window.set_title(name + " - " + os.path.basename(path))
    def marked(path):
        window.set_title("*" + name)
    def undone(path):
        undo.set_sensitive(True)
    def counted(path):
        window.set_title(name + " [ 2/2 ]  " + os.path.basename(path))
    def shortened(path):
        window.set_title(name + ": " + os.path.splitext(os.path.basename(path))[0])
    if name == "counted":
        window.set_title(name + " [ 1/1 ]  old.png")
    if name == "shortened":
        window.set_title(name + ": Untitled")
    if name == "undone":
        keys = Gtk.AccelGroup()
        window.add_accel_group(keys)
        undo = Gtk.MenuItem(label="Undo", sensitive=False)
        undo.add_accelerator("activate", keys, ord("z"), Gdk.ModifierType.CONTROL_MASK, Gtk.AccelFlags.VISIBLE)
        edit = Gtk.Menu()
        edit.append(undo)
        menus = Gtk.MenuBar()
        menus.append(Gtk.MenuItem(label="Edit", submenu=edit))
        box.pack_start(menus, False, False, 0)
    def broken(path):
        bar.show()
    def chip(path):
        box.pack_start(Gtk.Button(label=os.path.basename(path), visible=True), False, False, 0)
    def arch(path):
        with zipfile.ZipFile(sys.argv[2], "a") as archive:
            archive.write(path, os.path.basename(path))
    def inner(path):
        with zipfile.ZipFile(sys.argv[2], "a") as archive:
            archive.write(path, "dir/" + os.path.basename(path))
    def attach(path):
        dialog = Gtk.MessageDialog(transient_for=window, modal=True, text="Attach or insert?")
        dialog.add_button("Insert", 1)
        dialog.add_button("Attach", 2)
        dialog.show_all()
        later(700, dialog.destroy)
        later(800, rows.append, [os.path.basename(path)])
    rows = Gtk.ListStore(str)
    view = Gtk.TreeView(model=rows)
    view.append_column(Gtk.TreeViewColumn("Name", Gtk.CellRendererText(), text=0))
    view.get_accessible().set_name("List")
    takers = [area]
    if name in ("listing", "shelf", "arch", "inner", "busy", "offering"):
        for row in "dir", "old.txt":
            rows.append([row])
        box.pack_start(view, True, True, 0)
        takers.append(view)
    if name in ("arch", "inner"):
        window.set_title(name + " - arch.zip")
        with zipfile.ZipFile(sys.argv[2], "w") as archive:
            archive.writestr("dir/one.txt", "one")
            archive.writestr("old.txt", "old")
    if name in ("attach", "elsewhere", "paged"):
        body = Gtk.TextView()
        body.get_accessible().set_name("Body")
        pages = Gtk.Notebook()
        pages.append_page(body, Gtk.Label(label="Message"))
        if name == "attach":
            pages.append_page(view, Gtk.Label(label="Attachments"))
        box.pack_start(pages, True, True, 0)
        takers.append(body)
    def take(widget, context, x, y, data, info, time):
        widget.stop_emission_by_name("drag-data-received")
        Gtk.drag_finish(context, True, False, time)
        globals()[name](Gio.File.new_for_uri(data.get_uris()[0]).get_path())
    for taker in takers:
        taker.drag_dest_set(
            Gtk.DestDefaults.ALL, [Gtk.TargetEntry.new("text/uri-list", 0, 0)], Gdk.DragAction.COPY)
        taker.connect("drag-data-received", take)
    window.show_all()
    Gtk.main()
    """

  private static let qt = """
    import os, sys
    from PyQt5.QtCore import QTimer
    from PyQt5.QtWidgets import (
        QApplication, QLabel, QLineEdit, QListWidget, QMessageBox, QProgressDialog,
        QVBoxLayout, QWidget)
    name = sys.argv[1]
    application = QApplication(sys.argv[:1])
    window = QWidget()
    window.setWindowTitle(name)
    box = QVBoxLayout(window)
    subject = QLineEdit()
    subject.setAccessibleName("Subject")
    box.addWidget(subject)
    class Taker:
        def dragEnterEvent(self, event):
            event.acceptProposedAction()
        def dragMoveEvent(self, event):
            event.acceptProposedAction()
        def dropEvent(self, event):
            # Some forget to say that they have taken it.
            event.ignore() if name == "drawn" else event.acceptProposedAction()
            globals()[name](event.mimeData().urls()[0].toLocalFile())
    class Area(Taker, QLabel):
        pass
    class List(Taker, QListWidget):
        pass
    area = Area("Area")
    area.setAcceptDrops(True)
    area.setMinimumHeight(200)
    box.addWidget(area)
    def listing(path):
        rows.addItem(os.path.basename(path))
    def busy(path):
        progress = QProgressDialog("Adding", "Cancel", 0, 0, window)
        progress.setModal(True)
        progress.show()
        QTimer.singleShot(900, lambda: (listing(path), progress.reset()))
    if name in ("listing", "busy"):
        rows = List()
        rows.setAcceptDrops(True)
        rows.setAccessibleName("List")
        rows.addItem("old.txt")
        box.addWidget(rows)
    def titled(path):
        window.setWindowTitle(os.path.basename(path) + " - " + name)
    def alarm():
        box = QMessageBox(QMessageBox.Critical, "Error", "This can't be played.", parent=window)
        QTimer.singleShot(1500, box.reject)
        box.exec()
    def followed(path):
        pass
    def stays(path):
        titled(path)
    def drawn(path):
        window.setWindowTitle(name + " *")
    def alarmed(path):
        titled(path)
        QTimer.singleShot(600, alarm)
    if name == "followed":
        subject.textChanged.connect(lambda text: window.setWindowTitle(text + " - " + name))
    window.resize(500, 400)
    window.show()
    application.exec()
    """
}
