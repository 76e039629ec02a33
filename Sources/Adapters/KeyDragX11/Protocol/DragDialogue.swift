import KeyDragCore

/// Matches what is told of a drag to what was asked: every question is answered exactly once, and
/// so is every drop.
///
/// Takes inputs in the order of the drag's own thread, and gives back the answers to be handed out.
///
/// Pure: it neither calls nor waits. ``XDrag`` keeps it behind a lock.
struct DragDialogue<Question: Sendable, Drop: Sendable>: Sendable {
  enum Answer: Sendable {
    case verdict(DragVerdict, to: Question)
    case outcome(DragOutcome, of: Drop)
    /// Of a drop whose end was told as unknown.
    case lateEnd(DragOutcome)
  }

  /// The answers to give, and whether the input is carried out at all.
  struct Step: Sendable {
    /// In the order in which they are to be given.
    var answers: [Answer]
    var goesOut: Bool
  }

  private enum Dropping: Sendable {
    case no
    /// Its end has not been told.
    case waiting(Drop)
    /// Told as unknown; the end may still come.
    case unknown
  }

  /// At most one is open.
  private var question: Question?
  private var dropping = Dropping.no
  /// No question goes out any more; a drop may still be waited for.
  private var isOver = false
  /// The target asked that the source be removed, in the last drop.
  private(set) var isSourceToBeDeleted = false

  init() {}

  // MARK: What the person does

  /// A question is asked: it takes the place of the one before.
  mutating func ask(_ new: Question) -> Step {
    if isOver { return Step(answers: [.verdict(.over, to: new)], goesOut: false) }
    switch dropping {
    // The place is being dropped on: nothing else is asked before that has ended.
    case .waiting: return Step(answers: [.verdict(.silent, to: new)], goesOut: false)
    // The data is still owed to the target that said nothing; another drag can be begun.
    case .unknown: return Step(answers: [.verdict(.over, to: new)], goesOut: false)
    case .no: break
    }
    let answers = leave()
    question = new
    return Step(answers: answers, goesOut: true)
  }

  /// A drop is wanted; the question that is open has no answer any more.
  mutating func drop(_ new: Drop) -> Step {
    guard !isOver, case .no = dropping else {
      return Step(answers: [.outcome(.failed, of: new)], goesOut: false)
    }
    dropping = .waiting(new)
    isSourceToBeDeleted = false
    return Step(answers: leave(), goesOut: true)
  }

  /// The window is left: the open question has no answer any more.
  mutating func leave() -> [Answer] {
    defer { question = nil }
    return question.map { [.verdict(.silent, to: $0)] } ?? []
  }

  // MARK: What happens

  /// In the order of events. None is answered twice.
  mutating func take(_ event: XdndSource.Event) -> [Answer] {
    switch event {
    case .verdict(let verdict):
      // Nobody waits for a later thought.
      defer { question = nil }
      return question.map { [.verdict(verdict, to: $0)] } ?? []
    case .ended(let outcome): return ended(outcome)
    case .deleteSource:
      isSourceToBeDeleted = true
      return []
    case .taken: return []
    case .superseded: return finish(nil)
    // Data that was sent before may have landed all the same.
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

  /// The drag is over.
  ///
  /// - Parameter outcome: of a drop whose end can't come any more; `nil` while it can.
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
