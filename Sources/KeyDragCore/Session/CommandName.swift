/// What a person can want, by the name that keymaps, scripts and transcripts use.
///
/// Type-ahead carries its text and is an input of its own (see ``SessionInput/typeAhead(_:)``).
public enum CommandName: String, Hashable, Sendable, CaseIterable {
  // Browsing.
  case nextItem = "next-item"
  case previousItem = "previous-item"
  case firstItem = "first-item"
  case lastItem = "last-item"
  case nextPage = "next-page"
  case previousPage = "previous-page"
  case openItem = "open-item"
  case leaveContainer = "leave-container"
  case toggleSelection = "toggle-selection"
  case extendSelectionDown = "extend-selection-down"
  case extendSelectionUp = "extend-selection-up"
  case selectAll = "select-all"
  case pickUp = "pick-up"
  case copyTo = "copy-to"
  case moveTo = "move-to"
  case linkTo = "link-to"
  case actions
  case toggleHidden = "toggle-hidden"
  case toggleEdit = "toggle-edit"
  case reorderUp = "reorder-up"
  case reorderDown = "reorder-down"
  case reorderTop = "reorder-top"
  case reorderBottom = "reorder-bottom"
  /// Asks for the number of a position and moves the item there.
  case moveToPosition = "move-to-position"

  // Browsing and carrying.
  case nextContainer = "next-container"
  case previousContainer = "previous-container"
  /// Takes back collected type-ahead text; with none, leaves the container.
  case takeBack = "take-back"

  // Carrying.
  case nextDropPoint = "next-drop-point"
  case previousDropPoint = "previous-drop-point"
  case nextPosition = "next-position"
  case previousPosition = "previous-position"
  case firstPosition = "first-position"
  case lastPosition = "last-position"
  case openDropPoint = "open-drop-point"
  case leaveDropPoint = "leave-drop-point"
  case toggleRefusing = "toggle-refusing"
  case details
  case wishCopy = "wish-copy"
  case wishMove = "wish-move"
  case wishLink = "wish-link"
  case addToDrag = "add-to-drag"
  case removeLast = "remove-last"
  case drop
  /// Says what is held and does nothing else: Space while carrying, where a bounced key is harmless.
  case sayHeld = "say-held"

  // Confirming.
  case nextChoice = "next-choice"
  case previousChoice = "previous-choice"
  case take
  case back
  /// Cancels the delivery in focus in the list of deliveries.
  case cancelDelivery = "cancel-delivery"

  // Any phase.
  case cancel
  case undo
  case redo
  case deliveries
  case goToLanded = "go-to-landed"
  case redraw
  case whereAmI = "where-am-i"
  case repeatLast = "repeat-last"
  case silence
  case help
  case quit
  case interrupt
}

extension CommandName {
  /// The command of a name as scripts write it; "first", "last" and "extend-selection" are short for
  /// the ones that say where.
  public init?(name: String) {
    switch name {
    case "first": self = .firstPosition
    case "last": self = .lastPosition
    case "extend-selection": self = .extendSelectionDown
    default: self.init(rawValue: name)
    }
  }
}

/// The phases by name, as keymaps, scripts and transcripts use them.
public enum PhaseName: String, Hashable, Sendable, CaseIterable {
  case browsing
  case carrying
  case confirming
}
