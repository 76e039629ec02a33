import KeyDragCore

/// The part of a window's title beside the program's name: "docs" of "docs - Thunar".
///
/// Titles are made for the eye, each program's in its own way; unrecognised ones stay whole.
package enum WindowTitle {
  /// Separators between the name of a document and that of its program.
  private static let separators = [" - ", " – ", " — "]
  /// At the beginning of a title.
  private static let unsaved: Character = "*"

  /// - Parameter end: the beginning of the part that is no name, with "#" for a number; the last
  ///   match counts, since a name may contain the same. Programs with such titles also mark unsaved
  ///   documents with a star.
  package static func subject(
    of title: String, programs: [String], until end: String? = nil
  ) -> String {
    let whole = subject(of: title, programs)
    guard let end, !end.isEmpty,
      let cut = whole.indices.last(where: { begins(whole[$0...], with: end) }),
      cut > whole.startIndex
    else { return whole }
    let isUnsaved = whole.first == unsaved && whole.index(after: whole.startIndex) < cut
    return String(whole[..<cut].dropFirst(isUnsaved ? 1 : 0))
  }

  /// The parts of a title beside the program's name.
  struct Subject: Hashable, Sendable {
    /// Everything but the program's name.
    var whole: String
    var name: String
    /// The name of its folder, if the title has it.
    var folder: String?

    /// - Parameter programs: the program's name and the class of its window.
    init(of title: String, programs: [String], until end: String? = nil) {
      whole = WindowTitle.subject(of: title, programs: programs, until: end)
      (name, folder) = TechnicalName.document(in: whole)
    }
  }

  /// Whether a text begins with a pattern in which "#" stands for one or more digits.
  private static func begins(_ text: Substring, with pattern: String) -> Bool {
    var rest = text
    for character in pattern {
      let count = character == "#" ? rest.prefix(while: { $0.isASCII && $0.isNumber }).count : 1
      guard count > 0, !rest.isEmpty, character == "#" || rest.first == character else {
        return false
      }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// A title without the program's name; unchanged if it has none.
  private static func subject(of title: String, _ programs: [String]) -> String {
    let programs = programs.filter { !$0.isEmpty }
    for separator in separators {
      let parts = title.split(separator: separator, omittingEmptySubsequences: false)
      guard parts.count > 1, let first = parts.first, let last = parts.last else { continue }
      // Names of documents may contain the separator; only the program's name is removed.
      if names(String(last), programs) { return parts.dropLast().joined(separator: separator) }
      if names(String(first), programs) {
        let rest = parts.dropFirst().joined(separator: separator)
        return isWarning(rest) ? String(first) : rest
      }
    }
    return title
  }

  /// A title split at the first kind of separator that it contains.
  static func parts(of title: String) -> [String] {
    let parts = separators.map { title.split(separator: $0).map(String.init) }
    return parts.first { $0.count > 1 } ?? [title]
  }

  /// Whether a text is a warning behind the program's name, such as "ROOT PRIVILEGES": several
  /// words, all in capitals.
  private static func isWarning(_ text: String) -> Bool {
    text.contains(" ")
      && text.allSatisfy { $0 == " " || $0.isUppercase && $0.lowercased() != String($0) }
  }

  /// The program's name in the last part of a title, if it matches the window's class; for programs
  /// without a name of their own.
  package static func program(in title: String, class className: String) -> String? {
    guard !className.isEmpty else { return nil }
    for separator in separators {
      let parts = title.split(separator: separator)
      if parts.count > 1, let last = parts.last, names(String(last), [className]) {
        return String(last)
      }
    }
    return nil
  }

  /// Whether a part of a title names a program: "Mozilla Firefox" names Firefox, "Terminal"
  /// xfce4-terminal, and "LibreOffice Writer" the class libreoffice-writer. Two letters are too
  /// few, and a path is of a document.
  private static func names(_ part: String, _ programs: [String]) -> Bool {
    guard part.count > 2, !part.contains("/") else { return false }
    let words = programs.map { $0.split(separator: "-").joined(separator: " ") }
    return (programs + words).contains { program in
      NamePattern("*\(program)*").matches(part) || NamePattern("*\(part)*").matches(program)
        || isShort(program.lowercased()[...], for: part.lowercased().split(separator: " ")[...])
    }
  }

  /// Whether a name abbreviates several words, with the first letter and perhaps more of each:
  /// "doublecmd" of "Double Commander".
  private static func isShort(_ name: Substring, for words: ArraySlice<Substring>) -> Bool {
    guard let word = words.first else { return name.isEmpty }
    guard words.count > 1 || words.startIndex > 0, name.first == word.first else { return false }
    var letters = word[...]
    for end in name.indices {
      guard let found = letters.firstIndex(of: name[end]) else { return false }
      letters = letters[letters.index(after: found)...]
      if isShort(name[name.index(after: end)...], for: words.dropFirst()) { return true }
    }
    return false
  }
}
