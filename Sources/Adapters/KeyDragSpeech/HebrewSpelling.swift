/// Hebrew as espeak-ng 1.51 can read it: its voice has no words for numbers, and spells words with
/// certain points.
///
/// Pure.
enum HebrewSpelling {
  /// The word with its points in the order, and of the kinds, that the voice knows.
  static func pointed(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { isPoint($0) }) else { return text }
    var result = String.UnicodeScalarView()
    var marks: [Unicode.Scalar] = []
    func flush() {
      // Dagesh precedes the vowel of its letter; the voice does not know the dots of shin and sin.
      if marks.contains(dagesh) { result.append(dagesh) }
      for mark in marks where mark != dagesh {
        if mark == holam, result.last != "\u{5D5}" { result.append("\u{5D5}") }
        result.append(mark)
      }
      marks = []
    }
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x05C1, 0x05C2: break
      case 0x05B0...0x05BC, 0x05C7: marks.append(scalar)
      default:
        flush()
        result.append(scalar)
      }
    }
    flush()
    return String(result)
  }

  /// The dot within a letter.
  private static let dagesh: Unicode.Scalar = "\u{5BC}"
  /// The dot over a letter, for the vowel "o".
  private static let holam: Unicode.Scalar = "\u{5B9}"

  private static func isPoint(_ scalar: Unicode.Scalar) -> Bool {
    (0x05B0...0x05C7).contains(scalar.value)
  }

  /// A number in words, in the counting form; a long one, or one that begins with zero, digit by
  /// digit.
  static func words(for digits: some StringProtocol) -> String {
    guard digits.count <= 9, digits.first != "0" || digits.count == 1, let value = Int(digits)
    else {
      return digits.compactMap { $0.wholeNumberValue.map { ones[$0] } }.joined(separator: " ")
    }
    return value == 0 ? ones[0] : whole(value)
  }

  /// A number other than zero in words.
  private static func whole(_ value: Int) -> String {
    var parts: [String] = []
    let millions = value / 1_000_000
    if millions > 0 { parts.append(millions == 1 ? million : "\(whole(millions)) \(million)") }
    switch value / 1000 % 1000 {
    case 0: break
    case 1: parts.append("אֶלֶף")
    case 2: parts.append("אַלפָּיִים")
    case let count where count <= 10: parts.append("\(beforeThousands[count]) אֲלָפִים")
    case let count: parts.append("\(whole(count)) אֶלֶף")
    }
    switch value % 1000 / 100 {
    case 0: break
    case 1: parts.append("מֵאָה")
    case 2: parts.append("מָאתָיִים")
    case let count: parts.append("\(ones[count]) מֵאוֹת")
    }
    let rest = value % 100
    switch rest {
    case 0: break
    case ..<11: parts.append(ones[rest])
    case ..<20: parts.append("\(ones[rest - 10]) עֶשרֵה")
    default:
      parts.append(tens[rest / 10])
      if rest % 10 > 0 { parts.append(ones[rest % 10]) }
    }
    // "And" joins the last part.
    if parts.count > 1 { parts[parts.count - 1] = "וֶ" + " " + parts[parts.count - 1] }
    return parts.joined(separator: " ")
  }

  private static let million = "מִילִיוֹן"
  private static let ones = [
    "אֶפֶס", "אָחָת", "שתיים", "שלוש", "ארבע", "חמש", "שש", "שבע", "שמוֹנֶה", "תֵשָע", "עֶשֶר",
  ]
  /// By their value, from twenty on.
  private static let tens = [
    "", "", "עֶשרִים", "שלוֹשִים", "אָרבָּעִים", "חָמִישִים", "שִישִים", "שִבעִים", "שמוֹנִים",
    "תִשעִים",
  ]
  /// From three to ten, in the form before thousands.
  private static let beforeThousands = [
    "", "", "", "שלוֹשֶת", "אָרבָּעָת", "חָמֵשֶת", "שֵשֶת", "שִבעָת", "שמוֹנָת", "תִשעָת", "עָשֶרֶת",
  ]
}
