import FoundationEssentials
import Glibc
import PrivateDesktop
import RealPrograms
import Testing
import Thorough

/// Programs for archives: what they show comes out as files.
@Suite(
  "Files out of programs for archives", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(5)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct ArchiveProgramTests: AgentSteps {
  /// Those that are installed here.
  static let programs = ["file-roller", "engrampa"].filter { access("/usr/bin/" + $0, X_OK) == 0 }

  private static let packer = """
    import sys, zipfile
    with zipfile.ZipFile(sys.argv[1], "w") as archive:
        for name in ("first.txt", "sub/inner.txt", "sub/deep/last.txt"):
            archive.writestr(name, "from the archive: " + name)
    print("packed")
    """

  private func open(_ program: String, on desktop: DesktopStage) throws -> KeptProcess {
    let packer = try desktop.desktop.start([
      "/usr/bin/python3", "-u", "-c", Self.packer, desktop.stage.path("Work/box.zip"),
    ])
    #expect(try packer.line() == "packed")
    let running = try desktop.desktop.start([
      "/usr/bin/" + program, desktop.stage.path("Work/box.zip"),
    ])
    try desktop.wait(for: "first.txt", in: "box.zip")
    return running
  }

  @Test(
    "T10, H08 A row and a folder of an archive come out as files, are verified and undone",
    arguments: Thorough.cases(ordinarily: 1, of: programs))
  func out(program: String) throws {
    let desktop = try DesktopStage("Work/", "Docs/Inner/", "Docs/old.txt")
    desktop.stage.variables["TMPDIR"] = desktop.stage.base + "/run"
    let thunar = try desktop.thunar(("Docs", "old.txt"))
    let running = try open(program, on: desktop)
    let before = desktop.stage.tree
    let agent = try desktop.agent()
    try desktop.activate("box.zip")
    // Folders come first.
    try desktop.press("End")
    try desktop.wait(for: "first.txt", in: "box.zip", isSelected: true)
    try pickUp("first.txt", desktop, agent)
    try reach("Thunar", desktop, agent)
    // In the archive it stays, whatever is wished, and no copy is made instead.
    try desktop.press("F6")
    let wish = try agent.wait(for: "operation-unavailable")
    #expect(wish.argument("operation") == "move", "\(wish)")
    try desktop.press("Return")
    try agent.wait(for: "refused")
    try desktop.press("F6")
    try agent.wait(for: "operation")
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "Docs")
    #expect(desktop.stage.read("Docs/first.txt") == "from the archive: first.txt")

    try desktop.activate("box.zip")
    try desktop.press("Home")
    try desktop.wait(for: "sub", in: "box.zip", isSelected: true)
    try pickUp("sub", desktop, agent)
    try reach("Thunar", desktop, agent)
    try desktop.press("Return")
    let told = try agent.wait("the second end") {
      $0.id == "delivered" && $0.argument("names") == [.text("sub")]
    }
    #expect(told.argument("place") == "Docs", "\(told)")
    #expect(desktop.stage.read("Docs/sub/inner.txt") == "from the archive: sub/inner.txt")
    #expect(
      desktop.stage.read("Docs/sub/deep/last.txt") == "from the archive: sub/deep/last.txt")
    for _ in 0..<2 {
      let undone = try desktop.run("undo")
      #expect(undone.status == 0, "\(undone)")
    }
    #expect(desktop.stage.tree == before)
    _ = (thunar, running)
  }
}

/// Words that have no file yet.
@Suite(
  "Clippings become files where a file manager says", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(5)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct ClippingFileTests: AgentSteps {
  /// Those that are installed here.
  static let managers = ["thunar", "pcmanfm", "caja", "nemo"].filter {
    access("/usr/bin/" + $0, X_OK) == 0
  }

  @Test(
    "H24, H08, T02 Words dropped on the folder of a file manager are a file there; Undo takes it away",
    arguments: Thorough.cases(ordinarily: 1, of: managers))
  func words(program: String) throws {
    let desktop = try DesktopStage("Docs/Inner/", "Docs/old.txt")
    let manager = try desktop.desktop.start(
      ["/usr/bin/" + program, desktop.stage.path("Docs")],
      adding: ["GSETTINGS_BACKEND": "keyfile", "GTK_MODULES": "gail:atk-bridge"])
    try desktop.waitForTitle("Docs")
    let end = ContinuousClock.now + .seconds(60)
    while try !desktop.points().contains(where: { $0["name"] == "Docs folder view" }) {
      try #require(ContinuousClock.now < end)
    }
    let (letter, agent) = try begin(desktop, withWordsIn: "Letter")
    let before = desktop.stage.tree
    try pickUpWords(desktop, agent)
    let place = try step("Next", to: "Docs folder view", desktop, agent)
    // It can be taken back, and nothing else is said.
    #expect(place.argument("result") == nil, "\(place)")
    try desktop.press("Return")
    let outcome = try agent.wait("the end of the delivery") {
      $0.kind == "delivery" && $0["stage"] == "finished"
    }
    #expect(outcome["verified"] == true, "\(outcome)")
    let told = try agent.wait(for: "delivered")
    #expect(told.argument("names") == [.text("some words to carry")], "\(told)")
    #expect(
      desktop.stage.tree
        == before.merging(["Docs/some words to carry.txt": "some words to carry"]) { $1 })
    #expect(try desktop.run("undo").status == 0)
    #expect(desktop.stage.tree == before)
    _ = (manager, letter)
  }

  @Test("H24 Words dropped into another text stay words")
  func text() throws {
    let desktop = try DesktopStage("Docs/old.txt")
    let notes = try desktop.window(.gtk3, "Notes")
    let (letter, agent) = try begin(desktop, withWordsIn: "Letter")
    try pickUpWords(desktop, agent)
    try goOn(to: "Notes", desktop, agent)
    try drop(at: "Body text field", desktop, agent)
    try notes.lines(upTo: "body some words to carry")
    _ = letter
  }
}
