import KeyDragCore

/// Puts the cells of a table together to rows: a person drops on a row, not on its date.
///
/// Fed with elements in the order of the tree.
struct RowGathering {
  /// One row that may get more cells.
  private struct Row {
    /// `nil` for a row that is no place.
    var candidate: Int?
    /// As its program says.
    var number: Int?
    /// The upper edge of the row; `nil` while it is scrolled out of view.
    var y: Int?
    /// How many cells it has so far.
    var count: Int
  }

  /// The elements that rows are made of.
  private let tree: ElementTree
  /// The row that is being gathered in each table.
  private var open: [Int: Row] = [:]

  /// Nothing is open yet.
  init(_ tree: ElementTree) { self.tree = tree }

  /// Whether an element goes on with a row, and the candidate of that; `nil` when it begins one of
  /// its own, or is none of a table's own cells.
  mutating func row(for index: Int, eachCell: Bool) -> Int?? {
    guard !eachCell, let table = table(of: index), let row = open[table] else { return nil }
    let cell = tree.elements[index]
    if let number = cell.index, row.number != nil {
      guard number == row.number else { return nil }
    } else {
      let columns = tree.columnCount(of: table)
      // Cells that lie side by side in GTK 4 are those of a grid, each a thing of its own.
      // One cell begins each of them.
      if columns == 0, tree.isGTK4 { return nil }
      // The row has a cell for each column.
      if columns > 0, row.count >= columns { return nil }
      // A cell in another line begins another row.
      guard cell.rectangle?.y == row.y, row.y != nil || columns > 0 else { return nil }
    }
    open[table]?.count += 1
    return .some(row.candidate)
  }

  /// Begins a row, where the element is a table's cell.
  mutating func open(at candidate: Int?, for index: Int) {
    guard let table = table(of: index) else { return }
    let cell = tree.elements[index]
    open[table] = Row(
      candidate: candidate, number: cell.index, y: cell.rectangle?.y, count: 1)
  }

  /// The table that a cell is in; `nil` for what is no cell, or lies deeper.
  private func table(of index: Int) -> Int? {
    guard tree.elements[index].role == AccessibleRoles.cell, let parent = tree.parents[index],
      AccessibleRoles.containers.contains(tree.elements[parent].role)
    else { return nil }
    return parent
  }
}
