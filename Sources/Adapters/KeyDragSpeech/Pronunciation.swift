/// A run's text, spelled out for the voice of its language.
///
/// Pure. Text in a language that needs nothing is unchanged.
enum Pronunciation {
  /// Puts words for symbols, points and digits that the voice would skip.
  static func of(_ text: String, language: String) -> String {
    let words = SymbolWords.words(of: language)
    let base = LanguageTag.base(language)
    // Nothing to replace, and nothing harmful.
    guard !words.isEmpty || crashingLanguages.contains(base) else { return text }
    var result = text
    switch base {
    case "ja": result = JapaneseSpelling.kana(result)
    case "uk": result = withoutApostrophes(result)
    case let name where crashingLanguages.contains(name): result = withoutInnerMarks(result)
    default: break
    }
    if let dot = words["a.b"] { result = withDots(result, dot) }
    result = withNumbersInFull(result, words["1.5"], base: base)
    result = withSymbolsInFull(result, words)
    if base == "he" { result = HebrewSpelling.pointed(result) }
    return result.split(separator: " ").joined(separator: " ")
  }

  /// Ukrainian has apostrophes inside words, which the voice takes for closing quotation marks.
  private static func withoutApostrophes(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      let isInner =
        (scalar == "'" || scalar == "\u{2019}") && index > 0 && index + 1 < scalars.count
        && scalars[index - 1].properties.isAlphabetic && scalars[index + 1].properties.isAlphabetic
      if !isInner { result.append(scalar) }
    }
    return String(result)
  }

  /// Puts a word for the dot of an extension; that of single-letter abbreviations stays.
  private static func withDots(_ text: String, _ dot: String) -> String {
    let scalars = Array(text.unicodeScalars)
    func isLetter(_ index: Int) -> Bool {
      scalars.indices.contains(index) && scalars[index].properties.isAlphabetic
    }
    var result = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      let isAbbreviation = isLetter(index - 1) && !isLetter(index - 2) && !isLetter(index + 2)
      if scalar == ".", isLetter(index + 1), !isAbbreviation {
        result.append(contentsOf: " \(dot) ".unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// Voices in which espeak-ng 1.51 overruns a buffer, which crashes the program, when a word has
  /// certain marks or foreign letters inside. Without them, words of any length are safe.
  private static let crashingLanguages: Set<String> = [
    "hi", "mr", "ne", "bn", "as", "pa", "gu", "or", "ta", "te", "kn", "ml", "si", "th", "am",
  ]

  /// Keeps letters, digits, decimal points, symbols and blanks, and punctuation at the end of a
  /// word.
  private static func withoutInnerMarks(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      let properties = scalar.properties
      let isPart =
        properties.isAlphabetic || properties.numericType != nil || scalar.value == 0x200C
        || scalar.value == 0x200D || properties.generalCategory == .nonspacingMark
        || properties.generalCategory == .spacingMark || isSymbol(scalar)
      let isAtEnd = index + 1 == scalars.count || scalars[index + 1].properties.isWhitespace
      let isDecimal =
        scalar == "." && index > 0 && !isAtEnd && isDigit(scalars[index - 1])
        && isDigit(scalars[index + 1])
      if isPart || isDecimal || (isAtEnd && ".,;:!?".unicodeScalars.contains(scalar)) {
        result.append(scalar)
      } else {
        result.append(" ")
      }
    }
    return String(result)
  }

  /// Whether a table may have a word for it.
  private static func isSymbol(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .mathSymbol, .currencySymbol, .otherSymbol: true
    default: "%&#@*/\\".unicodeScalars.contains(scalar)
    }
  }

  /// ASCII digits only.
  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// Spells the decimal point; in Hebrew the whole number, and in Chinese puts the percent first.
  private static func withNumbersInFull(_ text: String, _ point: String?, base: String) -> String {
    guard text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return text }
    guard point != nil || base == "he" else { return text }
    var result = ""
    var rest = Substring(
      base == "he" ? CharacterNormalizer.withoutGroupMarks(text, marks: [","]) : text)
    while let first = rest.firstIndex(where: { $0.isASCII && $0.isNumber }) {
      result += rest[..<first]
      rest = rest[first...]
      var number = ""
      while let digit = rest.first, digit.isASCII, digit.isNumber {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        number += base == "he" ? " \(HebrewSpelling.words(for: digits)) " : String(digits)
        rest = rest.dropFirst(digits.count)
        guard let point, rest.first == ".", let next = rest.dropFirst().first, next.isASCII,
          next.isNumber
        else { break }
        number += " \(point) "
        rest = rest.dropFirst()
      }
      if base == "zh", rest.first == "%" {
        number = "百分之\(number)"
        rest = rest.dropFirst()
      }
      result += number
    }
    return result + rest
  }

  /// Puts a word for each symbol in the table.
  private static func withSymbolsInFull(_ text: String, _ words: [String: String]) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if let word = words[String(scalar)] {
        result += " \(word) "
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
