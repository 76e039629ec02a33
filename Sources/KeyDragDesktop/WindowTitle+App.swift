import KeyDragCore

extension WindowTitle {
  /// The program's name as it is spoken: the accessible name, in the letters of its window class where
  /// it is the same word ("thunar" is "Thunar").
  static func app(_ program: ProgramFacts?, _ window: WindowFacts) -> String {
    let name = program?.name ?? ""
    if name.isEmpty { return window.className }
    return NamePattern(name).matches(window.className) ? window.className : name
  }
}
