import KeyDragCore

/// A language in which every word stands in brackets, except what is filled in: whatever is outside
/// of brackets did not come from the phrasebook.
struct PseudoCatalogue: Catalogue {
  let language = "en-XA"

  func sentence(_ source: String, context: String?) -> String { Self.bracketed(source) }

  func sentence(one: String, other: String, count: Int) -> String {
    Self.bracketed(count == 1 ? one : other)
  }

  private static func bracketed(_ source: String) -> String {
    let parts = source.split(separator: "%", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(into: "⟦" + parts[0]) { result, part in
      // Of "%1$@ in %2$@" each begins with the number of what is filled in.
      let isFilled = part.first?.isWholeNumber == true && part.dropFirst().hasPrefix("$@")
      result += isFilled ? "⟧%\(part.prefix(3))⟦\(part.dropFirst(3))" : "%\(part)"
    } + "⟧"
  }
}

enum Pseudo {
  static let phrases = Phrasebook(catalogue: PseudoCatalogue())

  /// The words of a text that did not come from the phrasebook and are no names; options and numbers
  /// are the same in every language.
  static func untranslated(_ text: String, names: [String] = []) -> [String] {
    let known = Set(names.flatMap(words))
    return words(outside(text)).filter { word in
      word.contains(where: \.isLetter) && !word.hasPrefix("-") && !known.contains(word)
    }
  }

  private static func outside(_ text: String) -> String {
    var depth = 0
    var result = ""
    for character in text {
      switch character {
      case "⟦": depth += 1
      case "⟧": depth -= 1
      default: if depth == 0 { result.append(character) }
      }
      // Two messages side by side are two words.
      if character == "⟧", depth == 0 { result.append(" ") }
    }
    return result
  }

  private static func words(_ text: String) -> [String] {
    text.split { " \n<>[]|,;'\"()…:".contains($0) }.map { word in
      String(word.reversed().drop { $0 == "." }.reversed())
    }
  }
}
