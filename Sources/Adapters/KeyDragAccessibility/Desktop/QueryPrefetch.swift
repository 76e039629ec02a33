import KeyDragBus
import KeyDragCore
import Synchronization

/// Prefetches the questions that the reading of a window is likely to ask, in one round before it
/// begins.
///
/// Otherwise each question is known only from earlier answers, level by level, and each round costs
/// a program more than the questions in it. A window is mostly read again because a little of it
/// has changed: the last reading's questions are sent at once, and only new ones on the way. All
/// answers are of this reading; those to wrongly expected questions are ignored.
final class QueryPrefetch: Sendable {
  private struct Answers {
    /// For each expected question, whether it was asked.
    var isAsked: [Bool]
    /// Answers obtained along the way, before their questions come up.
    var ahead: [BusRequest: [BusValue]?] = [:]
    var new: Set<BusRequest> = []
    var order: [BusRequest] = []
  }

  private let habit: ExpectedQuestions
  private let answers: [[BusValue]?]
  private let state: Mutex<Answers>

  /// - Parameter answers: those to the expected questions, in order.
  init(_ habit: ExpectedQuestions, _ answers: [[BusValue]?]) {
    self.habit = habit
    self.answers = answers
    state = Mutex(Answers(isAsked: answers.map { _ in false }))
  }

  /// The answer, if the question was expected; from now on it is.
  func answer(to question: BusRequest) -> [BusValue]?? {
    if let place = habit.places[question] {
      state.withLock { $0.isAsked[place] = true }
      return answers[place]
    }
    return state.withLock { state in
      if state.order.count < ExpectedQuestions.most, state.new.insert(question).inserted {
        state.order.append(question)
      }
      return state.ahead.removeValue(forKey: question)
    }
  }

  /// Keeps an answer until its question comes up: it was asked along with others, which costs no
  /// round.
  func keep(_ answer: [BusValue]?, to question: BusRequest) {
    state.withLock { $0.ahead[question] = .some(answer) }
  }

  var next: ExpectedQuestions {
    let (isAsked, new) = state.withLock { ($0.isAsked, $0.order) }
    if new.isEmpty, !isAsked.contains(false) { return habit }
    return ExpectedQuestions(zip(habit.questions, isAsked).filter(\.1).map(\.0) + new)
  }
}

/// The questions of one reading of a window: a pure value.
struct ExpectedQuestions: Sendable {
  let questions: [BusRequest]
  fileprivate let places: [BusRequest: Int]

  /// Further questions are dropped: these are as many as may be in flight.
  static let most = BusCallBatch.width

  /// - Parameter questions: without duplicates.
  init(_ questions: [BusRequest] = []) {
    self.questions = Array(questions.prefix(Self.most))
    places = Dictionary(self.questions.enumerated().map { ($1, $0) }) { first, _ in first }
  }
}

/// The questions of the last readings, by window: a pure value.
struct QueryPattern: Sendable {
  struct Reading: Hashable, Sendable {
    var frame: ElementID
    var wanted: ElementQuery
  }

  private var habits: [Reading: ExpectedQuestions] = [:]
  private var order: [Reading] = []
  /// The first questions for windows that were not read yet.
  private var beginnings: [ElementID: [BusRequest]] = [:]

  /// Limits on the readings and windows remembered.
  static let most = 32
  static let mostBeginnings = 256

  /// Removes what to expect, so that questions of a slow or failing reading are not repeated.
  mutating func take(_ reading: Reading) -> ExpectedQuestions {
    defer { forget { $0 == reading } }
    let beginning = beginnings.removeValue(forKey: reading.frame)
    return habits[reading] ?? ExpectedQuestions(beginning ?? [])
  }

  func knows(_ frame: ElementID) -> Bool {
    beginnings[frame] != nil || order.contains { $0.frame == frame }
  }

  mutating func expect(_ questions: [BusRequest], of frame: ElementID) {
    if beginnings.count >= Self.mostBeginnings { beginnings = [:] }
    beginnings[frame] = questions
  }

  mutating func keep(_ habit: ExpectedQuestions, of reading: Reading) {
    forget { $0 == reading }
    (habits[reading], order) = (habit, order + [reading])
    if order.count > Self.most { habits[order.removeFirst()] = nil }
  }

  mutating func forget(program: String) {
    forget { $0.frame.program == program }
    beginnings = beginnings.filter { $0.key.program != program }
  }

  private mutating func forget(_ isGone: (Reading) -> Bool) {
    for reading in order.filter(isGone) { habits[reading] = nil }
    order.removeAll { habits[$0] == nil }
  }
}
