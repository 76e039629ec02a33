import KeyDragThreads

/// Waits until the user releases modifiers and buttons: a held modifier would reach the target with
/// the drop and could change its action. Used by XDND drags and by the pointer.
struct InputReleaseWait: Hashable, Sendable {
  enum Answer: Hashable, Sendable { case wait, goOn, giveUp }

  /// Longest wait, and the interval between polls.
  static let patience: Milliseconds = 2_000
  static let pause: Milliseconds = 20

  private let since: Milliseconds
  /// Time of the next poll.
  private(set) var next: Milliseconds

  init(since: Milliseconds) { (self.since, next) = (since, since) }

  mutating func look(_ held: XServer.Held, now: Milliseconds) -> Answer {
    guard !held.isEmpty else { return .goOn }
    next = now + InputReleaseWait.pause
    guard now >= since + InputReleaseWait.patience else { return .wait }
    // A modifier held by sticky keys never comes up; with a button held, the pointer would drag
    // something of its own.
    return held.contains(.button) ? .giveUp : .goOn
  }
}
