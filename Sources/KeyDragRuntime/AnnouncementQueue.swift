import DequeModule
import KeyDragCore

/// Decides what is said and when: assertive before polite, only the newest of a kind in a flood, no
/// repeats, outcomes never dropped.
///
/// A pure value: the narrator passes its actions to the voice and reports when the voice has
/// finished.
package struct AnnouncementQueue: Sendable {
  package struct Entry: Hashable, Sendable {
    /// The kind of announcement; of two polite ones in the queue the newer replaces the older.
    package var id: String
    /// Its urgency decides the place in the queue.
    package var utterance: Utterance
    /// Whether something newer may replace it; never for outcomes.
    package var mayBeDropped: Bool
    /// Warns that a drop can't be undone, which is not repeated at each place.
    package var warns = false
  }

  package enum Action: Hashable, Sendable {
    /// Cuts off the current utterance.
    case silence
    case speak(Utterance)
  }

  /// Passed to the voice and not finished.
  private var speaking: Entry?
  /// Assertive ones first, each group in order of arrival.
  private var waiting: Deque<Entry> = []
  /// Since ``takeLostWarning()`` was last called.
  private var isWarningLost = false

  package init() {}

  /// Whether a warning has been cut off or dropped since the last call.
  package mutating func takeLostWarning() -> Bool {
    defer { isWarningLost = false }
    return isWarningLost
  }

  /// Whether a key would cut off a warning, or one has been lost.
  package var isWarningAtRisk: Bool {
    isWarningLost || speaking?.warns == true || waiting.contains { $0.warns && $0.mayBeDropped }
  }

  package var isEmpty: Bool { speaking == nil && waiting.isEmpty }

  /// Queues the announcements of one input; returns the actions for the voice, in order.
  package mutating func add(_ batch: [Entry]) -> [Action] {
    var actions: [Action] = []
    for entry in AnnouncementQueue.joined(batch) { actions += add(entry) }
    return actions
  }

  /// Queues one entry; an assertive one cuts off a polite one that may be dropped.
  private mutating func add(_ entry: Entry) -> [Action] {
    if entry.mayBeDropped, isSaid(entry) { return [] }
    if Self.outcomes.contains(entry.id) { drop { Self.underWay.contains($0.id) } }
    if entry.utterance.urgency == .polite {
      if entry.mayBeDropped {
        drop { $0.id == entry.id && $0.mayBeDropped }
      }
      waiting.append(entry)
    } else {
      let index = waiting.firstIndex { $0.utterance.urgency == .polite } ?? waiting.endIndex
      waiting.insert(entry, at: index)
      if let now = speaking, now.utterance.urgency == .polite, now.mayBeDropped {
        isWarningLost = isWarningLost || now.warns
        speaking = nil
        return [.silence] + next()
      }
    }
    return next()
  }

  /// Whether the same words are being said or are queued.
  private func isSaid(_ entry: Entry) -> Bool {
    ([speaking].compactMap(\.self) + waiting).contains { other in
      other.utterance.text == entry.utterance.text
        // Sounds without words are told apart by the sound.
        && (!entry.utterance.text.isEmpty || other.utterance.earcon == entry.utterance.earcon)
    }
  }

  /// Drops queued entries and notes a lost warning.
  private mutating func drop(_ isLeftOut: (Entry) -> Bool) {
    isWarningLost = isWarningLost || waiting.contains { isLeftOut($0) && $0.warns }
    waiting.removeAll(where: isLeftOut)
  }

  /// Cuts off the current utterance and drops what may be dropped.
  package mutating func keyPressed() -> [Action] {
    drop { $0.mayBeDropped }
    guard let cut = speaking else { return [] }
    isWarningLost = isWarningLost || cut.warns
    speaking = nil
    return [.silence] + next()
  }

  package mutating func finished() -> [Action] {
    speaking = nil
    return next()
  }

  /// Starts the next entry unless one is being said.
  private mutating func next() -> [Action] {
    guard speaking == nil, let entry = waiting.popFirst() else { return [] }
    speaking = entry
    return [.speak(entry.utterance)]
  }

  /// Kinds that report a delivery in progress, and those that report its outcome.
  static let underWay: Set<String> = ["delivering", "progress", "task"]
  static let outcomes: Set<String> = [
    "delivered", "partly-delivered", "unconfirmed", "failed", "delivery-cancelled",
  ]

  static func kind(of announcement: Announcement) -> String {
    // News of others that are gone leaves the word of where one stands now.
    if case .vanished(_, _?, _) = announcement { return "standing" }
    return announcement.id
  }

  /// Pairs that form one utterance, a pick-up and its first drop point or a question and its first
  /// answer: neither cuts off the other or replaces it on a braille display.
  static func isOne(_ first: String, _ second: String) -> Bool {
    first == "picked-up" && second == "drop-point" || first == "confirm" && second == "choice"
  }

  private static func joined(_ batch: [Entry]) -> [Entry] {
    var result: [Entry] = []
    for entry in batch {
      if entry.utterance.text.isEmpty || result.last?.utterance.text.isEmpty == true {
        // A sound alone has no words to join.
        result.append(entry)
      } else if let last = result.last, isOne(last.id, entry.id) {
        result[result.count - 1].utterance.text += " " + entry.utterance.text
        result[result.count - 1].warns = entry.warns
      } else if outcomes.contains(entry.id), result.last?.id == "task" {
        // An outcome implies that its task has ended and replaces that message.
        result[result.count - 1] = entry
      } else {
        result.append(entry)
      }
    }
    return result
  }
}
