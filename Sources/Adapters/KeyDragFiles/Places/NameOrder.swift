import Glibc

/// The order of names in a listing: folders first, then by case-folded bytes, then by bytes.
enum NameOrder {
  /// Appends the name as it is compared: lower case, in UTF-8.
  static func appendFolded(_ name: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    if name.allSatisfy({ $0 < 0x80 }) {
      for byte in name { bytes.append(byte &- 65 < 26 ? byte | 0x20 : byte) }
    } else {
      bytes.append(contentsOf: String(decoding: name, as: UTF8.self).lowercased().utf8)
    }
  }

  /// Whether `first` comes before `second` among entries of the same sort.
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

  /// The indices of the snapshot's entries, in order.
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

  /// The first eight bytes that tell names apart, as a number, and the entry they belong to.
  private struct Key {
    var head: UInt64
    /// Where the folded name begins and ends.
    var start: UInt32
    var end: UInt32
    var index: UInt32
  }

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
