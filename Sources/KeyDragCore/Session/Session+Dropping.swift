/// The drop itself: the place is asked again, then the person if something could be lost, then the
/// delivery starts.
///
/// Earlier proposals are not relied on, since the place may have changed: the final answer is first
/// compared with what was announced.
extension Session {
  /// Drops on the current place; on the source the drag is cancelled.
  mutating func drop(_ carry: DragState) {
    guard let stop = carry.currentStop else {
      cancelHeldDrag()
      return
    }
    var carry = carry
    cancelPendingAnnouncement(&carry)
    // A new folder needs its name first.
    if carry.walk.point(stop.point)?.task == .newFolder, verdict(at: stop, carry).isDroppable {
      askForFolder(carry, at: stop)
      return
    }
    askFinally(&carry, stop)
    phase = .carrying(carry)
  }

  /// Asks the place for the final answer, for which commands wait; `newName` is that of the only
  /// item at the target, or of the folder made for all.
  mutating func askFinally(_ carry: inout DragState, _ stop: DropStop, newName: String? = nil) {
    var inquiry = ProposalRequest(
      items: carry.items, wish: carry.wish, stops: [stop], isFinal: true)
    inquiry.newName = newName
    carry.newName = newName
    let id = request(.ask(inquiry), for: .ask(.final, round: carry.round))
    // Identifies the answer that the drop waits for.
    carry.stage = .dropping(id)
    emit(.startTimer(.drop, milliseconds: Session.dropDelay))
  }

  private static var dropDelay: Int { 400 }

  /// Confirms the key while the final answer, or that of a program, is pending.
  mutating func dropIsLate() {
    if case .carrying(let carry) = phase, case .dropping(let id) = carry.stage {
      late.insert(id)
      sayDropping(carry)
    } else if !settings.isInFolders,
      let running = deliveries.values.first(where: { !$0.isAnnounced && $0.visitor == nil })
    {
      say(.delivering(running.operation, names: [], count: 0, bytes: nil))
    }
  }

  mutating func sayDropping(_ carry: DragState) {
    say(
      .delivering(holding(carry).place?.verdict.operation ?? .copy, names: [], count: 0, bytes: nil)
    )
  }

  /// The final answer, compared with what was `said`: refuses, announces news, asks or delivers.
  mutating func finallyAnswered(_ answers: [Answer], _ carry: DragState, said: ProposalTable) {
    // The drag may have been cancelled meanwhile.
    guard case .carrying = phase else { return }
    var carry = carry
    carry.stage = .ready
    let stop = carry.direct?.stop ?? carry.currentStop
    guard let stop, let answer = answers.first(where: { $0.stop == stop }) else {
      refused(carry, at: stop, .gone)
      return
    }
    if asksAgainForName(answer.proposal, at: stop, carry) { return }
    let stopVerdict = judge(answer.proposal, at: stop, carry)
    guard stopVerdict.isDroppable else {
      let reason = stopVerdict.reason ?? .unknown
      // A place that only removes takes no copies, which is all there is to announce.
      if let wish = carry.wish, carry.direct != nil, reason == .operationNotOffered,
        answer.proposal.offers.isEmpty || answer.proposal.offers == .remove
      {
        refused(carry, at: stop, reason, saying: .operationUnavailable(wish, reason))
      } else {
        refused(carry, at: stop, reason)
      }
      return
    }
    guard stopVerdict.word != .cancel, let operation = stopVerdict.operation else {
      phase = .carrying(carry)
      cancelHeldDrag()
      return
    }
    // Differences from the announcement are announced, and need another Enter.
    if isUndoUnsaid(answer, carry) || isOther(answer, than: said[stop], carry) {
      carry.proposals.merge([answer])
      phase = .carrying(carry)
      // Keys pressed after Enter were not meant for this answer.
      waiting = []
      sayHere()
      return
    }
    let accepted = carry.items.indices.filter { stopVerdict.refused[$0] == nil }
    var pending = PendingDrop(
      stop: stop, proposal: answer.proposal, operation: operation, accepted: accepted,
      clash: carry.direct?.clash ?? settings.clash, refused: stopVerdict.refused)
    pending.newName = carry.newName
    // The announced line, with which the actual one is compared.
    pending.proposal.textPosition = said[stop]?.textPosition
    if carry.direct?.isScripted == true {
      if answer.proposal.programUndo != .certain || answer.proposal.isOfPaths
        || answer.proposal.isPasted
      {
        sayWithoutWalk(answer, carry)
        pending.proposal.textPosition = answer.proposal.textPosition
      }
      pending.isPartialAgreed = true
      // Nobody can be asked, so nothing is deleted for good.
      guard operation != .remove || answer.proposal.irreversible == nil else {
        refused(carry, at: stop, answer.proposal.irreversible ?? .noTrash)
        return
      }
      pending.isIrreversibleAgreed = true
    }
    proceed(pending, carry)
  }

