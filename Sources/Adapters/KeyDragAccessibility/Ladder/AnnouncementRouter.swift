import KeyDragCore

/// Decides which way each message takes to the screen reader, and what becomes of those that did not
/// get there: a pure state machine, apart from any bus.
///
/// A message is on one rung at a time. It is off our hands when the reader has answered a question
/// that was put after it; when the reader hangs or is gone, it moves to the next rung. A reader that
/// works and is late will say what it was handed: only messages that it was not handed move then, and all
/// when it works without an end.
struct AnnouncementRouter: Sendable {
  /// The process that reads, since it has different names on different buses.
  typealias Reader = String

  /// The service of Orca, by the names it had in turn; the newest first.
  enum Service: String, Hashable, Sendable, CaseIterable {
    case orca1 = "org.gnome.Orca1.Service"
    case orca = "org.gnome.Orca.Service"

    /// The object that has its methods.
    var path: String { "/" + rawValue.split(separator: ".").joined(separator: "/") }

    /// A question that does nothing, as one that works answers between two of its tasks.
    var knock: BusCall { BusCall(path: path, interface: rawValue, member: "GetVersion") }

    /// The question how fast it speaks, as it is put to Orca 50 and to Orca 51.
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

  /// A program that hears events on the accessibility bus.
  struct Listener: Hashable, Sendable {
    /// Its name on that bus.
    var name: String
    var reader: Reader
    var isOrca: Bool
    var hearsAnnouncements: Bool
    var seesNotifications: Bool
    /// The versions of Orca that it can be, by what it listens for.
    var versions = 0..<1000.0
  }

  enum Event: Hashable, Sendable {
    /// A name of Orca's service has an owner, or none any more.
    case service(Service, Reader?)
    /// Everyone who listens now.
    case listeners([Listener])
    case answered(Int)
    /// The message of a question to the service was handed over.
    case handedOver(Int)
    /// It has taken long, and the reader has worked since: nothing more is handed over before its answer.
    case late(Int)
    /// The same for too long for somebody who listens.
    case endless(Int)
    /// The reader hangs: it has done nothing since, or far too much, and may still answer.
    case overdue(Int)
    /// It will never be answered, or was answered with a refusal.
    case failed(Int)
    /// It was not put after all, because its message is out of date.
    case dropped(Int)
  }

  enum Action: Hashable, Sendable {
    /// Asks the service to present a message; to be answered under this number.
    case present(ReaderMessage, Service, question: Int)
    case announce(ReaderMessage)
    case notify(ReaderMessage)
    /// Asks a listener for a sign of life; to be answered under this number.
    case ping(String, question: Int)
    /// The message takes another way: the next rung, or none.
    case moved(ReaderMessage, ReaderRoute?)
  }

  /// A message that the reader has not been heard of since.
  private struct Pending: Sendable {
    var message: ReaderMessage
    var rung: ReaderRoute
    var reader: Reader
    /// The question that was put after it.
    var question: Int?
    /// The reader has the words, or is about to: they can't be taken back.
    var isHandedOver = false
    /// The number of the person's key that it is about.
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
  /// How many questions each reader has answered.
  private var answers: [Reader: Int] = [:]
  private var lastKey = 0
  /// Ways that a living reader has refused.
  private var refusals: Set<Refusal> = []

  /// How many messages may be on their way; more are told in another way.
  static let limit = 1000

  /// - Parameter forced: the only rung to be used; all when `nil`.
  init(forced: ReaderRoute? = nil) { self.forced = forced }

  /// How many messages the reader has not been heard of since.
  var pendingCount: Int { pending.count }

  /// How many of them may take another way, or are said once the reader gets to them.
  var openCount: Int { pending.count { !isStuck($0.reader) } }

  /// How many programs listen that may be readers.
  var listenerCount: Int { listeners.count }

  /// The rung that a message would take now; nothing without a reader that answers.
  var rung: ReaderRoute? { choice?.rung }

  /// The service that is there.
  var service: Service? { Service.allCases.first { services[$0] != nil } }

  /// The reader that would read a message now.
  var reader: Reader? { choice?.reader }

  /// The reader that a question was put to, and that has not answered it.
  func reader(of question: Int) -> Reader? { questions[question]?.reader }

  /// How many questions a reader has answered.
  func answers(of reader: Reader) -> Int { answers[reader, default: 0] }

  /// Whether the message of a question to the service waits for its answer, and has taken no other way.
  func isPending(_ question: Int) -> Bool { pending.contains { $0.question == question } }

  /// Whether a question was given up that brought words along.
  func hasOverdueWords(_ question: Int) -> Bool {
    questions[question].map { $0.course == .overdue && $0.rung == .orca } ?? false
  }

  /// The versions that a reader can be, by what it listens for.
  func versions(of reader: Reader) -> Range<Double> {
    listeners.first { $0.reader == reader }?.versions ?? 0..<1000
  }

  /// Whether the reader may read what a key brings to the screen of a terminal, as Orca does from
  /// version 48 on, whichever way messages take to it.
  var readsInsertedText: Bool {
    choice.map { $0.rung == .orca || versions(of: $0.reader).upperBound > 48 } ?? false
  }

  /// From 49 on, which has a service, Tab and Enter make a difference.
  var skipsMarkedText: Bool {
    choice.map { $0.rung == .atspi && versions(of: $0.reader).lowerBound == 48 } ?? false
  }

  /// The only listener that is to hear of messages, where others would say them as well: two Orcas on one
  /// desktop.
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

  /// The person has pressed a key: what is told from now on is about it.
  mutating func takeKey() { lastKey += 1 }

  private struct Choice {
    var rung: ReaderRoute
    var reader: Reader
    var service: Service?
    var listener: String?
  }

  /// The rung that a message would take if none were forced.
  var openRung: ReaderRoute? { choice(nil)?.rung }
  /// The reader that would take it then.
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
    // Beside Orca others may listen who read nothing aloud; it alone decides then.
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
    var actions: [Action] = [choice.rung == .atspi ? .announce(message) : .notify(message)]
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

  // MARK: What happens

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
    // An answer that came first has made these void.
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
    // Whoever answers one question is awake for all.
    for (other, asked) in questions where asked.reader == question.reader {
      questions[other]?.course = .open
    }
    return askAgain(question) + handOver(to: question.reader)
  }

  /// Asks about what was handed over after a question.
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

  /// Hands over what waited for a reader, once it is late no more, but for what a newer key has made
  /// pointless. A warning stays: the person has not heard it.
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
    // What waited for the same answer on another rung has nobody else to hand it over.
    return moved + handOver(to: question.reader)
  }

  /// A reader that is gone has nobody left to answer for it.
  private mutating func moveOrphans() -> [Action] {
    let present = Set(services.values).union(listeners.map(\.reader))
    refusals = refusals.filter { present.contains($0.reader) }
    questions = questions.filter { present.contains($0.value.reader) }
    answers = answers.filter { present.contains($0.key) }
    return move { !present.contains($0.reader) }
  }

  /// Sends messages again by the next rung, in their order.
  private mutating func move(_ isLost: (Pending) -> Bool) -> [Action] {
    let lost = pending.filter(isLost)
    pending.removeAll(where: isLost)
    return lost.flatMap { entry -> [Action] in
      guard let choice else { return [.moved(entry.message, nil)] }
      return [.moved(entry.message, choice.rung)] + send(entry.message, choice)
    }
  }
}
