extension Phrasebook {
  /// The label of the key with its modifiers ("Shift+Tab").
  public func keyName(_ stroke: KeyStroke) -> String {
    var parts: [String] = []
    // The name that is printed on a key for control. Followed by + and another key.
    if stroke.modifiers.contains(.ctrl) { parts.append(term(in: "key", "Ctrl")) }
    // The name that is printed on a key. Followed by + and another key.
    if stroke.modifiers.contains(.alt) { parts.append(term(in: "key", "Alt")) }
    // The name that is printed on a key, or that people use for it. Followed by + and another key.
    if stroke.modifiers.contains(.shift) { parts.append(term(in: "key", "Shift")) }
    parts.append(keyName(stroke.key))
    return parts.joined(separator: "+")
  }

  private func keyName(_ key: Key) -> String {
    switch key {
    case .character(let character): name(of: character)
    // The name of a function key, as printed on it: F1 to F12. %1$@ is the number.
    case .function(let number): term(in: "key", "F%1$@", String(number))
    // The name of a key: the space bar.
    case .space: term(in: "key", "Space")
    // The name of a key, as printed on it or used.
    case .tab: term(in: "key", "Tab")
    // The name of a key, as printed on it or used: the one that ends a line.
    case .enter: term(in: "key", "Enter")
    // The name of a key, as printed on it or used.
    case .escape: term(in: "key", "Escape")
    // The name of a key: it deletes the character before the cursor.
    case .backspace: term(in: "key", "Backspace")
    // The name of a key: it deletes the character at the cursor.
    case .delete: term(in: "key", "Delete")
    // The name of a key, as printed on it or used.
    case .insert: term(in: "key", "Insert")
    // The name of a key: an arrow.
    case .up: term(in: "key", "Up")
    // The name of a key: an arrow.
    case .down: term(in: "key", "Down")
    // The name of a key: an arrow.
    case .left: term(in: "key", "Left")
    // The name of a key: an arrow.
    case .right: term(in: "key", "Right")
    // The name of a key: it goes to the beginning.
    case .home: term(in: "key", "Home")
    // The name of a key: it goes to the end.
    case .end: term(in: "key", "End")
    // The name of a key, as printed on it or used.
    case .pageUp: term(in: "key", "Page Up")
    // The name of a key, as printed on it or used.
    case .pageDown: term(in: "key", "Page Down")
    }
  }

  func name(of character: Character) -> String {
    switch character {
    case "/": capitalised(signName(character))
    case _ where (isSpoken || isRead) && (character.isPunctuation || character.isSymbol):
      signName(character)
    default: SpokenName.clean(character.isLetter ? character.uppercased() : String(character))
    }
  }

  func helpText(_ line: HelpLine) -> String {
    switch line {
    case .key(let stroke, let command, let phase):
      keyHelp(stroke, describe(command, in: phase))
    case .lineKey(let stroke, let command): keyHelp(stroke, describesInLine(command))
    case .finder(let stroke): keyHelp(stroke, describesFinder)
    case .howTo(let howTo, let keys): howToText(howTo, keys.map(keyName))
    }
  }

  /// Without the full stop after a key's line, which is no sentence.
  func helpArgument(_ line: HelpLine) -> String {
    switch line {
    case .key(let stroke, let command, let phase):
      "\(keyName(stroke)): \(describe(command, in: phase))"
    case .lineKey(let stroke, let command): "\(keyName(stroke)): \(describesInLine(command))"
    case .finder(let stroke): "\(keyName(stroke)): \(describesFinder)"
    case .howTo: helpText(line)
    }
  }

  private func keyHelp(_ stroke: KeyStroke, _ meaning: String) -> String {
    // One line of help. %1$@ is a key, %2$@ what it does.
    term(in: "a key", "%1$@: %2$@.", keyName(stroke), meaning)
  }

