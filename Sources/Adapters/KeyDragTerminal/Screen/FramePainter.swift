/// Writes the difference between what a terminal shows and what it should show (ECMA-48 sequences).
struct FramePainter {
  /// `nil`: not known, so everything is written.
  private(set) var shown: ScreenFrame?
  private let style: ScreenStyle

  init(style: ScreenStyle) { self.style = style }

  /// Forgets what is on the terminal: somebody else wrote to it, or it was cleared.
  mutating func invalidate() { shown = nil }

  /// The bytes that turn what is shown into `frame`; empty when nothing differs.
  mutating func paint(_ frame: ScreenFrame) -> [UInt8] {
    var (frame, scrolls) = (frame, frame.comesByScroll)
    frame.comesByScroll = false
    guard frame != shown else { return [] }
    var output: [UInt8] = []
    var previous = shown?.size == frame.size ? shown : nil
    if previous == nil { output += Self.clear }
    if scrolls, previous != nil {
      Self.move(row: frame.size.rows - 1, column: 0, &output)
      output += Self.index
      // Its lines stand one higher now, and are written over.
      previous = .empty(frame.size)
    }
    for (row, line) in frame.lines.enumerated() {
      let old = previous?.lines[row] ?? StyledLine()
      let differs = style == .plain ? line.text != old.text : line != old
      if scrolls || differs {
        paint(line, over: old, row: row, columns: frame.size.columns, &output)
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

  private func paint(
    _ line: StyledLine, over old: StyledLine, row: Int, columns: Int, _ output: inout [UInt8]
  ) {
    let kept = keptColumns(line, old)
    Self.move(row: row, column: kept, &output)
    let isFull = TextWidth.columns(line.text) >= columns
    // After a last column is written the cursor still stands on it: clearing then would take it away.
    if isFull { output += Self.clearToEnd }
    let (on, off) = attributes(line)
    output += on
    output += line.text.dropFirst(kept).utf8
    output += off
    if !isFull { output += Self.clearToEnd }
  }

  /// How much of the line's beginning is there already; only where columns can be counted surely.
  private func keptColumns(_ line: StyledLine, _ old: StyledLine) -> Int {
    guard style == .plain || line.style == old.style && line.color == old.color else { return 0 }
    let kept = zip(line.text, old.text).prefix { $0 == $1 && $0.isASCII }.count
    // A mark without width, such as the start of an isolate, sits in the cell before it.
    let isSure = [line.text, old.text].allSatisfy { $0.dropFirst(kept).first?.isASCII ?? true }
    return isSure ? kept : max(kept - 1, 0)
  }

  private func attributes(_ line: StyledLine) -> (on: [UInt8], off: [UInt8]) {
    guard style == .styled else { return ([], []) }
    let code =
      switch line.style {
      case .plain: ""
      case .bold: "1"
      case .dim: "2"
      case .reverse: "7"
      }
    let codes = [line.color, code].filter { !$0.isEmpty }.joined(separator: ";")
    guard !codes.isEmpty else { return ([], []) }
    return (Array("\u{1B}[\(codes)m".utf8), Array("\u{1B}[0m".utf8))
  }

  private static func move(row: Int, column: Int, _ output: inout [UInt8]) {
    output += "\u{1B}[\(row + 1);\(column + 1)H".utf8
  }
}
