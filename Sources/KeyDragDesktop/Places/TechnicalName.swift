/// Names that programs expose but nobody would say: the class of a widget, or the whole path of a
/// document.
enum TechnicalName {
  /// Prefixes of widget libraries' classes, and last words of widget classes; in lower case here,
  /// with a capital in a name.
  private static let libraries = ["gtk", "adw", "hdy"]
  private static let widgets = [
    "view", "widget", "edit", "editor", "entry", "field", "box", "bar", "area", "pane", "panel",
    "frame", "list", "tree", "table", "grid", "canvas", "container", "window", "viewport", "label",
    "button", "page", "stack", "layout", "splitter", "scroller", "overlay", "internal",
  ]
  /// Marks of unsaved documents, first or last in a title.
  static let unsaved: Set<Character> = ["*", "•", "●"]

  /// Whether a name is the name of a class or of a widget: "EditorSourceView", "QTextEdit",
  /// "Kate::ViewInternal", "page-label-entry".
  static func isClass(_ name: String) -> Bool {
    if isWidget(name) { return true }
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

  /// Whether a name is an internal address of the program:
  /// "chrome://messenger/content/center.xhtml". Addresses that people know have other schemes.
  static func isInnerAddress(_ name: String) -> Bool {
    guard let colon = name.firstIndex(of: ":"), name[colon...].hasPrefix("://") else {
      return false
    }
    let scheme = name[..<colon]
    return !scheme.isEmpty && scheme.allSatisfy { "a"..."z" ~= $0 || $0 == "-" }
      && !["http", "https", "ftp", "file"].contains(scheme)
  }

  /// Whether it is several lower-case words joined by "-" or "_", the last of them a widget's.
  private static func isWidget(_ name: String) -> Bool {
    let words = name.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    guard words.count > 1, let last = words.last, widgets.contains(String(last)) else {
      return false
    }
    return words.allSatisfy { word in !word.isEmpty && word.allSatisfy { "a"..."z" ~= $0 } }
  }

  /// Whether a text is empty, or only the mark of an unsaved document beside its name.
  static func isMark(_ text: String) -> Bool {
    text.allSatisfy { unsaved.contains($0) || $0.isWhitespace }
  }

  /// Whether a row is a line of a log: it begins with a time of day to the second, perhaps in
  /// brackets, as no name does.
  static func isLogLine(_ name: String) -> Bool {
    let start = name.drop { $0 == "[" || $0 == "(" }
    let time = start.prefix { $0 != " " && $0 != "]" && $0 != ")" }.split(
      separator: ":", omittingEmptySubsequences: true)
    return time.count == 3
      && time.allSatisfy { part in
        (1...2).contains(part.count) && part.allSatisfy { "0"..."9" ~= $0 }
      }
  }

  /// The number of words of a name in camel case; several capitals together count as one.
  private static func humps(in name: Substring) -> Int {
    let letters = Array(name)
    return letters.indices.count { index in
      guard letters[index].isUppercase else { return false }
      let follows = index > 0 && letters[index - 1].isUppercase
      let leads = index + 1 < letters.count && letters[index + 1].isLowercase
      return index == 0 || !follows || leads
    }
  }

  /// The last component of a path: "notes.txt" of "/a/b/notes.txt". Other names are unchanged.
  static func withoutPath(_ name: String) -> String { split(name).name }

  /// A document's name in a title, and its folder where the title has that: "/a/b/notes.txt",
  /// "notes.txt (~/Docs)", "notes.txt - /a/b", "*notes.txt". Text that merely resembles a path is
  /// unchanged.
  static func document(in title: String) -> (name: String, folder: String?) {
    let title = saved(title)
    if title.hasSuffix(")"), let open = title.range(of: " (") {
      let inside = title[open.upperBound...].dropLast()
      let name = String(title[..<open.lowerBound])
      if isPath(inside), !name.isEmpty { return named(withoutPath(saved(name)), in: inside) }
    }
    // At the last dash: names may contain one, too.
    for separator in [" - ", " – ", " — "] {
      guard let dash = title.range(of: separator) else { continue }
      let (name, path) = (String(title[..<dash.lowerBound]), title[dash.upperBound...])
      if isPath(path), !name.isEmpty { return named(withoutPath(saved(name)), in: path) }
    }
    return split(title)
  }

  /// A name with the path of its folder, or with its own path.
  private static func named(_ name: String, in path: Substring) -> (name: String, folder: String?) {
    let parts = path.split(separator: "/")
    let own = parts.last.map(String.init) == name ? parts.dropLast() : parts[...]
    return (name, own.last.map(String.init) ?? String(path))
  }

  private static func split(_ name: String) -> (name: String, folder: String?) {
    let path = name.hasPrefix("file://") ? name.dropFirst("file://".count) : Substring(name)
    let parts = path.split(separator: "/")
    guard isPath(path), parts.count > 1, let last = parts.last else { return (name, nil) }
    return (String(last), String(parts[parts.count - 2]))
  }

  /// Whether a text begins as a path does.
  static func isPath(_ text: some StringProtocol) -> Bool {
    text.hasPrefix("/") || text.hasPrefix("~/") || text == "~"
  }

  /// Without the mark of an unsaved document, unless nothing else is left.
  private static func saved(_ title: String) -> String {
    var rest = Substring(title)
    if let first = rest.first, unsaved.contains(first) { rest = rest.dropFirst() }
    if let last = rest.last, unsaved.contains(last) { rest = rest.dropLast() }
    while rest.first == " " { rest = rest.dropFirst() }
    while rest.last == " " { rest = rest.dropLast() }
    return rest.isEmpty ? title : String(rest)
  }
}

/// Without Foundation.
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
