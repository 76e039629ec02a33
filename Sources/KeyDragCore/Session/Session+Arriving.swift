/// Carrying where places are asked one by one, as the person reaches them: a window is listed when
/// it is entered, and only places in it are asked.
///
/// Debts to the person are kept in ``Arrival``: a place is said when it has answered, and
/// once only.
extension Session {
  /// How many places beyond the one stood on are asked ahead of the person.
  ///
  /// Few: each is a message to a program.
  static var askedAhead: Int { 4 }

  /// Goes to the first place, with the pick-up said before anything is known of it.
  mutating func beginOnArrival(_ held: Carry) {
    var carry = held
    carry.stage = .ready
    carry.arrival = Arrival()
    carry.walk = makeWalk(carry)
    // Nobody knows yet how many of them take it.
    sayPickedUp(&carry, points: nil)
    for failure in carry.refusedAtPickUp.prefix(Session.saidRefusals) {
      say(.refusedToAdd(name: failure.name, failure.reason))
    }
    carry.place = firstPlace(carry)
    phase = .carrying(carry)
    if endIfNothingAccepts() { return }
    arrive(carry)
  }

  // MARK: Standing

  /// Says the place stood on when it is known what it says; else asks it, and the next few.
  mutating func arrive(_ held: Carry) {
    var carry = held
    leaveUnsaid(&carry)
    // Of a place reached earlier in this input there is nothing to say any more.
    leaveHere()
    // From the last window the walk may lead back to the folders.
    goHome(&carry)
    guard carry.arrival != nil else {
      phase = .carrying(carry)
      sayPlace(carry)
      return
    }
    switch carry.place {
    case .source:
      // At the source the refusals heard so far are passed over from now on.
      carry.arrival?.putRefusingAside()
      carry.walk = makeWalk(carry)
      phase = .carrying(carry)
      sayHere()
    case .container(let id, _):
      wait(for: listing(of: id), &carry)
      phase = .carrying(carry)
    case .stop:
      carry.arrival?.owed = .place
      askAround(&carry)
      phase = .carrying(carry)
      sayOwed()
    }
  }

  /// The listing under way of a container; one is asked for when there is none.
  ///
  /// Two for one container would say it twice.
  private mutating func listing(of id: ContainerID) -> RequestID {
    let purpose = Purpose.listDropPoints(id)
    return outstanding.first { $0.value == purpose }?.key
      ?? request(.list(.container(id), includingHidden: settings.showsHidden), for: purpose)
  }

  /// Waits for an answer, with a timer that says when it is late. Waiting twice for the same starts
  /// no other timer.
  private mutating func wait(for id: RequestID, _ carry: inout Carry) {
    guard carry.arrival?.waitsFor != id else { return }
    carry.arrival?.waitsFor = id
    emit(.startTimer(.asking(id), milliseconds: Session.askingDelay))
  }

  /// Nothing more is said of where the person is, or was.
  ///
  /// An answer that comes later is kept.
  mutating func leaveUnsaid(_ carry: inout Carry) {
    if let id = carry.arrival?.waitsFor { emit(.cancelTimer(.asking(id))) }
    carry.arrival?.waitsFor = nil
    carry.arrival?.owed = nil
  }

  /// Says once that the answer or the listing for which the person waits is late.
  mutating func arrivalIsLate(_ id: RequestID, _ held: Carry) {
    guard held.arrival?.waitsFor == id else { return }
    switch held.place {
    case .source: break
    case .container(let container, _): say(.listing(container: name(of: container)))
    case .stop: sayHere()
    }
  }

  /// Empty where it is not known.
  func name(of container: ContainerID) -> String { registry[container]?.container.name ?? "" }

  /// Back from a menu or from gathering: what came meanwhile is said, what is not known is asked.
  mutating func catchUp() {
    guard case .carrying(let carry) = phase, carry.stage == .ready, let arrival = carry.arrival
    else { return }
    let isUnknown =
      switch carry.place {
      case .source: false
      case .container: true
      case .stop(let stop): carry.proposals[stop] == nil
      }
    if isUnknown || arrival.owed != nil { arrive(carry) }
  }

  // MARK: Asking

