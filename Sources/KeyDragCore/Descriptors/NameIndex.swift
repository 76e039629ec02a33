/// Finds names by their beginning, ignoring case and accents: exact first, then a prefix of the whole
/// name, then the start of a word in it.
///
/// Holds about 40 bytes a name beyond the folded names; a look-up among 100,000 takes microseconds.
public struct NameIndex: Sendable {
  /// How well a name matches; the smaller the better.
  public enum Quality: Int, Sendable, Comparable {
    case exact, prefix, word

    public static func < (lhs: Quality, rhs: Quality) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// All folded names, each ended by a zero byte; row `i` begins at `starts[i]`.
  private var blob: [UInt8] = []
  private var starts: [UInt32] = [0]
  /// Rows in the order of their folded names, and its inverse.
  private var sorted: [UInt32] = []
  private var ranks: [UInt32] = []
  /// Places in ``blob`` where a word begins inside a name, in the order of what follows, and the row
  /// of each.
  private var words: [UInt32] = []
  private var wordRows: [UInt32] = []

  public init(_ names: some Collection<String>) {
    starts.reserveCapacity(names.count + 1)
    for name in names {
      NameFolding.append(name, to: &blob)
      blob.append(0)
      starts.append(UInt32(blob.count))
    }
    let count = starts.count - 1
    sorted = blob.withUnsafeBufferPointer { bytes in
      (0..<UInt32(count)).sorted { left, right in
        NameIndex.isLess(bytes, Int(starts[Int(left)]), Int(starts[Int(right)]))
      }
    }
    ranks = Array(repeating: 0, count: count)
    for (rank, row) in sorted.enumerated() { ranks[Int(row)] = UInt32(rank) }
    words = blob.withUnsafeBufferPointer { bytes in
      wordStarts().sorted { NameIndex.isLess(bytes, Int($0), Int($1)) }
    }
    wordRows = words.map { UInt32(row(of: $0)) }
  }

  /// How many names it holds.
  public var count: Int { starts.count - 1 }

  /// The row that a person who types `text` means.
  ///
  /// - Parameters:
  ///   - current: the row in focus. It is kept while it matches as well as any other.
  ///   - movesOn: go to the next row that matches after the current one, as one letter pressed again
  ///     does; past the last it goes on at the first.
  public func match(_ text: String, current: Int?, movesOn: Bool) -> Int? {
    let key = NameFolding.fold(text)
    guard !key.isEmpty, count > 0 else { return nil }
    let exact = range(of: key, isExact: true)
    let prefix = range(of: key, isExact: false)
    if movesOn {
      return next(after: current, prefix: prefix, words: key)
    }
    if !exact.isEmpty { return first(in: exact, current) }
    if !prefix.isEmpty { return first(in: prefix, current) }
    return firstWord(key, current)
  }

  private func first(in range: Range<Int>, _ current: Int?) -> Int? {
    if let current, ranks.indices.contains(current), range.contains(Int(ranks[current])) {
      return current
    }
    return row(from: 0, in: range)
  }

  private func firstWord(_ key: [UInt8], _ current: Int?) -> Int? {
    if let current, ranks.indices.contains(current), hasWord(key, in: current) { return current }
    return rowWithWord(key, from: 0)
  }

  private func next(after current: Int?, prefix: Range<Int>, words key: [UInt8]) -> Int? {
    let start = min((current ?? -1) + 1, count)
    if !prefix.isEmpty { return row(from: start, in: prefix) ?? row(from: 0, in: prefix) }
    return rowWithWord(key, from: start) ?? rowWithWord(key, from: 0)
  }

  /// So many matches are looked through one by one; among more of them one is met soon on the way.
  private static let few = 4096
  private static let steps = 2048

  /// The first row from `start` on whose rank is in the range.
  private func row(from start: Int, in range: Range<Int>) -> Int? {
    if range.count <= Self.few { return Self.least(sorted[range], from: start) }
    return ranks.withUnsafeBufferPointer { ranks in
      let (low, high) = (UInt32(range.lowerBound), UInt32(range.upperBound))
      var row = start
      while row < ranks.count {
        if ranks[row] >= low, ranks[row] < high { return row }
        row += 1
      }
      return nil
    }
  }

  /// The first row from `start` on that has a word which begins with the key, not as its first.
  private func rowWithWord(_ key: [UInt8], from start: Int) -> Int? {
    let range = wordRange(of: key)
    if range.count > Self.few {
      for row in start..<min(start + Self.steps, count) where hasWord(key, in: row) { return row }
    }
    return Self.least(wordRows[range], from: start)
  }

  private static func least(_ rows: ArraySlice<UInt32>, from start: Int) -> Int? {
    let start = UInt32(start)
    var least = UInt32.max
    rows.withUnsafeBufferPointer { rows in
      for row in rows where row >= start && row < least { least = row }
    }
    return least == .max ? nil : Int(least)
  }

  private func hasWord(_ key: [UInt8], in row: Int) -> Bool {
    let range = Int(starts[row])..<Int(starts[row + 1])
    return range.dropFirst().contains { place in
      blob[place] == key[0] && isWordStart(place) && compare(place, key, isPrefix: true) == 0
    }
  }

  /// The ranks whose names begin with the key, or are the key.
  private func range(of key: [UInt8], isExact: Bool) -> Range<Int> {
    let low = partition(0..<sorted.count) { compare(start(sorted[$0]), key, isPrefix: false) < 0 }
    let high = partition(low..<sorted.count) {
      compare(start(sorted[$0]), key, isPrefix: !isExact) <= 0
    }
    return low..<high
  }

  private func wordRange(of key: [UInt8]) -> Range<Int> {
    let low = partition(0..<words.count) { compare(Int(words[$0]), key, isPrefix: false) < 0 }
    let high = partition(low..<words.count) { compare(Int(words[$0]), key, isPrefix: true) <= 0 }
    return low..<high
  }

  /// The first index for which the predicate no longer holds.
  private func partition(_ range: Range<Int>, _ holds: (Int) -> Bool) -> Int {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func start(_ row: UInt32) -> Int { Int(starts[Int(row)]) }

  /// The row that a place in the blob belongs to.
  private func row(of place: UInt32) -> Int {
    partition(0..<starts.count) { starts[$0] <= place } - 1
  }

  /// Below zero, zero, above zero; with `isPrefix` names that begin with the key compare as equal.
  private func compare(_ place: Int, _ key: [UInt8], isPrefix: Bool) -> Int {
    for (index, wanted) in key.enumerated() {
      let byte = blob[place + index]
      // The zero byte at the end of a name is smaller than anything in a key.
      if byte != wanted { return byte < wanted ? -1 : 1 }
    }
    return isPrefix || blob[place + key.count] == 0 ? 0 : 1
  }

  private func wordStarts() -> [UInt32] {
    var result: [UInt32] = []
    for row in 0..<count {
      let range = Int(starts[row])..<Int(starts[row + 1])
      for place in range.dropFirst() where isWordStart(place) { result.append(UInt32(place)) }
    }
    return result
  }

  private func isWordStart(_ place: Int) -> Bool {
    isLetterOrDigit(blob[place]) && !isLetterOrDigit(blob[place - 1])
  }

  private func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7A)
  }

  /// Compares two names from these places to their ends.
  private static func isLess(
    _ blob: UnsafeBufferPointer<UInt8>, _ left: Int, _ right: Int
  ) -> Bool {
    var offset = 0
    while true {
      let (one, other) = (blob[left + offset], blob[right + offset])
      if one != other { return one < other }
      if one == 0 { return false }
      offset += 1
    }
  }
}
