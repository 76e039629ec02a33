import RealPrograms
import Testing

@Suite("Gathering", .realPrograms(by: .test))
struct BasketTests {
  @Test("H23: items from two containers are gathered while carrying, with a running count")
  func gathers() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/b.txt", "Far/")
    let run = try stage.files(
      "Inbox", "Docs", "Far", keys: #"space ctrl+t tab "b.txt" space "far" enter"#)
    #expect(run.status == 0, "\(run)")
    #expect(run.first("added")?.text == "b.txt added, 2 items held.")
    #expect(stage.list("Far") == ["a.txt", "b.txt"])
    #expect(run.records.finished.first?["items"] == 2)
  }

  @Test("H06: items from two containers are copied, even into one of them, for doubt means copy")
  func doubt() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/Sorted/", "Docs/b.txt")
    let run = try stage.files(
      "Inbox", "Docs", keys: #""a.txt" space ctrl+t tab space "sorted" enter"#)
    #expect(run.status == 0, "\(run)")
    #expect(run.records.finished.first?["operation"] == "copy")
    #expect(stage.list("Inbox/Sorted") == ["a.txt", "b.txt"])
    #expect(stage.exists("Inbox/a.txt") && stage.exists("Docs/b.txt"))
  }

  @Test("H23: Delete takes the last one out, and the last of all ends the carrying")
  func takesOut() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: "ctrl+a space delete delete down")
    #expect(run.first("removed")?.text == "b.txt taken out, 1 item held.", "\(run)")
    #expect(run.ids.contains("cancelled"))
    #expect(run.records.states.last?["phase"] == "browsing")
  }

  @Test("H23: marks survive leaving a folder, so that a basket spans folders")
  func basket() throws {
    let stage = try Stage("Inbox/Sorted/deep.txt", "Inbox/a.txt", "Docs/")
    let run = try stage.files(
      "Inbox", "Docs", keys: #"right ctrl+t left "a.txt" ctrl+t space "docs" enter"#)
    #expect(run.status == 0, "\(run)")
    #expect(stage.list("Docs") == ["a.txt", "deep.txt"])
  }

  @Test("K23: a second pick-up while carrying adds, and never starts a second session")
  func secondPickUp() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: "space :pick-up ctrl+t down space enter")
    #expect(run.records.every("picked-up").count == 1, "\(run)")
    #expect(run.first("holding")?.argument("count") == 1)
    #expect(run.first("added")?.argument("count") == 2)
    #expect(stage.list("Docs") == ["a.txt", "b.txt"])
  }

  @Test("K23: what is held already is not added twice, and that is said")
  func heldAlready() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: "space ctrl+t space ctrl+t escape")
    #expect(run.first("refused-to-add")?.argument("reason") == "already-held", "\(run)")
    #expect(run.first("refused-to-add")?.text == "a.txt was not added. It is held already.")
  }

  @Test("H23: Ctrl+T returns without adding, Escape cancels everything")
  func returns() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: "space ctrl+t down ctrl+t f2 ctrl+t escape")
    #expect(run.records.every("mode").map { $0.argument("on") } == [true, false, true], "\(run)")
    #expect(run.first("holding")?.argument("count") == 1)
    #expect(run.ids.last == "cancelled")
  }
}
