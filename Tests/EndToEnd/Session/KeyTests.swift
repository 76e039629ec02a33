import RealPrograms
import Testing

@Suite("Keys and words", .realPrograms(by: .test))
struct KeyTests {
  @Test("K16: a key without a meaning gets one short answer, in every phase")
  func unknownKeys() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: "f11 space f11 escape f9 f11 escape")
    let answers = run.records.every("unknown-key")
    #expect(
      answers.map(\.text) == Array(repeating: "F11 does nothing here. ? for help.", count: 3),
      "\(run)")
    #expect(run.records.commands.filter { $0["name"] == "unknown" }.count == 3)
  }

  @Test("K16: a command that has no meaning in this phase is answered too")
  func commandElsewhere() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: ":drop :take :wish-copy")
    #expect(run.records.every("unknown-key").count == 3, "\(run)")
  }

  @Test("K17: the same keys give the same transcript whether they come at once or one by one")
  func noKeyIsTimed() throws {
    let words = ["down", "space", "tab", "f5", "shift+tab", "f2", "enter"]
    let atOnce = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/Letters/")
      .files("Inbox", "Docs", keys: words.joined(separator: " "))
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/Letters/")
    let slow = try stage.live("Inbox", "Docs")
    try slow.wait(for: "ready")
    for word in words {
      slow.type(word)
      try slow.wait(word) { $0.kind == "command" && $0["key"] == .text(word) }
      try slow.wait("its answer") { $0.kind == "announcement" }
    }
    #expect(
      try slow.finish().records.atAnySpeed.map(\.text) == atOnce.records.atAnySpeed.map(\.text))
  }

  @Test("K16 K17: keys that come before the folders are listed are kept, and taken in order")
  func earlyKeys() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: "!down !space enter")
    #expect(run.status == 0, "\(run)")
    #expect(run.first("picked-up")?.argument("names") == ["b.txt"])
    #expect(run.first("picked-up")?.argument("points") == 1)
    let typed = try stage.files("Inbox", "Docs", keys: "!b !f6 space escape")
    #expect(typed.first("picked-up")?.argument("names") == ["b.txt"], "\(typed)")
  }

  @Test("K18: nothing is said twice in a row by itself")
  func neverTwice() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/a.txt")
    let run = try stage.files(
      "Inbox", "Docs", keys: "space enter enter down up space tab escape f9 escape ctrl+z ctrl+y")
    for (one, next) in zip(run.said, run.said.dropFirst()) { #expect(one != next, "\(run)") }
  }

  @Test("K18: outcomes, questions and problems are assertive, the rest is polite")
  func urgency() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/a.txt")
    let run = try stage.files("Inbox", "Docs", keys: "space enter enter ctrl+z f11 f2")
    let assertive = Set(run.records.announcements.filter(\.isAssertive).map(\.id))
    let polite = Set(run.records.announcements.filter { !$0.isAssertive }.map(\.id))
    #expect(assertive == ["picked-up", "confirm", "delivered", "undone"], "\(run)")
    #expect(polite.isSuperset(of: ["ready", "drop-point", "choice", "unknown-key", "item"]))
  }

  @Test("K19: no message has a path, an id or a case name in it")
  func names() throws {
    let stage = try Stage("Inbox/Sorted/", "Inbox/a.txt", "Docs/a.txt")
    let run = try stage.files(
      "Inbox", stage.path("Docs"),
      keys:
        #"f2 ? escape space f8 tab ctrl+d f2 "inbox" enter escape "a.txt" f5 "docs" enter enter ctrl+z ctrl+r f9 escape . ."#
    )
    for record in run.records.announcements {
      #expect(!record.text.contains("/"), "\(record)")
      #expect(!record.text.contains("KeyDrag"), "\(record)")
      for word in record.text.split(whereSeparator: { !$0.isLetter && $0 != "-" }) {
        // Case names and reasons are lower case words joined by capitals or hyphens.
        let hasHump =
          word.dropFirst().contains(where: \.isUppercase) && word.contains(where: \.isLowercase)
        #expect(!hasHump, "\(word) in \(record)")
        #expect(!["own-descendant", "same-place", "name-exists", "keep-both"].contains(word))
      }
    }
    #expect(run.said.contains { $0.hasPrefix("Docs") || $0.contains("in Docs") })
  }

  @Test("K21: brief says less than full, and never nothing")
  func briefAndFull() throws {
    let keys = "space tab f2 enter ctrl+z ctrl+d f4 f9 escape"
    func run(_ verbosity: String) throws -> KeydragRun {
      try Stage("Inbox/a.txt", "Docs/Letters/").files(
        "Inbox", "Docs", keys: keys, options: ["--verbosity", verbosity])
    }
    let (full, brief) = (try run("full"), try run("brief"))
    let (long, short) = (full.records.atAnySpeed, brief.records.atAnySpeed)
    #expect(long.map(\.id) == short.map(\.id))
    #expect(!brief.said.contains(""))
    for (long, short) in zip(long, short) { #expect(short.text.count <= long.text.count) }
    #expect(brief.said.joined().count < full.said.joined().count * 3 / 4)
  }

  @Test("K21: instructions are said the first time in a run only, then on the help key")
  func instructionsOnce() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: "space escape space escape f2 ? end escape")
    let hint = "Tab walks, Enter drops, Escape cancels."
    #expect(
      run.records.every("picked-up").map { $0.text.contains(hint) } == [true, false], "\(run)")
    #expect(
      run.records.every("ready").map { $0.text.contains("Space picks up.") } == [true, false])
    #expect(run.last("help")?.argument("keys")?.description.contains("Space: pick up") == true)
    // One line at a time, and back to where one was.
    #expect(run.last("help")?.text == "Help.")
    #expect(run.last("choice")?.text.contains("The first answer keeps both.") == true)
    #expect(run.last("declined")?.text == "Back.")
  }

  @Test("H28: each operation has a word of its own at a place")
  func operationWords() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/Sorted/", "Docs/")
    let run = try stage.files(
      "Inbox", "Docs", keys: #""a.txt" space "docs" f6 f6 f7 f2 "trash" f7 "inbox" escape"#)
    let texts = run.said.joined(separator: "\n")
    for word in [
      "Sorted, in Inbox: move.", "Docs: copy.", "Link.", "Docs: link. Holding a.txt.",
      "move to the trash",
      "refuses",
    ] {
      #expect(texts.contains(word), "\(word) in \(texts)")
    }
  }
}
