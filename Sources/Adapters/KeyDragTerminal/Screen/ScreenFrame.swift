/// A terminal's size in cells; never less than one by one.
package struct ScreenSize: Hashable, Sendable {
  /// Cells in a line, 1 to 4096.
  package let columns: Int
  /// Lines, 1 to 4096.
  package let rows: Int

  /// Takes what a terminal says of itself: numbers out of 1 to 4096 are brought into it.
  package init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 1), 4096)
    self.rows = min(max(rows, 1), 4096)
  }
}

/// Whether a screen may use bold, faint and reversed letters; words say the same without them.
package enum ScreenStyle: Hashable, Sendable {
  case plain
  case styled

  /// The style that `NO_COLOR` (no-color.org), `TERM` and `--no-color` allow.
  package static func allowed(environment: [String: String], noColor: Bool = false) -> ScreenStyle {
    let isRefused = noColor || environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    return isRefused || (environment["TERM"] ?? "dumb") == "dumb" ? .plain : .styled
  }
}

/// How a whole line looks.
enum LineStyle: Hashable, Sendable {
  case plain
  case bold
  case dim
  case reverse
}

/// One line of a screen: safe text no wider than the screen.
struct StyledLine: Hashable, Sendable {
  var text = ""
  var style = LineStyle.plain
  /// The numbers of a colour, as LS_COLORS has them; empty for none.
  var color = ""
}

/// Everything a screen shows at one moment: as many lines as it has rows, and where the cursor is.
struct ScreenFrame: Hashable, Sendable {
  var size: ScreenSize
  var lines: [StyledLine]
  /// Counted from 0.
  var cursorRow: Int
  var cursorColumn: Int
  /// A screen reader listens: it must not be written again without need.
  var isHeard = false
  /// Painted behind a scroll, after which a terminal compares lengths alone: see ``ScreenLayout/scrolls``.
  var comesByScroll = false

  /// The last line by turns where Orca is to take no change for an answer to a key: see
  /// ``KeyDragCore/Announcer/skipsMarkedText``.
  static let marks = ["~", "~~"]

  /// The same with the mark that the screen does not show where any words differ.
  func marked(after shown: ScreenFrame?) -> ScreenFrame {
    guard let last = lines.last?.text, Self.marks.contains(last) else { return self }
    var frame = self
    let old = shown?.lines.last?.text ?? ""
    let isSame = shown?.lines.dropLast().map(\.text) == lines.dropLast().map(\.text)
    frame.lines[lines.count - 1].text =
      isSame ? old : Self.marks.first { $0 != old } ?? last
    return frame
  }

  /// Nothing at all, the cursor at its first place.
  static func empty(_ size: ScreenSize) -> ScreenFrame {
    ScreenFrame(
      size: size, lines: Array(repeating: StyledLine(), count: size.rows), cursorRow: 0,
      cursorColumn: 0, isHeard: true)
  }

  /// The line with the cursor has words.
  var hasCursorLine: Bool { isHeard && lines[cursorRow].text.contains { $0 != " " } }

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
  /// the others, so that it has as many bytes as every frame of its size.
  var ofEvenLength: ScreenFrame {
    var frame = self
    frame.comesByScroll = true
    for row in frame.lines.indices {
      frame.lines[row].text.unicodeScalars.removeAll { (0x2066...0x2069).contains($0.value) }
    }
    let filled = cursorRow..<lines.count - 1
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
    return frame
  }

  /// The same with blanks for those words: they are read where text is taken away after Backspace only,
  /// and a braille display shows that they are gone where others are written over them.
  var withoutCursorLine: ScreenFrame {
    guard hasCursorLine else { return self }
    var frame = self
    let columns = TextWidth.columns(lines[cursorRow].text)
    frame.lines[cursorRow] = StyledLine(text: String(repeating: " ", count: columns))
    return frame
  }

  /// The same words with the looks that another frame gives them; faint where it has others. The mark of
  /// the current line stays where it was.
  func looking(like other: ScreenFrame) -> ScreenFrame {
    var frame = faint
    guard other.size == size else { return frame }
    for row in lines.indices where other.lines.indices.contains(row) {
      let (old, new) = (lines[row].text, other.lines[row].text)
      guard old.contains(where: { $0 != " " }), Self.unmarked(old) == Self.unmarked(new) else {
        continue
      }
      frame.lines[row].style = other.lines[row].style
      frame.lines[row].color = other.lines[row].color
    }
    return frame
  }

  /// A line of a list without the mark of the current one and the blanks behind it.
  private static func unmarked(_ text: String) -> String {
    let words = String(text.reversed().drop { $0 == " " }.reversed())
    return words.first == ">" ? " " + words.dropFirst() : words
  }

  /// The same words, faint: they may be out of date.
  var faint: ScreenFrame {
    var frame = self
    frame.comesByScroll = false
    for row in lines.indices where lines[row].text.contains(where: { $0 != " " }) {
      (frame.lines[row].style, frame.lines[row].color) = (.dim, "")
    }
    return frame
  }
}
