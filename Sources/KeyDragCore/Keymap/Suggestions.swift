/// Suggests what a mistyped name may have meant.
package enum Suggestions {
  /// The closest known name; `nil` when none is close enough.
  package static func name(to wanted: String, among known: some Sequence<String>) -> String? {
    names(to: wanted, among: known, most: 1).first
  }

  /// The close known names, closest first, each once.
  package static func names(
    to wanted: String, among known: some Sequence<String>, most: Int
  ) -> [String] {
    let wanted = Array(wanted.lowercased().prefix(64))
    // Names from outside may be long; one much longer than the wanted name is never meant.
    let ranked = Set(known).compactMap { name -> (String, Int)? in
      let known = Array(name.lowercased().prefix(96))
      let distance = distance(wanted, known)
      let isNear = distance <= max(wanted.count / 3, 1)
      return isNear || distance == 2 && isSlip(wanted, known) ? (name, distance) : nil
    }
    return ranked.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(most).map(\.0)
  }

  /// Whether a short name was meant despite two mistakes: it begins alike, and all but one of the
  /// letters occur in order.
  private static func isSlip(_ wanted: [Character], _ known: [Character]) -> Bool {
    let shorter = min(wanted.count, known.count)
    guard (3...5).contains(wanted.count), abs(wanted.count - known.count) <= 1,
      wanted.prefix(2) == known.prefix(2)
    else { return false }
    return common(wanted, known) >= shorter - 1
  }

  /// The length of the longest common subsequence.
  private static func common(_ one: [Character], _ other: [Character]) -> Int {
    var above = Array(repeating: 0, count: other.count + 1)
    for left in one {
      var row = [0]
      for (j, right) in other.enumerated() {
        row.append(left == right ? above[j] + 1 : max(above[j + 1], row[j]))
      }
      above = row
    }
    return above[other.count]
  }

  /// The number of insertions, deletions, substitutions and swaps of neighbours between the two.
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
  package static let defaultStrokeNames: [String] = Array(
    Set(defaultBindings.flatMap(\.chords).flatMap { $0 }.map(\.name))
  ).sorted()
}
