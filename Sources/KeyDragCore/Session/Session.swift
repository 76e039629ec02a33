import OrderedCollections

/// The state machine of keyboard drag and drop: a total function over values.
///
/// Every phase handles every input. Work for the outside is returned as effects; its results come
/// in as reports with the id of their request, so that late ones are dropped.
package struct Session: Sendable {
  package struct Settings: Sendable {
    /// The policy for name clashes; `nil` to ask.
    package var clash: ClashPolicy?
    /// A delivery of this size or more is announced at its start, in bytes.
    package var longDelivery: Int64 = 64 << 20
    /// Whether hidden items are listed; a key toggles it.
    package var showsHidden = false
    /// Whether there are containers of our own, all of which are asked at the pick-up. On the
    /// desktop there are none: every container is listed and asked only on arrival, because a
    /// question is a message to a program and exposes what is carried.
    package var hasHome = true
    /// Whether windows of other programs follow our own containers in the walk.
    package var reachesWindows = false
    /// Whether it is about folders of files, which can be filtered, made and reached by path.
    package var isInFolders = false
    /// Whether somebody else tells which keys there are.
    package var isTaught = false
    /// Whether a pick-up takes the focused item of another program instead of a browsed one.
    package var picksFocus = false
    package var pickUpChord = DesktopChords.standard.pickUp
    /// The chord there for the list of deliveries, which offers undo.
    package var deliveriesChord = DesktopChords.standard[.deliveries].first
    /// Whether ``pickUpChord`` belongs to another program and is not to be mentioned.
    package var isPickUpTaken = false
    /// The keys grabbed while carrying; `nil` for all. The others go to the program in front.
    package var takenKeys: Set<KeyStroke>?
    /// Whether a person can be asked, before undo goes back before this session and before it ends
    /// during a delivery. Scripts are never asked.
    package var asksPerson = false
    /// The key after which a name may be typed, if letters are not grabbed.
    package var finderKey: KeyStroke?
    package init() {}
  }

  package internal(set) var phase = Phase.browsing(adding: nil)
  /// The containers, items and places known from the world.
  package internal(set) var registry = Registry()
  package internal(set) var browse: Browse
  /// Running deliveries, in order of their start.
  package internal(set) var deliveries: OrderedDictionary<DeliveryID, RunningDelivery> = [:]
  /// Deliveries with an unknown outcome, which may still be reported.
  var unconfirmed: OrderedDictionary<DeliveryID, RunningDelivery> = [:]
  /// Mostly fixed; keys change a few.
  package internal(set) var settings: Settings
  /// For the names of keys in the help and in answers to unknown ones.
  package var keymap: Keymap
  /// The words of choices, for searching them.
  package var phrases = Phrasebook()
  /// Whether any drop or delivery was refused, failed, incomplete or cancelled.
  package internal(set) var hasFailure = false
  /// Why nothing at all could be listed or transferred, for the exit status of a command.
  package internal(set) var fatalReason: Reason?

  /// Set while the session is to end after its deliveries.
  var ending: SessionEnding?
  /// The window where the last drag on a desktop began, and the last one known to have the
  /// keyboard.
  var keyboard: (source: ContainerID, front: ContainerID)?
  var landed = Landed()
  var news = ChangeLog()
  /// The key queue, in order.
  package internal(set) var waiting: [QueuedKey] = []
  var awaited: QueueBlocker?
  /// Whether the current input has answered ``awaited``.
  var hasAnsweredAwaited = false
  /// The requests that have been announced as late.
  var late: Set<RequestID> = []
  /// Containers known only because they are browsed, not registered.
  var lent: Set<ContainerID> = []
  /// The purpose of each pending request. An answer to any other request is late and dropped.
  var outstanding: [RequestID: Purpose] = [:]
  package internal(set) var search = TypeAhead()
  /// The previous command, since a held key must not repeat one with a further effect.
  var lastCommand: CommandName?
  var rowFacts = RowFactTable()
  package internal(set) var told = SpokenHistory()
  /// Whether the last drop had no effect: an undo behind it was meant for nothing older.
  var hasDoneNothing = false
  /// Entries whose files are not as the delivery left them any more.
  var blockedUndos: Set<Int64> = []
  /// Why the history can't be written, until the person has agreed to go on without it.
  var lostHistory: Reason?
  /// Request numbers are never reused.
  private var requestCount = 0
  private var deliveryCount = 0
  private(set) var effects: [Effect] = []
  /// The pending announcement of the current place: its index among the effects, and whether the
  /// location has just been announced.
  private var here: (index: Int, isPlaceKnown: Bool)?

  /// A session over the given folders, in order, which are listed from ``SessionInput/start`` on.
  package init(
    roots: [ContainerDescriptor], keymap: Keymap = .standard, settings: Settings = Settings()
  ) {
    self.keymap = keymap
    self.settings = settings
    browse = Browse(views: roots.map { View(root: $0.id) })
    if settings.isTaught { told = SpokenHistory(given: [.browsing, .carrying]) }
    for root in roots {
      registry.insert(Listing(container: root, sources: nil, dropPoints: nil))
    }
  }

  /// Whether a listing, a verdict or a delivery is pending, for which a script waits.
  package var isWaiting: Bool {
    !deliveries.isEmpty || outstanding.values.contains(where: holdsScript)
  }

  /// Of places asked on arrival only the current one counts, not prefetched or left ones.
  private func holdsScript(_ purpose: Purpose) -> Bool {
    switch purpose {
    case .ask(.ahead, _), .measure, .preview: false
    case .ask(.arrival(let stop), let round):
      phase.carry.map { round == $0.round && stop == $0.currentStop } ?? false
    default: true
    }
  }

  package var hasNoContainer: Bool {
    !browse.views.isEmpty && browse.views.allSatisfy { registry[$0.root]?.sources == nil }
  }

  /// Handles one input and returns its effects.
  ///
  /// Deterministic: reads no clock and no file.
  ///
  /// - Parameter stroke: the key of the input, whose meaning may change while it is queued.
  package mutating func apply(_ input: SessionInput, by stroke: KeyStroke? = nil) -> [Effect] {
    effects = []
    hasAnsweredAwaited = false
    let wasHolding = phase.carry != nil
    if !waits(input, by: stroke) { perform(input) }
    takeWaiting()
    if wasHolding, phase.carry == nil { lookForKeyboard() }
    // A session that is to end may have been waiting for this report.
    if case .report = input { endWhenDone() }
    // Between drags letters belong to the program in front.
    if case .browsing = phase { search.end() }
    flushSayHere()
    followFocus()
    // A repetition is remembered already.
    if case .command(.repeatLast) = input {} else { remember() }
    followHelp(after: input)
    return effects
  }

  /// Handles one input that need not wait.
  mutating func perform(_ input: SessionInput) {
    noteOtherKey(input)
    // Changes are news again from here on.
    if input.isUserAction {
      (news.settling, news.removed) = (nil, nil)
      rowFacts.expirePreview()
    }
    switch input {
    case .start: start()
    case .command(let command):
      // Deleting letters keeps the search.
      if command != .takeBack { search.forget() }
      run(command)
      lastCommand = command
    case .typeAhead(let text, let cutsWarning):
      let place = phase.carry?.place
      typeAhead(text)
      if cutsWarning, phase.carry?.place != place || hasWords { placeUnheard() }
    case .places(let places):
      search.forget()
      takePlaces(places)
    case .tooLongPaste: say(.nothingToPickUp(.tooBig, name: nil))
    case .unknownKey(let stroke): if !isRestoringKeyboard { sayUnknown(stroke) }
    case .finding: find()
    case .findingEnded: endFinding()
    case .pickUpKeyFree:
      settings.isPickUpTaken = false
      say(.agentReady(settings.pickUpChord))
    case .unheard: placeUnheard()
    case .report(let report): take(report)
    case .timer(let timer): fired(timer)
    case .resumed: resumed()
    case .shown(let items, let showsPreview): measure(items, showsPreview: showsPreview)
    case .resized(let rows): browse.pageSize = min(max(rows, 2), 10_000) - 1
    case .register(let listing): register(listing)
    case .focus(let listing, let marked): focus(on: listing, marked: marked)
    case .transfer(let transfer): begin(transfer)
    case .undoEntry(let number): request(.undo(entry: number), for: .undo)
    case .redoEntry(let number): request(.redo(entry: number), for: .redo)
    case .ended: ended()
    }
  }

  /// After any other key, the key that drops is meant for the current place.
  private mutating func noteOtherKey(_ input: SessionInput) {
    if case .command(.drop) = input { return }
    guard input.isUserAction, var carry = phase.carry, carry.isDropKeyBlocked, carry.stage == .ready
    else {
      return
    }
    carry.isDropKeyBlocked = false
    phase.replaceCarry(carry)
  }

  private mutating func sayAgain(_ announcements: [Announcement]) {
    for announcement in announcements { say(announcement) }
  }

  /// Whether the last announcements include a place that the person has left.
  private var isToldLeft: Bool {
    guard case .carrying(let carry) = phase, carry.place != told.place else { return false }
    return told.last.contains { announcement in
      switch announcement {
      case .dropPoint, .backAtSource: true
      default: false
      }
    }
  }

  private mutating func remember() {
    let said = said
    if !said.isEmpty { (told.last, told.place) = (said, phase.carry?.place) }
  }

  var said: [Announcement] { effects.compactMap(\.announcement) }

  /// Keeps the help visible until a key is pressed or something else is announced.
  private mutating func followHelp(after input: SessionInput) {
    if case .confirming(let question, _) = phase, case .help(let lines) = question.subject {
      told.help = .help(lines, isList: true)
    } else if let last = said.last {
      if case .help = last { told.help = last } else { told.help = nil }
    } else if input.isUserAction {
      told.help = nil
    }
  }

  // MARK: Effects

  mutating func say(_ announcement: Announcement) { effects.append(.announce(announcement)) }

  /// Announces the current place at the end of the input: a person moved several times within one
  /// input hears of the last place only.
  mutating func sayHere(isPlaceKnown: Bool = false) { here = (effects.count, isPlaceKnown) }

  /// Cancels the announcement of ``sayHere(isPlaceKnown:)``, since the person has been moved.
  mutating func leaveHere() { here = nil }

  /// Makes the announcement of ``sayHere(isPlaceKnown:)``, unless the drag has ended.
  mutating func flushSayHere() {
    guard let (index, isPlaceKnown) = here else { return }
    here = nil
    guard case .carrying(let carry) = phase,
      let announcement = announcement(ofPlace: carry, isPlaceKnown: isPlaceKnown)
    else { return }
    effects.insert(.announce(announcement), at: index)
  }

  /// Whether the input has led to any announcement so far.
  private var hasWords: Bool { here != nil || !said.isEmpty }

  mutating func emit(_ effect: Effect) { effects.append(effect) }

  /// Sends a request to the world, whose answer may never come.
  @discardableResult
  mutating func request(_ request: WorldRequest, for purpose: Purpose) -> RequestID {
    requestCount += 1
    let id = RequestID(requestCount)
    outstanding[id] = purpose
    effects.append(.request(id, request))
    // Much may have to be taken back.
    if purpose.takesBack { emit(.startTimer(.asking(id), milliseconds: Session.deliveryDelay)) }
    return id
  }

  /// Sends a request without an answer.
  mutating func tell(_ request: WorldRequest) {
    requestCount += 1
    effects.append(.request(RequestID(requestCount), request))
  }

  mutating func nextDelivery() -> DeliveryID {
    deliveryCount += 1
    return DeliveryID(deliveryCount)
  }

  // MARK: Commands

  mutating func run(_ command: CommandName) {
    if runAnywhere(command) { return }
    // The announcement of the end is pending, and covers this key too.
    if isRestoringKeyboard, command != .pickUp { return }
    switch phase {
    // The Enter that was to drop must not open what one stands on since the items are gone.
    case .browsing
    where command == .openItem && lastCommand != .openItem && told.last.contains(where: \.isEnd):
      sayAgain(told.last)
    case .browsing(let adding): runBrowsing(command, adding: adding)
    case .carrying(let carry): runCarrying(command, carry)
    case .confirming(let question, let underneath):
      runConfirming(command, question, over: underneath)
    }
  }

  /// Runs a command that is the same in every phase; `false` for the others. While a question is
  /// open, undo and redo only repeat it.
  private mutating func runAnywhere(_ command: CommandName) -> Bool {
    switch command {
    case .undo where isAsking, .redo where isAsking:
      guard case .confirming(let question, _) = phase else { break }
      // An empty line does not say what it is for.
      if question.current == .line("") { sayQuestion(question) } else { sayChoice(question) }
    case .undo: undoNewest()
    case .redo: request(.redo(entry: nil), for: .redo)
    case .deliveries: openDeliveries()
    case .goToLanded: goToLanded()
    case .redraw: emit(.repaint)
    case .whereAmI: sayWhere()
    case .repeatLast:
      // Without a last message, or if its place has been left, the current place.
      if told.last.isEmpty || isToldLeft { sayWhere() } else { sayAgain(told.last) }
    case .silence: emit(.silence)
    case .help: sayHelp()
    case .quit: quit()
    case .interrupt:
      cancelHeldDrag()
      endComingBack()
      for id in deliveries.keys { tell(.cancelDelivery(id)) }
      emit(.interrupt)
    default: return false
    }
    return true
  }

  /// Reports a command that only a script can give here as an unknown key.
  mutating func rejectCommand(_ command: CommandName) {
    // On the desktop it is called from any program, and by no key of the walk.
    if settings.picksFocus, command == .pickUp { return sayUnknown(settings.pickUpChord) }
    // The person's own key first, then the default.
    let lines = keymap.bindings + Keymap.standard.bindings
    let chord = lines.first { $0.command == command && $0.chords.first != nil }?.chords.first
    sayUnknown(chord?.first ?? KeyStroke(.character("?")))
  }

  /// On the desktop the key for help belongs to the program in front.
  mutating func sayUnknown(_ stroke: KeyStroke) {
    say(.unknownKey(stroke, hasHelp: !settings.picksFocus))
  }

  /// Ends the session and cancels the drag; asks a person first during a delivery.
  private mutating func quit() {
    if settings.asksPerson, !deliveries.isEmpty {
      askBeforeQuitting()
      return
    }
    cancelHeldDrag()
    // A second time it ends at once.
    let isFirst = ending == nil
    ending = .whenDone
    if isFirst, let runningUndo { return say(.undoing(isRedo: runningUndo == .redo)) }
    // Deliveries go on to their end after the last announcement.
    if !awaitsKeyboard { endNow() }
  }

  /// No more input: ends silently. Called again once the keyboard has returned.
  private mutating func ended() {
    cancelHeldDrag()
    if !awaitsKeyboard { emit(.quit) }
  }

  /// The terminal is ours again after a pause.
  private mutating func resumed() {
    emit(.repaint)
    sayWhere()
  }

  // MARK: Answers

  /// Handles a report; an answer counts once, and only while its request is pending.
  private mutating func take(_ report: WorldReport) {
    switch report {
    case .counted(let id, let container, let counts): counted(id, container, counts)
    case .answering(let id, let answers): answering(answers, id)
    case .delivery(let id, let event): delivery(id, event)
    case .visit(let id, let visit): visited(id, visit)
    case .undoneLate(let result): changed(by: result, isRedo: false, isLate: true)
    case .redoneLate(let result): changed(by: result, isRedo: true, isLate: true)
    case .changed(let changes):
      rowFacts.expire()
      changed(changes)
    case .predictionsImproved: askAgain()
    case .keyboard(let window): keyboardMoved(to: window)
    case .recovered(let recovery): say(.recovered(recovery))
    case .problem(let problem):
      if case .journal(let reason, _) = problem { lostHistory = reason }
      say(.problem(problem))
    case .lesson(let lesson): say(.lesson(lesson))
    case .listed(let id, _), .unreadable(let id, _, _), .prepared(let id, _), .answered(let id, _),
      .undone(let id, _), .redone(let id, _), .history(let id, _), .focused(let id, _),
      .windows(let id, _), .shown(let id, _), .keyboardRestored(let id, _), .moved(let id, _, _),
      .completed(let id, _), .described(let id, _), .measured(let id, _), .previewed(let id, _),
      .renamed(let id, _):
      if let purpose = answer(to: id) {
        take(report, for: purpose)
      } else if case .listed(_, let listing) = report, registry[listing.container.id] == nil {
        // No longer needed: its watch must not outlive the request.
        tell(.close(listing.container.id))
      }
    }
  }

  /// Handles an answer. One of another kind than was asked for is an error of the world.
  private mutating func take(_ answer: WorldReport, for purpose: Purpose) {
    switch (answer, purpose) {
    case (.listed(_, let listing), _): listed(listing, for: purpose)
    case (.unreadable(_, let name, let reason), _): unanswered(name, reason, for: purpose)
    case (.prepared(_, let items), .prepareCarry): preparedCarry(items)
    case (.prepared(_, let items), .prepareAdding): preparedAdding(items)
    case (.prepared(_, let items), .prepareActions): preparedActions(items)
    case (.answered(let id, let answers), .ask(let why, let round)):
      answered(answers, id, why, round)
    case (.undone(_, let result), .undo), (.redone(_, let result), .redo):
      rowFacts.expire()
      changed(by: result, isRedo: purpose == .redo)
    case (.history(_, let result), .undoNewest): undoNewest(result)
    case (.history(_, let result), .history): openHistory(result)
    case (.focused(_, let report), .focus(let wish)): focused(report, wish: wish)
    case (.windows(_, let windows), .windows): windowsFound(windows)
    case (.shown(_, let landing), .show): say(.shown(landing))
    case (.keyboardRestored(_, let place), .restoreKeyboard(let wish, let end)):
      keyboardRestored(wish, end, at: place)
    case (.completed(_, let completion), .complete(let text)): completed(completion, of: text)
    case (.described(_, let facts), .describe): say(.facts(facts))
    case (.measured(_, let facts), _): if rowFacts.take(facts) { emit(.repaint) }
    case (.previewed(_, let preview), _): previewed(preview)
    case (.renamed(_, let result), .newFolder(let name, let container)):
      made(result, name, in: container)
    case (.renamed(_, let result), .rename(let source, let old, let new)):
      renamed(result, source, from: old, to: new)
    case (.moved(_, _, let result), .reorder(let source, let container)):
      reordered(result, source, in: container)
    default: unanswered("", .unknown, for: purpose)
    }
  }

  /// Ends a request and returns its purpose; `nil` if late. A delivery ends only by its events.
  private mutating func answer(to id: RequestID) -> Purpose? {
    guard let purpose = outstanding[id] else { return nil }
    if case .deliver = purpose { return nil }
    outstanding[id] = nil
    late.remove(id)
    let isAwaited = awaited?.id == id
    if isAwaited {
      // Another given folder is not what a key was about.
      if case .listRoot(let view) = purpose, view != browse.current {
      } else {
        hasAnsweredAwaited = true
      }
    }
    switch purpose {
    case .ask, .prepareCarry, .prepareAdding, .prepareActions, .windows, .openPoint,
      .restoreKeyboard, .undo, .redo,
      .listRoot:
      emit(.cancelTimer(.asking(id)))
    default: if isAwaited { emit(.cancelTimer(.asking(id))) }
    }
    return purpose
  }

  private mutating func fired(_ timer: SessionTimer) {
    switch timer {
    case .asking(let id): askingIsLate(id)
    case .drop: dropIsLate()
    case .delivery(let id): deliveryIsLong(id)
    case .appearing: appearingIsOver()
    }
  }
}

extension Announcement {
  fileprivate var isEnd: Bool { if case .sessionEnded = self { true } else { false } }
}
