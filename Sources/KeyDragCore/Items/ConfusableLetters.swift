/// Detects words that imitate others by mixing letters of two alphabets that look alike.
package enum ConfusableLetters {
  /// The skeletons of Unicode's confusables (UTS 39), from LookAlikes.txt: each line has one, a tab, and
  /// all that resemble it.
  ///
  /// Canonical decompositions are among them, but for those of Korean syllables; small capitals are
  /// capitals, and wide letters are as narrow ones.
  private static let looks: [Unicode.Scalar: [Unicode.Scalar]] = {
    var looks: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    for line in PackageResources.LookAlikes_txt.split(separator: UInt8(ascii: "\n")) {
      // One look has a tab of its own.
      guard let tab = line.lastIndex(of: UInt8(ascii: "\t")) else { continue }
      let look = Array(String(decoding: line[..<tab], as: UTF8.self).unicodeScalars)
      let all = String(decoding: line[(tab + 1)...], as: UTF8.self).unicodeScalars
      for scalar in all { looks[scalar] = look }
    }
    return looks
  }()
  private static let isPlainASCII = (0..<0x80).map { looks[Unicode.Scalar($0)] == nil }
  /// Latin letters that look like letters of today's Cyrillic alphabets.
  private static let likeCyrillic = Set(
    (0x400...0x45F).compactMap(Unicode.Scalar.init).compactMap(latin))

  /// What a scalar looks like, in one or several; `nil` for itself.
  package static func look(of scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
    if scalar.isASCII, isPlainASCII[Int(scalar.value)] { return nil }
    guard (0xAC00...0xD7A3).contains(scalar.value) else { return looks[scalar] }
    // A Korean syllable and its parts (Unicode Standard, 3.12).
    let syllable = scalar.value - 0xAC00
    return [0x1100 + syllable / 588, 0x1161 + syllable % 588 / 28, 0x11A7 + syllable % 28]
      .filter { $0 != 0x11A7 }.compactMap(Unicode.Scalar.init).flatMap { looks[$0] ?? [$0] }
  }

  /// The one Latin letter or digit that a scalar looks like.
  private static func latin(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    guard let look = looks[scalar], look.count == 1, look[0].isASCII else { return nil }
    return look[0]
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
      if !likeCyrillic.contains(ConfusableLetters.latin(scalar) ?? scalar) {
        couldBeCyrillic = false
      }
    }

    mutating func other(_ scalar: Unicode.Scalar) {
      hasOther = true
      // Names of science have the others: "TNFα", "σ2".
      let isOfScience =
        (0x3B1...0x3C9).contains(scalar.value) && !"νορ".unicodeScalars.contains(scalar)
      if isOfScience || ConfusableLetters.latin(scalar) == nil { couldBeLatin = false }
      if scalar.value < 0x400 { couldBeCyrillic = false }
    }
  }
}
