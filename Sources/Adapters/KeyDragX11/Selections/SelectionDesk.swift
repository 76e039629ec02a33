import KeyDragCore

/// Everything of reading and keeping selections that belongs to one thread: one reading after the
/// other, and the clipboard that is served.
final class SelectionDesk {
  typealias Answer = (Result<[SelectionFetch.Form], Reason>) -> Void

  /// An object, so that what has come so far is not copied with each portion.
  private final class Reading {
    var fetch: SelectionFetch
    let selection: XAtom
    /// A window of its own: what a late owner still writes can't be taken for something newer.
    let window: XWindow
    let owner: XWindow
    let time: UInt32
    let answer: Answer

    init(
      _ fetch: SelectionFetch, of selection: XAtom, into window: XWindow, from owner: XWindow,
      time: UInt32, answer: @escaping Answer
    ) {
      (self.fetch, self.selection, self.window) = (fetch, selection, window)
      (self.owner, self.time, self.answer) = (owner, time, answer)
    }
  }

  private struct Kept {
    /// In the order in which they were offered.
    var forms: [SelectionFetch.Form]
    var server: SelectionServer
    var isOwned = true
    /// How many times a form of it was asked for.
    var taken = 0
  }

  private let server: XServer
  private let thread: XThread
  private let timing: SelectionFetch.Timing
  private let atoms: XdndAtoms
  private let property: XAtom
  /// Says that what is lent is not to be kept.
  private let hint: XAtom
  private let selections: [DesktopSelection: XAtom]
  private let vocabulary: SelectionFetch.Vocabulary
  /// Owns the clipboard while it is kept, and tells the time.
  private let window: XWindow
  private var reading: Reading?
  private var waiting: [() -> Void] = []
  private var isClosed = false
  private var kept: Kept?
  private var copying: Copying?
  private var ending: Ending?
  /// Windows of readings that were given up: an owner that wakes late still finds them, and is not
  /// ended by an error that it does not expect.
  private var retired: [XWindow] = []

  private struct Copying {
    var since: UInt32
    var deadline: Milliseconds
    var answer: (XWindow?) -> Void
  }

  /// What was lent is on its way back, once nobody takes it any more.
  private struct Ending {
    var saved: [SelectionFetch.Form]
    var deadline: Milliseconds
    var answer: (_ wasTaken: Bool) -> Void
  }

  private static let mostWaiting = 32
  private static let mostRetired = 32

  init(
    display: String?, timing: SelectionFetch.Timing, thread: XThread
  ) throws(XError) {
    server = try XServer(display: display)
    (self.thread, self.timing) = (thread, timing)
    guard let atoms = XdndAtoms(server.atoms(XdndAtoms.names)) else { throw .connectionLost }
    self.atoms = atoms
    let own = server.atoms(["CLIPBOARD", "KEYDRAG_SELECTION", "x-kde-passwordManagerHint"])
    selections = [.primary: XAtom(rawValue: 1), .clipboard: own[0]]
    property = own[1]
    hint = own[2]
    vocabulary = SelectionDesk.vocabulary(server, atoms)
    window = server.makeHiddenWindow()
    _ = try server.time(by: window, property: atoms.timestamp)
  }

  private static func vocabulary(_ server: XServer, _ atoms: XdndAtoms)
    -> SelectionFetch.Vocabulary
  {
    let commands = ["SAVE_TARGETS", "INSERT_SELECTION", "INSERT_PROPERTY"]
    return SelectionFetch.Vocabulary(
      targets: atoms.targets, timestamp: atoms.timestamp, incr: atoms.incr,
      commands: Set(
        server.atoms(commands) + [atoms.targets, atoms.multiple, atoms.timestamp, atoms.delete]),
      texts: Set(server.atoms(SelectionForms.texts)))
  }

  // MARK: The thread

  func run() {
    thread.run(reading: server.descriptor, deadline: { deadline }, handle: step)
    isClosed = true
    finish(.failure(.noDisplay))
    endCopying(nil)
    endLending()
    let rest = waiting
    waiting = []
    for job in rest { job() }
  }

  private var deadline: Milliseconds? {
    [reading?.fetch.deadline, copying?.deadline, ending?.deadline].compactMap { $0 }.min()
  }

  private func step() -> Bool {
    while let event = server.nextEvent() { take(event) }
    guard !server.isLost else { return false }
    let now = XThread.now()
    advance { $0.tick(now: now) }
    if let copying, now >= copying.deadline { endCopying(nil) }
    if let ending, now >= ending.deadline || isDoneLending { endLending() }
    server.flush()
    return true
  }

