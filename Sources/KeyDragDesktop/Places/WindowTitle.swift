import KeyDragCore

/// The part of a window's title beside the program's name: "docs" of "docs - Thunar".
///
/// Titles are made for the eye, each program's in its own way; what is not recognized stays.
package enum WindowTitle {
  /// Signs between the name of a document and that of its program.
  private static let separators = [" - ", " – ", " — "]
  /// At the beginning of a title.
  private static let unsaved: Character = "*"

  /// - Parameter end: how the part of it begins that nobody would call the window by; "#" in it
  ///   stands for a number. What is called so may hold the same: the last place where it fits
  ///   counts. A program whose titles hold more than a name also says by a star that something is
  ///   not saved.
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
  ///
  /// Made of a title once, with the names that its program goes by.
  struct Subject: Hashable, Sendable {
    /// All of it.
    var whole: String
    /// The name of the document or the folder alone.
    var name: String
    /// The name of the folder that it lies in, where the title has it.
    var folder: String?

    /// - Parameter programs: the program's name and the class of its window.
    init(of title: String, programs: [String], until end: String? = nil) {
      whole = WindowTitle.subject(of: title, programs: programs, until: end)
      (name, folder) = TechnicalName.document(in: whole)
    }
  }

  /// Whether a text begins so, with "#" for one or more digits.
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

  /// A title without the part that names its program; as it is where none does.
  private static func subject(of title: String, _ programs: [String]) -> String {
    let programs = programs.filter { !$0.isEmpty }
    for separator in separators {
      let parts = title.split(separator: separator, omittingEmptySubsequences: false)
      guard parts.count > 1, let first = parts.first, let last = parts.last else { continue }
      // Names of documents may hold the separator too; only the program's name is taken away.
      if names(String(last), programs) { return parts.dropLast().joined(separator: separator) }
      if names(String(first), programs) {
        let rest = parts.dropFirst().joined(separator: separator)
        return isWarning(rest) ? String(first) : rest
      }
    }
    return title
  }

  /// A title as it is cut by what stands between the names in it.
  static func parts(of title: String) -> [String] {
    let parts = separators.map { title.split(separator: $0).map(String.init) }
    return parts.first { $0.count > 1 } ?? [title]
  }

  /// "ROOT PRIVILEGES" behind a program's name warns of the program, and is no document: several
  /// words, all in capitals.
  private static func isWarning(_ text: String) -> Bool {
    text.contains(" ")
      && text.allSatisfy { $0 == " " || $0.isUppercase && $0.lowercased() != String($0) }
  }

  /// The program's name in the last part of a title, where that is its window's class in words.
  ///
  /// For programs that tell no name themselves.
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

  /// "Mozilla Firefox" names Firefox, "Terminal" the program xfce4-terminal, and "LibreOffice
  /// Writer" the class libreoffice-writer.
  ///
  /// Two letters name nobody.
  private static func names(_ part: String, _ programs: [String]) -> Bool {
    guard part.count > 2 else { return false }
    let words = programs.map { $0.split(separator: "-").joined(separator: " ") }
    return (programs + words).contains { program in
      NamePattern("*\(program)*").matches(part) || NamePattern("*\(part)*").matches(program)
        || isShort(program.lowercased()[...], for: part.lowercased().split(separator: " ")[...])
    }
  }

  /// Whether a name is made of the beginnings of several words, each with some of the letters behind
  /// it: "doublecmd" of "Double Commander".
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
