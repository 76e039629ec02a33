import KeyDragCore
import KeyDragThreads

/// The state of one drag, confined to its thread.
///
/// Created by ``XdndSource`` on the caller's thread, then used only by the source's own thread:
/// posted jobs and ``run()``. Its separate connection keeps a target that floods or hangs from
/// blocking other drags. ``XdndHandshake`` and ``SelectionServer`` decide without any I/O; this carries
/// out their actions.
final class DragConversation {
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
  private let thread: EventLoop
  private let pointer: ParkedPointer
  /// Called on the drag's thread, in order; the last event is `closed`.
  private let handler: @Sendable (XdndSource.Event) -> Void
  private var handshake: XdndHandshake
  private var selections: SelectionServer
  /// The caller has ended the drag; transfers in progress are still served.
  private var isEnding = false
  /// Another program owns the selection: nothing can be served any more.
  private var isSuperseded = false
  /// More events may be pending than were taken.
  private var isBehind = false
  /// The last drop was reported with outcome `unknown`.
  private var isEndUnknown = false
  private var offered: XAtom?
  /// The types given to the target since it was entered.
  private var given: Set<XAtom> = []
  /// The last question to the target, repeated before the drop.
  private var asked: Question?
  /// `nil` unless a drop waits for modifiers and buttons to be released.
  private var release: InputReleaseWait?
  /// Whether the drop's place is still where it was found.
  private var isThere: @Sendable () async -> Bool = { true }
  /// Number of the latest place check; answers to earlier ones are stale.
  private var placeChecks = 0

  private struct Question {
    var place: XdndSource.Target
    var point: RootPoint
    var operation: DragOperation
  }

  /// Blocks for the greeting and a few replies, each within its limit. The selection is owned from
  /// here on: requests for it wait until ``run()`` serves them.
  ///
  /// - Throws: `noAnswer` also when the server refuses the ownership (ICCCM 2.1).
  init(
    display: String?, forms: [DragForm], timing: XdndHandshake.Timing, thread: EventLoop,
    handler: @escaping @Sendable (XdndSource.Event) -> Void
  ) throws(XError) {
    server = try XServer(display: display)
    guard let atoms = XdndAtoms(server.atoms(XdndAtoms.names)) else { throw server.loss }
    self.atoms = atoms
    self.thread = thread
    self.handler = handler
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
    guard server.own(atoms.selection, by: window, time: time) else { throw .noAnswer }
    server.flush()
  }

  /// Serves until the drag is over. Blocks its thread; to be called once.
  func run() {
    thread.run(
      reading: server.descriptor, deadline: { deadline }, hasMore: server.hasQueuedEvent,
      handle: step
    )
    pointer.putBack()
    server.destroy(window)
    server.flush()
    handler(.closed)
  }

  private var deadline: Milliseconds? {
    if isBehind { return MonotonicClock.now }
    return [handshake.deadline, release?.next].compactMap { $0 }.min()
  }

  // MARK: User actions

  /// Cancels a drop that still waits for the release of keys: the user has moved on.
  func hover(_ place: XdndSource.Target, _ point: RootPoint, _ operation: DragOperation) {
    giveUpDrop()
    asked = Question(place: place, point: point, operation: operation)
    if let missing = enter() { handler(.verdict(missing)) }
  }

  /// Repeats the last question; returns a verdict when there is no target to ask.
  private func enter() -> DragVerdict? {
    catchUp()
    guard let asked, !isSuperseded, !isEnding, !handshake.isDropInFlight else { return .over }
    let found =
      switch asked.place {
      case .screen: search.target(at: asked.point)
      case .window(let window): search.target(in: window, at: asked.point)
      }
    guard let target = found else {
      perform(handshake.leave())
      // A lost display finds nothing, which says nothing about the window.
      if server.isLost { return server.loss == .noAnswer ? .silent : .over }
      if case .window(let window) = asked.place, server.rectangle(of: window) == nil {
        return .gone
      }
      return .noTarget
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
  func awaitDisplay() {
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

  /// Reports `noTarget` when no target is entered or a drop is in flight.
  func stay() {
    guard handshake.target != nil, !handshake.isDropInFlight else {
      handler(.verdict(.noTarget))
      return
    }
    perform(handshake.stay(now: MonotonicClock.now))
  }

  func leave() {
    giveUpDrop()
    asked = nil
    perform(handshake.leave())
  }

  /// Drops at a place that need not have been asked before. Ends in one `ended`.
  ///
  /// - Parameter isThere: see ``OutgoingDrag/drop(on:at:operation:isThere:_:)``.
  func drop(
    _ place: XdndSource.Target, _ point: RootPoint, _ operation: DragOperation,
    isThere: @escaping @Sendable () async -> Bool
  ) {
    giveUpDrop()
    asked = Question(place: place, point: point, operation: operation)
    self.isThere = isThere
    release = InputReleaseWait(since: MonotonicClock.now)
    letGo()
  }

  /// Abandons the drop. `false` when there is none, or when the target has received a complete
  /// form: what it did with that can't be known.
  func giveUp() -> Bool {
    if release != nil || handshake.isDropPending {
      leave()
      return true
    }
    guard handshake.isDropInFlight, !isEndUnknown, !selections.hasServedForm else { return false }
    perform(selections.abandon())
    handshake.abandon()
    tellEnd(.failed)
    return true
  }

  func end() {
    leave()
    isEnding = true
  }

  // MARK: Before the drop

  private func giveUpDrop() {
    guard release != nil else { return }
    release = nil
    handler(.ended(.refused(.interrupted)))
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
      handler(.ended(.failed))
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
    case .gone?: tellEnd(.gone)
    // A lost display is a failure; everything else is a refusal.
    default: tellEnd(server.isLost ? .failed : .refused(.notTaken))
    }
  }

  /// Called once per drop, and again when a drop reported as `unknown` ends.
  private func tellEnd(_ outcome: DragOutcome) {
    isEndUnknown = outcome == .unknown
    pointer.putBack()
    handler(.ended(outcome))
  }

  // MARK: Events

  private func step() -> Bool {
    takeEvents()
    if server.isLost {
      // Data that was never sent cannot have landed; the fate of data that was sent is unknown.
      if release != nil || handshake.isDropPending { handler(.ended(.failed)) }
      handler(.connectionLost)
      return false
    }
    letGo()
    perform(handshake.tick(now: MonotonicClock.now))
    server.flush()
    guard isEnding || isSuperseded else { return true }
    // The data of a drop of unknown outcome can no longer be served.
    if isSuperseded && isEndUnknown { return false }
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
      server.notify(
        request.requestor, selection: selection, target: request.target, property: .none,
        time: request.time)
    case .selectionCleared(atoms.selection):
      leave()
      isSuperseded = true
      handler(.superseded)
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
      server.notify(
        request.requestor, selection: atoms.selection, target: request.target, property: .none,
        time: request.time)
      return
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
      case .tell(let verdict): handler(.verdict(verdict))
      case .end(let outcome): tellEnd(doubted(outcome))
      case .checkPlace: checkPlace()
      }
    }
    if !actions.isEmpty { server.flush() }
  }

