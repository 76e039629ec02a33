import KeyDragCore
import Testing

@testable import keydrag

@Suite("Help pages are laid out for words of any length and width")
struct HelpPageTests {
  /// Other words for the few messages of these tests.
  private struct Other: Catalogue {
    var language = "ja"
    var sentences: [String: String]

    func sentence(_ source: String, context: String?) -> String { sentences[source] ?? source }

    func sentence(one: String, other: String, count: Int) -> String { other }
  }

  private let page = """
    OVERVIEW: Say a text.

    USAGE: keydrag say <text> [<options>] <subcommand>

    OPTIONS:
      --lang <tag>            The language. (values: de, en; default: en)
            Left out: as the environment says, which may be long to tell.
      --a-very-long-option <with a value>
                              What it is for.
      -h, --help              Show help information.

    SUBCOMMANDS:
      files (default)         Drag and drop.

      See 'keydrag help <subcommand>' for detailed help.
    """

  private func translated(_ page: String, _ sentences: [String: String] = [:], columns: Int = 80)
    -> [String]
  {
    HelpPage.translated(page, columns: columns, Phrasebook(catalogue: Other(sentences: sentences)))
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("A page stays as it is where the words are the same and the terminal is wide")
  func same() {
    #expect(translated(page).joined(separator: "\n") == page)
  }

  @Test("What is no help page stays as it is", arguments: ["0.1.0", "#!/bin/bash\n  x  y", "{}"])
  func noPage(text: String) {
    #expect(translated(text, ["x": "y"], columns: 40).joined(separator: "\n") == text)
  }

  @Test("What the parser says itself has the words of the phrasebook")
  func parser() {
    let lines = translated(
      page,
      [
        "OVERVIEW:": "ÜBERBLICK:", "USAGE:": "AUFRUF:", "OPTIONS:": "OPTIONEN:",
        "SUBCOMMANDS:": "BEFEHLE:", "Show help information.": "Zeigt diese Hilfe.",
        "(values: %1$@; default: %2$@)": "(Werte: %1$@; üblich: %2$@)",
        "%1$@ (default)": "%1$@ (üblich)", "subcommand": "Befehl", "options": "Optionen",
        "See '%1$@' for detailed help.": "Mehr sagt %1$@.",
      ])
    #expect(lines[0] == "ÜBERBLICK: Say a text.")
    #expect(lines[2] == "AUFRUF: keydrag say <text> [<Optionen>] <Befehl>")
    #expect(lines[4] == "OPTIONEN:")
    #expect(lines[5] == "  --lang <tag>            The language. (Werte: de, en; üblich: en)")
    #expect(lines[9] == "  -h, --help              Zeigt diese Hilfe.")
    #expect(lines[11] == "BEFEHLE:")
    #expect(lines[12] == "  files (üblich)          Drag and drop.")
    #expect(lines[14] == "  Mehr sagt keydrag help <Befehl>.")
  }

  @Test("Long lines are broken, and go on below where they began")
  func narrow() {
    let lines = translated(page, columns: 46)
    #expect(
      lines[5...8] == [
        "  --lang <tag>            The language.",
        "                          (values: de, en;",
        "                          default: en)",
        "        Left out: as the environment says,",
      ])
    #expect(lines.allSatisfy { $0.count <= 46 || $0.hasPrefix("USAGE:") || $0.contains("See") })
  }

  @Test("Wide characters count twice, so that columns stand one below the other")
  func wide() {
    // The parser counts characters, so it puts the meaning of both at character 26.
    let rows = [
      ("  --lang <言語>", "メッセージの言語です。日本語の文には空白がありません。"),
      ("  --configuration <ファイル>", "設定ファイル。"),
    ].map { label, meaning in
      label + String(repeating: " ", count: 26 - label.count) + meaning
    }
    let text = (["USAGE: keydrag", "", "OPTIONS:"] + rows).joined(separator: "\n")
    #expect(
      translated(text, columns: 50) == [
        "USAGE: keydrag", "", "OPTIONS:",
        "  --lang <言語>           メッセージの言語です。日",
        "                          本語の文には空白がありま",
        "                          せん。",
        "  --configuration <ファイル>",
        "                          設定ファイル。",
      ])
  }

  @Test(
    "Lines are broken at blanks, or where a script has none, and not before a full stop",
    arguments: [
      ("", 10, [""]), ("one two three", 7, ["one two", "three"]),
      ("one two three", 8, ["one two", "three"]),
      ("incomprehensible a", 5, ["incomprehensible", "a"]),
      ("一二三四", 4, ["一二", "三四"]), ("一二。三", 4, ["一", "二。", "三"]),
      ("a「一二」", 4, ["a", "「一", "二」"]), ("한국어 말", 6, ["한국어", "말"]),
      ("one  two", 20, ["one  two"]),
    ])
  func breaks(text: String, columns: Int, lines: [String]) {
    #expect(LineBreaks.lines(of: text, columns: columns) == lines)
  }
}
