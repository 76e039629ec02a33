import KeyDragCore

/// One column of a table, with the rows that can't be seen: a pure value.
struct WholeColumn: Hashable, Sendable {
  /// The table as it was found, and where in it the cell is that the column was looked for by.
  private let window: RowWindow
  private let index: Int
  /// The positions of its cells among all that is in the table, from above.
  let cells: [Int]

  /// - Parameters:
  ///   - index: of a cell of the column.
  ///   - most: how many rows the table may have.
  /// - Returns: `nil` for a table that is too long, and for one that does not say how it is made.
  init?(_ window: RowWindow, around index: Int?, most: Int) {
    guard let rows = window.rows, rows <= most, let columns = window.columns, let index,
      let spot = window.evenSpot(index), spot.row < rows
    else { return nil }
    let first = index - spot.row * columns
    (self.window, self.index) = (window, index)
    cells = (0..<rows).map { first + $0 * columns }
  }

  /// Whether the table is still as it was: where rows came or went while it was read, nobody knows
  /// which cells were read twice and which never.
  func fits(_ window: RowWindow, around index: Int?) -> Bool {
    self.window == window && self.index == index
  }
}

extension ProgramBus {
  /// The number of cells asked for at once: a program that answers them does nothing else. The one
  /// call that gives all of a table holds GTK 3 up for half a second from a few thousand cells on.
  private static let atOnce = 200
  /// In a cell with more things in it nobody looks for the one that names it.
  private static let mostParts = 8

  /// Every row of the table around a cell, by its cell in the same column.
  ///
  /// GTK 3 alone has cells for rows that can't be seen. A cell with several things in it is named by
  /// one of them, which is the same one in each row.
  func column(
    of cell: ElementID, in program: ProgramFacts, most: Int
  ) async throws(Reason) -> [ColumnRow] {
    let toolkit = Toolkit.of(program)
    guard toolkit.reading == .levels,
      let (sample, table, _) = try await surroundings(of: [cell], toolkit)[0].row(
        in: [Toolkit.flatTable])
    else { return [] }
    let (window, indices) = try await spread(of: table.id, isTable: true, with: [sample.id])
    guard let column = WholeColumn(window, around: indices[0], most: most) else { return [] }
    let parts = AccessibleAnswers.elements(try await ask(sample.id.firstChildren(Self.mostParts)))
    let part = try await ask((parts ?? []).map(\.name)).firstIndex {
      !AccessibleAnswers.name($0).isEmpty
    }
    var result: [ColumnRow] = []
    for start in stride(from: 0, to: column.cells.count, by: Self.atOnce) {
      let some = column.cells[start..<min(start + Self.atOnce, column.cells.count)]
      let cells = try await ask(some.map { table.id.child($0) }).compactMap {
        AccessibleAnswers.element($0)
      }
      guard cells.count == some.count else { return [] }
      var named = cells
      if let part {
        // A row that has gone meanwhile has no parts; its own name is none either.
        named = zip(cells, try await ask(cells.map { $0.child(part) })).map { cell, answer in
          AccessibleAnswers.element(answer) ?? cell
        }
      }
      let told = try await ask(named.map(\.name))
      result += zip(cells, told).map { cell, name in
        ColumnRow(element: cell, name: AccessibleAnswers.name(name))
      }
    }
    let now = try await spread(of: table.id, isTable: true, with: [sample.id])
    return column.fits(now.window, around: now.indices[0]) ? result : []
  }
}
