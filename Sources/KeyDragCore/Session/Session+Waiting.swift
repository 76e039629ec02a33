/// A key that is not carried out yet.
package struct WaitingKey: Sendable {
  /// Its meaning where it was pressed; by a stroke of its own it may mean something else by the time that
  /// it is carried out.
  var input: SessionInput
  /// `nil` for what came by no key, or by a chord of several.
  var stroke: KeyStroke?
}

/// The request that the first key in the line waits for.
struct Awaited: Sendable {
  var id: RequestID
  /// Whether it has been waited for with a timer of its own.
  var hasTimer: Bool
  /// Whether the person has heard what is waited for.
  var isSaid = false
}

/// The line of keys: each is carried out when those before it have been, and when what it needs is
/// known, so that a quick hand gets to where a slow one does.
extension Session {
  /// Nobody presses as many keys on purpose.
  private static let mostWaiting = 64

  /// Whether an input would wait behind others, or for an answer.
  ///
  /// - Parameter stroke: the key that it was made of.
  package func holds(_ input: SessionInput, by stroke: KeyStroke? = nil) -> Bool {
    // A key of the walk, before there is one.
    let isEarly = isAskingFocus && stroke != nil && !input.emptiesLine
    guard input.isOfPerson, isEarly || !isImmediate(input) else { return false }
    return !waiting.isEmpty || blocker(of: input) != nil
  }

  /// Has a key wait where it has to; `false` for one that can be carried out now.
  mutating func waits(_ input: SessionInput, by stroke: KeyStroke?) -> Bool {
    if input.emptiesLine { waiting = [] }
    if input.givesUp { giveUp() }
    guard holds(input, by: stroke) else { return false }
    if leavesWindow(input) {
      waiting = []
      return false
    }
    // Enter again is the same Enter.
    let isRepeated = input.isDrop && waiting.last?.input.isDrop == true
    guard !isRepeated, waiting.count < Self.mostWaiting else {
      sayAwaited()
      return true
    }
    waiting.append(WaitingKey(input: input, stroke: stroke))
    // It is answered at once where the person knows what is waited for.
    if awaited?.isSaid == true { sayAwaited() }
    return true
  }

  /// The way out of a window, or a place, that takes long to open, also for who tried other keys first.
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

