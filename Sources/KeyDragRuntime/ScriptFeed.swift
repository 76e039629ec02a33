import DequeModule
import KeyDragCore

/// Gives out the words of a key script when their time has come.
///
/// A value of the runner. A script may come in pieces, while the run goes on.
struct ScriptFeed {
  /// Those that are not taken yet.
  private var words: Deque<ScriptWord>
  /// Whether there is a script at all.
  private let exists: Bool
  /// Whether more words may come.
  private var isOpen: Bool
  /// The identifiers of the announcements made since the last word was taken.
  private var heard: Set<String> = []

  /// - Parameter words: `nil` without a script that is known from the start.
  init(words: [ScriptWord]?, isOpen: Bool) {
    self.words = Deque(words ?? [])
    self.isOpen = isOpen
    exists = words != nil || isOpen
  }

  /// Whether the script has been given whole and every word has been taken.
  var isFinished: Bool { exists && !isOpen && words.isEmpty }

  /// Adds words that have been read since.
  mutating func append(_ more: [ScriptWord]) { words.append(contentsOf: more) }

  /// No more words come.
  ///
  /// - Parameter dropping: whether those that wait are left out as well.
  mutating func close(dropping: Bool = false) {
    isOpen = false
    if dropping { words.removeAll() }
  }

  /// Notes an announcement, for a wait that follows.
  mutating func announced(_ id: String) { heard.insert(id) }

  /// Announcements that come without a command: of other programs, of disks, of what ends late.
  private static let unasked: Set<String> = [
    "ready", "appeared", "vanished", "listing", "problem", "recovered", "undone", "redone", "empty",
    "drop-point", "nothing-accepts", "session-ended", "left", "confirm", "unconfirmed",
  ]

  /// The announcement that it waits for and that no command and no delivery will make any more.
  func waitsInVain(isWaiting: Bool) -> String? {
    guard !isWaiting, !isOpen, case .wait(let id)? = words.first, !heard.contains(id),
      !Self.unasked.contains(id)
    else { return nil }
    return id
  }

  /// The next word, when it may be taken now.
  ///
  /// A word is taken when no listing, verdict or delivery is outstanding; an immediate stroke at
  /// once; a wait when its announcement has been made since the word before it.
  ///
  /// - Parameter isWaiting: whether something is outstanding.
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
