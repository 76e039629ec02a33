/// A message for the person's screen reader.
package struct ReaderMessage: Hashable, Sendable {
  /// Tells it apart from every other message of the run.
  package var number: Int
  /// Words only, already safe.
  package var text: String
  /// The words in the order in which they stay on a braille display that can be told so.
  package var shown: String
  package var urgency: Urgency
  /// Whether a newer key makes it pointless. Outcomes stay, also those that are said politely.
  package var mayBeDropped: Bool
  /// Whether it says of a place that a drop there can't be undone.
  package var warns: Bool
  /// Whether what the reader is likely to be saying is pointless now.
  package var cutsOff = false

  /// - Parameter mayBeDropped: `nil` for what is usual with this urgency.
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

/// Something that hands messages to the person's screen reader, while there is one.
package protocol Announcer: AnyObject, Sendable {
  /// The way that a message would take now; nothing when no reader listens.
  var rung: ReaderRoute? { get }

  /// How many characters a second the reader says at least.
  var charactersPerSecond: Double { get }

  /// Whether the reader reads text that appears in a terminal after Up, Down, Page Up and Page Down, as
  /// Orca 48 and newer do.
  var readsInsertedText: Bool { get }

  /// Whether it says nothing of text that appears in a terminal after Space, Tab, Enter and characters where a
  /// line in it begins with "~", the sign of an editor for lines that are not there, as Orca 48 does
  /// (`treatEventAsCommand` in its script for terminals).
  var skipsMarkedText: Bool { get }

  /// Hands over a message and returns at once: the way it takes, or nothing when no reader listens
  /// now, so that it is to be told in another way.
  func announce(_ message: ReaderMessage) -> ReaderRoute?

  /// Called from any thread when a message takes another way than it was first given: the next rung,
  /// or nothing when no reader took it, so that it is to be told in another way after all.
  func onChange(_ handler: @escaping @Sendable (ReaderMessage, ReaderRoute?) -> Void)

  /// Lets assistive technologies see the session; returns at once.
  func show(_ scene: @autoclosure () -> DragScene)

  /// Called from any thread with what an assistive technology wants done.
  func onCommand(_ handler: @escaping @Sendable (CommandName) -> Void)

  /// Hands over once more what the key before the last one has led to, unless that was heard whole: the
  /// last one leads to no words, and may have cut them off.
  func sayAgain()

  /// The person has pressed a key, whose words are out of the way of all that were handed over before.
  func keyPressed()

  /// Lets a reader see first what has just gone from the screen: it would end a message on a braille
  /// display.
  func waitForScreen()

  /// Leaves a message out that no reader took and that was told in another way, where the reader has not
  /// learnt its words yet: one that wakes up later does not say it for the second time.
  func withdraw(_ message: ReaderMessage)

  /// Stays there until the reader has had the time to ask for what it was told of.
  func finish()
}

extension Announcer {
  /// Whether a reader listens now.
  package var isListening: Bool { rung != nil }

  package var readsInsertedText: Bool { false }

  package var skipsMarkedText: Bool { false }

  /// Orca's own rate where nobody has changed it, and some air.
  package var charactersPerSecond: Double { 12 }

  package func sayAgain() {}

  package func keyPressed() {}

  package func waitForScreen() {}

  package func withdraw(_ message: ReaderMessage) {}
}

/// The session as an assistive technology sees it: words only, in the listener's language.
package struct DragScene: Hashable, Sendable {
  /// One line: an item, a drop point or a choice.
  package struct Row: Hashable, Sendable {
    package var name: String
    package var note: String
    /// Can be chosen: not held, not refusing.
    package var isWelcome: Bool
    /// The operation of a drop there, while carrying.
    package var operation: DragOperation?

    package init(
      name: String, note: String = "", isWelcome: Bool = true, operation: DragOperation? = nil
    ) {
      self.name = name
      self.note = note
      self.isWelcome = isWelcome
      self.operation = operation
    }
  }

  package var phase = PhaseName.browsing
  /// The place where the person is, in words.
  package var title = ""
  /// The items carried, in words; `nil` when nothing is.
  package var carried: String?
  package var rows: [Row] = []
  /// The index in ``rows`` of the one the person is on.
  package var current: Int?
  /// The operation of a drop here and now.
  package var operation: DragOperation?
  /// The running delivery in words, and how far it is, from 0 to 100.
  package var delivery: String?
  package var percent: Int?

  package init() {}

  /// What the actions are about while nothing is carried.
  package var subject: String {
    current.flatMap { rows.indices.contains($0) ? rows[$0].name : nil } ?? title
  }
}
