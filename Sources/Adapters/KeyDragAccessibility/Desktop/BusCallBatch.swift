import CAtspi
import KeyDragBus
import KeyDragCore
import Synchronization

struct BusRequest: Hashable, Sendable {
  var program: String
  var call: BusCall

  /// Whether the destination is a valid bus name.
  var isPossible: Bool {
    RegisteredEvents.isConnection(program) || program == BusName.registry
      || program == BusName.bus
  }
}

/// Reply counts of each program, over all rounds: a program busy with one round's calls is not
/// silent in another. Safe from any thread. A count is only compared with itself.
final class BusHearing: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  /// The number of replies from a program; 0 for one never heard from.
  subscript(program: String) -> Int { counts.withLock { $0[program] ?? 0 } }

  func hear(_ program: String) { counts.withLock { $0[program, default: 0] += 1 } }

  func forget(_ program: String) { counts.withLock { $0[program] = nil } }

  func forgetAll() { counts.withLock { $0 = [:] } }
}

/// Calls that are sent together and answered together: one round trip instead of many. A program is
/// silent when nothing arrives from it for a while, not when much was asked of it. After the first
/// silence nothing more is sent.
final class BusCallBatch: Sendable {
  private struct Answers {
    /// In the order of the calls; `nil` for an unanswered one.
    var answers: [BusCallOutcome?]
    /// Index of the next call to send.
    var next = 0
    /// Number of calls in flight.
    var open = 0
    /// Nothing more is sent or accepted.
    var isOver = false
    var patience = SilenceDetector()
    /// Called once, with all answers.
    var done: (@Sendable ([BusCallOutcome]) -> Void)?

    /// Index of the oldest unanswered call.
    var oldest = 0
    var alarm: BusThread.Alarm?
  }

  private let connection: any BusCallChannel
  /// A second connection, to check whether the program is there at all.
  private let witness: (any BusCallChannel)?
  private let thread: BusThread
  /// Shared by all rounds.
  private let hearing: BusHearing
  private let questions: [BusRequest]
  /// Most values read from each reply.
  private let limit: Int
  private let deadline = ContinuousClock.now + BusCallBatch.longest
  private let state: Mutex<Answers>

  /// Longest silence of a program, in milliseconds.
  static let patience: Int32 = 500
  /// Most calls in flight.
  static let width = 256
  /// Limit for a whole round: a program that answers late each time counts as silent.
  private static let longest = Duration.seconds(4)

  private init(
    _ connection: any BusCallChannel, beside witness: (any BusCallChannel)?,
    _ questions: [BusRequest],
    limit: Int, on thread: BusThread, _ hearing: BusHearing
  ) {
    self.connection = connection
    self.witness = witness
    self.questions = questions
    self.limit = limit
    self.thread = thread
    self.hearing = hearing
    state = Mutex(Answers(answers: [BusCallOutcome?](repeating: nil, count: questions.count)))
  }

  /// Sends the calls and answers in their order; unsent ones are silent. Only on the connection's
  /// thread.
  ///
  /// - Parameters:
  ///   - witness: a second connection to the program: if it answers there and not here, it is not
  ///     silent, but this connection is broken and gets closed.
  ///   - limit: most values read from each reply.
  static func ask(
    _ connection: any BusCallChannel, beside witness: (any BusCallChannel)? = nil,
    _ questions: [BusRequest], limit: Int, on thread: BusThread, hearing: BusHearing,
    _ done: @escaping @Sendable ([BusCallOutcome]) -> Void
  ) {
    let round = BusCallBatch(
      connection, beside: witness, questions, limit: limit, on: thread, hearing)
    round.state.withLock { $0.done = done }
    round.proceed()
    round.listen()
  }

  /// Sends as many calls as allowed; each answer makes room for another.
  private func proceed() {
    while let index = take() {
      let question = questions[index]
      guard question.isPossible else {
        settle(index, .error)
        continue
      }
      // Silence is detected for all of them together.
      connection.ask(question.program, question.call, limit: limit) {
        [self] answer in
        if answer != .silence { hearing.hear(question.program) }
        settle(index, answer)
        proceed()
      }
    }
    finish()
  }

  private func finish() {
    let finished = state.withLock {
      state -> ((@Sendable ([BusCallOutcome]) -> Void), [BusCallOutcome])? in
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

  /// The next call to send; `nil` when there is none, or too many are in flight.
  private func take() -> Int? {
    state.withLock { state in
      // At least one call is sent, however late.
      if state.next > 0, ContinuousClock.now > deadline { state.isOver = true }
      guard !state.isOver, state.next < questions.count, state.open < Self.width else {
        return nil
      }
      state.open += 1
      state.next += 1
      return state.next - 1
    }
  }

  /// Records an answer; the first silence ends the round.
  private func settle(_ index: Int, _ answer: BusCallOutcome) {
    state.withLock { state in
      // An answer after the end is ignored.
      guard !state.isOver else { return }
      state.answers[index] = answer
      state.open -= 1
      if answer == .silence { state.isOver = true }
      while state.oldest < state.next, state.answers[state.oldest] != nil { state.oldest += 1 }
    }
  }

  // MARK: Silence

  /// Schedules beats until the round is over.
  private func listen() {
    guard state.withLock({ $0.done != nil }) else { return }
    let alarm = thread.run(after: SilenceDetector.beat) { [weak self] in self?.beat() }
    state.withLock { $0.alarm = alarm }
  }

  /// Suspects the program that has owed an answer for longest.
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

  /// Asks for a program on the second connection: a reply there means that this one is broken.
  private func askWitness(of program: String) {
    guard let witness else { return }
    let heard = hearing[program]
    let question = ElementID(program: program, path: AccessibleTree.root).name
    witness.ask(program, question.call, limit: limit) { [weak self] answer in
      guard answer != .silence, let self else { return }
      // Replies to earlier calls may arrive a moment later.
      thread.run(after: SilenceDetector.beat) { [self] in giveUp(program, heard) }
    }
  }

  /// Closes a connection that is silent about a program which answers elsewhere.
  private func giveUp(_ program: String, _ heard: Int) {
    let isWaiting = state.withLock { !$0.isOver && $0.oldest < $0.next }
    if isWaiting, hearing[program] == heard { connection.close() }
  }
}

/// Counts the beats of silence of an awaited program: a pure value. Beats are counted, not time:
/// while this computer is too busy to listen, nobody is silent.
struct SilenceDetector: Sendable {
  /// In milliseconds.
  static let beat: UInt32 = 100
  /// In beats.
  private static let most = Int(BusCallBatch.patience) / Int(beat)

  private var program = ""
  /// Its reply count at the previous beat.
  private var heard = 0
  /// Beats of silence.
  private var quiet = 0

  /// Whether it is time to check if the program answers elsewhere.
  var isInDoubt: Bool { quiet == Self.most / 2 }

  /// Advances by a beat; `true` when the patience has run out.
  ///
  /// - Parameter heard: the program's reply count so far.
  mutating func beat(_ program: String, heard: Int) -> Bool {
    if program == self.program, heard == self.heard {
      quiet += 1
    } else {
      (self.program, self.heard, quiet) = (program, heard, 1)
    }
    return quiet >= Self.most
  }
}
