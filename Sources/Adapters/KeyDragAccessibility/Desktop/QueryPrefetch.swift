import KeyDragCore
import Synchronization

/// The questions that the reading of a window is likely to ask, asked in one go before it begins.
///
/// Each next question is known only from the answers, level by level, and each round costs a
/// program more than the questions in it. A window is mostly read again because a little of it has
/// changed: the questions of the last time are asked at once, and only new ones are asked on the
/// way. All answers are of this reading; those to questions expected wrongly are never looked at.
final class QueryPrefetch: Sendable {
  private struct Answers {
    /// Which of the expected questions were asked.
    var isAsked: [Bool]
    /// The answers to questions asked on the way for the sake of what comes later.
    var ahead: [BusQuestion: [BusValue]?] = [:]
    var new: Set<BusQuestion> = []
    var order: [BusQuestion] = []
  }

  private let habit: ReadingHabit
  private let answers: [[BusValue]?]
  private let state: Mutex<Answers>

  /// - Parameter answers: those to each of the questions that are expected, in their order.
  init(_ habit: ReadingHabit, _ answers: [[BusValue]?]) {
    self.habit = habit
    self.answers = answers
    state = Mutex(Answers(isAsked: answers.map { _ in false }))
  }

  /// The answer to a question, if it was expected; from now on it is.
  func answer(to question: BusQuestion) -> [BusValue]?? {
    if let place = habit.places[question] {
      state.withLock { $0.isAsked[place] = true }
      return answers[place]
    }
    return state.withLock { state in
      if state.order.count < ReadingHabit.most, state.new.insert(question).inserted {
        state.order.append(question)
      }
      return state.ahead.removeValue(forKey: question)
    }
  }

  /// Keeps an answer for when its question comes up: it was asked with others, which costs no round.
  func keep(_ answer: [BusValue]?, to question: BusQuestion) {
    state.withLock { $0.ahead[question] = .some(answer) }
  }

  /// The questions to expect the next time.
  var next: ReadingHabit {
    let (isAsked, new) = state.withLock { ($0.isAsked, $0.order) }
    if new.isEmpty, !isAsked.contains(false) { return habit }
    return ReadingHabit(zip(habit.questions, isAsked).filter(\.1).map(\.0) + new)
  }
}

/// The questions asked in the reading of a window: a pure value.
struct ReadingHabit: Sendable {
  let questions: [BusQuestion]
  fileprivate let places: [BusQuestion: Int]

  /// More are not kept: they are as many as are on their way at once.
  static let most = BusRound.width

  /// - Parameter questions: each once.
  init(_ questions: [BusQuestion] = []) {
    self.questions = Array(questions.prefix(Self.most))
    places = Dictionary(self.questions.enumerated().map { ($1, $0) }) { first, _ in first }
  }
}

/// The questions asked of the windows that were read last: a pure value.
struct QueryPattern: Sendable {
  /// A window, and what was wanted of it.
  struct Reading: Hashable, Sendable {
    var frame: ElementID
    var wanted: WantedElements
  }

  private var habits: [Reading: ReadingHabit] = [:]
  private var order: [Reading] = []
  /// The questions that any reading of a window begins with, where it was not read yet.
  private var beginnings: [ElementID: [BusQuestion]] = [:]

  /// Of more nothing is kept.
  static let most = 32
  static let mostBeginnings = 256

  /// Takes out what to expect: what takes too long, or fails, is not expected again.
  mutating func take(_ reading: Reading) -> ReadingHabit {
    defer { forget { $0 == reading } }
    let beginning = beginnings.removeValue(forKey: reading.frame)
    return habits[reading] ?? ReadingHabit(beginning ?? [])
  }

  /// Whether anything is expected of a window.
  func knows(_ frame: ElementID) -> Bool {
    beginnings[frame] != nil || order.contains { $0.frame == frame }
  }

  /// Expects these questions of a window that has not been read yet.
  mutating func expect(_ questions: [BusQuestion], of frame: ElementID) {
    if beginnings.count >= Self.mostBeginnings { beginnings = [:] }
    beginnings[frame] = questions
  }

  mutating func keep(_ habit: ReadingHabit, of reading: Reading) {
    forget { $0 == reading }
    (habits[reading], order) = (habit, order + [reading])
    if order.count > Self.most { habits[order.removeFirst()] = nil }
  }

  /// A program left the bus.
  mutating func forget(program: String) {
    forget { $0.frame.program == program }
    beginnings = beginnings.filter { $0.key.program != program }
  }

  private mutating func forget(_ isGone: (Reading) -> Bool) {
    for reading in order.filter(isGone) { habits[reading] = nil }
    order.removeAll { habits[$0] == nil }
  }
}
