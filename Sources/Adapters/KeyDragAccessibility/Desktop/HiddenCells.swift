import KeyDragCore

extension ProgramReader {
  /// Drops the names of cells that are not drawn: a row of GTK 3 reports everything that its column
  /// could show there, and its only hint is a cell of no width.
  func leaveOutHiddenCells(
    of rows: [Int], _ outline: inout OutlineTree
  ) async throws(Reason) {
    guard outline.toolkit.reading == .levels else { return }
    let cells = rows.filter { outline.namedCells(of: $0).count > 1 }
    let lists = Set(cells.compactMap { outline[$0].parent })
    let asked = rows.filter { outline[$0].parent.map(lists.contains) == true }
      .flatMap { outline.namedCells(of: $0) }
    let answers = try await ask(asked.map { outline[$0].id.extents(outline.toolkit.coordinates) })
    let empty = zip(asked, answers).filter { AtspiReplyDecoder.rectangle($1)?.width == 0 }
    let hidden = Set(empty.map(\.0))
    for list in lists {
      outline.leaveOutHidden(of: rows.filter { outline[$0].parent == list }, hidden)
    }
  }
}

extension OutlineTree {
  func namedCells(of row: Int) -> [Int] {
    nodes[row].children.filter { nodes[$0].isShown && nodes[$0].name?.isEmpty == false }
  }

  /// - Parameters:
  ///   - rows: the shown ones of one list, in order.
  ///   - narrow: cells of no width.
  mutating func leaveOutHidden(of rows: [Int], _ narrow: Set<Int>) {
    let width = rows.map { nodes[$0].children.count }.max() ?? 0
    func cell(_ row: Int, _ column: Int) -> Int? {
      let cells = nodes[row].children
      return cells.indices.contains(column) && nodes[cells[column]].name?.isEmpty == false
        ? cells[column] : nil
    }
    func words(_ row: Int, _ column: Int) -> String? {
      cell(row, column).flatMap { nodes[$0].name }
    }
    let hidden = (0..<width).filter { column in
      let cells = rows.compactMap { cell($0, column) }
      return !cells.isEmpty && cells.allSatisfy(narrow.contains)
    }
    // Elsewhere, a cell drawn in some rows only keeps the text of the last of them, and the width
    // that it had in whichever row came last.
    let isDrawnAtTimes = hidden.contains { column in
      let told = rows.map { words($0, column) }
      let others = (0..<width).filter { $0 != column }
      let isKept = zip(told, told.dropFirst()).contains { $0 == $1 && $0 != nil }
      return isKept
        && (Set(told).count > 1
          || others.contains { other in
            rows.dropFirst().contains { words($0, other) == words(rows[0], other) }
          })
    }
    for (place, row) in rows.enumerated() {
      var drawn = (0..<width).filter { cell(row, $0) != nil && !hidden.contains($0) }
      if isDrawnAtTimes {
        let isFirst = place == 0
        let other =
          isFirst && nodes[row].index == 1
          ? nil : rows[isFirst ? min(1, rows.count - 1) : place - 1]
        let new = (0..<width).filter { column in
          cell(row, column) != nil && other.map { words($0, column) != words(row, column) } ?? true
        }
        if let first = new.first { drawn = [first] }
      }
      guard !drawn.isEmpty else { continue }
      for column in 0..<width where !drawn.contains(column) {
        if let cell = cell(row, column) { self[cell].isShown = false }
      }
    }
  }
}
