import KeyDragCore
import KeyDragThreads

/// Reads and keeps the clipboard, confined to one thread: one read at a time, and what is served.
/// Created on the caller's thread, then used by its ``WorkerThread`` alone. ``SelectionFetch`` and
/// ``OwnedSelection`` decide; this connects them with the server.
final class SelectionCoordinator {
  typealias Answer = (Result<[SelectionFetch.Form], Reason>) -> Void

  /// A class, so that the data so far is not copied with each portion.
  private final class Reading {
    var fetch: SelectionFetch
    /// One per read: an owner's late writes can't be taken for something newer.
    let window: XWindow
    /// The owner at the start; its destruction ends the read.
    let owner: XWindow
    /// Server time, named in each conversion (ICCCM 2.4).
    let time: UInt32
    let answer: Answer

    init(
      _ fetch: SelectionFetch, into window: XWindow, from owner: XWindow, time: UInt32,
      answer: @escaping Answer
    ) {
      (self.fetch, self.window, self.owner) = (fetch, window, owner)
      (self.time, self.answer) = (time, answer)
    }
  }

  let server: XServer
  let thread: EventLoop
  private let timing: SelectionFetch.Timing
  let atoms: XdndAtoms
  /// Receives values, on each read's own window.
  let property: XAtom
  let words: ClipboardAtoms
  private let vocabulary: SelectionFetch.Vocabulary
  /// Owns the kept clipboard, and provides timestamps.
  let window: XWindow
  /// Keeps holding restored content; `nil` when only this process does.
  let holder: ClipboardHolder?
  /// At most one at a time.
  private var reading: Reading?
  private var waiting: [() -> Void] = []
  /// The queue for the clipboard, which one borrower, lender or writer has at a time.
  var turns = ClipboardQueue()
  /// The connection is lost; everything is answered at once.
  private(set) var isClosed = false
  /// The process is exiting: nothing is lent any more.
  var isExiting = false
  /// Our own content of the clipboard.
  var kept: OwnedSelection?
  /// `nil` unless a program is expected to copy.
  var copying: Copying?
  /// The content before the current loan.
  var before: [SelectionFetch.Form]?
  /// `nil` unless a loan is ending.
  var ending: Ending?
  var pendingRestore: PendingRestore?
  /// `nil` unless content is being handed over.
  var handover: Safekeeping?
  /// Windows of abandoned reads: a slow owner still finds them, instead of dying of an unexpected
  /// error.
  private var retired: [XWindow] = []

  /// Further reads fail as not responding.
  private static let mostWaiting = 32
  /// Beyond this the oldest are destroyed.
  private static let mostRetired = 32

  /// Blocks for connecting and some replies.
  init(
    display: String?, timing: SelectionFetch.Timing, holder: ClipboardHolder?, thread: EventLoop
  ) throws(Reason) {
    server = try XServer(display: display)
    (self.thread, self.timing, self.holder) = (thread, timing, holder)
    guard let atoms = XdndAtoms(server.atoms(XdndAtoms.names)),
      let words = ClipboardAtoms(server.atoms(ClipboardAtoms.names))
    else { throw server.loss }
    (self.atoms, self.words) = (atoms, words)
    property = words.property
    vocabulary = SelectionCoordinator.vocabulary(server, atoms)
    window = server.makeHiddenWindow()
    _ = try server.time(by: window, property: atoms.timestamp)
  }

  private static func vocabulary(_ server: XServer, _ atoms: XdndAtoms)
    -> SelectionFetch.Vocabulary
  {
    // Side effect targets (ICCCM 2.6.3): converting them changes something.
    let commands = ["SAVE_TARGETS", "INSERT_SELECTION", "INSERT_PROPERTY"]
    return SelectionFetch.Vocabulary(
      targets: atoms.targets, timestamp: atoms.timestamp, incr: atoms.incr,
      commands: Set(
        server.atoms(commands) + [atoms.targets, atoms.multiple, atoms.timestamp, atoms.delete]),
      texts: Set(server.atoms(SelectionForms.texts)))
  }

  // MARK: The thread

  /// Serves until the thread ends or the display is lost, then answers everything pending.
  func run() {
    thread.run(
      reading: server.descriptor, deadline: { deadline }, hasMore: server.hasQueuedEvent,
      handle: step
    )
    isClosed = true
    finish(.failure(.noDisplay))
    endCopying(nil)
    endLending()
    endHandover()
    let rest = waiting
    waiting = []
    for job in rest { job() }
  }

  private var deadline: Milliseconds? {
    [
      reading?.fetch.deadline, copying?.deadline, ending?.deadline, handover?.deadline,
      pendingRestore?.next,
    ].compactMap { $0 }.min()
  }

  /// `false` when the display is lost.
  private func step() -> Bool {
    while let event = server.nextEvent() { take(event) }
    guard !server.isLost else { return false }
    let now = MonotonicClock.now
    advance { $0.tick(now: now) }
    if let copying, now >= copying.deadline { endCopying(nil) }
    if let ending, now >= ending.deadline || isDoneLending { endLending() }
    if let handover, now >= handover.deadline { safekeepingTimedOut() }
    if let pendingRestore, now >= pendingRestore.next { retryRestore() }
    server.flush()
    return true
  }

