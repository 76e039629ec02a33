import CAtspi
import KeyDragCore

extension AtspiRole {
  /// The localised name of a role that ``AccessibleTree`` has.
  func word(in phrases: Phrasebook) -> String {
    switch self {
    // Name that a screen reader has for an object: a list of items or places.
    case ATSPI_ROLE_LIST: phrases.term(in: "role", "list")
    // Name that a screen reader has for an object: one line of a list.
    case ATSPI_ROLE_LIST_ITEM: phrases.term(in: "role", "list item")
    // Name that a screen reader has for an object: a part of a window that holds others.
    case ATSPI_ROLE_PANEL: phrases.term(in: "role", "panel")
    // Name that a screen reader has for an object: it shows how far something is.
    case ATSPI_ROLE_PROGRESS_BAR: phrases.term(in: "role", "progress bar")
    // Name that a screen reader has for an object: a short text that names or tells something.
    case ATSPI_ROLE_LABEL: phrases.term(in: "role", "label")
    // Name that a screen reader has for an object: the line of a window that holds short messages.
    case ATSPI_ROLE_STATUS_BAR: phrases.term(in: "role", "status bar")
    // Name that a screen reader has for an object: a whole program.
    case ATSPI_ROLE_APPLICATION: phrases.term(in: "role", "application")
    // Name that a screen reader has for an object: a short message that comes by itself.
    default: phrases.term(in: "role", "notification")
    }
  }
}
