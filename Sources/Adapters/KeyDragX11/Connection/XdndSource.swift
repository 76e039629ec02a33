import Glibc
import KeyDragCore

/// A drag source that needs no mapped window, no pointer and no grab: it holds the conversation of
/// XDND with running programs, and serves them the data.
///
/// Every call returns at once; what comes of it is told to the handler, on a thread of its own.
package final class XdndSource: Sendable {
  /// One form in which the items are offered.
  package struct Form: Sendable {
    /// MIME name of the type, such as "text/uri-list".
    package var contentType: String
    /// Gives the bytes when a target asks; answers once, from any thread, `nil` when it can't.
    package var load: @Sendable (@escaping @Sendable ([UInt8]?) -> Void) -> Void

    package init(
      _ contentType: String,
      load: @escaping @Sendable (@escaping @Sendable ([UInt8]?) -> Void) -> Void
    ) {
      self.contentType = contentType
      self.load = load
    }

    package init(_ contentType: String, bytes: [UInt8]) {
      self.init(contentType) { $0(bytes) }
    }
  }

  /// What a target says of the place asked about.
  package enum Verdict: Hashable, Sendable {
    /// `nil` for an action that is none of ours.
    case accepts(DragOperation?)
    case refuses
    /// No answer within half a second; one that comes later is told all the same.
    case silent
    /// There is no window that takes drops.
    case noTarget
    case gone
  }

  /// What came of a drop.
  package enum Outcome: Hashable, Sendable {
    /// The program has the data; `nil` where it does not say what it did.
    case delivered(DragOperation?)
    case refused
    case failed
    /// The program does not say: what was dropped may still land.
    case unknown
    case gone
  }

  package enum Event: Hashable, Sendable {
    case verdict(Verdict)
    case ended(Outcome)
    /// The target asks that the source be removed, after a move.
    case deleteSource
    /// Another drag began somewhere on this display: this one is over.
    case superseded
    case connectionLost
  }

  /// Which place is asked: the topmost window at the point, or a window that may be covered.
  package enum Place: Hashable, Sendable {
    case screen
    case window(XWindow)
  }

  private let thread: XThread

  /// Connects and takes the selection.
  ///
  /// - Parameters:
  ///   - display: `nil` for the one that DISPLAY names.
  ///   - handler: called on the source's own thread, in order.
  package init(
    display: String? = nil, forms: [Form], timing: Handshake.Timing = .init(),
    handler: @escaping @Sendable (Event) -> Void
  ) throws(XError) {
    guard let thread = XThread() else { throw .unreachable(display: display) }
    self.thread = thread
    let conversation = try Conversation(
      display: display, forms: forms, timing: timing, thread: thread, handler: handler)
    let box = Handover(conversation)
    guard BackgroundThread.start({ box.value.run() }) else {
      throw .unreachable(display: display)
    }
    conversationBox = box
  }

  private let conversationBox: Handover

  deinit { thread.end() }

  /// Asks the target at a point; offers this operation and no other.
  package func hover(_ place: Place, at point: RootPoint, operation: DragOperation) {
    onThread { $0.hover(place, point, operation) }
  }

  /// Says again where it is, as a pointer that rests on something to open it.
  package func stay() { onThread { $0.stay() } }

  /// Goes away from the target; nothing is dropped.
  package func leave() { onThread { $0.leave() } }

  /// Drops at the point asked last, when the target accepts; its outcome is told.
  package func drop() { onThread { $0.drop() } }

  /// Ends the drag; data that a target is still taking is served to its end.
  package func end() { onThread { $0.end() } }

  private func onThread(_ body: @escaping @Sendable (Conversation) -> Void) {
    let box = conversationBox
    thread.post { body(box.value) }
  }

  /// Carries the conversation to its thread, which alone uses it from then on.
  private final class Handover: @unchecked Sendable {
    let value: Conversation
    init(_ value: Conversation) { self.value = value }
  }
}

