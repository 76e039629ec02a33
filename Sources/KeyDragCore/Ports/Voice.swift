/// How urgent a message is.
public enum Urgency: String, Hashable, Sendable, Comparable, CaseIterable {
  /// Waits its turn.
  case polite
  /// Interrupts what is polite and comes first.
  case assertive

  /// Polite comes before assertive.
  public static func < (lhs: Urgency, rhs: Urgency) -> Bool {
    lhs == .polite && rhs == .assertive
  }
}

/// A short sound that tells operations and outcomes apart.
package enum Earcon: String, Hashable, Sendable, CaseIterable {
  case pickUp = "pick-up"
  case copy
  case move
  case link
  case remove
  case open
  case notAllowed = "not-allowed"
  case delivered
  case failed
  case cancelled
}

/// One message handed to the voice.
package struct Utterance: Hashable, Sendable {
  /// Words only: already in the listener's language, already safe.
  package var text: String
  /// BCP 47 tag of the words.
  package var language: String
  package var urgency: Urgency
  /// Played before the words.
  package var earcon: Earcon?

  package init(
    text: String, language: String, urgency: Urgency = .polite, earcon: Earcon? = nil
  ) {
    self.text = text
    self.language = language
    self.urgency = urgency
    self.earcon = earcon
  }
}

/// Something that speaks.
package protocol Voice: AnyObject, Sendable {
  /// Hands over an utterance and returns at once. The runtime has already decided what may be said;
  /// the voice speaks in the order given.
  func speak(_ utterance: Utterance)

  /// Stops what is being said and forgets what waits, within a few milliseconds; into a file nothing
  /// is stopped.
  func silence()

  /// Returns when all that was handed over has been said or written, or `deadline` seconds passed.
  func finish(within deadline: Double)

  /// Called from any thread each time an utterance has been said to its end, so that the next polite
  /// one may be handed over.
  func onIdle(_ handler: @escaping @Sendable () -> Void)

  /// The part that does not work, to be said once in text; `nil` when all is well.
  var problem: Problem? { get }
}
