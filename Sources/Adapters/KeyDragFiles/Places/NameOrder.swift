import Glibc

/// The order of names in a listing: folders first, then as the person's language sorts letters in
/// lower case and as numbers count ("n2" before "n10"), then by bytes.
enum NameOrder {
  /// Appends the name as it is compared, byte by byte.
  ///
  /// In the person's language; pure but for that.
  static func appendFolded(_ name: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    appendFolded(name, to: &bytes, in: Collation.ofPerson)
  }

  static func appendFolded(
    _ name: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8], in collation: Collation?
  ) {
    var rest = name[...]
    while let first = rest.first {
      // Runs of digits and runs of other bytes, in turn.
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

  /// ASCII only: `&-` wraps, so that bytes below "0" are no digits either.
  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// Its length before its digits, so that a longer number is a greater one; zeros before it tell
  /// only names apart that are the same otherwise. It stays where digits stand among other letters.
  private static func appendNumber(
    _ digits: Slice<UnsafeBufferPointer<UInt8>>, to bytes: inout [UInt8]
  ) {
    let digits = digits.drop { $0 == 0x30 }
    bytes.append(0x30)
    // Longer runs than 255 digits count as equally long.
    bytes.append(UInt8(clamping: digits.count))
    bytes.append(contentsOf: digits)
  }

  /// Lower case, then weighed where there is a collation. Bytes that are no UTF-8 become U+FFFD:
  /// the raw bytes tell such names apart in the end.
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

  /// Whether `first` comes before `second` among entries of the same sort.
  ///
  /// A total order: only equal bytes are equal. Files are not told from folders here.
  static func precedes(
    _ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var folded: ([UInt8], [UInt8]) = ([], [])
    appendFolded(first, to: &folded.0)
    appendFolded(second, to: &folded.1)
    let order = folded.0.withUnsafeBufferPointer { one in
      folded.1.withUnsafeBufferPointer { other in compare(one, other) }
    }
    return order != 0 ? order < 0 : compare(first, second) < 0
  }

  /// Names as they are told, in this order.
  static func sorted(_ names: some Sequence<String>) -> [String] {
    let keyed = names.map { name in
      var key: [UInt8] = []
      Array(name.utf8).withUnsafeBufferPointer { appendFolded($0, to: &key) }
      return (key: key, name: name)
    }
    return keyed.sorted { first, second in
      first.key == second.key
        ? first.name < second.name : first.key.lexicographicallyPrecedes(second.key)
    }.map(\.name)
  }

  /// The indices of the snapshot's entries, in order.
  ///
  /// Folders first. Two and more can't have one name, so the order is the same each time.
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

  /// The first eight bytes that tell names apart, as a number, and the entry they belong to. Names
  /// are folded once; comparing a number tells most of them apart without a look at the bytes.
  private struct Key {
    /// Highest byte first, zeros behind a name that ends.
    var head: UInt64
    /// The bounds of the folded name.
    var start: UInt32
    /// The second bound.
    var end: UInt32
    var index: UInt32
  }

  /// Sorts one kind. `folded` must stay below 4 GiB, of which a folder is far.
  private static func sort(_ entries: [UInt32], of snapshot: FolderSnapshot) -> [UInt32] {
    guard entries.count > 1 else { return entries }
    var folded: [UInt8] = []
    folded.reserveCapacity(snapshot.byteCount)
    var keys: [Key] = []
    keys.reserveCapacity(entries.count)
    for index in entries {
      let start = UInt32(folded.count)
      snapshot.withName(Int(index)) { appendFolded($0, to: &folded) }
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

  /// The folded name, valid as long as the buffer.
  private static func name(
    _ key: Key, _ folded: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: folded[Int(key.start)..<Int(key.end)])
  }

  /// How many bytes all names begin with in common: in a folder of photographs they tell nothing.
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

  /// Eight bytes behind what all have in common.
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

  /// Negative, 0 or positive, as memcmp(3); a name that the other begins with comes first.
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
