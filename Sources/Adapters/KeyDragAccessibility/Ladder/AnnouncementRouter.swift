import KeyDragBus
import KeyDragCore

/// Routes each message to the screen reader, and reroutes those that did not arrive: a pure state
/// machine without I/O.
///
/// A message is on one rung at a time. It is done when the reader has answered a question sent
/// after it; when the reader hangs or is gone, it moves to the next rung. A slow reader that works
/// will speak what it was handed: only messages not handed over move then, and all of them once it
/// works endlessly.
struct AnnouncementRouter: Sendable {
  /// The reader's process, since its names differ between buses.
  typealias Reader = String

  /// Orca's service, by its successive names, the newest first.
  enum Service: String, Hashable, Sendable, CaseIterable {
    case orca1 = "org.gnome.Orca1.Service"
    case orca = "org.gnome.Orca.Service"

    /// The object with its methods.
    var path: String { "/" + rawValue.split(separator: ".").joined(separator: "/") }

    /// A no-op call, which a working reader answers between two tasks.
    var knock: BusCall { BusCall(path: path, interface: rawValue, member: "GetVersion") }

    /// The query for its speech rate, in Orca 50 and in Orca 51.
    var rate: BusCall {
      let manager = path + "/SpeechManager"
      return switch self {
      case .orca:
        BusCall(
          path: manager, interface: "org.gnome.Orca.Module", member: "ExecuteRuntimeGetter",
          arguments: [.string("Rate")])
      case .orca1:
        BusCall(
          path: manager, interface: "org.freedesktop.DBus.Properties", member: "Get",
          arguments: [.string("org.gnome.Orca1.SpeechManager"), .string("Rate")])
      }
    }
  }

  /// A program that listens for events on the accessibility bus.
  struct Listener: Hashable, Sendable {
    /// Its name on that bus.
    var name: String
    var reader: Reader
    var isOrca: Bool
    var hearsAnnouncements: Bool
    var seesNotifications: Bool
    /// Possible versions of Orca, by its subscriptions.
    var versions = 0..<1000.0
  }

  enum Event: Hashable, Sendable {
    /// A name of Orca's service has an owner, or none any more.
    case service(Service, Reader?)
    case listeners([Listener])
    case answered(Int)
    /// The message of a question to the service was handed over.
    case handedOver(Int)
    /// Slow, but the reader has worked since: nothing more is handed over before its answer.
    case late(Int)
    /// The same, for too long for the listener.
    case endless(Int)
    /// The reader hangs: it has done nothing since, or far too much, and may still answer.
    case overdue(Int)
    /// It will never be answered, or was refused.
    case failed(Int)
    /// Not sent after all, because its message is outdated.
    case dropped(Int)
  }

  enum Action: Hashable, Sendable {
    /// Asks the service to present a message; answered under this number.
    case present(ReaderMessage, Service, question: Int)
    case announce(ReaderMessage)
    case notify(ReaderMessage)
    /// Asks a listener for a sign of life; answered under this number.
    case ping(String, question: Int)
    /// The message is rerouted to the next rung, or to none.
    case moved(ReaderMessage, ReaderRoute?)
  }

  /// A message after which the reader has given no sign of life yet.
  private struct Pending: Sendable {
    var message: ReaderMessage
    var rung: ReaderRoute
    var reader: Reader
    /// The question sent after it.
    var question: Int?
    /// The reader has it, or is about to: it can't be withdrawn.
    var isHandedOver = false
    /// The number of the user's key that it is about.
    var key = 0
  }

  private struct Question: Sendable {
    enum Course: Sendable { case open, late, endless, overdue }

    var reader: Reader
    var rung: ReaderRoute
    var course = Course.open
    /// Nothing more goes to the reader.
    var isGivenUp: Bool { course == .endless || course == .overdue }
  }

  private struct Refusal: Hashable, Sendable {
    var reader: Reader
    var rung: ReaderRoute
  }

  private let forced: ReaderRoute?
  private var services: [Service: Reader] = [:]
  private var listeners: [Listener] = []
  private var pending: [Pending] = []
  private var questions: [Int: Question] = [:]
  private var lastQuestion = 0
  private var answers: [Reader: Int] = [:]
  private var lastKey = 0
  /// Routes that a living reader has refused.
  private var refusals: Set<Refusal> = []

  /// Limit on pending messages; further ones are spoken otherwise.
  static let limit = 1000

  /// - Parameter forced: the only rung to use; `nil` for all.
  init(forced: ReaderRoute? = nil) { self.forced = forced }

  var pendingCount: Int { pending.count }

  /// Messages whose reader is not given up.
  var openCount: Int { pending.count { !isStuck($0.reader) } }

  /// Listening programs that may be readers.
  var listenerCount: Int { listeners.count }

