/// The urgency of a message.
public enum Urgency: String, Hashable, Sendable, Comparable, CaseIterable {
  /// Waits for its turn.
  case polite
  /// Interrupts polite messages and comes first.
  case assertive

  /// Polite orders before assertive.
  public static func < (lhs: Urgency, rhs: Urgency) -> Bool {
    lhs == .polite && rhs == .assertive
  }
}

/// A short sound that identifies an operation or an outcome.
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

package struct Utterance: Hashable, Sendable {
  /// Words only, in the listener's language and safe to speak.
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

package protocol Voice: AnyObject, Sendable {
  /// Queues an utterance and returns at once. The runtime has already decided what to say;
  /// utterances are spoken in order.
  func speak(_ utterance: Utterance)

  /// Stops the current utterance and drops pending ones within a few milliseconds; a recording to a
  /// file is not stopped.
  func silence()

  /// Returns when everything queued has been said or written, or after `deadline` seconds.
  func finish(within deadline: Double)

  /// Sets the handler, called on any thread whenever an utterance has ended, so that the next
  /// polite one may follow.
  func onIdle(_ handler: @escaping @Sendable () -> Void)

  /// A failure to be reported once as text; `nil` if there is none.
  var problem: Problem? { get }
}
