import OrderedCollections

/// Deliveries run beside later sessions; their events are announced here.
///
/// A delivery is in ``deliveries`` until it ends; one with an unknown outcome is then kept in
/// ``unconfirmed`` for late events.
extension Session {
  /// A longer delivery is announced, in milliseconds.
  static var deliveryDelay: Int { 1500 }

  /// The limit of ``unconfirmed``; the oldest is forgotten.
  private static var mostUnconfirmed: Int { 16 }

  /// A delivery that may still be announced: a running one, or one with an unknown outcome.
  package func delivery(_ id: DeliveryID) -> RunningDelivery? { deliveries[id] ?? unconfirmed[id] }

  /// Another program drops here; announced like any delivery, with the program's name.
  mutating func visited(_ id: DeliveryID, _ visit: Visit) {
    let items = visit.order.items
    var running = RunningDelivery(
      operation: visit.order.operation, names: items.prefix(20).map(\.name),
      items: items.map(\.source), count: items.count,
      place: name(of: visit.place, at: visit.order.stop))
    running.things = ItemNoun(items)
    running.visitor = visit.program
    // The outcome names a file that lands; an app may turn it into anything.
    running.target = visit.place.flatMap {
      $0.container.owner == .files ? $0.leadsTo ?? $0.container : nil
    }
    deliveries[id] = running
    emit(.startTimer(.delivery(id), milliseconds: Session.deliveryDelay))
  }

  /// Announces something of a delivery, with the program that made it or that is the only evidence.
  private mutating func say(
    _ announcement: Announcement, of running: RunningDelivery, _ result: DeliveryResult? = nil
  ) {
    if let visitor = running.visitor {
      say(.ofProgram(.visitor(visitor), announcement))
    } else if let app = running.app, result?.isUnverified == true {
      say(.ofProgram(.witness(app), announcement))
    } else {
      say(announcement)
    }
  }

  mutating func delivery(_ id: DeliveryID, _ event: DeliveryEvent) {
    guard let running = deliveries[id] else {
      late(id, event)
      return
    }
    switch event {
    case .started(let progress):
      deliveries[id]?.progress = progress
      // A task has an announcement of its own.
      if let task = running.task, task.isTold {
        say(.task(task, program: running.program, .started))
        deliveries[id]?.isAnnounced = true
      }
      let isLong = (progress.bytesTotal ?? 0) >= settings.longDelivery || running.count >= 1000
      if isLong { deliveryIsLong(id) }
    case .progressed(let progress):
      deliveries[id]?.progress = progress
      follow(id)
      sayProgress(id)
      emit(.repaint)
    case .asks(let question):
      // A delivery that waits for the person is not announced as in progress.
      deliveries[id]?.isAnnounced = true
      if case .dialog = question { deliveries[id]?.isAsked = true }
      deliveries[id]?.message = question.message
      say(question, of: running)
    // It could no longer be cancelled.
    case .goesOn: say(.tooLate(names: running.names, count: running.count))
    case .finished(let result): finished(id, running, result)
    }
  }

  /// Announces that a program asks, or that the outcome is unknown; with a `result` at the end.
  private mutating func say(
    _ question: ProgramQuestion?, of running: RunningDelivery, with result: DeliveryResult? = nil
  ) {
    say(
      .unconfirmed(
        names: running.names, count: running.count, place: result?.window ?? running.place,
        question: question,
        isTaken: result?.effect == .taken,
        gone: result?.failures.filter { $0.reason == .gone }.map(\.name) ?? [], app: running.app))
  }

  /// Announces a long delivery once, with its size if known.
  mutating func deliveryIsLong(_ id: DeliveryID) {
    // It may have ended before the timer.
    guard let running = deliveries[id], !running.isAnnounced else { return }
    deliveries[id]?.isAnnounced = true
    // Amounts already delivered are not announced.
    deliveries[id]?.nextAmount = Session.amount(after: running.progress.bytesDone)
    if running.task == .trash { say(.task(.trash, program: nil, .started)) }
    say(
      .delivering(
        running.operation, names: running.names, count: running.count,
        bytes: running.progress.bytesTotal), of: running)
  }

