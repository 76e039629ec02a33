import RealPrograms
import Testing

/// The same transfer by every way there is, each in folders of its own.
enum Way: String, CaseIterable, CustomTestStringConvertible {
  case keys, commandLine, script, actions

  var testDescription: String { rawValue }
}

@Suite("Four ways to do the same", .realPrograms(by: .test))
struct AlternativeTests {
  private func transfer(_ operation: String, by way: Way, _ stage: Stage) throws -> KeydragRun {
    let key = ["copy": "f5", "move": "f6", "link": "f7"][operation] ?? ""
    let line = ["copy": 1, "move": 2, "link": 3][operation] ?? 0
    switch way {
    case .keys:
      return try stage.files("Inbox", "Docs", keys: #""notes" \#(key) "docs" enter"#)
    case .commandLine:
      return try stage.run(operation, "Inbox/notes.txt", "--to", "Docs")
    case .script:
      return try stage.files(
        "Inbox", "Docs", keys: #""notes" :\#(operation)-to "docs" :drop"#)
    case .actions:
      let down = String(repeating: " down", count: line)
      return try stage.files(
        "Inbox", "Docs", keys: #""notes" f9\#(down) enter "docs" enter"#)
    }
  }

  @Test(
    "H03: keys, command line, script and actions menu give one outcome, one record and one undo",
    arguments: ["copy", "move", "link"])
  func sameOutcome(operation: String) throws {
    var trees: Set<[String: String]> = []
    var records: Set<[String: Value]> = []
    var undone: Set<String> = []
    for way in Way.allCases {
      let stage = try Stage("Inbox/notes.txt", "Inbox/other.txt", "Docs/")
      let before = stage.tree
      let run = try transfer(operation, by: way, stage)
      #expect(run.status == 0, "\(way): \(run)")
      trees.insert(stage.tree)
      #expect(stage.tree != before, "\(way)")
      let record = try #require(run.records.finished.first, "\(way): \(run)")
      records.insert(record.fields.filter { $0.key != "seq" })
      let undo = try stage.run("undo")
      #expect(undo.status == 0, "\(way): \(undo)")
      undone.insert(try #require(undo.first("undone")).text)
      #expect(stage.tree == before, "\(way)")
    }
    #expect(trees.count == 1, "\(trees)")
    #expect(records.count == 1, "\(records)")
    #expect(undone.count == 1, "\(undone)")
  }

  @Test("H05: the actions menu moves to the trash without a session")
  func trashWithoutSession() throws {
    let stage = try Stage("Inbox/notes.txt", "Inbox/other.txt")
    let run = try stage.files("Inbox", keys: #""notes" f9 end enter"#)
    #expect(run.status == 0, "\(run)")
    #expect(!run.ids.contains("picked-up"))
    #expect(stage.trashed == ["notes.txt"])
    #expect(stage.tree == ["Inbox/other.txt": "Inbox/other.txt"])
  }

  @Test("H05: copy-to, move-to and link-to need no pick-up first, only the place")
  func wishFromBrowsing() throws {
    let stage = try Stage("Inbox/notes.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: "f6 enter")
    #expect(run.first("picked-up")?.argument("operation") == "move", "\(run)")
    #expect(stage.tree == ["Docs/notes.txt": "Inbox/notes.txt"])
  }

  @Test("H05: an enter on a file opens its actions")
  func enterOpensActions() throws {
    let stage = try Stage("Inbox/notes.txt", "Docs/")
    let run = try stage.files("Inbox", keys: "enter escape")
    #expect(run.ids.suffix(3) == ["confirm", "choice", "declined"], "\(run)")
  }

  @Test("H05: moving up and down is refused in words where there is no order")
  func noOrder() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt")
    let run = try stage.files("Inbox", keys: "alt+down alt+end")
    #expect(
      run.records.every("operation-unavailable").map { $0.argument("reason") }
        == ["not-ordered", "not-ordered"])
  }
}
