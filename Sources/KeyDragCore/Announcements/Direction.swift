enum Direction: Hashable, Sendable {
  case leftToRight, rightToLeft

  /// The direction of a language, by its BCP 47 tag.
  init(language tag: String) {
    let code = tag.prefix { $0 != "-" && $0 != "_" }
    self = ["ar", "he", "fa", "ur", "yi"].contains(code) ? .rightToLeft : .leftToRight
  }

  /// The strong direction of a character; `nil` for digits, blanks and punctuation.
  private init?(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      // Arabic-Indic digits and marks take the direction of their surroundings.
      guard scalar.properties.isAlphabetic else { return nil }
      self = .rightToLeft
    default:
      guard scalar.properties.isAlphabetic else { return nil }
      self = .leftToRight
    }
  }

  /// Whether a text has a letter of the other direction outside of isolates.
  static func runs(against direction: Direction, in text: String) -> Bool {
    var depth = 0
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x2066...0x2068: depth += 1
      case 0x2069: depth = max(depth - 1, 0)
      default:
        if depth == 0, let own = Direction(scalar), own != direction { return true }
      }
    }
    return false
  }
}
