import Glibc
import KeyDragCore
import KeyDragThreads
import Synchronization

/// A drag source without a mapped window, pointer or grab: it holds the XDND conversation with
/// running programs and serves them the data.
///
/// Its own connection and loop keep a target that floods or hangs from blocking other drags.
/// ``XdndHandshake`` and ``SelectionServer`` decide without any I/O; this carries out their actions.
/// Every question and every drop is answered once. After ``end()`` data that a target is still
/// reading is served to its end, whoever has let go of the drag.
actor XdndSource: OutgoingDrag, EventSource {
  private struct PendingDrop {
    /// `nil` once the outcome was reported as unknown; the true one may still come.
    var reply: CheckedContinuation<DragAnswer, Never>?
    let isThere: @Sendable () async -> Bool
    let progress: @Sendable (_ bytes: Int, _ total: Int) -> Void
    let late: @Sendable (DragAnswer) -> Void
  }

  nonisolated private let loop: EventLoop
  private let server: XServer
  private let atoms: XdndAtoms
  /// Never mapped; owns the selection and receives the targets' messages.
  private let window: XWindow
  /// By the atom of their content type; at most 64.
  private let forms: [XAtom: DragForm]
  /// In order of preference, as in XdndTypeList.
  private let types: [XAtom]
  /// The file that a target may write, by the property that proposes it.
  private let direct: (property: XAtom, save: DirectSave)?
  /// Type of the property that proposes a file name.
  private let plainText: XAtom
  private let search: TargetSearch
  private let pointer: ParkedPointer
  private var handshake: XdndHandshake
  private var selections: SelectionServer
  /// The caller has ended the drag; transfers in progress are still served.
  private var isEnding = false
  /// Another program owns the selection: nothing can be served any more.
  private var isSuperseded = false
  /// More events may be pending than were taken.
  private var isBehind = false
  /// Nothing is served any more.
  private var isClosed = false
  /// Whether another drag has begun on this display, or the display is gone.
  nonisolated private let hasLost = Atomic(false)
  /// The caller that awaits the target's answer.
  private var asker: CheckedContinuation<DragAnswer, Never>?
  private var current: PendingDrop?
  private var offered: XAtom?
  /// The types given to the target since it was entered.
  private var given: Set<XAtom> = []
  /// The last question to the target, repeated before the drop.
  private var asked: Question?
  /// `nil` unless a drop waits for modifiers and buttons to be released.
  private var release: InputReleaseWait?
  /// Number of the latest place check; answers to earlier ones are stale.
  private var placeChecks = 0

  private struct Question {
    let window: XWindow
    let point: RootPoint
    let operation: DragOperation

    init(_ window: WindowID, _ point: ScreenPoint, _ operation: DragOperation) {
      self.window = XWindow(rawValue: window.rawValue)
      self.point = RootPoint(x: point.x, y: point.y)
      self.operation = operation
    }
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Takes the selection, which ends another program's drag on this display. Blocks for the greeting
  /// and a few replies, each within its limit.
  ///
  /// - Throws: `notResponding` also when the server refuses the ownership (ICCCM 2.1).
  init(
    display: String?, forms: [DragForm], timing: XdndHandshake.Timing = .init()
  ) throws(Reason) {
    guard let loop = EventLoop() else { throw .noDisplay }
    self.loop = loop
    server = try XServer(display: display)
    guard let atoms = XdndAtoms(server.atoms(XdndAtoms.names)) else { throw server.loss }
    self.atoms = atoms
    search = TargetSearch(server: server, atoms: atoms)
    pointer = ParkedPointer(server: server)
    let forms = forms.prefix(64)
    types = server.atoms(forms.map(\.contentType))
    self.forms = Dictionary(zip(types, forms)) { first, _ in first }
    direct = zip(types, forms).lazy.compactMap { type, form in form.save.map { (type, $0) } }.first
    plainText = server.atoms(["text/plain"]).first ?? .none
    window = server.makeHiddenWindow()
    // A server timestamp, not 0: owners must name when they took a selection (ICCCM 2.1).
    let time = try server.time(by: window, property: atoms.timestamp)
    handshake = XdndHandshake(source: window, types: types, timing: timing)
    handshake.serverTime = time
    selections = SelectionServer(types: types, atoms: atoms, ownedSince: time)
    server.setWords(
      // Set for any number of types; targets read it only for more than three.
      atoms.typeList, of: window, type: .atom, types.map(\.rawValue))
    guard server.own(atoms.selection, by: window, time: time) else { throw .notResponding }
    server.flush()
    guard loop.start() else { throw .noDisplay }
    loop.attach(self)
  }

  nonisolated var isLost: Bool { hasLost.load(ordering: .relaxed) }

  // MARK: The loop

  nonisolated func waits() -> EventWait { assumeIsolated { $0.wait() } }

  nonisolated func ready(_ descriptors: [pollfd]) {
    assumeIsolated { if !$0.isClosed, !$0.step() { $0.close() } }
  }

  private func wait() -> EventWait {
    guard !isClosed else { return EventWait() }
    return EventWait(
      descriptors: [pollfd(fd: server.descriptor, events: Int16(POLLIN), revents: 0)],
      deadline: server.hasQueuedEvent() ? 0 : deadline)
  }

  private func close() {
    isClosed = true
    loop.detach(self)
    pointer.putBack()
    server.destroy(window)
    server.flush()
    answer(.refuses(.interrupted))
    // Data sent before may have landed all the same.
    if current?.reply != nil { tellEnd(.silent) }
  }

  private var deadline: Milliseconds? {
    if isBehind { return MonotonicClock.now }
    return [handshake.deadline, release?.next].compactMap { $0 }.min()
  }

  // MARK: Questions

  func ask(
    _ window: WindowID, at point: ScreenPoint, operation: DragOperation
  ) async -> DragAnswer {
    await put {
      asked = Question(window, point, operation)
      if let missing = enter() { answer(missing) }
    }
  }

  func stay() async -> DragAnswer {
    await put {
      guard handshake.target != nil, !handshake.isDropInFlight else {
        return answer(.refuses(.notShown))
      }
      perform(handshake.stay(now: MonotonicClock.now))
    }
  }

  private func put(_ send: () -> Void) async -> DragAnswer {
    // A target whose end is unknown is still owed the data; another drag can be started.
    if isClosed || isSuperseded || current != nil && current?.reply == nil {
      return .refuses(.interrupted)
    }
    guard current == nil else { return .silent }
    return await withCheckedContinuation { asker in
      answer(.silent)
      self.asker = asker
      send()
    }
  }

  /// Nobody waits for a later answer.
  private func answer(_ verdict: DragAnswer) { asker.take()?.resume(returning: verdict) }

  /// Repeats the last question; returns a verdict when there is no target to ask.
  private func enter() -> DragAnswer? {
    catchUp()
    guard let asked, !isSuperseded, !isEnding, !handshake.isDropInFlight else {
      return .refuses(.interrupted)
    }
    guard let target = search.target(in: asked.window, at: asked.point) else {
      perform(handshake.leave())
      // A lost display finds nothing, which says nothing about the window.
      if server.isLost { return server.loss == .notResponding ? .silent : .refuses(.interrupted) }
      return .refuses(server.rectangle(of: asked.window) == nil ? .gone : .notShown)
    }
    if handshake.target?.window != target.window { selections.resetServedForm() }
    // Written before the position is sent: the target may read it before answering.
    let action = atoms.action(asked.operation)
    if offered != action {
      // A single operation: some programs choose another one from a list than was asked for.
      offered = action
      server.setWords(
        atoms.actionList, of: window, type: .atom, [action.rawValue])
    }
    // Reports the target's end: a crashed program never sends XdndStatus.
    server.watch(target.window)
    proposeName()
    perform(
      handshake.hover(
        over: target, at: asked.point, operation: asked.operation, now: MonotonicClock.now))
    return nil
  }

  /// Proposes a file name to the target; the previous target may have put its own address there
  /// (XDS, step 1).
  private func proposeName() {
    guard let direct else { return }
    server.setProperty(
      direct.property, of: window, type: plainText, format: 8, bytes: Array(direct.save.name.utf8))
  }

  /// Handles everything that has happened on the display, by one round trip, before the next
  /// question is sent.
  private func catchUp() {
    awaitDisplay()
    takeEvents()
  }

  /// One round trip: everything sent before it has been processed by the server.
  private func awaitDisplay() {
    if let time = try? server.time(by: window, property: atoms.timestamp) {
      handshake.serverTime = time
    }
  }

  /// Events taken in one batch, so that a flooding program cannot starve other work.
  private static let mostEvents = 1_000

  private func takeEvents() {
    for _ in 0..<Self.mostEvents {
      guard let event = server.nextEvent() else {
        isBehind = false
        return
      }
      take(event)
    }
    isBehind = true
  }

  nonisolated func leave() {
    loop.post {
      self.assumeIsolated {
        $0.answer(.silent)
        $0.leaveTarget()
      }
    }
  }

  private func leaveTarget() {
    giveUpDrop()
    asked = nil
    perform(handshake.leave())
  }

  nonisolated func end() { loop.post { self.assumeIsolated { $0.endNow() } } }

  func finish() async {
    guard !isClosed else { return }
    endNow()
    awaitDisplay()
  }

  private func endNow() {
    guard !isClosed else { return }
    leaveTarget()
    isEnding = true
  }

  // MARK: The drop

  /// The place need not have been asked before.
  func drop(
    on window: WindowID, at point: ScreenPoint, operation: DragOperation,
    isThere: @escaping @Sendable () async -> Bool,
    progress: @escaping @Sendable (_ bytes: Int, _ total: Int) -> Void,
    late: @escaping @Sendable (DragAnswer) -> Void
  ) async -> DragAnswer {
    guard !isClosed, !isSuperseded, current == nil else { return .failed(.programFailed) }
    return await withCheckedContinuation { reply in
      answer(.silent)
      current = PendingDrop(reply: reply, isThere: isThere, progress: progress, late: late)
      asked = Question(window, point, operation)
      release = InputReleaseWait(since: MonotonicClock.now)
      letGo()
    }
  }

  /// `false` when there is no drop, or when the target has received a complete form: what it did
  /// with that can't be known.
  func giveUp() async -> Bool {
    guard !isClosed else { return false }
    if release != nil || handshake.isDropPending {
      leaveTarget()
      return true
    }
    guard handshake.isDropInFlight, current?.reply != nil, !selections.hasServedForm else {
      return false
    }
    perform(selections.abandon())
    handshake.abandon()
    tellEnd(.failed(.programFailed))
    return true
  }

  private func giveUpDrop() {
    guard release != nil else { return }
    release = nil
    tellEnd(.refuses(.interrupted))
  }

  /// Proceeds with a pending drop once modifiers and buttons are released. Called at each step;
  /// no-op without a pending drop.
  private func letGo() {
    guard var release else { return }
    let now = MonotonicClock.now
    let answer = release.look(server.pointer()?.held ?? [], now: now)
    self.release = release
    switch answer {
    case .wait: return
    case .giveUp:
      self.release = nil
      perform(handshake.leave())
      tellEnd(.failed(.programFailed))
    case .goOn:
      self.release = nil
      dropNow()
    }
  }

  /// Parks the pointer at the drop point, asks the target again, and drops if it accepts.
  private func dropNow() {
    guard let point = asked?.point else { return }
    pointer.park(at: point)
    switch enter() {
    case nil: perform(handshake.drop(checksPlace: true, now: MonotonicClock.now))
    case .refuses(.gone)?: tellEnd(.failed(.programEnded))
    // A lost display is a failure; everything else is a refusal.
    default: tellEnd(server.isLost ? .failed(.programFailed) : .refuses(.notTaken))
    }
  }

  /// Called once per drop, and again when a drop reported as `silent` ends.
  private func tellEnd(_ outcome: DragAnswer) {
    pointer.putBack()
    guard let drop = current else { return }
    current?.reply = nil
    if drop.reply == nil || outcome != .silent { current = nil }
    if let reply = drop.reply { reply.resume(returning: outcome) } else { drop.late(outcome) }
  }

  // MARK: Events

  private func step() -> Bool {
    takeEvents()
    if server.isLost {
      // Data that was never sent cannot have landed; the fate of data that was sent is unknown.
      if release != nil || handshake.isDropPending { tellEnd(.failed(.programFailed)) }
      hasLost.store(true, ordering: .relaxed)
      return false
    }
    letGo()
    perform(handshake.tick(now: MonotonicClock.now))
    server.flush()
    guard isEnding || isSuperseded else { return true }
    // The data of a drop of unknown outcome can no longer be served.
    if isSuperseded, current != nil, current?.reply == nil { return false }
    return handshake.isDropInFlight || selections.isBusy
  }

  private func take(_ event: XServer.Event) {
    let now = MonotonicClock.now
    switch event {
    case .message(let type, window, let words):
      // XdndFinished carries no action before version 5.
      let version = handshake.target?.version ?? 5
      if let message = XdndMessage(type: type, words: words, version: version, atoms: atoms) {
        perform(handshake.receive(message, now: now))
      }
    case .selectionRequest(_, atoms.selection, let request): serve(request, now)
    // A selection that this window does not own is refused, so that the requestor does not wait
    // (ICCCM 2.2).
    case .selectionRequest(_, let selection, let request):
      server.refuse(request, of: selection)
    case .selectionCleared(atoms.selection):
      leaveTarget()
      isSuperseded = true
      hasLost.store(true, ordering: .relaxed)
      answer(.refuses(.interrupted))
    case .propertyDeleted(let requestor, let property):
      guard requestor != window else { return }
      handshake.dataRequested(now: now)
      perform(selections.propertyDeleted(property, of: requestor))
    case .destroyed(let gone): vanished(gone)
    case .failed(let resource): vanished(XWindow(rawValue: resource))
    case .message, .selectionCleared, .selectionNotified, .ownerChanged, .propertySet: break
    }
  }

  /// Drops transfers to a destroyed window, and ends the dialogue if it was the target.
  private func vanished(_ gone: XWindow) {
    selections.windowVanished(gone)
    perform(handshake.windowVanished(gone))
  }

  /// Serves only the program that is being asked or dropped on. Resource ids identify a window's
  /// client: those of one client share their upper bits (X protocol, "Connection Setup",
  /// resource-id-mask).
  private func serve(_ request: SelectionServer.Request, _ now: Milliseconds) {
    guard let target = handshake.target,
      server.isSameClient(request.requestor, target.window)
        || server.isSameClient(request.requestor, target.receiver)
    else {
      return server.refuse(request, of: atoms.selection)
    }
    handshake.dataRequested(now: now)
    if request.target == atoms.multiple {
      perform(selections.take(request, pairs: server.pairs(of: request)))
    } else {
      perform(selections.take(request))
    }
  }

  // MARK: Actions

  private func perform(_ actions: [XdndHandshake.Action]) {
    for action in actions {
      switch action {
      case .send(let message, let target):
        if case .enter = message { given = [] }
        let (type, words) = message.encoded(atoms)
        server.send(type, words, about: target.window, to: target.receiver)
      case .tell(let verdict): answer(verdict)
      case .end(let outcome): tellEnd(doubted(outcome))
      case .checkPlace: checkPlace()
      }
    }
    if !actions.isEmpty { server.flush() }
  }

  private func checkPlace() {
    guard let isThere = current?.isThere else { return }
    placeChecks += 1
    let number = placeChecks
    Task {
      let isThere = await isThere()
      guard placeChecks == number, !isClosed else { return }
      perform(handshake.placeChecked(isThere: isThere, now: MonotonicClock.now))
    }
  }

  private func perform(_ actions: [SelectionServer.Action]) {
    for action in actions {
      switch action {
      case .load(let type, let id): load(type, id)
      case .write, .notify, .watch, .unwatch:
        server.carryOut(action, selection: atoms.selection)
      case .taken(let bytes, let total): taken(bytes, of: total)
      }
    }
    handshake.owes(selections.isBusy)
    if !actions.isEmpty { server.flush() }
  }

  /// Targets may also read data during a hover; only a drop's progress is reported.
  private func taken(_ bytes: Int, of total: Int) {
    guard handshake.isDropInFlight else { return }
    // A target that takes data has already located the drop, and may take long.
    pointer.putBack()
    current?.progress(bytes, total)
  }

  /// Loads a form, or has a file written for the target. Weak, because an app may answer long after
  /// the drag.
  private func load(_ type: XAtom, _ id: SelectionServer.LoadID) {
    guard let form = forms[type] else { return perform(selections.loaded(id, nil)) }
    guard let save = form.save else {
      Task { [weak self] in
        let bytes = await form.load()
        await self?.give(bytes, for: id, of: type)
      }
      return
    }
    // Nothing is written during a hover: the target may never be dropped on.
    guard handshake.isDropInFlight,
      let address = server.property(
        type, of: window, format: 8, longest: UInt32(DirectSave.longestAddress / 4 + 1))?.bytes
    else { return give(nil, for: id, of: type) }
    // Starts synchronously: the write belongs to the drop that is current now.
    Task.immediate { [weak self] in
      let answer = await save.write(address)
      await self?.give(answer.letter, for: id, of: type, isData: answer == .saved)
    }
  }

  /// - Parameter isData: whether the answer means that the target has received part of the payload.
  private func give(
    _ bytes: [UInt8]?, for id: SelectionServer.LoadID, of type: XAtom, isData: Bool = true
  ) {
    guard !isClosed else { return }
    if bytes != nil, isData { given.insert(type) }
    handshake.dataGiven(bytes?.count ?? 0)
    perform(selections.loaded(id, bytes))
  }

  /// Marks a failure as doubtful after data was given: the target may have used it regardless.
  private func doubted(_ outcome: DragAnswer) -> DragAnswer {
    if case .failed(let reason) = outcome, !given.isEmpty { .doubtful(reason) } else { outcome }
  }
}

extension DirectSave.Answer {
  /// In the protocol (XDS, step 4).
  fileprivate var letter: [UInt8] {
    switch self {
    case .saved: Array("S".utf8)
    case .elsewhere: Array("F".utf8)
    case .failed: Array("E".utf8)
    }
  }
}
