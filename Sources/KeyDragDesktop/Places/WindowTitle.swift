import KeyDragCore

/// The part of a window's title beside the program's name: "docs" of "docs - Thunar".
package enum WindowTitle {
  private static let separators = [" - ", " – ", " — "]
  private static let unsaved: Character = "*"

  /// - Parameter end: how the part of it begins that nobody would call the window by; "#" in it stands
  ///   for a number. What is called so may hold the same: the last place where it fits counts. A
  ///   program whose titles hold more than a name also says by a star that something is not saved.
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
    /// All of it.
    var whole: String
    /// The name of the document or the folder alone.
    var name: String
    /// The name of the folder that it lies in, where the title has it.
    var folder: String?

    init(of title: String, programs: [String], until end: String? = nil) {
      whole = WindowTitle.subject(of: title, programs: programs, until: end)
      (name, folder) = TechnicalName.document(in: whole)
    }
  }

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

  private static func subject(of title: String, _ programs: [String]) -> String {
    let programs = programs.filter { !$0.isEmpty }
    for separator in separators {
      let parts = title.split(separator: separator, omittingEmptySubsequences: false)
      guard parts.count > 1, let first = parts.first, let last = parts.last else { continue }
      // Names of documents may hold the separator too; only the program's name is taken away.
      if names(String(last), programs) { return parts.dropLast().joined(separator: separator) }
      if names(String(first), programs) { return parts.dropFirst().joined(separator: separator) }
    }
    return title
  }

  /// The program's name in the last part of a title, where that is its window's class in words.
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

  /// "Mozilla Firefox" names Firefox, "Terminal" the program xfce4-terminal, and "LibreOffice Writer"
  /// the class libreoffice-writer.
  private static func names(_ part: String, _ programs: [String]) -> Bool {
    guard part.count > 2 else { return false }
    let words = programs.map { $0.split(separator: "-").joined(separator: " ") }
    return (programs + words).contains { program in
      NamePattern("*\(program)*").matches(part) || NamePattern("*\(part)*").matches(program)
    }
  }
}
