import KeyDragCore

/// Decides when a terminal that a screen reader reads by itself may be painted, so that nothing is
/// heard twice: every message is announced to the reader, and the screen is painted only when the
/// reader ignores that.
///
/// Orca 43 goes by the last key, however long ago. After Space, Tab, Enter, characters and chords
/// of Ctrl and Alt it reads all text that appears anywhere; after Backspace and Delete, what
/// disappears. After other keys it reads a line that the cursor moves to, and nothing when the
/// cursor stays. At the start the last key is one of the shell's.
///
/// Orca 48 and newer also read inserted text after Up, Down, Page Up and Page Down, wherever the
/// cursor is (`_get_text_insertion_event_reason`): no painting is silent then.
///
/// Blanks written over words are not read, nor are the words they replace, except after Backspace
/// and Delete. The reader's braille follows. After Ctrl+Z and Ctrl+Shift+Z it says "undo" or "redo"
/// for any change, and looks at what goes before it has heard of what comes
/// (`handleUndoTextEvent`).
///
/// The cursor therefore stays in place while a reader listens, and words wait for a silent key. A
/// change of colours alone is never read.
enum ReaderScreen {
  /// Whether blanks may replace words after this key.
  static func hidesCursorLine(after stroke: KeyStroke) -> Bool {
    switch stroke.key {
    case .backspace, .delete: false
    case .character("z"): !stroke.modifiers.contains(.ctrl)
    default: true
    }
  }

  /// Whether Orca 48 reads what comes to a line after this key, though there is a mark behind it.
  static func readsNewLine(after stroke: KeyStroke) -> Bool {
    [.up, .down, .pageUp, .pageDown].contains(stroke.key) && stroke.modifiers.isSubset(of: .shift)
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
