import Glibc
import PrivateDesktop
import RealPrograms
import Testing
import Thorough

/// Programs of which nothing is known, and that say nowhere but in their words what takes a drop.
@Suite(
  "A place that only words tell of", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct SignTests: AgentSteps {
  @Test(
    "H01, H13 Words with much room and a box around words take files, in every toolkit",
    arguments: Thorough.cases(ordinarily: 2, of: TextWindow.Kind.allCases))
  func drop(kind: TextWindow.Kind) throws {
    let desktop = try DesktopStage("new.txt")
    let window = try SignWindow.start(kind, "Upload", on: desktop)
    for (place, taker) in [("Drop files here area", "sign"), ("Attachments area", "box")] {
      let run = try desktop.run("drop", "new.txt", "--onto", place)
      // What it makes of them cannot be seen from outside.
      #expect(run.status == 1, "\(run)")
      #expect(run.last("unconfirmed")?.argument("confirmed") == "by-program", "\(run)")
      #expect(run.records.finished.first?["route"] == "xdnd", "\(run)")
      #expect(try window.line() == "\(taker) \(desktop.stage.path("new.txt"))")
    }
  }

  @Test("H04 The audit counts the places that points lists, files and areas that act among them")
  func counted() throws {
    let desktop = try DesktopStage("Docs/Inner/", "Docs/a.txt", "Docs/b.txt")
    let thunar = try desktop.thunar(("Docs", "Inner"))
    let window = try SignWindow.start(.gtk3, "Upload", on: desktop)
    for app in ["Thunar", "Upload"] {
      let points = try desktop.points("--app", app)
      let audit = try desktop.run("audit", "--app", app, "--json", transcript: false)
      #expect(audit.output.contains("\"places\":\(points.count),"), "\(audit) \(points)")
    }
    _ = (thunar, window)
  }

  @Test("K16, H01 A file is carried by keys from Thunar to words in a window of GTK 4")
  func carried() throws {
    let desktop = try DesktopStage("Inbox/Sorted/", "Inbox/a.txt")
    let thunar = try desktop.thunar(("Inbox", "a.txt"))
    let window = try SignWindow.start(.gtk4, "Upload", on: desktop)
    let agent = try begin(desktop, at: "a.txt", in: "Inbox")
    try pickUp("a.txt", desktop, agent)
    try agent.wait(at: "Inbox folder view", "refuse")
    try goOn(to: "Upload", desktop, agent)
    try desktop.press("Down")
    try agent.wait(at: "Drop files here area", "accept")
    try desktop.press("Return")
    try agent.wait(for: "unconfirmed", "place", "Drop files here area")
    #expect(try window.line() == "sign \(desktop.stage.path("Inbox/a.txt"))")
    agent.signal(SIGTERM)
    _ = try agent.ended()
    _ = thunar
  }
}
