import Testing

@testable import KeyDragTerminal

@Suite("Text that fits")
struct ScreenTextTests {
  @Test(
    "A name is cut in its middle and keeps its extension",
    arguments: [
      ("report.pdf", 10, "report.pdf"), ("report.pdf", 9, "repo….pdf"),
      ("quarterly report 2026.pdf", 16, "quarterly …6.pdf"), ("report.pdf", 3, "r…f"),
      ("report.pdf", 2, "r…"), ("report.pdf", 1, "…"), ("report.pdf", 0, ""),
      (".a-long-hidden-name", 10, ".a-lon…ame"), ("folder with a long name", 10, "folder…ame"),
      ("archive.a-long-extension", 12, "archive.…ion"), ("名前名前名前.txt", 9, "名前….txt"),
      ("e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}.txt", 7, "e\u{301}e\u{301}….txt"),
    ])
  func names(name: String, columns: Int, shown: String) {
    #expect(ScreenText.cutName(name, columns: columns) == shown)
    #expect(TextWidth.columns(shown) <= columns)
  }

  @Test(
    "A sentence is broken at blanks, and where there is none, in a word",
    arguments: [
      ("one two three", 7, ["one two", "three"]), ("one two three", 6, ["one", "two", "three"]),
      ("abcdefghij", 4, ["abcd", "efgh", "ij"]), ("abcdefghijklm", 4, ["abcd", "efgh", "ijk…"]),
      ("one two three four five", 5, ["one", "two", "thre…"]), ("  a  ", 5, ["a  "]),
      ("名前名前名", 4, ["名前", "名前", "名"]), ("", 5, []),
    ])
  func wrapped(text: String, columns: Int, lines: [String]) {
    #expect(ScreenText.wrap(text, columns: columns, lines: 3) == lines)
  }

  @Test(
    "Nothing a terminal could obey is left in a text",
    arguments: [
      ("a\u{1B}[2Jb", "a\u{FFFD}[2Jb"), ("\u{9B}1m", "\u{FFFD}1m"),
      ("a\r\nb", "a\u{FFFD}\u{FFFD}b"),
      ("\u{7F}", "\u{FFFD}"), ("\u{202E}gpj", "\u{FFFD}gpj"), ("\u{2028}", "\u{FFFD}"),
      ("plain", "plain"), ("é 名 👍", "é 名 👍"),
    ])
  func cleaned(text: String, shown: String) {
    #expect(Array(ScreenText.clean(text).unicodeScalars) == Array(shown.unicodeScalars))
  }

  @Test("A sentence keeps the isolates around foreign names, a name may not bring its own")
  func isolates() {
    let text = "\u{2068}שלום\u{2069} moved"
    #expect(ScreenText.clean(text, keepsIsolates: true) == text)
    #expect(!ScreenText.clean(text).unicodeScalars.contains("\u{2068}"))
  }

  @Test("A text of any length takes a bounded place")
  func bounded() {
    let text = String(repeating: "é", count: 1_000_000)
    #expect(ScreenText.clean(text).unicodeScalars.count <= 4096)
  }

  @Test(
    "Columns are those a terminal uses",
    arguments: [
      ("abc", 3), ("é", 1), ("e\u{301}", 1), ("名", 2), ("👍", 2), ("\u{2068}", 0), ("…", 1),
      ("שלום", 4), ("\u{FFFD}", 1), ("\u{E000}", 1),
    ])
  func widths(text: String, columns: Int) {
    #expect(TextWidth.columns(text) == columns)
  }
}
