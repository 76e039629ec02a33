extension Keymap {
  /// The default keys: each is delivered by the Linux console, xterm, VTE and tmux, and used by no
  /// Orca layout.
  ///
  /// A test keeps the table free of clashes; with a clash every key would be reported as unknown
  /// instead of ending the program.
  package static let standard: Keymap = (try? Keymap(defaultBindings)) ?? Keymap()

  static let defaultBindings: [Binding] =
    browsing + carrying + confirming + anyPhase

  private static let browsing: [Binding] = [
    line(.browsing, .nextItem, "down"),
    line(.browsing, .previousItem, "up"),
    line(.browsing, .firstItem, "home"),
    line(.browsing, .lastItem, "end"),
    line(.browsing, .nextPage, "page-down"),
    line(.browsing, .previousPage, "page-up"),
    line(.browsing, .nextContainer, "tab"),
    line(.browsing, .previousContainer, "shift+tab"),
    line(.browsing, .openItem, "right", "enter"),
    line(.browsing, .leaveContainer, "left"),
    line(.browsing, .takeBack, "backspace"),
    line(.browsing, .pickUp, "space"),
    line(.browsing, .toggleSelection, "ctrl+t", "insert"),
    line(.browsing, .extendSelectionDown, "shift+down"),
    line(.browsing, .extendSelectionUp, "shift+up"),
    line(.browsing, .selectAll, "ctrl+a"),
    line(.browsing, .copyTo, "f5"),
    line(.browsing, .moveTo, "f6"),
    line(.browsing, .linkTo, "f7"),
    line(.browsing, .toggleRefusing, "f8"),
    line(.browsing, .actions, "f9"),
    line(.browsing, .details, "ctrl+d"),
    line(.browsing, .rename, "f4"),
    line(.browsing, .newFolder, "ctrl+k"),
    line(.browsing, .paste, "ctrl+v"),
    line(.browsing, .goTo, "ctrl+o"),
    line(.browsing, .filter, "/"),
    line(.browsing, .toggleHidden, "."),
    line(.browsing, .toggleEdit, "ctrl+e"),
    line(.browsing, .reorderUp, "alt+up"),
    line(.browsing, .reorderDown, "alt+down"),
    line(.browsing, .reorderTop, "alt+home"),
    line(.browsing, .reorderBottom, "alt+end"),
    line(.browsing, .moveToPosition, "ctrl+n"),
  ]

  private static let carrying: [Binding] = [
    line(.carrying, .nextDropPoint, "tab"),
    line(.carrying, .previousDropPoint, "shift+tab"),
    line(.carrying, .nextPosition, "down"),
    line(.carrying, .previousPosition, "up"),
    line(.carrying, .firstPosition, "home"),
    line(.carrying, .lastPosition, "end"),
    line(.carrying, .nextContainer, "page-down"),
    line(.carrying, .previousContainer, "page-up"),
    line(.carrying, .drop, "enter"),
    line(.carrying, .sayHeld, "space"),
    line(.carrying, .wishCopy, "f5"),
    line(.carrying, .wishMove, "f6"),
    line(.carrying, .wishLink, "f7"),
    line(.carrying, .openDropPoint, "right"),
    line(.carrying, .leaveDropPoint, "left"),
    line(.carrying, .takeBack, "backspace"),
    line(.carrying, .toggleRefusing, "f8"),
    line(.carrying, .details, "ctrl+d"),
    line(.carrying, .newFolder, "ctrl+k"),
    line(.carrying, .goTo, "ctrl+o"),
    line(.carrying, .filter, "/"),
    line(.carrying, .toggleEdit, "ctrl+e"),
    // On a desktop Ctrl+T belongs to the other program.
    line(.carrying, .addToDrag, "ctrl+t", "f9"),
    line(.carrying, .removeLast, "delete"),
  ]

  private static let confirming: [Binding] = [
    line(.confirming, .nextChoice, "down"),
    line(.confirming, .previousChoice, "up"),
    line(.confirming, .firstChoice, "home"),
    line(.confirming, .lastChoice, "end"),
    line(.confirming, .previousCharacter, "left"),
    line(.confirming, .nextCharacter, "right"),
    line(.confirming, .take, "enter"),
    line(.confirming, .back, "escape"),
    line(.confirming, .takeBack, "backspace"),
    line(.confirming, .complete, "tab"),
    line(.confirming, .cancelDelivery, "delete"),
  ]

  private static let anyPhase: [Binding] = [
    Binding(
      phases: [.browsing, .carrying], command: .cancel, chords: [chord("escape")]),
    everywhere(.undo, "ctrl+z"),
    everywhere(.redo, "ctrl+y"),
    everywhere(.deliveries, "ctrl+r"),
    everywhere(.goToLanded, "ctrl+g"),
    everywhere(.redraw, "ctrl+l"),
    everywhere(.whereAmI, "f2"),
    everywhere(.repeatLast, "f3"),
    everywhere(.silence, "f12"),
    everywhere(.help, "?", "f1"),
    everywhere(.quit, "ctrl+q", "f10"),
    everywhere(.interrupt, "ctrl+c"),
  ]

  private static func line(
    _ phase: PhaseName, _ command: CommandName, _ keys: String...
  ) -> Binding {
    Binding(phases: [phase], command: command, chords: keys.map(chord))
  }

  private static func everywhere(_ command: CommandName, _ keys: String...) -> Binding {
    Binding(phases: PhaseName.allCases, command: command, chords: keys.map(chord))
  }

  private static func chord(_ key: String) -> Chord {
    KeyStroke(name: key).map { [$0] } ?? []
  }
}
