import Glibc
import PrivateDesktop
import RealPrograms
import Testing
import Thorough

/// Many files at a time: none may be lost on the way without a word.
@Suite(
  "keydrag desktop, with many files", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct ManyFilesTests {
  @Test("H07 A hundred selected files are picked up and land, though only some of them are shown")
  func hundred() throws {
    let desktop = try DesktopStage("Inbox/", "Docs/Inner/")
    let names = (101...200).map { "\($0).txt" }
    for name in names { try desktop.stage.make("Inbox/" + name) }
    let thunar = try desktop.thunar(("Docs", "Inner"), ("Inbox", "101.txt"))
    let agent = try desktop.agent()
    try desktop.activate("Inbox")
    // A key that moves nowhere would leave no row with the focus, and keys that come before the rows
    // do nothing.
    var isSelected = false
    for _ in 0..<4 where !isSelected {
      try desktop.press("End", "Home", "ctrl+a")
      isSelected =
        (try? desktop.wait(for: "102.txt", in: "Inbox", isSelected: true, within: 5)) != nil
    }
    try #require(isSelected)
    try desktop.press("ctrl+alt+space")
    let pickedUp = try agent.wait("an answer to the chord") {
      $0.id == "picked-up" || $0.id == "nothing-to-pick-up"
    }
    #expect(pickedUp.argument("count") == 100, "\(pickedUp)")
    try agent.wait("a place") { $0.id == "drop-point" }
    try desktop.press("Next")
    try agent.wait(at: "Docs folder view")
    try desktop.press("Return")
    let end = try agent.wait("an outcome") {
      $0.kind == "delivery" && $0["stage"] == "finished"
    }
    #expect(end["delivered"] == 100, "\(end)")
    #expect(names.allSatisfy { desktop.stage.read("Docs/" + $0) == "Inbox/" + $0 })
    _ = thunar
  }

  @Test(
    "H07, H14, H08 Files that keep Thunar too busy to answer land, are seen, and come back",
    .thorough)
  func thousand() throws {
    let desktop = try DesktopStage("Inbox/", "Docs/Inner/")
    let names = (1001...1500).map { "Inbox/\($0).txt" }
    for name in names { try desktop.stage.make(name) }
    let thunar = try desktop.thunar(("Docs", "Inner"))
    let before = desktop.stage.tree
    let run = try desktop.stage.run(
      ["drop"] + names + ["--onto", "Docs folder view", "--speech", "off"], transcript: true)
    #expect(run.status == 0, "\(run.errors) \(run.records)")
    let end = try #require(run.records.finished.first, "\(run.records)")
    #expect(end["delivered"] == 500 && end["verified"] == true, "\(end)")
    #expect(desktop.stage.list("Docs").count == 501)
    #expect(try desktop.run("undo").status == 0)
    #expect(desktop.stage.tree == before)
    _ = thunar
  }
}
