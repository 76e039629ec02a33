import KeyDragCore

/// What a screen reader reads of a terminal by itself, so that nothing is heard twice: every message
/// is announced to it, and the screen is painted only when the reader says nothing of that.
///
/// Orca 43 goes by the last key, however long ago that was. After Space, Tab, Enter, characters and
/// chords of Ctrl and Alt it reads all text that appears anywhere, and after Backspace and Delete what
/// disappears. After the other keys it reads a line that the cursor comes to, and nothing where the
/// cursor stays. At the start the last key was one of the shell's.
///
/// So the cursor stays in one place while a reader listens, and words wait for a key of those other
/// ones. Colours are free: a change of them alone is never read.
enum ReaderScreen {
  /// Whether words may be painted after this key, the last one that was pressed; `nil` before any.
  static func isQuiet(after stroke: KeyStroke?) -> Bool {
    guard let stroke, stroke.modifiers.isSubset(of: .shift) else { return false }
    switch stroke.key {
    case .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .escape, .function: return true
    case .space, .tab, .enter, .character, .backspace, .delete, .insert: return false
    }
  }
}
