import KeyDragCore

extension WindowTitle {
  /// The program's name as it is spoken: what the title calls it, where that is another word for the
  /// window's class ("soffice" is "LibreOffice Writer"), else the accessible name, in the letters of
  /// the class where it is the same word ("thunar" is "Thunar").
  static func app(_ program: ProgramFacts?, _ window: WindowFacts) -> String {
    let name = program?.name ?? ""
    let isNamed = !name.isEmpty && related(name, window.className)
    if !isNamed, let told = Self.program(in: window.title, class: window.className) { return told }
    let own = name.isEmpty || NamePattern(name).matches(window.className) ? window.className : name
    let app = plain(own)
    guard app.isEmpty else { return app }
    // A title tells the document, the program, and what it is doing; "JabRefMain" tells which part is
    // the program.
    let parts = parts(of: window.title)
    return parts.first { $0.count > 2 && NamePattern("*\($0)*").matches(window.className) }
      ?? (parts.count > 1 ? parts[1] : window.title)
  }

  private static func related(_ name: String, _ className: String) -> Bool {
    NamePattern("*\(name)*").matches(className) || NamePattern("*\(className)*").matches(name)
  }

  /// "org.gnome.Nautilus" is told as Nautilus, and so are classes of Java, where lines stand for
  /// dots; empty for one that starts any program.
  private static func plain(_ name: String) -> String {
    let separator: Character = name.contains(".") ? "." : "-"
    let parts = name.split(separator: separator, omittingEmptySubsequences: false)
    let isAddress = separator == "." || parts.first.map(domains.contains) == true
    guard parts.count > 2, isAddress, let last = parts.last, !name.contains(" "),
      parts.allSatisfy({ $0.first?.isLetter == true })
    else { return name }
    return starters.contains(where: last.lowercased().hasSuffix) ? "" : String(last)
  }

  /// How the names of Java's packages begin.
  private static let domains: Set<Substring> = [
    "com", "org", "net", "io", "edu", "gov", "java", "javax", "sun", "de", "fr", "uk", "ch", "eu",
  ]
  /// How classes are called in which a program begins, or which show any window.
  private static let starters = [
    "thread", "launcher", "main", "starter", "wrapper", "bootstrap", "peer", "frame", "dialog",
  ]
}
