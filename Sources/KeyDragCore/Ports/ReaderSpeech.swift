/// The service through which the person's screen reader speaks; it starts and ends independently of
/// the reader.
package protocol ReaderSpeech: AnyObject, Sendable {
  /// Has the service drop all queued speech of any client; returns when it has.
  func silence()

  /// Whether the service has ended since the last call, or is not running: a reader that spoke
  /// before will find its connection closed.
  func hasEnded() -> Bool
}
