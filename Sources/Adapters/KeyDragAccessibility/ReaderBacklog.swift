/// The messages that a reader has been given and not come to: a pure value.
///
/// A reader stops what it says at a key, at once, and comes to what it was told before the key only later
/// where it is slow. That is out of date by then, and the message for the key has to cut it off.
struct ReaderBacklog: Sendable {
  private var coming: [ScreenReader.Turn] = []
  /// When it came to a message last; nothing for one that is never seen to, as other readers than Orca.
  private var came: ContinuousClock.Instant?
  private var isBehind = false

  /// A reader that came to a message so shortly before a key may have stopped for the key before that.
  private static let doubt = Duration.milliseconds(60)
  private static let most = 100

  /// A message was handed over.
  mutating func send(_ turn: ScreenReader.Turn) {
    if coming.count >= Self.most { coming.removeFirst() }
    coming.append(turn)
  }

  /// The reader has asked something.
  mutating func take(_ call: BusCall, at now: ContinuousClock.Instant) {
    for index in coming.indices.reversed() where coming[index].isHere(call) {
      // It passes over what it has dropped.
      coming.removeSubrange(...index)
      came = now
      return
    }
  }

  /// The person has pressed a key.
  mutating func press(at now: ContinuousClock.Instant) {
    guard let came else { return }
    isBehind = isBehind || !coming.isEmpty || now - came < Self.doubt
  }

  /// Whether the message that is handed over now has to cut off what comes before it: the first after a key
  /// at which the reader was behind.
  mutating func takeCut() -> Bool {
    defer { isBehind = false }
    return isBehind
  }
}
