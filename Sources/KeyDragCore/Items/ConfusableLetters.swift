/// Detects words that imitate others by mixing letters of two alphabets that look alike.
package enum ConfusableLetters {
  /// Cyrillic and Greek letters that look like Latin ones.
  private static let likeLatin = Set(
    "АВЕЅІЈКМНОРСТУХҮһавеѕіјкморстухԁԛԝҺԌΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρ".unicodeScalars)
  /// The Latin letter that each of these resembles.
  static let latin: [Unicode.Scalar: Unicode.Scalar] = Dictionary(
    uniqueKeysWithValues: zip(
      "АВЕЅІЈКМНОРСТУХҮҺаеѕіјкорсухһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυ".unicodeScalars,
      "ABESIJKMHOPCTYXYHaesijkopcyxhdqwABEZHIKMNOPTYXaikvopu".unicodeScalars))
  /// Latin letters that look like Cyrillic ones.
  private static let likeCyrillic = Set("ABCEHIJKMOPSTXYaceijopsxy".unicodeScalars)

  /// Whether a word mixes alphabets and could pass for one of a single alphabet, unlike "Δt".
  package static func isIn(_ name: String) -> Bool {
    if name.utf8.allSatisfy({ $0 < 0x80 }) { return false }
    var word = Word()
    for scalar in name.unicodeScalars {
      switch scalar.value {
      case 0x41...0x5A, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F: word.latin(scalar)
      case 0x370...0x3FF, 0x400...0x52F: word.other(scalar)
      // Combining accents belong to the letter before.
      case 0x300...0x36F: continue
      default:
        if word.isAmbiguous { return true }
        word = Word()
      }
    }
    return word.isAmbiguous
  }

  private struct Word {
    private var hasLatin = false
    private var hasOther = false
    private var couldBeLatin = true
    private var couldBeCyrillic = true

    var isAmbiguous: Bool { hasLatin && hasOther && (couldBeLatin || couldBeCyrillic) }

    mutating func latin(_ scalar: Unicode.Scalar) {
      hasLatin = true
      if !likeCyrillic.contains(scalar) { couldBeCyrillic = false }
    }

    mutating func other(_ scalar: Unicode.Scalar) {
      hasOther = true
      if !likeLatin.contains(scalar) { couldBeLatin = false }
      if scalar.value < 0x400 { couldBeCyrillic = false }
    }
  }
}
