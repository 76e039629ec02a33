import Synchronization

/// A question to an object of a program.
struct BusQuestion: Hashable, Sendable {
  var program: String
  var call: BusCall

  /// A name or a path that no bus would carry is no question.
  var isPossible: Bool {
    RegisteredEvents.isConnection(program) || program == "org.a11y.atspi.Registry"
      || program == "org.freedesktop.DBus"
  }
}

/// Questions that are sent together and answered together: one round trip instead of many.
///
/// Only so many are on their way at a time, so that a deadline says something of the program asked
/// and nothing of how much was asked. After the first silence nothing more is sent.
final class BusRound: Sendable {
  private struct State {
    var answers: [BusAnswer]
    var next = 0
    var open = 0
    var isOver = false
    var done: (@Sendable ([BusAnswer]) -> Void)?
  }

  private let connection: BusConnection
  private let questions: [BusQuestion]
  private let limit: Int
  private let deadline = ContinuousClock.now + BusRound.longest
  private let state: Mutex<State>

  /// How long one answer may take, in milliseconds.
  static let patience: Int32 = 500
  /// How many questions are on their way at most.
  private static let width = 256
  /// How long a whole round may take: a program that answers, but each time late, is as good as one
  /// that does not.
  private static let longest = Duration.seconds(2)

  private init(_ connection: BusConnection, _ questions: [BusQuestion], limit: Int) {
    self.connection = connection
    self.questions = questions
    self.limit = limit
    state = Mutex(State(answers: [BusAnswer](repeating: .silence, count: questions.count)))
  }

  /// Asks, and gives the answers in the order of the questions; those that were not sent any more
  /// are silent. Only to be called on the thread of the connection.
  ///
  /// - Parameter limit: how many values each reply may hold.
  static func ask(
    _ connection: BusConnection, _ questions: [BusQuestion], limit: Int = 20_000,
    _ done: @escaping @Sendable ([BusAnswer]) -> Void
  ) {
    let round = BusRound(connection, questions, limit: limit)
    round.state.withLock { $0.done = done }
    round.proceed()
  }

  private func proceed() {
    while let index = take() {
      let question = questions[index]
      guard question.isPossible else {
        settle(index, .error)
        continue
      }
      connection.ask(question.program, question.call, within: Self.patience, limit: limit) {
        [self] answer in
        settle(index, answer)
        proceed()
      }
    }
    let finished = state.withLock { state -> ((@Sendable ([BusAnswer]) -> Void), [BusAnswer])? in
      guard state.open == 0, state.isOver || state.next == questions.count,
        let done = state.done
      else { return nil }
      state.done = nil
      return (done, state.answers)
    }
    if let (done, answers) = finished { done(answers) }
  }

  private func take() -> Int? {
    state.withLock { state in
      if state.next > 0, ContinuousClock.now > deadline { state.isOver = true }
      guard !state.isOver, state.next < questions.count, state.open < Self.width else {
        return nil
      }
      state.open += 1
      state.next += 1
      return state.next - 1
    }
  }

  private func settle(_ index: Int, _ answer: BusAnswer) {
    state.withLock { state in
      state.answers[index] = answer
      state.open -= 1
      if answer == .silence { state.isOver = true }
    }
  }
}
