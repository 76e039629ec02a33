/// Names that programs give for themselves and that nobody would say: the class of a widget, or the
/// whole path of what is shown.
enum TechnicalName {
  /// Prefixes of the widget libraries' own classes, and the last words of widget classes, each with a
  /// capital in a name.
  private static let libraries = ["gtk", "adw", "hdy"]
  private static let widgets = [
    "view", "widget", "edit", "editor", "entry", "field", "box", "bar", "area", "pane", "panel",
    "frame", "list", "tree", "table", "grid", "canvas", "container", "window", "viewport", "label",
    "button", "page", "stack", "layout", "splitter", "scroller", "overlay", "internal",
  ]
  /// Marks of titles that say that a document is not saved.
  private static let unsaved: Set<Character> = ["*", "•", "●"]

  /// Whether a name is the name of a class: "EditorSourceView", "QTextEdit", "Kate::ViewInternal".
  static func isClass(_ name: String) -> Bool {
    guard
      name.unicodeScalars.allSatisfy({
        $0.isASCII
          && ($0.properties.isAlphabetic || ("0"..."9").contains($0)
            || ":_".unicodeScalars.contains($0))
      }),
      let bare = name.split(separator: ":").last, bare.first?.isUppercase == true,
      humps(in: bare) > 1
    else { return false }
    let small = bare.lowercased()
    return libraries.contains(where: small.hasPrefix)
      || widgets.contains { word in
        small.hasSuffix(word) && bare[bare.index(bare.endIndex, offsetBy: -word.count)].isUppercase
      }
  }

  /// How many words a name in camel case has.
  private static func humps(in name: Substring) -> Int {
    let letters = Array(name)
    return letters.indices.count { index in
      guard letters[index].isUppercase else { return false }
      let follows = index > 0 && letters[index - 1].isUppercase
      let leads = index + 1 < letters.count && letters[index + 1].isLowercase
      return index == 0 || !follows || leads
    }
  }

  /// The last component of a name that is a path: "notes.txt" of "/a/b/notes.txt". Any other name
  /// as it is.
  static func withoutPath(_ name: String) -> String { split(name).name }

  /// A document's name as a title tells it, and the folder that it lies in where the title tells that
  /// too: "/a/b/notes.txt", "notes.txt (~/Docs)", "*notes.txt".
  static func document(in title: String) -> (name: String, folder: String?) {
    let title = saved(title)
    if title.hasSuffix(")"), let open = title.range(of: " (") {
      let inside = title[open.upperBound...].dropLast()
      let name = String(title[..<open.lowerBound])
      if isPath(inside), !name.isEmpty {
        return (withoutPath(saved(name)), folderName(inside))
      }
    }
    return split(title)
  }

  private static func split(_ name: String) -> (name: String, folder: String?) {
    let path = name.hasPrefix("file://") ? name.dropFirst("file://".count) : Substring(name)
    let parts = path.split(separator: "/")
    guard isPath(path), parts.count > 1, let last = parts.last else { return (name, nil) }
    return (String(last), String(parts[parts.count - 2]))
  }

  private static func isPath(_ text: some StringProtocol) -> Bool {
    text.hasPrefix("/") || text.hasPrefix("~/") || text == "~"
  }

  private static func folderName(_ path: Substring) -> String {
    path.split(separator: "/").last.map(String.init) ?? String(path)
  }

  /// Without the mark of a document that is not saved.
  private static func saved(_ title: String) -> String {
    var rest = Substring(title)
    if let first = rest.first, unsaved.contains(first) { rest = rest.dropFirst() }
    if let last = rest.last, unsaved.contains(last) { rest = rest.dropLast() }
    while rest.first == " " { rest = rest.dropFirst() }
    while rest.last == " " { rest = rest.dropLast() }
    return rest.isEmpty ? title : String(rest)
  }
}

extension String {
  /// The last occurrence of a text in this one.
  fileprivate func range(of text: String) -> Range<String.Index>? {
    var found: Range<String.Index>?
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) {
        found = start..<index(start, offsetBy: text.count)
      }
      start = index(after: start)
    }
    return found
  }
}
