/// A script, as far as it decides on the voice for a letter.
///
/// Scripts that one voice reads together are one case: kana, and Han characters with Bopomofo.
///
/// Latin letters in a message in another script have the English voice: Russian, Ukrainian, Greek,
/// Arabic, Hindi and Korean voices switch to English by themselves and lose the dot of "notes.txt",
/// the Mandarin one spells "txt", the Hebrew and Japanese ones spell everything.
enum WritingSystem: String, Hashable, Sendable {
  case latin, greek, cyrillic, armenian, hebrew, arabic, devanagari, bengali, gurmukhi, gujarati,
    odia, tamil, telugu, kannada, malayalam, sinhala, thai, georgian, hangul, ethiopic, kana, han

  private struct Row {
    var script: WritingSystem
    var languages: [String]
    /// What its voices read, of the alphabetic blocks.
    var characters: [ClosedRange<UInt32>]
  }

  private static let table = SpeechTable.rows(PackageResources.scripts_txt).compactMap { row in
    WritingSystem(rawValue: String(row[0])).map { script in
      Row(
        script: script, languages: row[1].split(separator: " ").map { String($0) },
        characters: SpeechTable.ranges(row.count > 2 ? row[2] : nil))
    }
  }

  /// The script that the voice of a language reads; Latin by default.
  static func own(of language: String) -> WritingSystem {
    let base = LanguageTag.base(language)
    return table.first { $0.languages.contains(base) }?.script ?? .latin
  }

  /// The script of a letter or mark in the alphabetic blocks, if a voice reads it.
  static func reading(_ scalar: Unicode.Scalar) -> WritingSystem? {
    table.first { row in row.characters.contains { $0.contains(scalar.value) } }?.script
  }

  /// The language whose voice reads it in messages in other scripts.
  var language: String { Self.table.first { $0.script == self }?.languages.first ?? "en" }
}

/// The role of a character in the choice of a voice, by what the voices of espeak-ng 1.51 read,
/// spell or skip.
enum CharacterRole: Hashable, Sendable {
  /// A letter, or a mark that belongs to one.
  case letter(WritingSystem)
  /// Digits, blanks, punctuation, common symbols and marks: every voice takes them.
  case neutral
  /// An emoji that many voices have a name for.
  case picture
  /// A symbol that only the English voice has a word for.
  case englishSymbol
  /// No voice has a sound for it.
  case unspoken

  /// The role by Unicode's blocks; letters that espeak-ng 1.51 spells as "letter" and a number are
  /// ``unspoken``.
  init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x41...0x5A, 0x61...0x7A: self = .letter(.latin)
    case 0..<0x80: self = .neutral
    case 0x80..<0x02B0, 0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA720...0xA7FF, 0x2071, 0x207F:
      self = scalar.properties.isAlphabetic ? .letter(.latin) : .neutral
    case 0x0300...0x036F: self = .neutral
    case 0x0370...0x1CFF, 0x1F00...0x1FFF, 0x2D80...0x2DDF: self = Self.inScripts(scalar)
    case 0x2000...0x20CF, 0x2100...0x2BFF:
      self = Self.inSymbols(scalar)
    case 0x3000...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF: self = Self.inEastAsia(scalar)
    // Full-width commas and stops.
    case 0xFF01, 0xFF0C, 0xFF1A, 0xFF1B, 0xFF1F: self = .neutral
    case 0x1F000...0x1FAFF: self = Self.isNamedPicture(scalar) ? .picture : .unspoken
    default: self = scalar.properties.generalCategory == .format ? .neutral : .unspoken
    }
  }

  /// In alphabetic blocks, by the letters that their voices read.
  private static func inScripts(_ scalar: Unicode.Scalar) -> CharacterRole {
    switch scalar.value {
    case 0x055B...0x055E, 0x0589: return .letter(.armenian)
    case 0x05F3, 0x05F4: return .letter(.hebrew)
    case 0x060C, 0x061B, 0x061F: return .neutral
    default: break
    }
    guard let script = WritingSystem.reading(scalar) else {
      return scalar.properties.generalCategory == .spaceSeparator ? .neutral : .unspoken
    }
    // Other voices can't use further punctuation of a script.
    return isLetterOrMark(scalar) ? .letter(script) : .unspoken
  }

  /// In the blocks of China, Japan and Korea.
  private static func inEastAsia(_ scalar: Unicode.Scalar) -> CharacterRole {
    switch scalar.value {
    // Iteration marks stand for a character that the voice would have to look up.
    case 0x3005, 0x3006, 0x303B, 0x309D, 0x309E, 0x30FD, 0x30FE: .unspoken
    case 0x3007: .letter(.han)
    case 0x3030, 0x303D, 0x3297, 0x3299: .picture
    case 0x3000...0x3003, 0x3008...0x3011, 0x3014...0x301F: .neutral
    case 0x3041...0x309C, 0x30A1...0x30FF: .letter(.kana)
    // Bopomofo is read by the Mandarin voice.
    case 0x3105...0x3129, 0x4E00...0x9FFF, 0xF900...0xFAFF: .letter(.han)
    case 0x3131...0x3163, 0xAC00...0xD7A3: .letter(.hangul)
    default: isIgnorable(scalar) ? .neutral : .unspoken
    }
  }

  /// In the blocks of symbols.
  private static func inSymbols(_ scalar: Unicode.Scalar) -> CharacterRole {
    switch scalar.value {
    // €, №, ™ and the four arrows have words in every language, or need none.
    case 0x20AC, 0x2116, 0x2122, 0x2190...0x2193, 0x2022: .neutral
    case 0x2070...0x209F: scalar.properties.numericType == nil ? .unspoken : .neutral
    case 0x2000...0x206F: .neutral
    case 0x2202, 0x2211, 0x2212, 0x2217, 0x221A, 0x221D, 0x221E, 0x222B, 0x222C, 0x2234, 0x2235,
      0x2248, 0x2260, 0x2261, 0x2264, 0x2265, 0x266D, 0x266F, 0x20B9:
      .englishSymbol
    default: isNamedPicture(scalar) ? .picture : isIgnorable(scalar) ? .neutral : .unspoken
    }
  }

  /// Whether the emoji dictionaries of espeak-ng 1.51 name it, which are older than some emoji.
  private static func isNamedPicture(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x203C, 0x24C2, 0x267B, 0x26A7, 0x2753...0x2757, 0x2763, 0x1F1E6...0x1F1FF,
      0x1F3FB...0x1F3FF, 0x1F6D3...0x1F6DF, 0x1F6FA...0x1F90F, 0x1F93F, 0x1F971, 0x1F972,
      0x1F977...0x1F979, 0x1F97B, 0x1F9A3...0x1F9AF, 0x1F9BA...0x1F9BF, 0x1F9C3...0x1F9CF,
      0x1FA00...0x1FAFF:
      false
    default: scalar.properties.isEmoji
    }
  }

  /// Whether every voice handles it without a word. Not so the marks of an unknown script: a voice
  /// spells them in a third voice, and espeak-ng 1.51 then uses freed memory.
  private static func isIgnorable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .format, .spaceSeparator, .connectorPunctuation,
      .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation:
      true
    default: false
    }
  }

  /// Whether it is part of a word.
  private static func isLetterOrMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark:
      true
    default: false
    }
  }
}