  /// Announces a refusal, or `announcement`: a walk goes on, a drop without a walk ends.
  mutating func refused(
    _ carry: DragState, at stop: DropStop?, _ reason: Reason,
    saying announcement: Announcement? = nil
  ) {
    (hasFailure, hasDoneNothing) = (true, true)
    let name = stop.flatMap { carry.walk.point($0.point) ?? findPoint($0.point, carry) }?.name
    if carry.direct != nil {
      fail(reason)
      phase = .browsing(adding: nil)
      release(carry)
      if reason.isOfSource {
        say(.failed(names: carry.names, count: carry.count, reason))
        return
      }
    } else {
      var carry = carry
      carry.stage = .ready
      carry.walk = makeWalk(carry)
      settle(&carry)
      phase = .carrying(carry)
    }
    say(announcement ?? .refused(name: name ?? "", reason, isHeld: carry.direct == nil))
  }

  /// Asks the next question, or delivers: first about refused items, then about a missing undo,
  /// then about clashing names.
  mutating func proceed(_ pending: PendingDrop, _ carry: DragState) {
    let place = carry.walk.point(pending.stop.point) ?? findPoint(pending.stop.point, carry)
    let name = place?.name ?? ""
    let refused = carry.items.count - pending.accepted.count
    if refused > 0, !pending.isPartialAgreed {
      open(
        .drop(pending),
        .partial(
          accepted: pending.accepted.count, count: carry.items.count, place: name,
          isUncertain: pending.proposal.isUncertain),
        [.keepHolding, .dropAccepted(count: pending.accepted.count, refused: refused)],
        over: .carrying(carry))
      return
    }
    // Opening and printing are in no history.
    let isRecorded = carry.direct?.isScripted != true && pending.operation != .open
    if let reason = pending.proposal.irreversible ?? (isRecorded ? lostHistory : nil),
      !pending.isIrreversibleAgreed
    {
      open(
        .drop(pending),
        .irreversible(reason, operation: pending.operation, place: name),
        [.keepHolding, .proceed(pending.operation)], over: .carrying(carry))
      return
    }
    // The names of all items are asked about together.
    let clashes = pending.proposal.predictions.compactMap { prediction -> [String]? in
      if case .nameClash(let names) = prediction { names } else { nil }
    }.flatMap { $0 }
    if !clashes.isEmpty, pending.clash == nil, !pending.proposal.asksItself,
      pending.operation != .remove
    {
      askAboutNames(pending, carry, clashes, name)
      return
    }
    deliver(pending, carry, place)
  }

  /// Asks about clashing names; while merging folders, once for all their contents.
  private mutating func askAboutNames(
    _ pending: PendingDrop, _ carry: DragState, _ names: [String], _ place: String
  ) {
    // Another program does not allow its items to be replaced.
    let canReplace = pending.proposal.canReplace && pending.stop.point.owner != .peers
    let replace = canReplace ? [Choice.replace] : []
    // Only copies and moves can merge folders.
    let merger = [.copy, .move].contains(pending.operation) ? pending.proposal.merger : nil
    if pending.isMerging, let merger {
      open(
        .drop(pending), .clashInside(names: merger.names, isWhole: merger.isWhole),
        [.keepBoth] + replace + [.skip, .keepHolding], over: .carrying(carry))
      return
    }
    let merge = merger == nil ? [] : [Choice.merge]
    // Several items can't share one new name.
    let isNameable =
      settings.isInFolders && pending.accepted.count == 1
      && carry.items[pending.accepted[0]].kind != .object
      && DragOperations.transfer.contains(pending.operation)
    let newName = isNameable ? [Choice.newName] : []
    // The first choice loses nothing: both are kept.
    open(
      .drop(pending), .clash(names: names, place: place),
      [.keepBoth] + replace + [.skip] + merge + newName + [.keepHolding], over: .carrying(carry))
  }

