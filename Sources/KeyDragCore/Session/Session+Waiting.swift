/// A queued key.
package struct QueuedKey: Sendable {
  /// Its meaning when it was pressed, which may have changed by the time that it is carried out.
  var input: SessionInput
  /// `nil` for input without a key, or from a chord of several strokes.
  var stroke: KeyStroke?
}

/// The request that the first queued key waits for.
struct QueueBlocker: Sendable {
  var id: RequestID
  /// Whether this wait has a timer of its own.
  var hasTimer: Bool
  /// Whether it has been announced that the request is pending.
  var isSaid = false
}

/// The key queue: each key is carried out after those before it, once what it needs is known, so
/// that fast typing has the same result as slow typing.
extension Session {
  /// Nobody presses more keys on purpose.
  private static let mostWaiting = 64

  /// Whether an input, from a key, would be queued behind others or wait for an answer.
  package func holds(_ input: SessionInput, by stroke: KeyStroke? = nil) -> Bool {
    // A key of the walk, before there is one.
    let isEarly = isAskingFocus && stroke != nil && !input.clearsKeyQueue
    guard input.isUserAction, isEarly || !isImmediate(input) else { return false }
    return !waiting.isEmpty || blocker(of: input) != nil
  }

  /// Queues a key if it has to wait; `false` if it can be carried out now.
  mutating func waits(_ input: SessionInput, by stroke: KeyStroke?) -> Bool {
    if input.clearsKeyQueue { waiting = [] }
    if input.givesUp { giveUp() }
    guard holds(input, by: stroke) else { return false }
    if leavesWindow(input) {
      waiting = []
      return false
    }
    // A second Enter repeats the first.
    let isRepeated = input.isDrop && waiting.last?.input.isDrop == true
    guard !isRepeated, waiting.count < Self.mostWaiting else {
      sayAwaited()
      return true
    }
    waiting.append(QueuedKey(input: input, stroke: stroke))
    // Announced at once if the person knows what is pending.
    if awaited?.isSaid == true { sayAwaited() }
    return true
  }

  /// Whether it leaves a window or place that is slow to open, even after other keys.
  private func leavesWindow(_ input: SessionInput) -> Bool {
    guard case .command(let command) = input,
      [.nextContainer, .previousContainer].contains(command),
      case .carrying(let carry) = phase, carry.stage == .ready, blocker(of: input) == nil
    else { return false }
    switch awaited.flatMap({ outstanding[$0.id] }) {
    case .openPoint, .listDropPoints: return true
    default: return false
    }
  }

  /// Carries out queued keys until one has to wait again. Keys after a refusal or a question were
  /// not meant for it and are dropped.
  mutating func takeWaiting() {
    // An unrelated announcement is no answer to a key.
    var start = hasAnsweredAwaited ? 0 : effects.count
    while let first = waiting.first {
      if hasUnexpectedQuestion {
        waiting = []
      } else if effects[start...].compactMap(\.announcement).contains(where: \.isRefusal) {
        waiting = []
        if case .carrying(let carry) = phase { say(.holding(holding(carry))) }
      } else {
        let input = meaning(of: first)
        if let id = blocker(of: input) { return wait(for: id) }
        waiting.removeFirst()
        wait(for: nil)
        if let name = input.transcriptName { emit(.took(command: name, key: first.keyName)) }
        start = effects.count
        perform(input)
        // A second Enter in the queue repeats the first.
        while input.isDrop, let next = waiting.first, meaning(of: next).isDrop {
          waiting.removeFirst()
        }
      }
    }
    wait(for: nil)
  }

  /// The meaning of a key in the current phase.
  private func meaning(of key: QueuedKey) -> SessionInput {
    guard let stroke = key.stroke else { return key.input }
    var resolver = KeymapResolver(keymap)
    let outcome = resolver.resolve(
      stroke, in: phase.name, isFinding: search.isFinding, isNaming: search.isOpen,
      isTyping: isTyping)
    switch outcome {
    case .matched(let command): return .command(command)
    case .typed(let character): return .typeAhead(String(character))
    case .unbound, .abandoned: return .unknownKey(stroke)
    case .pending: return key.input
    }
  }

