/// Text with the readings of its characters, in the notation of Aozora Bunko, as the build writes
/// it into compiled catalogues: `｜掴《つか》みました` is shown as 掴みました and spoken as つかみました.
///
/// A base and a reading have at least one character and no mark; other marks are plain text.
enum Reading {
  private static let base: Character = "｜"
  private static let open: Character = "《"
  private static let close: Character = "》"

  /// The shown text, with the bases; unchanged if it has no reading.
  static func shown(_ text: String) -> String { resolved(text) { base, _ in base } }

  /// The spoken text, with the readings; unchanged if it has none.
  static func spoken(_ text: String) -> String { resolved(text) { _, reading in reading } }

  private static func resolved(
    _ text: String, _ choose: (Substring, Substring) -> Substring
  ) -> String {
    // All three marks begin with one of these two bytes, which no Latin or Arabic text has.
    guard text.utf8.contains(where: { $0 == 0xEF || $0 == 0xE3 }) else { return text }
    var result = ""
    var rest = text[...]
    while let pair = firstPair(in: rest) {
      result += rest[..<pair.start]
      result += choose(pair.base, pair.reading)
      rest = rest[pair.end...]
    }
    return rest.startIndex == text.startIndex ? text : result + rest
  }

  private struct Pair {
    var start: String.Index
    var base: Substring
    var reading: Substring
    var end: String.Index
  }

  private static func firstPair(in text: Substring) -> Pair? {
    var start: String.Index?
    var opening: String.Index?
    for index in text.indices {
      switch text[index] {
      case base: (start, opening) = (index, nil)
      case open:
        guard let begun = start, opening == nil, text.index(after: begun) < index else {
          (start, opening) = (nil, nil)
          continue
        }
        opening = index
      case close:
        if let begun = start, let opening, text.index(after: opening) < index {
          return Pair(
            start: begun, base: text[text.index(after: begun)..<opening],
            reading: text[text.index(after: opening)..<index], end: text.index(after: index))
        }
        (start, opening) = (nil, nil)
      default: break
      }
    }
    return nil
  }
}
