import KeyDragCore

/// The keys of commands in menus, as programs write them.
enum MenuShortcut {
  private static let letters: [ProgramCommand: String] = [.copy: "c", .paste: "v", .undo: "z"]
  /// How toolkits write the control key; some write it as it is printed on keyboards.
  private static let controls: Set<String> = ["ctrl", "control", "primary", "strg", "ctl"]

  /// Whether a key binding is the one that a command has everywhere.
  ///
  /// GTK gives three, apart by semicolons: the letter in its menu, the way through the menus, and the
  /// key; others give the key alone.
  static func isKey(of command: ProgramCommand, _ binding: String) -> Bool {
    guard let letter = letters[command],
      let key = binding.split(separator: ";", omittingEmptySubsequences: false).last
    else { return false }
    let parts = key.lowercased().split { "<>+ ".contains($0) }.map(String.init)
    return parts.count == 2 && controls.contains(parts[0]) && parts[1] == letter
  }

  /// Whether a line of a menu is the Copy of the clipboard by its words, in English: behind it stands
  /// Paste. Copy alone may be anything, such as a copy of files into another pane.
  static func isCopy(_ place: Int, of names: [String]) -> Bool {
    names[place].lowercased() == "copy"
      && names[place...].prefix(4).contains { $0.lowercased() == "paste" }
  }
}
