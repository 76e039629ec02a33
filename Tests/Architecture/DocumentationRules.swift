extension Rules {
  /// What an app imports: the library, what it re-exports, and what runs it in a terminal.
  private static let library = ["Sources/KeyDrag/", "Sources/KeyDragCore/", "Sources/KeyDragApp/"]

  /// The library's public declarations without a sentence above them: those that say so, the cases of
  /// public enumerations, and what public protocols and extensions hold.
  static func undocumented(_ files: [ProjectFile]) -> [String] {
    files.filter { $0.isSwift && library.contains(where: $0.path.hasPrefix) }.flatMap { file in
      var scan = DocumentationScan()
      return file.lines.enumerated().compactMap { index, line in
        scan.undocumented(in: line).map { "\(file.path):\(index + 1): \($0)" }
      }
    }
  }

  /// Files with public declarations in modules that no app can import.
  static func needlesslyPublic(_ files: [ProjectFile]) -> [String] {
    // The samples are written as an app is.
    let seen = library + ["Sources/Samples/"]
    return files.filter { file in
      file.isSwift && file.path.hasPrefix("Sources/")
        && !seen.contains(where: file.path.hasPrefix)
        && file.code.contains { DocumentationScan.words(of: $0.text).contains("public") }
    }.map(\.path)
  }
}

/// Reads a file line by line and finds public declarations of which nothing is said.
private struct DocumentationScan {
  private enum Block {
    case publicEnumeration, publicMembers, other
  }

  private static let declaring: Set<Substring> = [
    "func", "var", "let", "init", "init?", "subscript", "associatedtype", "typealias", "struct",
    "enum", "class", "actor", "case",
  ]

  /// The blocks that are open, innermost last.
  private var blocks: [Block] = []
  /// What the next brace opens.
  private var opening = Block.other
  private var hasSentence = false
  private var isInString = false

  /// What is declared in this line, where no sentence stands above it.
  mutating func undocumented(in line: Substring) -> String? {
    let isOdd = line.ranges(of: "\"\"\"").count % 2 == 1
    let wasInString = isInString
    if isOdd { isInString.toggle() }
    if wasInString { return nil }
    let text = line.drop { $0 == " " }
    if text.hasPrefix("///") {
      hasSentence = hasSentence || text.contains { $0.isLetter }
      return nil
    }
    let code = Self.code(text)
    let words = Self.words(of: code)
    // Attributes may stand between a sentence and what it is about.
    if !words.isEmpty, words.allSatisfy({ $0.hasPrefix("@") }) { return nil }
    let isFound = isPublic(words) && !hasSentence
    hasSentence = false
    read(code, words)
    return isFound ? "nothing is said of \(words.joined(separator: " "))" : nil
  }

  private func isPublic(_ words: [Substring]) -> Bool {
    if words.contains("import") || words.contains("extension") { return false }
    if words.contains("public") { return true }
    switch blocks.last {
    case .publicEnumeration: return words.first == "case" || words.first == "indirect"
    case .publicMembers: return !Self.declaring.isDisjoint(with: words)
    case .other, nil: return false
    }
  }

  /// Follows the braces.
  private mutating func read(_ code: Substring, _ words: [Substring]) {
    if words.contains("public") {
      if words.contains("enum") { opening = .publicEnumeration }
      if words.contains("protocol") || words.contains("extension") { opening = .publicMembers }
    }
    for character in code {
      if character == "{" {
        blocks.append(opening)
        opening = .other
      } else if character == "}" {
        _ = blocks.popLast()
      }
    }
  }

  /// The words up to the first sign that cannot stand before a name.
  static func words(of code: Substring) -> [Substring] {
    code.prefix { !"({=:<\"".contains($0) }.split(separator: " ")
  }

  /// The line without the comment at its end and without what stands in quotation marks.
  private static func code(_ line: Substring) -> Substring {
    var result: Substring = ""
    var isQuoted = false
    var last: Character = " "
    for character in line {
      if character == "\"", last != "\\" { isQuoted.toggle() }
      if !isQuoted, last == "/", character == "/" { return result.dropLast() }
      if !isQuoted { result.append(character) }
      last = character
    }
    return result
  }
}
