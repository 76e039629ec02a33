/// Detects words that imitate others by mixing letters of two alphabets that look alike.
package enum ConfusableLetters {
  /// The ASCII character that each of these resembles, from LookAlikes.txt: that one first in its line.
  ///
  /// The lines are those of Unicode's confusables.txt (UTS 39) for alphabets beside Latin and for forms
  /// of Latin letters, with small capitals as capitals; "I" and "l", "0" and "O" are told apart.
  private static let latin = Dictionary(
    uniqueKeysWithValues: String(decoding: PackageResources.LookAlikes_txt, as: UTF8.self)
      .split(separator: "\n").map(\.unicodeScalars).flatMap { line in
        line.dropFirst(2).map { ($0, line[line.startIndex]) }
      })
  /// Latin letters that look like letters of today's Cyrillic alphabets.
  private static let likeCyrillic = Set(
    latin.lazy.filter { (0x400...0x45F).contains($0.key.value) }.map(\.value))

  /// The scalar that one looks like; itself where it looks like no other.
  static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    scalar.value < 0x250 ? scalar : latin[scalar] ?? scalar
  }

  /// Whether a word mixes alphabets and could pass for one of a single alphabet, unlike "Δt".
  package static func isIn(_ name: String) -> Bool {
    if name.utf8.allSatisfy({ $0 < 0x80 }) { return false }
    var word = Word()
    for scalar in name.unicodeScalars {
      switch scalar.value {
      case 0x41...0x5A, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F: word.latin(scalar)
      case 0x370...0x52F: word.other(scalar)
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
      // Names of science have the others: "TNFα", "σ2".
      let isOfScience =
        (0x3B1...0x3C9).contains(scalar.value) && !"νορ".unicodeScalars.contains(scalar)
      if isOfScience || ConfusableLetters.latin[scalar] == nil { couldBeLatin = false }
      if scalar.value < 0x400 { couldBeCyrillic = false }
    }
  }
}
