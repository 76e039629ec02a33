/// Which rows of a list are asked where they are, and where those between them are: a pure value.
///
/// Rows of one column lie one below the other. Two that are equally high, and as far apart as so many
/// rows of the list are, have only such rows between them: of a long list a few say where all are.
/// Uneven parts of a list are an exception: there the others are asked too.
struct EvenRows: Sendable {
  /// A position in a list.
  struct Spot: Hashable, Sendable {
    var row: Int
    var column = 0
  }

  /// For each column, which of the list's elements are in it and in what row, from above.
  private let columns: [[(place: Int, row: Int)]]
  /// Which elements are asked where they are.
  let asked: [Bool]

  /// At the ends of a column begins what can't be seen.
  private static let ends = 3
  /// Of those between them one of so many is asked.
  private static let step = 6

  /// - Parameter spots: of each element; `nil` for one that has to be asked by itself.
  init(_ spots: [Spot?]) {
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

  /// Takes where some are, and gives where those are that can be told by them.
  ///
  /// - Parameter told: for each element where it is; `nil` for what is not known, or nowhere.
  func between(_ told: [ToldRectangle?]) -> [Int: ToldRectangle] {
    var result: [Int: ToldRectangle] = [:]
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

  /// An element that was asked.
  private struct Known {
    /// Which of its column it is.
    var number: Int
    var row: Int
    var told: ToldRectangle?
  }

  /// How far apart the rows are, by two neighbours.
  private static func pitch(_ upper: Known, _ lower: Known) -> Int? {
    guard lower.row == upper.row + 1, let above = upper.told, let below = lower.told else {
      return nil
    }
    let pitch = below.y - above.y
    // No row is higher than any screen.
    return above.height > 0 && pitch >= above.height && pitch <= 65_536 ? pitch : nil
  }

  /// Whether all rows between two are like these.
  private static func isEven(_ upper: Known, _ lower: Known, _ pitch: Int) -> Bool {
    guard let above = upper.told, let below = lower.told, lower.row > upper.row,
      above.x == below.x, above.width == below.width, above.height == below.height
    else { return false }
    let (distance, isTooFar) = pitch.multipliedReportingOverflow(by: lower.row - upper.row)
    return !isTooFar && below.y - above.y == distance
  }
}
