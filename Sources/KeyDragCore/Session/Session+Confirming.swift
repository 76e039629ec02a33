/// Answering a question, or walking a menu: the first choice loses nothing.
///
/// Nothing is dropped before the last question is answered, and an answer that says no leaves the
/// drag as it was. A line that is typed is a question too, with ``TypedLine`` as its subject.
extension Session {
  /// Asks a question in place of the one that may be open, and says its first choice.
  ///
  /// - Parameter underneath: what goes on when the question is left.
  mutating func open(
    _ subject: Question.Subject, _ confirmation: Confirmation, _ choices: [Choice],
    over underneath: Phase.Underneath
  ) {
    let question = Question(subject: subject, confirmation: confirmation, choices: choices)
    phase = .confirming(question, over: underneath)
    say(.confirm(confirmation, choices: choices))
    sayChoice(question)
  }

  /// Says the current choice with its number; nothing where there is none. Its consequence is said the
  /// first time, and where it is asked for.
  mutating func sayChoice(_ question: Question, isAsked: Bool = false) {
    guard let choice = question.current else { return }
    // A line that is empty.
    if choice == .line("") { return say(.empty(container: "")) }
    let isNews = told.explain(phrases.consequence(choice))
    say(
      .choice(
        choice, index: question.index + 1, total: question.choices.count,
        explains: isNews || isAsked))
  }

  /// Says all of the question again, since part of it may not have been heard.
  mutating func sayQuestion(_ question: Question) {
    say(.confirm(question.confirmation, choices: question.choices))
    // A line that is empty has nothing to say.
    if question.current != .line("") { sayChoice(question, isAsked: true) }
  }

  /// Runs a command while a question is open.
  mutating func runConfirming(
    _ command: CommandName, _ question: Question, over underneath: Phase.Underneath
  ) {
    switch command {
    case .nextChoice: step(1, question, underneath)
    case .previousChoice: step(-1, question, underneath)
    case .firstChoice:
      if let line { moveCaret(.start, line) } else { go(toEnd: false, question, underneath) }
    case .lastChoice:
      if let line { moveCaret(.end, line) } else { go(toEnd: true, question, underneath) }
    case .previousCharacter:
      if let line { moveCaret(.back, line) } else { notHere(command) }
    case .nextCharacter:
      if let line { moveCaret(.forth, line) } else { notHere(command) }
    case .take: take(question, underneath)
    case .back, .cancel: leave(question, underneath)
    case .cancelDelivery:
      if let line { delete(forward: true, line) } else { cancelChosenDelivery(question) }
    case .takeBack: takeBackDigit(question, underneath)
    case .complete where isTyping: completeLine()
    case .filter, .goTo, .newFolder, .rename, .paste, .complete, .nextItem, .previousItem,
      .firstItem,
      .lastItem, .nextPage,
      .previousPage, .openItem,
      .leaveContainer, .toggleSelection, .extendSelectionDown, .extendSelectionUp, .selectAll,
      .pickUp, .copyTo, .moveTo, .linkTo, .actions, .toggleHidden, .toggleEdit, .reorderUp,
      .reorderDown, .reorderTop, .reorderBottom, .moveToPosition, .nextContainer,
      .previousContainer, .nextDropPoint, .previousDropPoint, .nextPosition, .previousPosition,
      .firstPosition,
      .lastPosition, .openDropPoint, .leaveDropPoint, .toggleRefusing, .details, .wishCopy,
      .wishMove, .wishLink, .addToDrag, .removeLast, .drop, .sayHeld:
      notHere(command)
    case .undo, .redo, .deliveries, .goToLanded, .redraw, .whereAmI, .repeatLast, .silence, .help,
      .quit, .interrupt:
      break  // Answered in every phase alike, before this.
    }
  }

