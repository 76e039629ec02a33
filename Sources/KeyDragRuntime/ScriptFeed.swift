import DequeModule
import KeyDragCore

/// Releases the words of a key script when their turn has come.
///
/// Owned by the runner. A script may arrive in pieces during the run.
struct ScriptFeed {
  private var words: Deque<ScriptWord>
  private let exists: Bool
  private var isOpen: Bool
  /// Announcements since the last word was taken, by identifier.
  private var heard: Set<String> = []

  /// - Parameter words: `nil` when no script is known at the start.
  init(words: [ScriptWord]?, isOpen: Bool) {
    self.words = Deque(words ?? [])
    self.isOpen = isOpen
    exists = words != nil || isOpen
  }

  var isFinished: Bool { exists && !isOpen && words.isEmpty }

  mutating func append(_ more: [ScriptWord]) { words.append(contentsOf: more) }

  /// No more words come; `dropping` discards the pending ones as well.
  mutating func close(dropping: Bool = false) {
    isOpen = false
    if dropping { words.removeAll() }
  }

  mutating func announced(_ id: String) { heard.insert(id) }

  /// Announcements that may come without a command: from other programs, disks and late results.
  private static let unasked: Set<String> = [
    "ready", "appeared", "vanished", "listing", "problem", "recovered", "undone", "redone", "empty",
    "drop-point", "nothing-accepts", "session-ended", "left", "confirm", "unconfirmed",
  ]

  /// The announcement that it waits for and that no command or delivery will make any more.
  func waitsInVain(isWaiting: Bool) -> String? {
    guard !isWaiting, !isOpen, case .wait(let id)? = words.first, !heard.contains(id),
      !Self.unasked.contains(id)
    else { return nil }
    return id
  }

  /// The next word if it may be taken now: an immediate stroke at once, a wait once its
  /// announcement has been made since the previous word, anything else unless a listing, verdict or
  /// delivery is pending (`isWaiting`).
  mutating func next(isWaiting: Bool) -> ScriptWord? {
    guard let word = words.first else { return nil }
    switch word {
    case .stroke(_, isImmediate: true): break
    case .wait(let id):
      guard heard.contains(id) else { return nil }
      words.removeFirst()
      return word
    case .stroke, .text, .command:
      if isWaiting { return nil }
    }
    heard.removeAll()
    words.removeFirst()
    return word
  }
}
