import RealPrograms
import Testing

@Suite("Outcomes by ear", .realPrograms(by: .test))
struct OutcomeTests {
  @Test("H14: done, cancelled, refused and failed have words of their own")
  func words() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/")
    let done = try stage.files("Inbox", "Docs", keys: "space enter")
    let cancelled = try stage.files("Inbox", "Docs", keys: "space escape")
    let refused = try stage.files("Inbox", "Docs", keys: #"space "inbox" enter"#)
    #expect(done.ids.last == "delivered")
    #expect(cancelled.ids.last == "cancelled")
    #expect(refused.ids.contains("refused"), "\(refused)")
    #expect([done, cancelled, refused].map(\.status) == [0, 0, 1])
  }

  @Test("H14: after a refusal the items are held still")
  func heldAfterRefusal() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: #"space "inbox" enter f2 "docs" enter"#)
    #expect(run.ids.contains("refused"), "\(run)")
    #expect(run.first("holding")?.argument("count") == 1)
    #expect(run.ids.last == "delivered")
    #expect(stage.list("Docs") == ["a.txt"])
  }

  @Test("H14: after a failure the items are at the source")
  func atSourceAfterFailure() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/a.txt")
    let run = try stage.run("move", "Inbox/a.txt", "--to", "Docs", "--clash", "fail")
    #expect(run.status == 1, "\(run)")
    let failed = try #require(run.first("failed"))
    #expect(failed.argument("reason") == "name-exists")
    #expect(failed.text.contains("Nothing is lost."))
    #expect(stage.tree == ["Inbox/a.txt": "Inbox/a.txt", "Docs/a.txt": "Docs/a.txt"])
  }

  @Test("K14: Escape ends carrying, goes back to the source and says so once")
  func escape() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/Letters/")
    let run = try stage.files("Inbox", "Docs", keys: "down space tab escape down")
    #expect(run.records.every("cancelled").count == 1, "\(run)")
    #expect(run.first("cancelled")?.text == "Cancelled. Back at b.txt.")
    #expect(run.records.states.last?["item"] == "b.txt")
    #expect(run.records.states.last?["phase"] == "browsing")
    #expect(run.status == 0)
  }

  @Test("K14: a script that ends while carrying cancels, and nothing has moved")
  func scriptEnds() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: "space")
    #expect(run.ids.last == "cancelled", "\(run)")
    #expect(run.status == 0)
    #expect(stage.list("Docs").isEmpty)
  }

  @Test("K25: Space while carrying moves nothing, however often it comes")
  func bouncedSpace() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: "space !space !space !space space space")
    #expect(run.records.deliveries.isEmpty, "\(run)")
    #expect(run.ids.contains("holding"))
    #expect(stage.list("Docs").isEmpty)
  }

  @Test("K25: a second Enter meets a question whose first choice loses nothing")
  func bouncedEnter() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/a.txt")
    let run = try stage.files("Inbox", "Docs", keys: "space enter enter enter")
    #expect(run.status == 0, "\(run)")
    #expect(stage.read("Docs/a.txt") == "Docs/a.txt")
    #expect(stage.read("Docs/a (2).txt") == "Inbox/a.txt")
    #expect(stage.read("Inbox/a.txt") == "Inbox/a.txt")
  }
}