  /// Goes one choice on or back, or says which end it is; reads a line that is typed. In a question
  /// for a position the number changes instead.
  private mutating func step(
    _ by: Int, _ question: Question, _ underneath: Phase.Underneath
  ) {
    if case .position(let number, let count)? = question.current {
      setPosition(number + by, of: count, question, underneath)
      return
    }
    // There is one line only: it is read, as a screen reader reads it.
    if case .line? = question.current { return sayChoice(question) }
    var question = question
    guard question.choices.indices.contains(question.index + by) else {
      say(.edge(by > 0 ? .last : .first))
      return
    }
    question.index += by
    phase = .confirming(question, over: underneath)
    sayChoice(question)
  }

  /// To the choice whose words, as they are shown or as they are spoken, begin so.
  ///
  /// Tried as shown first; where nothing begins so, what was typed last is forgotten.
  mutating func findChoice(
    _ query: TypeAhead.Query, _ question: Question, _ underneath: Phase.Underneath
  ) {
    var question = question
    let found = [phrases.unmarked, phrases.spoken].lazy.compactMap { phrases in
      NameIndex(question.choices.map(phrases.choiceName))
        .match(query.text, current: question.index, movesOn: query.movesOn)
    }.first
    guard let found else {
      noMatch(query.text)
      return
    }
    if query.isLetter, found == question.index { return }
    question.index = found
    phase = .confirming(question, over: underneath)
    sayChoice(question)
  }

  /// To the first choice or to the last one, which is said again where it is the current one.
  ///
  /// In a question for a position: to the first or the last number.
  private mutating func go(
    toEnd: Bool, _ question: Question, _ underneath: Phase.Underneath
  ) {
    if case .position(_, let count)? = question.current {
      setPosition(toEnd ? count : 1, of: count, question, underneath)
      return
    }
    var question = question
    question.index = toEnd ? max(question.choices.count - 1, 0) : 0
    phase = .confirming(question, over: underneath)
    sayChoice(question)
  }

  /// Goes back from a question; from a list over a drag of the desktop, to the place one is at. Who
  /// has heard a list does not know any more what the next Enter drops on.
  mutating func leave(_ question: Question, _ underneath: Phase.Underneath) {
    if case .line(let line) = question.subject { return leave(line, over: underneath) }
    goBack(underneath)
    guard case .carrying(let carry) = phase else { return }
    switch question.subject {
    case .help: arrive(carry)
    case .deliveries where settings.picksFocus: arrive(carry)
    case .drop, .actions, .deliveries, .history, .details, .position, .line, .olderUndo,
      .quitting:
      break
    }
  }

  /// Goes on with what was below a question. One drop without a walk has nothing to go on with: it
  /// ends, with what is held.
  mutating func goBack(_ underneath: Phase.Underneath) {
    switch underneath {
    case .carrying(let carry) where carry.direct != nil:
      phase = .carrying(carry)
      cancelHeldDrag()
    case .carrying(let carry):
      phase = .carrying(carry)
      say(.declined(count: carry.items.count))
      catchUp()
    case .browsing(let carry):
      phase = .browsing(adding: carry)
      say(.declined(count: carry?.items.count ?? 0))
    }
  }

  /// Enter on the current choice: what it does depends on what was asked.
  private mutating func take(_ question: Question, _ underneath: Phase.Underneath) {
    guard let choice = question.current else {
      goBack(underneath)
      return
    }
    switch question.subject {
    case .line(let line): take(line, over: underneath)
    case .drop(let pending):
      guard case .carrying(let carry) = underneath else {
        goBack(underneath)
        return
      }
      take(choice, pending, carry)
    case .actions(let sources, let tasks):
      var names: [String] = []
      if case .actions(let given, _) = question.confirmation { names = given }
      take(choice, sources, names, tasks)
    case .deliveries: takeLine(question, underneath)
    case .help: leave(question, underneath)
    case .history: takeEntry(question, underneath)
    // A list to read, over a drag: Enter must not drop.
    case .details: goBack(underneath)
    case .position(let source, let container): take(choice, source, container, underneath)
    // Only what was asked for is undone; Enter on the first choice keeps it.
    case .olderUndo(let entry):
      guard choice == .undo else { return goBack(underneath) }
      resume(underneath)
      request(.undo(entry: entry), for: .undo)
    case .quitting: takeEnd(choice, underneath)
    }
  }

