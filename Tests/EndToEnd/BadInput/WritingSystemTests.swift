import Glibc
import RealPrograms
import Testing

@Suite("Scripts and ends", .realPrograms(by: .test))
struct ScriptTests {
  @Test(
    "A word that is not known ends the run before it begins, with the nearest one",
    arguments: [
      ("down spce", "Word 2 of the key script, spce, is not known. Did you mean space?"),
      (":pickup", "Word 1 of the key script, :pickup, is not known. Did you mean :pick-up?"),
      ("@redy", "Word 1 of the key script, @redy, is not known. Did you mean @ready?"),
      ("\"open", "The quotation marks are not closed in word 1 of the key script."),
    ])
  func unknownWord(script: String, sentence: String) throws {
    let stage = try Stage("Inbox/a.txt")
    let run = try stage.files("Inbox", keys: script)
    #expect(run.status == 64)
    #expect(run.errors == "keydrag: \(sentence)\n", "\(run)")
    #expect(run.records.all.isEmpty)
  }

  @Test("From standard input, a word that is not known ends the run there, with nothing moved")
  func unknownWordLater() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.live("Inbox", "Docs")
    run.type("space")
    try run.wait(for: "drop-point")
    run.type("entr")
    let ended = try run.ended()
    #expect(ended.status == 64)
    #expect(ended.errors.contains("entr, is not known. Did you mean enter?"), "\(ended)")
    #expect(ended.ids.last == "cancelled")
    #expect(stage.list("Docs").isEmpty)
  }

  @Test("Without a terminal and without --keys, files says so and ends with 64")
  func noTerminal() throws {
    let stage = try Stage("Inbox/a.txt")
    let run = try stage.run("files", "Inbox")
    #expect(run.status == 64)
    #expect(run.errors.hasPrefix("keydrag: There is no terminal here."), "\(run)")
  }

  @Test(
    "What is missing or wrong on the command line ends with 64",
    arguments: [
      ["copy", "Inbox/a.txt"], ["files", "--speech", "loud"], ["files", "--nope"],
      ["copy", "Inbox/a.txt", "--to", "Inbox", "--clash", "maybe"], ["history", "--limit", "0"],
    ])
  func usage(arguments: [String]) throws {
    let stage = try Stage("Inbox/a.txt")
    #expect(try stage.run(arguments, transcript: false).status == 64)
  }

  @Test("Statuses: done 0, cancelled 0, refused 1, missing 66, interrupted 130")
  func statuses() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    #expect(try stage.files("Inbox", "Docs", keys: "space escape").status == 0)
    #expect(try stage.files("Inbox", "Docs", keys: #"space "inbox" enter"#).status == 1)
    #expect(try stage.files("Nope", keys: "").status == 66)
    #expect(try stage.files("Inbox", "Docs", keys: "ctrl+c").status == 130)
    #expect(try stage.files("Inbox", "Docs", keys: "space enter").status == 0)
  }

  @Test("A signal cancels what is held and ends with 130", arguments: [SIGTERM, SIGHUP, SIGINT])
  func signals(number: Int32) throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.live("Inbox", "Docs")
    run.type("space")
    try run.wait(for: "drop-point")
    run.signal(number)
    let ended = try run.ended()
    #expect(ended.status == 130, "\(ended)")
    #expect(ended.ids.last == "cancelled")
    #expect(ended.records.all.last?.kind == "end")
    #expect(stage.list("Docs").isEmpty)
  }

  @Test(
    "A closed output pipe is survived: what was begun is done, and the status tells of the pipe")
  func closedPipe() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/")
    let run = try stage.live("Inbox", "Docs")
    run.type("space")
    try run.wait(for: "drop-point")
    run.closeOutput()
    run.type("enter")
    let ended = try run.finish()
    #expect(ended.status == 74, "\(ended)")
    #expect(stage.list("Docs") == ["a.txt"])
  }

  @Test("A transcript that can't be written is said once and by the status, and the work goes on")
  func fullTranscript() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.run(
      [
        "files", "Inbox", "Docs", "--keys", "space enter", "--speech", "off", "--transcript",
        "/dev/full",
      ],
      transcript: false)
    #expect(run.status == 74, "\(run)")
    #expect(run.output.split(separator: "\n").filter { $0.contains("transcript") }.count == 1)
    #expect(run.output.contains("Copied a.txt to Docs."))
    #expect(stage.list("Docs") == ["a.txt"])
  }
}