  private func howToText(_ howTo: HowTo, _ keys: [String]) -> String {
    let keys = keys + Array(repeating: "", count: 3)
    return switch howTo {
    case .sortMany:
      phrase(
        // A line of the help. %1$@, %2$@ and %3$@ are keys, such as Space, Tab and Enter.
        "To sort many files: %1$@ picks up, %2$@ walks the places, %3$@ drops, and you are at the next file.",
        keys[0], keys[1], keys[2])
    case .carryFromSeveral:
      phrase(
        // A line of the help. %1$@ and %2$@ are keys, such as Ctrl+T and Space.
        "To carry from several folders: select with %1$@ in each of them, then %2$@ picks up all.",
        keys[0], keys[1])
    case .undoLast:
      // A line of the help. %1$@ and %2$@ are keys, such as Ctrl+Z and Ctrl+Y.
      phrase("To undo what was done last: %1$@. %2$@ does it again.", keys[0], keys[1])
    case .nameClash:
      // A line of the help. The first answer is "Keep both".
      phrase("Where a name exists already, you are asked. The first answer keeps both.")
    }
  }

  package var describesFinder: String {
    // Use of a key, in the list of keys. A name is typed after it, and Enter.
    term(in: "what a key does", "go to a place by its name")
  }

  /// A short description of a command.
  public func describe(_ command: CommandName) -> String {
    browsingDescription(command) ?? carryingDescription(command) ?? generalDescription(command)
  }

  /// The description of a command in a phase: there is a folder to leave only while browsing.
  package func describe(_ command: CommandName, in phase: PhaseName) -> String {
    switch (command, phase) {
    case (.takeBack, .carrying), (.takeBack, .confirming):
      // Use of a key, in the list of keys. Letters are typed to find a name, digits for a
      // position.
      term(in: "what a key does", "take back the last letter or digit")
    case (.toggleRefusing, .browsing):
      // Use of a key, in the list of keys. The places that refuse give their reasons.
      term(in: "what a key does", "pick up, and also visit places that refuse")
    case (.newFolder, .carrying):
      // Use of a key, in the list of keys. A folder is made, and what is carried is put into it.
      term(in: "what a key does", "to a new folder here")
    case (.details, .browsing):
      // Use of a key, in the list of keys. Says its size, when it was changed, and where it is.
      term(in: "what a key does", "details of this")
    default: describe(command)
    }
  }

  /// The description of a command while a line is typed.
  private func describesInLine(_ command: CommandName) -> String {
    switch command {
    // Use of a key, in the list of keys, while a name or a path is typed.
    case .take: term(in: "what a key does", "take what is typed")
    // Use of a key, in the list of keys, while a name or a path is typed: it is said as it is now.
    case .nextChoice: term(in: "what a key does", "read what is typed")
    // Use of a key, in the list of keys, while a name or a path is typed: the cursor goes there.
    case .firstChoice: term(in: "what a key does", "to the beginning")
    // Use of a key, in the list of keys, while a name or a path is typed: the cursor goes there.
    case .lastChoice: term(in: "what a key does", "to the end")
    // Use of a key, in the list of keys, while a name or a path is typed.
    case .takeBack: term(in: "what a key does", "delete the previous character")
    // Use of a key, in the list of keys, while a name or a path is typed.
    case .cancelDelivery: term(in: "what a key does", "delete the next character")
    default: describe(command)
    }
  }