  /// Takes an answer to what a drop has to ask, and goes on to the next question or the drop.
  private mutating func take(_ choice: Choice, _ pending: PendingDrop, _ carry: Carry) {
    var pending = pending
    switch choice {
    // Inside of folders that become one, the same words mean what is in them.
    case .keepBoth: pending.clash = pending.isMerging ? .merge : .keepBoth
    case .replace: pending.clash = pending.isMerging ? .mergeReplacing : .replace
    case .skip: pending.clash = pending.isMerging ? .mergeSkipping : .skip
    case .merge:
      pending.isMerging = true
      let merger = pending.proposal.merger
      // Nothing is left to ask about.
      if merger?.isWhole == true, merger?.names.isEmpty == true { pending.clash = .merge }
    case .newName:
      let name = pending.accepted.first.map { carry.items[$0].name } ?? ""
      askForName(carry, at: pending.stop, offering: name)
      return
    case .dropAccepted: pending.isPartialAgreed = true
    case .proceed:
      pending.isIrreversibleAgreed = true
      if pending.proposal.irreversible == nil { lostHistory = nil }
    case .keepHolding, .leave, .transferTo, .reorder, .moveToPosition, .position, .openWith, .print,
      .trash, .clipboard, .held, .line, .rename, .delivery, .goToQuestion, .goToLanded, .undo,
      .redo, .history, .entry, .help, .endAfter, .endAndTakeBack, .quit:
      goBack(.carrying(carry))
      return
    }
    phase = .carrying(carry)
    proceed(pending, carry)
  }

  // MARK: Actions

  /// Opens the menu of actions for what would be picked up. What it offers depends on the items, so
  /// they are prepared first.
  mutating func openActions() {
    let chosen = pickUpSources()
    guard !chosen.isEmpty else {
      say(.nothingToPickUp(.nothingThere, name: nil))
      return
    }
    let id = request(.prepare(chosen.map(\.id)), for: .prepareActions)
    emit(.startTimer(.asking(id), milliseconds: Session.askingDelay))
  }

  /// The items are prepared: the menu has what all of them allow. Says nothing where the person has
  /// begun something else.
  mutating func preparedActions(_ preparation: Preparation) {
    guard case .browsing(adding: nil) = phase else { return }
    guard !preparation.items.isEmpty else {
      let first = preparation.refused.first
      say(.nothingToPickUp(first?.reason ?? .notDraggable, name: first?.name))
      return
    }
    let items = preparation.items
    // Operations that one item does not allow are not offered for all of them.
    let allowed = items.reduce(into: DragOperations.all) { $0.formIntersection($1.allowed) }
    var choices = [Choice.leave]
    choices += [DragOperation.copy, .move, .link].filter { allowed.contains($0) }
      .map(Choice.transferTo)
    // Renaming and moving in a list are for one item.
    if settings.isInFolders, items.count == 1, items.first?.source == focused?.id {
      choices.append(.rename)
    }
    if let first = items.first, items.count == 1,
      registry[first.container]?.container.isOrdered == true
    {
      choices += Reordering.allCases.map(Choice.reorder) + [.moveToPosition]
    }
    choices += preparation.taskPoints.compactMap { point in
      switch point.task {
      case .trash: .trash
      case .print: .print
      case .openWith: .openWith(program: point.name)
      case .clipboard: .clipboard
      case .newFolder, nil: nil
      }
    }
    open(
      .actions(sources: items.map(\.source), tasks: preparation.taskPoints),
      .actions(names: items.prefix(20).map(\.name), count: items.count), choices,
      over: .browsing(adding: nil))
  }

