/// A terminal's size in cells; at least one by one.
package struct ScreenSize: Hashable, Sendable {
  /// 1 to 4096.
  package let columns: Int
  /// 1 to 4096.
  package let rows: Int

  /// Clamps a terminal's numbers to 1 to 4096.
  package init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 1), 4096)
    self.rows = min(max(rows, 1), 4096)
  }
}

/// How much a screen may use: bold, faint and reversed letters, whose words say the same without them.
package enum ScreenStyle: Hashable, Sendable {
  case plain
  case styled
  /// No screen, but a line for each message: the terminal cannot move its cursor.
  case lines

  /// The style that `NO_COLOR` (no-color.org), `TERM` and `--no-color` allow.
  package static func allowed(environment: [String: String], noColor: Bool = false) -> ScreenStyle {
    if ["", "dumb"].contains(environment["TERM"] ?? "") { return .lines }
    return noColor || environment["NO_COLOR"].map { !$0.isEmpty } ?? false ? .plain : .styled
  }
}

enum LineStyle: Hashable, Sendable {
  case plain
  case bold
  case dim
  case reverse

  /// The number of the attribute (ECMA-48, SGR); `nil` for none.
  var code: String? {
    switch self {
    case .plain: nil
    case .bold: "1"
    case .dim: "2"
    case .reverse: "7"
    }
  }
}

/// One line of a screen: safe text no wider than the screen.
struct StyledLine: Hashable, Sendable {
  var text = ""
  var style = LineStyle.plain
  /// From the left; text behind the last span has no colour.
  var spans: [ColorSpan] = []

  init(text: String = "", style: LineStyle = .plain) { (self.text, self.style) = (text, style) }

  /// The text without the blanks around it.
  var words: Substring {
    let rest = text.drop { $0 == " " }
    return rest.lastIndex { $0 != " " }.map { rest[...$0] } ?? rest[..<rest.startIndex]
  }

  /// Adds text at the end.
  ///
  /// - Parameter color: the numbers of a colour, as in `LS_COLORS`; empty for none.
  mutating func append(_ part: String, color: String = "") {
    if !color.isEmpty, !part.isEmpty {
      cover()
      spans.append(ColorSpan(length: part.count, color: color))
    }
    text += part
  }

  /// Adds a span without a colour for text that has none yet.
  private mutating func cover() {
    let uncovered = text.count - spans.map(\.length).reduce(0, +)
    if uncovered > 0 { spans.append(ColorSpan(length: uncovered, color: "")) }
  }

  /// Adds another line to the right of this one.
  ///
  /// - Parameter column: where the divider begins; this line is no wider.
  mutating func append(_ other: StyledLine, behind divider: String, at column: Int) {
    // The current line alone is reversed, and not what stands beside it.
    if let code = style.code {
      cover()
      for index in spans.indices { spans[index].color = code }
      style = .plain
    }
    append(String(repeating: " ", count: max(column - TextWidth.columns(text), 0)) + divider)
    let dim = other.style.code ?? ""
    var rest = Substring(other.text)
    for span in other.spans {
      append(String(rest.prefix(span.length)), color: span.color)
      rest = rest.dropFirst(span.length)
    }
    append(String(rest), color: dim)
  }
}

/// A run of characters in one colour.
struct ColorSpan: Hashable, Sendable {
  /// In characters.
  var length: Int
  /// The numbers of the colour, as in `LS_COLORS`; empty for none.
  var color: String
}

/// The contents of a screen: one line for each of its rows, and the cursor.
struct ScreenFrame: Hashable, Sendable {
  var size: ScreenSize
  var lines: [StyledLine]
  /// Counted from 0.
  var cursorRow: Int
  var cursorColumn: Int
  /// A screen reader listens: nothing is written again without need.
  var isHeard = false
  /// Painted behind a scroll, after which a terminal compares lengths alone: see ``ScreenLayout/scrolls``.
  var comesByScroll = false

  /// The last line by turns where Orca is to take no change for an answer to a key: see
  /// ``KeyDragCore/Announcer/skipsMarkedText``. They end differently: VTE leaves out of a change the end that
  /// both texts have. There are more than screens that it may take for one change.
  static let marks = ["~", "~.", "~:", "~;", "~-", "~=", "~+", "~*"]

  /// The same with the mark that the screen does not show where any words differ.
  func marked(after shown: ScreenFrame?) -> ScreenFrame {
    guard let last = lines.last?.text, Self.marks.contains(last) else { return self }
    var frame = self
    let old = shown?.lines.last?.text ?? ""
    let isSame = shown?.lines.dropLast().map(\.text) == lines.dropLast().map(\.text)
    let next = Self.marks.firstIndex(of: old).map { Self.marks[($0 + 1) % Self.marks.count] }
    frame.lines[lines.count - 1].text = isSame ? old : next ?? last
    return frame
  }

