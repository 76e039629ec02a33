package struct PathCompletion: Hashable, Sendable {
  /// The path with the unambiguous characters added.
  package var text: String
  /// The possible folders, at most as many as anyone listens to; ``count`` is the total.
  package var names: [String]
  package var count: Int

  package init(text: String, names: [String], count: Int) {
    self.text = text
    self.names = names
    self.count = count
  }

  static func lastName(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }
}
