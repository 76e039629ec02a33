/// The two tables of a binary catalogue: the messages in the order of their bytes, and their
/// translations (gettext's manual, "The Format of GNU MO Files").
///
/// There is none whose strings are not all within the file, each ended by a zero, and whose messages
/// are not in order: a look-up can neither leave the file nor go on for ever.
struct MessageTables: Sendable {
  /// The smallest head.
  private static let head = 28

  private let bytes: [UInt8]
  private let count: Int
  /// The offsets of the two tables. An entry is a length and an offset, in four bytes each.
  private let messages: Int
  private let translations: Int

  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.head else { return nil }
    self.bytes = bytes
    func word(_ index: Int) -> Int { Self.word(in: bytes, at: index * 4) }
    (count, messages, translations) = (word(2), word(3), word(4))
    // In the byte order that msgfmt writes everywhere. Revision 0 has no parts that depend on the
    // system. The table of hashes, the last of the head, is not used.
    guard word(0) == 0x9504_12DE, word(1) == 0, count > 0, isSound(messages),
      isSound(translations), isInOrder
    else { return nil }
  }

  /// A message without its plural, which stands behind a zero.
  func key(_ index: Int) -> ArraySlice<UInt8> { string(index, of: messages).prefix { $0 != 0 } }

  /// A translation; the forms of a plural are divided by zeros.
  func translation(_ index: Int) -> ArraySlice<UInt8> { string(index, of: translations) }

  /// The index of a message, found by halving; `nil` where there is none.
  func position(of key: [UInt8]) -> Int? {
    var range = 0..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let found = self.key(middle)
      if found.elementsEqual(key) { return middle }
      range =
        found.lexicographicallyPrecedes(key)
        ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  // MARK: Checks

  private func isSound(_ table: Int) -> Bool {
    guard table >= Self.head, count <= bytes.count / 8, table <= bytes.count - count * 8 else {
      return false
    }
    return (0..<count).allSatisfy { index in
      let (length, offset) = entry(index, of: table)
      return offset >= Self.head && length < bytes.count && offset < bytes.count - length
        && bytes[offset + length] == 0
    }
  }

  private var isInOrder: Bool {
    (1..<count).allSatisfy { key($0 - 1).lexicographicallyPrecedes(key($0)) }
  }

  // MARK: Bytes

  private func string(_ index: Int, of table: Int) -> ArraySlice<UInt8> {
    let (length, offset) = entry(index, of: table)
    return bytes[offset..<offset + length]
  }

  private func entry(_ index: Int, of table: Int) -> (length: Int, offset: Int) {
    (
      Self.word(in: bytes, at: table + index * 8),
      Self.word(in: bytes, at: table + index * 8 + 4)
    )
  }

  private static func word(in bytes: [UInt8], at offset: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) }
  }
}
