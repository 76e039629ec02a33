import KeyDragCore

/// Matches a drag's events to requests: every question and every drop is answered exactly once.
/// Pure. Takes inputs in the order of the drag's thread, and returns the answers to deliver;
/// ``XDrag`` keeps it behind a lock.
struct DragRequestMatcher<Question: Sendable, Drop: Sendable>: Sendable {
  enum Answer: Sendable {
    case verdict(DragVerdict, to: Question)
    case outcome(DragOutcome, of: Drop)
    /// Of a drop whose outcome was reported as unknown.
    case lateEnd(DragOutcome)
  }

  /// The answers to deliver, and whether to carry out the input.
  struct Step: Sendable {
    var answers: [Answer]
    var goesOut: Bool
  }

  private enum Dropping: Sendable {
    case no
    case waiting(Drop)
    /// Reported as unknown; its outcome may still arrive.
    case unknown
  }

  /// At most one is open.
  private var question: Question?
  private var dropping = Dropping.no
  /// No more questions; a drop may still be pending.
  private var isOver = false
  /// The last drop's target asked for the source to be removed.
  private(set) var isSourceToBeDeleted = false

  init() {}

  // MARK: User actions

  /// Replaces the previous question.
  mutating func ask(_ new: Question) -> Step {
    if isOver { return Step(answers: [.verdict(.over, to: new)], goesOut: false) }
    switch dropping {
    // A drop is in flight: nothing is asked before it has ended.
    case .waiting: return Step(answers: [.verdict(.silent, to: new)], goesOut: false)
    // The data is still owed to the silent target; another drag can be started.
    case .unknown: return Step(answers: [.verdict(.over, to: new)], goesOut: false)
    case .no: break
    }
    let answers = leave()
    question = new
    return Step(answers: answers, goesOut: true)
  }

  /// Starts a drop; an open question is answered with `silent`.
  mutating func drop(_ new: Drop) -> Step {
    guard !isOver, case .no = dropping else {
      return Step(answers: [.outcome(.failed, of: new)], goesOut: false)
    }
    dropping = .waiting(new)
    isSourceToBeDeleted = false
    return Step(answers: leave(), goesOut: true)
  }

  /// Answers an open question with `silent`.
  mutating func leave() -> [Answer] {
    defer { question = nil }
    return question.map { [.verdict(.silent, to: $0)] } ?? []
  }

  // MARK: Events

  mutating func take(_ event: XdndSource.Event) -> [Answer] {
    switch event {
    case .verdict(let verdict):
      // Nobody waits for a later verdict.
      defer { question = nil }
      return question.map { [.verdict(verdict, to: $0)] } ?? []
    case .ended(let outcome): return ended(outcome)
    case .deleteSource:
      isSourceToBeDeleted = true
      return []
    case .taken: return []
    case .superseded: return finish(nil)
    // Data sent before may have landed all the same.
    case .connectionLost, .closed: return finish(.unknown)
    }
  }

  private mutating func ended(_ outcome: DragOutcome) -> [Answer] {
    switch dropping {
    case .no: return []
    case .waiting(let drop):
      dropping = outcome == .unknown ? .unknown : .no
      return [.outcome(outcome, of: drop)]
    case .unknown:
      dropping = .no
      return [.lateEnd(outcome)]
    }
  }

  /// - Parameter outcome: of a drop whose end can't arrive any more; `nil` while it can.
  private mutating func finish(_ outcome: DragOutcome?) -> [Answer] {
    isOver = true
    var answers: [Answer] = question.map { [.verdict(.over, to: $0)] } ?? []
    question = nil
    if let outcome, case .waiting(let drop) = dropping {
      dropping = .no
      answers.append(.outcome(outcome, of: drop))
    }
    return answers
  }
}
