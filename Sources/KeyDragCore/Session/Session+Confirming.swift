/// Answering a question, or walking a menu: the first choice loses nothing.
///
/// Nothing is dropped before the last question is answered, and a negative answer leaves the drag
/// as it was. A typed line is a question with a ``TypedLine`` as its subject.
extension Session {
  /// Opens a question over the phase to resume, replacing an open one; announces its first choice.
  mutating func open(
    _ subject: Question.Subject, _ confirmation: Confirmation, _ choices: [Choice],
    over underneath: Phase
  ) {
    assert(underneath.name != .confirming)
    let question = Question(subject: subject, confirmation: confirmation, choices: choices)
    phase = .confirming(question, over: underneath)
    say(.confirm(confirmation, choices: choices))
    sayChoice(question)
  }

  /// Announces the current choice with its number; its consequence only once or on request.
  mutating func sayChoice(_ question: Question, isAsked: Bool = false) {
    guard let choice = question.current else { return }
    if choice == .line("") { return say(.empty(container: "")) }
    let isNews = told.explain(phrases.consequence(choice))
    say(
      .choice(
        choice, index: question.index + 1, total: question.choices.count,
        explains: isNews || isAsked))
  }

  /// Repeats the whole question, since part of it may not have been heard.
  mutating func sayQuestion(_ question: Question) {
    say(.confirm(question.confirmation, choices: question.choices))
    // An empty line has nothing to say.
    if question.current != .line("") { sayChoice(question, isAsked: true) }
  }

  mutating func runConfirming(
    _ command: CommandName, _ question: Question, over underneath: Phase
  ) {
    switch command {
    case .nextChoice: step(1, question, underneath)
    case .previousChoice: step(-1, question, underneath)
    case .firstChoice:
      if let line { moveCaret(.start, line) } else { go(toEnd: false, question, underneath) }
    case .lastChoice:
      if let line { moveCaret(.end, line) } else { go(toEnd: true, question, underneath) }
    case .previousCharacter:
      if let line { moveCaret(.back, line) } else { rejectCommand(command) }
    case .nextCharacter:
      if let line { moveCaret(.forth, line) } else { rejectCommand(command) }
    case .take: take(question, underneath)
    case .back, .cancel: leave(question, underneath)
    case .cancelDelivery:
      if let line { delete(forward: true, line) } else { cancelChosenDelivery(question) }
    case .takeBack: takeBackDigit(question, underneath)
    case .complete where isTyping: completeLine()
    default: rejectCommand(command)
    }
  }