  /// Takes the keys that wait, until one of them has to wait again. Those behind one that led
  /// nowhere, or to a question, were not meant for it, and are dropped.
  mutating func takeWaiting() {
    // A word about something else is no answer to a key.
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
        // Enter again while one waited is the same Enter.
        while input.isDrop, let next = waiting.first, meaning(of: next).isDrop {
          waiting.removeFirst()
        }
      }
    }
    wait(for: nil)
  }

  /// The meaning of a key in the phase that one is in by now.
  private func meaning(of key: WaitingKey) -> SessionInput {
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

  /// Whether it waits for nothing: it ends something, is silent, or says what is known by now.
  private func isImmediate(_ input: SessionInput) -> Bool {
    if input.emptiesLine { return true }
    switch input {
    case .command(.whereAmI), .command(.repeatLast), .command(.redraw), .tooLongPaste: return true
    // They may be signs of a name by then, or of letters that wait.
    case .command(.help), .command(.sayHeld): return waiting.isEmpty
    case .finding, .findingEnded: return waiting.isEmpty && !isAskingFocus
    case .command(.pickUp), .command(.copyTo), .command(.moveTo), .command(.linkTo):
      if case .browsing = phase { return settings.picksFocus }
      return waiting.isEmpty
    // It may mean something when those before it have been carried out.
    case .unknownKey: return waiting.isEmpty
    // The same Enter: behind a drop it would mean something else.
    case .command(.drop):
      if case .carrying(let carry) = phase, case .dropping = carry.stage { return waiting.isEmpty }
      return false
    case .command, .typeAhead, .places: return false
    default: return true
    }
  }

  /// A question that the person did not call for, which no key from before it may answer.
  private var hasUnexpectedQuestion: Bool {
    guard case .confirming(let question, _) = phase else { return false }
    return switch question.subject {
    case .drop, .olderUndo, .quitting: true
    case .actions, .position, .line, .deliveries, .history, .help, .details: false
    }
  }

  // MARK: What is waited for

  /// The request whose answer an input needs; `nil` where it can be carried out now.
  private func blocker(of input: SessionInput) -> RequestID? {
    switch phase {
    case .carrying(let carry):
      switch carry.stage {
      case .preparing(let id), .asking(let id), .dropping(let id): return id
      case .ready: return blocker(of: input, carry)
      }
    case .confirming: return isTyping ? request { $0.endsLine } : nil
    case .browsing(let adding):
      if let id = request(where: changesList) { return id }
      return adding == nil ? neededListing(for: input) : nil
    }
  }

  /// The answer of the place that a key leads to, or the listing of the window or the place that one has
  /// gone to.
  private func blocker(of input: SessionInput, _ carry: Carry) -> RequestID? {
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
    // The way out of a window, and of a place that has been said to take long to open.
    case .command(.nextContainer), .command(.previousContainer):
      return carry.currentStop == nil || late.contains(id) ? nil : id
    // A key that bounces.
    case .command(.openDropPoint) where carry.currentStop != nil: return nil
    case _ where carry.currentStop != nil: return id
    case .command(.nextDropPoint), .command(.previousDropPoint), .command(.nextPosition),
      .command(.previousPosition), .command(.firstPosition), .command(.lastPosition), .typeAhead:
      return id
    default: return nil
    }
  }

  /// The first request of a purpose that has not been answered.
  func request(where isMeant: (Purpose) -> Bool) -> RequestID? {
    outstanding.filter { isMeant($0.value) }.keys.min { $0.rawValue < $1.rawValue }
  }

  /// Whether an answer changes the list that is browsed, or puts another in its place.
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

  /// A place that has not answered and that a key would lead to, or be about.
  private func standpoint(after input: SessionInput, _ carry: Carry) -> Carry? {
    // Found out on a copy of the session.
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

  /// The outstanding listing of a folder given that an input needs: a pick-up needs every place there
  /// is, but none that is known to be late; all else the folder shown.
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

  /// Notes what the first key waits for, to be said where it takes long.
  private mutating func wait(for id: RequestID?) {
    if let awaited, awaited.id != id, awaited.hasTimer { emit(.cancelTimer(.asking(awaited.id))) }
    guard let id else {
      awaited = nil
      return
    }
    let hasTimer = !tellsLate(id)
    if let awaited, awaited.id == id, awaited.hasTimer || !hasTimer { return }
    awaited = Awaited(id: id, hasTimer: hasTimer)
    if hasTimer { emit(.startTimer(.asking(id), milliseconds: Session.askingDelay)) }
  }

  /// The answer that the first key waits for is late: says what is waited for, and, once more, that it
  /// does not answer. `false` where no key waits for it.
  mutating func isLateForKeys(_ id: RequestID) -> Bool {
    guard let waited = awaited, waited.id == id, waited.hasTimer, let purpose = outstanding[id]
    else { return false }
    late.insert(id)
    awaited?.isSaid = true
    if waited.isSaid {
      say(.cannotOpen(name: awaitedName(purpose), .notResponding))
      return true
    }
    sayAwaited()
    // Places are given up by their world.
    if case .ask = purpose { return true }
    emit(.startTimer(.asking(id), milliseconds: Session.patience - Session.askingDelay))
    return true
  }

  private mutating func sayAwaited() {
    if case .carrying(let carry) = phase, case .dropping = carry.stage {
      sayDropping(carry)
    } else if case .carrying(let carry) = phase {
      let there = waiting.first.flatMap { standpoint(after: meaning(of: $0), carry) }
      if carry.stage == .ready, let there, let stop = there.currentStop,
        let report = report(at: stop, there)
      {
        say(.dropPoint(report))
      } else {
        say(.holding(holding(carry, verdict: .asking)))
      }
    } else if let purpose = awaited.flatMap({ outstanding[$0.id] }) {
      say(.listing(container: awaitedName(purpose)))
    }
  }

  /// Whether a request has a timer of its own, by which it is said to be late.
  private func tellsLate(_ id: RequestID) -> Bool {
    switch outstanding[id] {
    case .prepareCarry, .openPoint, .listDropPoints, nil: true
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

  /// Gives up what keys wait for, where nothing has been done yet.
  private mutating func giveUp() {
    for (id, purpose) in outstanding where purpose.leadsElsewhere {
      outstanding[id] = nil
      emit(.cancelTimer(.asking(id)))
    }
  }
}

extension SessionInput {
  /// Whether it is pressed to have an end to what waits.
  fileprivate var emptiesLine: Bool {
    switch self {
    case .command(.cancel), .command(.back), .command(.silence), .command(.interrupt),
      .command(.quit):
      true
    default: false
    }
  }

  /// Whether what is waited for is given up by it.
  fileprivate var givesUp: Bool {
    switch self {
    case .command(.cancel), .command(.back): true
    default: false
    }
  }

  fileprivate var isDrop: Bool { if case .command(.drop) = self { true } else { false } }

  /// Whether it is about the items of the folder shown.
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

  /// Whether it is about every folder that was given.
  fileprivate var needsAll: Bool {
    switch self {
    case .command(.pickUp), .command(.toggleRefusing), .command(.copyTo), .command(.moveTo),
      .command(.linkTo), .command(.actions), .command(.openItem), .command(.nextContainer),
      .command(.previousContainer), .command(.paste), .places:
      true
    default: false
    }
  }

  /// Whether it is about the place stood on.
  fileprivate var needsVerdict: Bool {
    switch self {
    case .command(.drop), .command(.details): true
    default: false
    }
  }

  /// Its name in a transcript; `nil` for what is no key.
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

extension WaitingKey {
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
  /// Whether it only leads elsewhere, so that nothing is half done when it is given up.
  fileprivate var leadsElsewhere: Bool {
    switch self {
    case .enter, .leave, .goTo, .reveal, .focus, .complete, .prepareActions, .history, .undoNewest:
      true
    default: false
    }
  }

  /// Whether the person is led to a place when it has been answered.
  fileprivate func leadsOn(_ round: Int) -> Bool {
    switch self {
    case .ask(.opened, round), .ask(.goneTo, round): true
    default: false
    }
  }

  /// Whether its answer changes the line that is typed in, or ends it.
  fileprivate var endsLine: Bool {
    switch self {
    case .complete, .goTo, .newFolder, .rename: true
    default: false
    }
  }
}

extension Announcement {
  /// Whether a key did not do what it is for.
  fileprivate var isRefusal: Bool {
    switch self {
    case .noMatch, .nothingToPickUp, .nothingAccepts, .cannotOpen, .operationUnavailable, .refused,
      .failed, .unknownKey, .cancelled, .vanished:
      true
    default: false
    }
  }
}