  /// The first amount announced, in bytes; less says nothing about the total.
  private static var leastAmount: Int64 { 65_536 }

  /// Twice as much, so that announcements become rarer at any speed.
  private static func amount(after bytes: Int64) -> Int64? {
    let (doubled, isTooMuch) = bytes.multipliedReportingOverflow(by: 2)
    // Nothing more is announced after an overflow.
    return isTooMuch ? nil : max(doubled, leastAmount)
  }

  /// Announces how much of an unknown total has arrived, at first and whenever it has doubled.
  private mutating func sayAmount(_ id: DeliveryID, _ running: RunningDelivery) {
    let progress = running.progress
    guard let next = running.nextAmount, progress.bytesDone >= next else { return }
    deliveries[id]?.nextAmount = Session.amount(after: progress.bytesDone)
    say(
      .progress(
        percent: nil, count: progress.itemsDone, of: running.count, bytes: progress.bytesDone,
        names: running.names), of: running)
  }

  /// Announces a quarter, half and three quarters of a delivery that has been announced itself.
  /// Quarters passed at once are announced as one.
  private mutating func sayProgress(_ id: DeliveryID) {
    guard let running = deliveries[id], running.isAnnounced else { return }
    // The end has an announcement of its own.
    guard running.progress.itemsDone < running.count else { return }
    guard let percent = running.percent else {
      sayAmount(id, running)
      return
    }
    let quarter = min(percent / 25, 3)
    guard quarter > running.quarter else { return }
    deliveries[id]?.quarter = quarter
    say(
      .progress(
        percent: quarter * 25, count: running.progress.itemsDone, of: running.count,
        bytes: running.progress.bytesDone, names: running.names), of: running)
  }

  private mutating func finished(
    _ id: DeliveryID, _ running: RunningDelivery, _ result: DeliveryResult
  ) {
    rowFacts.expire()
    let result = running.completed(result)
    deliveries[id] = nil
    if let target = running.target { keepFocus(in: target) }
    // No answer to the request will come: this was it.
    for (request, purpose) in outstanding where purpose == .deliver(id) {
      outstanding[request] = nil
      late.remove(request)
      hasDoneNothing =
        result.outcome != .unconfirmed && result.delivered == 0 && (result.pieces ?? 0) == 0
      guard awaited?.id == request else { continue }
      hasAnsweredAwaited = true
      // An undo behind it would take back something older.
      if hasDoneNothing { waiting = [] }
    }
    emit(.cancelTimer(.delivery(id)))
    if result.outcome == .unconfirmed {
      var running = running
      let question = result.question
      running.isAsked = if case .dialog = question { question?.message == nil } else { false }
      unconfirmed[id] = running
      if unconfirmed.count > Session.mostUnconfirmed { unconfirmed.removeFirst() }
    }
    ended(id, running, result)
  }

  /// Handles a late event of an unconfirmed delivery: its end, or a question of its program.
  private mutating func late(_ id: DeliveryID, _ event: DeliveryEvent) {
    guard var running = unconfirmed[id] else { return }
    switch event {
    case .asks(let question):
      unconfirmed[id]?.isAsked = question.message == nil
      say(question, of: running)
    case .finished(let result) where result.outcome != .unconfirmed:
      unconfirmed[id] = nil
      // Focus has moved on since and is not announced with the end.
      running.next = nil
      running.isAnnounced = true
      ended(id, running, result)
    case .finished(let result) where result.question == .answered || running.isAsked:
      unconfirmed[id]?.isAsked = false
      say(result.question, of: running, with: result)
    case .started, .progressed, .goesOn, .finished: break
    }
  }

