import KeyDragCore
import RealPrograms
import Testing

@testable import KeyDragDesktop

@Suite(
  "Drops into a running program, opened first where need be", .realPrograms(by: .suite),
  .serialized,
  .enabled(if: DesktopStage.obstacle == nil))
struct LiveDropTests {
  @Test(
    "H10: a tab that is rested on opens, its places are listed, and one of them takes the drop",
    arguments: [false, true])
  func opens(byTheQuestion: Bool) async throws {
    let stage = try DesktopStage()
    let window = try await stage.start(Self.program, title: "Pages")
    #expect(throws: DesktopStage.Missing.self) { try stage.point("Diary", in: window) }
    let tab = try stage.point("Second", in: window)
    #expect(tab.canOpen)
    _ = await stage.verdict(at: tab)
    // Half a second after it was asked the tab has opened by itself: there is no change to wait for.
    if byTheQuestion { #expect(try stage.line() == "page 1") }
    let opened = await stage.request(.list(.opened(tab.id), includingHidden: false))
    guard case .listed(_, let listing) = opened else {
      throw DesktopStage.Missing(description: "\(opened)")
    }
    #expect(listing.container.id == window.container.id)
    let diary = try stage.point("Diary", in: listing)
    #expect(await stage.verdict(at: diary).acceptance == .all)
    let result = try await stage.deliver(to: diary)
    #expect(result.outcome == .delivered)
    #expect(result.verified)
  }

  @Test("a place on which nothing opens says so")
  func opensNot() async throws {
    let stage = try DesktopStage()
    let window = try await stage.start(Self.program, title: "Pages")
    let notes = try stage.point("Notes", in: window)
    _ = await stage.verdict(at: notes)
    let opened = await stage.request(.list(.opened(notes.id), includingHidden: false))
    guard case .unreadable(_, _, let reason) = opened else {
      throw DesktopStage.Missing(description: "\(opened)")
    }
    #expect(reason == .operationNotOffered)
  }

  @Test("a text that says it has the drop and stays as it was does not count, nor is it undone")
  func confirmsNothing() async throws {
    let stage = try DesktopStage()
    let window = try await stage.start(Self.program, title: "Pages")
    let notes = try stage.point("Notes", in: window)
    let result = try await stage.deliver(to: notes)
    #expect(result.outcome == .unconfirmed)
    #expect(!result.verified)
    guard case .undone(_, .refused(let entry?, let reason)) = await stage.request(.undo(entry: nil))
    else {
      throw DesktopStage.Missing(description: "an older entry would have been undone")
    }
    #expect(entry.names == ["a.txt"])
    #expect(reason == .operationNotOffered)
  }

  /// A page with a text that swallows what it is given, and a second one behind a tab that keeps it.
  private static let program = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk
    window = Gtk.Window(title="Pages")
    window.set_default_size(400, 300)
    book = Gtk.Notebook()
    window.add(book)
    for name, title in ("Notes", "First"), ("Diary", "Second"):
        view = Gtk.TextView()
        view.get_accessible().set_name(name)
        book.append_page(view, Gtk.Label(label=title))
    def swallow(view, context, x, y, data, info, time):
        view.stop_emission_by_name("drag-data-received")
        Gtk.drag_finish(context, True, False, time)
    book.connect("switch-page", lambda book, page, number: number and print("page", number))
    book.get_nth_page(0).connect("drag-data-received", swallow)
    window.connect("map-event", lambda *_: print("ready"))
    window.show_all()
    Gtk.main()
    """
}
