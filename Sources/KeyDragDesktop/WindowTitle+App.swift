import KeyDragCore

extension WindowTitle {
  /// The spoken name of the program: as in the title, where that is another word for the window's
  /// class ("soffice" is "LibreOffice Writer"), else the accessible name, spelled like the class if
  /// it is the same word ("thunar" is "Thunar").
  static func app(_ program: ProgramFacts?, _ window: WindowFacts) -> String {
    let name = program?.name ?? ""
    let isNamed = !name.isEmpty && related(name, window.className)
    if !isNamed, let told = Self.program(in: window.title, class: window.className) { return told }
    let own = name.isEmpty || NamePattern(name).matches(window.className) ? window.className : name
    let app = plain(own)
    guard app.isEmpty else { return app }
    // Some titles hold the document, the program, and its state.
    let parts = parts(of: window.title)
    return parts.first { $0.count > 2 && NamePattern("*\($0)*").matches(window.className) }
      ?? (parts.count > 1 ? parts[1] : window.title)
  }

  private static func related(_ name: String, _ className: String) -> Bool {
    NamePattern("*\(name)*").matches(className) || NamePattern("*\(className)*").matches(name)
  }

  /// Shortens "org.gnome.Nautilus" to Nautilus, and Java classes likewise, which have "-" for dots;
  /// empty for a class that starts any program.
  private static func plain(_ name: String) -> String {
    let separator: Character = name.contains(".") ? "." : "-"
    let parts = name.split(separator: separator, omittingEmptySubsequences: false)
    let isAddress = separator == "." || parts.first.map(domains.contains) == true
    guard parts.count > 2, isAddress, let last = parts.last, !name.contains(" "),
      parts.allSatisfy({ $0.first?.isLetter == true })
    else { return name }
    return starters.contains(where: last.lowercased().hasSuffix) ? "" : String(last)
  }

  /// The first parts of Java package names.
  private static let domains: Set<Substring> = [
    "com", "org", "net", "io", "edu", "gov", "java", "javax", "sun", "de", "fr", "uk", "ch", "eu",
  ]
  /// The endings of classes that start a program, or that show any window.
  private static let starters = [
    "thread", "launcher", "main", "starter", "wrapper", "bootstrap", "peer", "frame", "dialog",
  ]
}
