import KeyDragCore

/// Key bindings of menu commands, as programs write them.
enum MenuShortcut {
  private static let letters: [ProgramCommand: String] = [.copy: "c", .paste: "v", .undo: "z"]
  /// Spellings of the control key, some of them as printed on keyboards.
  private static let controls: Set<String> = ["ctrl", "control", "primary", "strg", "ctl"]

  /// Whether a key binding is a command's standard one. GTK gives three, separated by semicolons:
  /// the mnemonic in its menu, the path through the menus, and the key; others give the key alone.
  static func isKey(of command: ProgramCommand, _ binding: String) -> Bool {
    guard let letter = letters[command],
      let key = binding.split(separator: ";", omittingEmptySubsequences: false).last
    else { return false }
    let parts = key.lowercased().split { "<>+ ".contains($0) }.map(String.init)
    return parts.count == 2 && controls.contains(parts[0]) && parts[1] == letter
  }

  /// Whether a menu item is the clipboard's Copy by its English name: Paste follows it. Copy alone
  /// may be anything, such as copying files into another pane.
  static func isCopy(_ place: Int, of names: [String]) -> Bool {
    names[place].lowercased() == "copy"
      && names[place...].prefix(4).contains { $0.lowercased() == "paste" }
  }
}
