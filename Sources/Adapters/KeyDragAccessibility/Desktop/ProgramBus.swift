import CAtspi
import Glibc
import KeyDragCore

/// The connection over which the programs of a desktop are asked; it lives on a thread of its own.
///
/// A program that does not answer is remembered and not asked by anyone until it answers again, so
/// that it costs the others nothing.
///
/// Reading a window is spread over extensions; what is remembered between readings is kept here and
/// forgotten with the program.
actor ProgramBus {
  /// The thread of the actor and of its connections.
  let thread = BusThread()
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Names the buses.
  let environment: [String: String]
  /// Hears of changes.
  let changes: ProgramChanges
  /// `nil` until somebody asks, and while the bus is gone.
  private var connection: BusConnection?
  /// The address of the bus.
  private(set) var address: String?
  /// Those who ask while it is being joined wait for the same.
  private var joining: Task<BusConnection?, Never>?
  /// Programs that did not answer, by their names on the bus.
  private(set) var silent: Set<String> = []
  /// Programs that are asked without the bus between, by their names on it.
  private var lines: [String: BusConnection] = [:]
  /// Lines that are being opened, by the names of their programs.
  private var calling: [String: Task<Void, Never>] = [:]
  /// The addresses for calling programs without the bus between, as they have told them, by their
  /// names on the bus.
  private var addresses: [String: String] = [:]
  /// How often a line to a program was asked for.
  private var calls: [String: Int] = [:]
  /// For all rounds, whatever way they take.
  private let hearing = BusHearing()
  /// How much was asked: what a window costs is counted, since seconds depend on what else runs.
  private(set) var asked = (rounds: 0, questions: 0)
  /// The toolkits that programs have said they are made with, by their names on the bus.
  private(set) var toolkits: [String: Toolkit] = [:]
  /// The parent that was found for each element, which is seldom another the next time.
  var parents: [ElementID: ElementID] = [:]
  /// The elements around the panes that programs draw by themselves.
  var panes: [ElementID: ElementID] = [:]
  /// The answers of panes that make a screen reader talk when they are asked for.
  private var paneAnswers = ExpensivePaneCache()
  /// The questions asked of windows when they were read last.
  var habits = QueryPattern()
  /// Lists of which more, or others, can be seen than their first elements.
  private(set) var unlikely: Set<ElementID> = []
  /// The expectations of the reading that is going on in this task.
  @TaskLocal static var foresight: QueryPrefetch?
  /// Whether changes are told.
  private var isFollowing = false
  /// Match rules and events asked for, for the programs of watched windows.
  private var watched: Set<String> = []

  /// Knows which programs are on the bus.
  static let registry = ElementID(program: ATSPI_DBUS_NAME_REGISTRY, path: AccessibleTree.root)
  /// The bus itself, as one to ask.
  static let bus = "org.freedesktop.DBus"
  /// How long after a silence a program is asked again, in milliseconds.
  private static let pause: UInt32 = 2_000
  /// The toolkits of more programs are not remembered.
  private static let mostKnown = 512
  /// How often a bus that was lost is looked for, in milliseconds.
  private static let search: UInt32 = 3_000
  /// How often a line to one program is opened: one that does not answer there is asked over the
  /// bus.
  private static let mostCalls = 3
  /// How long connecting may take, all in all, in milliseconds.
  private static let patience: UInt32 = 2_000

  /// Joins nothing yet.
  init(environment: [String: String], changes: ProgramChanges) {
    self.environment = environment
    self.changes = changes
  }

  deinit {
    for line in lines.values { line.close() }
    connection?.close()
    thread.stop()
  }

  // MARK: Connecting

  /// The connection, made when there is none; `nil` when there is no accessibility bus.
  ///
  /// Several who ask at once wait for one attempt.
  func connected() async -> BusConnection? {
    if let connection { return connection }
    if let joining { return await joining.value }
    let task = Task { await join() }
    joining = task
    let result = await task.value
    joining = nil
    return result
  }

  /// Finds the bus, connects, and listens again where changes were told before.
  private func join() async -> BusConnection? {
    let end = ContinuousClock.now + .milliseconds(Int(Self.patience))
    guard let address = await findAddress(until: end),
      let connection = await open(address, within: Self.left(until: end))
    else { return nil }
    // Without it nobody knows who is on the bus.
    await start(Self.registry.program, on: connection, until: end)
    connection.onClosed { [weak self] in Task { [weak self] in await self?.lose() } }
    (self.connection, self.address) = (connection, address)
    silent = []
    if isFollowing { await listen() }
    changes.tell(.bus(isThere: true))
    return connection
  }

  /// In milliseconds; something is left for every step.
  private static func left(until end: ContinuousClock.Instant) -> UInt32 {
    UInt32(max((end - .now) / .milliseconds(1), 1))
  }

  /// Has a bus start a program that it knows of: what is not used yet is not missing.
  private func start(
    _ program: String, on bus: BusConnection, until end: ContinuousClock.Instant
  ) async {
    let call = BusCall(
      path: "/org/freedesktop/DBus", interface: Self.bus, member: "StartServiceByName",
      arguments: [.string(program), .uint32(0)])
    _ = await self.call(Self.bus, call, on: bus, until: end)
  }

  /// Calls once and waits for the answer; `nil` for an error or none.
  private func call(
    _ program: String, _ call: BusCall, on bus: BusConnection, until end: ContinuousClock.Instant
  ) async -> [BusValue]? {
    await bus.call(program, call, within: Int32(Self.left(until: end)))
  }

  /// Opens a connection, for a bounded time.
  private func open(
    _ address: String, within milliseconds: UInt32, isBus: Bool = true
  ) async -> BusConnection? {
    await BusConnection.open(address, on: thread, within: milliseconds, isBus: isBus)
  }

  /// The address of the accessibility bus, where one runs or can be had.
  private func findAddress(until end: ContinuousClock.Instant) async -> String? {
    if let address = environment["AT_SPI_BUS_ADDRESS"], !address.isEmpty { return address }
    guard let address = BusAddress.session(environment),
      let session = await open(address, within: Self.left(until: end))
    else { return nil }
    // It is needed for this question only.
    defer { session.close() }
    let launcher = "org.a11y.Bus"
    await start(launcher, on: session, until: end)
    let call = BusCall(path: "/org/a11y/bus", interface: launcher, member: "GetAddress")
    let reply = await self.call(launcher, call, on: session, until: end)
    return reply?.first?.text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The bus is gone, with all that was known of its programs.
  private func lose() {
    guard connection != nil else { return }
    (connection, address) = (nil, nil)
    for line in lines.values { line.close() }
    (lines, calls) = ([:], [:])
    hearing.forgetAll()
    (toolkits, addresses) = ([:], [:])
    (parents, panes, habits, unlikely) = ([:], [:], QueryPattern(), [])
    paneAnswers = ExpensivePaneCache()
    silent = []
    watched = []
    changes.forget()
    changes.tell(.bus(isThere: false))
    if isFollowing { findAgain() }
  }

  /// Looks for the bus from time to time until it is there.
  private func findAgain() {
    thread.run(after: Self.search) { [weak self] in
      Task { [weak self] in
        guard let self, await connected() == nil else { return }
        await findAgain()
      }
    }
  }

  // MARK: Asking

  /// Asks all at once. An answer that is an error is `nil`.
  ///
  /// - Parameter limit: how many values each reply may hold.
  /// - Throws: ``Reason/noAccessibility`` or ``Reason/notResponding``.
  func ask(
    _ questions: [BusQuestion], limit: Int = usual
  ) async throws(Reason) -> [[BusValue]?] {
    guard let foresight = Self.foresight, limit == Self.usual else {
      return try await put(questions, limit: limit)
    }
    let known = questions.map { foresight.answer(to: $0) }
    // The answers come back in the order of the questions.
    let unknown = zip(questions, known).filter { $0.1 == nil }.map(\.0)
    var answers = try await put(unknown, limit: limit)[...]
    return known.map { $0 ?? answers.removeFirst() }
  }

  /// How many values a reply may hold where nobody says it.
  static let usual = 20_000

  /// Asks what nobody expected, but what a pane need not say again.
  ///
  /// Everything is asked where a pane turns out to have changed.
  private func put(
    _ questions: [BusQuestion], limit: Int
  ) async throws(Reason) -> [[BusValue]?] {
    let (known, checks) = paneAnswers.known(questions)
    let unknown = questions.indices.filter { known[$0] == nil }.map { questions[$0] }
    let answers = try await send(unknown + checks, limit: limit)
    guard paneAnswers.confirm(checks, answers.dropFirst(unknown.count)) else {
      return try await put(questions, limit: limit)
    }
    for (question, answer) in zip(unknown, answers) { paneAnswers.learn(question, answer) }
    var rest = answers[...]
    return questions.indices.map { known[$0] ?? rest.removeFirst() }
  }

  /// Sends questions, over the line of their program where it has one. With one silence all of them
  /// fail: a reading in parts would tell of a window that never was.
  private func send(
    _ questions: [BusQuestion], limit: Int
  ) async throws(Reason) -> [[BusValue]?] {
    guard !questions.isEmpty else { return [] }
    asked.rounds += 1
    asked.questions += questions.count
    guard let connection = await connected() else { throw .noAccessibility }
    // One that is silent is not waited for again.
    guard !questions.contains(where: { silent.contains($0.program) }) else {
      throw .notResponding
    }
    let line = line(for: questions)
    var answers = await round(line, beside: connection, questions, limit)
    if let line, answers.contains(.silence) {
      let isLost = line.isClosed
      hangUp(questions[0].program)
      // The program has ended, or only the line: the bus knows which.
      if isLost { answers = await round(nil, beside: connection, questions, limit) }
    }
    if let first = answers.firstIndex(of: .silence) {
      if self.connection === connection { fallSilent(questions[first].program) }
      throw .notResponding
    }
    return answers.map(\.values)
  }

  /// The same for one question.
  func ask(_ question: BusQuestion, limit: Int = usual) async throws(Reason) -> [BusValue]? {
    try await ask([question], limit: limit)[0]
  }

  /// One round, on a line or over the bus.
  private func round(
    _ line: BusConnection?, beside connection: BusConnection, _ questions: [BusQuestion],
    _ limit: Int
  ) async -> [BusAnswer] {
    await withCheckedContinuation { continuation in
      BusRound.ask(
        line ?? connection, beside: line == nil ? nil : connection, questions, limit: limit,
        on: thread, hearing: hearing
      ) { continuation.resume(returning: $0) }
    }
  }

  /// Remembers that a program does not answer, tells of it, and waits until it does.
  func fallSilent(_ program: String) {
    guard silent.insert(program).inserted else { return }
    changes.tell(.programs)
    askAgain(program, within: nil)
  }

  /// Waits until a program answers, however long that takes; one that is late again after that is
  /// as good as silent.
  private func askAgain(_ program: String, within milliseconds: Int32?) {
    guard silent.contains(program), let connection else { return }
    let asked = ObjectIdentifier(connection)
    // A name is the least that every program can tell.
    let question = ElementID(program: program, path: AccessibleTree.root).name
    connection.ask(program, question.call, within: milliseconds) { [weak self] answer in
      Task { [weak self] in await self?.hear(answer, of: program, milliseconds, asked) }
    }
  }

  /// A silent program has answered, or has not in time. It has to answer twice: the first answer
  /// may be a very late one.
  private func hear(
    _ answer: BusAnswer, of program: String, _ milliseconds: Int32?, _ asked: ObjectIdentifier
  ) {
    // Said of a bus that is gone by now.
    guard silent.contains(program), connection.map(ObjectIdentifier.init) == asked else { return }
    if answer == .silence {
      thread.run(after: Self.pause) { [weak self] in
        Task { [weak self] in await self?.askAgain(program, within: nil) }
      }
    } else if milliseconds == nil {
      askAgain(program, within: BusRound.patience)
    } else {
      silent.remove(program)
      changes.tell(.programs)
    }
  }

  /// Does not expect the first elements of a list to be what can be seen of it any more.
  func noteUnlikely(_ list: ElementID) {
    if unlikely.count >= Self.mostKnown { unlikely = [] }
    unlikely.insert(list)
  }

  /// Keeps what a program is made with: that never changes.
  func learn(_ toolkit: Toolkit, of program: String) {
    // A program that says it anew under each name is none to be remembered.
    if toolkits.count >= Self.mostKnown { toolkits = [:] }
    toolkits[program] = toolkit
  }

  // MARK: Without the bus between

  /// Opens a line to a program that offers one: each question takes a third of the time there, and
  /// a tenth while the computer is busy, since the bus need not be woken for it.
  ///
  /// Until it is open the program is asked over the bus.
  func openLine(to program: String) async {
    if let task = calling[program] { return await task.value }
    guard lines[program] == nil, calls[program, default: 0] < Self.mostCalls else { return }
    calls[program, default: 0] += 1
    let task = Task { await call(program) }
    calling[program] = task
    await task.value
    calling[program] = nil
  }

  /// Opens a line, with the address that the program tells.
  private func call(_ program: String) async {
    if addresses[program] == nil {
      learnLine(AccessibleAnswers.text(try? await ask(Self.lineAddress(of: program))), to: program)
    }
    guard let address = addresses[program],
      let line = await open(address, within: UInt32(BusRound.patience), isBus: false)
    else { return }
    // The bus was lost meanwhile, or another line is there.
    guard connection != nil, lines[program] == nil else { return line.close() }
    let number = ObjectIdentifier(line)
    line.onClosed { [weak self] in
      Task { [weak self] in await self?.hangUp(program, only: number) }
    }
    lines[program] = line
  }

  /// The question where a program is reached without the bus.
  static func lineAddress(of program: String) -> BusQuestion {
    ElementID(program: program, path: AccessibleTree.root)
      .ask("Application", "GetApplicationBusAddress")
  }

  /// Keeps where a program is reached, if that is a place to go to.
  func learnLine(_ address: String?, to program: String) {
    guard let address, Self.isLine(address), toolkits[program]?.hasLine == true,
      addresses.count < Self.mostKnown
    else { return }
    addresses[program] = address
  }

  /// Whether a program is asked without the bus between.
  func hasLine(to program: String) -> Bool { lines[program] != nil }

  /// A program may say anything: it is followed to a socket on this computer, to nothing else.
  static func isLine(_ address: String) -> Bool {
    // Several addresses at once could lead elsewhere.
    (address.hasPrefix("unix:path=") || address.hasPrefix("unix:abstract="))
      && address.utf8.count < 256 && !address.contains(";")
  }

  /// The line for questions to one program, where it offers one. What changes something goes over
  /// the bus: a question is put again when a line breaks, and nothing may be done twice.
  private func line(for questions: [BusQuestion]) -> BusConnection? {
    guard let program = questions.first?.program, let line = lines[program],
      questions.allSatisfy({ $0.program == program && $0.call.member.hasPrefix("Get") })
    else { return nil }
    return line
  }

  /// Closes the line to a program.
  ///
  /// - Parameter number: only this line; one that was opened since stays.
  private func hangUp(_ program: String, only number: ObjectIdentifier? = nil) {
    guard let line = lines[program], number == nil || number == ObjectIdentifier(line) else {
      return
    }
    lines[program] = nil
    line.close()
  }

  // MARK: Listening

  /// Tells of changes from now on.
  func follow() async {
    guard !isFollowing else { return }
    isFollowing = true
    if connection != nil { await listen() } else if await connected() == nil { findAgain() }
  }

  /// Asks the bus and the registry for the events that are read.
  private func listen() async {
    guard let connection else { return }
    connection.intercept(ProgramChanges.prefix) { [changes] in changes.take($0) }
    connection.hear(Self.bus, "NameOwnerChanged", from: Self.bus) { [weak self] signal in
      let arguments = signal.arguments
      guard arguments.count == 3, let name = arguments[0].text, arguments[2].text == "" else {
        return
      }
      Task { [weak self] in await self?.left(name) }
    }
    // Together, in one round: nothing is missed between them for long.
    let events = ProgramChanges.everywhere
    _ = try? await ask(
      [match(ProgramChanges.arrivals, true)] + events.map { match($0.rule(from: nil), true) }
        + events.map { $0.registration(of: nil, true) })
    let programs = changes.programs
    watched = []
    await watch(programs)
  }

  /// A program has left the bus: nothing of it is remembered, since another may get its name.
  private func left(_ program: String) {
    hangUp(program)
    calls[program] = nil
    hearing.forget(program)
    (toolkits[program], addresses[program]) = (nil, nil)
    habits.forget(program: program)
    paneAnswers.forget(program: program)
    unlikely = unlikely.filter { $0.program != program }
    parents = parents.filter { $0.key.program != program }
    panes = panes.filter { $0.key.program != program }
    silent.remove(program)
    watched.remove(program)
    changes.left(program)
  }

  /// Hears of elements that change in these programs, and no longer of those in others.
  func watch(_ programs: Set<String>) async {
    guard isFollowing, connection != nil, programs != watched else { return }
    let (new, old) = (programs.subtracting(watched), watched.subtracting(programs))
    watched = programs
    let events = ProgramChanges.inWatched
    let rules = old.flatMap { program in events.map { match($0.rule(from: program), false) } }
    // The registry forgets an event for all programs at once.
    let forgotten = old.isEmpty ? [] : events.map { $0.registration(of: nil, false) }
    let kept = old.isEmpty ? new : programs
    _ = try? await ask(
      rules + forgotten
        + new.flatMap { program in events.map { match($0.rule(from: program), true) } }
        + kept.flatMap { program in events.map { $0.registration(of: program, true) } })
  }

  /// Asks the bus for signals, or no longer.
  private func match(_ rule: String, _ isWanted: Bool) -> BusQuestion {
    BusQuestion(
      program: Self.bus,
      call: BusCall(
        path: "/org/freedesktop/DBus", interface: Self.bus,
        member: isWanted ? "AddMatch" : "RemoveMatch", arguments: [.string(rule)]))
  }
}