  /// Empty, with the cursor at the top left.
  static func empty(_ size: ScreenSize) -> ScreenFrame {
    ScreenFrame(
      size: size, lines: Array(repeating: StyledLine(), count: size.rows), cursorRow: 0,
      cursorColumn: 0, isHeard: true)
  }

  var hasWords: Bool { lines.contains { !$0.words.isEmpty } }

  /// The line with the cursor has words.
  var hasCursorLine: Bool { isHeard && !lines[cursorRow].words.isEmpty }

  /// The same without words.
  var blank: ScreenFrame {
    guard comesByScroll else { return .empty(size) }
    var frame = Self.empty(size)
    frame.cursorRow = cursorRow
    return frame.ofEvenLength
  }

  /// The same with the line of the cursor exchanged for another.
  func withCursor(in row: Int) -> ScreenFrame {
    var frame = self
    frame.lines.swapAt(row, cursorRow)
    frame.cursorRow = row
    return frame
  }

  /// The same with a line added for the cursor, above which there is nothing; `nil` where there is no room.
  func adding(_ line: StyledLine) -> ScreenFrame? {
    guard cursorRow > 1, lines[..<cursorRow].allSatisfy(\.text.isEmpty) else { return nil }
    var frame = self
    frame.cursorRow -= 1
    frame.lines[frame.cursorRow] = line
    return frame
  }

  /// The same with empty lines above that of the cursor and at the end, and with blanks behind the words of
  /// the others, so that it has as many bytes as every frame of its size. The last line but one has blanks
  /// alone: a terminal that comes to several frames at once says that their number of characters came at the
  /// end.
  var ofEvenLength: ScreenFrame {
    var frame = self
    frame.comesByScroll = true
    for row in frame.lines.indices {
      frame.lines[row].text.unicodeScalars.removeAll { (0x2066...0x2069).contains($0.value) }
    }
    let filled = cursorRow..<lines.count - 2
    var left = filled.count * (size.columns - 1)
    for row in filled {
      // What would make it longer than the others is cut off at its end.
      if frame.lines[row].text.utf8.count > left { frame.lines[row] = StyledLine() }
      left -= frame.lines[row].text.utf8.count
    }
    for row in filled {
      let room = max(size.columns - 1 - TextWidth.columns(frame.lines[row].text), 0)
      let blanks = min(room, left)
      frame.lines[row].text += String(repeating: " ", count: blanks)
      left -= blanks
    }
    frame.lines[lines.count - 2] = StyledLine(
      text: String(repeating: " ", count: size.columns - 1))
    return frame
  }

  /// With blanks in place of those words: readers speak removed text only after Backspace, and a
  /// braille display shows overwritten text as gone.
  var withoutCursorLine: ScreenFrame {
    guard hasCursorLine else { return self }
    var frame = self
    let columns = TextWidth.columns(lines[cursorRow].text)
    frame.lines[cursorRow] = StyledLine(text: String(repeating: " ", count: columns))
    return frame
  }

  /// The same with other words at the cursor. Their first and their last change place, so that a terminal,
  /// which leaves out what both lines begin and end with, tells the whole line.
  func withCursorLine(_ words: String) -> ScreenFrame {
    var frame = self
    let old = lines[cursorRow].text
    let (before, behind) = (old.hasPrefix("  ") ? " " : "  ", old.hasSuffix("  ") ? " " : "  ")
    frame.lines[cursorRow] = StyledLine(text: before + words + behind)
    return frame
  }

  /// The same words in the style of another frame; faint where that has other words. The mark of
  /// the current line stays where it was.
  func looking(like other: ScreenFrame) -> ScreenFrame {
    var frame = faint
    guard other.size == size else { return frame }
    for row in lines.indices where other.lines.indices.contains(row) {
      let (old, new) = (lines[row], other.lines[row])
      guard !old.words.isEmpty, Self.unmarked(old) == Self.unmarked(new) else { continue }
      frame.lines[row].style = other.lines[row].style
      frame.lines[row].spans = other.lines[row].spans
    }
    return frame
  }

  /// A line of a list, without the mark of the current one.
  private static func unmarked(_ line: StyledLine) -> Substring {
    let words = line.words
    return words.first == ">" ? words.dropFirst().drop { $0 == " " } : words
  }

  /// The same words, faint: they may be stale.
  var faint: ScreenFrame {
    var frame = self
    frame.comesByScroll = false
    for row in lines.indices where lines[row].text.contains(where: { $0 != " " }) {
      (frame.lines[row].style, frame.lines[row].spans) = (.dim, [])
    }
    return frame
  }
}
