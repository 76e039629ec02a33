import RealPrograms
import Testing

@Suite("After a drop", .realPrograms(by: .test))
struct LandingTests {
  @Test(
    "H22 K22: focus is at the source's next item, so that many things are sorted one after the other"
  )
  func sorting() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Inbox/c.txt", "Inbox/Sorted/")
    let run = try stage.files("Inbox", keys: #""a.txt" space enter space enter space enter"#)
    #expect(run.status == 0, "\(run)")
    #expect(stage.list("Inbox/Sorted") == ["a.txt", "b.txt", "c.txt"])
    #expect(run.said.contains("Moved a.txt to Sorted. Now at b.txt."))
  }

  @Test("H22: what landed is selected at the target, and one key goes there")
  func goesThere() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/x.txt")
    let run = try stage.files(
      "Inbox", "Docs", keys: "ctrl+a space enter @delivered ctrl+g down")
    let after = run.records.after(command: "go-to-landed")
    #expect(after.ids.prefix(2) == ["ready", "item"], "\(run)")
    #expect(after.every("item").map { $0.argument("selected") } == [true, true])
    #expect(after.every("item").map { $0.argument("name") } == ["a.txt", "b.txt"])
    #expect(after.states.contains { $0["container"] == "Docs" })
  }

  @Test("H22: after a move the source's marks are gone with what was marked")
  func marksFollow() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Inbox/c.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: "ctrl+t down ctrl+t f6 enter f2")
    #expect(run.status == 0, "\(run)")
    #expect(run.records.states.last?["selected"] == [])
    #expect(run.records.states.last?["item"] == "c.txt")
  }

  @Test("H22: after a copy the source's marks are gone, so that the next pick-up is of one file")
  func copyUnmarks() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: "ctrl+t space enter f2")
    #expect(run.records.states.last?["selected"] == [], "\(run)")
  }

  @Test("K22: after a cancel, focus is at the source")
  func afterCancel() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/Letters/")
    let run = try stage.files("Inbox", "Docs", keys: "down space tab escape f2")
    #expect(run.said.last == "b.txt, 2 of 2", "\(run)")
  }

  @Test("H22: what landed in a folder inside is shown there")
  func inside() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/Sorted/Deep/")
    let run = try stage.files("Inbox", keys: #""a.txt" space right enter ctrl+g"#)
    #expect(run.said.suffix(2) == ["Deep, 1 file.", "a.txt, selected, 1 of 1"], "\(run)")
  }

  @Test("K16: going to what landed before anything has is answered")
  func nothingLanded() throws {
    let stage = try Stage("Inbox/a.txt")
    let run = try stage.files("Inbox", keys: "ctrl+g")
    #expect(run.said.last == "Nothing has landed yet.", "\(run)")
  }
}
