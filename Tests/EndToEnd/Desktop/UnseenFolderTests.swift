import PrivateDesktop
import RealPrograms
import Testing

/// Folders of a file manager's window that are scrolled out of sight.
@Suite(
  "Folders that are scrolled out of sight", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct UnseenFolderTests: AgentSteps {
  /// A window with far more in it than there is room for.
  private func stage(files: Int = 60) throws -> (DesktopStage, KeptProcess) {
    let desktop = try DesktopStage("new.txt")
    for number in 1...60 { try desktop.stage.make("Docs/dir \(number)/") }
    for number in 1...files { try desktop.stage.make("Docs/file \(number)") }
    // Where the files come before the folders, those are above what is shown.
    return (desktop, try desktop.thunar(("Docs", "dir 60"), isShown: false, among: 400))
  }

  @Test(
    "H01, H13: are places in the order of the list, each once, and files are none",
    arguments: [60, 2_000])
  func listed(files: Int) throws {
    let (desktop, thunar) = try stage(files: files)
    let names = try desktop.points().filter { $0["role"] == "row" }.compactMap { $0["name"] }
    #expect(names == (1...60).map { .text("dir \($0)") })
    _ = thunar
  }

  @Test("H06, H08, H14: take what is dropped on them, and it comes back", arguments: [30, 59, 60])
  func drop(number: Int) throws {
    let (desktop, thunar) = try stage()
    let before = desktop.stage.tree
    let run = try desktop.run("drop", "new.txt", "--onto", "dir \(number)")
    #expect(run.status == 0, "\(run)")
    let end = try #require(run.records.finished.first)
    #expect(end["outcome"] == "delivered" && end["verified"] == true, "\(run)")
    #expect(
      desktop.stage.tree == before.merging(["Docs/dir \(number)/new.txt": "new.txt"]) { $1 })
    let undo = try desktop.run("undo")
    #expect(undo.status == 0, "\(undo)")
    #expect(desktop.stage.tree == before)
    _ = thunar
  }

  @Test("H02, H13: are found by their names and walked to from a list that shows none of them")
  func walk() throws {
    let (desktop, thunar) = try stage()
    let agent = try begin(desktop, at: "file 60", in: "Docs", among: 1_000)
    try pickUp("file 60", in: "Docs", desktop, agent)
    try desktop.press("F4")
    try agent.wait(for: "finding")
    try desktop.press("d", "i", "r", "space", "4", "0", "Return")
    let found = try agent.wait(at: "dir 40", "accept")
    #expect(found.argument("index") == 41, "\(found)")
    try step("Tab", to: "dir 41", answering: "accept", desktop, agent)
    try drop(at: "dir 41", desktop, agent)
    #expect(desktop.stage.read("Docs/dir 41/file 60") == "Docs/file 60")
    #expect(desktop.stage.read("Docs/file 60") == nil)
    _ = thunar
  }

  @Test("H15: nothing is selected in the list while it is scrolled for a drag")
  func selection() throws {
    let (desktop, thunar) = try stage()
    let agent = try begin(desktop, at: "file 60", in: "Docs", among: 1_000)
    let watch = try desktop.desktop.start(["/usr/bin/python3", "-u", "-c", Self.watch])
    #expect(try watch.line() == "ready")
    // A program tells nothing before it knows that somebody listens.
    var told = ""
    for _ in 0..<20 where told != "file 60" {
      try desktop.press("Home")
      try desktop.wait(for: "dir 1", in: "Docs", isSelected: true)
      try desktop.press("End")
      try desktop.wait(for: "file 60", in: "Docs", isSelected: true, among: 1_000)
      while told != "file 60", let line = try? watch.line(within: 2) { told = line }
    }
    try #require(told == "file 60")
    try pickUp("file 60", in: "Docs", desktop, agent)
    for number in ["4", "2"] {
      try desktop.press("F4")
      try agent.wait(for: "finding")
      try desktop.press("d", "i", "r", "space", number, "0", "Return")
      try agent.wait(at: "dir \(number)0", "accept")
    }
    for number in 21...23 {
      try step("Tab", to: "dir \(number)", answering: "accept", desktop, agent)
    }
    try desktop.press("Escape")
    try agent.wait(for: "cancelled")
    // The first that is told of since is what a key selects now.
    try desktop.press("Home")
    let next = try watch.line()
    #expect(next == "dir 1")
    _ = thunar
  }

  /// Says whenever something else is selected in a list what it is; lists tell one change several times.
  private static let watch = """
    import pyatspi
    told = None
    def name(node):
        # What was read of a row that had only come is kept.
        node.clear_cache()
        return node.name or next((name(part) for part in node if name(part)), "")
    def changed(event):
        global told
        chosen = event.source.querySelection()
        now = name(chosen.getSelectedChild(0)) if chosen.nSelectedChildren else "nothing"
        if now != told:
            told = now
            print(now)
    pyatspi.Registry.registerEventListener(changed, "object:selection-changed")
    print("ready")
    pyatspi.Registry.start()
    """
}
