import KeyDragThreads

/// Waits until no hand holds a modifier or button: a modifier would reach the target with the drop
/// and could change what it does.
///
/// A value with its own clock; milliseconds. Used by drags over XDND and by the pointer.
struct InputReleaseWait: Hashable, Sendable {
  enum Answer: Hashable, Sendable { case wait, goOn, giveUp }

  /// How long is waited at most, and between two looks. 2 s, and 20 ms.
  static let patience: Milliseconds = 2_000
  static let pause: Milliseconds = 20

  /// When waiting began.
  private let since: Milliseconds
  /// When to look the next time.
  private(set) var next: Milliseconds

  init(since: Milliseconds) { (self.since, next) = (since, since) }

  /// Takes one look.
  ///
  /// - Parameter held: of one look at the pointer; everything may have changed since.
  mutating func look(_ held: XServer.Held, now: Milliseconds) -> Answer {
    guard !held.isEmpty else { return .goOn }
    next = now + InputReleaseWait.pause
    guard now >= since + InputReleaseWait.patience else { return .wait }
    // A modifier that sticky keys hold never comes up; with a button held, the pointer would drag
    // something of its own.
    return held.contains(.button) ? .giveUp : .goOn
  }
}
