// The standard library has its own normal forms behind this SPI; Foundation has them too, but costs
// start-up time.
@_spi(_Unicode) import Swift

/// Normalises characters to the forms that espeak-ng 1.51 reads, without a change of meaning.
///
/// It is silent at full-width letters and digits of other scripts, says "letter" and a number for
/// half-width ones and for accents it does not know, and misreads decomposed letters, as file names
/// from other systems have them.
///
/// Pure.
enum CharacterNormalizer {
  /// The text in readable forms; ASCII is unchanged.
  static func of(_ text: String, language: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    let keepsAccents = ["ro", "vi"].contains(LanguageTag.base(language))
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      append(scalar, keepsAccents: keepsAccents, to: &result)
    }
    var composed = String.UnicodeScalarView()
    for scalar in String(result)._nfc where !isLooseMark(scalar) { composed.append(scalar) }
    return withoutGroupMarks(String(composed))
  }

  /// Whether it is a combining mark, which no letter before it has absorbed.
  private static func isLooseMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
    default: false
    }
  }

  /// Appends a character in a readable form, or nothing.
  private static func append(
    _ scalar: Unicode.Scalar, keepsAccents: Bool, to result: inout String.UnicodeScalarView
  ) {
    switch scalar.value {
    case 0..<0x0180: result.append(contentsOf: simple[scalar] ?? String.UnicodeScalarView([scalar]))
    // Latin letters with marks that no voice knows: the base letter.
    case 0x0180..<0x0250, 0x1E00...0x1EFF:
      let base = String(scalar)._nfd.first { _ in true }
      result.append(keepsAccents ? scalar : base ?? scalar)
    // Variation selectors and skin tones have no words of their own.
    case 0xFE00...0xFE0F, 0x1F3FB...0x1F3FF, 0xE0100...0xE01EF: break
    // Cantillation marks, and a sign of abbreviation in Thai.
    case 0x0591...0x05AF, 0x05BD, 0x05BF, 0x05C4, 0x05C5, 0x0E2F: break
    // Full-width marks that voices know; no blank need follow them.
    case 0xFF01, 0xFF0C, 0xFF1A, 0xFF1B, 0xFF1F: result.append(scalar)
    case 0xFF01...0xFF5D: append(value: scalar.value - 0xFEE0, to: &result)
    case 0xFF66...0xFF9D:
      result.append(halfWidthKana[Int(scalar.value - 0xFF66)])
    case 0xFF9E: append(value: 0x3099, to: &result)
    case 0xFF9F: append(value: 0x309A, to: &result)
    // Letters in circles, of flags, and of mathematics.
    case 0x24B6...0x24CF: append(value: scalar.value - 0x24B6 + 0x41, to: &result)
    case 0x24D0...0x24E9: append(value: scalar.value - 0x24D0 + 0x61, to: &result)
    case 0x1F1E6...0x1F1FF: append(value: scalar.value - 0x1F1E6 + 0x41, to: &result)
    case 0x1D400...0x1D7CB: appendMathematical(scalar, to: &result)
    default:
      if let known = simple[scalar] {
        result.append(contentsOf: known)
      } else if let digits = digits(of: scalar) {
        result.append(contentsOf: digits.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
  }

  private static func append(value: UInt32, to result: inout String.UnicodeScalarView) {
    if let scalar = Unicode.Scalar(value) { result.append(scalar) }
  }

  /// The letter at the end of a name such as "MATHEMATICAL BOLD SMALL A".
  private static func appendMathematical(
    _ scalar: Unicode.Scalar, to result: inout String.UnicodeScalarView
  ) {
    let words = scalar.properties.name?.split(separator: " ") ?? []
    guard let letter = words.last, letter.utf8.count == 1 else { return result.append(scalar) }
    let isSmall = words.contains("SMALL")
    result.append(contentsOf: (isSmall ? letter.lowercased() : String(letter)).unicodeScalars)
  }

  /// ASCII digits for a digit of another script, a number in a circle or a Roman numeral.
  private static func digits(of scalar: Unicode.Scalar) -> String? {
    // A zero among Han characters is a word.
    guard scalar.value != 0x3007, let value = scalar.properties.numericValue else { return nil }
    switch scalar.properties.generalCategory {
    case .decimalNumber: break
    // ² and its like have words of their own in many voices.
    case .otherNumber where scalar.value >= 0x2460, .letterNumber: break
    default: return nil
    }
    guard value >= 0, value < 1_000_000, value == value.rounded() else { return nil }
    let isDigit = scalar.properties.generalCategory == .decimalNumber
    return isDigit ? String(Int(value)) : " \(Int(value)) "
  }

  /// Joins groups of digits into one number: "1 000" with a no-break space.
  static func withoutGroupMarks(
    _ text: String, marks: Set<Unicode.Scalar> = ["\u{A0}", "\u{202F}", "\u{2009}", "\u{66C}"]
  ) -> String {
    guard text.unicodeScalars.contains(where: marks.contains) else { return text }
    let scalars = Array(text.unicodeScalars)
    func isDigit(_ index: Int) -> Bool {
      scalars.indices.contains(index) && ("0"..."9").contains(scalars[index])
    }
    var result = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      let isBetween =
        marks.contains(scalar) && isDigit(index - 1) && (1...3).allSatisfy { isDigit(index + $0) }
        && !isDigit(index + 4)
      if !isBetween { result.append(scalar) }
    }
    return String(result)
  }

  /// In the order of the half-width forms.
  private static let halfWidthKana = Array(
    "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"
      .unicodeScalars)

  /// Replacements of single characters.
  private static let simple = SpeechTable.rows(PackageResources.forms_txt)
    .reduce(into: [Unicode.Scalar: String.UnicodeScalarView]()) { simple, row in
      guard let scalar = UInt32(row[0], radix: 16).flatMap(Unicode.Scalar.init) else { return }
      simple[scalar] = (row.count > 1 ? String(row[1]) : " ").unicodeScalars
    }
}
