import KeyDragCore

/// Makes file names from suggested names, which come from apps and other programs and may contain
/// anything. Pure.
enum ItemName {
  /// A name that is no path, is not hidden, has no invisible or unspeakable characters, has the
  /// type's extension and fits the length limit.
  ///
  /// - Parameters:
  ///   - ending: the extension with its dot; empty for none.
  ///   - others: extensions of the item's other representations, which would be wrong here.
  ///   - fallback: replaces a name that ends up empty.
  static func file(
    for suggested: String, ending: String, others: [String] = [], fallback: String
  ) -> String {
    var name = visible(suggested)
    if !ending.isEmpty, !hasEnding(name, ending) {
      if let wrong = others.first(where: { !$0.isEmpty && hasEnding(name, $0) }) {
        name = String(name.dropLast(wrong.count))
      }
      name += ending
    }
    if name == ending { name = visible(fallback) + ending }
    return shortened(name, ending)
  }

  /// Case-insensitive; a name that consists only of the ending does not count.
  private static func hasEnding(_ name: String, _ ending: String) -> Bool {
    name.count > ending.count && name.lowercased().hasSuffix(ending.lowercased())
  }

  /// Removes control and bidi characters and collapses whitespace; may be empty.
  private static func visible(_ name: String) -> String {
    let scalars = name.unicodeScalars.compactMap { scalar -> Unicode.Scalar? in
      switch scalar {
      case "/": "-"
      // Line breaks count as spaces.
      case "\n", "\r", "\t", "\u{2028}", "\u{2029}": " "
      case "\u{FFFD}": nil
      default: SpokenName.isUnsafe(scalar) ? nil : scalar
      }
    }
    let text = String(String.UnicodeScalarView(scalars))
    let words = text.split { $0.isWhitespace }.joined(separator: " ")
    // A leading dot hides a file; a leading dash looks like a command option.
    let front = words.drop { $0 == "." || $0 == "-" || $0 == " " }
    return String(front.reversed().drop { $0 == "." || $0 == " " }.reversed())
  }

  /// Truncates to 255 bytes before the ending, between characters.
  private static func shortened(_ name: String, _ ending: String) -> String {
    guard name.utf8.count > FileName.longest else { return name }
    let kept = name.hasSuffix(ending) ? ending : ""
    var stem = name.dropLast(kept.count)
    while stem.utf8.count + kept.utf8.count > FileName.longest, !stem.isEmpty { stem.removeLast() }
    return stem + kept
  }
}