  private func browsingDescription(_ command: CommandName) -> String? {
    switch command {
    // Use of a key, in the list of keys.
    case .nextItem: term(in: "what a key does", "next item")
    // Use of a key, in the list of keys.
    case .previousItem: term(in: "what a key does", "previous item")
    // Use of a key, in the list of keys.
    case .firstItem: term(in: "what a key does", "first item")
    // Use of a key, in the list of keys.
    case .lastItem: term(in: "what a key does", "last item")
    // Use of a key, in the list of keys. Goes as many items down as fit on the screen.
    case .nextPage: term(in: "what a key does", "a page on")
    // Use of a key, in the list of keys. Goes as many items up as fit on the screen.
    case .previousPage: term(in: "what a key does", "a page back")
    // Use of a key, in the list of keys.
    case .openItem: term(in: "what a key does", "open the folder, or the actions of a file")
    // Use of a key, in the list of keys. Goes to the folder above.
    case .leaveContainer: term(in: "what a key does", "leave the folder")
    // Use of a key, in the list of keys.
    case .toggleSelection: term(in: "what a key does", "select or deselect")
    // Use of a key, in the list of keys.
    case .extendSelectionDown: term(in: "what a key does", "select and go down")
    // Use of a key, in the list of keys.
    case .extendSelectionUp: term(in: "what a key does", "select and go up")
    // Use of a key, in the list of keys.
    case .selectAll: term(in: "what a key does", "select all")
    // Use of a key, in the list of keys. Begins to carry the items, as dragging does.
    case .pickUp: term(in: "what a key does", "pick up")
    // Use of a key, in the list of keys. Picks up, to copy.
    case .copyTo: term(in: "what a key does", "copy to")
    // Use of a key, in the list of keys. Picks up, to move.
    case .moveTo: term(in: "what a key does", "move to")
    // Use of a key, in the list of keys. Picks up, to make a symbolic link.
    case .linkTo: term(in: "what a key does", "link to")
    // Use of a key, in the list of keys. Opens a menu of actions for the items.
    case .actions: term(in: "what a key does", "actions")
    // Use of a key, in the list of keys.
    case .toggleHidden: term(in: "what a key does", "show or hide hidden files")
    // Use of a key, in the list of keys. Edit is a mode in which the rows of a list can be
    // reordered.
    case .toggleEdit: term(in: "what a key does", "turn Edit on or off")
    // Use of a key, in the list of keys, and a menu's line. Gives a file or folder another name.
    case .rename: term(in: "what a key does", "rename")
    // Use of a key, in the list of keys.
    case .newFolder: term(in: "what a key does", "make a folder")
    // Use of a key, in the list of keys. The clipboard is where Copy puts something and Paste takes
    // it from; what is in it is carried then.
    case .paste: term(in: "what a key does", "pick up from the clipboard")
    // Use of a key, in the list of keys. Goes to a folder whose path is typed.
    case .goTo: term(in: "what a key does", "go to a path")
    // Use of a key, in the list of keys. Only names with a text in them are shown then.
    case .filter: term(in: "what a key does", "filter by part of a name")
    // Use of a key, in the list of keys. Changes the order of a list.
    case .reorderUp: term(in: "what a key does", "move up")
    // Use of a key, in the list of keys. Changes the order of a list.
    case .reorderDown: term(in: "what a key does", "move down")
    // Use of a key, in the list of keys. Changes the order of a list.
    case .reorderTop: term(in: "what a key does", "move to the top")
    // Use of a key, in the list of keys. Changes the order of a list.
    case .reorderBottom: term(in: "what a key does", "move to the bottom")
    // Use of a key, in the list of keys, and a menu's line. Changes the order of a list: the
    // number of the new position is asked for.
    case .moveToPosition: term(in: "what a key does", "move to a position by number")
    default: nil
    }
  }

  private func carryingDescription(_ command: CommandName) -> String? {
    switch command {
    // Use of a key, in the list of keys. A place is where items can be dropped.
    case .nextDropPoint: term(in: "what a key does", "next place")
    // Use of a key, in the list of keys. A place is where items can be dropped.
    case .previousDropPoint: term(in: "what a key does", "previous place")
    // Use of a key, in the list of keys. A position is before or after an item of a list.
    case .nextPosition: term(in: "what a key does", "next position")
    // Use of a key, in the list of keys. A position is before or after an item of a list.
    case .previousPosition: term(in: "what a key does", "previous position")
    // Use of a key, in the list of keys. A position is before or after an item of a list.
    case .firstPosition: term(in: "what a key does", "first position")
    // Use of a key, in the list of keys. A position is before or after an item of a list.
    case .lastPosition: term(in: "what a key does", "last position")
    // Use of a key, in the list of keys. Goes on to the folders inside, while carrying.
    case .openDropPoint: term(in: "what a key does", "open this place")
    // Use of a key, in the list of keys. Goes back to the folder outside, while carrying.
    case .leaveDropPoint: term(in: "what a key does", "step out of this place")
    // Use of a key, in the list of keys. Switches whether the key Tab stops at places that do
    // not take what is carried.
    case .toggleRefusing: term(in: "what a key does", "also visit places that refuse, or not")
    // Use of a key, in the list of keys. Says which of the items carried this place takes.
    case .details: term(in: "what a key does", "what is accepted and what is not")
    // Use of a key, in the list of keys. Asks that the drop copies.
    case .wishCopy: term(in: "what a key does", "copy")
    // Use of a key, in the list of keys. Asks that the drop moves.
    case .wishMove: term(in: "what a key does", "move")
    // Use of a key, in the list of keys. Asks that the drop makes a symbolic link.
    case .wishLink: term(in: "what a key does", "link")
    // Use of a key, in the list of keys. Goes back to the files, to carry more.
    case .addToDrag: term(in: "what a key does", "add more items")
    // Use of a key, in the list of keys. Takes the item that was picked up last out of what is
    // carried.
    case .removeLast: term(in: "what a key does", "take the last item out")
    // Use of a key, in the list of keys. Lets go of what is carried, at this place.
    case .drop: term(in: "what a key does", "drop")
    // Use of a key, in the list of keys. Says what is carried.
    case .sayHeld: term(in: "what a key does", "what is held")
    default: nil
    }
  }

