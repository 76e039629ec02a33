/// A text file of the project, as the rules see it.
struct ProjectFile {
  /// From the top of the project: "Sources/KeyDragCore/Ports/Voice.swift".
  var path: String
  var lines: [Substring]

  init(_ path: String, _ text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  var isSwift: Bool { path.hasSuffix(".swift") }

  /// The module a source file belongs to; `nil` outside of Sources.
  var module: String? {
    let parts = path.split(separator: "/").map(String.init)
    guard parts.first == "Sources", parts.count > 2 else { return nil }
    let isNested = ["Adapters", "Samples", "System", "BuildTools"].contains(parts[1])
    return isNested && parts.count > 3 ? parts[2] : parts[1]
  }

  /// Every import with its line, counted from 1.
  var imports: [(module: String, line: Int)] {
    guard isSwift else { return [] }
    return code.compactMap { line, text in Self.importedModule(text).map { ($0, line) } }
  }

  /// Lines of Swift without comments at their end and without what stands in long strings.
  var code: [(line: Int, text: Substring)] {
    var isInString = false
    var result: [(Int, Substring)] = []
    for (index, line) in lines.enumerated() {
      let wasInString = isInString
      let marks = line.split(separator: "\"\"\"", omittingEmptySubsequences: false).count - 1
      if marks % 2 == 1 { isInString.toggle() }
      if !wasInString { result.append((index + 1, Self.withoutComment(line))) }
    }
    return result
  }

  private static func withoutComment(_ line: Substring) -> Substring {
    // Most lines have none, and are not taken apart.
    guard line.utf8.contains(UInt8(ascii: "/")) else { return line }
    var isInString = false
    var previous: Character = " "
    for index in line.indices {
      let character = line[index]
      if character == "\"", previous != "\\" { isInString.toggle() }
      if !isInString, character == "/", previous == "/" {
        return line[..<line.index(before: index)]
      }
      previous = character
    }
    return line
  }

  /// "@testable package import struct Glibc.stat" imports Glibc.
  private static func importedModule(_ line: Substring) -> String? {
    var words = line.split { $0 == " " || $0 == "\t" || $0 == ";" }
    let access: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
    while let word = words.first, word.hasPrefix("@") || access.contains(word) {
      words.removeFirst()
    }
    guard words.first == "import", words.count > 1 else { return nil }
    words.removeFirst()
    let kinds: Set<Substring> = [
      "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
    ]
    if let word = words.first, kinds.contains(word) { words.removeFirst() }
    return words.first?.split(separator: ".").first.map(String.init)
  }
}
