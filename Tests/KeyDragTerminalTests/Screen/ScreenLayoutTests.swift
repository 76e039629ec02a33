import KeyDragCore
import Testing

@testable import KeyDragTerminal

@Suite("What stands on which line")
struct ScreenLayoutTests {
  @Test("Verdicts begin in one column, and a long reason is cut", arguments: [60, 100])
  func verdictColumn(columns: Int) {
    let reason = "refuses, " + String(repeating: "a long reason ", count: 8)
    let rows = [("Docs", "move"), ("a folder with a longer name", "move"), ("Inbox", reason)].map {
      var row = ScreenRow(name: $0, note: $1)
      row.verdict = $1 == "move" ? .accept : .refuse
      return row
    }
    let layout = RowLayout(columns: columns, aligning: rows)
    let lines = rows.map { layout.line(for: $0, isCurrent: false).text }
    let begins = Set(
      lines.map { line in
        line.firstRange(of: line.contains("refuses") ? "refuses" : "move").map {
          line.distance(from: line.startIndex, to: $0.lowerBound)
        } ?? -1
      })
    #expect(begins.count == 1, "\(lines)")
    #expect(lines.allSatisfy { $0.count <= columns } && lines[2].hasSuffix("…"), "\(lines)")
  }

  @Test("Everything has its line at 40 columns, with name, verdict and operation recognisable")
  func fortyByTen() {
    let shown = frame(fullContents(), 40, 10)
    #expect(
      shown.lines.map(\.text) == [
        "Inbox, 4 items",
        "   Sorted  move",
        ">  a very long re…026.pdf  refuses: rea…",
        " *   notes.txt  text document",
        "   held.png  held",
        "",
        "2 items: notes.txt, held.png, move",
        "Copying disk.iso to Docs, 43 %",
        "report.pdf, 2 of 4",
        "",
      ])
    #expect((shown.cursorRow, shown.cursorColumn) == (2, 3))
  }

  @Test("A wide screen has size and date at its right end, a narrow or heard one has not")
  func columns() {
    var row = ScreenRow(name: "notes.txt")
    row.columns = "  1.5 kB  2026-11-21 21:31"
    var contents = ScreenContents(title: "Inbox", rows: [row], firstRow: 0, current: 0)
    let wide = frame(contents, 80, 8).lines[1].text
    #expect(wide.count == 80 && wide.hasPrefix(">  notes.txt  "))
    #expect(wide.hasSuffix("    1.5 kB  2026-11-21 21:31"))
    #expect(frame(contents, 59, 8).lines[1].text == ">  notes.txt")
    contents.isHeard = true
    #expect(!frame(contents, 80, 8).lines.contains { $0.text.contains("kB") })
  }

  @Test("The folders around are shown as far as there is room, nearest first, and to eyes alone")
  func around() {
    var contents = ScreenContents(title: "Inbox, 4 files", rows: [], firstRow: 0, current: nil)
    contents.around = ["~", "Documents", "Work"]
    contents.others = ["Docs"]
    func title(_ columns: Int) -> String { frame(contents, columns, 8).lines[0].text }
    #expect(title(80) == "~ › Documents › Work › Inbox, 4 files │ Docs")
    #expect(title(44) == title(80))
    #expect(title(43) == title(40))
    #expect(title(40) == "… › Work › Inbox, 4 files │ Docs")
    #expect(title(32) == title(40))
    #expect(title(31) == "… › Inbox, 4 files │ Docs")
    #expect(title(24) == "Inbox, 4 files │ Docs")
    contents.isHeard = true
    #expect(frame(contents, 80, 8).lines[1].text == "Inbox, 4 files │ Docs")
  }

  @Test("Where a screen reader listens the cursor stays above everything, on the last message")
  func heard() {
    var contents = fullContents()
    contents.rows[1].name = "report.pdf"
    let rest = frame(contents, 40, 9)
    contents.isHeard = true
    let shown = frame(contents, 40, 10)
    #expect(shown.lines.map(\.text) == [" report.pdf, 2 of 4"] + rest.lines.map(\.text))
    #expect((shown.cursorRow, shown.cursorColumn) == (0, 0))
    let layouts = [10, 9].map { ScreenLayout(size: ScreenSize(columns: 40, rows: $0)) }
    #expect(
      layouts[0].visibleRows(for: contents) == layouts[1].visibleRows(for: fullContents()))
  }

  @Test(
    "T11 the line at the cursor names the place: a message that does, else the place and what happens there"
  )
  func place() {
    var contents = fullContents(current: 2, message: "Picked up. notes.txt: copy.")
    contents.isHeard = true
    func line(_ message: String) -> String {
      contents.message = message
      let text = frame(contents, 40, 10).lines[0].text
      #expect(text.first == " ")
      return String(text.dropFirst())
    }
    #expect(line("Picked up. notes.txt: copy.") == "Picked up. notes.txt: copy.")
    let place = "notes.txt  text document"
    #expect(line("Still holding 2 items.") == place)
    #expect(line("") == place)
    #expect(line("notes.txt: " + String(repeating: "long words ", count: 9)) == place)
    contents.rows[2] = ScreenRow(name: "")
    contents.rows[2].beforeCursor = ""
    #expect(line("Name of the new folder.") == "Name of the new folder.")
    contents.rows[2].name = "School"
    #expect(line("Name of the new folder.") == "School")
  }

  @Test("The line at the cursor is taken away by blanks that are written over it")
  func cursorLine() {
    var contents = fullContents()
    contents.rows[1].name = "report.pdf"
    #expect(!frame(contents, 40, 10).hasCursorLine)
    contents.isHeard = true
    let shown = frame(contents, 40, 10)
    let cleared = shown.withoutCursorLine
    #expect(shown.hasCursorLine && !cleared.hasCursorLine)
    #expect(cleared.lines[0].text == String(repeating: " ", count: " report.pdf, 2 of 4".count))
    #expect(cleared.lines.dropFirst() == shown.lines.dropFirst())
  }

  @Test("Where no words may be written, looks alone show the current line")
  func looks() {
    func frame(_ current: Int, _ names: [String] = ["a.txt", "b.txt"]) -> ScreenFrame {
      let contents = ScreenContents(
        title: "Inbox", rows: names.map { ScreenRow(name: $0) }, firstRow: 0, current: current,
        message: names[current])
      return ScreenLayout(size: ScreenSize(columns: 40, rows: 8)).frame(for: contents)
    }
    let (before, after) = (frame(0), frame(1))
    let held = before.looking(like: after)
    #expect(held.lines.map(\.text) == before.lines.map(\.text), "not a letter is written")
    for (row, line) in held.lines.enumerated() where line.text.contains(".txt") {
      let isSame = line.text.dropFirst() == after.lines[row].text.dropFirst() && row < 3
      #expect(line.style == (isSame ? after.lines[row].style : .dim), "\(line)")
    }
    #expect(held.lines.contains { $0.text.contains("b.txt") && $0.style == .reverse })
    #expect(!held.lines.contains { $0.text.contains("a.txt") && $0.style == .reverse })
    let other = before.looking(like: frame(1, ["x.txt", "y.txt"]))
    #expect(other.lines.allSatisfy { !$0.text.contains(".txt") || $0.style == .dim })
  }

  @Test("What may be out of date is faint, with the words and the cursor as they were")
  func faint() {
    let shown = frame(fullContents(), 40, 10)
    let faint = shown.faint
    #expect(faint.lines.map(\.text) == shown.lines.map(\.text))
    #expect(faint.lines.allSatisfy { $0.text.isEmpty || $0.style == .dim })
    #expect((faint.cursorRow, faint.cursorColumn) == (shown.cursorRow, shown.cursorColumn))
  }

  @Test("A wide screen cuts nothing")
  func eightyByTwentyFour() {
    let lines = frame(fullContents(), 80, 24).lines.map(\.text)
    #expect(lines.count == 24)
    #expect(lines[2] == ">  a very long report about everything 2026.pdf  refuses: read-only")
    #expect(lines[6] == "2 items: notes.txt, held.png, move", "it stands near the list")
  }

  @Test("A wide screen has a bar, the pace and the time left, the other folders and the keys")
  func wide() {
    var contents = fullContents()
    contents.others = ["Docs", "Music"]
    contents.keys = ["Space: pick up.", "?: help.", String(repeating: "x", count: 80)]
    let lines = frame(contents, 80, 24).lines
    #expect(lines[0].text == "Inbox, 4 items │ Docs │ Music")
    #expect(
      lines[7].text
        == "Copying disk.iso to Docs, 43 %  [########............]  12 MB/s  0:42")
    #expect(lines[23].text == "Space: pick up.  ?: help.")
    #expect(lines[8].text == "report.pdf, 2 of 4")
    let narrow = frame(contents, 24, 10).lines.map(\.text)
    #expect(narrow[0] == "Inbox, 4 items │ Docs")
    #expect(narrow.dropLast().last == "report.pdf, 2 of 4")
    contents.isHeard = true
    #expect(!frame(contents, 80, 24).lines.contains { $0.text.contains("Space") })
  }

  @Test("At 20 × 5 the list, the carried line and the message are left")
  func twentyByFive() {
    let shown = frame(fullContents(), 20, 5)
    #expect(
      shown.lines.map(\.text) == [
        "Inbox, 4 items", "   Sorted  move", ">  a ver….pdf  refu…",
        "2 items: note…, move", "report.pdf, 2 of 4",
      ])
    #expect((shown.cursorRow, shown.cursorColumn) == (2, 3))
  }

  @Test("One cell still holds the cursor")
  func oneCell() {
    let shown = frame(fullContents(), 1, 1)
    #expect(shown.lines.map(\.text) == ["…"])
    #expect((shown.cursorRow, shown.cursorColumn) == (0, 0))
  }

  @Test(
    "Any contents fit any size, and the cursor stands where the current name begins",
    arguments: [(80, 24), (40, 10), (20, 5), (10, 3), (9, 2), (3, 3), (2, 1), (1, 1)], hardNames)
  func anySize(size: (columns: Int, rows: Int), name: String) {
    let rows = (0..<30).map { ScreenRow(name: name, note: name, isMarked: $0 == 3, depth: $0 % 2) }
    for current in [nil, 0, 7, 29] {
      var contents = fullContents(current: current, message: name + " " + name)
      contents.rows = current == nil ? [] : rows
      contents.title = name
      contents.carried = name
      let shown = frame(contents, size.columns, size.rows)
      #expect(shown.lines.count == size.rows)
      for line in shown.lines {
        #expect(TextWidth.columns(line.text) <= size.columns)
        #expect(
          line.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0 ~= $0.value) })
      }
      #expect((0..<size.rows).contains(shown.cursorRow))
      #expect((0..<size.columns).contains(shown.cursorColumn))
      if current != nil, size.columns >= 10 {
        #expect(shown.lines[shown.cursorRow].text.hasPrefix(">"))
        #expect(shown.cursorColumn == (current.map { $0 % 2 } == 1 ? 5 : 3))
      }
    }
  }

  @Test(
    "A long message takes up to three lines at 40 columns and loses nothing; the list gives way")
  func longMessage() {
    let message =
      "Could not move report.pdf to Docs: the folder is read-only. It is still in Inbox, "
      + "nothing changed."
    let shown = frame(fullContents(message: message), 40, 8)
    #expect(
      shown.lines.suffix(3).map(\.text) == [
        "Could not move report.pdf to Docs: the", "folder is read-only. It is still in",
        "Inbox, nothing changed.",
      ])
    #expect(shown.lines[shown.cursorRow].text.hasPrefix(">"))
  }

  @Test(
    "The rows that fit are as many as are shown, whatever rows are there",
    arguments: [(80, 24), (40, 10), (20, 5), (1, 1)])
  func visibleRows(size: (columns: Int, rows: Int)) {
    var contents = fullContents(
      message: "A message that needs more than one line at forty columns.")
    let layout = ScreenLayout(size: ScreenSize(columns: size.columns, rows: size.rows))
    contents.rows = []
    let fitting = layout.visibleRows(for: contents)
    contents.rows = (0..<100).map { ScreenRow(name: "row \($0)") }
    #expect(layout.visibleRows(for: contents) == fitting)
    let shown = layout.frame(for: contents).lines.filter { $0.text.contains("row ") }
    #expect(fitting >= 1)
    if size.columns > 1 { #expect(shown.count == fitting) }
  }

  @Test("In an empty list the cursor stands on the message")
  func emptyList() {
    var contents = fullContents(current: nil, message: "Inbox is empty.")
    contents.rows = []
    let shown = frame(contents, 40, 10)
    #expect((shown.cursorRow, shown.cursorColumn) == (4, 0))
    #expect(shown.lines[4].text == "Inbox is empty.")
  }

  @Test("Names written from right to left are isolated and do not reach their note")
  func rightToLeft() {
    var contents = fullContents(current: 0)
    contents.rows = [ScreenRow(name: "שלום.txt", note: "move")]
    #expect(frame(contents, 40, 10).lines[1].text == ">  \u{2068}שלום.txt\u{2069}  move")
  }

  @Test(
    "Bold and colour are left out for NO_COLOR and --no-color, the screen for a dumb terminal",
    arguments: [
      (["TERM": "xterm"], false, ScreenStyle.styled), (["TERM": "xterm"], true, .plain),
      (["TERM": "xterm", "NO_COLOR": "1"], false, .plain),
      (["TERM": "xterm", "NO_COLOR": ""], false, .styled), (["TERM": "dumb"], false, .lines),
      (["TERM": ""], true, .lines), ([:], false, .lines),
    ])
  func style(environment: [String: String], noColor: Bool, style: ScreenStyle) {
    #expect(ScreenStyle.allowed(environment: environment, noColor: noColor) == style)
  }
}
