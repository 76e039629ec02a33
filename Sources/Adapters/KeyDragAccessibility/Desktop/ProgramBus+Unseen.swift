import KeyDragCore

extension ProgramBus {
  /// More cells than this are not asked for: a program makes an object for each.
  private static let mostInTable = 20_000
  /// So many names are asked for at once: a program that answers them does nothing else.
  private static let atOnce = 200

  /// Every row of the table around a cell, by its cell in the same column.
  ///
  /// GTK 3 alone has cells for rows that can't be seen, and gives all of them in one answer. A cell
  /// with several things in it is named by one of them, which is the same one in each row.
  func column(
    of cell: ElementID, in program: ProgramFacts, most: Int
  ) async throws(Reason) -> [ColumnRow] {
    let toolkit = Toolkit.of(program)
    guard toolkit.reading == .levels else { return [] }
    let around = try await surroundings(of: [cell], toolkit)[0].steps
    guard let place = around.firstIndex(where: { $0.role == Toolkit.flatTable }), place > 0 else {
      return []
    }
    let (table, sample) = (around[place].id, around[place - 1].id)
    let sizes = RowWindow.questions(of: table, isTable: true)
    let answers = try await ask(sizes + [sample.indexInParent, sample.firstChildren(8)])
    let window = RowWindow(Array(answers.prefix(sizes.count)))
    guard let rows = window.rows, rows <= most, window.count <= Self.mostInTable,
      let index = AccessibleAnswers.number(answers[sizes.count]),
      let column = window.evenSpot(index)?.column,
      let all = AccessibleAnswers.elements(try await ask(table.firstChildren(window.count))),
      all.count == window.count
    else { return [] }
    let cells = all.indices.filter { window.evenSpot($0)?.column == column }.map { all[$0] }
    let parts = AccessibleAnswers.elements(answers[sizes.count + 1]) ?? []
    let names = try await ask(parts.map(\.name)).map { AccessibleAnswers.name($0) }
    let part = names.firstIndex { !$0.isEmpty }
    var result: [ColumnRow] = []
    for start in stride(from: 0, to: cells.count, by: Self.atOnce) {
      let some = cells[start..<min(start + Self.atOnce, cells.count)]
      var named = Array(some)
      if let part {
        // A row that has gone meanwhile has no parts; its own name is none either.
        named = zip(some, try await ask(some.map { $0.child(part) })).map { cell, answer in
          AccessibleAnswers.element(answer) ?? cell
        }
      }
      let told = try await ask(named.map(\.name))
      result += zip(some, told).map { cell, name in
        ColumnRow(element: cell, name: AccessibleAnswers.name(name))
      }
    }
    return result
  }
}
