import KeyDragCore
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragX11

@Suite(
  "Opening by resting on something", .realPrograms(by: .suite), .serialized,
  .enabled(if: DropTarget.obstacle == nil))
struct SpringLoadingTests {
  @Test("A tab that the drag rests on opens, and what it shows takes the drop")
  func tab() async throws {
    let stage = try TargetStage()
    let target = try stage.desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.program],
      adding: ["NO_AT_BRIDGE": "1", "GDK_BACKEND": "x11"])
    let place = try target.line().split(separator: " ").compactMap { Int($0) }
    let window = try stage.window(of: target)
    let tab = ScreenPoint(x: window.rectangle.x + place[0], y: window.rectangle.y + place[1])
    let drag = try stage.drag()
    #expect(await drag.ask(window.id, at: window.point(0.5, 0.7)) == .refuses(.notTaken))
    _ = await drag.ask(window.id, at: tab)
    // It opens after half a second of rest; each answer is the pause between two.
    for _ in 0..<20 { _ = await drag.stay() }
    #expect(try target.line(within: 1) == "page 1")
    #expect(await drag.ask(window.id, at: window.point(0.5, 0.7)) == .accepts(.copy))
    #expect(await drag.drop() == .accepts(.copy))
    #expect(try target.line() == "file:///tmp/a.txt")
  }

  /// Says where its second tab is, which page is shown, and what is dropped on that page.
  private static let program = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk, GLib
    window = Gtk.Window(title="Pages")
    window.set_default_size(300, 200)
    book = Gtk.Notebook()
    window.add(book)
    book.append_page(Gtk.Label(label="nothing here"), Gtk.Label(label="First"))
    page, tab = Gtk.Label(label="drop here"), Gtk.Label(label="Second")
    book.append_page(page, tab)
    entry = Gtk.TargetEntry.new("text/uri-list", 0, 0)
    page.drag_dest_set(Gtk.DestDefaults.ALL, [entry], Gdk.DragAction.COPY)
    page.connect("drag-data-received", lambda w, c, x, y, data, i, t: print(data.get_uris()[0]))
    book.connect("switch-page", lambda book, child, number: number and print("page", number))
    def told():
        x, y = tab.translate_coordinates(window, 0, 0)
        print(x + tab.get_allocated_width() // 2, y + tab.get_allocated_height() // 2)
    window.connect("map-event", lambda *_: told())
    window.show_all()
    Gtk.main()
    """
}
