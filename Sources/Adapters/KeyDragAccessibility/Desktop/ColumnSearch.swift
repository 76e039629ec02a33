/// Finds the visible children of a long column by probing a few of them: a pure value. Assumes that
/// the children lie one below the other, or in lines that do, in their order.
struct ColumnSearch: Hashable, Sendable {
  struct Extent: Hashable, Sendable {
    var top: Int
    var bottom: Int
  }

  private struct Anchor: Hashable, Sendable {
    var index: Int
    var y: Int
  }

  /// The visible part of the column.
  private let seen: Extent
  /// Children before this are above it.
  private var low = 0
  /// Children from here on are below it.
  private var high: Int
  private var upper: Anchor
  private var lower: Anchor
  private var known: [Int: Extent] = [:]
  private var looked: Set<Int> = []
  /// Number of evenly spread probes, which grows while a search makes little progress, as where
  /// many children are hidden.
  private var spread = 0

  /// At most this many children are read instead of searched.
  private static let few = 48
  /// Children taken beyond the visible ones at either end.
  private static let slack = 8
  /// More are never read, however many of them are hidden.
  private static let most = 2_000
  private static let widest = 256

  init(count: Int, column: Extent, seen: Extent) {
    self.seen = seen
    high = max(count, 0)
    upper = Anchor(index: 0, y: column.top)
    lower = Anchor(index: max(count, 0), y: column.bottom)
  }

  /// The visible children and a few around them; `nil` when they were not found.
  var range: Range<Int>? {
    isDisordered || high - low > Self.most ? nil : low..<max(low, high)
  }

  /// The children to probe next; empty when the search is over.
  var probes: [Int] {
    guard high - low > Self.few, !isTight, !isDisordered, spread <= Self.widest else { return [] }
    let (first, last) = (index(at: seen.top), index(at: seen.bottom))
    let anywhere = (0..<spread).map { low + (high - low) * ($0 + 1) / (spread + 1) }
    let wanted = [first - 3, first, last, last + 3, (low + high) / 2] + anywhere
    return Set(wanted.map { min(max($0, low), high - 1) }).subtracting(looked).sorted()
  }

  /// Estimates the child at a height.
  private func index(at y: Int) -> Int {
    let height = lower.y - upper.y
    guard height > 0 else { return (low + high) / 2 }
    let share = Double(y - upper.y) / Double(height)
    let index = Double(upper.index) + share * Double(lower.index - upper.index)
    return Int(min(max(index, Double(low)), Double(high)))
  }

  /// Takes the extents of probed children; hidden ones have none.
  mutating func take(_ probes: [Int], _ places: [Int: Extent]) {
    let before = high - low
    looked.formUnion(probes)
    for (index, place) in places.sorted(by: { $0.key < $1.key }) {
      known[index] = place
      if place.bottom <= seen.top, index >= low {
        low = index + 1
        upper = Anchor(index: index, y: place.top)
      }
      if place.top >= seen.bottom, index < high {
        high = index
        lower = Anchor(index: index, y: place.top)
      }
    }
    if high - low > before - before / 4 { spread = max(spread * 2, 8) }
  }

  /// Whether few children besides the visible ones are left.
  private var isTight: Bool {
    let inside = known.filter { $0.value.bottom > seen.top && $0.value.top < seen.bottom }.keys
    guard let first = inside.min(), let last = inside.max() else { return false }
    return first - low <= Self.slack && high - 1 - last <= Self.slack
  }

  /// Children out of order can't be found this way.
  private var isDisordered: Bool {
    let tops = known.sorted { $0.key < $1.key }.map(\.value.top)
    return zip(tops, tops.dropFirst()).contains { $0 > $1 }
  }
}