  /// Whether it never waits: it ends something, is silent, or announces what is known.
  private func isImmediate(_ input: SessionInput) -> Bool {
    if input.clearsKeyQueue { return true }
    switch input {
    case .command(.whereAmI), .command(.repeatLast), .command(.redraw), .tooLongPaste: return true
    // They may be characters of a name by then, or belong to queued letters.
    case .command(.help), .command(.sayHeld): return waiting.isEmpty
    case .finding, .findingEnded: return waiting.isEmpty && !isAskingFocus
    case .command(.pickUp), .command(.copyTo), .command(.moveTo), .command(.linkTo):
      if case .browsing = phase { return settings.picksFocus }
      return waiting.isEmpty
    // It may have a meaning after the keys before it.
    case .unknownKey: return waiting.isEmpty
    // A second Enter: after a drop it would mean something else.
    case .command(.drop):
      if case .carrying(let carry) = phase, case .dropping = carry.stage { return waiting.isEmpty }
      return false
    case .command, .typeAhead, .places: return false
    default: return true
    }
  }

  /// Whether a question is open that the person did not call for, which no earlier key may answer.
  private var hasUnexpectedQuestion: Bool {
    guard case .confirming(let question, _) = phase else { return false }
    return switch question.subject {
    case .drop, .olderUndo, .quitting: true
    case .actions, .position, .line, .deliveries, .history, .help, .details: false
    }
  }

  // MARK: What is waited for

  /// The request whose answer an input needs; `nil` if it can be carried out now.
  private func blocker(of input: SessionInput) -> RequestID? {
    if let id = blockerInPhase(of: input) { return id }
    guard input.takesBack, !isAsking else { return nil }
    // Undo is about the newest delivery, which has to be over.
    return request { $0.takesBack || $0.isDelivery && input.isUndo }
  }

  private func blockerInPhase(of input: SessionInput) -> RequestID? {
    switch phase {
    case .carrying(let carry):
      switch carry.stage {
      case .preparing(let id), .asking(let id), .dropping(let id): return id
      case .ready: return blocker(of: input, carry)
      }
    case .confirming: return isTyping ? request { $0.endsLine } : nil
    case .browsing(let adding):
      if let id = request(where: changesList) { return id }
      // It would give the name that an undo before it is about to change.
      if case .command(.rename) = input, let id = request(where: \.takesBack) { return id }
      return adding == nil ? neededListing(for: input) : nil
    }
  }

  /// The answer of the place that a key leads to, or the listing of the current window or place.
  private func blocker(of input: SessionInput, _ carry: DragState) -> RequestID? {
    if let id = request(where: { $0.leadsOn(carry.round) }) { return id }
    if let id = openQuestion(carry), standpoint(after: input, carry) != nil { return id }
    let purpose: Purpose
    switch carry.place {
    case .source: return nil
    case .container(let id): purpose = .listDropPoints(id)
    case .stop(let stop): purpose = .openPoint(stop.point)
    }
    guard let id = request(where: { $0 == purpose }) else { return nil }
    switch input {
    // The way out of a window, and of a place already announced as slow to open.
    case .command(.nextContainer), .command(.previousContainer):
      return carry.currentStop == nil || late.contains(id) ? nil : id
    // A bouncing key.
    case .command(.openDropPoint) where carry.currentStop != nil: return nil
    case _ where carry.currentStop != nil: return id
    case .command(.nextDropPoint), .command(.previousDropPoint), .command(.nextPosition),
      .command(.previousPosition), .command(.firstPosition), .command(.lastPosition), .typeAhead:
      return id
    default: return nil
    }
  }

  func request(where isMeant: (Purpose) -> Bool) -> RequestID? {
    outstanding.filter { isMeant($0.value) }.keys.min { $0.rawValue < $1.rawValue }
  }