  /// Does what was chosen in the menu of actions.
  private mutating func take(
    _ choice: Choice, _ sources: [DragSourceID], _ names: [String],
    _ tasks: [DropPointDescriptor]
  ) {
    phase = .browsing(adding: nil)
    switch choice {
    case .transferTo(let operation):
      // Places are walked as ever, but the operation is given.
      prepare(sources, names: names, wish: operation)
      guard var carry = phase.carry else { return }
      carry.needsOtherKey = true
      phase.replaceCarry(carry)
    case .reorder(let direction): reorder(direction)
    case .moveToPosition: askForPosition(adding: nil)
    case .rename: openRename(adding: nil)
    case .trash: dropOn(tasks.first { $0.task == .trash }, sources, names)
    case .print: dropOn(tasks.first { $0.task == .print }, sources, names)
    case .openWith: dropOn(tasks.first { $0.task == .openWith }, sources, names)
    case .clipboard: dropOn(tasks.first { $0.task == .clipboard }, sources, names)
    case .leave, .keepBoth, .merge, .newName, .replace, .skip, .keepHolding, .dropAccepted,
      .proceed,
      .position, .held, .line,
      .delivery, .goToQuestion, .goToLanded, .undo, .redo, .history, .entry,
      .help, .endAfter, .endAndTakeBack, .quit:
      say(.declined(count: 0))
    }
  }

  /// Drops on a task at once, without a walk. The task may be gone from the list: then nothing is
  /// done.
  private mutating func dropOn(
    _ task: DropPointDescriptor?, _ sources: [DragSourceID], _ names: [String]
  ) {
    guard let task else {
      say(.declined(count: 0))
      return
    }
    let direct = Carry.Direct(stop: DropStop(task.id), clash: nil, isScripted: false)
    prepare(sources, names: names, wish: nil, direct: direct)
  }

  // MARK: The list of deliveries

  /// Opens the list of what runs, with a line to go to a program that asks.
  mutating func openDeliveries() {
    var choices = deliveries.map { Self.line(of: $0, $1) }
    let running = choices.count
    // Nothing goes on before the person has answered.
    if askingDelivery != nil { choices.insert(.goToQuestion, at: 0) }
    // The first line of what is done at once loses nothing.
    // All of them always: who knows the list counts its lines.
    if offersHistory { choices += [.goToLanded, .undo, .redo, .history, .quit] }
    if choices.isEmpty, settings.picksFocus {
      switch phase {
      // While adding, Enter belongs to the program in front.
      case .browsing: break
      // An Enter that was meant for the list must not drop.
      case .carrying: choices = [.keepHolding]
      case .confirming(let question, _):
        // A list of nothing takes no question away.
        say(.confirm(.deliveries(count: 0), choices: []))
        sayChoice(question)
        return
      }
    }
    guard !choices.isEmpty else {
      say(.confirm(.deliveries(count: 0), choices: []))
      return
    }
    // A question that is open makes way for the list; what was below it stays.
    let underneath: Phase.Underneath =
      switch phase {
      case .browsing(let carry): .browsing(adding: carry)
      case .carrying(let carry): .carrying(carry)
      case .confirming(_, let underneath): underneath
      }
    open(.deliveries, .deliveries(count: running), choices, over: underneath)
  }

  /// The line of one delivery as it is now.
  private static func line(of id: DeliveryID, _ running: RunningDelivery) -> Choice {
    .delivery(
      id, running.operation, names: running.names, count: running.count, percent: running.percent)
  }

  /// A list that is open tells how far a delivery is by now, and has no line of one that has ended.
  ///
  /// Does nothing while no list is open. Focus stays on the line it was on, as far as that is
  /// there.
  mutating func follow(_ id: DeliveryID) {
    guard case .confirming(var question, let underneath) = phase,
      case .deliveries = question.subject
    else { return }
    let line = question.choices.firstIndex {
      if case .delivery(let other, _, _, _, _) = $0 { other == id } else { false }
    }
    guard let line else { return }
    if let running = deliveries[id] {
      question.choices[line] = Self.line(of: id, running)
      phase = .confirming(question, over: underneath)
      return
    }
    question.choices.remove(at: line)
    // A list without a line would have no keys; what is below it must not get its Enter.
    let isEmpty = question.choices.isEmpty
    if isEmpty { question.choices = [.leave] }
    let left = question.choices.count { if case .delivery = $0 { true } else { false } }
    question.confirmation = .deliveries(count: left)
    let isCurrent = line == question.index
    if line < question.index { question.index -= 1 }
    question.index = min(question.index, question.choices.count - 1)
    phase = .confirming(question, over: underneath)
    if isEmpty {
      say(.confirm(question.confirmation, choices: []))
    } else if isCurrent {
      sayChoice(question)
    }
  }

