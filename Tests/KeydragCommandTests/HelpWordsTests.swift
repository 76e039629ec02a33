import KeyDragCore
import Testing

@testable import keydrag

@Suite("Help pages and mistakes on the command line come from the phrasebook")
struct HelpWordsTests {
  private static let commands = KeyDragCommand.configuration.subcommands.map {
    $0.configuration.commandName ?? ""
  }
  /// What may be typed, and is the same in every language.
  private static let typed =
    commands + [
      "keydrag", "help", "auto", "on", "off", "FILE.wav", "brief", "full", "speech", "text",
      "orca", "atspi", "notification", "keep-both", "replace", "skip", "fail", "merge",
      "merge-replace",
      "merge-skip", "zsh", "bash",
      "fish", "contacts", "image", "notes", "places",
    ]

  private func error(_ words: [String]) throws -> any Error {
    do {
      var command = try KeyDragCommand.parseAsRoot(words)
      // The parser's own command for help: it ends with an error that holds the page.
      if type(of: command).configuration.commandName == "help" { try command.run() }
    } catch {
      return error
    }
    throw Accepted(words: words)
  }

  private struct Accepted: Error {
    var words: [String]
  }

  @Test(
    "Nothing on a help page is English in another language",
    arguments: [["--help"], ["help"], ["-h"]]
      + commands.flatMap { [[$0, "--help"], ["help", $0]] })
  func pages(words: [String]) throws {
    try Words.$phrases.withValue(Pseudo.phrases) {
      let error = try error(words)
      let page = KeyDragCommand.page(for: error, columns: 80)
      #expect(page.contains("⟦OVERVIEW:⟧"))
      #expect(page.contains("⟦OPTIONS:⟧"))
      #expect(Pseudo.untranslated(page, names: Self.typed) == [], "\(page)")
    }
  }

  @Test(
    "Nothing in a mistake on the command line is English in another language",
    arguments: [
      (["copy"], []), (["move", "a.txt"], []), (["link", "--to", "b"], []), (["say"], []),
      (["history", "--limit", "0"], []), (["files", "--keyz", "x"], []), (["keys", "-v"], []),
      (["keys", "--zzzzzzzz"], []), (["keys", "--speech", "loud"], ["loud"]),
      (["copy", "a", "--to", "b", "--clash", "foo"], ["foo"]),
      (["undo", "--entry", "one"], ["one"]),
      (["undo", "--lang"], []), (["keys", "--no-color=x"], ["x"]), (["keys", "a"], ["a"]),
      (["keys", "a", "b"], ["a", "b"]), (["coppy", "a", "--to", "b"], ["coppy"]),
      (["--generate-completion-script", "foo"], []), (["keys", "-vh"], []), (["keys", "-hv"], []),
    ])
  func mistakes(words: [String], names: [String]) throws {
    try Words.$phrases.withValue(Pseudo.phrases) {
      let error = try error(words)
      guard !KeyDragCommand.exitCode(for: error).isSuccess else { return }
      let sentence = KeyDragCommand.mistake(in: ["keydrag"] + words, error)
      #expect(sentence.hasPrefix("⟦"))
      #expect(Pseudo.untranslated(sentence, names: Self.typed + names) == [], "\(sentence)")
    }
  }

  @Test("A hint at the command that was meant is not English in another language")
  func hints() {
    for name in ["history", "histroy"] {
      let hint = UsageMistake.hint(
        forFolder: name, arguments: ["keydrag", name], commands: KeyDragCommand.names,
        Pseudo.phrases)
      #expect(!hint.isEmpty)
      #expect(Pseudo.untranslated(hint, names: Self.typed) == [], "\(hint)")
    }
  }

  @Test(
    "Every sentence of the parser is known",
    arguments: [
      ("Unknown option '-x' in '-xy'", "Unknown option '-x' in '-xy'."),
      (
        "Unknown option '-xy'    or: Missing value for '-x <file>' in '-xy'",
        "Unknown option '-xy'."
      ),
      ("Invalid option: -é", "Unknown option '-é'."),
      ("Missing expected argument '<folder>'", "Missing expected argument '<folder>'."),
      ("Missing one of: '--a', '--b'", "Missing expected argument '--a', '--b'."),
      (
        "The value 'x' is invalid for '<way>': why", "The value 'x' is invalid for '<way>'."
      ),
      (
        "The value 'x' is invalid for '--way <way>'. Please provide one of 'a' and 'b'.",
        "The value 'x' is invalid for '--way <way>'. Please provide one of 'a' or 'b'."
      ),
      (
        "The value 'x' is invalid for '--way <way>'. Please provide one of the following:   - a "
          + "  - b-c   - d",
        "The value 'x' is invalid for '--way <way>'. Please provide one of 'a', 'b-c' or 'd'."
      ),
      (
        "Can't autodetect a supported shell. Please use --generate-completion-script=<shell> with "
          + "one of:     zsh bash fish",
        "Name the shell after --generate-completion-script: zsh, bash or fish."
      ),
      ("Anything else.", "Anything else."),
    ])
  func parser(message: String, words: String) {
    #expect(ParserMessage.words(for: message, in: Phrasebook()) == words)
  }

  @Test(
    "The language that a command line asks for is known before it is parsed",
    arguments: [
      ([], nil), (["keys"], nil), (["keys", "--lang", "de"], "de"), (["--lang=pt-BR"], "pt-BR"),
      (["--lang", "de", "keys", "--lang", "fr"], "fr"), (["keys", "--lang"], nil),
      (["copy", "--", "--lang", "de"], nil), (["keys", "--language", "de"], nil),
      (["--lang", "de", "--lang"], "de"), (["--lang="], ""),
    ] as [([String], String?)])
  func language(words: [String], tag: String?) {
    #expect(Words.asked(["keydrag"] + words) == tag)
  }
}
