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
  private func stage() throws -> (DesktopStage, KeptProcess) {
    let desktop = try DesktopStage("new.txt")
    for number in 1...60 {
      try desktop.stage.make("Docs/dir \(number)/")
      try desktop.stage.make("Docs/file \(number)")
    }
    return (desktop, try desktop.thunar(("Docs", "dir 1")))
  }

  @Test("H01, H13: are places in the order of the list, each once, and files are none")
  func listed() throws {
    let (desktop, thunar) = try stage()
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
    try pickUp("file 60", desktop, agent)
    try agent.wait(at: "Docs folder view", "refuse")
    try desktop.press("F4")
    try agent.wait(for: "finding")
    try desktop.press("d", "i", "r", "space", "4", "0", "Return")
    let found = try agent.wait(at: "dir 40", "accept")
    #expect(found.argument("index") == 41, "\(found)")
    try desktop.press("Tab")
    try agent.wait(at: "dir 41", "accept")
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "dir 41")
    #expect(desktop.stage.read("Docs/dir 41/file 60") == "Docs/file 60")
    #expect(desktop.stage.read("Docs/file 60") == nil)
    _ = thunar
  }
}
