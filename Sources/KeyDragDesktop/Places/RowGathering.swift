import KeyDragCore

/// Gathers the cells of a table into rows: a person drops on a row, not on its date.
///
/// Fed with elements in tree order.
struct RowGathering {
  /// A row that may get more cells.
  private struct Row {
    /// `nil` for a row that is no place.
    var candidate: Int?
    /// As its program reports.
    var number: Int?
    /// The upper edge; `nil` while scrolled out of view.
    var y: Int?
    var count: Int
  }

  private let tree: ElementTree
  /// The open row of each table.
  private var open: [Int: Row] = [:]

  init(_ tree: ElementTree) { self.tree = tree }

  /// The candidate of the row that an element continues; `nil` when it begins a row, or is no cell
  /// directly in a table.
  mutating func row(for index: Int, eachCell: Bool) -> Int?? {
    guard !eachCell, let table = table(of: index), let row = open[table] else { return nil }
    let cell = tree.elements[index]
    if let number = cell.index, row.number != nil {
      guard number == row.number else { return nil }
    } else {
      let columns = tree.columnCount(of: table)
      // Adjacent cells in GTK 4 form a grid of separate items, each of which begins with one cell.
      if columns == 0, tree.isGTK4 { return nil }
      // The row is complete.
      if columns > 0, row.count >= columns { return nil }
      // A cell on another line begins another row.
      guard cell.rectangle?.y == row.y, row.y != nil || columns > 0 else { return nil }
    }
    open[table]?.count += 1
    return .some(row.candidate)
  }

  /// Begins a row if the element is a table's cell.
  mutating func open(at candidate: Int?, for index: Int) {
    guard let table = table(of: index) else { return }
    let cell = tree.elements[index]
    open[table] = Row(
      candidate: candidate, number: cell.index, y: cell.rectangle?.y, count: 1)
  }

  /// The table of a cell; `nil` for other elements, and for deeper nesting.
  private func table(of index: Int) -> Int? {
    guard tree.elements[index].role == AccessibleRoles.cell, let parent = tree.parents[index],
      AccessibleRoles.containers.contains(tree.elements[parent].role)
    else { return nil }
    return parent
  }
}