  /// Asks the place stood on and the next few, each by itself, so that each answer can be used as
  /// it comes; nothing that has been asked or has answered is asked again.
  mutating func askAround(_ carry: inout Carry) {
    // At the source, or at a window, there is no place to ask.
    guard let stop = carry.currentStop else { return }
    if carry.proposals[stop] == nil {
      // Also where it was asked ahead: others may wait before it.
      let id = question(.arrival(stop), to: stop, carry)
      if carry.arrival?.owed != nil { wait(for: id, &carry) }
    }
    for next in ahead(of: stop, carry) where carry.proposals[next] == nil {
      let arrival = Purpose.ask(.arrival(next), round: carry.round)
      if !outstanding.values.contains(arrival) { question(.ahead(next), to: next, carry) }
    }
  }

  /// The question of this purpose that is under way, or a new one: also where the person comes back
  /// to a place that others have been asked after, to come before them.
  @discardableResult
  private mutating func question(
    _ why: AskPurpose, to stop: DropStop, _ carry: Carry
  ) -> RequestID {
    let purpose = Purpose.ask(why, round: carry.round)
    let inquiry = Inquiry(
      items: carry.items, wish: carry.wish, stops: [stop], isAhead: why == .ahead(stop))
    let asked = outstanding.filter { $0.value == purpose }.keys.map(\.rawValue).max()
    guard let asked, why == .ahead(stop) || asked == newestArrival else {
      return request(.ask(inquiry), for: purpose)
    }
    return RequestID(asked)
  }

  /// The last question about a place that one stood on.
  private var newestArrival: Int? {
    outstanding.filter { if case .ask(.arrival, _) = $0.value { true } else { false } }.keys
      .map(\.rawValue).max()
  }

  /// The next few stops the way the person walks, never beyond the container reached.
  private func ahead(of stop: DropStop, _ carry: Carry) -> [DropStop] {
    let walk = carry.walk
    let step = carry.arrival?.isBackward == true ? -1 : 1
    let group = group(of: .stop(stop), carry)
    let start =
      walk.index(of: stop).map { $0 + step } ?? walk.firstStop(behind: stop.point) + min(step, 0)
    return (0..<Session.askedAhead).map { start + $0 * step }
      .prefix { index in
        (0..<walk.stopCount).contains(index)
          && self.group(of: walk.point(ofStop: index)) == group
      }.map(walk.stop)
  }

  /// Asks anew, only where the person is, since other items or another wish make everything said
  /// before invalid.
  mutating func askAnew(_ carry: inout Carry) {
    carry.proposals = ProposalTable()
    carry.arrival?.forgetRefusals()
    carry.walk = makeWalk(carry)
    askAround(&carry)
    askHome(&carry)
  }

  /// Takes another wish. At a place it is said when that has answered.
  ///
  /// - Parameter isSaid: whether it has been said that nothing held can be had that way.
  mutating func wishOnArrival(_ held: Carry, isSaid: Bool) {
    var carry = held
    // The answer that is known is the one to the wish before.
    wordHere()
    let isAtStop = carry.currentStop != nil
    if isAtStop {
      // A place that has not answered yet is still to be named.
      let isPlaceOwed = carry.arrival?.owed == .place
      leaveUnsaid(&carry)
      carry.arrival?.owed = !isSaid ? .wish : isPlaceOwed ? .place : nil
    }
    askAnew(&carry)
    phase = .carrying(carry)
    if !isAtStop, !isSaid { say(.operation(carry.wish, now: nil)) }
  }

  /// Takes the items that were added: says them, and asks the place again.
  mutating func addedOnArrival(_ held: Carry, _ names: [String]) {
    var carry = held
    askAnew(&carry)
    phase = .carrying(carry)
    say(.added(names: names, count: carry.items.count))
    arrive(carry)
  }

  /// Back to the drag, with what came meanwhile.
  mutating func resumeCarrying(_ carry: Carry) {
    phase = .carrying(carry)
    catchUp()
  }

  // MARK: Answers

  /// One place has answered. What is not current any more is kept without a word.
  mutating func arrived(_ answers: [Answer], at stop: DropStop, round: Int) {
    guard var carry = phase.carry, carry.arrival != nil, round == carry.round,
      carry.walk.point(stop.point) != nil
    else { return }
    // An empty answer is one as well: its program says nothing.
    let answer = answers.first { $0.stop == stop } ?? Answer(stop, .refused(.notResponding))
    carry.proposals.merge([answer])
    phase.replaceCarry(carry)
    if carry.currentStop == stop { sayOwed() }
    // It may have been the last one that could accept.
    endIfNothingAccepts()
  }

