import PrivateDesktop
import RealPrograms
import Testing
import Thorough

/// A session in a terminal that Orca reads by itself, so that each message could be heard twice.
@Suite(
  "A terminal under the screen reader", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { ReaderTerminal.obstacle == nil })
struct ReaderTerminalTests {
  /// A key as X calls it, the last announcement that it leads to, and what Orca says of the key.
  struct Press: Sendable {
    var key: String
    var id: String
    var echo: String?

    /// Whether words are painted after it, or rows anew: what of that reaches Orca only after the next
    /// key it takes for that key's, and reads out as what a Backspace has deleted.
    var isPainted: Bool {
      [
        "Down", "Up", "Home", "End", "Prior", "Escape", "F2", "F3", "F5", "F9", "ctrl+t", "ctrl+z",
      ].contains(key)
    }

    init(_ key: String, _ id: String, echo: String? = nil) {
      (self.key, self.id, self.echo) = (key, id, echo)
    }
  }

  /// Every key after which Orca 43 reads in a way of its own, with a list that changes under it.
  private static let presses = [
    Press("Down", "item"), Press("Up", "item"), Press("End", "item"), Press("Down", "edge"),
    Press("Home", "item"), Press("n", "item"), Press("space", "drop-point", echo: "space"),
    Press("Tab", "drop-point", echo: "tab"), Press("F5", "operation", echo: "F5"),
    Press("F2", "holding", echo: "F2"), Press("Down", "drop-point"),
    Press("shift+Tab", "drop-point", echo: "left shift"), Press("Return", "choice", echo: "return"),
    Press("Down", "choice"), Press("Escape", "declined", echo: "escape"),
    Press("Return", "choice", echo: "return"), Press("Return", "delivered", echo: "return"),
    Press("F3", "delivered", echo: "F3"), Press("ctrl+z", "undone", echo: "left control"),
    Press("ctrl+t", "selected", echo: "left control"),
    Press("Delete", "unknown-key", echo: "delete"), Press("BackSpace", "edge", echo: "backspace"),
    Press("Prior", "item", echo: "page up"), Press("F9", "choice", echo: "F9"),
    Press("question", "help", echo: "left shift"), Press("Escape", "declined", echo: "escape"),
    Press("period", "mode", echo: "dot"), Press("space", "drop-point", echo: "space"),
    Press("Down", "drop-point"), Press("Escape", "cancelled", echo: "escape"),
    Press("ctrl+q", "goodbye", echo: "left control"),
  ]

  /// What Orca says of a window that comes up: its name, and the line of the cursor, still empty.
  private static let window: Set = ["session frame.", "newline", "blank"]

  @Test(
    "K18 Every announcement is heard exactly once, and nothing of the screen besides",
    arguments: Thorough.cases(
      ordinarily: 2, of: [("pl", "80x24"), ("en", "132x43"), ("ru", "80x24"), ("en", "80x24")]))
  func once(language: String, size: String) async throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/notes.txt", "Inbox/Sorted/", "Docs/notes.txt")
    let terminal = try await ReaderTerminal(
      stage, ["files", "Inbox", "Docs", "--lang", language], size: size)
    var heard: [String] = []
    var echoes: Set<String> = ["F3"]
    func take(upTo id: String) async throws {
      for record in try terminal.announcements(upTo: id) {
        #expect(record["by"] == "notification", "\(record)")
        let text = Self.words(record)
        let before = try await terminal.desktop.speech.hear(text)
        heard += before + [text]
      }
    }
    try await take(upTo: "lesson")
    // Orca may still have to read the first screen: after an arrow key it would say its line.
    try terminal.press("F3")
    try await take(upTo: "lesson")
    for press in Self.presses {
      try terminal.press(press.key)
      if let echo = press.echo { echoes.insert(echo) }
      try await take(upTo: press.id)
      // Said once more: when that is heard, Orca is also done with what the key before it changed on
      // the screen, however busy the machine. Otherwise it would take that for what the next key did.
      if press.isPainted {
        try terminal.press("F3")
        try await take(upTo: press.id)
      }
    }
    let said = heard.filter { !echoes.contains($0) && !Self.window.contains($0) }
    #expect(said == terminal.announced.map(Self.words))
  }

  /// What is heard of a message: keys by their names.
  private static func words(_ record: Record) -> String {
    if case .text(let words) = record["spoken"], ["unknown-key", "help"].contains(record.id) {
      return HeardSpeech.asSaid(words)
    }
    return HeardSpeech.asSaid(record.text)
  }

  @Test("H14 when the service by which the reader speaks ends, the next key is heard all the same")
  func speechEnds() async throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/notes.txt")
    let terminal = try await ReaderTerminal(stage, ["files", "Inbox"])
    func hear(upTo id: String) async throws -> [String] {
      var heard: [String] = []
      for record in try terminal.announcements(upTo: id) {
        let text = HeardSpeech.asSaid(record.text)
        heard += try await terminal.desktop.speech.hear(text) + [text]
      }
      return heard
    }
    // The last words of the start.
    _ = try await hear(upTo: "lesson")
    for (key, text) in [("End", "notes.txt, 2 of 2."), ("Home", "a.txt, 1 of 2.")] {
      try terminal.desktop.killSpeechService()
      // The reader falls silent at each key, and finds out then.
      try terminal.press(key)
      var record: Record?
      repeat {
        record = try terminal.announcements(upTo: "item").last
      } while record?["again"] == true
      do {
        #expect(try await !terminal.desktop.speech.hear(text, within: 20).contains(text))
      } catch let silence as HeardSpeech.Silence {
        // A reader that takes longer than two seconds to begin anew is given up, and it is told once more,
        // another way. How it goes on after that is not this test's.
        let again = try terminal.announcements(upTo: "item").last
        #expect(again?["again"] == true && again?.text == record?.text, "\(silence)")
        #expect(again?["by"] != "notification", "\(silence)")
        return
      }
    }
    try terminal.press("ctrl+q")
    #expect(try await hear(upTo: "goodbye").filter { $0.hasPrefix("a.txt") }.isEmpty)
  }
}
