/// Chooses the rows of a list to query for their rectangle, and interpolates those between: a pure
/// value.
///
/// Rows of one column lie one below the other. Two of equal height, as far apart as their row
/// numbers demand, have only such rows between them: a few rows of a long list locate them all. In
/// an uneven part of a list the others are queried too.
struct RowInterpolation: Sendable {
  struct GridIndex: Hashable, Sendable {
    var row: Int
    var column = 0
  }

  /// For each column, the list index and the row of its elements, from the top.
  private let columns: [[(place: Int, row: Int)]]
  let asked: [Bool]

  /// Rows queried at each end of a column, where the invisible part begins.
  private static let ends = 3
  /// Of the rows between, one in this many is queried.
  private static let step = 6

  /// - Parameter spots: of each element; `nil` for one that must be queried itself.
  init(_ spots: [GridIndex?]) {
    var columns: [Int: [(place: Int, row: Int)]] = [:]
    for (place, spot) in spots.enumerated() {
      if let spot { columns[spot.column, default: []].append((place, spot.row)) }
    }
    self.columns = columns.sorted { $0.key < $1.key }.map { $0.value.sorted { $0.row < $1.row } }
    var asked = [Bool](repeating: true, count: spots.count)
    for column in self.columns {
      for (number, element) in column.enumerated() {
        let isEnd = number < Self.ends || number >= column.count - Self.ends
        asked[element.place] = isEnd || number.isMultiple(of: Self.step)
      }
    }
    self.asked = asked
  }

  /// Interpolates rectangles from the queried ones.
  ///
  /// - Parameter told: of each element; `nil` when unknown, or nowhere.
  func between(_ told: [ReportedRectangle?]) -> [Int: ReportedRectangle] {
    var result: [Int: ReportedRectangle] = [:]
    for column in columns {
      let known = column.enumerated().filter { asked[$0.element.place] }.map { number, element in
        Known(number: number, row: element.row, told: told[element.place])
      }
      let pairs = zip(known, known.dropFirst())
      guard let pitch = pairs.lazy.compactMap({ Self.pitch($0, $1) }).first else { continue }
      for (upper, lower) in pairs where lower.number - upper.number > 1 {
        guard let first = upper.told, Self.isEven(upper, lower, pitch) else { continue }
        for inner in column[(upper.number + 1)..<lower.number] {
          var place = first
          place.y += (inner.row - upper.row) * pitch
          result[inner.place] = place
        }
      }
    }
    return result
  }

  private struct Known {
    var number: Int
    var row: Int
    var told: ReportedRectangle?
  }

  /// The distance of rows, by two neighbours.
  private static func pitch(_ upper: Known, _ lower: Known) -> Int? {
    guard lower.row == upper.row + 1, let above = upper.told, let below = lower.told else {
      return nil
    }
    let pitch = below.y - above.y
    // No row is higher than any screen.
    return above.height > 0 && pitch >= above.height && pitch <= 65_536 ? pitch : nil
  }

  private static func isEven(_ upper: Known, _ lower: Known, _ pitch: Int) -> Bool {
    guard let above = upper.told, let below = lower.told, lower.row > upper.row,
      above.x == below.x, above.width == below.width, above.height == below.height
    else { return false }
    let (distance, isTooFar) = pitch.multipliedReportingOverflow(by: lower.row - upper.row)
    return !isTooFar && below.y - above.y == distance
  }
}
