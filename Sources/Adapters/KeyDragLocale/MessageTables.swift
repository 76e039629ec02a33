import Glibc

/// The two tables of a binary catalogue: the sorted messages, and their translations (gettext's
/// manual, "The Format of GNU MO Files").
///
/// Validated at creation: all strings are within the file and end with a zero, and the messages are
/// sorted. So a lookup can neither leave the file nor run for ever.
struct MessageTables: Sendable {
  /// The smallest header, in bytes.
  private static let head = 28

  private let bytes: [UInt8]
  private let count: Int
  /// The offsets of the two tables. An entry is a length and an offset, of four bytes each.
  private let messages: Int
  private let translations: Int

  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.head else { return nil }
    self.bytes = bytes
    func word(_ index: Int) -> Int { Self.word(in: bytes, at: index * 4) }
    (count, messages, translations) = (word(2), word(3), word(4))
    // The byte order that msgfmt writes everywhere. Revision 0 has no system-dependent parts. The
    // hash table at the end of the header is not used.
    guard word(0) == 0x9504_12DE, word(1) == 0, count > 0, isSound(messages),
      isSound(translations), isInOrder
    else { return nil }
  }

  /// A message without its plural, which follows a zero.
  func key(_ index: Int) -> ArraySlice<UInt8> { string(index, of: messages).prefix { $0 != 0 } }

  /// A translation; zeros separate the forms of a plural.
  func translation(_ index: Int) -> ArraySlice<UInt8> { string(index, of: translations) }

  /// The index of a message, by binary search; `nil` if there is none.
  func position(of key: [UInt8]) -> Int? {
    guard !key.contains(0) else { return nil }
    let key = key + [0]
    var range = 0..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let order = key.withUnsafeBufferPointer { key in compare(middle, with: key.baseAddress) }
      if order == 0 { return middle }
      range = order < 0 ? middle + 1..<range.upperBound : range.lowerBound..<middle
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
    (1..<count).allSatisfy { index in
      bytes.withUnsafeBufferPointer { all in
        compare(index - 1, with: all.baseAddress.map { $0 + entry(index, of: messages).offset })
      } < 0
    }
  }

  // MARK: Bytes

  private func string(_ index: Int, of table: Int) -> ArraySlice<UInt8> {
    let (length, offset) = entry(index, of: table)
    return bytes[offset..<offset + length]
  }

  /// Compares a message, without its plural, with zero-terminated bytes, in the order of the table.
  private func compare(_ index: Int, with other: UnsafePointer<UInt8>?) -> Int32 {
    let offset = entry(index, of: messages).offset
    return bytes.withUnsafeBytes { all in
      guard let one = all.baseAddress, let other else { return 0 }
      return strcmp(
        (one + offset).assumingMemoryBound(to: CChar.self),
        UnsafeRawPointer(other).assumingMemoryBound(to: CChar.self))
    }
  }

  private func entry(_ index: Int, of table: Int) -> (length: Int, offset: Int) {
    (
      Self.word(in: bytes, at: table + index * 8),
      Self.word(in: bytes, at: table + index * 8 + 4)
    )
  }

  private static func word(in bytes: [UInt8], at offset: Int) -> Int {
    let word = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    return Int(UInt32(littleEndian: word))
  }
}
