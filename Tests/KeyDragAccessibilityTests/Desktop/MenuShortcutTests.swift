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
}
