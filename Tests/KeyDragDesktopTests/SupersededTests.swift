import KeyDragCore
import KeyDragX11
import RealPrograms
import Testing

@testable import KeyDragDesktop

@Suite(
  "A drag that another one on the display has ended", .realPrograms(by: .suite), .serialized,
  .enabled(if: DesktopStage.obstacle == nil))
struct SupersededTests {
  @Test("is begun anew by the next question, also where the same things are picked up again")
  func anew() async throws {
    let stage = try DesktopStage()
    let window = try await stage.start(Self.program, title: "Report")
    let chapters = try stage.point("Chapters", in: window)
    #expect(await !stage.verdict(at: chapters).isRefusal)
    let other = try XDragMaker(display: stage.desktop.environment["DISPLAY"]).begin([
      DragForm("text/plain", bytes: [])
    ])
    // A question that is under way meanwhile may say that it was interrupted, once.
    _ = await stage.verdict(at: chapters)
    #expect(await !stage.verdict(at: chapters).isRefusal)
    #expect(try await stage.deliver(to: chapters).outcome != .refused)
    other.end()
  }

  /// Two places that take files.
  private static let program = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk
    window = Gtk.Window(title="Report")
    window.set_default_size(400, 300)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    window.add(box)
    rows = Gtk.ListStore(str)
    view = Gtk.TreeView(model=rows)
    view.append_column(Gtk.TreeViewColumn("Name", Gtk.CellRendererText(), text=0))
    rows.append(["z.txt"])
    view.get_accessible().set_name("Chapters")
    box.pack_start(view, True, True, 0)
    box.pack_start(Gtk.Entry(), False, False, 0)
    entries = [Gtk.TargetEntry.new("text/uri-list", 0, 0)]
    view.drag_dest_set(Gtk.DestDefaults.ALL, entries, Gdk.DragAction.COPY)
    view.connect("drag-data-received", lambda *_: rows.append(["a.txt"]))
    window.connect("map-event", lambda *_: print("ready"))
    window.show_all()
    Gtk.main()
    """
}
