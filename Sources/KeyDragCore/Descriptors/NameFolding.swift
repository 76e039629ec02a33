/// Folds names so that they match ignoring case and accents, and whether a letter is one character or
/// several, as in names from a Mac.
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
    if let known = bases[character] ?? syllable(character) { return known }
    // Decomposed characters keep their base scalar and lose the marks.
    let scalars = character.unicodeScalars.filter { !isMark($0) }
    guard scalars.count < character.unicodeScalars.count, !scalars.isEmpty else {
      return String(character)
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// A syllable of Hangul that is written in its parts, as one character (The Unicode Standard,
  /// 3.12).
  private static func syllable(_ character: Character) -> String? {
    let parts = character.unicodeScalars.map(\.value)
    guard (2...3).contains(parts.count), (0x1100...0x1112).contains(parts[0]),
      (0x1161...0x1175).contains(parts[1]),
      parts.count == 2 || (0x11A8...0x11C2).contains(parts[2])
    else { return nil }
    let last = parts.count == 3 ? parts[2] - 0x11A7 : 0
    let number = ((parts[0] - 0x1100) * 21 + parts[1] - 0x1161) * 28 + last
    return Unicode.Scalar(0xAC00 + number).map { String(Character($0)) }
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
      "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st",
      "‘": "'", "’": "'", "ʼ": "'", "“": "\"", "”": "\"", "\u{3000}": " ",
    ]
    // Full width.
    for value in UInt32(0xFF01)...0xFF5E {
      guard let wide = Unicode.Scalar(value), let narrow = Unicode.Scalar(value - 0xFEE0) else {
        continue
      }
      table[Character(wide)] = String(Character(narrow))
    }
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
    // Й is a letter of its own for those who type it, and so are kana with their marks, and letters of
    // India.
    for value in [0x419...0x419, 0x439...0x439, 0x3041...0x30FE, 0x900...0xDFF].joined() {
      guard let scalar = Unicode.Scalar(UInt32(value)), !isMark(scalar) else { continue }
      table[Character(scalar)] = String(Character(scalar))
    }
    return table
  }()
}
