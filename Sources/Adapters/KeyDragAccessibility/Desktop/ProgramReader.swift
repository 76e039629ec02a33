import CAtspi
import Glibc
import KeyDragBus
import KeyDragCore

/// Reads the programs of a desktop through their accessibility trees, over connections on a thread of
/// its own, apart from those of announcements, so that neither waits for the other.
///
/// A program that does not answer is not asked by anyone until it answers again, so that it delays
/// nobody else.
///
/// Reading a window is spread over extensions; state kept between readings lives here and is
/// dropped with its program.
package actor ProgramReader: ProgramReading {
  let thread = BusThread()
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  let environment: [String: String]
  nonisolated let changes = ProgramChanges()
  /// `nil` before the first question, and while the bus is gone.
  private var connection: BusConnection?
  private(set) var address: String?
  /// The attempt in progress, shared by concurrent callers.
  private var joining: Task<BusConnection?, Never>?
  /// Programs that did not answer, by bus name.
  private(set) var silent: Set<String> = []
  /// Direct connections to programs, by bus name.
  private var lines: [String: BusConnection] = [:]
  /// Direct connections being opened, by bus name.
  private var calling: [String: Task<Void, Never>] = [:]
  /// Addresses of direct connections as programs report them, by bus name.
  private var addresses: [String: String] = [:]
  /// Attempts to connect directly, by bus name.
  private var calls: [String: Int] = [:]
  /// Shared by all rounds, on every connection.
  private let hearing = BusHearing()
  /// Total cost: what a window costs is counted, since times depend on what else runs.
  private(set) var asked = (rounds: 0, questions: 0)
  /// By bus name, as the programs report.
  private(set) var toolkits: [String: Toolkit] = [:]
  /// The last known parent of each element, which seldom changes.
  var parents: [ElementID: ElementID] = [:]
  /// The parents of panes that programs draw themselves.
  var panes: [ElementID: ElementID] = [:]
  private var paneAnswers = ExpensivePaneCache()
  /// The questions of each window's last reading.
  var habits = QueryPattern()
  /// Lists whose visible part is not just their first elements.
  private(set) var scrolledLists: Set<ElementID> = []
  /// The prefetched answers for this task's reading.
  @TaskLocal static var foresight: QueryPrefetch?
  private var isFollowing = false
  /// The programs of watched windows, whose events are subscribed.
  private var watched: Set<String> = []

  /// Knows which programs are on the bus.
  static let registry = ElementID(program: BusName.registry, path: AccessibleTree.root)
  /// Delay before a silent program is asked again, in milliseconds.
  private static let pause: UInt32 = 2_000
  /// Limit on what is remembered of programs and lists.
  private static let mostKnown = 512
  /// Interval of looking for a lost bus, in milliseconds.
  private static let search: UInt32 = 3_000
  /// Attempts to connect directly to a program: one that does not answer there is asked over the
  /// bus.
  private static let mostCalls = 3
  /// Timeout for connecting, in milliseconds for all steps together.
  private static let patience: UInt32 = 2_000

  /// Returns at once; the bus is joined on the first question.
  ///
  /// - Parameter environment: names the buses, as the environment of a process does.
  package init(environment: [String: String]) { self.environment = environment }

  deinit {
    for line in lines.values { line.close() }
    connection?.close()
    thread.stop()
  }

  // MARK: Connecting

  /// The connection, opened if there is none; `nil` without an accessibility bus. Concurrent
  /// callers share one attempt.
  func connected() async -> BusConnection? {
    if let connection { return connection }
    if let joining { return await joining.value }
    let task = Task { await join() }
    joining = task
    let result = await task.value
    joining = nil
    return result
  }

  /// Finds the bus, connects, and subscribes again if changes were followed before.
  private func join() async -> BusConnection? {
    let end = ContinuousClock.now + .milliseconds(Int(Self.patience))
    guard let address = await findAddress(until: end),
      let connection = await open(address, within: Self.left(until: end))
    else { return nil }
    // Without the registry nobody knows who is on the bus.
    await start(Self.registry.program, on: connection, until: end)
    connection.onClosed { [weak self] in Task { [weak self] in await self?.lose() } }
    (self.connection, self.address) = (connection, address)
    silent = []
    if isFollowing { await listen() }
    changes.tell(.bus(isThere: true))
    return connection
  }

  /// In milliseconds; at least 1 is left for every step.
  private static func left(until end: ContinuousClock.Instant) -> UInt32 {
    UInt32(max((end - .now) / .milliseconds(1), 1))
  }

  /// Starts an activatable service: one that is not running yet is not missing.
  private func start(
    _ program: String, on bus: BusConnection, until end: ContinuousClock.Instant
  ) async {
    await bus.askBus(
      "StartServiceByName", .string(program), .uint32(0), within: Int32(Self.left(until: end)))
  }

  private func open(
    _ address: String, within milliseconds: UInt32, isBus: Bool = true
  ) async -> BusConnection? {
    await BusConnection.open(address, on: thread, within: milliseconds, isBus: isBus)
  }

  /// The address of the accessibility bus, which is started if possible.
  private func findAddress(until end: ContinuousClock.Instant) async -> String? {
    if let address = environment["AT_SPI_BUS_ADDRESS"], !address.isEmpty { return address }
    guard let address = BusAddress.session(environment),
      let session = await open(address, within: Self.left(until: end))
    else { return nil }
    // Needed for this question only.
    defer { session.close() }
    await start(BusName.launcher, on: session, until: end)
    return await session.accessibilityAddress(within: Int32(Self.left(until: end)))
  }

  private func lose() {
    guard connection != nil else { return }
    (connection, address) = (nil, nil)
    for line in lines.values { line.close() }
    (lines, calls) = ([:], [:])
    hearing.forgetAll()
    (toolkits, addresses) = ([:], [:])
    (parents, panes, habits, scrolledLists) = ([:], [:], QueryPattern(), [])
    paneAnswers = ExpensivePaneCache()
    silent = []
    watched = []
    changes.forget()
    changes.tell(.bus(isThere: false))
    if isFollowing { findAgain() }
  }

  private func findAgain() {
    thread.run(after: Self.search) { [weak self] in
      Task { [weak self] in
        guard let self, await connected() == nil else { return }
        await findAgain()
      }
    }
  }

  // MARK: Asking

  /// Sends all questions at once. An error reply is `nil`.
  ///
  /// - Parameter limit: most values of each reply.
  /// - Throws: ``Reason/noAccessibility`` or ``Reason/notResponding``.
  func ask(
    _ questions: [BusRequest], limit: Int = usual
  ) async throws(Reason) -> [[BusValue]?] {
    guard let foresight = Self.foresight, limit == Self.usual else {
      return try await put(questions, limit: limit)
    }
    let known = questions.map { foresight.answer(to: $0) }
    let unknown = zip(questions, known).filter { $0.1 == nil }.map(\.0)
    var answers = try await put(unknown, limit: limit)[...]
    return known.map { $0 ?? answers.removeFirst() }
  }

  static let usual = 20_000

  /// Sends what was not prefetched, except what a pane need not repeat; all of it when a pane turns
  /// out to have changed.
  private func put(
    _ questions: [BusRequest], limit: Int
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

  /// Sends questions, over their program's direct connection if it has one. One silence fails all
  /// of them: a partial reading would describe a window that never existed.
  func send(
    _ questions: [BusRequest], limit: Int
  ) async throws(Reason) -> [[BusValue]?] {
    guard !questions.isEmpty else { return [] }
    asked.rounds += 1
    asked.questions += questions.count
    guard let connection = await connected() else { throw .noAccessibility }
    // A silent program is not waited for again.
    guard !questions.contains(where: { silent.contains($0.program) }) else {
      throw .notResponding
    }
    let line = line(for: questions)
    var answers = await round(line, beside: connection, questions, limit)
    if let line, answers.contains(.silence) {
      let isLost = line.isClosed
      hangUp(questions[0].program)
      // Either the program has ended, or only the connection: the bus knows which.
      if isLost { answers = await round(nil, beside: connection, questions, limit) }
    }
    if let first = answers.firstIndex(of: .silence) {
      if self.connection === connection { fallSilent(questions[first].program) }
      throw .notResponding
    }
    return answers.map(\.values)
  }

  func ask(_ question: BusRequest, limit: Int = usual) async throws(Reason) -> [BusValue]? {
    try await ask([question], limit: limit)[0]
  }

  private func round(
    _ line: BusConnection?, beside connection: BusConnection, _ questions: [BusRequest],
    _ limit: Int
  ) async -> [BusCallOutcome] {
    await withCheckedContinuation { continuation in
      BusCallBatch.ask(
        line ?? connection, beside: line == nil ? nil : connection, questions, limit: limit,
        on: thread, hearing: hearing
      ) { continuation.resume(returning: $0) }
    }
  }

  /// Marks a program as silent, reports that, and waits for its answer.
  func fallSilent(_ program: String) {
    guard silent.insert(program).inserted else { return }
    changes.tell(.programs)
    askAgain(program, within: nil)
  }

  /// Waits for a program's answer, first for any time; if it is late again after that, it stays
  /// silent.
  private func askAgain(_ program: String, within milliseconds: Int32?) {
    guard silent.contains(program), let connection else { return }
    let asked = ObjectIdentifier(connection)
    // The name is the least that every program can tell.
    let question = ElementID(program: program, path: AccessibleTree.root).name
    connection.ask(program, question.call, within: milliseconds) { [weak self] answer in
      Task { [weak self] in await self?.hear(answer, of: program, milliseconds, asked) }
    }
  }

  /// Takes the answer of a silent program, or its timeout. It has to answer twice: the first answer
  /// may be a very late one.
  private func hear(
    _ answer: BusCallOutcome, of program: String, _ milliseconds: Int32?, _ asked: ObjectIdentifier
  ) {
    // Stale: asked over a bus that is gone by now.
    guard silent.contains(program), connection.map(ObjectIdentifier.init) == asked else { return }
    if answer == .silence {
      thread.run(after: Self.pause) { [weak self] in
        Task { [weak self] in await self?.askAgain(program, within: nil) }
      }
    } else if milliseconds == nil {
      askAgain(program, within: BusCallBatch.patience)
    } else {
      silent.remove(program)
      changes.tell(.programs)
    }
  }

  /// Stops expecting a list's visible part to be its first elements.
  func markScrolled(_ list: ElementID) {
    if scrolledLists.count >= Self.mostKnown { scrolledLists = [] }
    scrolledLists.insert(list)
  }

  /// Records a program's toolkit, which never changes.
  func learn(_ toolkit: Toolkit, of program: String) {
    // Programs that keep reconnecting under new names must not fill the memory.
    if toolkits.count >= Self.mostKnown { toolkits = [:] }
    toolkits[program] = toolkit
  }

  // MARK: Direct connections

  /// Connects directly to a program that offers it: each question takes a third of the time there,
  /// and a tenth while the computer is busy, since the bus need not be woken for it. Until then the
  /// program is asked over the bus.
  func connectDirectly(to program: String) async {
    if let task = calling[program] { return await task.value }
    guard lines[program] == nil, calls[program, default: 0] < Self.mostCalls else { return }
    calls[program, default: 0] += 1
    let task = Task { await call(program) }
    calling[program] = task
    await task.value
    calling[program] = nil
  }

  private func call(_ program: String) async {
    if addresses[program] == nil {
      learnLine(AtspiReplyDecoder.text(try? await ask(Self.lineAddress(of: program))), to: program)
    }
    guard let address = addresses[program],
      let line = await open(address, within: UInt32(BusCallBatch.patience), isBus: false)
    else { return }
    // The bus was lost meanwhile, or another connection is there.
    guard connection != nil, lines[program] == nil else { return line.close() }
    let number = ObjectIdentifier(line)
    line.onClosed { [weak self] in
      Task { [weak self] in await self?.hangUp(program, only: number) }
    }
    lines[program] = line
  }

  static func lineAddress(of program: String) -> BusRequest {
    ElementID(program: program, path: AccessibleTree.root)
      .ask("Application", "GetApplicationBusAddress")
  }

  /// Records a program's address, if it is acceptable.
  func learnLine(_ address: String?, to program: String) {
    guard let address, Self.isLine(address), toolkits[program]?.hasDirectConnection == true,
      addresses.count < Self.mostKnown
    else { return }
    addresses[program] = address
  }

  func hasDirectConnection(to program: String) -> Bool { lines[program] != nil }

  /// Accepts a socket on this computer and nothing else: a program may report anything.
  static func isLine(_ address: String) -> Bool {
    // A list of addresses could lead elsewhere.
    (address.hasPrefix("unix:path=") || address.hasPrefix("unix:abstract="))
      && address.utf8.count < 256 && !address.contains(";")
  }

  /// The direct connection for questions to one program, if there is one. What changes something
  /// goes over the bus: a question is repeated when a connection breaks, and nothing may be done
  /// twice.
  private func line(for questions: [BusRequest]) -> BusConnection? {
    guard let program = questions.first?.program, let line = lines[program],
      questions.allSatisfy({ $0.program == program && $0.call.member.hasPrefix("Get") })
    else { return nil }
    return line
  }

  /// - Parameter number: only this connection; one opened since stays.
  private func hangUp(_ program: String, only number: ObjectIdentifier? = nil) {
    guard let line = lines[program], number == nil || number == ObjectIdentifier(line) else {
      return
    }
    lines[program] = nil
    line.close()
  }

  // MARK: Subscriptions

  package nonisolated func observe(_ observer: @escaping @Sendable (ProgramChange) -> Void) {
    changes.observe(
      on: { [weak thread] delay, job in
        guard let thread else { return }
        // Timers may only be set on the thread.
        thread.run { thread.run(after: delay, job) }
      }, observer)
    Task { await follow() }
  }

  /// Watches for element changes in these windows, and no others.
  package nonisolated func watch(_ frames: [ElementID]) {
    changes.watch(frames)
    Task { await subscribe(to: changes.programs) }
  }

  func follow() async {
    guard !isFollowing else { return }
    isFollowing = true
    if connection != nil { await listen() } else if await connected() == nil { findAgain() }
  }

  private func listen() async {
    guard let connection else { return }
    connection.intercept(ProgramChanges.prefix) { [changes] in changes.take($0) }
    connection.hear(BusName.bus, "NameOwnerChanged", from: BusName.bus) { [weak self] signal in
      let arguments = signal.arguments
      guard arguments.count == 3, let name = arguments[0].text, arguments[2].text == "" else {
        return
      }
      Task { [weak self] in await self?.left(name) }
    }
    // In one round, to leave no long gap between them.
    let events = ProgramChanges.everywhere
    _ = try? await ask(
      [match(ProgramChanges.arrivals, true)] + events.map { match($0.rule(from: nil), true) }
        + events.map { $0.registration(of: nil, true) })
    let programs = changes.programs
    watched = []
    await subscribe(to: programs)
  }

  /// Forgets a program that has left the bus: another may get its name.
  private func left(_ program: String) {
    hangUp(program)
    calls[program] = nil
    hearing.forget(program)
    (toolkits[program], addresses[program]) = (nil, nil)
    habits.forget(program: program)
    paneAnswers.forget(program: program)
    scrolledLists = scrolledLists.filter { $0.program != program }
    parents = parents.filter { $0.key.program != program }
    panes = panes.filter { $0.key.program != program }
    silent.remove(program)
    watched.remove(program)
    changes.left(program)
  }

  /// Subscribes to element changes in these programs, and no others.
  func subscribe(to programs: Set<String>) async {
    guard isFollowing, connection != nil, programs != watched else { return }
    let (new, old) = (programs.subtracting(watched), watched.subtracting(programs))
    watched = programs
    let events = ProgramChanges.inWatched
    let rules = old.flatMap { program in events.map { match($0.rule(from: program), false) } }
    // The registry drops an event for all programs at once.
    let forgotten = old.isEmpty ? [] : events.map { $0.registration(of: nil, false) }
    let kept = old.isEmpty ? new : programs
    _ = try? await ask(
      rules + forgotten
        + new.flatMap { program in events.map { match($0.rule(from: program), true) } }
        + kept.flatMap { program in events.map { $0.registration(of: program, true) } })
  }

  private func match(_ rule: String, _ isWanted: Bool) -> BusRequest {
    BusRequest(
      program: BusName.bus,
      call: .toBus(isWanted ? "AddMatch" : "RemoveMatch", [.string(rule)]))
  }
}