/// Everything of one drag that belongs to its thread.
private final class Conversation {
  private let server: XServer
  private let atoms: XdndAtoms
  private let window: XWindow
  private let forms: [XAtom: XdndSource.Form]
  private let types: [XAtom]
  private let search: TargetSearch
  private unowned let thread: XThread
  private let handler: @Sendable (XdndSource.Event) -> Void
  private var handshake: Handshake
  private var selections: SelectionServer
  private var isEnding = false
  private var offered: XAtom?

  init(
    display: String?, forms: [XdndSource.Form], timing: Handshake.Timing, thread: XThread,
    handler: @escaping @Sendable (XdndSource.Event) -> Void
  ) throws(XError) {
    server = try XServer(display: display)
    guard let atoms = XdndAtoms(server.atoms(XdndAtoms.names)) else { throw .connectionLost }
    self.atoms = atoms
    self.thread = thread
    self.handler = handler
    search = TargetSearch(server: server, atoms: atoms)
    let forms = forms.prefix(64)
    types = server.atoms(forms.map(\.contentType))
    self.forms = Dictionary(zip(types, forms)) { first, _ in first }
    window = server.makeHiddenWindow()
    let time = try server.time(by: window, property: atoms.timestamp)
    handshake = Handshake(source: window, types: types, timing: timing)
    handshake.serverTime = time
    selections = SelectionServer(types: types, atoms: atoms, ownedSince: time)
    server.setWords(
      atoms.typeList, of: window, type: XAtom(rawValue: 4), types.map(\.rawValue))
    guard server.own(atoms.selection, by: window, time: time) else { throw .noAnswer }
    server.flush()
  }

  func run() {
    thread.run(reading: server.descriptor, deadline: { handshake.deadline }, handle: step)
    server.destroy(window)
    server.flush()
  }

  // MARK: What the person does

  func hover(_ place: XdndSource.Place, _ point: RootPoint, _ operation: DragOperation) {
    let found =
      switch place {
      case .screen: search.target(at: point)
      case .window(let window): search.target(in: window, at: point)
      }
    guard let target = found else {
      perform(handshake.leave())
      handler(.verdict(.noTarget))
      return
    }
    let action = atom(operation)
    if offered != action {
      // One operation alone: some programs take another one from the list than was asked for.
      offered = action
      server.setWords(
        atoms.actionList, of: window, type: XAtom(rawValue: 4), [action.rawValue])
    }
    server.watch(target.window)
    if let time = try? server.time(by: window, property: atoms.timestamp) {
      handshake.serverTime = time
    }
    perform(handshake.hover(over: target, at: point, action: action, now: XThread.now()))
  }

  func stay() { perform(handshake.stay(now: XThread.now())) }

  func leave() { perform(handshake.leave()) }

  func drop() {
    guard handshake.target != nil else {
      handler(.ended(.refused))
      return
    }
    perform(handshake.drop(now: XThread.now()))
  }

  func end() {
    perform(handshake.leave())
    isEnding = true
  }

  // MARK: What happens

  /// Takes all events that are there; `false` when the drag is over.
  private func step() -> Bool {
    while let event = server.nextEvent() { take(event) }
    if server.isLost {
      handler(.connectionLost)
      return false
    }
    perform(handshake.tick(now: XThread.now()))
    server.flush()
    return !(isEnding && !handshake.isWaitingForEnd && !selections.isBusy)
  }

  private func take(_ event: XServer.Event) {
    let now = XThread.now()
    switch event {
    case .message(let type, window, let words):
      let version = handshake.target?.version ?? 5
      if let message = XdndMessage(type: type, words: words, version: version, atoms: atoms) {
        perform(handshake.receive(message, now: now))
      }
    case .selectionRequest(_, atoms.selection, let request): serve(request, now)
    case .selectionRequest(_, let selection, let request):
      server.notify(
        request.requestor, selection: selection, target: request.target, property: .none,
        time: request.time)
    case .selectionCleared(atoms.selection):
      perform(handshake.leave())
      handler(.superseded)
      isEnding = true
    case .propertyDeleted(let requestor, let property):
      guard requestor != window else { return }
      handshake.dataMoved(now: now)
      perform(selections.propertyDeleted(property, of: requestor))
    case .destroyed(let gone): vanished(gone)
    case .failed(let resource): vanished(XWindow(rawValue: resource))
    case .message, .selectionCleared, .propertySet: break
    }
  }

