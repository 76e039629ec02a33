import DequeModule
import KeyDragCore

/// Decides what is said, when, and what is left out: assertive before polite, a flood reduced to
/// the newest of its kind, nothing twice, outcomes never dropped.
///
/// A pure value: the narrator gives its actions to the voice and tells it when the voice is done.
package struct AnnouncementQueue: Sendable {
  /// A message that waits.
  package struct Entry: Hashable, Sendable {
    /// The kind of announcement; of two alike that wait politely the newer one stays.
    package var id: String
    /// With its urgency, which decides its place.
    package var utterance: Utterance
    /// Whether it may be left out when something newer comes. Outcomes never may.
    package var mayBeDropped: Bool
    /// Says of a place that a drop there can't be undone, which is not said at each place.
    package var warns = false
  }

  /// A command to the voice.
  package enum Action: Hashable, Sendable {
    /// Cut off what is being said.
    case silence
    case speak(Utterance)
  }

  /// Given to the voice and not said to its end.
  private var speaking: Entry?
  /// Assertive ones first, each sort in its order.
  private var waiting: Deque<Entry> = []
  /// Since it was asked last.
  private var isWarningLost = false

  package init() {}

  /// Whether a warning has been cut off, or was never begun, since this was asked last.
  package mutating func takeLostWarning() -> Bool {
    defer { isWarningLost = false }
    return isWarningLost
  }

  /// Whether a key would cut a warning off, or one has been.
  package var isWarningAtRisk: Bool {
    isWarningLost || speaking?.warns == true || waiting.contains { $0.warns && $0.mayBeDropped }
  }

  /// Whether nothing is being said and nothing waits.
  package var isEmpty: Bool { speaking == nil && waiting.isEmpty }

  /// Takes what one input led to, in order.
  ///
  /// - Returns: what the voice is to do, in order.
  package mutating func add(_ batch: [Entry]) -> [Action] {
    var actions: [Action] = []
    for entry in AnnouncementQueue.joined(batch) { actions += add(entry) }
    return actions
  }

  /// Puts one entry in its place; an assertive one cuts off a polite one that may be dropped.
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

  /// Whether the same words are being said or wait already.
  private func isSaid(_ entry: Entry) -> Bool {
    ([speaking].compactMap(\.self) + waiting).contains { other in
      other.utterance.text == entry.utterance.text
        // Of a sound alone the words say nothing.
        && (!entry.utterance.text.isEmpty || other.utterance.earcon == entry.utterance.earcon)
    }
  }

  /// Leaves out what waits; a warning among it has not been heard.
  private mutating func drop(_ isLeftOut: (Entry) -> Bool) {
    isWarningLost = isWarningLost || waiting.contains { isLeftOut($0) && $0.warns }
    waiting.removeAll(where: isLeftOut)
  }

  /// A key was pressed: what is being said stops, what waited politely is dropped.
  package mutating func keyPressed() -> [Action] {
    drop { $0.mayBeDropped }
    guard let cut = speaking else { return [] }
    isWarningLost = isWarningLost || cut.warns
    speaking = nil
    return [.silence] + next()
  }

  /// Notes that the utterance being spoken has come to its end.
  package mutating func finished() -> [Action] {
    speaking = nil
    return next()
  }

  /// Begins the first of those that wait, unless something is being said.
  private mutating func next() -> [Action] {
    guard speaking == nil, let entry = waiting.popFirst() else { return [] }
    speaking = entry
    return [.speak(entry.utterance)]
  }

  /// Kinds that tell of a delivery that goes on, and those that tell how it ended.
  static let underWay: Set<String> = ["delivering", "progress", "task"]
  static let outcomes: Set<String> = [
    "delivered", "partly-delivered", "unconfirmed", "failed", "delivery-cancelled",
  ]

  /// A pick-up and the first drop point are one utterance, as are a question and its first answer: neither
  /// cuts the other off, nor takes its place on a braille display.
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
        // An outcome says that its task has ended, and takes the place of that message.
        result[result.count - 1] = entry
      } else {
        result.append(entry)
      }
    }
    return result
  }
}
