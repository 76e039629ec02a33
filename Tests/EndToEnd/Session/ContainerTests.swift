import RealPrograms
import Testing

@Suite("Within and between containers", .realPrograms(by: .test))
struct ContainerTests {
  @Test(
    "H01 H02: inside one container an item moves, and both the place and its container are said")
  func movesWithin() throws {
    let stage = try Stage("Inbox/notes.txt", "Inbox/Sorted/", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: #""notes" space "sorted" enter"#)
    #expect(run.status == 0, "\(run)")
    let place = try #require(run.last("drop-point"))
    #expect(place.argument("operation") == "move")
    #expect(place.argument("container") == "Inbox")
    #expect(run.first("drop-point")?.text.hasPrefix("Sorted, in Inbox: move.") == true)
    // It is the same container still.
    #expect(place.text.hasPrefix("Sorted: move."))
    #expect(stage.tree == ["Inbox/Sorted/notes.txt": "Inbox/notes.txt"])
  }

  @Test("H01 H02: into another container an item is copied, and copy is said before the drop")
  func copiesBetween() throws {
    let stage = try Stage("Inbox/notes.txt", "Inbox/Sorted/", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: #""notes" space "docs" enter"#)
    #expect(run.status == 0, "\(run)")
    let place = try #require(run.last("drop-point"))
    #expect(place.argument("operation") == "copy")
    #expect(place.text.hasPrefix("Docs: copy."))
    #expect(run.last("delivered")?.text.hasPrefix("Copied notes.txt to Docs.") == true)
    #expect(stage.tree["Docs/notes.txt"] == "Inbox/notes.txt")
    #expect(stage.tree["Inbox/notes.txt"] == "Inbox/notes.txt")
  }

  @Test("H01: a folder in another container is said with that container")
  func saysTheOtherContainer() throws {
    let stage = try Stage("Inbox/notes.txt", "Docs/Letters/")
    let run = try stage.files("Inbox", "Docs", keys: #""notes" space "letters" enter"#)
    let place = try #require(run.last("drop-point"))
    #expect(place.text.hasPrefix("Letters: copy."))
    #expect(
      run.records.states.contains { $0["dropPoint"] == "Letters" && $0["container"] == "Docs" })
    #expect(stage.tree["Docs/Letters/notes.txt"] == "Inbox/notes.txt")
  }

  @Test("K02: the walk has the registry's order, the same each time, with the trash outside it")
  func sameOrderEachTime() throws {
    let stage = try Stage("Inbox/Sorted/", "Inbox/Archive/", "Inbox/notes.txt", "Docs/Letters/")
    let walk = #"space tab tab tab tab tab tab escape "#
    let run = try stage.files("Inbox", "Docs", keys: #""notes" "# + walk + walk)
    let walked = run.records.every("drop-point").compactMap { $0.argument("name")?.description }
    let once = [
      "Archive", "Sorted", "Docs", "Letters", "New folder in Inbox…", "New folder in Docs…",
      "Trash",
    ]
    #expect(walked == once + once)
    #expect(run.first("picked-up")?.argument("points") == 4)
  }

  @Test("K02: an enclosing container that accepts comes first")
  func enclosingFirst() throws {
    let stage = try Stage("Inbox/Sorted/notes.txt", "Inbox/Archive/", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: #""sorted" right space escape"#)
    #expect(run.first("drop-point")?.argument("name") == "Inbox", "\(run)")
  }

  @Test("K03: past the last and before the first comes the source, and a drop there cancels")
  func sourceAtTheEnds() throws {
    let stage = try Stage("Inbox/notes.txt", "Docs/")
    let after = try stage.files("Inbox", "Docs", keys: "space tab tab tab tab enter")
    #expect(after.ids.contains("back-at-source"), "\(after)")
    #expect(after.ids.last == "cancelled")
    #expect(after.status == 0)
    let before = try stage.files("Inbox", "Docs", keys: "space shift+tab enter")
    #expect(before.ids.suffix(2) == ["back-at-source", "cancelled"], "\(before)")
    #expect(stage.tree == ["Inbox/notes.txt": "Inbox/notes.txt"])
  }
}
