import KeyDragCore
import Testing

@testable import KeyDragTerminal

@Suite("T11 a screen that comes behind a scroll, for a reader that is told of lengths alone")
struct ScrolledFrameTests {
  private func frame(_ contents: ScreenContents, rows: Int = 16) -> ScreenFrame {
    var contents = contents
    contents.isHeard = true
    return ScreenLayout(size: ScreenSize(columns: 40, rows: rows), scrolls: true).frame(
      for: contents)
  }

  /// The text of a screen as VTE tells it: a line each, and a break behind every one.
  private func bytes(of frame: ScreenFrame) -> Int {
    frame.lines.reduce(0) { $0 + $1.text.utf8.count + 1 }
  }

  @Test(
    "Every screen is as long as the others in bytes, begins and ends empty, and has its cursor in one place"
  )
  func length() {
    var contents = fullContents()
    contents.rows[1].name = "report.pdf"
    let first = frame(contents)
    #expect(first.lines.first?.text == "" && first.lines.last?.text == "" && first.comesByScroll)
    #expect(first.lines[first.cursorRow].text.hasPrefix(" report.pdf, 2 of 4 "))
    #expect(bytes(of: first.blank) == bytes(of: first) && first.blank.cursorRow == first.cursorRow)
    #expect(!first.lines[..<first.cursorRow].contains { !$0.text.isEmpty })
    for name in hardNames {
      contents.message = name
      contents.rows[1].name = name
      let other = frame(contents)
      #expect(bytes(of: other) == bytes(of: first) && other.cursorRow == first.cursorRow, "\(name)")
      #expect(other.lines[14].text == String(repeating: " ", count: 39), "\(name)")
      let widths = other.lines.map { TextWidth.columns($0.text) }
      #expect(widths.max() == 39 || widths.max() == 40, "\(name)")
    }
  }

  @Test(
    "It is written behind one scroll, no more of it than differs, and shows the same",
    arguments: [ScreenStyle.plain, .styled])
  func scroll(style: ScreenStyle) {
    var painter = FramePainter(style: style)
    var screen = VirtualScreen(columns: 40, rows: 16)
    screen.feed(painter.paint(frame(fullContents()).blank))
    let told = screen.toldBytes
    var contents = fullContents()
    for current in [0, 2, 1] {
      contents.current = current
      let wanted = frame(contents)
      let bytes = painter.paint(wanted)
      #expect(String(decoding: bytes, as: UTF8.self).split(separator: "\u{1B}D").count == 2)
      #expect(bytes.count < (current == 0 ? 800 : 250), "\(bytes.count)")
      // Before there are words, repeated blanks leave the braille display of Orca 43 empty.
      let repeats = String(decoding: bytes, as: UTF8.self).contains(/\u{1B}\[[0-9]+b/)
      #expect(repeats == (current != 0))
      screen.feed(bytes)
      #expect(screen.toldBytes == told)
      var other = VirtualScreen(columns: 40, rows: 16)
      var fresh = FramePainter(style: style)
      other.feed(fresh.paint(wanted))
      #expect(screen.lines == other.lines && screen.unknown.isEmpty)
      #expect(painter.paint(wanted).isEmpty)
    }
  }

  @Test(
    "After Backspace the line is added above the old one, nothing of which goes, as often as there is room"
  )
  func added() throws {
    var shown = frame(fullContents())
    var count = 0
    while let more = shown.adding(StyledLine(text: "not \(count)")) {
      #expect(more.lines[more.cursorRow].text == "not \(count)")
      #expect(more.lines[(more.cursorRow + 1)...] == shown.lines[(more.cursorRow + 1)...])
      (shown, count) = (more, count + 1)
    }
    #expect(count == 3 && shown.cursorRow == 1 && shown.lines[0].text.isEmpty)
    // A key after which the reader reads the line that the cursor comes to finds it where it was.
    let next = frame(fullContents()).withCursor(in: shown.cursorRow)
    #expect(next.cursorRow == 1 && next.lines[1].text.hasPrefix(" a very long"))
    #expect(bytes(of: next) == bytes(of: frame(fullContents())))
  }

  @Test("Only in a terminal that was measured, with nothing in between, and with room for it")
  func terminals() {
    #expect(ScreenLayout.scrolls(["VTE_VERSION": "7006"]))
    for other in [["VTE_VERSION": "8001"], ["VTE_VERSION": ""], [:]] {
      #expect(!ScreenLayout.scrolls(other))
    }
    #expect(!frame(fullContents(), rows: 11).comesByScroll)
  }

  @Test("A mark at the end of all that changes is another one each time, and none comes alone")
  func marks() {
    var contents = fullContents()
    (contents.isHeard, contents.isMarked) = (true, true)
    func frame() -> ScreenFrame {
      ScreenLayout(size: ScreenSize(columns: 40, rows: 10)).frame(for: contents)
    }
    let first = frame().marked(after: .empty(frame().size))
    #expect(first.lines.last?.text == "~" && first.lines.count == 10)
    #expect(frame().marked(after: first) == first)
    contents.message = "notes.txt, 3 of 4"
    let second = frame().marked(after: first)
    #expect(second.lines.last?.text == "~.")
    // A terminal may take several screens for one change: the mark differs all the same.
    #expect(first.marked(after: second).lines.last?.text == "~:")
    #expect(Set(ScreenFrame.marks.map(\.last)).count == 8)
    contents.isMarked = false
    #expect(frame().marked(after: second) == frame())
  }

  @Test(
    "What comes to the line at the cursor differs from what was there from its first letter to its last"
  )
  func line() {
    var frame = ScreenFrame.empty(ScreenSize(columns: 40, rows: 3))
    for words in ["a.txt, 1 of 2", "b.txt, 2 of 2", "b.txt, 1 of 2", "a", "ab", "b", "b, b"] {
      let old = Array(frame.lines[0].text)
      frame = frame.withCursorLine(words)
      // As a terminal compares the two: without what both begin and end with.
      let new = Array(frame.lines[0].text)
      let start = zip(old, new).prefix { $0 == $1 }.count
      let end = zip(old[start...].reversed(), new[start...].reversed()).prefix { $0 == $1 }.count
      #expect(String(new[start..<new.count - end]).contains(words), "\(String(old)) \(String(new))")
      #expect(frame.lines[0].words == words && frame.cursorRow == 0)
    }
  }
}
