/// Finds what somebody probably meant to write.
enum EditDistance {
  /// The name nearest to a mistyped one, when they have most letters in common.
  static func nearest(to name: String, among names: [String]) -> String? {
    let typed = Array(name.lowercased().unicodeScalars.prefix(64))
    let ranked = names.map { (name: $0, steps: steps(typed, Array($0.unicodeScalars))) }
    guard let best = ranked.min(by: { $0.steps < $1.steps }) else { return nil }
    return best.steps <= max(1, min(typed.count, best.name.count) / 2) ? best.name : nil
  }

  /// How many letters must be added, left out, replaced or exchanged with their neighbour.
  static func steps(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var previous = Array(0...other.count)
    for i in one.indices {
      var row = [i + 1]
      for j in other.indices {
        var best = min(previous[j + 1], row[j]) + 1
        best = min(best, previous[j] + (one[i] == other[j] ? 0 : 1))
        if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
          best = min(best, before[j - 1] + 1)
        }
        row.append(best)
      }
      before = previous
      previous = row
    }
    return previous[other.count]
  }
}
