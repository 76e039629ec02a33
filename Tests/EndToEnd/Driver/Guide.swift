import FoundationEssentials
import Testing

/// The guide in the documentation.
enum Guide {
  /// The lines of the code block that follows a marker line.
  static func lines(after marker: String) throws -> [String] {
    let lines = try article("In-a-terminal")
    let start = try #require(lines.firstIndex(of: marker))
    return Array(lines[(start + 2)...].prefix { $0 != "```" })
  }

  /// The lines of an article.
  static func article(_ name: String) throws -> [String] {
    let parts = #filePath.split(separator: "/").dropLast(4)
    let file =
      "/" + parts.joined(separator: "/") + "/Sources/KeyDrag/KeyDrag.docc/Guide/\(name).md"
    let text = try #require(FileManager.default.contents(atPath: file))
    return String(decoding: text, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
