/// Writes the difference between the shown frame and the next (ECMA-48 sequences).
struct FramePainter {
  /// `nil` if unknown, so that everything is written.
  private(set) var shown: ScreenFrame?
  private let style: ScreenStyle
  private var hasShownWords = false

  init(style: ScreenStyle) { self.style = style }

  /// Forgets the terminal's contents: something else wrote to it, or it was cleared.
  mutating func invalidate() { shown = nil }

  /// The bytes that turn the shown frame into `frame`; empty if they are equal.
  mutating func paint(_ frame: ScreenFrame) -> [UInt8] {
    var (frame, scrolls) = (frame, frame.comesByScroll)
    frame.comesByScroll = false
    guard frame != shown else { return [] }
    var output: [UInt8] = []
    var previous = shown?.size == frame.size ? shown : nil
    if previous == nil { output += Self.clear }
    if scrolls, previous != nil {
      // One line up and one down: the lines stand where they stood, but for the first, which is empty.
      Self.move(row: frame.size.rows - 1, column: 0, &output)
      output += Self.index
      Self.move(row: 0, column: 0, &output)
      output += Self.reverseIndex + Self.clearToEnd
      previous?.lines[0] = StyledLine()
    }
    // Where blanks are repeated before there are words, Orca 43 shows nothing in braille of the first ones:
    // measured with VTE 0.70.
    let repeats = scrolls && hasShownWords
    hasShownWords = hasShownWords || frame.hasWords
    for (row, line) in frame.lines.enumerated() {
      let old = previous?.lines[row] ?? StyledLine()
      let differs = style != .styled ? line.text != old.text : line != old
      if differs {
        paint(
          line, over: old, row: row, columns: frame.size.columns, repeats: repeats, &output)
      }
    }
    Self.move(row: frame.cursorRow, column: frame.cursorColumn, &output)
    shown = frame
    return output
  }

  private static let clear = Array("\u{1B}[0m\u{1B}[2J".utf8)
  private static let clearToEnd = Array("\u{1B}[K".utf8)
  /// The line below, by scrolling where there is none (IND).
  private static let index = Array("\u{1B}D".utf8)
  /// The line above, by scrolling where there is none (RI).
  private static let reverseIndex = Array("\u{1B}M".utf8)
  /// From so many blanks at the end of a line on one is repeated (REP), which is shorter: a frame should
  /// reach the terminal in one piece.
  private static let repeated = 8

  private func paint(
    _ line: StyledLine, over old: StyledLine, row: Int, columns: Int, repeats: Bool,
    _ output: inout [UInt8]
  ) {
    let kept = keptColumns(line, old)
    Self.move(row: row, column: kept, &output)
    let isFull = TextWidth.columns(line.text) >= columns
    // After the last column the cursor still stands on it: clearing then would erase it.
    if isFull { output += Self.clearToEnd }
    let blanks = repeats ? line.text.dropFirst(kept).reversed().prefix { $0 == " " }.count : 0
    let text = line.text.dropLast(blanks < Self.repeated ? 0 : blanks)
    if style != .styled {
      output += text.dropFirst(kept).utf8
    } else {
      var (rest, skipped) = (text, kept)
      for span in line.spans + [ColorSpan(length: text.count, color: "")] {
        let part = rest.prefix(span.length)
        rest = rest.dropFirst(span.length)
        Self.write(part.dropFirst(skipped), span.color, line.style, &output)
        skipped = max(skipped - part.count, 0)
      }
    }
    // The blank right before it: VTE repeats nothing across another sequence.
    if text.count < line.text.count { output += " \u{1B}[\(blanks - 1)b".utf8 }
    if !isFull { output += Self.clearToEnd }
  }

  /// The length of the line's beginning that is there already, as far as columns can be counted
  /// reliably.
  private func keptColumns(_ line: StyledLine, _ old: StyledLine) -> Int {
    guard style != .styled || line.style == old.style && line.spans == old.spans else { return 0 }
    let kept = zip(line.text, old.text).prefix { $0 == $1 && $0.isASCII }.count
    // A zero-width mark, such as the start of an isolate, sits in the cell before it.
    let isSure = [line.text, old.text].allSatisfy { $0.dropFirst(kept).first?.isASCII ?? true }
    return isSure ? kept : max(kept - 1, 0)
  }

  private static func write(
    _ text: Substring, _ color: String, _ style: LineStyle, _ output: inout [UInt8]
  ) {
    if text.isEmpty { return }
    let codes = [color, style.code ?? ""].filter { !$0.isEmpty }.joined(separator: ";")
    if !codes.isEmpty { output += "\u{1B}[\(codes)m".utf8 }
    output += text.utf8
    if !codes.isEmpty { output += "\u{1B}[0m".utf8 }
  }

  private static func move(row: Int, column: Int, _ output: inout [UInt8]) {
    output += "\u{1B}[\(row + 1);\(column + 1)H".utf8
  }
}
