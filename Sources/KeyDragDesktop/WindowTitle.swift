import KeyDragCore

/// What a person calls a window and its program.
enum WindowTitle {
  /// Between the document and the program, as programs write it.
  private static let separators = [" - ", " — ", " – ", " | "]

  /// The title without the program's name at its end: "Docs - Thunar" is "Docs".
  ///
  /// - Parameter names: what the program is called, by any source.
  static func plain(_ title: String, of names: [String]) -> String {
    let folded = names.map { NameFolding.folded($0) }.filter { !$0.isEmpty }
    for separator in separators {
      let parts = title.components(by: separator)
      guard parts.count > 1, let last = parts.last else { continue }
      let end = NameFolding.folded(last)
      // "Mozilla Firefox" ends a title of the program "Firefox".
      guard folded.contains(where: { end.contains($0) || $0.contains(end) }) else { continue }
      let rest = parts.dropLast().joined(separator: separator)
      if !rest.isEmpty { return rest }
    }
    return title
  }

  /// The program's name as it is spoken: the accessible name, in the letters of its window class where
  /// it is the same word ("thunar" is "Thunar").
  static func app(_ program: ProgramFacts?, _ window: WindowFacts) -> String {
    let name = program?.name ?? ""
    if name.isEmpty { return window.className }
    return NameFolding.folded(name) == NameFolding.folded(window.className)
      ? window.className : name
  }
}

extension String {
  fileprivate func components(by separator: String) -> [String] {
    var result: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      result.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return result + [String(rest)]
  }
}
