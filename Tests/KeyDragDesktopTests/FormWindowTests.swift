import KeyDragCore
import RealPrograms
import Testing

@testable import KeyDragDesktop

@Suite(
  "Forms of real toolkits, whose labels stand beside their fields and in another order in the tree",
  .realPrograms(by: .suite), .serialized, .timeLimit(.minutes(2)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct FormWindowTests {
  @Test(
    "T09 Each field is told by the label that is seen beside it, in the order in which one reads",
    arguments: [Self.gtk3, Self.gtk4, Self.qt5])
  func fields(source: String) async throws {
    let stage = try DesktopStage()
    let listing = try await stage.start(source, title: "Form")
    let names = (listing.dropPoints ?? []).map(\.name).filter { $0.hasSuffix(" text field") }
    #expect(
      names == ["Title", "Artist", "Album", "Copy to", "Street"].map { $0 + " text field" },
      "\(listing.dropPoints?.map(\.name) ?? [])")
  }

  @Test("T09 A field without a label is told by its tool tip, and not by the pane that it is in")
  func tip() async throws {
    let stage = try DesktopStage()
    let listing = try await stage.start(Self.tipped, title: "Form")
    let names = (listing.dropPoints ?? []).map(\.name).filter { $0.hasSuffix(" text field") }
    #expect(Set(names) == ["Width text field", "Brush size text field"], "\(names)")
  }

  private static let tipped = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, GLib
    window = Gtk.Window(title="Form")
    pane = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=20)
    pane.get_accessible().set_name("Tools")
    line = Gtk.Box(spacing=6)
    line.add(Gtk.Label(label="Width:"))
    line.add(Gtk.Entry(tooltip_text="How wide a line is drawn"))
    pane.add(line)
    pane.add(Gtk.Entry(tooltip_text="Brush size"))
    window.add(pane)
    window.connect("map-event", lambda *_: GLib.idle_add(print, "shown") and False)
    window.show_all()
    Gtk.main()
    """

  @Test("T09 Rows are told by the cells that are seen, not by those that are hidden in them")
  func rows() async throws {
    let stage = try DesktopStage()
    let listing = try await stage.start(Self.sidebar, title: "Player")
    let names = (listing.dropPoints ?? []).map(\.name)
    #expect(
      names.filter { !$0.hasSuffix(" tree") && !$0.hasPrefix("list ") && !$0.hasSuffix(" window") }
        == [
          "Library", "Play Queue", "Music", "Podcasts", "Playlists", "My Top Rated",
          "Recently Added",
          "Jazz", "Blues",
        ], "\(names)")
  }

  /// Its label "Copy to" says that it is for its field, which does not say so.
  private static let gtk3 = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Atk, Gtk, GLib
    window = Gtk.Window(title="Form")
    box = Gtk.VBox(spacing=12)
    grid = Gtk.Grid(column_spacing=6, row_spacing=6)
    for row, name in enumerate(["Title:", "Artist:", "Album:"]):
        grid.attach(Gtk.Label(label=name), 0, row, 1, 1)
        grid.attach(Gtk.Entry(), 1, row, 1, 1)
    box.add(grid)
    line = Gtk.HBox(spacing=6)
    search = Gtk.Entry()
    label = Gtk.Label(label="Copy to")
    button = Gtk.Button(label="Import")
    line.pack_end(search, True, True, 0)
    line.pack_end(button, False, False, 0)
    line.pack_end(label, False, False, 0)
    label.get_accessible().add_relationship(
        Atk.RelationType.LABEL_FOR, search.get_accessible())
    box.add(line)
    street = Gtk.VBox()
    street.pack_end(Gtk.Entry(), False, False, 0)
    street.pack_end(Gtk.Label(label="Street", xalign=0), False, False, 0)
    box.add(street)
    window.add(box)
    window.connect("map-event", lambda *_: GLib.idle_add(print, "shown") and False)
    window.show_all()
    Gtk.main()
    """

  private static let gtk4 = """
    import gi
    gi.require_version("Gtk", "4.0")
    from gi.repository import Gtk, GLib
    application = Gtk.Application(application_id="org.example.Form")
    def start(application):
        window = Gtk.ApplicationWindow(application=application, title="Form")
        grid = Gtk.Grid(column_spacing=6, row_spacing=6)
        names = ["Title:", "Artist:", "Album:", "Copy to"]
        for row, name in reversed(list(enumerate(names))):
            grid.attach(Gtk.Entry(hexpand=True), 1, row, 1, 1)
            grid.attach(Gtk.Label(label=name), 0, row, 1, 1)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=12)
        entry = Gtk.Entry()
        box.append(entry)
        box.prepend(Gtk.Label(label="Street", xalign=0))
        box.prepend(grid)
        window.set_child(box)
        window.connect("map", lambda *_: GLib.timeout_add(300, print, "shown") and False)
        window.present()
    application.connect("activate", start)
    application.run()
    """

  private static let qt5 = """
    import sys
    from PyQt5.QtCore import QTimer
    from PyQt5.QtWidgets import *
    app = QApplication(sys.argv)
    window = QWidget()
    window.setWindowTitle("Form")
    layout = QGridLayout(window)
    names = ["Title:", "Artist:", "Album:", "Copy to"]
    for row, name in reversed(list(enumerate(names))):
        layout.addWidget(QLineEdit(), row, 1)
        layout.addWidget(QLabel(name), row, 0)
    layout.addWidget(QLineEdit(), 5, 0, 1, 2)
    layout.addWidget(QLabel("Street"), 4, 0)
    window.show()
    QTimer.singleShot(300, lambda: print("shown", flush=True))
    app.exec()
    """

  /// A sidebar in the manner of Rhythmbox, whose cell for headers keeps its words where it is hidden,
  /// and rows with a hidden number before their words.
  private static let sidebar = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, GLib
    window = Gtk.Window(title="Player", default_width=300, default_height=500)
    box = Gtk.VBox()
    store = Gtk.TreeStore(str, bool)
    for header, rows in [("Library", ["Play Queue", "Music", "Podcasts"]),
                         ("Playlists", ["My Top Rated", "Recently Added"])]:
        parent = store.append(None, [header, True])
        for row in rows: store.append(parent, [row, False])
    view = Gtk.TreeView(model=store, headers_visible=False)
    column = Gtk.TreeViewColumn()
    def show(isHeader):
        def show(column, cell, store, row, data=None):
            cell.set_visible(store[row][1] == isHeader)
            if store[row][1] == isHeader: cell.set_property("text", store[row][0])
        return show
    for isHeader in (True, False):
        cell = Gtk.CellRendererText()
        column.pack_start(cell, False)
        column.set_cell_data_func(cell, show(isHeader))
    view.append_column(column)
    view.expand_all()
    box.pack_start(view, True, True, 0)
    songs = Gtk.ListStore(str, str)
    for number, name in [("id-1", "Jazz"), ("id-2", "Blues")]: songs.append([number, name])
    view = Gtk.TreeView(model=songs, headers_visible=False)
    column = Gtk.TreeViewColumn()
    for place in (0, 1):
        cell = Gtk.CellRendererText(visible=place == 1)
        column.pack_start(cell, False)
        column.add_attribute(cell, "text", place)
    view.append_column(column)
    box.pack_start(view, True, True, 0)
    window.add(box)
    window.connect("map-event", lambda *_: GLib.timeout_add(300, print, "shown") and False)
    window.show_all()
    Gtk.main()
    """
}
