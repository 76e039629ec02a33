import PrivateDesktop
import RealPrograms
import Testing

@Suite(
  "Questions of programs that have not got the keyboard", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct QuestionTests: AgentSteps {
  @Test("T06 The agent says that the question has not got the keyboard, and brings it up")
  func agent() throws {
    let desktop = try DesktopStage("Inbox/a.txt", "Inbox/b.txt")
    let report = try start(on: desktop)
    let thunar = try desktop.thunar(("Inbox", "b.txt"))
    let agent = try begin(desktop, at: "b.txt", in: "Inbox")
    try pickUp("b.txt", in: "Inbox", desktop, agent)
    try goOn(to: "Report", desktop, agent)
    try desktop.press("Return")
    let told = try agent.wait(for: "unconfirmed", "window", "Import")
    #expect(
      told.text.hasSuffix(
        "Import is open and waits for your answer. Go to the question first."), "\(told)")
    #expect(try desktop.activeWindow().first?.hasPrefix("Inbox") == true)
    let line = try openList(desktop, agent)
    #expect(line.argument("name") == "Go to the question", "\(line)")
    try desktop.press("Return")
    while try desktop.activeWindow().first != "Import" {}
    // The keys go there now.
    try desktop.press("Return")
    #expect(try report.line() == "answered")
    _ = thunar
  }

  @Test("T06 A command that ends says to switch to the question, since it has no list")
  func command() throws {
    let desktop = try DesktopStage("a.txt")
    let report = try start(on: desktop)
    let other = try desktop.window(taking: "text/plain", "Other")
    try desktop.activate("Other")
    let run = LiveRun(
      try desktop.stage.start(
        ["drop", "a.txt", "--onto", "Area", "--app", "Report", "--transcript", "-"]))
    let told = try run.wait(for: "unconfirmed", "window", "Import")
    #expect(
      told.text.hasSuffix(
        "Import is open and waits for your answer. It does not have the keyboard. "
          + "Switch to it first."), "\(told)")
    #expect(try desktop.activeWindow().first == "Other")
    try desktop.activate("Import")
    try desktop.press("Return")
    #expect(try report.line() == "answered")
    // It has said that it has the file before it was answered, and nobody knows what came of it.
    let end = try run.wait(for: "unconfirmed")
    #expect(end.argument("confirmed") == nil, "\(end)")
    #expect(end.text == "a.txt sent to Area canvas, in -c. The window has not changed.", "\(end)")
    _ = (try run.finish(), other)
  }

  @Test("T06 A window that is a dialog by its type alone asks, too")
  func typed() throws {
    let desktop = try DesktopStage("a.txt")
    let report = try start(on: desktop, "typed")
    let run = LiveRun(
      try desktop.stage.start(
        ["drop", "a.txt", "--onto", "Area", "--app", "Report", "--transcript", "-"]))
    let told = try run.wait(for: "unconfirmed", "window", "Import")
    #expect(told.text.contains("Import is open and waits for your answer."), "\(told)")
    _ = report
  }

  /// A window that asks about what it takes, in one that does not get the keyboard.
  private func start(on desktop: DesktopStage, _ kind: String = "modal") throws -> KeptProcess {
    let process = try desktop.desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.program, kind], adding: ["GDK_BACKEND": "x11"])
    try desktop.wait(for: "Area", in: "Report")
    return process
  }

  private static let program = """
    import gi, sys
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk
    window = Gtk.Window(title="Report")
    window.set_default_size(300, 240)
    area = Gtk.DrawingArea()
    area.get_accessible().set_name("Area")
    window.add(area)
    entry = Gtk.TargetEntry.new("text/uri-list", 0, 0)
    area.drag_dest_set(Gtk.DestDefaults.ALL, [entry], Gdk.DragAction.COPY)
    def answer(dialog, number):
        print("answered")
        dialog.destroy()
    def ask(*_):
        if sys.argv[1] == "typed":
            alone = Gtk.Window(title="Import", type_hint=Gdk.WindowTypeHint.DIALOG)
            alone.add(Gtk.Button(label="Take"))
            alone.show_all()
            return
        dialog = Gtk.Dialog(title="Import", modal=True, transient_for=window)
        dialog.add_button("Take", 1)
        dialog.set_default_response(1)
        dialog.set_focus_on_map(False)
        dialog.connect("response", answer)
        dialog.show_all()
    area.connect("drag-data-received", ask)
    window.show_all()
    Gtk.main()
    """
}
