package struct ReaderMessage: Hashable, Sendable {
  /// Unique among the messages of the run.
  package var number: Int
  /// Words only, safe to speak.
  package var text: String
  /// The words in the order in which they stay on a braille display that can be told so.
  package var shown: String
  package var urgency: Urgency
  /// Whether a later key makes it pointless. Outcomes are kept, even polite ones.
  package var mayBeDropped: Bool
  /// Whether it warns that a drop at a place can't be undone.
  package var warns: Bool
  /// Whether what the reader is likely to be saying is pointless now.
  package var cutsOff = false
  /// Whether the words stand on the screen, where a reader with ``Announcer/skipsMarkedText`` reads them.
  package var isPainted = false

  /// - Parameter mayBeDropped: `nil` for the default of this urgency.
  package init(
    number: Int, text: String, urgency: Urgency, mayBeDropped: Bool? = nil, warns: Bool = false
  ) {
    self.number = number
    (self.text, shown) = (text, text)
    self.urgency = urgency
    self.mayBeDropped = mayBeDropped ?? (urgency == .polite)
    self.warns = warns
  }
}

/// Hands messages to the person's screen reader, if there is one.
package protocol Announcer: AnyObject, Sendable {
  /// The current route to the reader; `nil` when none is listening.
  var rung: ReaderRoute? { get }

  /// The slowest speech rate to expect.
  var charactersPerSecond: Double { get }

  /// Whether the reader reads text that appears in a terminal after Up, Down, Page Up and Page
  /// Down, as Orca 48 and newer do.
  var readsInsertedText: Bool { get }

  /// Whether it says nothing of text that appears in a terminal after Space, Tab, Enter and characters where a
  /// line in it begins with "~", the sign of an editor for lines that are not there, as Orca 48 does
  /// (`treatEventAsCommand` in its script for terminals).
  var skipsMarkedText: Bool { get }

  /// Hands over a message and returns its route at once; `nil` when no reader is listening and the
  /// message must be delivered in another way.
  func announce(_ message: ReaderMessage) -> ReaderRoute?

  /// Sets the handler for messages whose route changes, called on any thread: to the next route, or
  /// `nil` when no reader took the message and it must be delivered in another way.
  func onChange(_ handler: @escaping @Sendable (ReaderMessage, ReaderRoute?) -> Void)

  /// Exposes the session to assistive technologies; returns at once.
  func show(_ scene: @autoclosure () -> DragScene)

  /// Sets the handler, called on any thread, for commands from assistive technologies.
  func onCommand(_ handler: @escaping @Sendable (CommandName) -> Void)

  /// Repeats the messages of the key before the last one, unless they were heard completely: the
  /// last key has no messages of its own and may have cut them off.
  func sayAgain()

  /// Called when the person presses a key, whose messages supersede all earlier ones.
  func keyPressed()

  /// Waits until a reader has noticed what just disappeared, which would end a braille message.
  func waitForScreen()

  /// Removes a message that no reader took and that was delivered in another way, so that a reader
  /// which wakes up later does not say it again.
  func withdraw(_ message: ReaderMessage)

  /// Stays available until the reader has had time to query what it was told of.
  func finish()
}

extension Announcer {
  package var isListening: Bool { rung != nil }

  package var readsInsertedText: Bool { false }

  package var skipsMarkedText: Bool { false }

  /// Orca's default rate, with some margin.
  package var charactersPerSecond: Double { 12 }

  package func sayAgain() {}

  package func keyPressed() {}

  package func waitForScreen() {}

  package func withdraw(_ message: ReaderMessage) {}
}

/// The session as exposed to assistive technologies: words only, in the listener's language.
package struct DragScene: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package var name: String
    package var note: String
    /// Whether it can be chosen: neither held nor refusing.
    package var isDroppable: Bool
    /// The operation of a drop there, while carrying.
    package var operation: DragOperation?

    package init(
      name: String, note: String = "", isDroppable: Bool = true, operation: DragOperation? = nil
    ) {
      self.name = name
      self.note = note
      self.isDroppable = isDroppable
      self.operation = operation
    }
  }

  package var phase = PhaseName.browsing
  package var title = ""
  /// The carried items in words; `nil` when there are none.
  package var carried: String?
  package var rows: [Row] = []
  package var current: Int?
  /// The operation of a drop at the current place.
  package var operation: DragOperation?
  /// The running delivery in words, and its progress from 0 to 100.
  package var delivery: String?
  package var percent: Int?

  package init() {}

  /// The object of the actions while nothing is carried.
  package var subject: String {
    current.flatMap { rows.indices.contains($0) ? rows[$0].name : nil } ?? title
  }
}
