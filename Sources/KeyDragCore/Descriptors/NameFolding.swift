/// Folds names so that they match ignoring case and accents.
package enum NameFolding {
  /// Appends the folded UTF-8 bytes of a name.
  static func append(_ name: String, to bytes: inout [UInt8]) {
    var name = name
    let isASCII = name.withUTF8 { utf8 in
      guard utf8.allSatisfy({ $0 < 0x80 }) else { return false }
      // NUL ends a folded name, so there is none in it.
      for byte in utf8 where byte != 0 {
        bytes.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte)
      }
      return true
    }
    if isASCII { return }
    for character in name where character != "\0" {
      for part in base(of: character).lowercased() { bytes.append(contentsOf: part.utf8) }
    }
  }

  package static func fold(_ name: String) -> [UInt8] {
    var bytes: [UInt8] = []
    append(name, to: &bytes)
    return bytes
  }

  /// The character without its accents.
  private static func base(of character: Character) -> String {
    if character.isASCII { return String(character) }
    if let known = bases[character] { return known }
    // Decomposed characters keep their base scalar and lose the marks.
    let scalars = character.unicodeScalars.filter { !isMark($0) }
    guard scalars.count < character.unicodeScalars.count, !scalars.isEmpty else {
      return String(character)
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .nonspacingMark
  }

  /// Composed characters by canonical equivalence: "é" is equal to "e" followed by its accent, so the
  /// pairs of letters and marks find every composed form without a table of them.
  private static let bases: [Character: String] = {
    var table: [Character: String] = [
      "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ß": "ss", "ẞ": "ss", "ς": "σ",
      "æ": "ae",
      "Æ": "AE", "œ": "oe", "Œ": "OE", "ı": "i", "þ": "th", "Þ": "TH", "ð": "d", "Ð": "D",
    ]
    let letters: [ClosedRange<UInt32>] = [
      0x41...0x5A, 0x61...0x7A, 0x391...0x3A9, 0x3B1...0x3C9, 0x410...0x44F, 0x456...0x456,
    ]
    let marks: [UInt32] = [
      0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0x309, 0x30A, 0x30B, 0x30C, 0x30F,
      0x311, 0x313, 0x314, 0x31B, 0x323, 0x325, 0x326, 0x327, 0x328, 0x32D, 0x330, 0x331, 0x342,
      0x345,
    ]
    for letter in letters.joined().compactMap(Unicode.Scalar.init) {
      for first in marks.compactMap(Unicode.Scalar.init) {
        let one = String(String.UnicodeScalarView([letter, first]))
        table[Character(one)] = String(Character(letter))
        guard letter.value < 0x80, [0x302, 0x306, 0x31B, 0x308].contains(first.value) else {
          continue
        }
        for second in marks.compactMap(Unicode.Scalar.init) {
          let two = String(String.UnicodeScalarView([letter, first, second]))
          table[Character(two)] = String(Character(letter))
        }
      }
    }
    // Й is a letter of its own for those who type it.
    table["й"] = nil
    table["Й"] = nil
    return table
  }()
}