  /// Says what is owed for the place stood on, once it has answered.
  mutating func sayOwed() {
    // Said in the drag only: a menu over it has the person's ear.
    guard case .carrying(var carry) = phase, carry.stage == .ready, let stop = carry.currentStop,
      let owed = carry.arrival?.owed, carry.proposals[stop] != nil
    else { return }
    leaveUnsaid(&carry)
    switch owed {
    case .place:
      let isWelcome = verdict(at: stop, carry).isWelcome
      carry.arrival?.hear(stop, refuses: !isWelcome)
      phase = .carrying(carry)
      sayHere()
    case .wish: wishAnswers(carry)
    }
  }

  /// Nothing accepts: known only when every place of every container has been asked and has
  /// refused.
  ///
  /// The drag ends, unless there is more to be done with it: another wish, or a task.
  @discardableResult
  private mutating func endIfNothingAccepts() -> Bool {
    guard case .carrying(var carry) = phase, carry.stage == .ready, carry.arrival != nil,
      carry.arrival?.refusedIn != carry.round, doesEverythingRefuse(carry), !mayHomeAccept(carry)
    else { return false }
    // Another wish, or a task, may still be tried.
    guard carry.wish == nil, carry.taskPoints.isEmpty else {
      carry.arrival?.refusedIn = carry.round
      phase = .carrying(carry)
      say(.nothingAccepts(count: carry.items.count, alternatives: []))
      return false
    }
    // The last refusal comes before the end.
    wordHere()
    phase = .browsing(adding: nil)
    release(carry)
    focusSource(of: carry)
    say(.nothingAccepts(count: carry.items.count, alternatives: [.openWindow]))
    return true
  }

  /// Whether every container is listed, or can't be, and every place in them has refused.
  private func doesEverythingRefuse(_ carry: Carry) -> Bool {
    // A container that has not been listed yet may accept.
    let isAllListed = registry.entries.allSatisfy { id, entry in
      entry.dropPoints != nil || !isAskedOnArrival(id)
        || carry.arrival?.unreadable.contains(id) == true
    }
    return isAllListed
      && carry.walk.points.allSatisfy { point in
        point.task != nil
          || DropPosition.allCases.filter { point.positions.contains($0.set) }.allSatisfy {
            let verdict = verdict(at: DropStop(point.id, $0), carry).verdict
            return verdict == .refuse || verdict == .forbidden
          }
      }
  }

  // MARK: Listings

  /// A container that was reached has told its places. Who has gone on meanwhile hears nothing of
  /// it.
  mutating func listedDropPoints(_ listing: Listing, in id: ContainerID) {
    guard listing.container.id == id else {
      couldNotList(id, .unknown)
      return
    }
    // The window is gone.
    guard registry[id] != nil else {
      tell(.close(id))
      return
    }
    learn(listing)
    guard var carry = phase.carry, carry.arrival != nil else { return }
    // The person is elsewhere.
    guard case .container(id, let isBackward) = carry.place else {
      refreshWalk(carry)
      endIfNothingAccepts()
      return
    }
    carry.walk = makeWalk(carry)
    carry.place =
      place(in: .container(id), isBackward: isBackward, carry)
      ?? onward(from: .container(id), by: isBackward ? -1 : 1, carry)
    goOn(carry)
  }

  /// A container that was reached can't be listed: that is said once, as its refusal, and the walk
  /// goes on to the next.
  mutating func couldNotList(_ id: ContainerID, _ reason: Reason) {
    guard var carry = phase.carry, carry.arrival != nil else { return }
    carry.arrival?.unreadable.insert(id)
    guard case .container(id, let isBackward) = carry.place else {
      phase.replaceCarry(carry)
      endIfNothingAccepts()
      return
    }
    carry.place = onward(from: .container(id), by: isBackward ? -1 : 1, carry)
    // Once; the places around it are said after it.
    if case .carrying = phase { say(.refused(name: name(of: id), reason)) }
    goOn(carry)
  }

  /// From a container that has answered to where that leads.
  private mutating func goOn(_ held: Carry) {
    var carry = held
    goHome(&carry)
    phase.replaceCarry(carry)
    guard case .carrying = phase, !endIfNothingAccepts() else { return }
    arrive(carry)
  }

  /// Takes the places that a container answered. They are all there are: what is left out is not
  /// asked for again. What is browsed there stays what was in focus.
  mutating func learn(_ listing: Listing) {
    var listing = listing
    listing.sources = registry[listing.container.id]?.sources ?? listing.sources
    listing.dropPoints = listing.dropPoints ?? []
    registry.insert(listing)
    keepFocus(in: listing.container.id)
  }
}
