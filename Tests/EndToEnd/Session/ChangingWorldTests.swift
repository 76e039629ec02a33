import RealPrograms
import Testing

@Suite("The world changes meanwhile", .realPrograms(by: .test))
struct ChangingWorldTests {
  @Test("K04: a place that appears is heard and can be reached at once")
  func placeAppears() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.live("Inbox", "Docs")
    run.type("space")
    try run.wait(for: "drop-point")
    try stage.make("Docs/New/")
    #expect(try run.wait(for: "appeared").argument("name") == "New")
    run.type("tab")
    #expect(try run.wait(for: "drop-point").argument("name") == "New")
    run.type("enter")
    try run.wait(for: "delivered")
    #expect(try run.finish().status == 0)
    #expect(stage.list("Docs/New") == ["a.txt"])
  }

  @Test("K04: a place that vanishes is left for the next, with a word said")
  func placeVanishes() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/Letters/", "Docs/Old/")
    let run = try stage.live("Inbox", "Docs")
    run.type(#"space "letters""#)
    try run.wait("letters") { $0.id == "drop-point" && $0.argument("name") == "Letters" }
    try stage.remove("Docs/Letters")
    let gone = try run.wait(for: "vanished")
    #expect(gone.argument("name") == "Letters")
    #expect(gone.argument("next") == "Old")
    #expect(try run.wait(for: "drop-point").argument("name") == "Old")
    // It was meant for Letters.
    run.type("enter")
    #expect(try run.wait(for: "holding").text.hasSuffix("Press another key first, then drop it."))
    #expect(stage.list("Docs/Old").isEmpty)
    run.type("home \"old\" enter")
    try run.wait(for: "delivered")
    _ = try run.finish()
    #expect(stage.list("Docs/Old") == ["a.txt"])
  }

  @Test("K04: while browsing, what appears and vanishes is heard, and focus is never lost")
  func browsing() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Inbox/c.txt")
    let run = try stage.live("Inbox")
    run.type("down")
    try run.wait("b.txt") { $0.id == "item" && $0.argument("name") == "b.txt" }
    try stage.make("Inbox/aa.txt")
    #expect(try run.wait(for: "appeared").argument("name") == "aa.txt")
    run.type("f2")
    #expect(try run.wait(for: "item").text == "b.txt, 3 of 4")
    try stage.remove("Inbox/b.txt")
    #expect(try run.wait(for: "vanished").argument("next") == "c.txt")
    run.type("f2")
    #expect(try run.wait(for: "item").text == "c.txt, 3 of 3")
    _ = try run.finish()
  }

  @Test(
    "K06: when what is carried vanishes the session ends by itself, says why, and keys are free")
  func sourceVanishes() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/")
    let run = try stage.live("Inbox", "Docs")
    run.type("space")
    try run.wait(for: "drop-point")
    try stage.remove("Inbox/a.txt")
    let end = try run.wait(for: "session-ended")
    #expect(end.argument("reason") == "gone")
    #expect(end.text == "a.txt is gone. Carrying ended.")
    run.type("f2")
    #expect(try run.wait(for: "item").argument("name") == "b.txt")
    #expect(try run.finish().status == 1)
  }

  @Test("K06: one of several that vanishes is taken out, the others are held still")
  func oneOfSeveral() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/")
    let run = try stage.live("Inbox", "Docs")
    run.type("ctrl+a space")
    try run.wait(for: "drop-point")
    try stage.remove("Inbox/b.txt")
    #expect(try run.wait(for: "vanished").argument("name") == "b.txt")
    run.type("enter")
    #expect(try run.wait(for: "delivered").argument("names") == ["a.txt"])
    #expect(try run.finish().status == 0)
  }

  @Test("K06: a folder that is carried and then removed with its container ends the session")
  func containerVanishes() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.live("Inbox", "Docs")
    run.type("space")
    try run.wait(for: "drop-point")
    try stage.remove("Inbox")
    try run.wait(for: "session-ended")
    _ = try run.finish()
  }

  @Test(
    "K04: when the only place vanishes one is back at the source, and an Enter moves nothing")
  func onlyPlaceVanishes() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.live("Inbox", "Docs")
    run.type("space")
    try run.wait(for: "drop-point")
    try stage.remove("Docs")
    run.type("enter")
    let ended = try run.finish()
    #expect(ended.records.deliveries.isEmpty, "\(ended)")
    #expect(stage.exists("Inbox/a.txt"))
  }
}
