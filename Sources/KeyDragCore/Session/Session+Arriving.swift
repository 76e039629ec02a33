/// Arriving at a place, and asking the places of windows: a window is listed when entered, and its
/// places are asked one by one as the person reaches them. Each is announced once, after its
/// answer.
extension Session {
  /// The number of places to prefetch; few, since each is a message to a program.
  static var askedAhead: Int { 4 }

  // MARK: Standing

  /// Announces the current place once it has answered; in a window, asks it and the next few.
  mutating func arrive(_ held: DragState) {
    var carry = held
    cancelPendingAnnouncement(&carry)
    // A place reached earlier in this input is not announced any more.
    leaveHere()
    switch carry.place {
    case .container(let id):
      wait(for: listing(of: id), &carry)
      phase.replaceCarry(carry)
    case .stop where isInWindow(carry.place, carry):
      carry.owed = .place
      askAround(&carry)
      phase.replaceCarry(carry)
      sayPendingAnnouncement()
    case .source, .stop:
      // Leaving the windows: the refusals announced there are skipped from now on.
      if carry.excludeRefusals() { carry.walk = makeWalk(carry) }
      phase.replaceCarry(carry)
      sayHere()
    }
  }

  /// The pending or a new listing of a container; two would announce it twice.
  private mutating func listing(of id: ContainerID) -> RequestID {
    let purpose = Purpose.listDropPoints(id)
    return outstanding.first { $0.value == purpose }?.key
      ?? request(.list(.container(id), includingHidden: settings.showsHidden), for: purpose)
  }

  /// Waits for an answer, with a timer that announces a delay; does nothing if already waiting.
  private mutating func wait(for id: RequestID, _ carry: inout DragState) {
    guard carry.pendingRequest != id else { return }
    carry.pendingRequest = id
    emit(.startTimer(.asking(id), milliseconds: Session.askingDelay))
  }

  /// Drops the pending announcement of the current place; a later answer is kept.
  mutating func cancelPendingAnnouncement(_ carry: inout DragState) {
    if let id = carry.pendingRequest { emit(.cancelTimer(.asking(id))) }
    carry.pendingRequest = nil
    carry.owed = nil
  }

  /// Announces once that the awaited answer or listing is late.
  mutating func arrivalIsLate(_ id: RequestID, _ held: DragState) {
    guard held.pendingRequest == id else { return }
    switch held.place {
    case .source: break
    case .container(let container): say(.listing(container: name(of: container)))
    case .stop: sayHere()
    }
  }

  /// Empty if unknown.
  func name(of container: ContainerID) -> String { registry[container]?.container.name ?? "" }

  /// Announces what arrived during a menu or while adding, and asks what is still unknown.
  mutating func catchUp() {
    guard case .carrying(let carry) = phase, carry.stage == .ready else { return }
    let isUnknown =
      switch carry.place {
      case .source: false
      case .container: true
      case .stop(let stop): isInWindow(carry.place, carry) && carry.proposals[stop] == nil
      }
    if isUnknown || carry.owed != nil { arrive(carry) }
  }

  // MARK: Asking

  /// Asks the current place and the next few in separate requests, so that each answer can be used
  /// as it comes; skips those already asked or answered.
  mutating func askAround(_ carry: inout DragState) {
    // The source and a window are not places to ask.
    guard let stop = carry.currentStop else { return }
    if carry.proposals[stop] == nil {
      // Also if it was prefetched: others may be queued before it.
      let id = question(.arrival(stop), to: stop, carry)
      if carry.owed != nil { wait(for: id, &carry) }
    }
    for next in ahead(of: stop, carry) where carry.proposals[next] == nil {
      let arrival = Purpose.ask(.arrival(next), round: carry.round)
      if !outstanding.values.contains(arrival) { question(.ahead(next), to: next, carry) }
    }
  }

