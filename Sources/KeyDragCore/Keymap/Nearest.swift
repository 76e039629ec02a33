/// Finds what somebody may have meant.
package enum Nearest {
  /// The known name that is fewest changes away; `nil` when even that is too far to be meant.
  package static func name(to wanted: String, among known: some Sequence<String>) -> String? {
    names(to: wanted, among: known, most: 1).first
  }

  /// The known names that may be meant, the nearest first, each once.
  package static func names(
    to wanted: String, among known: some Sequence<String>, most: Int
  ) -> [String] {
    let wanted = Array(wanted.lowercased().prefix(64))
    // Names from outside may be long; what is far beyond the wanted one's length is never meant.
    let ranked = Set(known).map { ($0, distance(wanted, Array($0.lowercased().prefix(96)))) }
    return ranked.filter { $0.1 <= max(wanted.count / 3, 1) }
      .sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(most).map(\.0)
  }

  /// How many insertions, deletions, substitutions and swaps of neighbours lead from one to the
  /// other.
  static func distance(_ one: [Character], _ other: [Character]) -> Int {
    var before: [Int] = []
    var above = Array(0...other.count)
    for (i, left) in one.enumerated() {
      var row = [i + 1]
      for (j, right) in other.enumerated() {
        var best = min(above[j] + (left == right ? 0 : 1), above[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, left == other[j - 1], right == one[i - 1] {
          best = min(best, before[j - 1] + 1)
        }
        row.append(best)
      }
      (before, above) = (above, row)
    }
    return above[other.count]
  }
}

extension Keymap {
  /// The names of every stroke in the default table.
  package static let defaultStrokeNames: [String] = Array(
    Set(defaultBindings.flatMap(\.chords).flatMap { $0 }.map(\.name))
  ).sorted()
}
