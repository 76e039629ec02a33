/// A pattern for a whole name, ignoring case and accents, where "*" stands for any text and "?" for
/// one character.
package struct NamePattern: Hashable, Sendable {
  /// As written.
  package let text: String
  private let key: [UInt8]

  package init(_ text: String) {
    self.text = text
    key = NameFolding.fold(text)
  }

  package func matches(_ name: String) -> Bool { matches(NameFolding.fold(name)) }

  /// Backtracks to the last star only, so the time is bounded by the product of the lengths.
  private func matches(_ name: [UInt8]) -> Bool {
    var (place, wanted) = (0, 0)
    var star: (place: Int, wanted: Int)?
    while place < name.count {
      if wanted < key.count, key[wanted] == UInt8(ascii: "*") {
        star = (place, wanted)
        wanted += 1
      } else if wanted < key.count, key[wanted] == UInt8(ascii: "?") {
        place = Self.end(ofCharacterAt: place, in: name)
        wanted += 1
      } else if wanted < key.count, key[wanted] == name[place] {
        place += 1
        wanted += 1
      } else if let last = star {
        place = Self.end(ofCharacterAt: last.place, in: name)
        star = (place, last.wanted)
        wanted = last.wanted + 1
      } else {
        return false
      }
    }
    return key[wanted...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  private static func end(ofCharacterAt place: Int, in name: [UInt8]) -> Int {
    name[(place + 1)...].firstIndex { $0 & 0xC0 != 0x80 } ?? name.count
  }
}