  private func take(_ event: XServer.Event) {
    let now = XThread.now()
    switch event {
    case .selectionNotified(let requestor, let target, let property, let time):
      // Some owners leave out the time; one of another question is not for this one.
      guard requestor == reading?.window, time == 0 || time == reading?.time else { return }
      advance { $0.notified(target, isThere: property == self.property, now: now) }
    case .propertySet(let window, property, _):
      if window == reading?.window { advance { $0.written(now: now) } }
    case .ownerChanged(let selection, let owner, let time): ownerChanged(selection, owner, time)
    case .selectionRequest(_, let selection, let request): serve(request, selection)
    case .selectionCleared(let selection):
      if selection == selections[.clipboard] { kept?.isOwned = false }
      forgetIfIdle()
    case .propertyDeleted(let requestor, let property):
      guard requestor != window, var serving = kept?.server else { return }
      let actions = serving.propertyDeleted(property, of: requestor)
      kept?.server = serving
      for action in actions { server.carryOut(action, selection: .none) }
      forgetIfIdle()
    case .destroyed(let gone): vanished(gone)
    case .failed(let resource): vanished(XWindow(rawValue: resource))
    case .message, .propertySet: break
    }
  }

  private func vanished(_ gone: XWindow) {
    if gone == reading?.owner { advance { $0.ownerVanished() } }
    kept?.server.windowVanished(gone)
    forgetIfIdle()
  }

  // MARK: Reading

  /// Reads after everything that was asked for before.
  ///
  /// - Parameter forms: names of types; `nil` for all that there are.
  func read(
    _ selection: DesktopSelection, forms: [String]?, limits: SelectionFetch.Limits,
    answer: @escaping Answer
  ) {
    guard !isClosed, !server.isLost else { return answer(.failure(.noDisplay)) }
    guard reading == nil else {
      guard waiting.count < SelectionDesk.mostWaiting else {
        return answer(.failure(.notResponding))
      }
      return waiting.append { [self] in
        read(selection, forms: forms, limits: limits, answer: answer)
      }
    }
    guard let atom = selections[selection], let owner = server.owner(of: atom) else {
      return answer(.failure(.nothingThere))
    }
    guard let time = now() else { return answer(.failure(.noDisplay)) }
    server.watch(owner)
    let wanted = forms.map { server.atoms(SelectionForms.askable($0)) }
    reading = Reading(
      SelectionFetch(wanted: wanted, vocabulary: vocabulary, limits: limits, timing: timing),
      of: atom, into: server.makeHiddenWindow(), from: owner, time: time, answer: answer)
    let start = XThread.now()
    advance { $0.start(now: start) }
  }

  /// Carries the reading on by one thing that has happened.
  private func advance(_ happen: (inout SelectionFetch) -> [SelectionFetch.Action]) {
    guard let current = reading else { return }
    var actions = happen(&current.fetch)
    while let action = actions.first {
      actions.removeFirst()
      switch action {
      case .convert(let target):
        server.convert(
          current.selection, to: target, property: property, of: current.window,
          time: current.time)
        server.flush()
      case .take(let most):
        let value = server.take(property, of: current.window, most: most)
        actions += current.fetch.took(value, now: XThread.now())
      case .end(let result): finish(result)
      }
    }
  }

  private func finish(_ result: Result<[SelectionFetch.Form], Reason>) {
    guard let done = reading else { return }
    reading = nil
    if case .success = result { server.destroy(done.window) } else { retire(done.window) }
    done.answer(result)
    // Some are answered at once, and leave the turn to the next.
    while reading == nil, !waiting.isEmpty { waiting.removeFirst()() }
  }

  private func retire(_ window: XWindow) {
    retired.append(window)
    if retired.count > SelectionDesk.mostRetired { server.destroy(retired.removeFirst()) }
  }

  /// The names of forms that were read; a number without a fit name is left out.
  func names(of forms: [SelectionFetch.Form]) -> [SelectedForm] {
    zip(forms, server.names(of: forms.map(\.target))).compactMap { form, name in
      SelectionForms.name(name).map { ($0, form.bytes) }
    }
  }

  private func now() -> UInt32? { try? server.time(by: window, property: atoms.timestamp) }

  // MARK: The clipboard's owner

  /// Whether new owners of the clipboard are told here.
  func followClipboard() -> Bool {
    selections[.clipboard].map { server.followOwner(of: $0, by: window) } ?? false
  }