  /// Handles the end of a delivery: landings, vanished items, the outcome and the focus.
  private mutating func ended(
    _ id: DeliveryID, _ ordered: RunningDelivery, _ result: DeliveryResult
  ) {
    var running = ordered
    // The program's actual operation counts, not the requested one.
    running.operation = result.effect.operation ?? ordered.operation
    // A drop of another program does not affect the result of this run.
    if running.visitor == nil {
      if result.outcome != .delivered || result.elsewhere != nil { hasFailure = true }
      if !result.landings.isEmpty { landed.note(result.landings, of: result.entry) }
      if [.delivered, .partly].contains(result.outcome) {
        landed.window = result.route.isIntoWindow ? id : nil
      }
    }
    if running.operation == .move || running.operation == .remove {
      news.taken = Set(running.items)
      news.takenNames = Set(running.names)
      news.leaving = result.outcome == .delivered ? news.taken : []
    }
    // Items that were only opened still exist and stay marked.
    if running.operation != .open { unmark(running, result) }
    sayOutcome(running, result)
    returnFocus(running, result)
    giveKeyboardBack(running, result)
    takeBack(result)
    if !result.lostAttributes.isEmpty {
      say(.problem(.lostAttributes(names: result.lostAttributes)))
    }
    follow(id)
  }

  /// After a drop that failed, or of which nothing is known, focus returns to the dropped item, unless the
  /// person has moved on, so that the next pick-up takes nothing else.
  private mutating func returnFocus(_ running: RunningDelivery, _ result: DeliveryResult) {
    // Items that the person chose to skip are no failure.
    guard [.failed, .refused, .cancelled, .unconfirmed].contains(result.outcome),
      !isAsChosen(running, result), phase.carry == nil,
      // Anywhere else the person moved the focus.
      let next = running.next, focused?.id == next
    else { return }
    let dropped = Set(running.items)
    guard let first = sources.firstIndex(where: { dropped.contains($0.id) }) else { return }
    focus(first)
    // A person who has pressed other keys may have heard the previous focus.
    if case .browsing = phase, lastCommand != .drop, lastCommand != .take { sayItem() }
  }

  /// Returns the keyboard to where the drag began, unless the person has moved on or a program
  /// asks, whose question states whether it has the keyboard.
  private mutating func giveKeyboardBack(_ running: RunningDelivery, _ result: DeliveryResult) {
    guard var wish = running.keyboard, phase.carry == nil else { return }
    switch result.question {
    case .dialog, .menu: return
    case .window, .tells, .answered, .unchanged, nil: break
    }
    // A person who has waited for it may be typing elsewhere by now.
    if running.isAnnounced { wish.leaves = .none }
    request(.restoreKeyboard(wish), for: .restoreKeyboard(wish))
  }

  /// Whether only clashing items were skipped, as the person chose, so that nothing has gone wrong.
  private func isAsChosen(_ running: RunningDelivery, _ result: DeliveryResult) -> Bool {
    running.skipsClashes && !result.failures.isEmpty
      && result.failures.allSatisfy { $0.reason == .nameExists }
  }

  /// Unmarks delivered items; failures are matched by name and keep their marks.
  private mutating func unmark(_ running: RunningDelivery, _ result: DeliveryResult) {
    let stayed = Set(result.failures.map(\.name))
    for item in running.items {
      if let name = browse.marks[item]?.name, result.delivered > 0, !stayed.contains(name) {
        browse.marks[item] = nil
      }
    }
  }

  /// The key for undo, the first time in a run that one of the person's own deliveries ends.
  private mutating func undoInstruction(_ running: RunningDelivery) -> KeyStroke? {
    guard settings.asksPerson, !settings.isTaught, lostHistory == nil, running.app == nil,
      running.visitor == nil,
      running.operation != .open, running.task == nil || running.task == .trash,
      let key = settings.picksFocus
        ? settings.deliveriesChord : keymap.chords(for: .undo, in: .browsing).first?.first,
      told.give(.undo)
    else { return nil }
    return key
  }

