/// How a path goes on.
package struct PathCompletion: Hashable, Sendable {
  /// The path with the letters that are certain.
  package var text: String
  /// The folders that it can become, at most as many as anyone listens to.
  package var names: [String]
  package var count: Int

  package init(text: String, names: [String], count: Int) {
    self.text = text
    self.names = names
    self.count = count
  }

  /// The part behind the last slash.
  static func lastName(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }
}
