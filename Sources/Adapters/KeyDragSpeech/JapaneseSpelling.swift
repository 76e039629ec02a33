/// Japanese as espeak-ng 1.51 can read it.
enum JapaneseSpelling {
  /// Small vowels are known after certain letters only; elsewhere they lengthen the vowel, as in
  /// まぁ. A length mark with nothing before it is silent.
  static func kana(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "ー" where !(result.last.map { CharacterRole($0) == .letter(.kana) } ?? false): break
      case "ゎ", "ヮ", "ゕ", "ヵ", "ゖ", "ヶ":
        if let large = larger[scalar] { result.append(large) }
      default:
        guard let index = small.firstIndex(of: hiragana(scalar)) else {
          result.append(scalar)
          continue
        }
        let isKnown = result.last.map { known[index].contains(hiragana($0)) } ?? false
        result.append(isKnown ? scalar : "あいうえお".unicodeScalars.map { $0 }[index])
      }
    }
    return String(result)
  }

  private static let larger: [Unicode.Scalar: Unicode.Scalar] = [
    "ゎ": "わ", "ヮ": "わ", "ゕ": "か", "ヵ": "か", "ゖ": "け",
    // In counting, as in 3ヶ月, it is read ka.
    "ヶ": "か",
  ]
  private static let small = Array("ぁぃぅぇぉ".unicodeScalars)
  /// The letters after which each of ``small`` is known.
  private static let known = [
    "かくがぐさざたつだなはふばぱまやらわゔ", "いうきくぎぐしじちつてぢでにひふびぴみりゔ", "うくぐすずつとづどぬふぶぷむゆるゔ",
    "いうえくけぐげしせじぜちつてでねふへべぺめれゔ", "うおくこぐごそぞつとどのふほぼぽもよろをゔ",
  ].map { Set($0.unicodeScalars) }

  private static func hiragana(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard (0x30A1...0x30F4).contains(scalar.value) else { return scalar }
    return Unicode.Scalar(scalar.value - 0x60) ?? scalar
  }
}
