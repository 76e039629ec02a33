import RealPrograms
import Testing

@Suite("Picking up", .realPrograms(by: .test))
struct PickUpTests {
  @Test("H11 K01: the pick-up is said first and the first place after it, and nothing between")
  func firstThings() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: "space escape")
    let after = run.records.after(command: "pick-up")
    #expect(after.ids == ["picked-up", "drop-point", "cancelled"], "\(run)")
    #expect(after.first("picked-up")?.isAssertive == true)
  }

  @Test("H11: what is held and where one is can be asked at any time", arguments: ["f2", "space"])
  func asksWhatIsHeld(key: String) throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: "ctrl+a space \(key) escape")
    let holding = try #require(run.first("holding"), "\(run)")
    #expect(holding.text == "Docs: copy. Holding a.txt and b.txt.")
    #expect(holding.argument("count") == 2)
    #expect(holding.argument("dropPoint") == "Docs")
    #expect(holding.argument("operation") == "copy")
  }

  @Test("H11: while browsing, the same key says where one is")
  func whereWhileBrowsing() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt")
    let run = try stage.files("Inbox", keys: "down f2")
    #expect(run.said.suffix(2) == ["Inbox, 2 files.", "b.txt, 2 of 2"], "\(run)")
  }

  @Test("H12: the make-up of a group is said at the pick-up")
  func makeUp() throws {
    let stage = try Stage("Inbox/Sorted/", "Inbox/a.txt", "Inbox/b.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: "ctrl+a space escape")
    let picked = try #require(run.first("picked-up"))
    #expect(picked.text.hasPrefix("Picked up 1 folder, 2 text files."), "\(run)")
  }

  @Test(
    "H12: beside files that are told by what is in them, the rest are other files",
    arguments: [
      (["a.txt", "b.txt", "c.pdf"], "Picked up 2 text files, 1 other file."),
      (["a.pdf", "b.png", "c.zip"], "Picked up 2 other files, 1 picture."),
      (["a.pdf", "c.zip"], "Picked up 2 files."),
    ])
  func otherFiles(names: [String], words: String) throws {
    let stage = try Stage("Docs/")
    for name in names { try stage.make("Inbox/" + name) }
    let run = try stage.files("Inbox", "Docs", keys: "ctrl+a space escape")
    #expect(run.first("picked-up")?.text.hasPrefix(words) == true, "\(run)")
  }

  @Test("H12: what would be in the way is said once at the place, and what landed afterwards")
  func prediction() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/a.txt")
    let run = try stage.files("Inbox", "Docs", keys: "space enter enter")
    let place = try #require(run.first("drop-point"))
    #expect(place.argument("result") == "a.txt exists there.", "\(run)")
    #expect(place.text.contains("a.txt exists there."))
    #expect(run.records.said.filter { $0.contains("exists there") }.count == 1)
    #expect(run.last("delivered")?.text.contains("It is named a (2).txt there.") == true, "\(run)")
    #expect(stage.read("Docs/a (2).txt") == "Inbox/a.txt")
    #expect(stage.read("Docs/a.txt") == "Docs/a.txt")
  }

  @Test("K05: in a folder of files alone a new one in it is a place, and the trash comes behind it")
  func filesAlone() throws {
    let stage = try Stage("Inbox/a.txt")
    let run = try stage.files("Inbox", keys: "space tab escape")
    #expect(run.first("picked-up")?.text.hasPrefix("Picked up a.txt. 1 place.") == true)
    let places = run.records.announcements.filter { $0.id == "drop-point" }.map(\.text)
    #expect(places.first?.hasPrefix("New folder in Inbox…") == true, "\(places)")
    #expect(places.last?.hasPrefix("Trash") == true, "\(places)")
    #expect(run.last("nothing-accepts") == nil)
  }

  @Test(
    "K05: where nothing accepts it is said at once, with what can be done, and no mode is entered")
  func nothingAccepts() throws {
    let stage = try Stage("Inbox/a.txt", isOrdinary: true)
    stage.permit(0o555, "Inbox")
    let run = try stage.files("Inbox", keys: "space down")
    let said = try #require(run.first("nothing-accepts"), "\(run)")
    #expect(said.text == "No place here accepts this item. Open another folder first.")
    #expect(said.isAssertive)
    #expect(run.records.states.last?["phase"] == "browsing")
    #expect(run.ids.last == "edge")
    #expect(run.status == 0)
  }

  @Test("K05: in an empty folder there is nothing to pick up")
  func emptyFolder() throws {
    let stage = try Stage("Inbox/")
    let run = try stage.files("Inbox", keys: "space down")
    #expect(run.ids == ["ready", "nothing-to-pick-up", "empty"], "\(run)")
  }
}
