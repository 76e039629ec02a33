/// Standing on a place, and asking those of a window: it is listed when it is entered, and its places are
/// asked one by one, as the person reaches them. Each is said when it has answered, and once only.
extension Session {
  /// How many places beyond the one stood on are asked ahead of the person.
  ///
  /// Few: each is a message to a program.
  static var askedAhead: Int { 4 }

  // MARK: Standing

  /// Says the place stood on when it has answered; in a window it is asked, and so are the next few.
  mutating func arrive(_ held: Carry) {
    var carry = held
    leaveUnsaid(&carry)
    // Of a place reached earlier in this input there is nothing to say any more.
    leaveHere()
    switch carry.place {
    case .container(let id):
      wait(for: listing(of: id), &carry)
      phase.replaceCarry(carry)
    case .stop where isInWindow(carry.place, carry):
      carry.owed = .place
      askAround(&carry)
      phase.replaceCarry(carry)
      sayOwed()
    case .source, .stop:
      // The windows are left: the refusals heard there are passed over from now on.
      if carry.putRefusingAside() { carry.walk = makeWalk(carry) }
      phase.replaceCarry(carry)
      sayHere()
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
    guard carry.waitsFor != id else { return }
    carry.waitsFor = id
    emit(.startTimer(.asking(id), milliseconds: Session.askingDelay))
  }

  /// Nothing more is said of where the person is, or was.
  ///
  /// An answer that comes later is kept.
  mutating func leaveUnsaid(_ carry: inout Carry) {
    if let id = carry.waitsFor { emit(.cancelTimer(.asking(id))) }
    carry.waitsFor = nil
    carry.owed = nil
  }

  /// Says once that the answer or the listing for which the person waits is late.
  mutating func arrivalIsLate(_ id: RequestID, _ held: Carry) {
    guard held.waitsFor == id else { return }
    switch held.place {
    case .source: break
    case .container(let container): say(.listing(container: name(of: container)))
    case .stop: sayHere()
    }
  }

  /// Empty where it is not known.
  func name(of container: ContainerID) -> String { registry[container]?.container.name ?? "" }

  /// Back from a menu or from gathering: what came meanwhile is said, what is not known is asked.
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

  /// Asks the place stood on and the next few, each by itself, so that each answer can be used as
  /// it comes; nothing that has been asked or has answered is asked again.
  mutating func askAround(_ carry: inout Carry) {
    // At the source, or at a window, there is no place to ask.
    guard let stop = carry.currentStop else { return }
    if carry.proposals[stop] == nil {
      // Also where it was asked ahead: others may wait before it.
      let id = question(.arrival(stop), to: stop, carry)
      if carry.owed != nil { wait(for: id, &carry) }
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

  /// The next few stops the way the person walks, never beyond the window reached.
  private func ahead(of stop: DropStop, _ carry: Carry) -> [DropStop] {
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

  /// Other items are held, or another wish: all that was said before is invalid. Everything is asked
  /// anew that is asked at once, and of the windows the place stood on.
  ///
  /// - Parameter why: what is said with the answers.
  /// - Returns: whether it will be; in a window, or where nothing is asked at once, it is left to the
  ///   caller.
  mutating func askAnew(_ carry: inout Carry, for why: AskPurpose) -> Bool {
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

  /// Back to the drag, with what came meanwhile.
  mutating func resumeCarrying(_ carry: Carry) {
    phase = .carrying(carry)
    catchUp()
  }

  // MARK: Answers

  /// One place has answered. What is not current any more is kept without a word.
  mutating func arrived(_ answers: [Answer], at stop: DropStop, round: Int) {
    guard var carry = phase.carry, round == carry.round,
      carry.walk.point(stop.point) != nil
    else { return }
    // An empty answer is one as well: its program says nothing.
    let answer = answers.first { $0.stop == stop } ?? Answer(stop, .refused(.notResponding))
    carry.proposals.merge([answer])
    phase.replaceCarry(carry)
    if carry.currentStop == stop { sayOwed() }
    // It may have been the last one that could accept.
    _ = endIfNothingAccepts()
  }

  /// Says what is owed for the place stood on, once it has answered.
  mutating func sayOwed() {
    // Said in the drag only: a menu over it has the person's ear.
    guard case .carrying(var carry) = phase, carry.stage == .ready, let stop = carry.currentStop,
      let owed = carry.owed, carry.proposals[stop] != nil
    else { return }
    leaveUnsaid(&carry)
    switch owed {
    case .place:
      let isWelcome = verdict(at: stop, carry).isWelcome
      carry.hear(stop, refuses: !isWelcome)
      phase = .carrying(carry)
      sayHere()
    case .wish: wishAnswers(carry)
    }
  }

  /// Nothing accepts: known only when every place of every window has been asked and has refused, and
  /// all else has.
  ///
  /// The drag ends, unless there is more to be done with it: another wish, or a task.
  private mutating func endIfNothingAccepts() -> Bool {
    guard case .carrying(var carry) = phase, carry.stage == .ready, carry.refusedIn != carry.round,
      doesEverythingRefuse(carry)
    else { return false }
    // Another wish, or a task, may still be tried.
    guard carry.wish == nil, carry.taskPoints.isEmpty else {
      carry.refusedIn = carry.round
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

  private func doesEverythingRefuse(_ carry: Carry) -> Bool {
    let isAsked = outstanding.values.contains {
      if case .ask(.refresh, carry.round) = $0 { true } else { false }
    }
    guard !isAsked, openQuestion(carry) == nil else { return false }
    // Also what a filter hides.
    let isWelcome = places(carry).contains { point in
      stops(of: point).contains { verdict(at: $0, of: point, carry).isWelcome }
    }
    if isWelcome { return false }
    // A window that has not been listed yet may accept.
    let isAllListed = windows(carry).allSatisfy { $0.points != nil }
    return isAllListed
      && carry.walk.points[carry.walk.windowPoints].allSatisfy { point in
        stops(of: point).allSatisfy {
          let verdict = verdict(at: $0, carry).verdict
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
    goOn(from: id)
  }

  /// A window that was reached can't be listed: that is said once, as its refusal, and the walk goes on
  /// to the next.
  mutating func couldNotList(_ id: ContainerID, _ reason: Reason) {
    guard var carry = phase.carry else { return }
    carry.unreadable.insert(id)
    phase.replaceCarry(carry)
    // Once; the places around it are said after it.
    if carry.place == .container(id), case .carrying = phase {
      say(.refused(name: name(of: id), reason))
    }
    goOn(from: id)
  }

  /// A window has answered: who stands in it goes to its first place, or on to where that leads.
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
      carry.place = onward(from: carry.place, by: carry.isBackward ? -1 : 1, carry)
    }
    phase.replaceCarry(carry)
    guard case .carrying = phase, !endIfNothingAccepts(), let carry = phase.carry else { return }
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
