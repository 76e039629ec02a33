import RealPrograms
import Testing

@Suite("Opening places while carrying", .realPrograms(by: .test))
struct SpringLoadingTests {
  @Test("H10: a key opens a folder, says what opened and how many places it holds, and goes inside")
  func opens() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/Letters/New/", "Docs/Letters/Old/")
    let run = try stage.files("Inbox", "Docs", keys: #"space "letters" right tab enter"#)
    #expect(run.status == 0, "\(run)")
    let opened = try #require(run.first("opened"))
    #expect(opened.argument("name") == "Letters")
    #expect(opened.argument("count") == 2)
    #expect(
      run.records.after(command: "open-drop-point").every("drop-point")
        .map { $0.argument("name") } == ["New", "Old"])
    #expect(stage.tree["Docs/Letters/Old/a.txt"] == "Inbox/a.txt")
  }

  @Test("H10: a key steps back out to the folder that was opened")
  func leaves() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/Letters/New/")
    let run = try stage.files("Inbox", "Docs", keys: #"space "letters" right left enter"#)
    let after = run.records.after(command: "leave-drop-point")
    #expect(after.ids.prefix(2) == ["left", "drop-point"], "\(run)")
    #expect(after.first("drop-point")?.argument("name") == "Letters")
    #expect(stage.tree["Docs/Letters/a.txt"] == "Inbox/a.txt")
  }

  @Test("H10: opening never happens by itself: standing on a folder says nothing more")
  func neverByTime() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/Letters/New/")
    let run = try stage.live("Inbox", "Docs")
    run.type(#"space "letters""#)
    try run.wait("letters") { $0.id == "drop-point" && $0.argument("name") == "Letters" }
    run.type("f2")
    try run.wait(for: "holding")
    let ended = try run.finish()
    #expect(!ended.ids.contains("opened"), "\(ended)")
  }

  @Test("H10: a folder with nothing inside says so")
  func empty() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/Letters/")
    let run = try stage.files("Inbox", "Docs", keys: #"space "letters" right escape"#)
    #expect(run.first("opened")?.text == "Letters opened: no places inside.", "\(run)")
  }

  @Test("H10: what can't be opened says why", arguments: ["trash"])
  func cannotOpen(name: String) throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: #"space "\#(name)" right escape"#)
    #expect(run.first("cannot-open")?.argument("reason") == "not-a-folder", "\(run)")
  }
}
