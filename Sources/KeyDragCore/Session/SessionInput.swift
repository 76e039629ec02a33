/// Everything that can happen to a session: what the user wants and what the world did. Nothing else
/// changes a session.
package enum SessionInput: Sendable {
  /// Begin: list the containers that were given.
  case start
  case command(CommandName)
  /// Text to search for. One letter goes on with what was typed before; several begin anew.
  ///
  /// - Parameter cutsWarning: whether a warning of a place is cut off, if the text leads anywhere.
  case typeAhead(String, cutsWarning: Bool = false)
  /// Files and folders to be picked up, by their absolute paths or "file:" addresses.
  case places([String])
  /// Something was pasted that is too long to be taken.
  case tooLongPaste
  case unknownKey(KeyStroke)
  /// Letters are taken for the name of a place from now on, which they are not otherwise there.
  case finding
  /// The name has been typed: letters are not taken any more.
  case findingEnded
  /// The key that picks up is taken from now on: another program had it.
  case pickUpKeyFree
  /// The last word about a place's way back was cut off by a key before its end.
  case unheard
  case report(WorldReport)
  case timer(SessionTimer)
  /// The program was stopped and goes on, or its screen was lost.
  case resumed
  /// How many rows a page has.
  case resized(rows: Int)
  /// These items are in sight, on a screen that eyes read.
  case shown([DragSourceID], showsPreview: Bool = false)
  /// A container and its places: for drops without a walk, and the windows of a desktop. There,
  /// while nothing is held, the order in which they were registered last is the order of the walk.
  case register(Listing)
  /// The thing that has the focus on the desktop: one container and its sources, browsed from now
  /// on instead of the one before, the marked ones to be picked up. While a drag is held it is
  /// added to. Not a word is said of it.
  case focus(Listing, marked: [DragSourceID])
  /// One drop without a walk: the menu-command alternative.
  case transfer(Transfer)
  /// Undo or redo one entry by its number.
  case undoEntry(Int64)
  case redoEntry(Int64)
  /// No more input will come.
  case ended
}

extension SessionInput {
  /// Whether the person has done something, such as press a key.
  var isOfPerson: Bool {
    switch self {
    case .command, .typeAhead, .places, .tooLongPaste, .unknownKey, .finding, .findingEnded: true
    case .start, .pickUpKeyFree, .unheard, .report, .timer, .resumed, .resized, .shown, .register,
      .focus, .transfer, .undoEntry, .redoEntry, .ended:
      false
    }
  }
}

/// One drop ordered as a whole.
package struct Transfer: Hashable, Sendable {
  package var sources: [DragSourceID]
  package var stop: DropStop
  package var operation: DragOperation?
  package var clash: ClashPolicy

  package init(
    sources: [DragSourceID], stop: DropStop, operation: DragOperation?, clash: ClashPolicy
  ) {
    self.sources = sources
    self.stop = stop
    self.operation = operation
    self.clash = clash
  }
}

/// A time that a session waits for by the clock.
package enum SessionTimer: Hashable, Sendable {
  /// An answer is late; the person should hear that it is being asked for.
  case asking(RequestID)
  /// Nothing has come yet of the key that drops.
  case drop
  /// A delivery has run for so long that it should be announced.
  case delivery(DeliveryID)
  /// The time after which things that have appeared are told together.
  case appearing
}

/// An effect that a session wants: comparable values, never closures.
package enum Effect: Hashable, Sendable {
  case announce(Announcement)
  case request(RequestID, WorldRequest)
  case startTimer(SessionTimer, milliseconds: Int)
  case cancelTimer(SessionTimer)
  case silence
  case repaint
  /// End when no delivery runs any more.
  case quit
  /// End now, with everything that runs cancelled.
  case interrupt
  /// A key that had to wait is carried out now: what it is called in a transcript.
  case took(command: String, key: String)

  /// What is to be said; `nil` for everything else.
  package var announcement: Announcement? {
    if case .announce(let announcement) = self { announcement } else { nil }
  }
}
