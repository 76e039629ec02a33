/// The service through which the screen reader speaks; it starts and ends independently.
package protocol ReaderSpeech: AnyObject, Sendable {
  /// Has the service drop all queued speech of any client; returns when it has.
  func silence()

  /// Whether the service has ended since the last call, or is not running: a reader that spoke
  /// before will find its connection closed.
  func hasEnded() -> Bool
}
