import KeyDragCore

/// Questions to programs that wait for their turn.
///
/// The one about the place where the person is comes first, then what is asked ahead of them, in
/// the order of the walk, and what was asked about places that they have left comes last. A place
/// that was asked ahead is not asked twice when the person reaches it. After the last question
/// before a drop nothing is asked ahead: no other drag gets between it and the drop.
///
/// A value; ``Asking`` keeps it behind its lock. An asker is whoever is told the answer.
struct Questions<Asker: Sendable>: Sendable {
  /// One question, and all who wait for it.
  private struct Question: Sendable {
    var inquiry: Inquiry
    var askers: [Asker]
    /// How often the person had moved on by then.
    var moment: Int
  }

  /// In the order in which they will be asked.
  private var waiting: [Question] = []
  /// The one that is being asked.
  private var current: Question?
  /// Counts how often the person has moved on.
  private var moment = 0

  /// Takes a question; the same one is asked once, however many ask it.
  ///
  /// - Returns: who asked what will not be asked any more.
  mutating func add(_ inquiry: Inquiry, _ asker: Asker) -> [Asker] {
    if inquiry.isAhead {
      let place = waiting.firstIndex { $0.moment < moment } ?? waiting.endIndex
      waiting.insert(Question(inquiry: inquiry, askers: [asker], moment: moment), at: place)
      return []
    }
    let left = take { question in
      inquiry.isFinal && question.inquiry.isAhead || question.inquiry.items != inquiry.items
        || question.inquiry.wish != inquiry.wish
    }
    var ahead = inquiry
    ahead.isAhead = true
    if let asked = current?.inquiry, asked == inquiry || asked == ahead {
      current?.askers.append(asker)
      return left
    }
    var askers = take { $0.inquiry == inquiry || $0.inquiry == ahead }
    // Elsewhere than where the walk led: what was asked ahead there is not needed so soon.
    if askers.isEmpty { moment += 1 }
    askers.append(asker)
    waiting.insert(Question(inquiry: inquiry, askers: askers, moment: moment), at: 0)
    return left
  }

  /// Takes out the questions that are meant, and gives who waits for them.
  private mutating func take(_ isMeant: (Question) -> Bool) -> [Asker] {
    let taken = waiting.filter(isMeant).flatMap(\.askers)
    waiting.removeAll(where: isMeant)
    return taken
  }

  /// The next question, which is the current one until it is answered.
  mutating func next() -> Inquiry? {
    current = waiting.isEmpty ? nil : waiting.removeFirst()
    return current?.inquiry
  }

  /// Ends the current question, and gives the callers that wait for its answer.
  mutating func answered() -> [Asker] {
    defer { current = nil }
    return current?.askers ?? []
  }

  /// Forgets all questions, and gives the callers that wait for an answer.
  mutating func drop() -> [Asker] {
    defer { (waiting, current) = ([], nil) }
    return (current?.askers ?? []) + waiting.flatMap(\.askers)
  }
}
