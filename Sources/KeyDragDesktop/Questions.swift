import KeyDragCore

/// A queue of questions to programs.
///
/// The one about the place where the person is comes first, then prefetched ones in the order of
/// the walk, then those about places already left. A prefetched place is not asked again when the
/// person reaches it. After the last question before a drop nothing is prefetched: no other drag
/// gets between it and the drop.
///
/// A value; ``Asking`` keeps it behind its mutex. An asker receives the answer.
struct Questions<Asker: Sendable>: Sendable {
  private struct Question: Sendable {
    var inquiry: ProposalRequest
    var askers: [Asker]
    /// The queue's ``moment`` when it was added.
    var moment: Int
  }

  private var waiting: [Question] = []
  /// The question in flight.
  private var current: Question?
  /// Counts how often the person has moved on.
  private var moment = 0

  /// Adds a question; equal ones are asked once, however many askers they have.
  ///
  /// - Returns: the askers of questions that were dropped.
  mutating func add(_ inquiry: ProposalRequest, _ asker: Asker) -> [Asker] {
    if inquiry.isPrefetch {
      let place = waiting.firstIndex { $0.moment < moment } ?? waiting.endIndex
      waiting.insert(Question(inquiry: inquiry, askers: [asker], moment: moment), at: place)
      return []
    }
    let left = take { question in
      inquiry.isFinal && question.inquiry.isPrefetch || question.inquiry.items != inquiry.items
        || question.inquiry.wish != inquiry.wish
    }
    var ahead = inquiry
    ahead.isPrefetch = true
    if let asked = current?.inquiry, asked == inquiry || asked == ahead {
      current?.askers.append(asker)
      return left
    }
    var askers = take { $0.inquiry == inquiry || $0.inquiry == ahead }
    // Off the predicted path: what was prefetched there is less urgent.
    if askers.isEmpty { moment += 1 }
    askers.append(asker)
    waiting.insert(Question(inquiry: inquiry, askers: askers, moment: moment), at: 0)
    return left
  }

  /// Removes matching questions, and returns their askers.
  private mutating func take(_ isMeant: (Question) -> Bool) -> [Asker] {
    let taken = waiting.filter(isMeant).flatMap(\.askers)
    waiting.removeAll(where: isMeant)
    return taken
  }

  mutating func next() -> ProposalRequest? {
    current = waiting.isEmpty ? nil : waiting.removeFirst()
    return current?.inquiry
  }

  mutating func answered() -> [Asker] {
    defer { current = nil }
    return current?.askers ?? []
  }

  mutating func drop() -> [Asker] {
    defer { (waiting, current) = ([], nil) }
    return (current?.askers ?? []) + waiting.flatMap(\.askers)
  }
}