  private func generalDescription(_ command: CommandName) -> String {
    switch command {
    // Use of a key, in the list of keys.
    case .nextContainer: term(in: "what a key does", "next folder or window")
    // Use of a key, in the list of keys.
    case .previousContainer: term(in: "what a key does", "previous folder or window")
    // Use of a key, in the list of keys. Letters are typed to find a name; without any, the
    // folder above is shown.
    case .takeBack: term(in: "what a key does", "take back the last letter, or leave the folder")
    // Use of a key, in the list of keys. A choice is an answer to a question, or a line of a
    // menu.
    case .nextChoice: term(in: "what a key does", "next choice")
    // Use of a key, in the list of keys. A choice is an answer to a question, or a line of a
    // menu.
    case .previousChoice: term(in: "what a key does", "previous choice")
    // Use of a key, in the list of keys. A choice is an answer to a question, or a line of a
    // menu.
    case .firstChoice: term(in: "what a key does", "first choice")
    // Use of a key, in the list of keys. A choice is an answer to a question, or a line of a
    // menu.
    case .lastChoice: term(in: "what a key does", "last choice")
    // Use of a key, in the list of keys, while text is typed.
    case .previousCharacter: term(in: "what a key does", "previous character")
    // Use of a key, in the list of keys, while text is typed.
    case .nextCharacter: term(in: "what a key does", "next character")
    // Use of a key, in the list of keys. A choice is an answer to a question, or a line of a
    // menu.
    case .take: term(in: "what a key does", "take this choice")
    // Use of a key, in the list of keys. A path that is being typed gets its next letters.
    case .complete: term(in: "what a key does", "complete what is typed")
    // Use of a key, in the list of keys. Leaves a question or menu.
    case .back: term(in: "what a key does", "back")
    // Use of a key, in the list of keys. A delivery is a running copy or move.
    case .cancelDelivery: term(in: "what a key does", "cancel this delivery")
    // Use of a key, in the list of keys. Ends carrying, and does nothing.
    case .cancel: term(in: "what a key does", "cancel")
    // Use of a key, in the list of keys.
    case .undo: term(in: "what a key does", "undo")
    // Use of a key, in the list of keys.
    case .redo: term(in: "what a key does", "redo")
    // Use of a key, in the list of keys. Opens the list of running copies and moves.
    case .deliveries: term(in: "what a key does", "deliveries")
    // Use of a key, in the list of keys. Goes to the files that the last drop brought.
    case .goToLanded: term(in: "what a key does", "go to what landed")
    // Use of a key, in the list of keys.
    case .redraw: term(in: "what a key does", "redraw the screen")
    // Use of a key, in the list of keys. Says the place, and what a drop there would do.
    case .whereAmI: term(in: "what a key does", "where am I")
    // Use of a key, in the list of keys. Repeats the last message.
    case .repeatLast: term(in: "what a key does", "say it again")
    // Use of a key, in the list of keys. Stops the voice.
    case .silence: term(in: "what a key does", "be quiet")
    // Use of a key, in the list of keys.
    case .help: term(in: "what a key does", "help")
    // Use of a key, in the list of keys.
    case .quit: term(in: "what a key does", "quit")
    // Use of a key, in the list of keys. Ends the program without asking; what runs is
    // cancelled.
    case .interrupt: term(in: "what a key does", "stop at once")
    default: ""
    }
  }

  /// A phase as the heading of its keys.
  package func name(_ phase: PhaseName) -> String {
    switch phase {
    // The heading of a table of keys: the keys for while choosing among files, with nothing
    // carried.
    case .browsing: term(in: "heading", "Browsing")
    // The heading of a table of keys: the keys for while something is carried from place to place.
    case .carrying: term(in: "heading", "Carrying")
    // The heading of a table of keys: the keys for while a question or menu is open.
    case .confirming: term(in: "heading", "Confirming")
    }
  }
}
