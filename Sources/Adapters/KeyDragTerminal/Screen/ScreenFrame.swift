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
  /// SGR parameters, as in LS_COLORS; empty for none.
  var color = ""
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

  /// Empty, with the cursor at the top left.
  static func empty(_ size: ScreenSize) -> ScreenFrame {
    ScreenFrame(
      size: size, lines: Array(repeating: StyledLine(), count: size.rows), cursorRow: 0,
      cursorColumn: 0, isHeard: true)
  }

  /// Whether the first line, with the cursor, has words.
  var hasCursorLine: Bool { isHeard && lines.first?.text.contains { $0 != " " } == true }

  /// With blanks in place of those words: readers speak removed text only after Backspace, and a
  /// braille display shows overwritten text as gone.
  var withoutCursorLine: ScreenFrame {
    guard hasCursorLine else { return self }
    var frame = self
    let columns = TextWidth.columns(lines[0].text)
    frame.lines[0] = StyledLine(text: String(repeating: " ", count: columns))
    return frame
  }

  /// The same words in the style of another frame; faint where that has other words. The mark of
  /// the current line stays where it was.
  func looking(like other: ScreenFrame) -> ScreenFrame {
    var frame = faint
    guard other.size == size else { return frame }
    for row in lines.indices where other.lines.indices.contains(row) {
      let (old, new) = (lines[row].text, other.lines[row].text)
      guard !old.isEmpty, Self.unmarked(old) == Self.unmarked(new) else { continue }
      frame.lines[row].style = other.lines[row].style
      frame.lines[row].color = other.lines[row].color
    }
    return frame
  }

  /// A line of a list, without the mark of the current one.
  private static func unmarked(_ text: String) -> String {
    text.first == ">" ? " " + text.dropFirst() : text
  }

  /// The same words, faint: they may be stale.
  var faint: ScreenFrame {
    var frame = self
    for row in lines.indices where !lines[row].text.isEmpty {
      (frame.lines[row].style, frame.lines[row].color) = (.dim, "")
    }
    return frame
  }
}
