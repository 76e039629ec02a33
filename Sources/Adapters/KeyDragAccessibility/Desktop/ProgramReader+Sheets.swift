import KeyDragCore

/// The visible cells of a sheet, which extends to the right as well as down: a pure value.
struct SheetWindow: Hashable, Sendable {
  var rows: Int
  var columns: Int

  /// Most columns of a list, all of which are in view; a sheet has more.
  private static let widest = 256
  /// Limit on the cells queried.
  private static let most = 600

  init?(_ window: VisibleRowRange) {
    guard let rows = window.rows, let columns = window.columns, rows > 0, columns > Self.widest
    else { return nil }
    (self.rows, self.columns) = (rows, columns)
  }

  /// The cells between those in the corners of the visible part, by their indices, row by row; the
  /// first ones where there are too many.
  func cells(from first: Int, to last: Int) -> [(row: Int, column: Int)] {
    guard first >= 0, last >= first else { return [] }
    let (top, left) = (first / columns, first % columns)
    let (bottom, right) = (last / columns, last % columns)
    guard bottom < rows, right >= left else { return [] }
    let width = min(right - left + 1, Self.most)
    let height = min(bottom - top + 1, Self.most / width)
    return (top..<top + height).flatMap { row in (left..<left + width).map { (row, $0) } }
  }
}

extension ProgramReader {
  /// The visible cells of a sheet; empty when its corner cells report no index: the indices of
  /// cells far down are too big for the bus.
  func cells(
    of list: ElementID, _ sheet: SheetWindow, seen: ReportedRectangle, _ toolkit: Toolkit
  ) async throws(Reason) -> [VisibleRow] {
    let corners = [
      (seen.x + 2, seen.y + 2), (seen.x + seen.width - 3, seen.y + seen.height - 3),
    ]
    let hits = try await ask(corners.map { list.hit($0, toolkit.coordinates) })
      .compactMap { AtspiReplyDecoder.element($0) }
    let numbers = try await ask(hits.map(\.indexInParent))
      .compactMap { AtspiReplyDecoder.number($0) }
    guard numbers.count == corners.count else { return [] }
    let cells = sheet.cells(from: numbers[0], to: numbers[1])
    let answers = try await ask(
      cells.map { row, column in
        list.ask(
          "Table", "GetAccessibleAt", .int32(Int32(clamping: row)), .int32(Int32(clamping: column)))
      })
    return zip(cells, answers).compactMap { cell, answer in
      AtspiReplyDecoder.element(answer).map {
        VisibleRow(id: $0, index: cell.row + 1, total: sheet.rows)
      }
    }
  }
}
