import Dispatch
import Glibc
import KeyDragBus
import KeyDragCore
import KeyDragThreads
import Synchronization

/// The user's screen reader, reached over the desktop's buses by a process without windows. It is
/// found and followed automatically; its presence, and the route to it, may change at any time.
package final class ScreenReader: Announcer {
  struct Waiting: Sendable {
    var number: Int
    var isOver: @Sendable (AnnouncementRouter) -> Bool
    var resume: @Sendable () -> Void
  }

  struct Conversation: Sendable {
    var ladder: AnnouncementRouter
    var tree = AccessibleTree()
    var application: BusConnection?
    var session: BusConnection?
    var lastSent: ContinuousClock.Instant?
    /// When the reader last queried a message.
    var lastAsked: ContinuousClock.Instant?
    /// Whether it has queried the newest notification, whose text it gets in no other way.
    var hasAskedNewest = true
    var onChange: (@Sendable (ReaderMessage, ReaderRoute?) -> Void)?
    var onCommand: (@Sendable (CommandName) -> Void)?
    var waiting: [Waiting] = []
    var lastWaiting = 0
    /// Keys are grabbed from other programs, and their aftermath is waited for.
    var followsKeys = false
    var focus = GrabbedKeyTracker()
    /// Estimated end of the messages that no reader took.
    var saidElsewhere: ContinuousClock.Instant?
    /// Messages for the reader's service, held until it has shown that it is awake.
    var awaitingPing: [AnnouncementRouter.Action] = []
    /// Used while no keys are followed.
    var backlog = ReaderBacklog()
    /// When the last key was pressed there.
    var pressed: ContinuousClock.Instant?
    /// When the reader has processed what has gone from the screen.
    var screenSeen: ContinuousClock.Instant?
    /// Messages that wait for the aftermath of a key.
    var held: [[AnnouncementRouter.Action]] = []
    /// The messages sent since the last key.
    var told: [AnnouncementRouter.Action] = []
    /// The messages sent for the key before it, or for the last one that led to any.
    var toldBefore: [AnnouncementRouter.Action] = []
    /// The message before which the reader should say nothing more.
    var turn: MessageReceipt?
    /// Messages for the reader's service, held until it has reached them.
    var waitingForTurn: [QueuedMessage] = []
    /// Notifications whose text has not been queried.
    var unasked: [Unasked] = []
    /// Estimated end of all our speech.
    var end: ContinuousClock.Instant?
    /// The minimum speech rate of a reader.
    var pace: (reader: AnnouncementRouter.Reader?, charactersPerSecond: Double) = (nil, slowPace)
  }

  let state: Mutex<Conversation>
  let thread = BusThread()
  let speech: (any ReaderSpeech)?
  /// Given once the first search is complete.
  private let discovery = BlockingResult<Void>()
  private let finder = Mutex<ScreenReaderDiscovery?>(nil)
  /// Longest silence of a reader before the next rung is taken, in milliseconds.
  private let patience: UInt32

  /// Starts searching for a reader and returns at once.
  ///
  /// - Parameters:
  ///   - environment: names the buses, as the environment of a process does.
  ///   - rung: the only route to use; `nil` for all.
  ///   - phrases: the names of roles.
  ///   - patience: milliseconds; a reader that is busy reading something out needs some.
  ///   - speech: the speech service of the readers, if it can be reached.
  package init(
    environment: [String: String], rung: ReaderRoute? = nil, phrases: Phrasebook = Phrasebook(),
    patience: UInt32 = 2000, speech: (any ReaderSpeech)? = nil
  ) {
    state = Mutex(
      Conversation(ladder: AnnouncementRouter(forced: rung), tree: AccessibleTree(phrases: phrases))
    )
    self.patience = patience
    self.speech = speech
    let finder = ScreenReaderDiscovery(environment: environment, thread: thread) {
      [weak self] news in
      self?.take(news)
    }
    self.finder.withLock { $0 = finder }
    thread.run { finder.start() }
  }

  deinit { close() }

  /// Waits until it is known whether there is a reader.
  ///
  /// - Parameter seconds: timeout; a bus that hangs must not keep the user waiting. One that has
  ///   answered is given four times as long: a machine that is starting its desktop is slow, and
  ///   what is said before the reader is found is said by a second voice.
  package func settle(within seconds: Double) {
    let start = DispatchTime.now()
    guard discovery.value(until: start + seconds) == nil,
      state.withLock({ $0.session != nil || $0.application != nil })
    else { return }
    _ = discovery.value(until: start + seconds * 4)
  }

  /// The route of a message now; `nil` without a responsive reader.
  package var rung: ReaderRoute? { state.withLock { $0.ladder.rung } }

  package struct Facts: Hashable, Sendable {
    package var hasSessionBus: Bool
    package var hasAccessibilityBus: Bool
    package var rung: ReaderRoute?
    /// The route when none is forced.
    package var openRung: ReaderRoute?
    /// The reader's own service that messages go to.
    package var service = ""
    /// Name and version of the reader, such as "Orca 43.1"; empty for one known only by its
    /// subscriptions.
    package var reader = ""
  }

  package var facts: Facts {
    let (facts, reader, range) = state.withLock { state in
      let facts = Facts(
        hasSessionBus: state.session != nil, hasAccessibilityBus: state.application != nil,
        rung: state.ladder.rung, openRung: state.ladder.openRung,
        service: state.ladder.rung == .orca ? state.ladder.service?.rawValue ?? "" : "")
      let reader = state.ladder.reader ?? state.ladder.openReader
      let range = reader.map(state.ladder.versions) ?? 0..<1000
      return (facts, reader.flatMap { Int32($0) }, range)
    }
    var named = facts
    let way = facts.rung ?? facts.openRung
    named.reader =
      reader.map { OrcaProcess.title($0, takes: way, among: range, told: askVersion()) } ?? ""
    // Only Orca has such a service, or is given notifications.
    if named.reader.isEmpty, facts.rung == .orca || facts.rung == .notification {
      named.reader = "Orca"
    }
    return named
  }

  private func askVersion() -> String? {
    let (session, service) = state.withLock { ($0.session, $0.ladder.service) }
    guard let session, let service else { return nil }
    let version = BlockingResult<String?>()
    thread.run {
      session.call(service.rawValue, service.knock, within: Self.versionPatience) { reply in
        version.give(reply?.first?.text)
      }
    }
    return version.value(within: .milliseconds(Int(Self.versionPatience) + 100)) ?? nil
  }

  private static let versionPatience: Int32 = 300

  // MARK: Announcer

  package var readsInsertedText: Bool { state.withLock { $0.ladder.readsInsertedText } }

  package var skipsMarkedText: Bool { state.withLock { $0.ladder.skipsMarkedText } }

  package var charactersPerSecond: Double { state.withLock { $0.pace.charactersPerSecond } }

  package func announce(_ message: ReaderMessage) -> ReaderRoute? {
    state.withLock { state in
      let (rung, actions) = state.ladder.announce(message)
      if rung != nil { state.lastSent = .now } else { state.tellElsewhere(message) }
      // Within the lock, so that two messages can't overtake each other.
      if !actions.isEmpty { thread.run { [weak self] in self?.pass(actions) } }
      return rung
    }
  }

  package func keyPressed() {
    let service = state.withLock { state in
      if !state.followsKeys {
        state.backlog.press(at: .now)
        state.pressed = .now
      }
      state.ladder.takeKey()
      return state.ladder.rung == .orca ? state.ladder.service : nil
    }
    thread.run { [weak self] in
      if let service { self?.knock(service) }
      self?.learnPace()
    }
  }

  package func waitForScreen() {
    state.withLock { $0.screenSeen = .now + Self.screenTime }
  }

  /// Terminals report changes within a frame or two.
  private static let screenTime = Duration.milliseconds(80)

  package func withdraw(_ message: ReaderMessage) {
    state.withLock { $0.tree.withdraw(message.text) }
  }

  package func onChange(_ handler: @escaping @Sendable (ReaderMessage, ReaderRoute?) -> Void) {
    state.withLock { $0.onChange = handler }
  }

  package func onCommand(_ handler: @escaping @Sendable (CommandName) -> Void) {
    state.withLock { $0.onCommand = handler }
  }

  package func show(_ scene: @autoclosure () -> DragScene) {
    guard state.withLock({ $0.application != nil }) else { return }
    let scene = scene()
    state.withLock { state in
      let events = state.tree.show(scene)
      guard !events.isEmpty else { return }
      thread.run { [weak self] in
        for event in events { _ = self?.emit(event) }
      }
    }
  }

  package func finish() {
    guard state.withLock({ $0.lastSent != nil }) else { return close() }
    // A message that is not answered in time moves on or is given up, so that this ends.
    let isHeard = BlockingResult<Void>()
    add(Waiting(number: 0, isOver: { $0.openCount == 0 }, resume: { isHeard.give() }))
    // A reader that answers, but one message after the other, is waited for no longer than this.
    isHeard.wait(within: Self.longestWork)
    let end = ContinuousClock.now + Self.longestFarewell
    while let quiet = farewell, ContinuousClock.now < min(quiet, end) {
      let left = min(quiet, end) - ContinuousClock.now
      usleep(UInt32(max(left / .microseconds(1), 0)))
    }
    close()
  }

  /// Until when the reader may still query something; `nil` when it queries nothing.
  private var farewell: ContinuousClock.Instant? {
    state.withLock { state in
      guard let rung = state.ladder.rung, rung != .orca else { return nil }
      if rung == .notification, !state.hasAskedNewest { return .now + .milliseconds(50) }
      return [state.lastSent, state.lastAsked].compactMap(\.self).max().map { $0 + Self.quiet }
    }
  }

  /// A reader that has queried nothing for as long as this has heard everything.
  private static let quiet = Duration.milliseconds(500)
  private static let longestFarewell = Duration.seconds(5)
  private static let longestWork = DispatchTimeInterval.seconds(30)

  private func close() {
    finder.withLock { $0 = nil }
    let connections = state.withLock { state in
      state.ladder = AnnouncementRouter()
      return [state.application, state.session].compactMap(\.self)
    }
    // After everything posted before.
    thread.run { for connection in connections { connection.close() } }
    thread.stop()
  }

  /// Waits until the reader has given a sign of life after every message, or is gone.
  package func allHeard() async { await wait { $0.pendingCount == 0 } }

  /// Waits until messages take this route, or none.
  package func reaches(_ rung: ReaderRoute?) async { await wait { $0.rung == rung } }

  /// Waits until this many programs listen that may be readers.
  package func hasListeners(_ count: Int) async { await wait { $0.listenerCount == count } }

  /// Returns early when the task is cancelled.
  private func wait(_ isOver: @escaping @Sendable (AnnouncementRouter) -> Bool) async {
    let number = state.withLock { state in
      state.lastWaiting += 1
      return state.lastWaiting
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        add(
          Waiting(
            number: number, isOver: { isOver($0) || Task.isCancelled },
            resume: { continuation.resume() }))
      }
    } onCancel: {
      resume { $0.number == number }
    }
  }

  private func add(_ waiting: Waiting) {
    let isNow = state.withLock { state in
      guard !waiting.isOver(state.ladder) else { return true }
      state.waiting.append(waiting)
      return false
    }
    if isNow { waiting.resume() }
  }

  private func resume(_ isMeant: (Waiting) -> Bool) {
    let over = state.withLock { state in
      defer { state.waiting.removeAll(where: isMeant) }
      return state.waiting.filter(isMeant)
    }
    for waiting in over { waiting.resume() }
  }

  // MARK: On the thread

  private func take(_ news: ScreenReaderFinding) {
    switch news {
    case .session(let connection): state.withLock { $0.session = connection }
    case .application(let connection):
      let followsKeys = state.withLock { state in
        state.application = connection
        state.tree.busName = connection?.name ?? ""
        return state.followsKeys
      }
      if let connection {
        serve(connection)
        if followsKeys { followFocus(connection) }
      }
    case .desktop(let name, let path):
      state.withLock { $0.tree.desktop = (name, path) }
    case .service(let service, let reader): apply(.service(service, reader))
    case .listeners(let listeners): apply(.listeners(listeners))
    case .settled: discovery.give()
    }
  }

  private func serve(_ connection: BusConnection) {
    connection.serve { [weak self] call in
      guard AccessibleTree.owns(call.path), let self else { return nil }
      makeWay(for: call)
      let (answer, onCommand) = state.withLock { state in
        let answer = state.tree.answer(call)
        if AccessibleTree.isMessage(call.path) { state.lastAsked = .now }
        if call.path == AccessibleTree.label(state.tree.newest) { state.hasAskedNewest = true }
        if let id = answer.id { state.tree.id = id }
        return (answer, state.onCommand)
      }
      if let command = answer.command { onCommand?(command) }
      return answer.reply
    }
  }

  func apply(_ event: AnnouncementRouter.Event) {
    let (actions, ladder) = state.withLock { state in
      (state.ladder.apply(event), state.ladder)
    }
    perform(actions)
    resume { $0.isOver(ladder) }
  }

  func perform(_ actions: [AnnouncementRouter.Action]) {
    state.withLock { state in
      // Before any goes to another reader: two may hold the same text.
      for case .moved(let message, .some) in actions { state.tree.withdraw(message.text) }
    }
    for action in actions {
      switch action {
      case .present: presentInTurn(action)
      case .announce(let message): announce(message, isNotification: false)
      case .notify(let message): announce(message, isNotification: true)
      case .ping(let listener, let question):
        ask(state.withLock { $0.application }, listener, BusCall.ping, question) { _ in true }
      case .moved(let message, let rung):
        state.withLock { state in
          if rung == nil { state.tellElsewhere(message) }
          // The rerouted message must not be cut off when the hanging reader reaches it.
          if state.waitingForTurn.isEmpty { state.turn = nil }
        }
        state.withLock { $0.onChange }?(message, rung)
      }
    }
  }

  /// Hands a message to the reader's service once it is awake: text given to a hanging one can't be
  /// withdrawn, and would be spoken when it wakes up, after it was spoken otherwise.
  func present(_ action: AnnouncementRouter.Action) {
    guard case .present(_, let service, let question) = action else { return }
    state.withLock { $0.awaitingPing.append(action) }
    wait(for: question)
    knock(service)
  }

  /// Checks that the reader's service is awake, even before there is a message.
  func knock(_ service: AnnouncementRouter.Service) {
    guard let connection = state.withLock({ $0.session }) else { return admit() }
    connection.call(service.rawValue, service.knock, within: nil) { [weak self] _ in
      guard let self else { return }
      admit()
    }
  }

  /// Hands over what waits, except what was rerouted.
  private func admit() {
    let waiting = state.withLock { state in
      defer { state.awaitingPing = [] }
      return state.awaitingPing
    }
    for case .present(let message, let service, let question) in waiting {
      if state.withLock({ $0.ladder.isPending(question) }) {
        handOver(.present(message, service, question: question))
      } else {
        apply(.answered(question))
      }
    }
  }

  private func handOver(_ action: AnnouncementRouter.Action) {
    guard case .present(let message, let service, let question) = action else { return }
    apply(.handedOver(question))
    let call = BusCall(
      path: service.path, interface: service.rawValue, member: "PresentMessage",
      arguments: [.string(message.text)])
    ask(state.withLock { $0.session }, service.rawValue, call, question) {
      $0.first == .bool(true)
    }
    // From 51 on a message stays on the braille display, where it is told so, until something else is shown:
    // for somebody who has just pressed a key of ours.
    let display = state.withLock { state in
      service == .orca1 && state.pressed.map { .now - $0 < Self.attention } ?? false
        ? state.session : nil
    }
    display?.call(
      service.rawValue,
      BusCall(
        path: service.path, interface: service.rawValue, member: "DisplayMessage",
        arguments: [.string(message.shown), .bool(true)]), within: Self.versionPatience
    ) { _ in }
  }

  private static let attention = Duration.seconds(10)

  private func ask(
    _ connection: BusConnection?, _ destination: String, _ call: BusCall, _ question: Int,
    isYes: @escaping @Sendable ([BusValue]) -> Bool
  ) {
    guard let connection else { return apply(.failed(question)) }
    // No timeout while the reader lives: a late answer shows that it is awake again.
    connection.call(destination, call, within: nil) { [weak self] reply in
      guard let self else { return }
      let isLate = state.withLock { state in
        // Text that goes another way than by the service can be withdrawn in time. Nothing is cut
        // off while our text is spoken by others.
        state.ladder.hasOverdueWords(question) && state.ladder.rung == nil
          && state.saidElsewhere.map { $0 < .now } ?? true
      }
      apply(reply.map(isYes) == true ? .answered(question) : .failed(question))
      if isLate { hushWaking() }
    }
    wait(for: question)
  }

  /// A reader's signs of life, up to a moment.
  private struct Signs {
    /// `nil` when it can't be known.
    var load: ProcessActivity?
    var answers: Int

    func isWorking(since before: Signs) -> Bool {
      guard let load, let old = before.load else { return false }
      return load.isWorking(since: old)
    }
  }

  /// The signs of the reader that a question was sent to; `nil` when it is no longer open.
  private func signs(_ question: Int, _ isKnocking: Bool) -> Signs? {
    let found = state.withLock { state in
      state.isKnocking(question) == isKnocking
        ? state.ladder.reader(of: question).map { ($0, state.ladder.answers(of: $0)) } : nil
    }
    return found.map { Signs(load: ProcessActivity($0), answers: $1) }
  }

  private func wait(for question: Int) {
    let isKnocking = state.withLock { $0.isKnocking(question) }
    guard let signs = signs(question, isKnocking) else { return }
    wait(for: question, isKnocking, since: signs, round: 1)
  }

  /// Gives a question up after some time in which the reader has done nothing. A working one speaks
  /// what it was handed in the end, however slow the machine: spoken otherwise, it would be
  /// heard twice. Messages that it was not handed are rerouted when it works without an answer; all
  /// of them, when it does so endlessly.
  ///
  /// - Parameter isKnocking: whether it is the check before the message.
  private func wait(for question: Int, _ isKnocking: Bool, since before: Signs, round: Int) {
    thread.run(after: patience) { [weak self] in
      guard let self, let now = signs(question, isKnocking) else { return }
      // It gets to this question in its turn.
      let hasAnswered = now.answers != before.answers
      let round = hasAnswered ? 1 : round
      guard hasAnswered || now.isWorking(since: before), round < Self.lastRound else {
        return apply(.overdue(question))
      }
      apply(round < Self.longRound ? .late(question) : .endless(question))
      wait(for: question, isKnocking, since: now, round: round + 1)
    }
  }

  /// From `longRound` on nothing more is handed to a working reader; at `lastRound` it is given up.
  private static let (longRound, lastRound) = (3, 15)

  func announce(_ message: ReaderMessage, isNotification: Bool) {
    if isNotification { wakeSpeech() }
    let isFirst = mark(isNotification ? .notify(message) : .announce(message)) || message.cutsOff
    let (slot, turn, goesFirst) = state.withLock { state in
      state.hasAskedNewest = !isNotification
      let slot = state.tree.tell(message.text)
      let path = isNotification ? AccessibleTree.label(slot) : AccessibleTree.notification(slot)
      let turn = MessageReceipt(path: path, isLabel: isNotification)
      guard !state.followsKeys else { return (slot, turn, isFirst) }
      state.backlog.send(turn)
      return (slot, turn, state.backlog.takeCut() || message.cutsOff)
    }
    if goesFirst {
      state.withLock { $0.turn = turn }
      cutUntilTurn(turn.path)
    } else {
      state.withLock { _ = $0.turn?.later.insert(AccessibleTree.label(slot)) }
    }
    if isNotification { watch(.notify(message), in: slot) }
    let events: [AccessibleEvent] =
      isNotification
      ? Self.notification(slot, message.text)
      : [.announcement(AccessibleTree.notification(slot), message.text, message.urgency)]
    // Nobody listens on a closed connection.
    if !events.allSatisfy({ emit($0, isMessage: true) }) { apply(.listeners([])) }
  }

  private static func notification(_ slot: Int, _ text: String) -> [AccessibleEvent] {
    [.name(AccessibleTree.label(slot), text), .showing(AccessibleTree.notification(slot))]
  }

  /// Lets the reader find out that its speech service has ended: Orca 43 and 44 lose the message at
  /// which they do, and start it anew for the next.
  private func wakeSpeech() {
    guard let speech, speech.hasEnded() else { return }
    let slot = state.withLock { $0.tree.tell(Self.nothing) }
    for event in Self.notification(slot, Self.nothing) { _ = emit(event, isMessage: true) }
  }

  /// A character that no voice speaks, and that readers do not take for a blank, which they would
  /// skip.
  private static let nothing = "\u{2060}"

  /// - Parameter isMessage: text, which only one reader may speak.
  func emit(_ event: AccessibleEvent, isMessage: Bool = false) -> Bool {
    let (connection, reader) = state.withLock { ($0.application, $0.ladder.destination) }
    return connection?.emit(
      path: event.path, interface: AccessibleEvent.interface, name: event.member, event.arguments,
      to: isMessage ? reader : nil) ?? false
  }
}
