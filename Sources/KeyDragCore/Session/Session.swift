import OrderedCollections

/// The state machine of keyboard drag and drop: a total function over values.
///
/// Every phase answers every input. What is to be done outside comes back as effects; what the
/// world did comes in as reports that carry the id of what they answer, so that late ones are
/// dropped.
package struct Session: Sendable {
  /// The settings that are fixed for a run.
  package struct Settings: Sendable {
    /// The policy for name clashes without asking; `nil` asks.
    package var clash: ClashPolicy?
    /// From this size on a delivery is announced at its start, in bytes.
    package var longDelivery: Int64 = 64 << 20
    /// Whether hidden items are listed; changed by a key.
    package var showsHidden = false
    /// Whether there are containers of one's own, all of which are asked at the pick-up. On the
    /// desktop there are none: every container is listed, and asked, only when the person reaches it,
    /// because a question is a real message to a program and shows it what is carried.
    package var hasHome = true
    /// Whether windows of other programs are walked behind one's own containers.
    package var reachesWindows = false
    /// Whether folders of files are walked, which can be narrowed, gone to by their paths, and
    /// made.
    package var isInFolders = false
    /// Whether somebody else tells which keys there are.
    package var isTaught = false
    /// Whether a pick-up takes what has the focus outside, not what is browsed here.
    package var picksFocus = false
    /// The chord that does so.
    package var pickUpChord = DesktopChords.standard.pickUp
    /// The chord that lists deliveries there, and offers undo.
    package var deliveriesChord = DesktopChords.standard[.deliveries].first
    /// Whether the first is not to be had, so that it is not promised.
    package var isPickUpTaken = false
    /// The keys that are ours while something is carried; `nil` for all. On a desktop the others go
    /// to the program in front.
    package var takenKeys: Set<KeyStroke>?
    /// Whether a person is at the keys, who can be asked: before undo goes further back than this
    /// session, and before it ends while something is copied. Scripts are never asked.
    package var asksPerson = false
    /// The key after which a name may be typed, where letters are not ours.
    package var finderKey: KeyStroke?
    /// All as above: nobody is asked, and there are no windows and no folders.
    package init() {}
  }

  /// The phase by which every key is answered.
  package internal(set) var phase = Phase.browsing(adding: nil)
  /// The containers, items and places that the world has told of.
  package internal(set) var registry = Registry()
  /// The views of browsing, with focus and marks.
  package internal(set) var browse: Browse
  /// Running deliveries, in the order in which they began.
  package internal(set) var deliveries: OrderedDictionary<DeliveryID, RunningDelivery> = [:]
  /// Sent and not confirmed: what came of it may still be told.
  var unconfirmed: OrderedDictionary<DeliveryID, RunningDelivery> = [:]
  /// Most are fixed; a few follow keys.
  package internal(set) var settings: Settings
  /// Needed for the names of keys in help and in answers to unknown ones.
  package var keymap: Keymap
  /// The words of choices, by which they are found.
  package var phrases = Phrasebook()
  /// Whether any drop or delivery was refused, failed, came apart or was cancelled.
  package internal(set) var hasFailure = false
  /// Why nothing at all could be listed or transferred, for the exit status of a command.
  package internal(set) var fatalReason: Reason?

  /// Set while the session ends as soon as nothing is copied any more.
  var ending: SessionEnding?
  /// The window in which the last drag began on a desktop, and the one that has the keyboard, as far
  /// as it was told.
  var keyboard: (source: ContainerID, front: ContainerID)?
  /// Where the last delivery landed, to be gone to and selected.
  var landed = Landed()
  /// What comes and goes by itself, and what of it needs no word.
  var news = ChangeLog()
  /// The keys that can't be carried out yet, in their order.
  package internal(set) var waiting: [WaitingKey] = []
  /// The request that the first of them waits for.
  var awaited: Awaited?
  /// Whether the present input has answered it.
  var hasAnsweredAwaited = false
  /// The requests that have been said to take long.
  var late: Set<RequestID> = []
  /// Containers that are known because they are browsed, not because they were registered.
  var lent: Set<ContainerID> = []
  /// The purpose of each outstanding request.
  ///
  /// An answer to a request that is not here is late, and dropped.
  var outstanding: [RequestID: Purpose] = [:]
  /// What is typed to find something by its name.
  package internal(set) var search = TypeAhead()
  /// The command before this one: one that would change something once more is not repeated by a
  /// key that is held down.
  var lastCommand: CommandName?
  /// Sizes and dates of what has been in sight.
  var rowFacts = RowFactTable()
  /// What the person has been told, to be told again or not twice.
  package internal(set) var told = SpokenHistory()
  /// Why nothing can be written into the history, until the person has agreed to go on without.
  var lostHistory: Reason?
  /// Requests have numbers that are never used again.
  private var requestCount = 0
  /// Deliveries are numbered in the same way.
  private var deliveryCount = 0
  /// The effects of the present input.
  private(set) var effects: [Effect] = []
  /// The word that is owed of where the person stands: its place among the effects, and whether
  /// where the place is has just been said.
  private var here: (index: Int, isPlaceKnown: Bool)?

  /// A session over the folders given, in their order.
  ///
  /// Nothing is listed yet: that begins with ``SessionInput/start``.
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

  /// Whether a listing, a verdict or a delivery is still awaited: a script waits for these.
  package var isWaiting: Bool {
    !deliveries.isEmpty || outstanding.values.contains(where: holdsScript)
  }

  /// Of the places asked on arrival only the one stood on is waited for: the others are asked
  /// ahead, or have been left.
  private func holdsScript(_ purpose: Purpose) -> Bool {
    switch purpose {
    case .ask(.ahead, _), .measure: false
    case .ask(.arrival(let stop), let round):
      phase.carry.map { round == $0.round && stop == $0.currentStop } ?? false
    default: true
    }
  }

  /// Whether not one of the containers given could be listed.
  package var hasNoContainer: Bool {
    !browse.views.isEmpty && browse.views.allSatisfy { registry[$0.root]?.sources == nil }
  }

  /// Takes one input and answers what is to be done.
  ///
  /// Reads no clock and no file: the same inputs lead to the same effects.
  ///
  /// - Parameter stroke: the key that the input was made of, which may mean something else where it has
  ///   to wait.
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
    wordHere()
    // A repetition is remembered already.
    if case .command(.repeatLast) = input {} else { remember() }
    followHelp(after: input)
    return effects
  }

  /// Takes one input that waits for nothing.
  mutating func perform(_ input: SessionInput) {
    noteOtherKey(input)
    // Whatever comes and goes from here on is news again.
    if input.isOfPerson { news.settling = nil }
    switch input {
    case .start: start()
    case .command(let command):
      // Letters taken back are taken from what was typed.
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
    case .unknownKey(let stroke): if !isComingBack { sayUnknown(stroke) }
    case .finding: find()
    case .findingEnded: endFinding()
    case .pickUpKeyFree:
      settings.isPickUpTaken = false
      say(.agentReady(settings.pickUpChord))
    case .unheard: placeUnheard()
    case .report(let report): take(report)
    case .timer(let timer): fired(timer)
    case .resumed: resumed()
    case .shown(let items): measure(items)
    case .resized(let rows): browse.pageSize = min(max(rows, 2), 10_000) - 1
    case .register(let listing): register(listing)
    case .focus(let listing, let marked): focus(on: listing, marked: marked)
    case .transfer(let transfer): begin(transfer)
    case .undoEntry(let number): request(.undo(entry: number), for: .undo)
    case .redoEntry(let number): request(.redo(entry: number), for: .redo)
    case .ended: ended()
    }
  }

  /// After any other key the one that drops is meant for the place that is stood on.
  private mutating func noteOtherKey(_ input: SessionInput) {
    if case .command(.drop) = input { return }
    guard input.isOfPerson, var carry = phase.carry, carry.needsOtherKey, carry.stage == .ready
    else {
      return
    }
    carry.needsOtherKey = false
    phase.replaceCarry(carry)
  }

  /// Says it once more.
  private mutating func sayAgain(_ announcements: [Announcement]) {
    for announcement in announcements { say(announcement) }
  }

  /// Whether a place is among what was said last, and the person is not there any more.
  private var isToldLeft: Bool {
    guard case .carrying(let carry) = phase, carry.place != told.place else { return false }
    return told.last.contains { announcement in
      switch announcement {
      case .dropPoint, .backAtSource: true
      default: false
      }
    }
  }

  /// Keeps what was said, where anything was.
  private mutating func remember() {
    let said = said
    if !said.isEmpty { (told.last, told.place) = (said, phase.carry?.place) }
  }

  /// The announcements among the effects so far.
  var said: [Announcement] { effects.compactMap(\.announcement) }

  /// Keeps the help in sight until a key is pressed or something else is said.
  private mutating func followHelp(after input: SessionInput) {
    if case .confirming(let question, _) = phase, case .help(let lines) = question.subject {
      told.help = .help(lines, isList: true)
    } else if let last = said.last {
      if case .help = last { told.help = last } else { told.help = nil }
    } else if input.isOfPerson {
      told.help = nil
    }
  }

  // MARK: Effects

  /// Adds an announcement to the effects.
  mutating func say(_ announcement: Announcement) { effects.append(.announce(announcement)) }

  /// Says where the person stands once the input has been taken: whoever is led on within one input
  /// hears of the last place only.
  mutating func sayHere(isPlaceKnown: Bool = false) { here = (effects.count, isPlaceKnown) }

  /// Forgets what ``sayHere(isPlaceKnown:)`` owes: the person has been led on.
  mutating func leaveHere() { here = nil }

  /// Words what ``sayHere(isPlaceKnown:)`` owes. Of a drag that the same input ended there is
  /// nothing to say.
  mutating func wordHere() {
    guard let (index, isPlaceKnown) = here else { return }
    here = nil
    guard case .carrying(let carry) = phase,
      let announcement = announcement(ofPlace: carry, isPlaceKnown: isPlaceKnown)
    else { return }
    effects.insert(.announce(announcement), at: index)
  }

  /// Whether the input has led to anything to be said so far.
  private var hasWords: Bool { here != nil || !said.isEmpty }

  /// Adds an effect.
  mutating func emit(_ effect: Effect) { effects.append(effect) }

  @discardableResult
  /// Asks the world something. The answer comes later, or never.
  mutating func request(_ request: WorldRequest, for purpose: Purpose) -> RequestID {
    requestCount += 1
    let id = RequestID(requestCount)
    outstanding[id] = purpose
    effects.append(.request(id, request))
    return id
  }

  /// A request that nothing answers.
  mutating func tell(_ request: WorldRequest) {
    requestCount += 1
    effects.append(.request(RequestID(requestCount), request))
  }

  /// The number of a new delivery.
  mutating func nextDelivery() -> DeliveryID {
    deliveryCount += 1
    return DeliveryID(deliveryCount)
  }

  // MARK: Commands

  /// Runs a command in the phase that one is in.
  mutating func run(_ command: CommandName) {
    if runAnywhere(command) { return }
    // The word of the end is on its way, and answers for this key too.
    if isComingBack, command != .pickUp { return }
    switch phase {
    case .browsing(let adding): runBrowsing(command, adding: adding)
    case .carrying(let carry): runCarrying(command, carry)
    case .confirming(let question, let underneath):
      runConfirming(command, question, over: underneath)
    }
  }

  /// Commands that mean the same in every phase; `false` for the others.
  ///
  /// While a question waits, undo and redo only say it again.
  private mutating func runAnywhere(_ command: CommandName) -> Bool {
    switch command {
    case .undo where isAsking, .redo where isAsking:
      guard case .confirming(let question, _) = phase else { break }
      // An empty line says nothing of what it is for.
      if question.current == .line("") { sayQuestion(question) } else { sayChoice(question) }
    case .undo: undoNewest()
    case .redo: request(.redo(entry: nil), for: .redo)
    case .deliveries: openDeliveries()
    case .goToLanded: goToLanded()
    case .redraw: emit(.repaint)
    case .whereAmI: sayWhere()
    case .repeatLast:
      // With nothing said yet, or of a place that has been left, where one is.
      if told.last.isEmpty || isToldLeft { sayWhere() } else { sayAgain(told.last) }
    case .silence: emit(.silence)
    case .help: sayHelp()
    case .quit: quit()
    case .interrupt:
      // The drag is given up, and what runs is cancelled.
      cancelHeldDrag()
      endComingBack()
      for id in deliveries.keys { tell(.cancelDelivery(id)) }
      emit(.interrupt)
    default: return false
    }
    return true
  }

  /// A command that has no meaning in this phase (a script can give any): the shortest answer.
  ///
  /// Says that its key is unknown.
  mutating func notHere(_ command: CommandName) {
    // On the desktop it is called from any program, and by no key of the walk.
    if settings.picksFocus, command == .pickUp { return sayUnknown(settings.pickUpChord) }
    // The key of the person first, then the usual one.
    let lines = keymap.bindings + Keymap.standard.bindings
    let chord = lines.first { $0.command == command && $0.chords.first != nil }?.chords.first
    sayUnknown(chord?.first ?? KeyStroke(.character("?")))
  }

  /// On the desktop the key for help belongs to the program in front.
  mutating func sayUnknown(_ stroke: KeyStroke) {
    say(.unknownKey(stroke, hasHelp: !settings.picksFocus))
  }

  /// Ends the session, with what is held given up. With a person there it asks first while
  /// something is copied.
  private mutating func quit() {
    if settings.asksPerson, !deliveries.isEmpty {
      askBeforeQuitting()
      return
    }
    cancelHeldDrag()
    ending = .whenDone
    // Deliveries go on to their end after the last word.
    if !awaitsKeyboard { endNow() }
  }

  /// The input is over: ends without a word. Once the keyboard is back it is told so again.
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

  /// Takes what the world reports. An answer counts once, and only if its request still waits.
  private mutating func take(_ report: WorldReport) {
    switch report {
    case .counted(let id, let container, let counts): counted(id, container, counts)
    case .listed(let id, let listing):
      if let purpose = answer(to: id) {
        listed(listing, for: purpose)
      } else if registry[listing.container.id] == nil {
        // Nobody waits for it any more: its watch must not outlive the question.
        tell(.close(listing.container.id))
      }
    case .unreadable(let id, let name, let reason):
      if let purpose = answer(to: id) { unanswered(name, reason, for: purpose) }
    case .prepared(let id, let preparation):
      if let purpose = answer(to: id) { prepared(preparation, for: purpose) }
    case .answering(let id, let answers): answering(answers, id)
    case .answered(let id, let answers):
      if let purpose = answer(to: id) { answered(answers, id, for: purpose) }
    case .delivery(let id, let event): delivery(id, event)
    case .visit(let id, let visit): visited(id, visit)
    case .undone(let id, let result):
      if let purpose = answer(to: id) { undone(result, for: purpose) }
    case .redone(let id, let result):
      if let purpose = answer(to: id) { redone(result, for: purpose) }
    case .undoneLate(let result): undone(result, isLate: true)
    case .redoneLate(let result): redone(result, isLate: true)
    case .history(let id, let result):
      if let purpose = answer(to: id) {
        if purpose == .undoNewest { undoNewest(result) } else { openHistory(result, for: purpose) }
      }
    case .focused(let id, let report):
      if case .focus(let wish)? = answer(to: id) { focused(report, wish: wish) }
    case .windows(let id, let windows):
      if let purpose = answer(to: id) {
        if purpose == .windows {
          windowsFound(windows)
        } else {
          unanswered("", .unknown, for: purpose)
        }
      }
    case .shown(let id, let landing):
      if let purpose = answer(to: id) {
        if purpose == .show { say(.shown(landing)) } else { unanswered("", .unknown, for: purpose) }
      }
    case .cameBack(let id, let place):
      if let purpose = answer(to: id) {
        if case .comeBack(let wish, let end) = purpose {
          cameBack(wish, end, at: place)
        } else {
          unanswered("", .unknown, for: purpose)
        }
      }
    case .completed(let id, let completion):
      if let purpose = answer(to: id) { completed(completion, for: purpose) }
    case .described(let id, let facts):
      if let purpose = answer(to: id) {
        if purpose == .describe {
          say(.facts(facts))
        } else {
          unanswered("", .unknown, for: purpose)
        }
      }
    case .measured(let id, let facts):
      if answer(to: id) != nil { measured(facts) }
    case .renamed(let id, let result):
      if let purpose = answer(to: id) { renamed(result, for: purpose) }
    case .moved(let id, _, let result):
      if let purpose = answer(to: id) { reordered(result, for: purpose) }
    case .changed(let changes):
      rowFacts.isStale = true
      changed(changes)
    case .foreseen: askAgain()
    case .keyboard(let window): keyboardMoved(to: window)
    case .recovered(let recovery): say(.recovered(recovery))
    case .problem(let problem):
      if case .journal(let reason, _) = problem { lostHistory = reason }
      say(.problem(problem))
    case .lesson(let lesson): say(.lesson(lesson))
    }
  }

  /// The purpose of the request that is answered; `nil` for a late answer. A delivery ends by its
  /// own events only.
  private mutating func answer(to id: RequestID) -> Purpose? {
    // Late, or answered before.
    guard let purpose = outstanding[id] else { return nil }
    if case .deliver = purpose { return nil }
    outstanding[id] = nil
    late.remove(id)
    let isAwaited = awaited?.id == id
    if isAwaited {
      // A folder beside the one that is shown is not what a key was about.
      if case .listRoot(let view) = purpose, view != browse.current {
      } else {
        hasAnsweredAwaited = true
      }
    }
    switch purpose {
    case .ask, .prepareCarry, .prepareAdding, .prepareActions, .windows, .openPoint, .comeBack,
      .listRoot:
      emit(.cancelTimer(.asking(id)))
    default: if isAwaited { emit(.cancelTimer(.asking(id))) }
    }
    return purpose
  }

  /// A timer has run out.
  private mutating func fired(_ timer: SessionTimer) {
    switch timer {
    case .asking(let id): askingIsLate(id)
    case .drop: dropIsLate()
    case .delivery(let id): deliveryIsLong(id)
    case .appearing: appearingIsOver()
    }
  }
}
