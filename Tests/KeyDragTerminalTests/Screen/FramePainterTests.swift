import KeyDragCore
import Testing

@testable import KeyDragTerminal

@Suite("What is written to bring a screen up to date")
struct FramePainterTests {
  @Test("The same contents again write nothing", arguments: [ScreenStyle.plain, .styled])
  func nothing(style: ScreenStyle) {
    var painter = FramePainter(style: style)
    #expect(!painter.paint(frame(fullContents(), 40, 10)).isEmpty)
    #expect(painter.paint(frame(fullContents(), 40, 10)).isEmpty)
  }

  @Test("One changed row rewrites that row alone, and of it the changed end")
  func oneRow() {
    var painter = FramePainter(style: .styled)
    var screen = VirtualScreen(columns: 40, rows: 10)
    screen.feed(painter.paint(frame(fullContents(), 40, 10)))
    screen.forgetTouched()
    var contents = fullContents()
    contents.rows[2].note = "text only"
    let bytes = painter.paint(frame(contents, 40, 10))
    screen.feed(bytes)
    #expect(screen.touched == [3])
    #expect(screen.lines[3] == " *   notes.txt  text only")
    #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}[4;22Honly\u{1B}[K\u{1B}[3;4H")
  }

  @Test("The next row rewrites the two rows and the message, and moves the cursor to its name")
  func nextRow() {
    var painter = FramePainter(style: .plain)
    var screen = VirtualScreen(columns: 40, rows: 10)
    screen.feed(painter.paint(frame(fullContents(), 40, 10)))
    screen.forgetTouched()
    screen.feed(
      painter.paint(frame(fullContents(current: 2, message: "notes.txt, 3 of 4"), 40, 10)))
    #expect(screen.touched == [2, 3, 8])
    #expect((screen.cursorRow, screen.cursorColumn) == (3, 5))
  }

  @Test(
    "After any changes the screen shows the last frame", arguments: [ScreenStyle.plain, .styled])
  func anyChanges(style: ScreenStyle) {
    var generator = SteadyGenerator(seed: 17)
    var painter = FramePainter(style: style)
    var screen = VirtualScreen(columns: 40, rows: 10)
    for _ in 0..<500 {
      var contents = fullContents(current: Int.random(in: 0..<4, using: &generator))
      contents.message = hardNames.randomElement(using: &generator) ?? ""
      contents.carried = Bool.random(using: &generator) ? "1 item" : nil
      contents.deliveries =
        Bool.random(using: &generator) ? [ScreenDelivery("x.iso, 3 %", percent: 3)] : []
      for row in contents.rows.indices where Bool.random(using: &generator) {
        contents.rows[row].name = hardNames.randomElement(using: &generator) ?? ""
        contents.rows[row].isDimmed = Bool.random(using: &generator)
      }
      let wanted = frame(contents, 40, 10)
      let bytes = painter.paint(wanted)
      screen.feed(bytes)
      var fresh = FramePainter(style: style)
      var other = VirtualScreen(columns: 40, rows: 10)
      other.feed(fresh.paint(wanted))
      #expect(screen.lines == other.lines)
      #expect((screen.cursorRow, screen.cursorColumn) == (wanted.cursorRow, wanted.cursorColumn))
    }
    #expect(screen.unknown.isEmpty)
  }

  @Test("A new size and a forgotten screen are painted whole")
  func whole() {
    var painter = FramePainter(style: .plain)
    _ = painter.paint(frame(fullContents(), 40, 10))
    var small = VirtualScreen(columns: 20, rows: 5)
    small.feed(painter.paint(frame(fullContents(), 20, 5)))
    #expect(small.lines.first == "Inbox, 4 items")
    painter.invalidate()
    var again = VirtualScreen(columns: 20, rows: 5)
    again.feed(painter.paint(frame(fullContents(), 20, 5)))
    #expect(again.lines == small.lines)
  }

  @Test("Without style not one attribute is sent, and nothing is said by attributes alone")
  func plain() {
    var painter = FramePainter(style: .plain)
    let bytes = painter.paint(frame(fullContents(), 40, 10))
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.components(of: "\u{1B}[", endingWith: "m") == ["0"])
    var styled = FramePainter(style: .styled)
    var (one, two) = (VirtualScreen(columns: 40, rows: 10), VirtualScreen(columns: 40, rows: 10))
    one.feed(bytes)
    two.feed(styled.paint(frame(fullContents(), 40, 10)))
    #expect(one.lines == two.lines)
  }
}

extension String {
  /// What stands between each `start` and the next letter, where that letter is `end`.
  fileprivate func components(of start: String, endingWith end: Character) -> [String] {
    split(separator: start).compactMap { part in
      guard let letter = part.firstIndex(where: \.isLetter), part[letter] == end else { return nil }
      return String(part[..<letter])
    }
  }
}
