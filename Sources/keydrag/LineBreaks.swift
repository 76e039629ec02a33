import KeyDragTerminal

/// Wraps text to the columns of a terminal, at blanks, and between characters of scripts without
/// blanks.
enum LineBreaks {
  static func lines(of text: String, columns: Int) -> [String] {
    var result: [String] = []
    var line = ""
    var width = 0
    for piece in pieces(of: text) {
      let own = TextWidth.columns(piece)
      if width + TextWidth.columns(trimmed(piece)) > columns, !line.isEmpty {
        result.append(trimmed(line))
        line = ""
        width = 0
      }
      line += piece
      width += own
    }
    return result + [trimmed(line)]
  }

  /// Words with the blanks behind them, and single characters of scripts without blanks, each with
  /// punctuation that must not be separated from it.
  private static func pieces(of text: String) -> [String] {
    var pieces: [String] = []
    var previous: Character?
    for character in text {
      if let last = previous, !mayBreak(between: last, and: character) {
        pieces[pieces.count - 1].append(character)
      } else {
        pieces.append(String(character))
      }
      previous = character
    }
    return pieces
  }

  private static let mayNotBegin = "、。，．：；！？」』）】》〉ーッャュョっゃゅょ"
  private static let mayNotEnd = "「『（【《〈"

  private static func mayBreak(between last: Character, and next: Character) -> Bool {
    if next == " " || mayNotBegin.contains(next) || mayNotEnd.contains(last) { return false }
    return last == " " || isWithoutBlanks(last) || isWithoutBlanks(next)
  }

  /// Kana, Chinese characters and their punctuation.
  private static func isWithoutBlanks(_ character: Character) -> Bool {
    character.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x3001...0x30FF, 0x3400...0x9FFF, 0xF900...0xFAFF, 0xFF01...0xFF60, 0x20000...0x3FFFF:
        true
      default: false
      }
    }
  }

  private static func trimmed(_ text: String) -> String {
    String(text.reversed().drop { $0 == " " }.reversed())
  }
}
