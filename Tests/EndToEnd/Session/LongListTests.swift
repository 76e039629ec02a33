import RealPrograms
import Testing

@Suite("Long lists", .realPrograms(by: .test))
struct LongListTests {
  private func stage() throws -> Stage {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    for number in 1...200 {
      let digits = String(number)
      try stage.make("Docs/place" + String(repeating: "0", count: 3 - digits.count) + digits + "/")
    }
    return stage
  }

  @Test("H15: among 200 places one hears 48 of 200")
  func indexOfTotal() throws {
    let run = try stage().files("Inbox", "Docs", keys: #"space "place047" escape"#)
    let place = try #require(run.last("drop-point"))
    // Docs itself is the first of 201.
    #expect(place.argument("index") == 48, "\(run)")
    #expect(place.argument("total") == 201)
    #expect(place.text == "place047: copy. 48 of 201")
  }

  @Test("H15: while browsing too, by item, by page, by end and by name")
  func browsing() throws {
    let run = try stage().files(
      "Docs", "Inbox", keys: #""place048" down page-down page-up end home"#)
    let items = run.records.every("item").compactMap { $0.argument("name")?.description }
    #expect(
      items == ["place048", "place049", "place059", "place049", "place200", "place001"], "\(run)")
    #expect(run.first("item")?.text == "place048, folder, 48 of 200")
  }

  @Test("H15: the ends are said, and nothing moves there")
  func edges() throws {
    let run = try stage().files("Docs", keys: "up end down page-down home page-up")
    #expect(
      run.records.every("edge").map { $0.argument("which") } == ["first", "last", "last", "first"],
      "\(run)")
  }

  @Test("H15: type-ahead goes on with each letter, one letter again goes to the next match")
  func typeAhead() throws {
    let stage = try Stage("Inbox/ab.txt", "Inbox/ba.txt", "Inbox/bb.txt", "Inbox/bc.txt")
    let run = try stage.files("Inbox", keys: "b b b up b c x backspace backspace")
    let names = run.records.every("item").compactMap { $0.argument("name")?.description }
    #expect(names.prefix(4) == ["ba.txt", "bb.txt", "bc.txt", "bb.txt"], "\(run)")
    #expect(run.first("no-match")?.text == "Nothing begins with bcx.", "\(run)")
    #expect(run.records.states.last?["item"] == "bc.txt")
  }

  @Test(
    "H15: while carrying, Home and End go to the first and last place, Page Down to the next container"
  )
  func carrying() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/Sorted/", "Docs/Letters/", "Far/Old/")
    let run = try stage.files(
      "Inbox", "Docs", "Far", keys: "f5 end home page-down page-down page-down page-up escape")
    let names = run.records.after(command: "copy-to").every("drop-point").dropFirst()
      .compactMap { $0.argument("name")?.description }
    #expect(names.first == "Inbox", "\(run)")
    #expect(names.contains("Docs"))
    #expect(names.contains("Far"))
  }
}
