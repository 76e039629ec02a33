import RealPrograms
import Testing

@Suite("Some accepted, some not", .realPrograms(by: .test))
struct PartialTests {
  private func stage() throws -> Stage {
    try Stage("Inbox/Sorted/", "Inbox/a.txt", "Inbox/b.txt", "Docs/")
  }

  @Test("H27: how many are accepted is heard at the place, the names on request")
  func details() throws {
    let run = try stage().files("Inbox", "Docs", keys: #"ctrl+a space "sorted" ctrl+d escape"#)
    let place = try #require(run.last("drop-point"))
    #expect(place.argument("verdict") == "partial", "\(run)")
    #expect(place.argument("accepted") == 2)
    #expect(place.text.hasPrefix("Sorted: move only 2 of 3."))
    let details = try #require(run.first("details"))
    #expect(details.argument("accepted") == ["a.txt", "b.txt"])
    #expect(details.argument("refused") == ["Sorted"])
  }

  @Test("H27: a drop asks first, and the first choice keeps holding all")
  func keepsHolding() throws {
    let stage = try stage()
    let run = try stage.files("Inbox", "Docs", keys: #"ctrl+a space "sorted" enter enter escape"#)
    #expect(run.first("confirm")?.text == "Sorted takes 2 of 3.", "\(run)")
    #expect(run.first("declined")?.text == "Still holding 3 items.")
    #expect(stage.list("Inbox/Sorted").isEmpty)
  }

  @Test("H27: the accepted ones alone can be dropped, the others stay")
  func dropsAccepted() throws {
    let stage = try stage()
    let run = try stage.files("Inbox", "Docs", keys: #"ctrl+a space "sorted" enter down enter"#)
    #expect(run.status == 0, "\(run)")
    #expect(run.last("choice")?.text == "Drop the 2 accepted, 1 stays where it is. 2 of 2")
    #expect(stage.list("Inbox/Sorted") == ["a.txt", "b.txt"])
    #expect(stage.list("Inbox") == ["Sorted"])
  }

  @Test("H27: a folder that is carried with what it may not take goes back to carrying on Escape")
  func escapeFromQuestion() throws {
    let run = try stage().files("Inbox", "Docs", keys: #"ctrl+a space "sorted" enter escape f2"#)
    #expect(run.last("holding")?.argument("count") == 3, "\(run)")
  }
}