  /// Whether an answer changes or replaces the browsed list.
  private func changesList(_ purpose: Purpose) -> Bool {
    switch purpose {
    case .enter(let view): view == browse.current
    case .leave(let container), .relist(let container), .edit(let container),
      .reorder(_, in: let container), .newFolder(name: _, in: let container):
      container == browse.container
    case .goTo, .reveal, .rename, .history, .undoNewest, .prepareActions, .prepareAdding, .focus:
      true
    default: false
    }
  }

  /// The drag at a place without an answer that a key would lead to or be about.
  private func standpoint(after input: SessionInput, _ carry: DragState) -> DragState? {
    var trial = self
    var held = carry
    held.walk = makeWalk(carry)
    trial.phase = .carrying(held)
    trial.perform(input)
    guard let there = trial.phase.carry, let stop = there.currentStop,
      !trial.isInWindow(there.place, there), !there.proposals.isAnswered(stop),
      stop != carry.currentStop || input.needsVerdict
    else { return nil }
    return there
  }

  /// The pending listing of a given folder that an input needs: a pick-up needs all places except
  /// late ones, everything else the folder shown.
  private func neededListing(for input: SessionInput) -> RequestID? {
    var needed: [RequestID] = []
    for (id, purpose) in outstanding {
      guard case .listRoot(let view) = purpose else { continue }
      if view == browse.current && input.needsShown || input.needsAll && !late.contains(id) {
        needed.append(id)
      }
    }
    return needed.min { $0.rawValue < $1.rawValue }
  }

  /// Sets what the first key waits for, with a timer to announce it.
  private mutating func wait(for id: RequestID?) {
    if let awaited, awaited.id != id, awaited.hasTimer { emit(.cancelTimer(.asking(awaited.id))) }
    guard let id else {
      awaited = nil
      return
    }
    let hasTimer = !tellsLate(id)
    if let awaited, awaited.id == id, awaited.hasTimer || !hasTimer { return }
    awaited = QueueBlocker(id: id, hasTimer: hasTimer)
    if hasTimer { emit(.startTimer(.asking(id), milliseconds: Session.askingDelay)) }
    if outstanding[id]?.takesBack == true, late.contains(id) {
      awaited?.isSaid = true
      sayAwaited()
    }
  }

  /// The answer for the first key is late: announces what is pending, and the second time that
  /// there is no response. `false` if no key waits for it.
  mutating func isLateForKeys(_ id: RequestID) -> Bool {
    guard let waited = awaited, waited.id == id, waited.hasTimer, let purpose = outstanding[id]
    else { return false }
    if purpose.isDelivery {
      if settings.asksPerson || settings.picksFocus {
        // It may go on for long: the list says how far it is, and cancels it.
        waiting = []
        wait(for: nil)
        openDeliveries()
      } else {
        sayAwaited()
      }
      return true
    }
    late.insert(id)
    awaited?.isSaid = true
    if waited.isSaid {
      say(.cannotOpen(name: awaitedName(purpose), .notResponding))
      return true
    }
    sayAwaited()
    // Places are abandoned by their world.
    if case .ask = purpose { return true }
    emit(.startTimer(.asking(id), milliseconds: Session.patience - Session.askingDelay))
    return true
  }

  private mutating func sayAwaited() {
    let purpose = awaited.flatMap { outstanding[$0.id] }
    if let purpose, purpose.takesBack {
      say(.undoing(isRedo: purpose == .redo))
    } else if case .deliver(let id)? = purpose, let running = deliveries[id] {
      say(
        .delivering(
          running.operation, names: running.names, count: running.count,
          bytes: running.progress.bytesTotal))
    } else if case .carrying(let carry) = phase, case .dropping = carry.stage {
      sayDropping(carry)
    } else if case .carrying(let carry) = phase {
      let there = waiting.first.flatMap { standpoint(after: meaning(of: $0), carry) }
      if carry.stage == .ready, let there, let stop = there.currentStop,
        let report = report(at: stop, there)
      {
        say(.dropPoint(report))
      } else {
        say(.holding(holding(carry, isAsking: true)))
      }
    } else if let purpose {
      say(.listing(container: awaitedName(purpose)))
    }
  }

