@testable import KeyDragTerminal

/// A terminal just large enough to show what a program painted: the sequences the painter uses,
/// and anything else is remembered as unknown.
struct VirtualScreen {
  private(set) var columns: Int
  private(set) var rows: Int
  private(set) var cursorRow = 0
  private(set) var cursorColumn = 0
  private(set) var modes: Set<Int> = []
  /// The lines that were written to since the last look.
  private(set) var touched: Set<Int> = []
  private(set) var unknown: [String] = []
  /// Those that nothing was written to are never read.
  private var cells: [[String]]
  /// What a repetition repeats: as in VTE, nothing across another sequence.
  private var last: String?
  private var main: [[String]] = []
  private var pending: [UInt8] = []

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Self.blank(columns, rows)
  }

  /// What stands on each line, without the blanks at its end.
  var lines: [String] {
    cells.map { row in
      var text = row.map { $0 == Self.untouched ? " " : $0 }.joined()
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  var text: String { lines.joined(separator: "\n") }

  mutating func forgetTouched() { touched = [] }

  mutating func resize(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Self.blank(columns, rows)
  }

  mutating func feed(_ bytes: some Sequence<UInt8>) {
    pending += bytes
    while let length = firstToken() {
      let token = Array(pending.prefix(length))
      pending.removeFirst(length)
      let repeated = last
      last = nil
      token[0] == 0x1B ? command(token, repeated) : put(String(decoding: token, as: UTF8.self))
    }
  }

  private func firstToken() -> Int? {
    guard let first = pending.first else { return nil }
    if first == 0x1B, pending.count > 1, "DM".utf8.contains(pending[1]) { return 2 }
    if first == 0x1B {
      return pending.indices.dropFirst(2).first { (0x40...0x7E).contains(pending[$0]) }.map {
        $0 + 1
      }
    }
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    return pending.count >= length ? length : nil
  }

  private mutating func command(_ token: [UInt8], _ repeated: String?) {
    if token == [0x1B, UInt8(ascii: "D")] {
      if cursorRow < rows - 1 {
        cursorRow += 1
        return
      }
      cells.removeFirst()
      return cells.append(Array(repeating: Self.untouched, count: columns))
    }
    if token == [0x1B, UInt8(ascii: "M")] {
      guard cursorRow == 0 else { return unknown.append("M") }
      cells.removeLast()
      return cells.insert(Array(repeating: Self.untouched, count: columns), at: 0)
    }
    let text = String(decoding: token.dropFirst(2).dropLast(), as: UTF8.self)
    let numbers = text.drop { $0 == "?" }.split(separator: ";").compactMap { Int($0) }
    switch token[token.count - 1] {
    case UInt8(ascii: "H"):
      cursorRow = min((numbers.first ?? 1) - 1, rows - 1)
      cursorColumn = min((numbers.dropFirst().first ?? 1) - 1, columns - 1)
    case UInt8(ascii: "J"): cells = Self.blank(columns, rows)
    case UInt8(ascii: "K"):
      touched.insert(cursorRow)
      for column in cursorColumn..<columns { cells[cursorRow][column] = Self.untouched }
    case UInt8(ascii: "b"):
      for _ in 0..<(numbers.first ?? 1) { repeated.map { print($0) } }
    case UInt8(ascii: "m"): break
    case UInt8(ascii: "h"): for mode in numbers { setMode(mode, true) }
    case UInt8(ascii: "l"): for mode in numbers { setMode(mode, false) }
    default: unknown.append(text)
    }
  }

  private mutating func setMode(_ mode: Int, _ isOn: Bool) {
    if mode == 1049, isOn, !modes.contains(mode) {
      main = cells
      cells = Self.blank(columns, rows)
    } else if mode == 1049, !isOn, modes.contains(mode) {
      cells = main
      (cursorRow, cursorColumn) = (0, 0)
    }
    if isOn { modes.insert(mode) } else { modes.remove(mode) }
  }

  private mutating func put(_ text: String) {
    switch text {
    case "\r": cursorColumn = 0
    case "\n": cursorRow = min(cursorRow + 1, rows - 1)
    default: print(text)
    }
  }

  private mutating func print(_ text: String) {
    guard let scalar = text.unicodeScalars.first, scalar.value >= 0x20 else {
      return unknown.append("control")
    }
    touched.insert(cursorRow)
    let width = TextWidth.columns(scalar)
    guard width > 0 else {
      // It joins what was printed last.
      let column = max(cursorColumn - 1, 0)
      cells[cursorRow][column] += text
      return
    }
    cells[cursorRow][cursorColumn] = text
    last = text
    if width == 2, cursorColumn + 1 < columns { cells[cursorRow][cursorColumn + 1] = "" }
    cursorColumn = min(cursorColumn + width, columns - 1)
  }

  private static func blank(_ columns: Int, _ rows: Int) -> [[String]] {
    Array(repeating: Array(repeating: untouched, count: columns), count: rows)
  }

  private static let untouched = "\0"

  /// The number of bytes on all lines as VTE tells them: up to the last cell that was written to, and a break.
  var toldBytes: Int {
    cells.reduce(0) { sum, row in
      let end = row.lastIndex { $0 != Self.untouched }.map { $0 + 1 } ?? 0
      return sum + row[..<end].reduce(1) { $0 + $1.utf8.count }
    }
  }
}
