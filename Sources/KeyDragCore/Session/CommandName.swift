/// A command that a person can give, by the name that keymaps, scripts and transcripts use.
///
/// The keys named here are the usual ones; a person may have others. Type-ahead carries its text and
/// is an input of its own.
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
  /// Page Down: goes a page on.
  case nextPage = "next-page"
  /// Page Up: goes a page back.
  case previousPage = "previous-page"
  /// Right or Enter: opens the container in focus, or shows the actions of an item.
  case openItem = "open-item"
  /// Left: goes out of the container.
  case leaveContainer = "leave-container"
  /// Ctrl+T: selects the item in focus, or deselects it.
  case toggleSelection = "toggle-selection"
  /// Shift+Down: selects and goes down.
  case extendSelectionDown = "extend-selection-down"
  /// Shift+Up: selects and goes up.
  case extendSelectionUp = "extend-selection-up"
  /// Ctrl+A: selects all items of the container.
  case selectAll = "select-all"
  /// Space: picks up what is selected or in focus.
  case pickUp = "pick-up"
  /// F5: picks up to copy.
  case copyTo = "copy-to"
  /// F6: picks up to move.
  case moveTo = "move-to"
  /// F7: picks up to link.
  case linkTo = "link-to"
  /// F9: shows what can be done without a drag.
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
  /// F4: gives the item in focus another name; in folders only.
  case rename
  /// Ctrl+V: picks up what the system's clipboard holds; in folders only.
  case paste

  // Browsing and carrying.
  /// Ctrl+O: goes to the folder at a path; in folders only.
  case goTo = "go-to"
  /// Slash: narrows what is shown and walked to names with a text in them; in folders only.
  case filter
  /// Tab, while carrying Page Down: goes to the next container.
  case nextContainer = "next-container"
  /// Shift+Tab, while carrying Page Up: goes to the previous container.
  case previousContainer = "previous-container"
  /// Takes back collected type-ahead text; with none, leaves the container.
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
  /// Left: goes out again.
  case leaveDropPoint = "leave-drop-point"
  /// F8: the walk also visits what refuses, or no longer; while browsing it begins so.
  case toggleRefusing = "toggle-refusing"
  /// Ctrl+D: says which items are accepted here and which are not.
  case details
  /// F5: asks for a copy; again takes the wish back.
  case wishCopy = "wish-copy"
  /// F6: asks for a move; again takes the wish back.
  case wishMove = "wish-move"
  /// F7: asks for a link; again takes the wish back.
  case wishLink = "wish-link"
  /// Ctrl+T: goes back to browsing to pick up more.
  case addToDrag = "add-to-drag"
  /// Delete: takes out what was picked up last.
  case removeLast = "remove-last"
  /// Enter: drops here.
  case drop
  /// Says what is held and does nothing else: Space while carrying, where a bounced key is harmless.
  case sayHeld = "say-held"

  // Confirming.
  /// Down: goes to the next answer.
  case nextChoice = "next-choice"
  /// Up: goes to the previous answer.
  case previousChoice = "previous-choice"
  /// Home: goes to the first answer, or to the beginning of the line that is typed.
  case firstChoice = "first-choice"
  /// End: goes to the last answer, or to the end of the line that is typed.
  case lastChoice = "last-choice"
  /// Left: goes to the previous character of the line that is typed.
  case previousCharacter = "previous-character"
  /// Right: goes to the next character of the line that is typed.
  case nextCharacter = "next-character"
  /// Enter: takes this answer.
  case take
  /// Tab: completes the line that is typed.
  case complete
  /// Escape: back to carrying, with everything still held.
  case back
  /// Delete: cancels the delivery in focus in the list of deliveries, or deletes the next character of
  /// the line that is typed.
  case cancelDelivery = "cancel-delivery"

  // Any phase.
  /// Escape: lets go of what is held.
  case cancel
  /// Ctrl+Z: takes the last delivery back.
  case undo
  /// Ctrl+Y: does again what was taken back.
  case redo
  /// Ctrl+R: lists the deliveries that run.
  case deliveries
  /// Ctrl+G: goes to where things landed.
  case goToLanded = "go-to-landed"
  /// Ctrl+L: paints the screen anew.
  case redraw
  /// F2: says what is held, where this is and what would happen.
  case whereAmI = "where-am-i"
  /// F3: says the last message again.
  case repeatLast = "repeat-last"
  /// F12: stops the voice.
  case silence
  /// Question mark or F1: says the keys.
  case help
  /// Ctrl+Q or F10: ends the session.
  case quit
  /// Ctrl+C: ends it at once.
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
package enum PhaseName: String, Hashable, Sendable, CaseIterable {
  case browsing
  case carrying
  case confirming
}
