import RealPrograms
import Testing

@Suite("Wishing for an operation", .realPrograms(by: .test))
struct WishTests {
  @Test("H18: copy, move and link can be switched until the drop, and the last state counts")
  func lastStateCounts() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: "space f7 f5 f6 enter")
    #expect(run.status == 0, "\(run)")
    #expect(run.records.every("operation").map(\.text) == ["Link.", "Copy.", "Move."])
    #expect(run.records.finished.first?["operation"] == "move")
    #expect(stage.tree == ["Docs/a.txt": "Inbox/a.txt"])
  }

  @Test("H18: the same key again restores the usual operation, and says which it is")
  func restores() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: "space f6 f6 enter")
    #expect(
      run.records.every("operation").map(\.text) == ["Move.", "As usual here: copy."], "\(run)")
    #expect(stage.tree == ["Inbox/a.txt": "Inbox/a.txt", "Docs/a.txt": "Inbox/a.txt"])
  }

  @Test("H18: a wish holds for the places that follow")
  func holds() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/Letters/")
    let run = try stage.files("Inbox", "Docs", keys: "space f7 tab enter")
    #expect(run.last("drop-point")?.text.hasPrefix("Letters: link.") == true, "\(run)")
    #expect(stage.tree["Docs/Letters/a.txt"] == "-> Inbox/a.txt")
  }

  @Test("K12: a wish that can't be had here is answered, not ignored")
  func impossible() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: #"space f5 "inbox" f6 enter escape"#)
    let answer = try #require(run.first("operation-unavailable"), "\(run)")
    #expect(answer.argument("operation") == "move")
    #expect(answer.argument("reason") == "same-place")
    #expect(answer.text == "Can't move here. It is there already.")
    #expect(run.ids.contains("refused"))
    #expect(stage.tree == ["Inbox/a.txt": "Inbox/a.txt"])
  }

  @Test(
    "H13: what may not be read or taken away begins nothing, and a command ends with 77",
    .enabled(if: OrdinaryUser.isPossible, "root is bound by no permissions"))
  func nothingBegun() throws {
    let stage = try Stage("Inbox/a.txt", "Locked/b.txt", "Docs/", isOrdinary: true)
    stage.permit(0, "Inbox/a.txt")
    stage.permit(0o500, "Locked")
    #expect(try stage.run("copy", "Inbox/a.txt", "--to", "Docs").status == 77)
    #expect(try stage.run("move", "Locked/b.txt", "--to", "Docs").status == 77)
    #expect(stage.list("Docs").isEmpty)
  }

  @Test(
    "K12: what may not be taken away may still be copied",
    .enabled(if: OrdinaryUser.isPossible, "root is bound by no permissions"))
  func sourceAllowsOnlyCopy() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/", isOrdinary: true)
    stage.permit(0o500, "Inbox")
    let moved = try stage.files("Inbox", "Docs", keys: "space f6 escape")
    #expect(moved.first("operation-unavailable")?.argument("operation") == "move", "\(moved)")
    let copied = try stage.files("Inbox", "Docs", keys: "space enter")
    #expect(copied.status == 0, "\(copied)")
    #expect(stage.list("Docs") == ["a.txt"])
  }

  @Test(
    "H06: what may not be read is not moved because it can't be copied",
    .enabled(if: OrdinaryUser.isPossible, "root is bound by no permissions"),
    arguments: [#"space "docs" enter"#, "space f5 enter", "space f6 f5 enter"])
  func copyIsNoMove(keys: String) throws {
    let stage = try Stage("Inbox/a.txt", "Docs/", isOrdinary: true)
    stage.permit(0, "Inbox/a.txt")
    let run = try stage.files("Inbox", "Docs", keys: keys)
    #expect("\(run)".contains("You may not read it."), "\(run)")
    #expect(stage.list("Docs").isEmpty && stage.list("Inbox") == ["a.txt"], "\(run)")
    let moved = try stage.files("Inbox", "Docs", keys: "f6 enter")
    #expect(stage.list("Docs") == ["a.txt"], "\(moved)")
  }
}