  /// On the desktop there are no keys for undo, redo and quit between sessions, and the history is
  /// a command for a terminal: they are lines of this list.
  private var offersHistory: Bool {
    guard !settings.hasHome else { return false }
    return switch phase {
    case .browsing(adding: nil), .confirming(_, over: .browsing(adding: nil)): true
    case .browsing, .carrying, .confirming: false
    }
  }

  /// Enter on a line of the list. A line of a delivery that runs is only said again: it is
  /// cancelled by a key of its own.
  private mutating func takeLine(_ question: Question, _ underneath: Phase.Underneath) {
    if let current = question.current, [.keepHolding, .leave].contains(current) {
      leave(question, underneath)
      return
    }
    // Over a drag no line does anything else.
    guard case .browsing(let adding) = underneath, let choice = question.current else {
      sayChoice(question)
      return
    }
    let command: CommandName
    switch choice {
    case .goToQuestion:
      phase = .browsing(adding: adding)
      if let askingDelivery { request(.show(askingDelivery), for: .show) } else { goToLanded() }
      return
    case .goToLanded: command = .goToLanded
    case .undo: command = .undo
    case .redo: command = .redo
    case .quit: command = .quit
    case .history:
      // The list stays until the answer is there: a key pressed meanwhile belongs to no program.
      request(.history(limit: Session.mostHistory), for: .history)
      return
    default:
      sayChoice(question)
      return
    }
    // These run as if their key had been pressed below the list.
    phase = .browsing(adding: adding)
    run(command)
  }

  /// The newest delivery whose program asks in a window of its own.
  ///
  /// Among those that run and those whose end is not known; the highest number is the newest.
  private var askingDelivery: DeliveryID? {
    let asking = [deliveries, unconfirmed].flatMap { $0.filter(\.value.isAsked).keys }
    return asking.max { $0.rawValue < $1.rawValue }
  }

  // MARK: What was done

  /// As many lines as `keydrag history` has.
  private static var mostHistory: Int { 20 }

  /// Shows what was done, newest first, over the list of deliveries. Where the person has left that
  /// list meanwhile, nothing is shown.
  mutating func openHistory(_ result: Result<[HistoryLine], Reason>, for purpose: Purpose) {
    guard purpose == .history else {
      unanswered("", .unknown, for: purpose)
      return
    }
    switch result {
    case .failure(let reason): unanswered("", reason, for: purpose)
    case .success(let lines):
      guard case .confirming(let question, let underneath) = phase,
        case .deliveries = question.subject
      else { return }
      let shown = lines.prefix(Session.mostHistory).map(Choice.entry)
      guard !shown.isEmpty else {
        say(.confirm(.history(count: 0), choices: []))
        return
      }
      open(.history, .history(count: shown.count), shown, over: underneath)
    }
  }

  /// Undoes the entry in focus.
  private mutating func takeEntry(_ question: Question, _ underneath: Phase.Underneath) {
    guard case .browsing(let adding) = underneath, case .entry(let line)? = question.current else {
      goBack(underneath)
      return
    }
    phase = .browsing(adding: adding)
    request(.undo(entry: line.entry.number), for: .undo)
  }

  /// Cancels the delivery in focus. It says nothing itself: the end of the delivery is told.
  private mutating func cancelChosenDelivery(_ question: Question) {
    guard case .delivery(let id, _, _, _, _)? = question.current else {
      notHere(.cancelDelivery)
      return
    }
    // It has ended while the list was open.
    guard deliveries[id] != nil else {
      say(.confirm(.deliveries(count: deliveries.count), choices: []))
      return
    }
    // The next line has come in the place of the one that was cancelled.
    guard lastCommand != .cancelDelivery else {
      sayChoice(question)
      return
    }
    tell(.cancelDelivery(id))
  }
}
