import RealPrograms
import Testing

@Suite("What a place says", .realPrograms(by: .test))
struct VerdictTests {
  @Test("H13 K10: a folder refuses itself and what lies in it, and says so")
  func ownDescendant() throws {
    let stage = try Stage("Inbox/Sorted/Deep/x.txt", "Docs/")
    let run = try stage.files(
      "Inbox", "Docs", keys: #"space f8 "sorted" enter escape"#)
    let place = try #require(run.records.every("drop-point").last, "\(run)")
    #expect(place.argument("verdict") == "refuse")
    #expect(place.argument("reason") == "own-descendant")
    let refused = try #require(run.first("refused"))
    #expect(refused.argument("reason") == "own-descendant")
    #expect(refused.text.hasSuffix("Still held."))
    #expect(stage.tree == ["Inbox/Sorted/Deep/x.txt": "Inbox/Sorted/Deep/x.txt"])
    #expect(run.status == 1)
  }

  @Test("H13 K10: an opened folder inside what is carried refuses too")
  func deepDescendant() throws {
    let stage = try Stage("Inbox/Sorted/Deep/x.txt", "Docs/")
    let run = try stage.files(
      "Inbox", "Docs", "Inbox/Sorted", keys: #"space f8 "deep" enter escape"#)
    #expect(run.first("refused")?.argument("reason") == "own-descendant", "\(run)")
  }

  @Test("H13 K10: a drop that changes nothing is refused as the same place")
  func samePlace() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: #"space f8 "inbox" enter escape"#)
    let place = try #require(run.records.every("drop-point").last)
    #expect(place.argument("reason") == "same-place", "\(run)")
    #expect(place.text.contains("refuses, it is there already"))
    #expect(run.first("refused")?.argument("reason") == "same-place")
  }

  @Test(
    "H13: a folder that may not be written refuses with the reason",
    .enabled(if: OrdinaryUser.isPossible, "root is bound by no permissions"))
  func notPermitted() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/Locked/", isOrdinary: true)
    stage.permit(0o500, "Docs/Locked")
    let run = try stage.files("Inbox", "Docs", keys: #"space f8 "locked" enter escape"#)
    #expect(run.records.every("drop-point").last?.argument("reason") == "not-permitted", "\(run)")
    #expect(
      run.first("refused")?.text
        == "Locked refuses. Not permitted. Its owner can change that. Still held.")
  }

  @Test("H13: without F8 the walk leaves out what refuses, type-ahead finds it all the same")
  func walkLeavesOut() throws {
    let stage = try Stage("Inbox/Sorted/", "Inbox/Archive/", "Docs/")
    let run = try stage.files(
      "Inbox", "Docs", keys: #""sorted" space tab tab tab shift+tab "sorted" escape"#)
    let names = run.records.every("drop-point").compactMap { $0.argument("name")?.description }
    #expect(names.last == "Sorted", "\(run)")
    #expect(!names.dropLast().contains("Sorted"))
    #expect(run.first("picked-up")?.argument("points") == 2)
  }

  @Test("H13: with F8 Tab visits what refuses as well, with the reason")
  func toggleRefusing() throws {
    let stage = try Stage("Inbox/Sorted/", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: "space f8 home tab tab escape")
    #expect(run.first("mode")?.argument("on") == true)
    let reasons = run.records.after(command: "toggle-refusing").every("drop-point")
      .compactMap { $0.argument("reason")?.description }
    #expect(Set(reasons) == ["same-place", "own-descendant"], "\(run)")
  }

  @Test("K13: a place that refuses at the drop keeps everything held, and says why")
  func askedAgain() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/Letters/")
    let run = try stage.live("Inbox", "Docs")
    run.type(#"space "letters""#)
    try run.wait("letters") { $0.id == "drop-point" && $0.argument("name") == "Letters" }
    // A clash that came up only after the place was said is asked about, not written over.
    try stage.make("Docs/Letters/a.txt", "came in between")
    run.type("enter")
    let question = try run.wait(for: "confirm")
    #expect(question.argument("reason") == "name-exists")
    let ended = try run.finish()
    #expect(stage.read("Docs/Letters/a.txt") == "came in between")
    #expect(ended.ids.last == "cancelled")
  }

  @Test(
    "K13: a folder that was locked after it was said refuses the drop",
    .enabled(if: OrdinaryUser.isPossible, "root is bound by no permissions"))
  func lockedInBetween() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/Letters/", isOrdinary: true)
    let run = try stage.live("Inbox", "Docs")
    run.type(#"space "letters""#)
    try run.wait("letters") { $0.id == "drop-point" && $0.argument("name") == "Letters" }
    stage.permit(0o500, "Docs/Letters")
    run.type("enter")
    #expect(try run.wait(for: "refused").argument("reason") == "not-permitted")
    run.type("f2")
    #expect(try run.wait(for: "holding").argument("count") == 1)
    let ended = try run.finish()
    #expect(ended.status == 1)
    #expect(stage.list("Docs/Letters").isEmpty)
    #expect(stage.exists("Inbox/a.txt"))
  }
}
