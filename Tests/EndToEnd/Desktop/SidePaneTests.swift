import Glibc
import PrivateDesktop
import RealPrograms
import Testing
import Thorough

/// Places that a file manager shows by a name alone: its trash, and the person's own folders.
@Suite(
  "The side pane of a file manager", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct SidePaneTests: AgentSteps {
  /// A window of the file manager, whose home, trash and bookmarks are those of KeyDrag.
  private func stage(bookmarking folder: String) throws -> (DesktopStage, KeptProcess) {
    let desktop = try DesktopStage("Docs/Inner/", "Work/Sorted/", "Work/other.txt", "new.txt")
    try desktop.shareHome(bookmarking: folder, as: "Desk")
    return (desktop, try desktop.thunar(("Docs", "Inner")))
  }

  @Test("H06, H08, H14: what is dropped on Thunar's trash is seen to be there, and comes back")
  func trash() throws {
    let (desktop, thunar) = try stage(bookmarking: "Work")
    let before = desktop.stage.tree
    let run = try desktop.run("drop", "new.txt", "--onto", "Trash folder")
    #expect(run.status == 0, "\(run)")
    let end = try #require(run.records.finished.first)
    #expect(end["operation"] == "remove" && end["outcome"] == "delivered", "\(run)")
    #expect(end["verified"] == true, "\(run)")
    #expect(!run.output.contains("undone"), "\(run)")
    #expect(desktop.stage.tree["new.txt"] == nil)
    let undo = try desktop.run("undo")
    #expect(undo.status == 0, "\(undo)")
    #expect(desktop.stage.tree == before)
    _ = thunar
  }

  @Test(
    "H12, H18: what lies in Thunar's trash is picked up by its name, and moved out of it",
    .enabled("needs gvfs") { access("/usr/libexec/gvfsd-trash", X_OK) == 0 })
  func outOfTrash() throws {
    let (desktop, thunar) = try stage(bookmarking: "Work")
    #expect(try desktop.run("drop", "new.txt", "--onto", "Trash folder").status == 0)
    let window = try desktop.desktop.start(["/usr/bin/thunar", "trash:///"])
    try desktop.wait(for: "new.txt", in: "Trash")
    let agent = try desktop.agent()
    try desktop.activate("Trash")
    try desktop.press("ctrl+a")
    try desktop.wait(for: "new.txt", in: "Trash", isSelected: true)
    try pickUp("new.txt", in: "Trash", desktop, agent)
    let place = try step("Next", to: "Docs folder view", desktop, agent)
    #expect(place.text.contains("Perhaps can't be undone."), "\(place)")
    try desktop.press("F6")
    try agent.wait(for: "operation", "operation", "move")
    // By the row that has come.
    let end = try drop(at: "Docs", desktop, agent)
    #expect(end.text == "Moved new.txt to Docs, in Thunar.", "\(end)")
    #expect(desktop.stage.tree["Docs/new.txt"] == "new.txt")
    _ = (thunar, window)
  }

  @Test(
    "H01, H08: a bookmark is the folder that it leads to: what lands there is seen, and comes back",
    arguments: Thorough.cases(ordinarily: 1, of: ["move", "copy"]))
  func bookmark(operation: String) throws {
    let (desktop, thunar) = try stage(bookmarking: "Work")
    let before = desktop.stage.tree
    let run = try desktop.run("drop", "new.txt", "--onto", "Desk folder", "--" + operation)
    #expect(run.status == 0, "\(run)")
    let end = try #require(run.records.finished.first)
    #expect(end["operation"] == .text(operation) && end["verified"] == true, "\(run)")
    #expect(!run.output.contains("undone"), "\(run)")
    var after = before.merging(["Work/new.txt": "new.txt"]) { $1 }
    if operation == "move" { after["new.txt"] = nil }
    #expect(desktop.stage.tree == after)
    let undo = try desktop.run("undo")
    #expect(undo.status == 0, "\(undo)")
    #expect(desktop.stage.tree == before)
    _ = thunar
  }

  @Test("H01, H04, H08: two bookmarks with one name are told apart by where their folders lie")
  func twins() throws {
    let desktop = try DesktopStage(
      "Docs/Inner/", "Work/Reports/old.txt", "Home/Reports/old.txt", "new.txt")
    try desktop.shareHome(bookmarking: "Work/Reports", "Home/Reports", as: "Reports")
    let thunar = try desktop.thunar(("Docs", "Inner"))
    let before = desktop.stage.tree
    for folder in ["Home", "Work"] {
      let run = try desktop.run("drop", "new.txt", "--onto", "Reports folder in \(folder)")
      #expect(run.status == 0, "\(run)")
      #expect(run.records.finished.first?["verified"] == true, "\(run)")
      #expect(
        desktop.stage.tree == before.merging(["\(folder)/Reports/new.txt": "new.txt"]) { $1 })
      #expect(try desktop.run("undo").status == 0)
      #expect(desktop.stage.tree == before)
    }
    _ = thunar
  }

  @Test("H13, H12: a bookmark refuses what lies there already")
  func samePlace() throws {
    let (desktop, thunar) = try stage(bookmarking: "Work")
    let run = try desktop.run("drop", "Work/other.txt", "--onto", "Desk folder")
    #expect(run.status == 1, "\(run)")
    #expect(run.last("refused")?.argument("reason") == "same-place", "\(run)")
    _ = thunar
  }
}