  /// Goes to the next or previous choice, or announces the end; reads a typed line. In a question
  /// for a position it changes the number.
  private mutating func step(
    _ by: Int, _ question: Question, _ underneath: Phase
  ) {
    if case .position(let number, let count)? = question.current {
      setPosition(number + by, of: count, question, underneath)
      return
    }
    // There is one line only: it is read, as by a screen reader.
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

  /// Goes to the choice whose displayed or else spoken words match; without one drops a letter.
  mutating func findChoice(
    _ query: TypeAhead.Query, _ question: Question, _ underneath: Phase
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

  /// Goes to the first or the last choice, repeating it if it is the current one; in a question for
  /// a position, to the first or the last number.
  private mutating func go(
    toEnd: Bool, _ question: Question, _ underneath: Phase
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

  /// Leaves a question. After a list over a drag of the desktop the current place is announced,
  /// since the person may no longer know where the next Enter drops.
  mutating func leave(_ question: Question, _ underneath: Phase) {
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

  /// Resumes the phase under a question. A drop without a walk has none and is cancelled.
  mutating func goBack(_ underneath: Phase) {
    phase = underneath
    if case .carrying(let carry) = phase, carry.direct != nil { return cancelHeldDrag() }
    say(.declined(count: phase.carry?.items.count ?? 0))
    catchUp()
  }

  private mutating func take(_ question: Question, _ underneath: Phase) {
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
    // A list over a drag: Enter must not drop.
    case .details: goBack(underneath)
    case .position(let source, let container): take(choice, source, container, underneath)
    // Undoes only the entry that was asked about; Enter on the first choice keeps it.
    case .olderUndo(let entry):
      guard choice == .undo else { return goBack(underneath) }
      phase = underneath
      request(.undo(entry: entry), for: .undo)
    case .quitting: takeEnd(choice, underneath)
    }
  }

  /// Takes an answer about a drop, and goes on to the next question or the drop.
  private mutating func take(_ choice: Choice, _ pending: PendingDrop, _ carry: DragState) {
    var pending = pending
    switch choice {
    // While merging, the same choices apply to the contents of the folders.
    case .keepBoth: pending.clash = pending.isMerging ? .merge : .keepBoth
    case .replace: pending.clash = pending.isMerging ? .mergeReplacing : .replace
    case .skip: pending.clash = pending.isMerging ? .mergeSkipping : .skip
    case .merge:
      pending.isMerging = true
      let merger = pending.proposal.merger
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

  /// Opens the actions menu, whose choices depend on the items: they are prepared first.
  mutating func openActions() {
    let chosen = pickUpSources()
    guard !chosen.isEmpty else {
      say(.nothingToPickUp(.nothingThere, name: nil))
      return
    }
    let id = request(.prepare(chosen.map(\.id)), for: .prepareActions)
    emit(.startTimer(.asking(id), milliseconds: Session.askingDelay))
  }

  /// Opens the menu with what all prepared items allow, unless the person has moved on.
  mutating func preparedActions(_ preparation: PreparedItems) {
    guard case .browsing(adding: nil) = phase else { return }
    guard !preparation.items.isEmpty else {
      let first = preparation.refused.first
      say(.nothingToPickUp(first?.reason ?? .notDraggable, name: first?.name))
      return
    }
    let items = preparation.items
    let allowed = items.reduce(into: DragOperations.all) { $0.formIntersection($1.allowed) }
    var choices = [Choice.leave]
    choices += [DragOperation.copy, .move, .link].filter { allowed.contains($0) }
      .map(Choice.transferTo)
    // Renaming and reordering are for a single item.
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

  private mutating func take(
    _ choice: Choice, _ sources: [DragSourceID], _ names: [String],
    _ tasks: [DropPointDescriptor]
  ) {
    phase = .browsing(adding: nil)
    switch choice {
    case .transferTo(let operation):
      // The walk is the usual one, but the operation is set.
      prepare(sources, names: names, wish: operation)
      guard var carry = phase.carry else { return }
      carry.isDropKeyBlocked = true
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

  /// Drops on a task without a walk; does nothing if the task is no longer offered.
  private mutating func dropOn(
    _ task: DropPointDescriptor?, _ sources: [DragSourceID], _ names: [String]
  ) {
    guard let task else {
      say(.declined(count: 0))
      return
    }
    let direct = DragState.Direct(stop: DropStop(task.id), clash: nil, isScripted: false)
    prepare(sources, names: names, wish: nil, direct: direct)
  }

  // MARK: The list of deliveries

  /// Opens the list of running deliveries, with a line to go to a program that asks.
  mutating func openDeliveries() {
    var choices = deliveries.map { Self.line(of: $0, $1) }
    let running = choices.count
    // A program that asks is waiting for the person.
    if askingDelivery != nil { choices.insert(.goToQuestion, at: 0) }
    // The first line of an immediate command loses nothing. All of them are always there: a person
    // who knows the list counts its lines.
    if offersHistory { choices += [.goToLanded, .undo, .redo, .history, .quit] }
    if choices.isEmpty, settings.picksFocus {
      switch phase {
      // While adding, Enter belongs to the program in front.
      case .browsing: break
      // An Enter that was meant for the list must not drop.
      case .carrying: choices = [.keepHolding]
      case .confirming(let question, _):
        // An empty list replaces no question.
        say(.confirm(.deliveries(count: 0), choices: []))
        sayChoice(question)
        return
      }
    }
    guard !choices.isEmpty else {
      say(.confirm(.deliveries(count: 0), choices: []))
      return
    }
    // An open question is replaced by the list; the phase under it stays.
    open(.deliveries, .deliveries(count: running), choices, over: underneath)
  }

  private static func line(of id: DeliveryID, _ running: RunningDelivery) -> Choice {
    .delivery(
      id, running.operation, names: running.names, count: running.count, percent: running.percent)
  }

  /// Updates the line of a delivery in an open list, or removes it at its end; focus stays put.
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
    // A list without lines would have no keys, and the phase under it must not get its Enter.
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

  /// Whether the list has undo, redo, history and quit, which have no keys on an idle desktop.
  private var offersHistory: Bool {
    guard !settings.hasHome else { return false }
    return switch phase {
    case .browsing(adding: nil), .confirming(_, over: .browsing(adding: nil)): true
    case .browsing, .carrying, .confirming: false
    }
  }

  /// Enter on a line of the list; a running delivery is only repeated, as another key cancels it.
  private mutating func takeLine(_ question: Question, _ underneath: Phase) {
    if let current = question.current, [.keepHolding, .leave].contains(current) {
      leave(question, underneath)
      return
    }
    // During a drag the other lines have no effect.
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
      // The list stays until the answer arrives, so that a key pressed meanwhile goes to no
      // program.
      request(.history(limit: Session.mostHistory), for: .history)
      return
    default:
      sayChoice(question)
      return
    }
    // These run as if their key had been pressed under the list.
    phase = .browsing(adding: adding)
    if !waits(.command(command), by: nil) { run(command) }
  }

  /// The newest delivery whose program asks, running or with an unknown outcome.
  private var askingDelivery: DeliveryID? {
    let asking = [deliveries, unconfirmed].flatMap { $0.filter(\.value.isAsked).keys }
    return asking.max { $0.rawValue < $1.rawValue }
  }

  // MARK: What was done

  /// The number of lines, as in `keydrag history`.
  private static var mostHistory: Int { 20 }

  /// Opens the past deliveries, newest first, unless the list of deliveries was closed.
  mutating func openHistory(_ result: Result<[HistoryLine], Reason>) {
    switch result {
    case .failure(let reason): unanswered("", reason, for: .history)
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

  private mutating func takeEntry(_ question: Question, _ underneath: Phase) {
    guard case .browsing(let adding) = underneath, case .entry(let line)? = question.current else {
      goBack(underneath)
      return
    }
    phase = .browsing(adding: adding)
    request(.undo(entry: line.entry.number), for: .undo)
  }

  /// Cancels the focused delivery, whose end is announced later.
  private mutating func cancelChosenDelivery(_ question: Question) {
    guard case .delivery(let id, _, _, _, _)? = question.current else {
      rejectCommand(.cancelDelivery)
      return
    }
    // It has ended while the list was open.
    guard deliveries[id] != nil else {
      say(.confirm(.deliveries(count: deliveries.count), choices: []))
      return
    }
    // The next line has replaced the one that was cancelled.
    guard lastCommand != .cancelDelivery else {
      sayChoice(question)
      return
    }
    tell(.cancelDelivery(id))
  }
}
