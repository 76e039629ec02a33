import CAtspi
import KeyDragCore
import Synchronization

/// A question to an object of a program.
struct BusQuestion: Hashable, Sendable {
  /// Its name on the bus.
  var program: String
  /// The call there.
  var call: BusCall

  /// A name or a path that no bus would carry is no question.
  var isPossible: Bool {
    RegisteredEvents.isConnection(program) || program == ATSPI_DBUS_NAME_REGISTRY
      || program == "org.freedesktop.DBus"
  }
}

/// How often each program has answered, whoever asked: a program that is busy with the questions of
/// one round is not silent in another.
///
/// Safe from any thread. A count is only compared with itself.
final class BusHearing: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  /// How often a program has answered.
  ///
  /// 0 for one that was never heard.
  subscript(program: String) -> Int { counts.withLock { $0[program] ?? 0 } }

  /// A program has answered something.
  func hear(_ program: String) { counts.withLock { $0[program, default: 0] += 1 } }

  /// A program left the bus.
  func forget(_ program: String) { counts.withLock { $0[program] = nil } }

  /// All programs left it.
  func forgetAll() { counts.withLock { $0 = [:] } }
}

/// Questions that are sent together and answered together: one round trip instead of many.
///
/// A program is silent when nothing comes from it for a while, not when much was asked of it. After
/// the first silence nothing more is sent.
final class BusRound: Sendable {
  /// Everything behind the lock.
  private struct Answers {
    /// In the order of the questions; `nil` for what is not answered.
    var answers: [BusAnswer?]
    /// The question to be sent next.
    var next = 0
    /// How many are on their way.
    var open = 0
    /// Nothing more is sent or taken.
    var isOver = false
    /// How long nothing has come.
    var patience = Patience()
    /// Called once, with all answers.
    var done: (@Sendable ([BusAnswer]) -> Void)?

    /// The first question that waits for its answer.
    var oldest = 0
    /// The alarm for what is waited for next, besides the answers.
    var alarm: BusThread.Alarm?
  }

  /// The way on which questions go.
  private let connection: any BusAsking
  /// Another way, on which it is asked whether the program is there at all.
  private let witness: (any BusAsking)?
  /// The connection's own.
  private let thread: BusThread
  /// Counted for all rounds together.
  private let hearing: BusHearing
  /// In the order in which they are sent.
  private let questions: [BusQuestion]
  /// How many values each reply may hold.
  private let limit: Int
  /// When the round ends, whoever is still to answer.
  private let deadline = ContinuousClock.now + BusRound.longest
  /// Behind a lock, since alarms and answers come by themselves.
  private let state: Mutex<Answers>

  /// How long a program may say nothing, in milliseconds.
  static let patience: Int32 = 500
  /// How many questions are on their way at most.
  static let width = 256
  /// How long a whole round may take: a program that answers, but each time late, is as good as one
  /// that does not.
  private static let longest = Duration.seconds(4)

  /// Made by ``ask(_:beside:_:limit:on:hearing:_:)`` alone.
  private init(
    _ connection: any BusAsking, beside witness: (any BusAsking)?, _ questions: [BusQuestion],
    limit: Int, on thread: BusThread, _ hearing: BusHearing
  ) {
    self.connection = connection
    self.witness = witness
    self.questions = questions
    self.limit = limit
    self.thread = thread
    self.hearing = hearing
    state = Mutex(Answers(answers: [BusAnswer?](repeating: nil, count: questions.count)))
  }

  /// Asks, and gives the answers in the order of the questions; those that were not sent any more
  /// are silent. Only to be called on the thread of the connection.
  ///
  /// - Parameters:
  ///   - witness: another way to the program; one that answers there and not here is not silent,
  ///     but the connection is broken, and is closed.
  ///   - limit: how many values each reply may hold.
  static func ask(
    _ connection: any BusAsking, beside witness: (any BusAsking)? = nil,
    _ questions: [BusQuestion], limit: Int, on thread: BusThread, hearing: BusHearing,
    _ done: @escaping @Sendable ([BusAnswer]) -> Void
  ) {
    let round = BusRound(
      connection, beside: witness, questions, limit: limit, on: thread, hearing)
    round.state.withLock { $0.done = done }
    round.proceed()
    round.listen()
  }

