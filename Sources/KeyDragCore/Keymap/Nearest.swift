/// Finds what somebody may have meant.
public enum Nearest {
  /// The known name that is fewest changes away; `nil` when even that is too far to be meant.
  public static func name(to wanted: String, among known: some Sequence<String>) -> String? {
    let wanted = Array(wanted.lowercased().prefix(64))
    let ranked = known.map { ($0, distance(wanted, Array($0.lowercased()))) }
    guard let best = ranked.min(by: { ($0.1, $0.0) < ($1.1, $1.0) }) else { return nil }
    return best.1 <= max(wanted.count / 3, 1) ? best.0 : nil
  }

  /// How many insertions, deletions and substitutions lead from one to the other.
  static func distance(_ one: [Character], _ other: [Character]) -> Int {
    var row = Array(0...other.count)
    for (i, left) in one.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, right) in other.enumerated() {
        let substituted = diagonal + (left == right ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[other.count]
  }
}

extension Keymap {
  /// The names of every stroke in the default table.
  public static let defaultStrokeNames: [String] = Array(
    Set(defaultBindings.flatMap(\.chords).flatMap { $0 }.map(\.name))
  ).sorted()
}
