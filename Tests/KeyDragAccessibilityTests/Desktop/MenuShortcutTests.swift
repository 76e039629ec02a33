import KeyDragCore
import Testing

@testable import KeyDragAccessibility

@Suite("Commands are known by their keys")
struct MenuShortcutTests {
  @Test(
    "each toolkit writes keys in its own way",
    arguments: [
      ("e;<Alt>b:e;<Primary>v", ProgramCommand.paste, true),
      ("p;<Alt>e:p;<Control>v", .paste, true), ("Ctrl+V", .paste, true),
      ("Strg+V", .paste, true), ("Ctrl+C", .copy, true), ("u;<Alt>e:u;<Primary>z", .undo, true),
      ("r;<Alt>e:r;<Primary><Shift>z", .undo, false), ("Ctrl+Shift+V", .paste, false),
      ("v;<Alt>v:v;", .paste, false), ("<Alt>v", .paste, false), ("Ctrl+V", .copy, false),
      ("", .paste, false), (";;", .paste, false), ("v", .paste, false), ("Ctrl+", .paste, false),
    ])
  func key(binding: String, command: ProgramCommand, isKey: Bool) {
    #expect(MenuShortcut.isKey(of: command, binding) == isKey)
  }

  @Test(
    "T10 Words alone are the Copy of the clipboard where Paste stands behind them",
    arguments: [
      (["Cut", "Copy", "Paste"], 1, true), (["copy", "Copy Link", "", "paste"], 0, true),
      (["Copy", "Move", "Rename", "Delete", "Paste"], 0, false),
      (["Save Copy...", "Paste"], 0, false),
      (["Paste", "Copy"], 1, false),
    ])
  func words(names: [String], place: Int, isCopy: Bool) {
    #expect(MenuShortcut.isCopy(place, of: names) == isCopy)
  }
}
