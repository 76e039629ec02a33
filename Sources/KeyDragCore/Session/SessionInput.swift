/// All input of a session, from the person and from the world.
package enum SessionInput: Sendable {
  /// Starts the session by listing the given containers.
  case start
  case command(CommandName)
  /// Text to search for: one letter continues the search, several start a new one.
  ///
  /// - Parameter cutsWarning: whether a warning about a place is cut off if the text has an effect.
  case typeAhead(String, cutsWarning: Bool = false)
  /// Files and folders to pick up, as absolute paths or "file:" addresses.
  case places([String])
  case tooLongPaste
  case unknownKey(KeyStroke)
  /// Letters are taken for the name of a place from now on; on a desktop they are not otherwise.
  case finding
  /// The name is complete: letters are no longer taken.
  case findingEnded
  /// The key that picks up, which another program had, is ours now.
  case pickUpKeyFree
  /// The last announcement about the undo of a place was cut off by a key.
  case unheard
  case report(WorldReport)
  case timer(SessionTimer)
  /// The program was stopped and continues, or its screen was lost.
  case resumed
  case resized(rows: Int)
  /// These items are in sight, on a screen that eyes read.
  case shown([DragSourceID], showsPreview: Bool = false)
  /// A container and its places, for drops without a walk and for the windows of a desktop. On a
  /// desktop the order of the last registration is the order of the walk, while nothing is held.
  case register(Listing)
  /// The focused item on the desktop: one container and its sources, browsed from now on in place
  /// of the previous one, with the marked ones to pick up or, during a drag, to add. Not announced.
  case focus(Listing, marked: [DragSourceID])
  /// A drop without a walk, as from a menu command.
  case transfer(Transfer)
  case undoEntry(Int64)
  case redoEntry(Int64)
  case ended
}

extension SessionInput {
  /// Whether it is an action of the person, such as a key.
  var isUserAction: Bool {
    switch self {
    case .command, .typeAhead, .places, .tooLongPaste, .unknownKey, .finding, .findingEnded: true
    case .start, .pickUpKeyFree, .unheard, .report, .timer, .resumed, .resized, .shown, .register,
      .focus, .transfer, .undoEntry, .redoEntry, .ended:
      false
    }
  }
}

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

package enum SessionTimer: Hashable, Sendable {
  /// An answer is late, which is announced.
  case asking(RequestID)
  /// The key that drops has had no effect yet.
  case drop
  /// A delivery has run long enough to be announced.
  case delivery(DeliveryID)
  /// The time to announce appearances together.
  case appearing
}

/// An effect requested by a session: comparable values, never closures.
package enum Effect: Hashable, Sendable {
  case announce(Announcement)
  case request(RequestID, WorldRequest)
  case startTimer(SessionTimer, milliseconds: Int)
  case cancelTimer(SessionTimer)
  case silence
  case repaint
  /// End once no delivery is running.
  case quit
  /// End now and cancel everything that is running.
  case interrupt
  /// A queued key is being carried out; its name in a transcript.
  case took(command: String, key: String)

  package var announcement: Announcement? {
    if case .announce(let announcement) = self { announcement } else { nil }
  }
}