  /// Sends what may be sent now. Each answer makes room for another question.
  private func proceed() {
    while let index = take() {
      let question = questions[index]
      guard question.isPossible else {
        settle(index, .error)
        continue
      }
      // Silence is noticed for all of them together.
      connection.ask(question.program, question.call, limit: limit) {
        [self] answer in
        if answer != .silence { hearing.hear(question.program) }
        settle(index, answer)
        proceed()
      }
    }
    finish()
  }

  /// Gives the answers, once, where the round is over.
  private func finish() {
    let finished = state.withLock { state -> ((@Sendable ([BusAnswer]) -> Void), [BusAnswer])? in
      guard state.isOver || (state.open == 0 && state.next == questions.count),
        let done = state.done
      else { return nil }
      state.isOver = true
      state.done = nil
      state.alarm?.end()
      state.alarm = nil
      return (done, state.answers.map { $0 ?? .silence })
    }
    if let (done, answers) = finished { done(answers) }
  }

  /// The next question to be sent; `nil` where there is none, or too many are on their way.
  private func take() -> Int? {
    state.withLock { state in
      // At least one question is sent, however late it is.
      if state.next > 0, ContinuousClock.now > deadline { state.isOver = true }
      guard !state.isOver, state.next < questions.count, state.open < Self.width else {
        return nil
      }
      state.open += 1
      state.next += 1
      return state.next - 1
    }
  }

  /// Takes an answer. The first silence ends the round.
  private func settle(_ index: Int, _ answer: BusAnswer) {
    state.withLock { state in
      // An answer after the end is of no use any more.
      guard !state.isOver else { return }
      state.answers[index] = answer
      state.open -= 1
      if answer == .silence { state.isOver = true }
      while state.oldest < state.next, state.answers[state.oldest] != nil { state.oldest += 1 }
    }
  }

  // MARK: Silence

  /// Listens for a beat, and again until the round is over.
  private func listen() {
    // Over: nobody listens any more.
    guard state.withLock({ $0.done != nil }) else { return }
    let alarm = thread.run(after: Patience.beat) { [weak self] in self?.beat() }
    state.withLock { $0.alarm = alarm }
  }

  /// A beat has passed: the program that has owed an answer for longest is the one in doubt.
  private func beat() {
    let doubted = state.withLock { state -> String? in
      guard !state.isOver, state.oldest < state.next else { return nil }
      let program = questions[state.oldest].program
      if state.patience.beat(program, heard: hearing[program]) || ContinuousClock.now > deadline {
        state.isOver = true
      }
      return state.patience.isInDoubt ? program : nil
    }
    if let doubted { askWitness(of: doubted) }
    finish()
    listen()
  }

  /// Asks for a program on the other way. That it answers there shows that this one is broken.
  private func askWitness(of program: String) {
    guard let witness else { return }
    let heard = hearing[program]
    let question = ElementID(program: program, path: AccessibleTree.root).name
    witness.ask(program, question.call, limit: limit) { [weak self] answer in
      guard answer != .silence, let self else { return }
      // Answers to earlier questions may come a moment later.
      thread.run(after: Patience.beat) { [self] in giveUp(program, heard) }
    }
  }

  /// Closes a connection on which nothing has been heard of a program that answers elsewhere.
  private func giveUp(_ program: String, _ heard: Int) {
    let isWaiting = state.withLock { !$0.isOver && $0.oldest < $0.next }
    if isWaiting, hearing[program] == heard { connection.close() }
  }
}

/// Counts the beats in which a program that is waited for has said nothing: a pure value.
///
/// Beats are counted, not time: while this computer is too busy to listen, nobody is silent.
struct Patience: Sendable {
  /// In milliseconds.
  static let beat: UInt32 = 100
  /// In beats.
  private static let most = Int(BusRound.patience) / Int(beat)

  /// The one that is waited for.
  private var program = ""
  /// How often it had answered at the beat before.
  private var heard = 0
  /// Beats without a word from it.
  private var quiet = 0

  /// Whether it is time to ask whether the program can be heard elsewhere.
  var isInDoubt: Bool { quiet == Self.most / 2 }

  /// A beat has passed; whether patience is at its end.
  ///
  /// - Parameter heard: how often the program has answered until now.
  mutating func beat(_ program: String, heard: Int) -> Bool {
    if program == self.program, heard == self.heard {
      quiet += 1
    } else {
      (self.program, self.heard, quiet) = (program, heard, 1)
    }
    return quiet >= Self.most
  }
}
