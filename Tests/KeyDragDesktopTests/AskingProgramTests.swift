import Glibc
import KeyDragCore
import RealPrograms
import Testing

@testable import KeyDragDesktop

@Suite(
  "A program that asks the person what to do with a drop", .realPrograms(by: .suite), .serialized,
  .enabled(if: DesktopStage.obstacle == nil))
struct AskingProgramTests {
  @Test(
    "H14 is told of at once, and what comes of it once it has been answered",
    arguments: Way.allCases, Answer.allCases)
  func asks(in way: Way, answer: Answer) async throws {
    let stage = try DesktopStage()
    let window = try await stage.start(Self.program(way), title: "Report")
    let chapters = try stage.point("Chapters", in: window)
    var events = stage.events(at: chapters).makeAsyncIterator()
    guard case .started = await events.next(), case .asks(let question) = await events.next() else {
      throw DesktopStage.Missing(description: "no question\n\(stage.desktop.complaints)")
    }
    #expect(question == (way == .menu ? .menu : .window("Import a.txt")))
    if way == .window {
      #expect(await stage.verdict(at: chapters) == .refused(.notResponding))
    }
    try stage.program.signal(answer.rawValue)
    guard case .finished(let result) = await events.next() else {
      throw DesktopStage.Missing(description: "no end\n\(stage.desktop.complaints)")
    }
    #expect(result.outcome == (answer == .take ? .delivered : .unconfirmed))
    #expect(result.verified == (answer == .take))
    let left: [Answer: ProgramQuestion] = [.leave: .answered, .open: .window("a.txt")]
    #expect(result.question == left[answer])
  }

  enum Way: String, CaseIterable, Sendable {
    case menu, window
  }

  /// By the signals that give it.
  enum Answer: Int32, CaseIterable, Sendable {
    case open = 1
    case take = 10
    case leave = 12
  }

  /// A list that takes what is dropped, says so, and asks then what to do with it. Signals answer.
  private static func program(_ way: Way) -> String {
    """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk, GLib
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
    asking = None
    def ask(view, context, x, y, data, info, time):
        global asking
        if "\(way.rawValue)" == "menu":
            asking = Gtk.Menu()
            asking.append(Gtk.MenuItem(label="Copy here"))
            asking.show_all()
            asking.popup_at_widget(view, Gdk.Gravity.CENTER, Gdk.Gravity.CENTER, None)
        else:
            asking = Gtk.Dialog(title="Import a.txt", transient_for=window, modal=True)
            asking.get_content_area().add(Gtk.Label(label="How?"))
            asking.show_all()
    def answer(number):
        if number == 10:
            rows.append(["a.txt"])
        if number == 1:
            window.set_title("a.txt")
        asking.destroy()
    view.connect("drag-data-received", ask)
    for number in 1, 10, 12:
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, number, answer, number)
    window.connect("map-event", lambda *_: print("ready"))
    window.show_all()
    Gtk.main()
    """
  }
}
