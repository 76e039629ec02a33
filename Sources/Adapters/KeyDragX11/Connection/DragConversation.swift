import KeyDragCore
import KeyDragThreads

/// Everything of one drag that belongs to its thread.
///
/// Made on the caller's thread by ``XdndSource``, and from then on used by the source's own thread
/// alone: jobs that are posted, and ``run()``. It holds a connection of its own, so that a target
/// that floods or hangs holds up no other drag. The talk itself is decided by ``Handshake`` and
/// ``SelectionServer``, which know no connection; this carries out what they answer.
final class DragConversation {
  private let server: XServer
  private let atoms: XdndAtoms
  /// Never shown; owns the selection and gets the targets' messages.
  private let window: XWindow
  /// Loaders by the atom of their content type; at most 64 forms.
  private let forms: [XAtom: DragForm]
  /// Best first, as in XdndTypeList.
  private let types: [XAtom]
  /// The file that a target may have written, by the property that proposes it.
  private let direct: (property: XAtom, save: DirectSave)?
  /// The type of the property that proposes a file's name.
  private let plainText: XAtom
  private let search: TargetSearch
  private let thread: EventLoop
  private let pointer: ParkedPointer
  /// Called on the thread of the drag, in order; the last word is `closed`.
  private let handler: @Sendable (XdndSource.Event) -> Void
  private var handshake: Handshake
  private var selections: SelectionServer
  /// The caller has ended the drag; what a target still takes is served.
  private var isEnding = false
  /// Another program owns the selection: nothing can be served any more.
  private var isSuperseded = false
  /// More events may be there than were taken.
  private var isBehind = false
  /// A drop has ended with no word of what came of it.
  private var isEndUnknown = false
  /// The action in XdndActionList, as it was written last.
  private var offered: XAtom?
  /// The types that the target was given since it was entered.
  private var given: Set<XAtom> = []
  /// The last question put to the target, repeated before the drop.
  private var asked: Question?
  /// `nil` unless a drop waits for hands to let go.
  private var release: InputReleaseWait?
  /// Whether the place of the drop is still where it was.
  private var isThere: @Sendable () async -> Bool = { true }
  /// The number of checks: an earlier one says nothing of what has been asked since.
  private var placeChecks = 0

  /// For the window, at a point of the screen, with one operation.
  private struct Question {
    var place: XdndSource.Target
    var point: RootPoint
    var operation: DragOperation
  }

  /// Blocks for the greeting and some answers of the server, each within its bound. The selection
  /// is owned from here on: a program that asks for it waits until ``run()`` serves it.
  ///
  /// - Throws: `noAnswer` also where the server did not make us the owner (ICCCM 2.1).
  init(
    display: String?, forms: [DragForm], timing: Handshake.Timing, thread: EventLoop,
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
    // A time of the server, and not 0: owners have to name when they took a selection (ICCCM 2.1).
    let time = try server.time(by: window, property: atoms.timestamp)
    handshake = Handshake(source: window, types: types, timing: timing)
    handshake.serverTime = time
    selections = SelectionServer(types: types, atoms: atoms, ownedSince: time)
    server.setWords(
      // The list is kept for any number of types; targets read it only for more than three.
      atoms.typeList, of: window, type: .atom, types.map(\.rawValue))
    guard server.own(atoms.selection, by: window, time: time) else { throw .noAnswer }
    server.flush()
  }

  /// Serves until the drag is over. Blocks its thread; to be called once.
  func run() {
    thread.run(
      reading: server.descriptor, deadline: { deadline }, hasMore: server.hasReadAhead, handle: step
    )
    pointer.putBack()
    server.destroy(window)
    server.flush()
    handler(.closed)
  }

  /// In milliseconds of ``MonotonicClock``; `nil` when nothing is waited for.
  private var deadline: Milliseconds? {
    if isBehind { return MonotonicClock.now }
    return [handshake.deadline, release?.next].compactMap { $0 }.min()
  }

  // MARK: What the person does

  /// A drop that waits for hands is given up: the person has gone on.
  func hover(_ place: XdndSource.Target, _ point: RootPoint, _ operation: DragOperation) {
    giveUpDrop()
    asked = Question(place: place, point: point, operation: operation)
    if let missing = enter() { handler(.verdict(missing)) }
  }

