import KeyDragCore

/// The text of a terminal that a screen reader reads by itself, so that nothing is heard twice:
/// every message is announced to it, and the screen is painted only when the reader says nothing of
/// that.
///
/// Orca 43 goes by the last key, however long ago that was. After Space, Tab, Enter, characters and
/// chords of Ctrl and Alt it reads all text that appears anywhere, and after Backspace and Delete what
/// disappears. After the other keys it reads a line that the cursor comes to, and nothing where the
/// cursor stays. At the start the last key was one of the shell's.
///
/// Orca 48 and newer read inserted text after Up, Down, Page Up and Page Down, too, wherever the cursor is
/// and whatever is inserted (`_get_text_insertion_event_reason`): nothing that is painted then is silent.
///
/// Blanks that are written over words are not read, nor are the words that go, but after Backspace and
/// Delete. The reader's braille follows. After Ctrl+Z and Ctrl+Shift+Z it says "undo" or "redo" of
/// whatever changes, where it looks at what goes before it has heard of what comes
/// (`handleUndoTextEvent`).
///
/// The cursor therefore stays in one place while a reader listens, and words wait for a key of
/// those other ones. Colours are free: a change of them alone is never read. Neither are words that come
/// behind a scroll, in a terminal that compares lengths alone: all that is read of them is a line break, and
/// that after Backspace and Delete, after the keys that have "undo" said, and as inserted text.
enum ReaderScreen {
  /// Whether words may be replaced by blanks after this key.
  static func hidesCursorLine(after stroke: KeyStroke) -> Bool {
    switch stroke.key {
    case .backspace, .delete: false
    case .character("z"): !stroke.modifiers.contains(.ctrl)
    default: true
    }
  }

  /// Whether a line is read that the cursor comes to after this key.
  static func readsLine(after stroke: KeyStroke?) -> Bool {
    switch stroke?.key {
    case .up, .down, .left, .right, .home, .end, .pageUp, .pageDown: true
    default: false
    }
  }

  /// The ways in which a reader and a terminal let words be painted without their being read.
  struct Ways {
    /// The reader reads after keys that move by lines and pages.
    var readsInsertedText = false
    /// The words come behind a scroll.
    var scrolls = false
    /// The words come with a mark.
    var isMarked = false
  }

  /// - Returns: whether words may be painted after this key, the last one that was pressed; `nil` before any.
  static func isQuiet(after stroke: KeyStroke?, _ ways: Ways = Ways()) -> Bool {
    guard let stroke else { return false }
    let isPlain = stroke.modifiers.isSubset(of: .shift)
    switch stroke.key {
    case .up, .down, .pageUp, .pageDown: return !ways.readsInsertedText && (ways.scrolls || isPlain)
    case .left, .right, .home, .end, .escape, .function: return ways.scrolls || isPlain
    case .space, .tab, .enter, .character:
      return ways.scrolls && hidesCursorLine(after: stroke) || ways.isMarked && isPlain
    case .backspace, .delete, .insert: return ways.scrolls && hidesCursorLine(after: stroke)
    }
  }
}
