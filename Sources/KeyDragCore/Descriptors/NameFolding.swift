/// Folds names for matching without case, accents and composition (Mac names are decomposed).
package enum NameFolding {
  static func append(_ name: String, to bytes: inout [UInt8]) {
    var name = name
    let isASCII = name.withUTF8 { utf8 in
      guard utf8.allSatisfy({ $0 < 0x80 }) else { return false }
      // NUL terminates a folded name, so it can't occur in one.
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

  private static func base(of character: Character) -> String {
    let scalars = character.unicodeScalars
    if let first = scalars.first, scalars.count == 1 { return base(of: first) }
    if let known = ownLetters[character] ?? syllable(character) { return known }
    // Decomposed characters lose their marks.
    let letters = scalars.filter { !isMark($0) }
    if letters.isEmpty { return String(character) }
    return letters.map(base).joined()
  }

  private static func base(of scalar: Unicode.Scalar) -> String {
    if scalar.isASCII { return String(scalar) }
    if let known = bases[scalar] { return known }
    switch scalar.value {
    // Full-width forms.
    case 0xFF01...0xFF5E:
      return Unicode.Scalar(scalar.value - 0xFEE0).map { String($0) } ?? String(scalar)
    // The blocks with precomposed accents.
    case 0xC0...0x24F, 0x370...0x52F, 0x1E00...0x1FFF: break
    default: return String(scalar)
    }
    // Unicode names begin with the base letter: "LATIN SMALL LETTER E WITH ACUTE".
    let name = (scalar.properties.name ?? "").split(separator: " WITH ", maxSplits: 1)
    guard name.count == 2, let letter = letters[String(name[0])],
      // "CAPITAL LETTER D WITH SMALL LETTER Z" is two letters.
      !name[1].contains("LETTER"),
      !name[0].hasPrefix("CYRILLIC") || accents.contains(where: name[1].hasSuffix)
    else { return String(scalar) }
    return String(letter)
  }

  /// Composes a Hangul syllable from its jamo (The Unicode Standard, 3.12).
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

  /// Base letters by their Unicode names.
  private static let letters: [String: Unicode.Scalar] = {
    let ranges: [ClosedRange<UInt32>] = [
      0x41...0x5A, 0x61...0x7A, 0x391...0x3A9, 0x3B1...0x3C9, 0x410...0x44F,
    ]
    let named = ranges.joined().compactMap(Unicode.Scalar.init).compactMap { scalar in
      scalar.properties.name.map { ($0, scalar) }
    }
    return Dictionary(named) { first, _ in first }
  }()

  /// A Cyrillic letter with any other mark, such as a hook or a tail, is another letter.
  private static let accents = ["GRAVE", "BREVE", "DIAERESIS", "MACRON", "ACUTE"]

  /// Letters whose names do not contain their base, and signs usually typed as others.
  private static let bases: [Unicode.Scalar: String] = [
    "ß": "ss", "ẞ": "ss", "ς": "σ", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ı": "i",
    "þ": "th", "Þ": "TH", "ð": "d", "Ð": "D", "Ё": "Е", "ё": "е", "Ї": "І", "ї": "і", "Ѓ": "Г",
    "ѓ": "г", "Ќ": "К", "ќ": "к", "Ў": "У", "ў": "у",
    "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st",
    "\u{212B}": "A", "‘": "'", "’": "'", "ʼ": "'", "“": "\"", "”": "\"", "\u{3000}": " ",
  ]

  /// Й, kana with their marks and letters of India are letters of their own to those who type them,
  /// also in decomposed form, which compares equal.
  private static let ownLetters: [Character: String] = {
    var table: [Character: String] = [:]
    for value in [0x419...0x419, 0x439...0x439, 0x3041...0x30FE, 0x900...0xDFF].joined() {
      guard let scalar = Unicode.Scalar(UInt32(value)), !isMark(scalar) else { continue }
      table[Character(scalar)] = String(scalar)
    }
    return table
  }()
}