  /// The rung for a message now; `nil` without a responsive reader.
  var rung: ReaderRoute? { choice?.rung }

  var service: Service? { Service.allCases.first { services[$0] != nil } }

  var reader: Reader? { choice?.reader }

  /// The reader that still has to answer a question.
  func reader(of question: Int) -> Reader? { questions[question]?.reader }

  func answers(of reader: Reader) -> Int { answers[reader, default: 0] }

  /// Whether the message of a question to the service awaits its answer, and was not rerouted.
  func isPending(_ question: Int) -> Bool { pending.contains { $0.question == question } }

  /// Whether a question that carried a message was given up.
  func hasOverdueWords(_ question: Int) -> Bool {
    questions[question].map { $0.course == .overdue && $0.rung == .orca } ?? false
  }

  /// Possible versions of a reader, by its subscriptions.
  func versions(of reader: Reader) -> Range<Double> {
    listeners.first { $0.reader == reader }?.versions ?? 0..<1000
  }

  /// Whether the reader may read what a key adds to the screen of a terminal, as Orca does from
  /// version 48 on, whichever route messages take.
  var readsInsertedText: Bool {
    choice.map { $0.rung == .orca || versions(of: $0.reader).upperBound > 48 } ?? false
  }

  /// From 49 on, which has a service, Tab and Enter make a difference.
  var skipsMarkedText: Bool {
    choice.map { $0.rung == .atspi && versions(of: $0.reader).lowerBound == 48 } ?? false
  }

  /// The only listener that may receive messages, where others would speak them as well: two Orcas
  /// on one desktop.
  var destination: String? {
    guard let choice, listeners.count(where: \.isOrca) > 1 else { return nil }
    return listeners.first { $0.reader == choice.reader }?.name
  }

  // MARK: Messages

  mutating func announce(_ message: ReaderMessage) -> (rung: ReaderRoute?, actions: [Action]) {
    guard pending.count < Self.limit, let choice else { return (nil, []) }
    guard !isLate(choice.reader) else {
      pending.append(
        Pending(message: message, rung: choice.rung, reader: choice.reader, key: lastKey))
      return (choice.rung, [])
    }
    return (choice.rung, send(message, choice))
  }

  /// The user has pressed a key: later messages are about it.
  mutating func takeKey() { lastKey += 1 }

  private struct Choice {
    var rung: ReaderRoute
    var reader: Reader
    var service: Service?
    var listener: String?
  }

  /// The rung of a message if none is forced.
  var openRung: ReaderRoute? { choice(nil)?.rung }
  var openReader: Reader? { choice(nil)?.reader }

  private var choice: Choice? { choice(forced) }

  private func choice(_ forced: ReaderRoute?) -> Choice? {
    for rung in ReaderRoute.allCases where forced == nil || forced == rung {
      guard let choice = candidate(for: rung), !isStuck(choice.reader),
        !refusals.contains(Refusal(reader: choice.reader, rung: rung))
      else { continue }
      return choice
    }
    return nil
  }

  private func candidate(for rung: ReaderRoute) -> Choice? {
    if rung == .orca {
      let choices = Service.allCases.compactMap { service in
        services[service].map { Choice(rung: rung, reader: $0, service: service) }
      }
      return choices.first { !isStuck($0.reader) } ?? choices.first
    }
    // Other listeners may not read aloud; where there is Orca, it alone counts.
    let orca = listeners.filter(\.isOrca)
    let heard =
      rung == .atspi
      ? (orca.isEmpty ? listeners : orca).filter(\.hearsAnnouncements)
      : orca.filter(\.seesNotifications)
    let awake = heard.first { !isStuck($0.reader) } ?? heard.first
    return awake.map { Choice(rung: rung, reader: $0.reader, listener: $0.name) }
  }

  private func isStuck(_ reader: Reader) -> Bool {
    questions.values.contains { $0.reader == reader && $0.isGivenUp }
  }

  private func isLate(_ reader: Reader) -> Bool {
    questions.values.contains { $0.reader == reader && $0.course != .open }
  }

  private mutating func send(_ message: ReaderMessage, _ choice: Choice) -> [Action] {
    var entry = Pending(message: message, rung: choice.rung, reader: choice.reader)
    defer { pending.append(entry) }
    if let service = choice.service {
      let question = ask(choice.reader, choice.rung)
      entry.question = question
      return [.present(message, service, question: question)]
    }
    entry.isHandedOver = true
    var actions: [Action] =
      choice.rung != .atspi ? [.notify(message)] : message.isPainted ? [] : [.announce(message)]
    let isAsked = questions.values.contains { $0.reader == choice.reader && $0.rung == choice.rung }
    if !isAsked, let listener = choice.listener {
      let question = ask(choice.reader, choice.rung)
      entry.question = question
      actions.append(.ping(listener, question: question))
    }
    return actions
  }