  private mutating func sayOutcome(_ running: RunningDelivery, _ result: DeliveryResult) {
    var report = DeliveredReport(
      operation: running.operation, names: running.names, place: result.window ?? running.place,
      result: result, things: running.things, task: running.task)
    (report.index, report.total) = place(of: result.landings.first)
    if let heard = running.heardPosition, result.textPosition?.isSamePlace(as: heard) == true {
      report.result.textPosition = nil
    }
    if running.task == nil, !result.isUnverified { report.app = running.app }
    if case .opened(let program) = result.effect, !program.isEmpty {
      (report.place, report.app) = (program, nil)
    }
    if let folder = result.elsewhere { (report.place, report.missed) = (folder, running.place) }
    // Includes the name of the focused item, so that no key is needed to hear it.
    if case .browsing = phase, let next = running.next, focused?.id == next {
      report.next = focused?.name
    }
    let first = result.failures.first?.reason ?? .unknown
    // The program's message was its last word.
    if result.outcome == .unconfirmed, let message = running.message,
      [nil, .tells(message, window: "")].contains(result.question),
      !result.failures.contains(where: { $0.reason == .gone })
    {
      return
    }
    // As the person chose: not a failure that needs a remedy.
    report.isSkipping = isAsChosen(running, result)
    switch report.isSkipping ? .partly : result.outcome {
    case .delivered:
      if let task = running.task, task.isTold {
        say(.task(task, program: running.program, .finished))
      }
      if result.entry != nil { report.undoKey = undoInstruction(running) }
      say(.delivered(report), of: running, result)
    case .partly:
      let missing = Set(result.failures.map(\.name))
      report.names = running.names.filter { !missing.contains($0) }
      say(.partlyDelivered(report), of: running, result)
    case .refused:
      if running.visitor == nil { fatalReason = fatalReason ?? first }
      sayFailed(running, result)
    case .failed:
      // Parts of a folder may have arrived.
      if running.visitor == nil, (result.pieces ?? 0) == 0 { fatalReason = fatalReason ?? first }
      if let task = running.task { say(.task(task, program: running.program, .failed)) }
      sayFailed(running, result)
    case .cancelled:
      // A folder delivered in part is neither done nor remaining.
      let isInside = result.delivered == 0 && (result.pieces ?? 0) > 0
      say(
        .deliveryCancelled(
          names: running.names, done: result.delivered,
          remaining: isInside ? 0 : running.count - result.delivered,
          untouched: result.pieces == 0 ? running.operation : nil), of: running, result)
    case .unconfirmed: say(result.question, of: running, with: result)
    }
  }

  /// Tells each reason with the names that it applies to.
  private mutating func sayFailed(_ running: RunningDelivery, _ result: DeliveryResult) {
    let groups = result.failures.byReason
    guard groups.count > 1 else {
      let reason = groups.first?.reason ?? .unknown
      return say(.failed(names: running.names, count: running.count, reason), of: running, result)
    }
    for (reason, names) in groups {
      say(
        .failed(names: Array(names.prefix(20)), count: names.count, reason), of: running, result)
    }
  }

  /// The position of a landing in an ordered list, from 1; `nil` in folders, which have no order.
  private func place(of landing: Landing?) -> (index: Int?, total: Int?) {
    guard let landing, let entry = registry[landing.container], entry.container.isOrdered,
      let index = registry.index(of: landing.source, in: landing.container)
    else { return (nil, nil) }
    return (index + 1, entry.sources?.count)
  }

  // MARK: History

