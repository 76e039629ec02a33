import Glibc
import PrivateDesktop
import RealPrograms
import Testing

@Suite(
  "Files dropped into a text, and where files are taken", .realPrograms(by: .suite),
  .serialized, .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct TextDropTests: AgentSteps {
  @Test("H12, H14, H16 Of files in a text only the paths are written, and that is said")
  func paths() throws {
    let desktop = try DesktopStage("report.txt", "notes.txt")
    let notes = try desktop.window(.gtk3, "Notes")
    let report = desktop.stage.path("report.txt")
    let one = try desktop.run("drop", "report.txt", "--onto", "Body")
    #expect(one.status == 0, "\(one)")
    try notes.lines(upTo: "body " + report)
    let before = try #require(one.last("drop-point"), "\(one)")
    #expect(
      before.text.contains("copy. Perhaps only its path. Can't be undone."), "\(one)")
    #expect(before.argument("result") == "Perhaps only its path. Can't be undone.")
    let after = try #require(one.last("delivered"), "\(one)")
    #expect(after.text == "Only the path of report.txt was written into Body text field, in -c.")
    #expect(after.argument("form") == "path")

    let two = try desktop.run("drop", "report.txt", "notes.txt", "--onto", "Line")
    #expect(two.status == 0, "\(two)")
    #expect(
      two.last("drop-point")?.text.contains("copy. Only their paths.") == true, "\(two)")
    #expect(
      two.last("delivered")?.text
        == "Only the paths of report.txt and notes.txt were written into Line text field, in -c.",
      "\(two)")
    // What a line makes of the end of a line is its own business.
    let line = try notes.process.line()
    #expect(line.hasPrefix("line ") && line.contains(report), "\(line)")
  }

  @Test("T02, H12 Of files that a window takes is said that it took them, and no more")
  func files() throws {
    let desktop = try DesktopStage("report.txt")
    let window = try desktop.window(taking: "text/uri-list", "Window")
    let run = try desktop.run("drop", "report.txt", "--onto", "Area")
    #expect(run.status == 1, "\(run)")
    #expect(try window.process.line() == "file://" + desktop.stage.path("report.txt"))
    #expect(run.last("drop-point")?.argument("result") == "Can't be undone.", "\(run)")
    let after = try #require(run.last("unconfirmed"), "\(run)")
    #expect(after.text.hasPrefix("Area canvas, in -c took report.txt. "), "\(run)")
    #expect(after.argument("confirmed") == "by-program")
  }

  @Test("H12 A window that waits for an answer in another one refuses until it has it, and says so")
  func dialog() throws {
    let desktop = try DesktopStage("report.txt")
    let notes = try desktop.desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.dialog], adding: ["GDK_BACKEND": "x11"])
    try desktop.wait(for: "Really?", in: "Question")
    let refused = try desktop.run("drop", "report.txt", "--onto", "Body")
    #expect(refused.status == 1, "\(refused)")
    let refusal = try #require(refused.last("refused"), "\(refused)")
    #expect(refusal.argument("reason") == "waits-for-answer", "\(refusal)")
    #expect(
      refusal.text.contains("The program waits for your answer."),
      "\(refusal)")
    notes.signal(SIGUSR1)
    while try notes.line() != "answered" {}
    let taken = try desktop.run("drop", "report.txt", "--onto", "Body")
    #expect(taken.status == 0, "\(taken)")
    #expect(try notes.line() == "body " + desktop.stage.path("report.txt"))
  }

  private static let dialog = """
    import signal, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, GLib
    window = Gtk.Window(title="Notes")
    window.set_default_size(300, 240)
    body = Gtk.TextView()
    body.get_accessible().set_name("Body")
    window.add(body)
    text = body.get_buffer()
    text.connect("changed", lambda *_: print(
        "body", text.get_text(text.get_start_iter(), text.get_end_iter(), True)))
    window.show_all()
    question = Gtk.Dialog(title="Question", transient_for=window, modal=True)
    question.get_content_area().add(Gtk.Label(label="Really?"))
    question.show_all()
    def answer():
        question.destroy()
        GLib.idle_add(print, "answered")
        return True
    GLib.unix_signal_add(GLib.PRIORITY_HIGH, signal.SIGUSR1, answer)
    Gtk.main()
    """

  @Test("H12 A walk says at the text what becomes of a file there")
  func walk() throws {
    let desktop = try DesktopStage("Inbox/Sorted/", "Inbox/a.txt")
    let thunar = try desktop.thunar(("Inbox", "a.txt"))
    let notes = try desktop.window(.gtk3, "Notes")
    let agent = try begin(desktop, at: "a.txt", in: "Inbox")
    try pickUp("a.txt", desktop, agent)
    let body = try reach("Notes", desktop, agent)
    #expect(body.argument("name") == "Body text field", "\(body)")
    #expect(body.text.contains("Perhaps only its path."), "\(body)")
    try desktop.press("Return")
    let after = try agent.wait(for: "delivered", "place", "Body text field")
    #expect(
      after.text == "Only the path of a.txt was written into Body text field, in -c.", "\(after)")
    try notes.lines(upTo: "body " + desktop.stage.path("Inbox/a.txt"))
    _ = thunar
  }

  @Test("H04, H13 An area that was only named is found, asked, and takes the files")
  func area() throws {
    let desktop = try DesktopStage("report.txt", "notes.txt")
    let shop = try desktop.desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.shop], adding: ["GDK_BACKEND": "x11"])
    try desktop.wait(for: "Basket", in: "Shop")
    let points = try desktop.points("--app", "Shop", "--carrying", "report.txt")
    #expect(
      points.map { $0["name"] } == ["Amount text field", "Basket area", "Counter area"], "\(points)"
    )
    let basket = try #require(points.first { $0["name"] == "Basket area" }, "\(points)")
    #expect(basket["verdict"] == "accept" && basket["role"] == "area", "\(basket)")
    let counter = try #require(points.first { $0["name"] == "Counter area" }, "\(points)")
    #expect(counter["verdict"] == "refuse" && counter["reason"] == "not-taken", "\(counter)")
    let run = try desktop.run("drop", "report.txt", "notes.txt", "--onto", "Basket")
    #expect(run.status == 1, "\(run)")
    let after = try #require(run.last("unconfirmed"), "\(run)")
    #expect(after.text.hasPrefix("Basket area, in -c took report.txt and notes.txt. "), "\(run)")
    let links = ["report.txt", "notes.txt"].map { "file://" + desktop.stage.path($0) }
    #expect(try shop.line() == links.joined(separator: " "))
  }

  /// A line, an area that takes files and one that takes nothing, both named for a screen reader, and
  /// a box around them all that is named too.
  private static let shop = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk
    window = Gtk.Window(title="Shop")
    window.set_default_size(300, 300)
    around = Gtk.EventBox()
    around.get_accessible().set_name("Everything")
    window.add(around)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    around.add(box)
    amount = Gtk.Entry()
    amount.get_accessible().set_name("Amount")
    box.pack_start(amount, False, False, 0)
    def area(name):
        area = Gtk.EventBox()
        area.get_accessible().set_name(name)
        area.add(Gtk.Label(label="Drop here"))
        box.pack_start(area, True, True, 0)
        return area
    basket = area("Basket")
    area("Counter")
    entry = Gtk.TargetEntry.new("text/uri-list", 0, 0)
    basket.drag_dest_set(Gtk.DestDefaults.ALL, [entry], Gdk.DragAction.COPY)
    def take(widget, context, x, y, data, info, time):
        print(*data.get_uris())
    basket.connect("drag-data-received", take)
    window.show_all()
    Gtk.main()
    """
}
