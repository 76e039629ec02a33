/// The service by which the person's screen reader speaks, which ends and begins apart from the reader.
package protocol ReaderSpeech: AnyObject, Sendable {
  /// Has the service say no more of what anybody has given it until now; returns when it has.
  func silence()

  /// Whether the service has ended since it was last asked about here, or does not run: a reader that
  /// spoke before finds its connection closed with its next words.
  func hasEnded() -> Bool
}
