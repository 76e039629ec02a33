import FoundationEssentials
import PrivateDesktop
import RealPrograms
import Testing
import Thorough

/// Ways into and out of real programs beside a drag without a pointer.
@Suite(
  "Other routes, on a desktop", .realPrograms(by: .suite), .serialized, .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct RouteTests {
  @Test(
    "H03, H08, K10 Through Thunar's own Paste a file is copied and moved, checked on the disk, undone"
  )
  func paste() throws {
    let desktop = try DesktopStage("Docs/Inner/", "Docs/old.txt", "new.txt", "other.txt")
    try desktop.pasteIntoThunar()
    let thunar = try desktop.thunar(("Docs", "Inner"))
    let before = desktop.stage.tree
    // Paste would make a second one beside it.
    for wish in [[], ["--copy"], ["--move"]] {
      let there = try desktop.stage.run(
        ["drop", "Docs/old.txt", "--onto", "Docs", "--speech", "off"] + wish)
      #expect(there.status == 1, "\(there)")
      #expect(there.last("refused")?.argument("reason") == "same-place", "\(there)")
    }
    #expect(desktop.stage.tree == before)
    let copied = try desktop.run("drop", "new.txt", "--onto", "Docs")
    #expect(copied.status == 0, "\(copied)")
    #expect(desktop.stage.tree == before.merging(["Docs/new.txt": "new.txt"]) { $1 })
    let delivery = try #require(copied.records.finished.first)
    #expect(delivery["outcome"] == "delivered" && delivery["operation"] == "copy", "\(delivery)")
    #expect(delivery["route"] == "menu" && delivery["verified"] == true, "\(delivery)")
    #expect(try desktop.run("undo").status == 0)
    #expect(desktop.stage.tree == before)

    let moved = try desktop.run("drop", "other.txt", "--onto", "Docs", "--move")
    #expect(moved.status == 0, "\(moved)")
    #expect(moved.records.finished.first?["route"] == "menu", "\(moved)")
    #expect(desktop.stage.read("Docs/other.txt") == "other.txt")
    #expect(!desktop.stage.exists("other.txt"))
    _ = thunar
  }

  @Test(
    "H04, H07 Files selected among icons are picked up through the program's own Copy, also while the keys are held",
    arguments: Thorough.cases(ordinarily: 1, of: [true, false]))
  func icons(isHeld: Bool) throws {
    let desktop = try DesktopStage("Inbox/a.txt", "Inbox/b.txt", "Docs/Inner/")
    try desktop.desktop.chooseThunarView(.icons)
    let thunar = try desktop.desktop.start(["/usr/bin/thunar", desktop.stage.path("Inbox")])
    try desktop.activate("Inbox")
    let agent = try desktop.agent()
    var answer: Record?
    for _ in 0..<5 where answer?.id != "picked-up" {
      try desktop.press("ctrl+a")
      let chord = ["ctrl", "alt", "space"]
      try desktop.hand(
        "keydown", chord[0], "keydown", chord[1], "keydown", chord[2], "sleep",
        isHeld ? "0.4" : "0", "keyup", chord[2], "keyup", chord[1], "keyup", chord[0])
      answer = try agent.wait("an answer to the chord") {
        $0.id == "picked-up" || $0.id == "nothing-to-pick-up"
      }
    }
    #expect(answer?.argument("names") == ["a.txt", "b.txt"], "\(agent.records)")
    #expect(try desktop.activeWindow().first?.hasPrefix("Inbox") == true)
    _ = thunar
  }

  @Test(
    "H04, H07 Each time what is selected among icons now is picked up, and nothing where nothing is",
    arguments: Thorough.cases(ordinarily: 1, of: [PrivateDesktop.ThunarView.icons, .compact]))
  func iconsAgain(view: PrivateDesktop.ThunarView) throws {
    let desktop = try DesktopStage("Inbox/a.txt", "Inbox/b.txt", "Inbox/c.txt", "Docs/Inner/")
    try desktop.desktop.chooseThunarView(view)
    let thunar = try desktop.desktop.start(["/usr/bin/thunar", desktop.stage.path("Inbox")])
    try desktop.activate("Inbox")
    let agent = try desktop.agent()
    let selections: [(keys: [String], names: [Value])] = [
      (["ctrl+a"], ["a.txt", "b.txt", "c.txt"]), (["Home"], ["a.txt"]),
      (["End"], ["c.txt"]), (["shift+Home"], ["a.txt", "b.txt", "c.txt"]),
    ]
    for (keys, names) in selections {
      var answer: Record?
      for _ in 0..<5 where answer?.id != "picked-up" {
        for key in keys + ["ctrl+alt+space"] { try desktop.press(key) }
        answer = try agent.wait("an answer to the chord") {
          $0.id == "picked-up" || $0.id == "nothing-to-pick-up"
        }
      }
      #expect(answer?.argument("names") == .list(names), "\(agent.records)")
      try desktop.press("Escape")
      try agent.wait(for: "cancelled")
    }
    _ = thunar
  }
}