  private func vanished(_ gone: XWindow) {
    selections.windowVanished(gone)
    perform(handshake.windowVanished(gone))
  }

  /// Data goes to the program that is being asked or was dropped on, and to no other.
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
      let words = server.words(request.property, of: request.requestor, most: 128)
      let pairs = stride(from: 0, to: words.count - 1, by: 2).map {
        (XAtom(rawValue: words[$0]), XAtom(rawValue: words[$0 + 1]))
      }
      perform(selections.take(request, pairs: pairs))
    } else {
      perform(selections.take(request))
    }
  }

  // MARK: What is to be done

  private func perform(_ actions: [Handshake.Action]) {
    for action in actions {
      switch action {
      case .send(let message, let target):
        let (type, words) = message.encoded(atoms)
        server.send(type, words, about: target.window, to: target.receiver)
      case .tell(let verdict): handler(.verdict(plain(verdict)))
      case .end(let outcome): handler(.ended(plain(outcome)))
      }
    }
    if !actions.isEmpty { server.flush() }
  }

  private func perform(_ actions: [SelectionServer.Action]) {
    for action in actions {
      switch action {
      case .load(let type, let id): load(type, id)
      case .write(let window, let property, let type, let format, let bytes):
        server.setProperty(property, of: window, type: type, format: format, bytes: bytes)
      case .notify(let requestor, let target, let property, let time):
        server.notify(
          requestor, selection: atoms.selection, target: target, property: property, time: time)
      case .watch(let requestor): server.watch(requestor, properties: true)
      case .unwatch(let requestor): server.watch(requestor)
      case .deleteSource: handler(.deleteSource)
      }
    }
    if !actions.isEmpty { server.flush() }
  }

  private func load(_ type: XAtom, _ id: SelectionServer.LoadID) {
    guard let form = forms[type] else {
      perform(selections.loaded(id, nil))
      return
    }
    let answer = LoadAnswer(self, id)
    form.load { bytes in answer.give(bytes) }
  }

  /// Brings what was loaded back to the thread; a second answer finds nothing that waits for it.
  private final class LoadAnswer: @unchecked Sendable {
    private weak let conversation: Conversation?
    private let thread: XThread
    private let id: SelectionServer.LoadID

    init(_ conversation: Conversation, _ id: SelectionServer.LoadID) {
      self.conversation = conversation
      self.id = id
      thread = conversation.thread
    }

    func give(_ bytes: [UInt8]?) {
      thread.post { [self] in
        guard let conversation else { return }
        conversation.perform(conversation.selections.loaded(id, bytes))
      }
    }
  }

  // MARK: Words of the protocol

  private func atom(_ operation: DragOperation) -> XAtom {
    switch operation {
    case .copy, .open: atoms.actionCopy
    case .move, .remove: atoms.actionMove
    case .link: atoms.actionLink
    }
  }

  private func operation(_ action: XAtom) -> DragOperation? {
    switch action {
    case atoms.actionCopy: .copy
    case atoms.actionMove: .move
    case atoms.actionLink: .link
    default: nil
    }
  }

  private func plain(_ verdict: Handshake.Verdict) -> XdndSource.Verdict {
    switch verdict {
    case .accepts(let action): .accepts(operation(action))
    case .refuses: .refuses
    case .silent: .silent
    case .gone: .gone
    }
  }

  private func plain(_ outcome: Handshake.Outcome) -> XdndSource.Outcome {
    switch outcome {
    case .delivered(let action): .delivered(action.flatMap(operation))
    case .refused: .refused
    case .failed: .failed
    case .unknown: .unknown
    case .gone: .gone
    }
  }
}