  /// Announces what was undone or redone, and what could not be and why.
  ///
  /// - Parameter isLate: after a reported failure.
  mutating func changed(by result: HistoryResult, isRedo: Bool, isLate: Bool = false) {
    func done(_ entry: HistoryEntry, _ count: Int) -> Announcement {
      isRedo
        ? .redone(entry, done: count, isLate: isLate) : .undone(entry, done: count, isLate: isLate)
    }
    switch result {
    case .done(let entry):
      (blockedUndos, hasDoneNothing) = ([], false)
      // Its changes in the folders are not announced as news.
      news.settling = entry
      if isRedo { landed.redo(entry.number, missing: []) } else { landed.undo(entry.number) }
      say(done(entry, entry.count))
    case .partly(let entry, let count, let failures):
      (blockedUndos, hasDoneNothing) = ([], false)
      news.settling = entry
      hasFailure = true
      if isRedo { landed.redo(entry.number, missing: failures.map(\.name)) }
      if count > 0 { say(done(entry, count)) }
      for (reason, names) in failures.byReason {
        say(
          .cannotUndo(entry, reason, remaining: names, isRedo: isRedo))
      }
    case .refused(let entry, let reason):
      fail(reason)
      if let entry, !isRedo, [.gone, .changed, .folderGone].contains(reason) {
        blockedUndos.insert(entry.number)
      }
      say(.cannotUndo(entry, reason, remaining: [], isRedo: isRedo))
    case .nothing: say(isRedo ? .nothingToRedo : .nothingToUndo)
    }
    followHistory()
  }

  // MARK: What landed

  /// Goes to the last landing: to the window that was dropped on, or to the folder.
  mutating func goToLanded() {
    // What is being delivered has not landed, and what landed before it is not meant.
    let goal = landed.items.isEmpty && !deliveries.isEmpty ? [] : landed.goal
    guard !goal.isEmpty || landed.window != nil else {
      say(.nothingLanded)
      return
    }
    guard case .browsing = phase else {
      rejectCommand(.goToLanded)
      return
    }
    if let window = landed.window { request(.show(window), for: .show) }
    // In a window focus belongs to its program.
    guard landed.window == nil, let first = goal.first else { return }
    request(
      .list(.container(first.container), includingHidden: settings.showsHidden),
      for: .reveal(goal))
  }

  /// Shows the fresh listing of a landing, with the landed item focused or announced as gone: in a
  /// view that has the folder, otherwise in one of the same tree, otherwise in the current one.
  mutating func reveal(_ landed: [Landing], in listing: Listing) {
    let id = listing.container.id
    guard let first = landed.first, case .browsing = phase, !browse.views.isEmpty else {
      if registry[id] == nil { tell(.close(id)) }
      return
    }
    if let shown = browse.views.firstIndex(where: { $0.containers.contains(id) }) {
      browse.current = shown
      if let depth = browse.views[shown].containers.firstIndex(of: id) { climb(shown, to: depth) }
    } else {
      let tree = listing.container.tree
      let view =
        browse.views.firstIndex { tree != nil && registry[$0.root]?.container.tree == tree }
        ?? browse.current
      browse.current = view
      connect(listing)
      registry.insert(listing, after: browse.views[view].containers.last)
      browse.views[view].below.append(View.Level(container: id))
    }
    registry.insert(listing)
    browse.views[browse.current].top.isListed = true
    // A filter could hide the item.
    browse.views[browse.current].top.narrowing = nil
    sayContainer()
    if let index = registry.index(of: first.source, in: id) {
      focus(index)
      sayItem()
    } else {
      focus(0)
      say(.vanished(name: first.name, next: focused?.name))
    }
  }
}

extension Route {
  fileprivate var isIntoWindow: Bool {
    switch self {
    case .xdnd, .menu, .pointer: true
    case .files, .process, .peer: false
    }
  }
}

extension [DeliveryFailure] {
  /// The names by their reason, in order.
  fileprivate var byReason: [(reason: Reason, names: [String])] {
    OrderedSet(map(\.reason)).map { reason in (reason, filter { $0.reason == reason }.map(\.name)) }
  }
}
