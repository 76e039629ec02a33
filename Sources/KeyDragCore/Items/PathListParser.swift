/// Texts that name files, as file managers and terminals write them.
package enum PathListParser {
  /// The files and folders that a text names, one a line, by absolute path or "file:" address;
  /// `nil` if any line is something else, or the bytes are not UTF-8: with replacement characters
  /// it could name another file.
  ///
  /// A line may hold several paths quoted for a shell, as VTE terminals paste what is dropped.
  package static func read(_ bytes: [UInt8]) -> [String]? {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    var places: [String] = []
    for line in text.split(whereSeparator: \.isNewline) {
      if line.allSatisfy(\.isWhitespace) { continue }
      // A blank with a backslash before it is none that a file manager has written.
      let isPlain = isPlace(line) && !line.contains("\\ ")
      guard let found = isPlain ? [String(line)] : words(of: line) else { return nil }
      places += found
    }
    return places.isEmpty ? nil : places
  }

  private static func isPlace(_ line: some StringProtocol) -> Bool {
    let start = line.prefix(17).lowercased()
    return line.count > 1
      && (["/", "file:///", "file://localhost/"].contains(where: start.hasPrefix)
        || start.hasPrefix("file:/") && !start.hasPrefix("file://"))
  }

  /// The words of a line as a shell reads it, where each is a place; `nil` for any other line.
  private static func words(of line: Substring) -> [String]? {
    // A line that was moved in is part of a text.
    guard line.first?.isWhitespace == false else { return nil }
    var words: [String] = []
    var (word, quote, isEscaped) = (nil as String?, nil as Character?, false)
    for character in line + " " {
      if isEscaped {
        // Between double quotes it stands for itself before most characters.
        if quote != nil, !"\"\\$`".contains(character) { word?.append("\\") }
        word?.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        word = word ?? ""
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character.isWhitespace {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + [character]
      }
    }
    return quote == nil && !words.isEmpty && words.allSatisfy(isPlace) ? words : nil
  }
}