  /// Asks what was asked last; what is wrong when there is nobody to ask.
  private func enter() -> DragVerdict? {
    catchUp()
    guard let asked, !isSuperseded, !isEnding, !handshake.isWaitingForEnd else { return .over }
    let found =
      switch asked.place {
      case .screen: search.target(at: asked.point)
      case .window(let window): search.target(in: window, at: asked.point)
      }
    guard let target = found else {
      perform(handshake.leave())
      // On a display that has ended nothing is found any more; that is no word about the window.
      if server.isLost { return server.loss == .noAnswer ? .silent : .over }
      if case .window(let window) = asked.place, server.rectangle(of: window) == nil {
        return .gone
      }
      return .noTarget
    }
    if handshake.target?.window != target.window { selections.forgetGiven() }
    // Written before the position is sent: the target may read it with the answer.
    let action = atoms.action(asked.operation)
    if offered != action {
      // One operation alone: some programs take another one from the list than was asked for.
      offered = action
      server.setWords(
        atoms.actionList, of: window, type: .atom, [action.rawValue])
    }
    // Tells of the end of the target; a program that has crashed never says XdndStatus.
    server.watch(target.window)
    proposeName()
    perform(
      handshake.hover(
        over: target, at: asked.point, operation: asked.operation, now: MonotonicClock.now))
    return nil
  }

  /// Proposes the name of a file that the target may have written; the one before may have put its
  /// own address there (XDS, step 1).
  private func proposeName() {
    guard let direct else { return }
    server.setProperty(
      direct.property, of: window, type: plainText, format: 8, bytes: Array(direct.save.name.utf8))
  }

  /// Takes in everything that has happened on the display before the next question is answered.
  ///
  /// One round trip, so that events that the server has sent before it are taken first.
  private func catchUp() {
    awaitDisplay()
    takeEvents()
  }

  /// One round trip: whatever was sent before it has been passed on.
  func awaitDisplay() {
    if let time = try? server.time(by: window, property: atoms.timestamp) {
      handshake.serverTime = time
    }
  }

  /// The most events taken in one go, before anything else has its turn: a program may flood us.
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

  /// `noTarget` where nobody is asked, or a drop is on its way.
  func stay() {
    guard handshake.target != nil, !handshake.isWaitingForEnd else {
      handler(.verdict(.noTarget))
      return
    }
    perform(handshake.stay(now: MonotonicClock.now))
  }

  /// Sends XdndLeave where a target was entered.
  func leave() {
    giveUpDrop()
    asked = nil
    perform(handshake.leave())
  }

  /// Drops at a place that need not have been asked before. Ends in one `ended`.
  ///
  /// - Parameter isThere: see ``DragConversing/drop(on:at:operation:isThere:_:)``.
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

  /// Gives up the drop; `false` where there is none, or its target has been given all of something.
  ///
  /// After a part was given whole, it can't be known what the target has done with it.
  func giveUp() -> Bool {
    if release != nil || handshake.isDropWanted {
      leave()
      return true
    }
    guard handshake.isWaitingForEnd, !isEndUnknown, !selections.hasGiven else { return false }
    perform(selections.abandon())
    handshake.abandon()
    tellEnd(.failed)
    return true
  }

  /// The thread goes on as long as a target takes data.
  func end() {
    leave()
    isEnding = true
  }

  // MARK: Before the drop

  /// A drop that has not been sent is not sent any more.
  private func giveUpDrop() {
    guard release != nil else { return }
    release = nil
    handler(.ended(.refused(.interrupted)))
  }

  /// Looks whether hands are off by now, and goes on to the drop when they are. Called at each
  /// step; does nothing without a drop.
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

  /// Has the pointer where the drop is, asks there again, and drops if that is accepted.
  private func dropNow() {
    guard let point = asked?.point else { return }
    pointer.park(at: point)
    switch enter() {
    case nil: perform(handshake.drop(checksPlace: true, now: MonotonicClock.now))
    case .gone?: tellEnd(.gone)
    // A display that is lost has failed; everything else is a refusal.
    default: tellEnd(server.isLost ? .failed : .refused(.notTaken))
    }
  }

  /// Every drop ends here once, and a second time where its first end was unknown.
  private func tellEnd(_ outcome: DragOutcome) {
    isEndUnknown = outcome == .unknown
    pointer.putBack()
    handler(.ended(outcome))
  }

  // MARK: What happens

