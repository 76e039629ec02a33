/// Texts that name files, as file managers and terminals write them.
package enum PlaceLines {
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
      guard let found = isPlace(line) ? [String(line)] : quoted(line) else { return nil }
      places += found
    }
    return places.isEmpty ? nil : places
  }

  private static func isPlace(_ line: some StringProtocol) -> Bool {
    let start = line.prefix(17).lowercased()
    return line.count > 1
      && ["/", "file:///", "file://localhost/"].contains(where: start.hasPrefix)
  }

  /// The words of a line of which each begins with a quote; `nil` for any other line.
  ///
  /// Between quotes every character is literal; outside them, so is one after a backslash.
  private static func quoted(_ line: Substring) -> [String]? {
    var words: [String] = []
    var (word, isQuoted, isEscaped) = (nil as String?, false, false)
    for character in line + " " {
      if isEscaped {
        word?.append(character)
        isEscaped = false
      } else if character == "'" {
        isQuoted.toggle()
        word = word ?? ""
      } else if isQuoted {
        word?.append(character)
      } else if character == "\\", word != nil {
        isEscaped = true
      } else if character.isWhitespace {
        if let word { words.append(word) }
        word = nil
      } else {
        return nil
      }
    }
    return !isQuoted && !words.isEmpty && words.allSatisfy(isPlace) ? words : nil
  }
}