  private func take(_ event: XServer.Event) {
    let now = MonotonicClock.now
    switch event {
    case .selectionNotified(let requestor, let target, let property, let time):
      if requestor == handover?.requestor {
        return managerAnswered(isSaved: property == self.property)
      }
      // Some owners omit the time; another time belongs to another request.
      guard requestor == reading?.window, time == 0 || time == reading?.time else { return }
      advance { $0.notified(target, isThere: property == self.property, now: now) }
    case .propertySet(let window, property, _):
      if window == reading?.window { advance { $0.written(now: now) } }
    case .ownerChanged(let selection, let owner, let time): ownerChanged(selection, owner, time)
    case .selectionRequest(_, let selection, let request): serve(request, selection)
    case .selectionCleared(let selection): if selection == words.clipboard { lostClipboard() }
    case .propertyDeleted(let requestor, let property):
      guard requestor != window, let kept else { return }
      kept.propertyDeleted(property, of: requestor)
      forgetIfIdle()
    case .destroyed(let gone): vanished(gone)
    case .failed(let resource): vanished(XWindow(rawValue: resource))
    case .message, .propertySet: break
    }
  }

  /// Ends a read from a destroyed window, and drops transfers to it.
  private func vanished(_ gone: XWindow) {
    if gone == reading?.owner { advance { $0.ownerVanished() } }
    kept?.windowVanished(gone)
    forgetIfIdle()
  }

  // MARK: Reading

  /// Reads the clipboard after all earlier reads. Answers once, on the thread; `nothingThere` when
  /// nobody owns it.
  ///
  /// - Parameter forms: type names; `nil` for all.
  func read(
    forms: [String]?, limits: SelectionFetch.Limits, answer: @escaping Answer
  ) {
    guard !isClosed, !server.isLost else { return answer(.failure(.noDisplay)) }
    guard reading == nil else {
      guard waiting.count < SelectionCoordinator.mostWaiting else {
        return answer(.failure(.notResponding))
      }
      return waiting.append { [self] in
        read(forms: forms, limits: limits, answer: answer)
      }
    }
    // The owner first: without one, a conversion is refused without saying why.
    guard let owner = server.owner(of: words.clipboard) else {
      return answer(.failure(.nothingThere))
    }
    guard let time = now() else { return answer(.failure(.noDisplay)) }
    server.watch(owner)
    let wanted = forms.map { server.atoms(SelectionForms.askable($0)) }
    reading = Reading(
      SelectionFetch(wanted: wanted, vocabulary: vocabulary, limits: limits, timing: timing),
      into: server.makeHiddenWindow(), from: owner, time: time, answer: answer)
    let start = MonotonicClock.now
    advance { $0.start(now: start) }
  }

  /// Feeds one event to the current read, and carries out its actions.
  private func advance(_ happen: (inout SelectionFetch) -> [SelectionFetch.Action]) {
    guard let current = reading else { return }
    var actions = happen(&current.fetch)
    while let action = actions.first {
      actions.removeFirst()
      switch action {
      case .convert(let target):
        server.convert(
          words.clipboard, to: target, property: property, of: current.window,
          time: current.time)
        server.flush()
      case .take(let most):
        let value = server.take(property, of: current.window, most: most)
        actions += current.fetch.took(value, now: MonotonicClock.now)
      case .end(let result): finish(result)
      }
    }
  }

  private func finish(_ result: Result<[SelectionFetch.Form], Reason>) {
    guard let done = reading else { return }
    reading = nil
    if case .success = result { server.destroy(done.window) } else { retire(done.window) }
    done.answer(result)
    // Some are answered at once, and the next one starts.
    while reading == nil, !waiting.isEmpty { waiting.removeFirst()() }
  }

  private func retire(_ window: XWindow) {
    retired.append(window)
    if retired.count > SelectionCoordinator.mostRetired { server.destroy(retired.removeFirst()) }
  }

  /// The names of forms that were read; forms without a valid name are left out. Blocks for the
  /// replies.
  func names(of forms: [SelectionFetch.Form]) -> [SelectedForm] {
    zip(forms, server.names(of: forms.map(\.target))).compactMap { form, name in
      SelectionForms.name(name).map { ($0, form.bytes) }
    }
  }

  /// `nil` when the server does not answer.
  func now() -> UInt32? { try? server.time(by: window, property: atoms.timestamp) }
}

extension WorkerThread<SelectionCoordinator> {
  /// Blocks while connecting.
  ///
  /// - Parameter holder: `nil` when only this process holds restored content.
  convenience init(
    _ display: String?, _ timing: SelectionFetch.Timing, _ holder: ClipboardHolder? = nil
  ) throws(Reason) {
    try self.init { loop throws(Reason) in
      try SelectionCoordinator(display: display, timing: timing, holder: holder, thread: loop)
    } run: { coordinator, _ in
      coordinator.run()
    }
  }
}

extension SelectionFetch.Limits {
  /// Long texts as well: for restoring, not for reading out.
  static var everything: Self {
    var limits = Self()
    limits.text = limits.whole
    return limits
  }

  /// Lowers the limit, in bytes for all forms together.
  init(most: Int) {
    self.init()
    whole = min(max(most, 0), whole)
  }
}