  /// The pending question of this purpose, or a new one: also for a place that the person returns
  /// to after others were asked, so that it precedes them.
  @discardableResult
  private mutating func question(
    _ why: AskPurpose, to stop: DropStop, _ carry: DragState
  ) -> RequestID {
    let purpose = Purpose.ask(why, round: carry.round)
    let inquiry = ProposalRequest(
      items: carry.items, wish: carry.wish, stops: [stop], isPrefetch: why == .ahead(stop))
    let asked = outstanding.filter { $0.value == purpose }.keys.map(\.rawValue).max()
    guard let asked, why == .ahead(stop) || asked == newestArrival else {
      return request(.ask(inquiry), for: purpose)
    }
    return RequestID(asked)
  }

  /// The last question about a current place.
  private var newestArrival: Int? {
    outstanding.filter { if case .ask(.arrival, _) = $0.value { true } else { false } }.keys
      .map(\.rawValue).max()
  }

  /// The next few stops in the direction of the walk, within the current window.
  private func ahead(of stop: DropStop, _ carry: DragState) -> [DropStop] {
    let walk = carry.walk
    let step = carry.isBackward ? -1 : 1
    let window = container(of: .stop(stop), carry)
    let start =
      walk.index(of: stop).map { $0 + step } ?? walk.firstStop(behind: stop.point) + min(step, 0)
    return (0..<Session.askedAhead).map { start + $0 * step }
      .prefix { index in
        guard (0..<walk.stopCount).contains(index), let point = walk.point(ofStop: index) else {
          return false
        }
        return point.container == window && point.task == nil
      }.compactMap(walk.stop)
  }

  /// Invalidates all answers after the items or the wish have changed, and asks again everything
  /// that is asked eagerly, but in windows only the current place.
  ///
  /// - Parameter why: decides the announcement that comes with the answers.
  /// - Returns: whether it will come; otherwise the caller announces.
  mutating func askAnew(_ carry: inout DragState, for why: AskPurpose) -> Bool {
    carry.proposals.expire()
    let windows = windows(carry)
    for window in windows {
      for point in window.points ?? [] { carry.proposals.forget(point.id) }
    }
    carry.forgetRefusals()
    let stops = allStops(carry)
    let isInWindow = isInWindow(carry.place, carry)
    if !stops.isEmpty { ask(&carry, stops: stops, for: isInWindow ? .rest : why) }
    if !windows.isEmpty { carry.walk = makeWalk(carry) }
    if isInWindow { askAround(&carry) }
    return !stops.isEmpty && !isInWindow
  }

  /// Returns to the drag and announces what arrived meanwhile.
  mutating func resumeCarrying(_ carry: DragState) {
    phase = .carrying(carry)
    catchUp()
  }

  // MARK: Answers

  /// One place has answered, which is announced only if it is the current one.
  mutating func arrived(_ answers: [Answer], at stop: DropStop, round: Int) {
    guard var carry = phase.carry, round == carry.round,
      carry.walk.point(stop.point) != nil
    else { return }
    // No answer means that its program does not respond.
    let answer = answers.first { $0.stop == stop } ?? Answer(stop, .refused(.notResponding))
    carry.proposals.merge([answer])
    phase.replaceCarry(carry)
    if carry.currentStop == stop { sayPendingAnnouncement() }
    // It may have been the last one that could accept.
    _ = endIfNothingAccepts()
  }

  /// Makes the pending announcement of the current place if it has answered.
  mutating func sayPendingAnnouncement() {
    // Not while a menu is open.
    guard case .carrying(var carry) = phase, carry.stage == .ready, let stop = carry.currentStop,
      let owed = carry.owed, carry.proposals[stop] != nil
    else { return }
    cancelPendingAnnouncement(&carry)
    switch owed {
    case .place:
      let isDroppable = verdict(at: stop, carry).isDroppable
      carry.hear(stop, refuses: !isDroppable)
      phase = .carrying(carry)
      sayHere()
    case .wish: wishAnswered(carry)
    }
  }