  /// Whether a request has its own timer that announces its delay.
  private func tellsLate(_ id: RequestID) -> Bool {
    switch outstanding[id] {
    case .prepareCarry, .openPoint, .listDropPoints, .undo, .redo, nil: true
    case .ask(let why, _): !why.isWhole || phase.carry?.stage != .ready
    default: false
    }
  }

  private func awaitedName(_ purpose: Purpose) -> String {
    switch purpose {
    case .listRoot(let view):
      browse.views.indices.contains(view) ? name(of: browse.views[view].root) : ""
    case .enter: focused?.name ?? containerName
    default: containerName
    }
  }

  /// Abandons the requests that keys wait for and that have no effect yet.
  private mutating func giveUp() {
    for (id, purpose) in outstanding where purpose.leadsElsewhere {
      outstanding[id] = nil
      emit(.cancelTimer(.asking(id)))
    }
  }
}

extension SessionInput {
  private var command: CommandName? { if case .command(let name) = self { name } else { nil } }

  fileprivate var clearsKeyQueue: Bool {
    [.cancel, .back, .silence, .interrupt, .quit].contains(command)
  }

  /// Whether it abandons pending requests.
  fileprivate var givesUp: Bool { [.cancel, .back].contains(command) }

  fileprivate var isDrop: Bool { command == .drop }

  fileprivate var isUndo: Bool { command == .undo }

  fileprivate var takesBack: Bool { [.undo, .redo].contains(command) }

  /// Whether it needs the items of the folder shown.
  fileprivate var needsShown: Bool {
    switch self {
    case .command(.nextItem), .command(.previousItem), .command(.firstItem), .command(.lastItem),
      .command(.nextPage), .command(.previousPage), .command(.toggleSelection),
      .command(.extendSelectionDown), .command(.extendSelectionUp), .command(.selectAll),
      .typeAhead:
      true
    case .command(.nextContainer), .command(.previousContainer), .command(.paste), .places: false
    default: needsAll
    }
  }

  /// Whether it needs every given folder.
  fileprivate var needsAll: Bool {
    if case .places = self { return true }
    return [
      .pickUp, .toggleRefusing, .copyTo, .moveTo, .linkTo, .actions, .openItem, .nextContainer,
      .previousContainer, .paste,
    ].contains(command)
  }

  fileprivate var needsVerdict: Bool { [.drop, .details].contains(command) }

  /// Its name in a transcript; `nil` if it is not from a key.
  fileprivate var transcriptName: String? {
    switch self {
    case .command(let command): command.rawValue
    case .typeAhead: "type-ahead"
    case .places: "paste"
    case .unknownKey: "unknown"
    default: nil
    }
  }
}

extension QueuedKey {
  fileprivate var keyName: String {
    switch (stroke, input) {
    case (let stroke?, _): stroke.name
    case (nil, .command(let command)): ":" + command.rawValue
    case (nil, .typeAhead(let text, _)): text
    default: ""
    }
  }
}

extension Session.Purpose {
  /// Whether it only leads elsewhere and can be abandoned without an effect.
  fileprivate var leadsElsewhere: Bool {
    switch self {
    case .enter, .leave, .goTo, .reveal, .focus, .complete, .prepareActions, .history, .undoNewest:
      true
    default: false
    }
  }

  /// Whether its answer moves the person to a place.
  fileprivate func leadsOn(_ round: Int) -> Bool {
    switch self {
    case .ask(.opened, round), .ask(.goneTo, round): true
    default: false
    }
  }

  /// Whether its answer changes the open line or closes it.
  fileprivate var endsLine: Bool {
    switch self {
    case .complete, .goTo, .newFolder, .rename: true
    default: false
    }
  }
}

extension Announcement {
  /// Whether a key failed to do its work.
  fileprivate var isRefusal: Bool {
    switch self {
    case .noMatch, .nothingToPickUp, .nothingAccepts, .cannotOpen, .operationUnavailable, .refused,
      .failed, .unknownKey, .cancelled, .vanished:
      true
    default: false
    }
  }
}
