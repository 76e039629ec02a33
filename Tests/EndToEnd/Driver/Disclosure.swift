import FoundationEssentials
import HostilePrograms
import Testing

/// What another program can know of what is carried.
enum Disclosed: CaseIterable {
  case types, name, size, path, contents

  enum Moment: Int {
    case passed = 1
    case asked
    case dropped
  }

  /// The cells of the guide's table for a way; one that refers to a drag has what stands there.
  private static func cells(of way: String) throws -> [String] {
    let lines = try Guide.article("Between-programs").filter { $0.hasPrefix("| \(way)") }
    let cells = try #require(lines.first).split(separator: "|").map(String.init)
    let (other, words) = ("a drag between windows", " as a drag between windows ")
    guard cells.contains(words) else { return cells }
    return zip(cells, try Self.cells(of: other)).map { $0 == words ? $1 : $0 }
  }

  /// What the guide's table says that a program learns by this way, until and with this moment.
  ///
  /// - Parameter first: the first moment of which the words count.
  static func promised(
    by way: String, since first: Moment = .passed, _ moment: Moment, ofWords isWords: Bool = false
  ) throws -> Set<Disclosed> {
    let told = try cells(of: way)[first.rawValue...moment.rawValue].joined(separator: ";")
      .replacing("Never a path", with: "").replacing("names", with: "name")
    func says(_ words: String...) -> Bool { words.contains { told.contains($0) } }
    return Set(
      allCases.filter { fact in
        switch fact {
        case .types: says("types", "data", "path")
        case .name: says("name", "path", "the data, in")
        case .size: says("sizes", "open for reading", "the data, in")
        case .path: says("path")
        case .contents:
          says("open for reading", "the data, in") || isWords && says("of words the words")
        }
      })
  }

  /// What is in something heard, of a file in a folder called Private.
  static func all(
    in heard: String, of file: String = "secret", holding contents: String, in stage: Stage
  )
    -> Set<Disclosed>
  {
    func has(_ text: String) -> Bool { heard.contains(text) || heard.contains(hex(text)) }
    return Set(
      allCases.filter { fact in
        switch fact {
        case .types: has("text/plain") || has("text/uri-list")
        case .name: has(file)
        case .size: has("\"size\"")
        case .path: has(stage.work) || has("Private")
        case .contents: has(contents)
        }
      })
  }
}