  /// Ends the drag if nothing accepts, unless another wish or a task remains. That is known only
  /// when every place, also of every window, has been asked and has refused.
  private mutating func endIfNothingAccepts() -> Bool {
    guard case .carrying(var carry) = phase, carry.stage == .ready, carry.refusedIn != carry.round,
      doesEverythingRefuse(carry)
    else { return false }
    // Another wish or a task may still be tried.
    guard carry.wish == nil, carry.taskPoints.isEmpty else {
      carry.refusedIn = carry.round
      phase = .carrying(carry)
      say(.nothingAccepts(count: carry.items.count, alternatives: []))
      return false
    }
    // The last refusal is announced before the end.
    flushSayHere()
    phase = .browsing(adding: nil)
    release(carry)
    focusSource(of: carry)
    say(.nothingAccepts(count: carry.items.count, alternatives: [.openWindow]))
    return true
  }

  private func doesEverythingRefuse(_ carry: DragState) -> Bool {
    let isAsked = outstanding.values.contains {
      if case .ask(.refresh, carry.round) = $0 { true } else { false }
    }
    guard !isAsked, openQuestion(carry) == nil else { return false }
    // Includes places hidden by a filter.
    let isDroppable = places(carry).contains { point in
      stops(of: point).contains { verdict(at: $0, of: point, carry).isDroppable }
    }
    if isDroppable { return false }
    // A window that has not been listed yet may accept.
    let isAllListed = windows(carry).allSatisfy { $0.points != nil }
    return isAllListed
      && carry.walk.points[carry.walk.windowPoints].allSatisfy { point in
        stops(of: point).allSatisfy {
          let verdict = verdict(at: $0, carry).word
          return verdict == .refuse || verdict == .forbidden
        }
      }
  }

  // MARK: Listings

  /// The places of a window that was reached are known. Not announced if the person has moved on.
  mutating func listedDropPoints(_ listing: Listing, in id: ContainerID) {
    guard listing.container.id == id else {
      couldNotList(id, .unknown)
      return
    }
    guard registry[id] != nil else {
      tell(.close(id))
      return
    }
    learn(listing)
    goOn(from: id)
  }

  /// A window that was reached can't be listed: announces that once, and continues the walk.
  mutating func couldNotList(_ id: ContainerID, _ reason: Reason) {
    guard var carry = phase.carry else { return }
    carry.unreadable.insert(id)
    phase.replaceCarry(carry)
    // Once; the next place is announced after it.
    if carry.place == .container(id), case .carrying = phase {
      say(.refused(name: name(of: id), reason))
    }
    goOn(from: id)
  }

  /// Moves a person who waits in a window to its first place, or past it if it has none.
  private mutating func goOn(from id: ContainerID) {
    guard var carry = phase.carry, carry.isAsked else { return }
    guard carry.place == .container(id) else {
      refreshWalk(carry)
      _ = endIfNothingAccepts()
      return
    }
    carry.walk = makeWalk(carry)
    let blocks = carry.walk.blocks(of: id) ?? 0..<0
    if let block = carry.isBackward ? blocks.last : blocks.first {
      carry.place = entry(of: carry.walk.block(block), carry)
    } else {
      carry.place = nextPlace(from: carry.place, by: carry.isBackward ? -1 : 1, carry)
    }
    phase.replaceCarry(carry)
    guard case .carrying = phase, !endIfNothingAccepts(), let carry = phase.carry else { return }
    arrive(carry)
  }

  /// Registers the listed places of a container, which are complete: others are not asked any more.
  /// Browsed items and the focus are kept.
  mutating func learn(_ listing: Listing) {
    var listing = listing
    listing.sources = registry[listing.container.id]?.sources ?? listing.sources
    listing.dropPoints = listing.dropPoints ?? []
    registry.insert(listing)
    keepFocus(in: listing.container.id)
  }
}