  /// What is kept and still the clipboard's content.
  var keptForms: [SelectionFetch.Form]? {
    kept.flatMap { $0.isOwned ? $0.forms : nil }
  }

  /// Waits for another program to take the clipboard, which `start` has it do.
  func awaitOwner(
    within patience: Milliseconds, start: () -> Void, answer: @escaping (XWindow?) -> Void
  ) {
    guard !isClosed, let time = now() else { return answer(nil) }
    copying = Copying(since: time, deadline: XThread.now() + patience, answer: answer)
    start()
  }

  private func ownerChanged(_ selection: XAtom, _ owner: XWindow, _ time: UInt32) {
    guard let copying, selection == selections[.clipboard], owner != .none, owner != window,
      Int32(bitPattern: time &- copying.since) >= 0
    else { return }
    endCopying(owner)
  }

  private func endCopying(_ owner: XWindow?) {
    guard let done = copying else { return }
    copying = nil
    done.answer(owner)
  }

  /// Puts content back into the clipboard that a program has taken, unless another one has it now.
  func putBack(_ forms: [SelectionFetch.Form], from owner: XWindow) {
    guard let clipboard = selections[.clipboard], server.owner(of: clipboard) == owner,
      let time = now()
    else { return }
    guard !forms.isEmpty else {
      server.disown(clipboard, time: time)
      server.flush()
      return
    }
    _ = own(forms, time: time)
  }

  private func own(_ forms: [SelectionFetch.Form], time: UInt32) -> Bool {
    guard let clipboard = selections[.clipboard],
      server.own(clipboard, by: window, time: time)
    else { return false }
    let types = Dictionary(forms.map { ($0.target, $0.type) }) { first, _ in first }
    kept = Kept(
      forms: forms,
      server: SelectionServer(
        types: forms.map(\.target), answerTypes: types, isDrag: false, atoms: atoms,
        ownedSince: time))
    return true
  }

  // MARK: Lending

  /// Puts content of ours into the clipboard; `false` when the server does not let.
  func offer(_ forms: [SelectedForm]) -> Bool {
    guard !isClosed, let time = now() else { return false }
    let names = SelectionForms.askable(forms.map(\.contentType))
    let offered = forms.filter { names.contains($0.contentType) }
    let targets = server.atoms(offered.map(\.contentType))
    return own(
      zip(targets, offered).map {
        SelectionFetch.Form(target: $0, type: $0, bytes: $1.bytes)
      }, time: time)
  }

  /// Puts back what was there before ``offer(_:)``, once nobody takes that any more.
  func endOffer(
    backTo saved: [SelectionFetch.Form], within patience: Milliseconds,
    answer: @escaping (_ wasTaken: Bool) -> Void
  ) {
    endLending()
    ending = Ending(saved: saved, deadline: XThread.now() + patience, answer: answer)
    if isClosed { endLending() }
  }

  /// Whether it was taken, or can't be any more. A busy program may paste later, and must not find
  /// what the person had copied then.
  private var isDoneLending: Bool {
    guard let kept, kept.isOwned else { return true }
    return kept.taken > 0 && !kept.server.isBusy
  }

  private func endLending() {
    guard let done = ending else { return }
    ending = nil
    let wasTaken = (kept?.taken ?? 0) > 0
    // What another program has copied meanwhile is newer than what was kept.
    if !isClosed, kept?.isOwned == true {
      kept = nil
      putBack(done.saved, from: window)
    }
    done.answer(wasTaken)
  }

  // MARK: Serving what is kept

  private func serve(_ request: SelectionServer.Request, _ selection: XAtom) {
    guard let held = kept, selection == selections[.clipboard] else {
      server.notify(
        request.requestor, selection: selection, target: request.target, property: .none,
        time: request.time)
      return
    }
    var serving = held.server
    var actions =
      request.target == atoms.multiple
      ? serving.take(request, pairs: server.pairs(of: request)) : serving.take(request)
    while let action = actions.first {
      actions.removeFirst()
      if case .load(let type, let id) = action {
        // Who keeps a history of what is copied looks at this alone.
        if type != hint { kept?.taken += 1 }
        actions = serving.loaded(id, held.forms.first { $0.target == type }?.bytes) + actions
      } else {
        server.carryOut(action, selection: selection)
      }
    }
    kept?.server = serving
    server.flush()
  }

  /// What another program has replaced is forgotten, once nobody takes it any more.
  private func forgetIfIdle() {
    if let held = kept, !held.isOwned, !held.server.isBusy { kept = nil }
  }
}
