import KeyDragCore
import Testing

@testable import KeyDragTerminal

@Suite("Kinds of files, as eyes know them from ls")
struct KindColorsTests {
  private func row(_ name: String, _ kind: ItemKind?, isExecutable: Bool = false) -> ScreenRow {
    var row = ScreenRow(name: name)
    (row.kind, row.isExecutable) = (kind, isExecutable)
    return row
  }

  private var rows: [ScreenRow] {
    [
      row("Sorted", .folder), row("short", .folderLink), row("run.sh", .file, isExecutable: true),
      row("old.TAR.gz", .file), row("a.txt", .file), row("pipe", .special), row("Ada", .object),
    ]
  }

  @Test("Each kind has the sign of ls -F behind its name, which a narrow line keeps")
  func signs() {
    var contents = ScreenContents(title: "Inbox", rows: rows, firstRow: 0, current: 0)
    let names = frame(contents, 80, 10).lines[1...7].map { $0.text.dropFirst(3) }
    #expect(names == ["Sorted/", "short@", "run.sh*", "old.TAR.gz", "a.txt", "pipe|", "Ada"])
    contents.rows = [row("a very long folder of pictures", .folder)]
    #expect(frame(contents, 20, 10).lines[1].text.hasSuffix("/"))
  }

  @Test("The colours are those of LS_COLORS, the longest ending first, and nothing but numbers")
  func colors() {
    let colors = KindColors(
      "rs=0:di=01;34:ln=target:ex=01;32:*.gz=01;31:*.tar.gz=35:*.txt=\u{1B}[2J:pi=40;33:x:=:*=")
    #expect(rows.map(colors.color) == ["01;34", "", "01;32", "35", "", "40;33", ""])
    #expect(rows.allSatisfy { KindColors().color(of: $0).isEmpty })
    #expect(KindColors("di=" + String(repeating: "1", count: 33)).color(of: rows[0]).isEmpty)
  }

  @Test("A colour is written with its line, and not where colours are refused")
  func painted() {
    let contents = ScreenContents(title: "Inbox", rows: rows, firstRow: 0, current: 4)
    let layout = ScreenLayout(
      size: ScreenSize(columns: 40, rows: 10), colors: KindColors("di=01;34:*.txt=36"))
    var painter = FramePainter(style: .styled)
    let painted = String(decoding: painter.paint(layout.frame(for: contents)), as: UTF8.self)
    #expect(painted.contains("   \u{1B}[01;34mSorted/"))
    #expect(painted.contains("\u{1B}[7m>  a.txt"), "the current line has no colour of its own")
    var plain = FramePainter(style: .plain)
    let bare = String(decoding: plain.paint(layout.frame(for: contents)), as: UTF8.self)
    #expect(!bare.contains("01;34"))
    #expect(bare.contains("Sorted/"))
  }

  @Test("A link that leads nowhere, a date and each answer of a place have colours of their own")
  func parts() {
    var link = row("latest", .brokenLink)
    link.columns = "2026-11-21 21:31"
    let answers: [Verdict.Word] = [.accept, .partial, .maybe, .refuse, .cancel]
    let places = answers.map { answer in
      var row = ScreenRow(name: answer.rawValue, note: "words", isDimmed: answer == .refuse)
      row.verdict = answer
      return row
    }
    let contents = ScreenContents(
      title: "", rows: [row("a", .file), link] + places, firstRow: 0, current: 0)
    let layout = ScreenLayout(
      size: ScreenSize(columns: 80, rows: 20), colors: KindColors("ln=36:or=31;01"))
    var painter = FramePainter(style: .styled)
    let painted = String(decoding: painter.paint(layout.frame(for: contents)), as: UTF8.self)
    for part in [
      "[31;01mlatest@", "[36m  2026-11-21 21:31", "accept   \u{1B}[32m+ words",
      "partial  \u{1B}[33m+ words", "maybe    \u{1B}[33m? words",
      "[2mrefuse\u{1B}[0m   \u{1B}[31m- words", "cancel     words",
    ] { #expect(painted.contains(part), "\(part.debugDescription)") }
  }

  @Test("The items selected have a line of their own, and a screen reader gets none of all this")
  func selected() {
    var contents = ScreenContents(title: "Inbox", rows: rows, firstRow: 0, current: 0)
    contents.selected = "[2] a.txt and b.txt, selected"
    #expect(frame(contents, 40, 12).lines.contains { $0.text == contents.selected })
    contents.carried = "[1] a.txt, move"
    #expect(!frame(contents, 40, 12).lines.contains { $0.text == contents.selected })
    contents.carried = nil
    contents.isHeard = true
    let heard = frame(contents, 40, 12).lines.map(\.text)
    #expect(!heard.contains { $0.contains("selected") || $0.contains("/") || $0.contains("@") })
  }
}
