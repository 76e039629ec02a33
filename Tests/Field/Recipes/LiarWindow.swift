/// Windows with one area that takes files and lies about what it makes of them, one for each toolkit.
/// The honest part of the work is a copy of the file in a folder.
enum LiarWindow {
  static func program(_ toolkit: Recipe.Toolkit) -> String {
    switch toolkit {
    case .gtk3: common + gtk3
    case .gtk4: common + gtk4
    case .qt5: common + qt.replacing("PyQt6", with: "PyQt5")
    case .qt6: common + qt
    }
  }

  private static let common = """
    import shutil, sys, time
    from urllib.parse import unquote, urlparse
    lie, folder = sys.argv[1:3]
    def path(link):
        return unquote(urlparse(link.strip()).path)
    def do(link):
        shutil.copy(path(link), folder)

    """

  private static let gtk3 = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk, GLib
    GLib.set_prgname("liar")
    window = Gtk.Window(title="Liar")
    window.set_default_size(300, 240)
    basket = Gtk.EventBox()
    basket.get_accessible().set_name("Basket")
    basket.add(Gtk.Label(label="Drop here"))
    window.add(basket)
    entry = Gtk.TargetEntry.new("text/uri-list", 0, 0)
    basket.drag_dest_set(Gtk.DestDefaults.MOTION, [entry], Gdk.DragAction.COPY)
    def drop(widget, context, x, y, time):
        widget.drag_get_data(context, Gdk.Atom.intern("text/uri-list", False), time)
        return True
    def received(widget, context, x, y, data, info, time):
        link = data.get_uris()[0]
        if lie == "nothing":
            Gtk.drag_finish(context, True, False, time)
        elif lie == "refuses":
            do(link)
            Gtk.drag_finish(context, False, False, time)
        elif lie == "late":
            def end():
                do(link)
                Gtk.drag_finish(context, True, False, time)
            GLib.timeout_add(5000, end)
        elif lie == "opens":
            shown = Gtk.Window(title=path(link).split("/")[-1])
            shown.add(Gtk.TextView())
            shown.show_all()
            Gtk.drag_finish(context, False, False, time)
        elif lie == "alerts":
            alert = Gtk.MessageDialog(transient_for=window, text="No", title=path(link).split("/")[-1])
            alert.show_all()
            Gtk.drag_finish(context, False, False, time)
        elif lie == "row":
            basket.get_child().set_text("unrelated.txt")
            Gtk.drag_finish(context, True, False, time)
        elif lie == "marks":
            window.set_title("*Liar")
            Gtk.drag_finish(context, True, False, time)
        elif lie == "lists":
            basket.get_child().set_text(path(link).split("/")[-1])
            Gtk.drag_finish(context, True, False, time)
            alert = Gtk.MessageDialog(transient_for=window, modal=True, title="No",
                buttons=Gtk.ButtonsType.CLOSE, text="That is nothing for me.")
            def forget(*_):
                basket.get_child().set_text("Drop here")
                alert.destroy()
            alert.connect("response", forget)
            GLib.timeout_add(200, alert.show_all)
        else:
            question = Gtk.Dialog(title="Question", transient_for=window, modal=True)
            question.get_content_area().add(Gtk.Label(label="Really?"))
            question.add_button("Yes", 1)
            question.show_all()
    basket.connect("drag-drop", drop)
    basket.connect("drag-data-received", received)
    window.connect("destroy", Gtk.main_quit)
    window.show_all()
    Gtk.main()
    """

  private static let gtk4 = """
    import gi
    gi.require_version("Gtk", "4.0")
    from gi.repository import Gtk, Gdk, GLib
    GLib.set_prgname("liar")
    window = Gtk.Window(title="Liar")
    window.set_default_size(300, 240)
    basket = Gtk.ListBox()
    basket.update_property([Gtk.AccessibleProperty.LABEL], ["Basket"])
    basket.append(Gtk.Label(label="Drop here"))
    window.set_child(basket)
    target = Gtk.DropTargetAsync.new(
        Gdk.ContentFormats.new(["text/uri-list"]), Gdk.DragAction.COPY)
    def taken(drop, link):
        if lie == "nothing":
            drop.finish(Gdk.DragAction.COPY)
        elif lie == "refuses":
            do(link)
            drop.finish(Gdk.DragAction(0))
        elif lie == "late":
            def end():
                do(link)
                drop.finish(Gdk.DragAction.COPY)
            GLib.timeout_add(5000, end)
        elif lie == "opens":
            shown = Gtk.Window(title=path(link).split("/")[-1])
            shown.set_child(Gtk.TextView())
            shown.present()
            drop.finish(Gdk.DragAction(0))
        elif lie == "alerts":
            alert = Gtk.MessageDialog(transient_for=window, text="No", title=path(link).split("/")[-1])
            alert.present()
            drop.finish(Gdk.DragAction(0))
        elif lie == "row":
            basket.append(Gtk.Label(label="unrelated.txt"))
            drop.finish(Gdk.DragAction.COPY)
        elif lie == "marks":
            window.set_title("*Liar")
            drop.finish(Gdk.DragAction.COPY)
        elif lie == "lists":
            shown = Gtk.Label(label=path(link).split("/")[-1])
            basket.append(shown)
            drop.finish(Gdk.DragAction.COPY)
            alert = Gtk.MessageDialog(transient_for=window, modal=True, title="No",
                buttons=Gtk.ButtonsType.CLOSE, text="That is nothing for me.")
            def forget(*_):
                basket.remove(shown.get_parent())
                alert.destroy()
            alert.connect("response", forget)
            GLib.timeout_add(200, alert.present)
        else:
            question = Gtk.Window(title="Question", transient_for=window, modal=True)
            question.set_child(Gtk.Button(label="Yes"))
            question.present()
    def read(drop, result):
        taken(drop, drop.read_value_finish(result).get_files()[0].get_uri())
    def dropped(target, drop, x, y):
        drop.read_value_async(Gdk.FileList, 0, None, read)
        return True
    target.connect("drop", dropped)
    basket.add_controller(target)
    window.present()
    GLib.MainLoop().run()
    """

  private static let qt = """
    from PyQt6.QtCore import QTimer
    from PyQt6.QtWidgets import QApplication, QLabel, QListWidget, QMessageBox, QTextEdit, QVBoxLayout, QWidget
    application = QApplication(["liar"])
    class Basket(QListWidget):
        def dragEnterEvent(self, event):
            event.acceptProposedAction()
        def dragMoveEvent(self, event):
            event.acceptProposedAction()
        def dropEvent(self, event):
            link = event.mimeData().urls()[0].toString()
            event.acceptProposedAction()
            if lie == "refuses":
                do(link)
                event.ignore()
            elif lie == "late":
                time.sleep(5)
                do(link)
            elif lie == "opens":
                self.shown = QTextEdit()
                self.shown.setWindowTitle(path(link).split("/")[-1])
                self.shown.show()
                event.ignore()
            elif lie == "alerts":
                self.shown = QMessageBox(window)
                self.shown.setWindowTitle(path(link).split("/")[-1])
                self.shown.setText("No")
                self.shown.show()
                event.ignore()
            elif lie == "row":
                self.addItem("unrelated.txt")
            elif lie == "marks":
                window.setWindowTitle("*Liar")
            elif lie == "lists":
                self.addItem(path(link).split("/")[-1])
                self.shown = QMessageBox(window)
                self.shown.setText("That is nothing for me.")
                self.shown.finished.connect(lambda _: self.takeItem(self.count() - 1))
                QTimer.singleShot(200, self.shown.open)
            elif lie == "asks":
                question = QMessageBox(window)
                question.setWindowTitle("Question")
                question.setText("Really?")
                getattr(question, "exec")()
    window = QWidget()
    window.setWindowTitle("Liar")
    basket = Basket()
    basket.setAcceptDrops(True)
    basket.setAccessibleName("Basket")
    basket.addItem("Drop here")
    QVBoxLayout(window).addWidget(basket)
    window.resize(300, 240)
    window.show()
    getattr(application, "exec")()
    """
}