  /// Starts the delivery, ends the drag and moves focus to where the next step starts.
  ///
  /// Everything needed for later announcements is stored in ``RunningDelivery``, since the items
  /// may be gone by then.
  private mutating func deliver(
    _ pending: PendingDrop, _ carry: DragState, _ place: DropPointDescriptor?
  ) {
    let items = pending.accepted.map { carry.items[$0] }
    let id = nextDelivery()
    var order = DeliveryOrder(
      items: items, stop: pending.stop, operation: pending.operation,
      clash: pending.clash ?? .keepBoth)
    order.newName = pending.newName
    let makesFolder = place?.task == .newFolder
    news.madeFolder = makesFolder ? pending.newName.map { SpokenName.file($0) } : nil
    // A typed name is used, or nothing is done.
    if pending.newName != nil, !makesFolder { order.clash = .fail }
    var running = RunningDelivery(
      // Nobody listens to thousands of names.
      operation: pending.operation, names: items.prefix(20).map(\.name),
      items: items.map(\.source), count: items.count, place: name(of: place, at: pending.stop))
    running.things = ItemNoun(items)
    if carry.direct?.isScripted == true {
      // They have not been announced yet.
      let accepted = Set(pending.accepted)
      let refused = carry.items.indices.filter { !accepted.contains($0) }
      running.leftBehind =
        carry.refusedAtPickUp
        + refused.map {
          DeliveryFailure(name: carry.items[$0].name, reason: pending.refused[$0] ?? .unknown)
        }
      running.count += running.leftBehind.count
      running.names = Array((running.names + running.leftBehind.map(\.name)).prefix(20))
    }
    if makesFolder, let name = pending.newName {
      running.place = SpokenName.file(name)
    } else {
      running.task = place?.task
    }
    running.heardPosition = pending.proposal.textPosition
    running.skipsClashes = order.clash == .skip || order.clash == .mergeSkipping
    if place?.task == .openWith { running.program = place?.name }
    running.app = place.flatMap { registry[$0.container]?.container.app }
    running.target = place.flatMap { $0.isAtWalkEnd ? nil : $0.leadsTo ?? $0.container }
    phase = .browsing(adding: nil)
    release(carry)
    landed.items = []
    // On the desktop focus belongs to the program that was dragged from.
    if carry.direct?.isScripted != true, settings.hasHome {
      running.next = advanceFocus(past: Set(running.items))
    }
    running.keyboard = keyboardReturn(.told)
    deliveries[id] = running
    if let target = running.target { keepFocus(in: target) }
    // Announced only if it takes long.
    request(.deliver(id, order), for: .deliver(id))
    emit(.startTimer(.delivery(id), milliseconds: Session.deliveryDelay))
  }

  /// The name of the container that receives the drop: the list for a drop between its rows, the
  /// folder for one on its view.
  func name(of place: DropPointDescriptor?, at stop: DropStop) -> String {
    guard let place else { return "" }
    let container = name(of: place.container)
    let isInside = stop.position != .on || place.leadsTo == place.container
    return isInside && !container.isEmpty ? container : place.name
  }

  /// Focuses the item after the carried ones, or the one before if they are last; `nil` if focus
  /// was not on a carried item.
  private mutating func advanceFocus(past carried: Set<DragSourceID>) -> DragSourceID? {
    guard let level = browse.view?.top else { return nil }
    let sources = sources
    guard sources.indices.contains(level.focus), carried.contains(sources[level.focus].id) else {
      return nil
    }
    let behind = sources.indices.dropFirst(level.focus).first {
      // Items still arriving can't be picked up.
      !carried.contains(sources[$0].id) && sources[$0].id.owner != .arriving
    }
    let before = sources.indices.prefix(level.focus).last { !carried.contains(sources[$0].id) }
    guard let next = behind ?? before else { return nil }
    focus(next)
    return sources[next].id
  }

  /// Records a reason for the exit status; the first one stays.
  mutating func fail(_ reason: Reason) {
    hasFailure = true
    fatalReason = fatalReason ?? reason
  }
}
