import Glibc

/// The sort order of listings: folders first, then by lowercase letters in the user's locale and by
/// numeric value ("n2" before "n10"), then by bytes.
enum NameOrder {
  /// Appends a name's sort key in the user's locale, to be compared by bytes.
  static func appendSortKey(_ name: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    appendSortKey(name, to: &bytes, in: Collation.ofPerson)
  }

  static func appendSortKey(
    _ name: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8], in collation: Collation?
  ) {
    var rest = name[...]
    while let first = rest.first {
      // Alternating runs of digits and of other bytes.
      if isDigit(first) {
        appendNumber(rest.prefix(while: isDigit), to: &bytes)
        rest = rest.drop(while: isDigit)
      } else {
        let letters = rest.prefix { !isDigit($0) }
        appendLetters(letters, to: &bytes, in: collation)
        rest = rest[letters.endIndex...]
      }
    }
  }

  /// ASCII only: `&-` wraps, which excludes bytes below "0".
  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// Puts the digit count before the digits, so that longer numbers are greater. Ignores leading
  /// zeros. Starts with "0", so that numbers sort where digits do among letters.
  private static func appendNumber(
    _ digits: Slice<UnsafeBufferPointer<UInt8>>, to bytes: inout [UInt8]
  ) {
    let digits = digits.drop { $0 == 0x30 }
    bytes.append(0x30)
    // Runs longer than 255 digits count as equally long.
    bytes.append(UInt8(clamping: digits.count))
    bytes.append(contentsOf: digits)
  }

  /// Lowercased, then collated if possible. Invalid UTF-8 becomes U+FFFD: the raw bytes tell such
  /// names apart in the end.
  private static func appendLetters(
    _ letters: Slice<UnsafeBufferPointer<UInt8>>, to bytes: inout [UInt8], in collation: Collation?
  ) {
    let isPlain = letters.allSatisfy { $0 < 0x80 }
    if let collation {
      let lower =
        isPlain
        ? letters.map(lowercase) : Array(String(decoding: letters, as: UTF8.self).lowercased().utf8)
      collation.append(lower, to: &bytes)
    } else if isPlain {
      for byte in letters { bytes.append(lowercase(byte)) }
    } else {
      bytes.append(contentsOf: String(decoding: letters, as: UTF8.self).lowercased().utf8)
    }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 0x20 : byte }

  /// A total order on names of the same kind: only equal bytes are equal. Does not separate files
  /// from folders.
  static func precedes(
    _ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var folded: ([UInt8], [UInt8]) = ([], [])
    appendSortKey(first, to: &folded.0)
    appendSortKey(second, to: &folded.1)
    let order = folded.0.withUnsafeBufferPointer { one in
      folded.1.withUnsafeBufferPointer { other in compare(one, other) }
    }
    return order != 0 ? order < 0 : compare(first, second) < 0
  }

  static func sorted(_ names: some Sequence<String>) -> [String] {
    let keyed = names.map { name in
      var key: [UInt8] = []
      Array(name.utf8).withUnsafeBufferPointer { appendSortKey($0, to: &key) }
      return (key: key, name: name)
    }
    return keyed.sorted { first, second in
      first.key == second.key
        ? first.name < second.name : first.key.lexicographicallyPrecedes(second.key)
    }.map(\.name)
  }

  /// The snapshot's indices in order, folders first. Names are unique, so that the order is
  /// deterministic.
  static func sorted(_ snapshot: FolderSnapshot) -> [UInt32] {
    var folders: [UInt32] = []
    var others: [UInt32] = []
    others.reserveCapacity(snapshot.count)
    for index in 0..<snapshot.count {
      if snapshot.kinds[index].isFolder {
        folders.append(UInt32(index))
      } else {
        others.append(UInt32(index))
      }
    }
    return sort(folders, of: snapshot) + sort(others, of: snapshot)
  }

  /// A sort key's first eight distinguishing bytes as a number, and its entry: most comparisons
  /// need no more than the number.
  private struct Key {
    /// Big-endian, padded with zeros.
    var head: UInt64
    var start: UInt32
    var end: UInt32
    var index: UInt32
  }

  /// Sorts one kind. The keys must stay below 4 GiB in total.
  private static func sort(_ entries: [UInt32], of snapshot: FolderSnapshot) -> [UInt32] {
    guard entries.count > 1 else { return entries }
    var folded: [UInt8] = []
    folded.reserveCapacity(snapshot.byteCount)
    var keys: [Key] = []
    keys.reserveCapacity(entries.count)
    for index in entries {
      let start = UInt32(folded.count)
      snapshot.withName(Int(index)) { appendSortKey($0, to: &folded) }
      keys.append(Key(head: 0, start: start, end: UInt32(folded.count), index: index))
    }
    folded.withUnsafeBufferPointer { folded in
      let shared = sharedPrefix(keys, folded)
      for position in keys.indices {
        keys[position].head = head(keys[position], after: shared, folded)
      }
      keys.sort { first, second in
        if first.head != second.head { return first.head < second.head }
        let order = compare(name(first, folded), name(second, folded))
        if order != 0 { return order < 0 }
        return snapshot.withName(Int(first.index)) { one in
          snapshot.withName(Int(second.index)) { other in compare(one, other) < 0 }
        }
      }
    }
    return keys.map(\.index)
  }

  /// Valid as long as the buffer.
  private static func name(
    _ key: Key, _ folded: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: folded[Int(key.start)..<Int(key.end)])
  }

  /// Length of the prefix that all names share, as in a folder of photos.
  private static func sharedPrefix(_ keys: [Key], _ folded: UnsafeBufferPointer<UInt8>) -> Int {
    let first = name(keys[0], folded)
    var shared = first.count
    for key in keys where shared > 0 {
      let other = name(key, folded)
      shared = min(shared, other.count)
      var index = 0
      while index < shared, first[index] == other[index] { index += 1 }
      shared = index
    }
    return shared
  }

  private static func head(
    _ key: Key, after shared: Int, _ folded: UnsafeBufferPointer<UInt8>
  ) -> UInt64 {
    var head: UInt64 = 0
    let start = Int(key.start) + shared
    for offset in 0..<8 {
      let position = start + offset
      head = head << 8 | (position < Int(key.end) ? UInt64(folded[position]) : 0)
    }
    return head
  }

  /// Negative, 0 or positive, as memcmp(3); a prefix comes first.
  private static func compare(
    _ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>
  ) -> Int {
    guard let one = first.baseAddress, let other = second.baseAddress else {
      return first.count - second.count
    }
    let order = Int(memcmp(one, other, min(first.count, second.count)))
    return order != 0 ? order : first.count - second.count
  }
}