  /// Takes the events that are there; `false` when the drag is over.
  private func step() -> Bool {
    takeEvents()
    if server.isLost {
      // Data that was never sent cannot have landed; the fate of data that was sent is unknown.
      if release != nil || handshake.isDropWanted { handler(.ended(.failed)) }
      handler(.connectionLost)
      return false
    }
    letGo()
    perform(handshake.tick(now: MonotonicClock.now))
    server.flush()
    guard isEnding || isSuperseded else { return true }
    // Nothing more can come of a drop whose data is no longer to be had.
    if isSuperseded && isEndUnknown { return false }
    return handshake.isWaitingForEnd || selections.isBusy
  }

  /// Takes one event. Those that are no part of the drag are dropped.
  private func take(_ event: XServer.Event) {
    let now = MonotonicClock.now
    switch event {
    case .message(let type, window, let words):
      // Before version 5, XdndFinished does not say what was done.
      let version = handshake.target?.version ?? 5
      if let message = XdndMessage(type: type, words: words, version: version, atoms: atoms) {
        perform(handshake.receive(message, now: now))
      }
    case .selectionRequest(_, atoms.selection, let request): serve(request, now)
    // Of a selection that this window does not own: refused, so that the asker does not wait (ICCCM
    // 2.2).
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
      handshake.dataMoved(now: now)
      perform(selections.propertyDeleted(property, of: requestor))
    case .destroyed(let gone): vanished(gone)
    case .failed(let resource): vanished(XWindow(rawValue: resource))
    case .message, .selectionCleared, .selectionNotified, .ownerChanged, .propertySet: break
    }
  }

  /// Forgets transfers to a window that is gone, and ends the talk where it was the target.
  private func vanished(_ gone: XWindow) {
    selections.windowVanished(gone)
    perform(handshake.windowVanished(gone))
  }

  /// Data goes to the program that is being asked or was dropped on, and to no other.
  ///
  /// Resource ids tell who a window belongs to: those of one client share their upper bits (X
  /// protocol, "Connection Setup", resource-id-mask).
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
    handshake.dataMoved(now: now)
    if request.target == atoms.multiple {
      perform(selections.take(request, pairs: server.pairs(of: request)))
    } else {
      perform(selections.take(request))
    }
  }

  // MARK: What is to be done

  /// Carries out what the handshake decided, in order, with one flush at the end.
  private func perform(_ actions: [Handshake.Action]) {
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

  /// Finds out whether the place is still at the point, while its program goes on being served.
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

  /// Carries out what serving decided, in order, with one flush at the end.
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

  /// A target may look at what is over it: only what it takes of a drop is told.
  private func taken(_ bytes: Int, of total: Int) {
    guard handshake.isWaitingForEnd else { return }
    // It knows where the drop is, and takes its time.
    pointer.putBack()
    handler(.taken(bytes: bytes, of: total))
  }

  /// Loads a form, or has a file written for the target; answers come from any thread.
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
    // Nothing is written for a question: the target may not even be dropped on.
    guard handshake.isWaitingForEnd,
      let address = server.property(
        type, of: window, format: 8, longest: UInt32(DirectSave.longestAddress / 4 + 1))?.bytes
    else { return answer.give(nil) }
    // Begun at once: which drop it is for is settled now.
    Task.immediate { answer.give(await save.write(address)) }
  }

  /// Brings what was loaded back to the thread; a second answer finds nothing that waits for it.
  ///
  /// A weak reference: an app may answer long after the drag.
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

    /// Answers with the protocol's letter (XDS, step 4).
    func give(_ answer: DirectSave.Answer) {
      switch answer {
      case .saved: give(Array("S".utf8))
      case .elsewhere: give(Array("F".utf8), isData: false)
      case .failed: give(Array("E".utf8), isData: false)
      }
    }

    /// - Parameter isData: whether the target has something of what is carried by it.
    func give(_ bytes: [UInt8]?, isData: Bool = true) {
      thread.post { [self] in
        guard let conversation = conversation.value.object else { return }
        if bytes != nil, isData { conversation.given.insert(type) }
        conversation.handshake.dataGiven(bytes?.count ?? 0)
        conversation.perform(conversation.selections.loaded(id, bytes))
      }
    }
  }

  /// A target that has been given data may have used it, whatever it says in the end.
  private func doubted(_ outcome: DragOutcome) -> DragOutcome {
    switch outcome {
    case .failed where !given.isEmpty: .doubtful(.programFailed)
    case .gone where !given.isEmpty: .doubtful(.programEnded)
    default: outcome
    }
  }
}
