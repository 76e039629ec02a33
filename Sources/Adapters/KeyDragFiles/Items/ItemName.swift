import KeyDragCore

/// Makes names of files out of what items call themselves.
///
/// Pure. Names come from apps and other programs, and may hold anything.
enum ItemName {
  /// A name that is no path, is not hidden, holds nothing that can't be seen or said, ends as its
  /// type does, and is short enough.
  ///
  /// - Parameters:
  ///   - ending: what it is to end with, dot included; empty for nothing.
  ///   - others: endings of the item's other forms, which say something wrong of this one.
  ///   - fallback: stands for a name of which nothing is left.
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

  /// Case is not minded; a name that is nothing but the ending has none.
  private static func hasEnding(_ name: String, _ ending: String) -> Bool {
    name.count > ending.count && name.lowercased().hasSuffix(ending.lowercased())
  }

  /// Without controls and marks of direction, and with single blanks; may be empty.
  private static func visible(_ name: String) -> String {
    let scalars = name.unicodeScalars.compactMap { scalar -> Unicode.Scalar? in
      switch scalar {
      case "/": "-"
      // Blanks that break lines are blanks all the same.
      case "\n", "\r", "\t", "\u{2028}", "\u{2029}": " "
      case "\u{FFFD}": nil
      default: SpokenName.isUnsafe(scalar) ? nil : scalar
      }
    }
    let text = String(String.UnicodeScalarView(scalars))
    let words = text.split { $0.isWhitespace }.joined(separator: " ")
    // A dot in front hides a file, a dash looks like an option of a command.
    let front = words.drop { $0 == "." || $0 == "-" || $0 == " " }
    return String(front.reversed().drop { $0 == "." || $0 == " " }.reversed())
  }

  /// At most as long as Linux takes, cut before the ending and never inside a character.
  ///
  /// 255 bytes.
  private static func shortened(_ name: String, _ ending: String) -> String {
    guard name.utf8.count > FileName.longest else { return name }
    let kept = name.hasSuffix(ending) ? ending : ""
    var stem = name.dropLast(kept.count)
    while stem.utf8.count + kept.utf8.count > FileName.longest, !stem.isEmpty { stem.removeLast() }
    return stem + kept
  }
}