  private func checkPlace() {
    placeChecks += 1
    let (number, isThere) = (placeChecks, isThere)
    let conversation = ThreadConfined(Weak(self))
    Task { [thread] in
      let found = await isThere()
      thread.post {
        guard let conversation = conversation.value.object, conversation.placeChecks == number
        else {
          return
        }
        conversation.perform(
          conversation.handshake.placeChecked(isThere: found, now: MonotonicClock.now))
      }
    }
  }

  private func perform(_ actions: [SelectionServer.Action]) {
    for action in actions {
      switch action {
      case .load(let type, let id): load(type, id)
      case .write, .notify, .watch, .unwatch:
        server.carryOut(action, selection: atoms.selection)
      case .deleteSource: handler(.deleteSource)
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
    handler(.taken(bytes: bytes, of: total))
  }

  /// Loads a form, or has a file written for the target; answers arrive on any thread.
  private func load(_ type: XAtom, _ id: SelectionServer.LoadID) {
    guard let form = forms[type] else {
      perform(selections.loaded(id, nil))
      return
    }
    let answer = LoadAnswer(self, id, of: type)
    guard let save = form.save else {
      Task { answer.give(await form.load()) }
      return
    }
    // Nothing is written during a hover: the target may never be dropped on.
    guard handshake.isDropInFlight,
      let address = server.property(
        type, of: window, format: 8, longest: UInt32(DirectSave.longestAddress / 4 + 1))?.bytes
    else { return answer.give(nil) }
    // Starts synchronously: the write belongs to the drop that is current now.
    Task.immediate { answer.give(await save.write(address)) }
  }

  /// Posts a loaded form to the drag's thread; a second answer is ignored. Weak, because an app may
  /// answer long after the drag.
  private struct LoadAnswer: Sendable {
    private let conversation: ThreadConfined<Weak<DragConversation>>
    private let thread: EventLoop
    private let id: SelectionServer.LoadID
    private let type: XAtom

    init(_ conversation: DragConversation, _ id: SelectionServer.LoadID, of type: XAtom) {
      self.conversation = ThreadConfined(Weak(conversation))
      (self.id, self.type) = (id, type)
      thread = conversation.thread
    }

    /// Replies with the protocol's letter: S, F or E (XDS, step 4).
    func give(_ answer: DirectSave.Answer) {
      switch answer {
      case .saved: give(Array("S".utf8))
      case .elsewhere: give(Array("F".utf8), isData: false)
      case .failed: give(Array("E".utf8), isData: false)
      }
    }

    /// - Parameter isData: whether the answer means that the target has received part of the
    ///   payload.
    func give(_ bytes: [UInt8]?, isData: Bool = true) {
      thread.post { [self] in
        guard let conversation = conversation.value.object else { return }
        if bytes != nil, isData { conversation.given.insert(type) }
        conversation.handshake.dataGiven(bytes?.count ?? 0)
        conversation.perform(conversation.selections.loaded(id, bytes))
      }
    }
  }

  /// Marks a failure as doubtful after data was given: the target may have used it regardless.
  private func doubted(_ outcome: DragOutcome) -> DragOutcome {
    switch outcome {
    case .failed where !given.isEmpty: .doubtful(.programFailed)
    case .gone where !given.isEmpty: .doubtful(.programEnded)
    default: outcome
    }
  }
}
