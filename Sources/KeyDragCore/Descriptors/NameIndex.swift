/// Finds names by their beginning, ignoring case and accents: exact matches first, then a prefix of
/// the whole name, then of a word in it.
///
/// Takes about 20 bytes a name beyond the folded names; a lookup among 100,000 takes microseconds.
package struct NameIndex: Sendable {
  /// The quality of a match; smaller is better.
  package enum Quality: Int, Sendable, Comparable {
    case exact, prefix, word

    package static func < (lhs: Quality, rhs: Quality) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// All folded names, each ended by a zero byte; row `i` begins at `starts[i]`.
  private var blob: [UInt8] = []
  private var starts: [UInt32] = [0]
  /// Rows in the order of their folded names, and its inverse.
  private var sorted: [UInt32] = []
  private var ranks: [UInt32] = []
  /// Offsets in ``blob`` at which a word begins inside a name, sorted by the text that follows.
  private var words: [UInt32] = []
  /// The smallest row in each block of ``stride`` in ``sorted`` and in ``words``.
  private var sortedFirsts: [UInt32] = []
  private var wordFirsts: [UInt32] = []

  private static let stride = 256

  package init(_ names: some Collection<String>) {
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
    sortedFirsts = NameIndex.firsts(count) { sorted[$0] }
    wordFirsts = NameIndex.firsts(words.count) { UInt32(row(of: words[$0])) }
  }

  private static func firsts(_ count: Int, _ row: (Int) -> UInt32) -> [UInt32] {
    Swift.stride(from: 0, to: count, by: stride).map { start in
      (start..<min(start + stride, count)).reduce(UInt32.max) { min($0, row($1)) }
    }
  }

  package var count: Int { starts.count - 1 }

  /// The row that a person who types `text` means.
  ///
  /// - Parameters:
  ///   - current: the focused row, kept while it matches as well as any other.
  ///   - movesOn: go to the next match after the current one, wrapping around, as pressing one
  ///     letter again does.
  package func match(_ text: String, current: Int?, movesOn: Bool) -> Int? {
    let key = NameFolding.fold(text)
    guard !key.isEmpty, count > 0 else { return nil }
    let exact = range(of: key, isExact: true)
    let prefix = range(of: key, isExact: false)
    if movesOn { return next(after: current, key, prefix) }
    let best = exact.isEmpty ? prefix : exact
    if best.isEmpty { return firstWord(key, current) }
    if let current, ranks.indices.contains(current), best.contains(Int(ranks[current])) {
      return current
    }
    return first(in: best, sortedFirsts) { Int(sorted[$0]) }
  }

  /// All rows that match as well as the best one does, in order.
  package func best(_ text: String) -> (quality: Quality, rows: [Int])? {
    let key = NameFolding.fold(text)
    guard !key.isEmpty else { return nil }
    for (quality, isExact) in [(Quality.exact, true), (.prefix, false)] {
      let found = range(of: key, isExact: isExact)
      if !found.isEmpty { return (quality, found.map { Int(sorted[$0]) }.sorted()) }
    }
    let rows = Set(wordRange(of: key).map { row(of: words[$0]) })
    return rows.isEmpty ? nil : (.word, rows.sorted())
  }

  private func firstWord(_ key: [UInt8], _ current: Int?) -> Int? {
    let found = wordRange(of: key)
    if found.isEmpty { return nil }
    if let current, (0..<count).contains(current), hasWord(current, key) { return current }
    return first(in: found, wordFirsts) { row(of: words[$0]) }
  }

  /// The smallest row in a range; whole blocks are precomputed.
  private func first(
    in range: Range<Int>, _ firsts: [UInt32], _ row: (Int) -> Int
  ) -> Int? {
    var best = Int.max
    var index = range.lowerBound
    while index < range.upperBound {
      if index % NameIndex.stride == 0, index + NameIndex.stride <= range.upperBound {
        best = min(best, Int(firsts[index / NameIndex.stride]))
        index += NameIndex.stride
      } else {
        best = min(best, row(index))
        index += 1
      }
    }
    return best == .max ? nil : best
  }

  private func next(after current: Int?, _ key: [UInt8], _ prefix: Range<Int>) -> Int? {
    let start = current.map { $0 + 1 } ?? 0
    guard prefix.isEmpty else {
      return next(
        from: start, in: prefix, row: { Int(sorted[$0]) },
        matches: { prefix.contains(Int(ranks[$0])) })
    }
    return next(
      from: start, in: wordRange(of: key), row: { row(of: words[$0]) },
      matches: { hasWord($0, key) })
  }

  /// The first matching row from `start` on, wrapping around; only few matches are all scanned.
  private func next(
    from start: Int, in range: Range<Int>, row: (Int) -> Int, matches: (Int) -> Bool
  ) -> Int? {
    if range.isEmpty { return nil }
    if range.count <= 1024 {
      let rows = range.lazy.map(row)
      return rows.filter { $0 >= start }.min() ?? rows.min()
    }
    let start = (0..<count).contains(start) ? start : 0
    return (start..<count).first(where: matches) ?? (0..<start).first(where: matches)
  }

  private func hasWord(_ row: Int, _ key: [UInt8]) -> Bool {
    let range = Int(starts[row])..<Int(starts[row + 1])
    return range.dropFirst().contains {
      isWordStart($0) && compare($0, key, isPrefix: true) == 0
    }
  }

  /// The ranks whose names begin with the key, or equal it.
  private func range(of key: [UInt8], isExact: Bool) -> Range<Int> {
    let low = (0..<sorted.count).partition { compare(start(sorted[$0]), key, isPrefix: false) < 0 }
    let high = (low..<sorted.count).partition {
      compare(start(sorted[$0]), key, isPrefix: !isExact) <= 0
    }
    return low..<high
  }

  private func wordRange(of key: [UInt8]) -> Range<Int> {
    let low = (0..<words.count).partition { compare(Int(words[$0]), key, isPrefix: false) < 0 }
    let high = (low..<words.count).partition { compare(Int(words[$0]), key, isPrefix: true) <= 0 }
    return low..<high
  }

  private func start(_ row: UInt32) -> Int { Int(starts[Int(row)]) }

  /// The row that contains an offset in the blob.
  private func row(of place: UInt32) -> Int {
    (0..<starts.count).partition { starts[$0] <= place } - 1
  }

  /// Negative, zero or positive; with `isPrefix` names that begin with the key compare as equal.
  private func compare(_ place: Int, _ key: [UInt8], isPrefix: Bool) -> Int {
    for (index, wanted) in key.enumerated() {
      let byte = blob[place + index]
      // The terminating zero byte is smaller than anything in a key.
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

  /// Compares two names from these offsets to their ends.
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

extension Range<Int> {
  /// The first index for which a condition does not hold any more: it holds for none after that.
  func partition(_ holds: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
