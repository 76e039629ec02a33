/// A command that a person can give; the raw value is its name in keymaps, scripts and transcripts.
///
/// The keys named here are the defaults. Type-ahead carries text and is an input of its own.
public enum CommandName: String, Hashable, Sendable, CaseIterable {
  // Browsing.
  /// Down: goes to the next item.
  case nextItem = "next-item"
  /// Up: goes to the previous item.
  case previousItem = "previous-item"
  /// Home: goes to the first item.
  case firstItem = "first-item"
  /// End: goes to the last item.
  case lastItem = "last-item"
  /// Page Down: goes down a page.
  case nextPage = "next-page"
  /// Page Up: goes up a page.
  case previousPage = "previous-page"
  /// Right or Enter: opens the focused container, or shows the actions of an item.
  case openItem = "open-item"
  /// Left: leaves the container.
  case leaveContainer = "leave-container"
  /// Ctrl+T: selects or deselects the focused item.
  case toggleSelection = "toggle-selection"
  /// Shift+Down: selects the item and goes down.
  case extendSelectionDown = "extend-selection-down"
  /// Shift+Up: selects the item and goes up.
  case extendSelectionUp = "extend-selection-up"
  /// Ctrl+A: selects all items of the container.
  case selectAll = "select-all"
  /// Space: picks up the selected or focused items.
  case pickUp = "pick-up"
  /// F5: picks up to copy.
  case copyTo = "copy-to"
  /// F6: picks up to move.
  case moveTo = "move-to"
  /// F7: picks up to link.
  case linkTo = "link-to"
  /// F9: shows the actions that need no drag.
  case actions
  /// Full stop: shows or hides hidden names.
  case toggleHidden = "toggle-hidden"
  /// Ctrl+E: turns the container's edit mode on or off.
  case toggleEdit = "toggle-edit"
  /// Alt+Up: moves the item up by one.
  case reorderUp = "reorder-up"
  /// Alt+Down: moves the item down by one.
  case reorderDown = "reorder-down"
  /// Alt+Home: moves the item to the top.
  case reorderTop = "reorder-top"
  /// Alt+End: moves the item to the bottom.
  case reorderBottom = "reorder-bottom"
  /// Asks for the number of a position and moves the item there.
  case moveToPosition = "move-to-position"

  /// Ctrl+K: makes a folder; in folders only.
  case newFolder = "new-folder"
  /// F4: renames the focused item; in folders only.
  case rename
  /// Ctrl+V: picks up the contents of the system's clipboard; in folders only.
  case paste

  // Browsing and carrying.
  /// Ctrl+O: goes to the folder at a path; in folders only.
  case goTo = "go-to"
  /// Slash: filters items and places by a text in their names; in folders only.
  case filter
  /// Tab, while carrying Page Down: goes to the next container.
  case nextContainer = "next-container"
  /// Shift+Tab, while carrying Page Up: goes to the previous container.
  case previousContainer = "previous-container"
  /// Deletes the last letter of the type-ahead; without one, leaves the container.
  case takeBack = "take-back"

  // Carrying.
  /// Tab: goes to the next drop point.
  case nextDropPoint = "next-drop-point"
  /// Shift+Tab: goes to the previous drop point.
  case previousDropPoint = "previous-drop-point"
  /// Down: goes to the next position, such as from before a row to after it.
  case nextPosition = "next-position"
  /// Up: goes to the previous position.
  case previousPosition = "previous-position"
  /// Home: goes to the first position.
  case firstPosition = "first-position"
  /// End: goes to the last position.
  case lastPosition = "last-position"
  /// Right: shows the places inside this one.
  case openDropPoint = "open-drop-point"
  /// Left: leaves the place that was opened.
  case leaveDropPoint = "leave-drop-point"
  /// F8: includes refusing places in the walk or excludes them again; while browsing, picks up with
  /// them included.
  case toggleRefusing = "toggle-refusing"
  /// Ctrl+D: says which items are accepted here and which are not.
  case details
  /// F5: asks for a copy; again withdraws that wish.
  case wishCopy = "wish-copy"
  /// F6: asks for a move; again withdraws that wish.
  case wishMove = "wish-move"
  /// F7: asks for a link; again withdraws that wish.
  case wishLink = "wish-link"
  /// Ctrl+T: returns to browsing to add more.
  case addToDrag = "add-to-drag"
  /// Delete: removes the item added last from the drag.
  case removeLast = "remove-last"
  /// Enter: drops here.
  case drop
  /// Says what is held, without any effect: Space while carrying, where a bouncing key is harmless.
  case sayHeld = "say-held"

  // Confirming.
  /// Down: goes to the next answer.
  case nextChoice = "next-choice"
  /// Up: goes to the previous answer.
  case previousChoice = "previous-choice"
  /// Home: goes to the first answer, or to the beginning of the typed line.
  case firstChoice = "first-choice"
  /// End: goes to the last answer, or to the end of the typed line.
  case lastChoice = "last-choice"
  /// Left: goes to the previous character of the typed line.
  case previousCharacter = "previous-character"
  /// Right: goes to the next character of the typed line.
  case nextCharacter = "next-character"
  /// Enter: chooses this answer.
  case take
  /// Tab: completes the typed line.
  case complete
  /// Escape: returns to carrying, with everything still held.
  case back
  /// Delete: cancels the focused delivery in the list of deliveries, or deletes the next character
  /// of the typed line.
  case cancelDelivery = "cancel-delivery"

  // Any phase.
  /// Escape: cancels the drag.
  case cancel
  /// Ctrl+Z: undoes the last delivery.
  case undo
  /// Ctrl+Y: redoes what was undone.
  case redo
  /// Ctrl+R: lists the running deliveries.
  case deliveries
  /// Ctrl+G: goes to where the last delivery landed.
  case goToLanded = "go-to-landed"
  /// Ctrl+L: repaints the screen.
  case redraw
  /// F2: says what is held, the current place and the effect of a drop.
  case whereAmI = "where-am-i"
  /// F3: repeats the last message.
  case repeatLast = "repeat-last"
  /// F12: stops the voice.
  case silence
  /// Question mark or F1: lists the keys.
  case help
  /// Ctrl+Q or F10: ends the session.
  case quit
  /// Ctrl+C: ends the session at once.
  case interrupt
}

extension CommandName {
  /// The command of a name in a script; "first", "last" and "extend-selection" are short for
  /// "first-position", "last-position" and "extend-selection-down".
  public init?(name: String) {
    switch name {
    case "first": self = .firstPosition
    case "last": self = .lastPosition
    case "extend-selection": self = .extendSelectionDown
    default: self.init(rawValue: name)
    }
  }
}

/// A phase; the raw value is its name in keymaps, scripts and transcripts.
package enum PhaseName: String, Hashable, Sendable, CaseIterable {
  case browsing
  case carrying
  case confirming
}
