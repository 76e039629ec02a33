import KeyDragBus

/// The messages that a reader was handed and has not reached: a pure value. A reader stops speaking
/// at a key, at once, but a slow one reaches messages from before the key only later. They are
/// outdated by then, and the message for the key must cut them off.
struct ReaderBacklog: Sendable {
  private var coming: [ScreenReader.MessageReceipt] = []
  /// When it last reached a message; `nil` for a reader that never shows it, as others than Orca.
  private var came: ContinuousClock.Instant?
  private var isBehind = false

  /// A reader that reached a message so shortly before a key may have stopped for the key before
  /// that.
  private static let doubt = Duration.milliseconds(60)
  private static let most = 100

  mutating func send(_ turn: ScreenReader.MessageReceipt) {
    if coming.count >= Self.most { coming.removeFirst() }
    coming.append(turn)
  }

  mutating func take(_ call: BusCall, at now: ContinuousClock.Instant) {
    for index in coming.indices.reversed() where coming[index].isHere(call) {
      // It skips messages that it has dropped.
      coming.removeSubrange(...index)
      came = now
      return
    }
  }

  mutating func press(at now: ContinuousClock.Instant) {
    guard let came else { return }
    isBehind = isBehind || !coming.isEmpty || now - came < Self.doubt
  }

  /// Whether the next message must cut off earlier ones: the first after a key at which the reader
  /// was behind.
  mutating func takeCut() -> Bool {
    defer { isBehind = false }
    return isBehind
  }
}
