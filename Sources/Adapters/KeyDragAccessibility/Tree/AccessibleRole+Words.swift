import KeyDragCore

extension AccessibleRole {
  /// The localised role name.
  func word(in phrases: Phrasebook) -> String {
    switch self {
    // Name that a screen reader has for an object: a list of items or places.
    case .list: phrases.term(in: "role", "list")
    // Name that a screen reader has for an object: one line of a list.
    case .listItem: phrases.term(in: "role", "list item")
    // Name that a screen reader has for an object: a part of a window that holds others.
    case .panel: phrases.term(in: "role", "panel")
    // Name that a screen reader has for an object: it shows how far something is.
    case .progressBar: phrases.term(in: "role", "progress bar")
    // Name that a screen reader has for an object: a short text that names or tells something.
    case .label: phrases.term(in: "role", "label")
    // Name that a screen reader has for an object: the line of a window that holds short messages.
    case .statusBar: phrases.term(in: "role", "status bar")
    // Name that a screen reader has for an object: a whole program.
    case .application: phrases.term(in: "role", "application")
    // Name that a screen reader has for an object: a short message that comes by itself.
    case .notification: phrases.term(in: "role", "notification")
    }
  }
}
