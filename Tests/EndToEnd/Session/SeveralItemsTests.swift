import RealPrograms
import Testing

@Suite("Several items at once", .realPrograms(by: .test))
struct SeveralItemsTests {
  @Test("H07: the count is spoken and all arrive, in order", arguments: [1, 2, 1000])
  func countIsSpoken(count: Int) throws {
    let stage = try Stage("Docs/")
    for number in 0..<count { try stage.make("Inbox/file\(number).txt", "") }
    let run = try stage.files("Inbox", "Docs", keys: "ctrl+a space enter")
    #expect(run.status == 0, "\(run.errors)")
    let picked = try #require(run.first("picked-up"))
    #expect(picked.argument("count") == .number(count))
    let delivered = try #require(run.last("delivered"))
    #expect(delivered.argument("count") == .number(count))
    if count > 1 {
      let number = count == 1000 ? "1,000" : "\(count)"
      #expect(picked.text.hasPrefix("Picked up \(number) text files."))
    }
    #expect(stage.list("Docs").count == count)
    #expect(stage.list("Inbox").count == count)
    #expect(run.records.finished.first?["delivered"] == .number(count))
  }

  @Test("H07: names are carried in the order they were marked")
  func order() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Inbox/c.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: "end ctrl+t home ctrl+t space escape")
    #expect(run.first("picked-up")?.argument("names") == ["c.txt", "a.txt"], "\(run)")
  }

  @Test("K11: a marked item takes all marked, an unmarked one only itself")
  func marks() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Inbox/c.txt", "Docs/")
    let run = try stage.files(
      "Inbox", "Docs", keys: "ctrl+t down ctrl+t space escape end space escape")
    #expect(
      run.records.every("picked-up").map { $0.argument("names") }
        == [["a.txt", "b.txt"], ["c.txt"]], "\(run)")
  }

  @Test("K11: a marked child of a marked folder is not taken twice")
  func childOfMarkedFolder() throws {
    let stage = try Stage("Inbox/Sorted/inner.txt", "Inbox/a.txt", "Docs/")
    let run = try stage.files(
      "Inbox", "Docs", keys: #"right ctrl+t left ctrl+t space "docs" enter"#)
    #expect(run.first("picked-up")?.argument("count") == 1, "\(run)")
    #expect(stage.list("Docs") == ["Sorted"])
    #expect(run.records.finished.first?["items"] == 1)
  }

  @Test("K11: marks that no longer exist are not counted")
  func vanishedMarks() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Inbox/c.txt", "Docs/")
    let run = try stage.live("Inbox", "Docs")
    run.type("ctrl+a")
    try run.wait(for: "selected")
    try stage.remove("Inbox/c.txt")
    try run.wait(for: "vanished")
    run.type("space")
    #expect(try run.wait(for: "picked-up").argument("count") == 2)
    _ = try run.finish()
  }

  @Test("H29: one key picks up the item in focus, with nothing selected first")
  func oneKey() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: "space")
    #expect(run.ids == ["ready", "picked-up", "drop-point", "cancelled"], "\(run)")
    #expect(run.first("picked-up")?.argument("names") == ["a.txt"])
  }
}
