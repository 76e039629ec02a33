import Glibc
import PrivateDesktop
import RealPrograms
import Testing

/// Between the agent and another KeyDrag program of the same person.
@Suite(
  "keydrag desktop, and KeyDrag in a terminal", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct OtherProgramTests: AgentSteps {
  /// Starts `keydrag files` with a folder, and returns once it answers keys.
  private func terminal(_ desktop: DesktopStage) throws -> LiveRun {
    let run = try desktop.stage.live("Docs")
    run.type("f2")
    try run.wait("where it is") { $0.kind == "announcement" }
    return run
  }

  /// Walks, window by window, to the first place of another program.
  private func reach(
    _ program: String, _ desktop: DesktopStage, _ agent: LiveRun
  ) throws -> Record {
    let end = ContinuousClock.now + .seconds(120)
    var key = "Next"
    while ContinuousClock.now < end {
      try desktop.press(key)
      let record = try agent.wait("a place, or the last one") {
        $0.id == "edge" || $0.id == "drop-point" && $0.argument("verdict") != "asking"
      }
      if record.argument("app") == .text(program) { return record }
      // One that came meanwhile may stand before this.
      if record.id == "edge" { key = key == "Next" ? "Prior" : "Next" }
    }
    throw ChildProcess.Hung(description: "\(program) is not among the programs")
  }

  @Test("H01: a file of a file manager goes to a folder of keydrag files, which takes it back")
  func file() throws {
    let desktop = try DesktopStage("Inbox/Sorted/", "Inbox/a.txt", "Docs/")
    let thunar = try desktop.thunar(("Inbox", "a.txt"))
    let agent = try begin(desktop, at: "a.txt", in: "Inbox")
    // It comes after the agent, and after a first look around.
    try pickUp("a.txt", desktop, agent)
    try agent.wait(at: "Inbox folder view", "refuse")
    let taker = try terminal(desktop)
    let place = try reach("keydrag files", desktop, agent)
    #expect(place.argument("name") == "Docs" && place.argument("operation") == "copy", "\(place)")
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "Docs")
    #expect(desktop.stage.read("Docs/a.txt") == "Inbox/a.txt")
    taker.type("ctrl+z")
    try taker.wait(for: "undone")
    #expect(desktop.stage.list("Docs") == [])
    // The places of the other program outlast a pick-up, and end with it.
    try pickUp("a.txt", desktop, agent)
    try agent.wait(at: "Inbox folder view", "refuse")
    _ = try reach("keydrag files", desktop, agent)
    #expect(try taker.finish().status == 0)
    try agent.wait(for: "vanished", "name", "keydrag files")
    agent.signal(SIGTERM)
    let run = try agent.ended()
    #expect(run.records.finished.map { $0["route"] } == ["peer"], "\(run)")
    _ = thunar
  }

  @Test(
    "H01, H08, H17: a contact's file goes into a program on the library, which takes it for good")
  func sample() throws {
    let desktop = try DesktopStage("Inbox/Sorted/", "Docs/")
    try desktop.stage.make("Inbox/jane.vcf", PeerPointsTests.jane)
    let taker = try PeerPointsTests.sample(desktop.stage, "contacts")
    let thunar = try desktop.thunar(("Inbox", "jane.vcf"))
    let agent = try begin(desktop, at: "jane.vcf", in: "Inbox")
    try pickUp("jane.vcf", desktop, agent)
    try agent.wait(at: "Inbox folder view", "refuse")
    let place = try reach("keydrag sample contacts", desktop, agent)
    #expect(place.argument("operation") == "copy", "\(place)")
    #expect(place.text.contains("Can't be undone."), "\(place)")
    try desktop.press("Return")
    try agent.wait(for: "delivered")
    try taker.wait("the contact") { $0.id == "appeared" && $0.argument("name") == "Jane Doe" }
    agent.signal(SIGTERM)
    let run = try agent.ended()
    #expect(run.records.finished.map { $0["route"] } == ["peer"], "\(run)")
    #expect(desktop.stage.read("Inbox/jane.vcf") == PeerPointsTests.jane)
    // The history says that it is not for it to take back, and nothing older is taken back instead.
    let history = try desktop.stage.run("history", transcript: false)
    #expect(
      history.output.contains("copied jane.vcf to Contacts, can't be undone here"), "\(history)")
    let undo = try desktop.stage.run("undo", "--speech", "off")
    #expect(undo.status == 1 && undo.ids == ["cannot-undo"], "\(undo)")
    _ = thunar
  }

  @Test("H24: words of another program become a file in a folder of keydrag files")
  func words() throws {
    let desktop = try DesktopStage("Docs/")
    let taker = try terminal(desktop)
    let letter = try desktop.window(.gtk3, "letter")
    let agent = try desktop.agent()
    try desktop.activate("letter")
    try pickUpWords(desktop, agent)
    _ = try reach("keydrag files", desktop, agent)
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "Docs")
    #expect(
      desktop.stage.read("Docs/some words to carry.txt") == "some words to carry",
      "\(desktop.stage.list("Docs"))")
    _ = (letter, taker)
  }
}