  private mutating func ask(_ reader: Reader, _ rung: ReaderRoute) -> Int {
    lastQuestion += 1
    questions[lastQuestion] = Question(reader: reader, rung: rung)
    return lastQuestion
  }

  // MARK: Events

  mutating func apply(_ event: Event) -> [Action] {
    switch event {
    case .service(let service, let reader):
      services[service] = reader
      if let reader { refusals.remove(Refusal(reader: reader, rung: .orca)) }
      return moveOrphans()
    case .listeners(let all):
      listeners = all
      return moveOrphans()
    case .answered(let number): return answered(number)
    case .handedOver(let number):
      if let index = pending.firstIndex(where: { $0.question == number }) {
        pending[index].isHandedOver = true
      }
      return []
    // Void where an answer came first.
    case .late(let number):
      if questions[number]?.course == .open { questions[number]?.course = .late }
      return []
    case .endless(let number):
      guard let question = questions[number] else { return [] }
      questions[number]?.course = .endless
      return move { $0.reader == question.reader && !$0.isHandedOver }
    case .overdue(let number):
      guard let question = questions[number] else { return [] }
      questions[number]?.course = .overdue
      return move { $0.reader == question.reader }
    case .failed(let number): return failed(number)
    case .dropped(let number):
      guard let question = questions.removeValue(forKey: number) else { return [] }
      pending.removeAll { $0.question == number }
      return handOver(to: question.reader)
    }
  }

  private mutating func answered(_ number: Int) -> [Action] {
    guard let question = questions.removeValue(forKey: number) else { return [] }
    answers[question.reader, default: 0] += 1
    pending.removeAll { $0.question == number }
    // A reader that answers one question is awake for all.
    for (other, asked) in questions where asked.reader == question.reader {
      questions[other]?.course = .open
    }
    return askAgain(question) + handOver(to: question.reader)
  }

  /// Asks about messages handed over after a question.
  private mutating func askAgain(_ question: Question) -> [Action] {
    guard question.rung != .orca,
      pending.contains(where: {
        $0.reader == question.reader && $0.rung == question.rung && $0.question == nil
          && $0.isHandedOver
      }), let listener = listeners.first(where: { $0.reader == question.reader })
    else { return [] }
    let next = ask(question.reader, question.rung)
    for index in pending.indices
    where pending[index].reader == question.reader && pending[index].rung == question.rung
      && pending[index].question == nil && pending[index].isHandedOver
    {
      pending[index].question = next
    }
    return [.ping(listener.name, question: next)]
  }

  /// Hands over what waited for a reader, once it is no longer late, except what a newer key has
  /// made pointless. Warnings stay: the user has not heard them.
  private mutating func handOver(to reader: Reader) -> [Action] {
    guard !isLate(reader) else { return [] }
    let isWaiting = { (entry: Pending) in
      entry.question == nil && !entry.isHandedOver && entry.reader == reader
    }
    let waiting = pending.filter(isWaiting)
    pending.removeAll(where: isWaiting)
    let newest = waiting.last?.key
    let due = waiting.filter {
      $0.key == newest || !$0.message.mayBeDropped || $0.message.warns
    }
    return due.flatMap { entry -> [Action] in
      guard let choice else { return [.moved(entry.message, nil)] }
      let isMoved = choice.rung != entry.rung || choice.reader != entry.reader
      return (isMoved ? [.moved(entry.message, choice.rung)] : []) + send(entry.message, choice)
    }
  }

  private mutating func failed(_ number: Int) -> [Action] {
    guard let question = questions.removeValue(forKey: number) else { return [] }
    refusals.insert(Refusal(reader: question.reader, rung: question.rung))
    let moved = move { $0.reader == question.reader && $0.rung == question.rung }
    // Messages that waited for the same answer on another rung have no other trigger.
    return moved + handOver(to: question.reader)
  }

  /// Nobody answers for a reader that is gone.
  private mutating func moveOrphans() -> [Action] {
    let present = Set(services.values).union(listeners.map(\.reader))
    refusals = refusals.filter { present.contains($0.reader) }
    questions = questions.filter { present.contains($0.value.reader) }
    answers = answers.filter { present.contains($0.key) }
    return move { !present.contains($0.reader) }
  }

  /// Sends messages again on the next rung, in order.
  private mutating func move(_ isLost: (Pending) -> Bool) -> [Action] {
    let lost = pending.filter(isLost)
    pending.removeAll(where: isLost)
    return lost.flatMap { entry -> [Action] in
      guard let choice else { return [.moved(entry.message, nil)] }
      return [.moved(entry.message, choice.rung)] + send(entry.message, choice)
    }
  }
}
