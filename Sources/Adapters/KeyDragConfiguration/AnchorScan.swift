/// Finds anchors and aliases before the parser expands them: a few lines can stand for billions of
/// values.
enum AnchorScan {
  /// The place of the first anchor or alias; `nil` for none.
  ///
  /// Errs on the safe side: inside quotes " *word" counts, too. Comments do not.
  static func firstPlace(in text: String) -> ConfigurationPlace? {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      guard line.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "*") }) else {
        continue
      }
      if let offset = firstOffset(in: Array(withoutComment(line))) {
        let before = Substring(line.prefix(offset))
        return ConfigurationPlace(line: index + 1, column: before.unicodeScalars.count + 1)
      }
    }
    return nil
  }

  private static func firstOffset(in line: [UInt8]) -> Int? {
    line.indices.first { index in
      guard line[index] == UInt8(ascii: "&") || line[index] == UInt8(ascii: "*") else {
        return false
      }
      let opens = index == 0 || " \t\r[{,:".utf8.contains(line[index - 1])
      let next = index + 1 < line.count ? line[index + 1] : UInt8(ascii: " ")
      return opens && !" \t\r]},".utf8.contains(next)
    }
  }

  /// A "#" after a quote may be text, so only lines without quotes lose a trailing comment.
  private static func withoutComment(_ line: Substring.UTF8View) -> Substring.UTF8View {
    let rest = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    if rest.first == UInt8(ascii: "#") { return rest.prefix(0) }
    var last = UInt8(ascii: "x")
    for index in line.indices {
      let byte = line[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return line }
      if byte == UInt8(ascii: "#"), last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
        return line[..<index]
      }
      last = byte
    }
    return line
  }
}
