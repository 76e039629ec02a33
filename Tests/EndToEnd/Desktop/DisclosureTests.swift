import PrivateDesktop
import RealPrograms
import Testing

/// The guide's table of what a program learns and when, against programs that listen. The way between
/// KeyDrag programs is in `HostilePlaceTests`.
@Suite(
  "What a program of the desktop learns, and when", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct DisclosureTests: AgentSteps {
  private let contents = "what stands in it"

  private func stage() throws -> DesktopStage {
    let desktop = try DesktopStage("Private/Inner/")
    try desktop.stage.make("Private/secret.txt", contents)
    return desktop
  }

  private func facts(_ heard: String, _ desktop: DesktopStage) -> Set<Disclosed> {
    Disclosed.all(in: heard, holding: contents, in: desktop.stage)
  }

  /// Who is asked nothing, and reads whatever there is on the display, learns what the guide says.
  private func expectLittle(
    _ watcher: Listener, of words: String? = nil, on desktop: DesktopStage
  ) throws {
    let heard = watcher.heard()
    let facts =
      words.map { Disclosed.all(in: heard, of: $0, holding: $0, in: desktop.stage) }
      ?? facts(heard, desktop)
    let promised = try Disclosed.promised(by: "a program that looks on", .dropped)
    #expect(facts.contains(.types) && facts.isSubset(of: promised), "\(heard)")
  }

  @Test("T13, K19 A window learns no more of a file by a drag than the guide says, at each moment")
  func drag() throws {
    let way = "a drag between windows"
    let desktop = try stage()
    let listener = try Listener("Listener", on: desktop)
    let watcher = try Listener("Watcher", polls: true, on: desktop)
    let thunar = try desktop.thunar(("Private", "secret.txt"))
    let agent = try begin(desktop, at: "secret.txt", in: "Private")
    _ = listener.heard()
    try pickUp("secret.txt", in: "Private", desktop, agent)
    let passed = listener.heard()
    #expect(
      try facts(passed, desktop).isSubset(of: Disclosed.promised(by: way, .passed)), "\(passed)")
    try goOn(to: "Listener", desktop, agent)
    let asked = listener.heard()
    #expect(facts(asked, desktop).isSuperset(of: [.types, .path]), "\(asked)")
    #expect(try facts(asked, desktop).isSubset(of: Disclosed.promised(by: way, .asked)), "\(asked)")
    try desktop.press("Return")
    try agent.wait("the end") { $0.kind == "delivery" && $0["stage"] == "finished" }
    let dropped = listener.heard()
    #expect(dropped.contains("dropped"), "\(dropped)")
    #expect(
      try facts(dropped, desktop).isSubset(of: Disclosed.promised(by: way, .dropped)), "\(dropped)")
    let own = try Disclosed.promised(by: way, since: .dropped, .dropped)
    #expect(!facts(dropped, desktop).isDisjoint(with: own), "\(dropped)")
    #expect(!dropped.contains("owner of"), "the clipboard was used: \(dropped)")
    try expectLittle(watcher, on: desktop)
    _ = thunar
  }

  @Test(
    "T13, K19 A window learns words where it looks while it is asked, as the guide says, not before"
  )
  func words() throws {
    let way = "a drag between windows"
    let desktop = try DesktopStage()
    let listener = try Listener("Listener", on: desktop)
    let watcher = try Listener("Watcher", polls: true, on: desktop)
    let (letter, agent) = try begin(desktop, withWordsIn: "Letter")
    func learn(_ moment: Disclosed.Moment) throws -> Set<Disclosed> {
      let heard = listener.heard()
      let facts = Disclosed.all(
        in: heard, of: "some words", holding: "some words to carry", in: desktop.stage)
      let promised = try Disclosed.promised(by: way, moment, ofWords: true)
      #expect(facts.isSubset(of: promised), "\(heard)")
      let own = try Disclosed.promised(by: way, since: moment, moment, ofWords: true)
      #expect(facts.isDisjoint(with: own) == (moment == .passed), "\(heard)")
      return facts
    }
    try pickUpWords(desktop, agent)
    #expect(try learn(.passed) == [])
    try goOn(to: "Listener", desktop, agent)
    #expect(try learn(.asked).isSuperset(of: [.types, .contents]))
    try desktop.press("Return")
    try agent.wait("the end") { $0.kind == "delivery" && $0["stage"] == "finished" }
    #expect(try learn(.dropped).contains(.contents))
    try expectLittle(watcher, of: "some words to carry", on: desktop)
    _ = letter
  }

  @Test(
    "T13, K19 Who reads the clipboard learns nothing before a Paste, and no more by it than is said"
  )
  func paste() throws {
    let desktop = try stage()
    try desktop.stage.make("Docs/Inner/")
    try desktop.pasteIntoThunar()
    let thunar = try desktop.thunar(("Docs", "Inner"))
    let listener = try Listener("Listener", on: desktop)
    let points = try desktop.points("--app", "thunar", "--carrying", "Private/secret.txt")
    #expect(points.contains { $0["verdict"] == "accept" }, "\(points)")
    let asked = listener.heard()
    let way = "Paste, or a menu's command"
    #expect(try facts(asked, desktop).isSubset(of: Disclosed.promised(by: way, .asked)), "\(asked)")
    let run = try desktop.run("drop", "Private/secret.txt", "--onto", "Docs")
    #expect(run.records.finished.first?["route"] == "menu", "\(run)")
    let dropped = listener.heard()
    #expect(dropped.contains("owner of CLIPBOARD") && facts(dropped, desktop).contains(.path))
    #expect(
      try facts(dropped, desktop).isSubset(of: Disclosed.promised(by: way, .dropped)), "\(dropped)")
    _ = thunar
  }

  @Test(
    "T13, K19 Whose row the pointer drags learns what the guide says, at each moment, and nobody else"
  )
  func pointer() throws {
    let way = "the pointer"
    let desktop = try DesktopStage()
    let other = try Listener("Listener", on: desktop)
    let listener = try Listener("Rows", running: Listener.rows, on: desktop)
    let agent = try begin(desktop, at: "some words to carry", in: "Rows")
    try pickUp("some words to carry", desktop, agent)
    try agent.wait(at: "Rows list", "maybe")
    func learn(_ moment: Disclosed.Moment) throws -> String {
      let heard = listener.heard()
      let facts = Disclosed.all(
        in: heard, of: "some words", holding: "some words to carry", in: desktop.stage)
      let promised = try Disclosed.promised(by: way, since: moment, moment, ofWords: true)
      #expect(
        facts.isSuperset(of: [.types, .contents]) && facts.isSubset(of: promised), "\(heard)")
      #expect(!heard.contains("owner of"), "the clipboard was used: \(heard)")
      return heard
    }
    #expect(try !learn(.asked).contains("of its own"))
    try desktop.press("Return")
    let end = try agent.wait("the end") { $0.kind == "delivery" && $0["stage"] == "finished" }
    #expect(end["route"] == "pointer", "\(end)")
    try listener.waitForDrop()
    #expect(try learn(.dropped).contains("dropped of its own"))
    #expect(other.heard() == "")
  }
}
