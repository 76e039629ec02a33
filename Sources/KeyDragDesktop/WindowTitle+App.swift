import KeyDragCore

extension WindowTitle {
  /// The program's name as it is spoken: what the title calls it, where that is another word for the
  /// window's class ("soffice" is "LibreOffice Writer"), else the accessible name, in the letters of
  /// the class where it is the same word ("thunar" is "Thunar").
  static func app(_ program: ProgramFacts?, _ window: WindowFacts) -> String {
    let name = program?.name ?? ""
    let isNamed = !name.isEmpty && related(name, window.className)
    if !isNamed, let told = Self.program(in: window.title, class: window.className) { return told }
    if name.isEmpty { return plain(window.className) }
    return plain(NamePattern(name).matches(window.className) ? window.className : name)
  }

  private static func related(_ name: String, _ className: String) -> Bool {
    NamePattern("*\(name)*").matches(className) || NamePattern("*\(className)*").matches(name)
  }

  /// "org.gnome.Nautilus" is told as Nautilus.
  private static func plain(_ name: String) -> String {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 2, let last = parts.last, !name.contains(" "),
      parts.allSatisfy({ $0.first?.isLetter == true })
    else { return name }
    return String(last)
  }
}
