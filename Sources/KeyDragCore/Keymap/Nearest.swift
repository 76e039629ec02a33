/// Finds what somebody may have meant.
public enum Nearest {
  /// The known name that is fewest changes away; `nil` when even that is too far to be meant.
  public static func name(to wanted: String, among known: some Sequence<String>) -> String? {
    let wanted = Array(wanted.lowercased().prefix(64))
    let ranked = known.map { ($0, distance(wanted, Array($0.lowercased()))) }
    guard let best = ranked.min(by: { ($0.1, $0.0) < ($1.1, $1.0) }) else { return nil }
    return best.1 <= max(wanted.count / 3, 1) ? best.0 : nil
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
  public static let defaultStrokeNames: [String] = Array(
    Set(defaultBindings.flatMap(\.chords).flatMap { $0 }.map(\.name))
  ).sorted()
}
