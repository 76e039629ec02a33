extension Phrasebook {
  /// The name printed on the key, with its modifiers ("Shift+Tab").
  public func keyName(_ stroke: KeyStroke) -> String {
    var parts: [String] = []
    if stroke.modifiers.contains(.ctrl) { parts.append(phrase("Ctrl")) }
    if stroke.modifiers.contains(.alt) { parts.append(phrase("Alt")) }
    if stroke.modifiers.contains(.shift) { parts.append(phrase("Shift")) }
    parts.append(keyName(stroke.key))
    return parts.joined(separator: "+")
  }

  private func keyName(_ key: Key) -> String {
    switch key {
    case .character(let character):
      SpokenName.clean(character.isLetter ? character.uppercased() : String(character))
    case .function(let number): "F\(number)"
    case .space: phrase("Space")
    case .tab: phrase("Tab")
    case .enter: phrase("Enter")
    case .escape: phrase("Escape")
    case .backspace: phrase("Backspace")
    case .delete: phrase("Delete")
    case .insert: phrase("Insert")
    case .up: phrase("Up")
    case .down: phrase("Down")
    case .left: phrase("Left")
    case .right: phrase("Right")
    case .home: phrase("Home")
    case .end: phrase("End")
    case .pageUp: phrase("Page Up")
    case .pageDown: phrase("Page Down")
    }
  }

  func helpText(_ lines: [HelpLine]) -> String {
    lines.map { phrase("%1$@: %2$@.", keyName($0.stroke), describe($0.command)) }
      .joined(separator: " ")
  }

  /// What a command does, in a few words.
  public func describe(_ command: CommandName) -> String {
    browsingDescription(command) ?? carryingDescription(command) ?? generalDescription(command)
  }

  private func browsingDescription(_ command: CommandName) -> String? {
    switch command {
    case .nextItem: phrase("next item")
    case .previousItem: phrase("previous item")
    case .firstItem: phrase("first item")
    case .lastItem: phrase("last item")
    case .nextPage: phrase("a page on")
    case .previousPage: phrase("a page back")
    case .openItem: phrase("open the folder, or the actions of a file")
    case .leaveContainer: phrase("leave the folder")
    case .toggleSelection: phrase("select or deselect")
    case .extendSelectionDown: phrase("select and go down")
    case .extendSelectionUp: phrase("select and go up")
    case .selectAll: phrase("select all")
    case .pickUp: phrase("pick up")
    case .copyTo: phrase("copy to")
    case .moveTo: phrase("move to")
    case .linkTo: phrase("link to")
    case .actions: phrase("actions")
    case .toggleHidden: phrase("show or hide hidden files")
    case .toggleEdit: phrase("turn Edit on or off")
    case .reorderUp: phrase("move up")
    case .reorderDown: phrase("move down")
    case .reorderTop: phrase("move to the top")
    case .reorderBottom: phrase("move to the bottom")
    default: nil
    }
  }

  private func carryingDescription(_ command: CommandName) -> String? {
    switch command {
    case .nextDropPoint: phrase("next place")
    case .previousDropPoint: phrase("previous place")
    case .nextPosition: phrase("next position")
    case .previousPosition: phrase("previous position")
    case .firstPosition: phrase("first position")
    case .lastPosition: phrase("last position")
    case .openDropPoint: phrase("open this place")
    case .leaveDropPoint: phrase("step out of this place")
    case .toggleRefusing: phrase("also visit places that refuse, or not")
    case .details: phrase("what is accepted and what is not")
    case .wishCopy: phrase("copy")
    case .wishMove: phrase("move")
    case .wishLink: phrase("link")
    case .addToDrag: phrase("add more items")
    case .removeLast: phrase("take the last item out")
    case .drop: phrase("drop")
    case .sayHeld: phrase("what is held")
    default: nil
    }
  }

  private func generalDescription(_ command: CommandName) -> String {
    switch command {
    case .nextContainer: phrase("next folder or window")
    case .previousContainer: phrase("previous folder or window")
    case .takeBack: phrase("take back the last letter, or leave the folder")
    case .nextChoice: phrase("next choice")
    case .previousChoice: phrase("previous choice")
    case .take: phrase("take this choice")
    case .back: phrase("back")
    case .cancelDelivery: phrase("cancel this delivery")
    case .cancel: phrase("cancel")
    case .undo: phrase("undo")
    case .redo: phrase("redo")
    case .deliveries: phrase("deliveries")
    case .goToLanded: phrase("go to what landed")
    case .redraw: phrase("redraw the screen")
    case .whereAmI: phrase("where am I")
    case .repeatLast: phrase("say it again")
    case .silence: phrase("be quiet")
    case .help: phrase("help")
    case .quit: phrase("quit")
    case .interrupt: phrase("stop at once")
    default: ""
    }
  }

  /// A phase by its name, as a heading for its keys.
  public func name(_ phase: PhaseName) -> String {
    switch phase {
    case .browsing: phrase("Browsing")
    case .carrying: phrase("Carrying")
    case .confirming: phrase("Confirming")
    }
  }
}
