/// Folds names for matching without case, accents, composition (Mac names are decomposed) and forms
/// of letters and digits that no key types.
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
    var typed = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      if let plain = plain(scalar) {
        typed.append(contentsOf: plain.unicodeScalars)
      } else {
        typed.append(scalar)
      }
    }
    for character in String(typed) where character != "\0" {
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
    String(accented[scalar] ?? scalar)
  }

  /// The base letters of the blocks with precomposed accents: their names are slow to look up.
  private static let accented: [Unicode.Scalar: Unicode.Scalar] = {
    let blocks: [ClosedRange<UInt32>] = [0xC0...0x24F, 0x370...0x52F, 0x1E00...0x1FFF]
    let scalars = blocks.joined().compactMap(Unicode.Scalar.init)
    return scalars.reduce(into: [:]) { table, scalar in
      // Unicode names begin with the base letter: "LATIN SMALL LETTER E WITH ACUTE".
      let name = (scalar.properties.name ?? "").split(separator: " WITH ", maxSplits: 1)
      guard name.count == 2, let letter = letters[String(name[0])],
        // "CAPITAL LETTER D WITH SMALL LETTER Z" is two letters.
        !name[1].contains("LETTER"),
        !name[0].hasPrefix("CYRILLIC") || accents.contains(where: name[1].hasSuffix)
      else { return }
      table[scalar] = letter
    }
  }()

  /// The keys for "²", "Ⅳ", "½", "㎏", "𝐀" or "ｱ", by their Unicode names; the standard library has
  /// no tables for NFKC.
  private static func plain(_ scalar: Unicode.Scalar) -> String? {
    // Full-width forms.
    if 0xFF01...0xFF5E ~= scalar.value {
      return Unicode.Scalar(scalar.value - 0xFEE0).map { String($0) }
    }
    if scalar.isASCII { return nil }
    if let known = bases[scalar] { return known }
    // Capitals change as well.
    guard scalar.properties.changesWhenNFKCCaseFolded,
      case let lower = scalar.properties.lowercaseMapping.unicodeScalars, lower.count == 1,
      let properties = lower.first?.properties, properties.changesWhenNFKCCaseFolded,
      let name = properties.name
    else { return nil }
    let words = name.split(separator: " ").map(String.init)
    let last = words.last ?? ""
    if let value = properties.numericValue, !name.contains("IDEOGRAPH") {
      if words.contains("ROMAN") { return romanNumerals[Int(value)] }
      // Unicode has fractions down to a tenth.
      let parts = (1...10).first { abs((value * Double($0)).rounded() - value * Double($0)) < 1e-3 }
      let count = Int((value * Double(parts ?? 1)).rounded())
      return parts == 1 ? String(count) : "\(count)/\(parts ?? 1)"
    }
    // Units such as "SQUARE M SQUARED".
    if 0x3380...0x33DF ~= scalar.value {
      return words.dropFirst().map { unitWords[$0] ?? $0.lowercased() }.joined()
    }
    if words.contains("LIGATURE"), words.contains("LATIN") { return last.lowercased() }
    if let start = words.firstIndex(of: "KATAKANA") {
      let kana = words[start...].filter { $0 != "KATAKANA" && $0 != "LETTER" }
      return letter(["KATAKANA", "LETTER"] + kana)
    }
    guard words.contains(where: ["CAPITAL", "SMALL", "LATIN"].contains) else { return nil }
    return letter(["LATIN", "SMALL", "LETTER", last]) ?? letter(["GREEK", "SMALL", "LETTER", last])
  }

  private static func letter(_ name: [String]) -> String? {
    letters[name.joined(separator: " ")].map { String($0) }
  }

  private static let unitWords = ["SQUARED": "2", "CUBED": "3", "OVER": "/", "MU": "μ"]

  private static let romanNumerals = [
    1: "i", 2: "ii", 3: "iii", 4: "iv", 5: "v", 6: "vi", 7: "vii", 8: "viii", 9: "ix", 10: "x",
    11: "xi", 12: "xii", 50: "l", 100: "c", 500: "d", 1000: "m",
  ]

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
      0x30A1...0x30FA,
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
    "ﬅ": "st", "ﬆ": "st", "№": "no", "™": "tm", "℠": "sm", "℡": "tel", "℻": "fax", "ª": "a",
    "º": "o", "℃": "°C", "℉": "°F", "…": "...", "\u{FF9E}": "\u{3099}", "\u{FF9F}": "\u{309A}",
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
