import RealPrograms
import Testing

/// Keys that are held down and names that are not found: nothing that nobody meant is done.
@Suite("Keys that nobody meant", .realPrograms(by: .test))
struct HeldKeyTests {
  private static let sixty = String(repeating: "enter ", count: 60)

  @Test(
    "K25: sixty Enters move nothing, whatever was opened before them",
    arguments: ["", "down", "f9", "f9 down", "enter down"])
  func enters(before: String) throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/Letters/")
    let tree = stage.tree
    let run = try stage.files("Inbox", "Docs", keys: before + " " + Self.sixty)
    #expect(stage.tree == tree, "\(run)")
    #expect(run.records.deliveries.isEmpty, "\(run)")
  }

  @Test("K25: after a drop sixty Enters drop nothing more")
  func afterDrop() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/")
    let tree = stage.tree
    let run = try stage.files("Inbox", "Docs", keys: "space " + Self.sixty)
    #expect(stage.tree == tree.merging(["Docs/a.txt": "Inbox/a.txt"]) { $1 }, "\(run)")
  }

  @Test("K13: a name in a script that nothing has drops nothing, and ends it with status 66")
  func missed() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/", "Work/")
    let tree = stage.tree
    let run = try stage.files(
      "Inbox", "Docs", "Work", keys: #""a.txt" space "dosc" enter "b.txt" space enter"#)
    #expect(run.status == 66, "\(run)")
    #expect(stage.tree == tree, "\(run)")
    #expect(run.records.every("no-match").count == 1, "\(run)")
    #expect(run.records.every("cancelled").count == 1, "\(run)")
    #expect(run.records.every("picked-up").count == 1, "\(run)")

    let other = try stage.files("Inbox", "Docs", keys: #""c.txt" space "docs" enter"#)
    #expect(other.status == 66 && stage.tree == tree, "\(other)")
  }

  @Test("K13: a name that may miss leaves the script where it is")
  func mayMiss() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/", "Work/")
    let run = try stage.files("Inbox", "Docs", "Work", keys: #"space ?"dosc" enter"#)
    #expect(run.status == 0, "\(run)")
    #expect(stage.read("Docs/a.txt") == "Inbox/a.txt", "\(run)")
  }
}
