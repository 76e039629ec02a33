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
      before.text.contains("copy. Perhaps only its path, as text. Can't be undone."), "\(one)")
    #expect(before.argument("result") == "Perhaps only its path, as text. Can't be undone.")
    let after = try #require(one.last("delivered"), "\(one)")
    #expect(after.text == "Only the path of report.txt was written into Body text field.")
    #expect(after.argument("form") == "path")

    let two = try desktop.run("drop", "report.txt", "notes.txt", "--onto", "Line")
    #expect(two.status == 0, "\(two)")
    #expect(
      two.last("drop-point")?.text.contains("copy. Only their paths, as text.") == true, "\(two)")
    #expect(
      two.last("delivered")?.text
        == "Only the paths of report.txt and notes.txt were written into Line text field.",
      "\(two)")
    // What a line makes of the end of a line is its own business.
    let line = try notes.process.line()
    #expect(line.hasPrefix("line ") && line.contains(report), "\(line)")
  }

  @Test("H12 What takes files themselves is told of as before")
  func files() throws {
    let desktop = try DesktopStage("report.txt")
    let window = try desktop.window(taking: "text/uri-list", "Window")
    let run = try desktop.run("drop", "report.txt", "--onto", "Area")
    #expect(run.status == 0, "\(run)")
    #expect(try window.process.line() == "file://" + desktop.stage.path("report.txt"))
    #expect(run.last("drop-point")?.argument("result") == "Can't be undone.", "\(run)")
    let after = try #require(run.last("delivered"), "\(run)")
    #expect(after.text == "Copied report.txt to Area canvas.", "\(run)")
    #expect(after.argument("form") == nil)
  }

  @Test("H12 A walk says at the text what becomes of a file there")
  func walk() throws {
    let desktop = try DesktopStage("Inbox/Sorted/", "Inbox/a.txt")
    let thunar = try desktop.thunar(("Inbox", "a.txt"))
    let notes = try desktop.window(.gtk3, "Notes")
    let agent = try begin(desktop, at: "a.txt", in: "Inbox")
    try pickUp("a.txt", desktop, agent)
    let body = try reach("Notes", desktop, agent)
    #expect(body.argument("name") == "Body text field", "\(body)")
    #expect(body.text.contains("Perhaps only its path, as text."), "\(body)")
    try desktop.press("Return")
    let after = try agent.wait(for: "delivered", "place", "Body text field")
    #expect(after.text == "Only the path of a.txt was written into Body text field.", "\(after)")
    try notes.lines(upTo: "body " + desktop.stage.path("Inbox/a.txt"))
    _ = thunar
  }
}
