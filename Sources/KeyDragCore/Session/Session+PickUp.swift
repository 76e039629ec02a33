import OrderedCollections

/// From the pick-up to the first drop point.
///
/// The items are prepared, then every place is asked; the held items and the first accepting place
/// are announced.
extension Session {
  /// The delay until a pending answer is announced, in milliseconds.
  static var askingDelay: Int { 300 }

  /// More items than these are expected to take a while, so the delay is a third.
  private static var manyItems: Int { 1000 }

  /// The delay until a missing answer is announced, in milliseconds.
  static var patience: Int { 3000 }

  /// Picks up the marked or focused items, or adds them; `showsRefusing` walks refusing places too.
  mutating func pickUp(
    wish: DragOperation?, _ adding: DragState?, showsRefusing: Bool = false
  ) {
    let chosen = pickUpSources()
    guard !chosen.isEmpty else {
      say(.nothingToPickUp(.nothingThere, name: nil))
      endAdding()
      return
    }
    // A single item gives its reason; of several, those that can be dragged are taken.
    if let only = chosen.first, chosen.count == 1, !only.isEnabled || only.kind == .placeholder {
      say(.nothingToPickUp(.notDraggable, name: only.name))
      endAdding()
      return
    }
    let ready = chosen.filter { $0.isEnabled && $0.kind != .placeholder }
    if adding != nil {
      request(.prepare(ready.map(\.id)), for: .prepareAdding)
    } else {
      prepare(
        // Of thousands only the first names are kept.
        ready.map(\.id), names: ready.prefix(20).map(\.name), wish: wish,
        showsRefusing: showsRefusing)
    }
  }

  mutating func prepare(
    _ sources: [DragSourceID], names: [String], wish: DragOperation?,
    direct: DragState.Direct? = nil,
    showsRefusing: Bool = false
  ) {
    prepare(
      by: .prepare(sources), expecting: (names, sources.count), wish: wish, direct: direct,
      showsRefusing: showsRefusing)
  }

  /// Requests the items, for which the phase waits; `expected` is announced until then.
  private mutating func prepare(
    by asked: WorldRequest, expecting expected: ([String], Int), wish: DragOperation?,
    direct: DragState.Direct? = nil, showsRefusing: Bool = false
  ) {
    let id = request(asked, for: .prepareCarry)
    var carry = DragState(stage: .preparing(id), wish: wish, direct: direct)
    carry.expected = expected
    carry.showsRefusing = showsRefusing
    phase = .carrying(carry)
    let delay = expected.1 > Session.manyItems ? Session.askingDelay / 3 : Session.askingDelay
    emit(.startTimer(.asking(id), milliseconds: delay))
    if direct == nil { lookForWindows() }
  }

  /// Whether pasted files can be picked up, instead of going to an open line as text.
  package var acceptsPastedPaths: Bool { settings.isInFolders && !isTyping }

  /// Picks up or adds pasted files; does not start a second drag or answer a question.
  mutating func takePlaces(_ places: [String]) {
    guard !places.isEmpty else { return say(.nothingToPickUp(.nothingThere, name: nil)) }
    take(.take(places, from: browse.container), count: places.count)
  }

  mutating func pasteClipboard() {
    take(.takeClipboard(from: browse.container), count: 0)
  }

  /// Begins a drag with pasted items or adds them, or repeats an open drag or question.
  private mutating func take(_ pasted: FolderRequest, count: Int) {
    let taken = WorldRequest.folders(pasted)
    switch phase {
    case .browsing(adding: nil): prepare(by: taken, expecting: ([], count), wish: nil)
    case .browsing: request(taken, for: .prepareAdding)
    case .carrying(let carry): say(.holding(holding(carry)))
    case .confirming(let question, _): sayChoice(question)
    }
  }

  /// Begins a drop without a walk. Nobody is asked: what would need an answer is refused.
  mutating func begin(_ transfer: Transfer) {
    if let carry = phase.carry {
      // There is only one session: the held items stay held.
      hasFailure = true
      say(.holding(holding(carry)))
      return
    }
    let direct = DragState.Direct(stop: transfer.stop, clash: transfer.clash, isScripted: true)
    // A file named twice is one file.
    let sources = Array(OrderedSet(transfer.sources))
    prepare(sources, names: [], wish: transfer.operation, direct: direct)
  }

  /// The items of a new drag are known; missing ones lose their marks. Without items the drag ends.
  mutating func preparedCarry(_ preparation: PreparedItems) {
    // It may have been cancelled meanwhile.
    guard case .carrying(var carry) = phase, case .preparing = carry.stage else { return }
    unmarkGone(preparation)
    guard !preparation.items.isEmpty else {
      phase = .browsing(adding: nil)
      let first = preparation.refused.first
      fail(first?.reason ?? .notDraggable)
      sayNothing(first)
      return
    }
    carry.items = preparation.items
    carry.origin = preparation.items.first?.source
    carry.taskPoints = preparation.taskPoints
    carry.wish = carry.wish ?? preparation.wish
    // An item whose folder is held comes along with it, and a mark that no longer exists is not
    // counted: neither is announced.
    carry.refusedAtPickUp = preparation.refused.filter {
      $0.reason != .heldWithFolder && (carry.direct?.isScripted == true || $0.reason != .gone)
    }
    // Without a walk the final question is the only one.
    if let direct = carry.direct {
      askFinally(&carry, direct.stop)
    } else {
      let stops = allStops(carry)
      if stops.isEmpty, hasWindows {
        carry.walk = makeWalk(carry)
        return pickUpAnswered(carry)
      }
      ask(&carry, stops: stops, for: .pickUp)
    }
    phase = .carrying(carry)
  }

  private mutating func sayNothing(_ failure: DeliveryFailure?) {
    let name = failure.flatMap { $0.name.isEmpty ? nil : $0.name }
    say(.nothingToPickUp(failure?.reason ?? .notDraggable, name: name))
  }

  /// Removes the marks of missing items, except those that still exist under the same name.
  private mutating func unmarkGone(_ preparation: PreparedItems) {
    let gone = Set(preparation.refused.filter { $0.reason == .gone }.map(\.name))
    guard !gone.isEmpty else { return }
    let there = Set(preparation.items.map(\.source))
    browse.marks.removeAll { gone.contains($0.value.name) && !there.contains($0.key) }
  }

  /// The limit of refusals announced by name.
  static var saidRefusals: Int { 5 }

  /// The items to add are known: announces those already held or refused, adds the rest and asks
  /// every place again.
  mutating func preparedAdding(_ preparation: PreparedItems) {
    guard case .browsing(let adding?) = phase else { return }
    var carry = adding
    let held = Set(carry.items.map(\.source))
    let new = preparation.items.filter { !held.contains($0.source) }
    let known = preparation.items.filter { held.contains($0.source) }.map(\.name)
    // One announcement for many, which are held as wanted.
    if known.count > 1 { say(.heldAlready(names: Array(known.prefix(20)), count: known.count)) }
    let refusals =
      (known.count == 1 ? known.map { DeliveryFailure(name: $0, reason: .alreadyHeld) } : [])
      + preparation.refused
    for refusal in refusals.prefix(Session.saidRefusals) {
      // A clipboard has no name.
      if refusal.name.isEmpty {
        sayNothing(refusal)
      } else {
        say(.refusedToAdd(name: refusal.name, refusal.reason))
      }
    }
    guard !new.isEmpty else {
      if preparation.items.isEmpty && preparation.refused.isEmpty {
        say(.refusedToAdd(name: focused?.name ?? "", .notDraggable))
      }
      // On the desktop the drag goes on: each addition is a pick-up of its own.
      if !settings.hasHome { resumeCarrying(adding) }
      return
    }
    carry.items += new
    // Answers for the smaller drag are stale.
    carry.round += 1
    carry.taskPoints = commonTasks(carry.taskPoints, preparation.taskPoints)
    let names = carry.items.indices.suffix(new.count).map(carry.label)
    let isTold = askAnew(&carry, for: .added(names))
    phase = .carrying(carry)
    if !isTold { addedAnswers(carry, names) }
  }

  /// The tasks that apply to both the held and the added items, with the same program.
  private func commonTasks(
    _ held: [DropPointDescriptor], _ new: [DropPointDescriptor]
  ) -> [DropPointDescriptor] {
    held.filter { one in
      // A folder can be made for anything.
      one.task == .newFolder || new.contains { $0.task == one.task && $0.name == one.name }
    }
  }

  // MARK: Asking

  /// Every stop of every place and task, at all positions that the places allow.
  func allStops(_ carry: DragState) -> [DropStop] {
    places(carry).flatMap(stops(of:)) + carry.taskPoints.map { DropStop($0.id) }
  }

  /// The drop points asked at the pick-up, in registry order.
  func places(_ carry: DragState) -> [DropPointDescriptor] {
    listed(carry, areWindows: false).flatMap { $0.points ?? [] }
  }

  /// The windows with their drop points, in registry order.
  func windows(_ carry: DragState) -> [Walk.Window] {
    listed(carry, areWindows: true).map { window in
      (window.id, window.points ?? (carry.unreadable.contains(window.id) ? [] : nil))
    }
  }

  /// The containers, those opened while carrying last; each place and each folder once.
  private func listed(_ carry: DragState, areWindows: Bool) -> [Walk.Window] {
    let inOrder = registry.entries.keys.filter { !carry.opened.contains($0) }
    let containers = (Array(inOrder) + Array(carry.opened)).filter {
      isAskedOnArrival($0) == areWindows
    }
    var seen: Set<DropPointID> = []
    var seenContainers: Set<ContainerID> = []
    let isAlone = containers.count < 2
    return containers.map { container in
      let points = registry[container]?.dropPoints?.filter { point in
        // A folder is listed by its parent and by itself: it is one place.
        if let leadsTo = point.leadsTo, !seenContainers.insert(leadsTo).inserted { return false }
        return isAlone || seen.insert(point.id).inserted
      }
      return (container, points)
    }
  }

  /// Asks for proposals, announced by `purpose`; a delay is announced after ``askingDelay``.
  mutating func ask(_ carry: inout DragState, stops: [DropStop], for purpose: AskPurpose) {
    let inquiry = ProposalRequest(items: carry.items, wish: carry.wish, stops: stops)
    let id = request(.ask(inquiry), for: .ask(purpose, round: carry.round))
    if case .pickUp = purpose { carry.stage = .asking(id) }
    emit(.startTimer(.asking(id), milliseconds: Session.askingDelay))
  }

  /// Merges proposals, rebuilds the walk and makes the announcement of their purpose. Answers for
  /// an earlier state of the drag are dropped.
  mutating func answered(
    _ answers: [Answer], _ id: RequestID, _ why: AskPurpose, _ round: Int
  ) {
    if let stop = why.stop {
      // A prefetch that was superseded: the stop is asked on arrival.
      if why == .ahead(stop), answers.isEmpty { return }
      arrived(answers, at: stop, round: round)
      return
    }
    guard var carry = phase.carry else { return }
    let isFresh = round == carry.round
    let said = carry.proposals
    // A stale answer is about other items.
    if isFresh {
      carry.proposals.merge(answers)
      if why.isWhole, openQuestion(carry) == nil { carry.proposals.forgetExpired() }
    }
    if why == .final {
      // Only the answer that the drop waits for.
      if carry.stage == .dropping(id) { finallyAnswered(answers, carry, said: said) }
      return
    }
    // Stale answers were requested again; only the numbers are still announced.
    switch why {
    case .added, .removed, .opened, .goneTo: break
    case .pickUp: if carry.stage != .asking(id) { return }
    case .wish, .appeared, .refresh, .rest, .arrival, .ahead, .final: if !isFresh { return }
    }
    if isFresh {
      carry.walk = makeWalk(carry)
      settle(&carry)
    }
    switch why {
    case .pickUp: pickUpAnswered(carry)
    case .wish: wishAnswered(carry)
    case .added(let names): addedAnswers(carry, names)
    case .removed(let name):
      removedAnswers(carry, name)
      // Of what is left the place at hand may take more or less.
      if let stop = carry.currentStop, said[stop]?.acceptance != carry.proposals[stop]?.acceptance {
        sayHere()
      }
    case .appeared(let point, let name): appearedAnswers(carry, point, name)
    case .opened(let container, let point): openedAnswers(carry, container, point)
    case .goneTo(let container): goneToAnswers(carry, container)
    case .refresh, .rest, .arrival, .ahead, .final:
      phase.replaceCarry(carry)
      // It may include the place that the person waits for.
      sayPendingAnnouncement()
      if why == .refresh, case .carrying = phase, let stop = carry.currentStop,
        let new = carry.proposals[stop]?.predictions.first, new.isFoundLate,
        said[stop]?.predictions.first != new
      {
        sayHere()
      }
    }
    sayCount()
  }

  /// Some places have answered and can be walked: a drag begins once its first place has answered,
  /// a wish or an addition is announced once the current one has. The rest only adds to the number
  /// of places.
  mutating func answering(_ answers: [Answer], _ id: RequestID) {
    // A script waits for all of them.
    guard settings.asksPerson, case .ask(let why, let round)? = outstanding[id], why.isWhole,
      var carry = phase.carry, round == carry.round
    else { return }
    carry.proposals.merge(answers)
    carry.walk = makeWalk(carry)
    settle(&carry)
    phase.replaceCarry(carry)
    guard case .carrying = phase else { return }
    let stop =
      if case .pickUp = why { firstPlace(carry).stop } else { carry.currentStop }
    guard let stop, carry.proposals.isAnswered(stop) else { return }
    switch why {
    case .pickUp where carry.stage == .asking(id):
      answerRest(id, round)
      pickUpAnswered(carry)
    case .wish where carry.stage == .ready:
      answerRest(id, round)
      wishAnswered(carry)
    case .added(let names) where carry.stage == .ready:
      answerRest(id, round)
      addedAnswers(carry, names)
    default: break
    }
  }

  private mutating func answerRest(_ id: RequestID, _ round: Int) {
    outstanding[id] = .ask(.rest, round: round)
    emit(.cancelTimer(.asking(id)))
  }

  /// The pending question to all places about the current items and wish.
  func openQuestion(_ carry: DragState) -> RequestID? {
    request { purpose in
      guard case .ask(let why, carry.round) = purpose else { return false }
      return why.isWhole
    }
  }

  /// Announces how many places accept, once all have answered.
  private mutating func sayCount() {
    guard case .carrying(var carry) = phase, carry.stage == .ready, carry.isAnnounced,
      !carry.isCounted, openQuestion(carry) == nil
    else { return }
    carry.isCounted = true
    phase = .carrying(carry)
    let count = acceptingPlaces(carry)
    if count > 0 { say(.points(count)) }
  }

  /// The first answers to a pick-up: announces it and the first place, or ends it if none accepts.
  mutating func pickUpAnswered(_ carry: DragState) {
    guard case .carrying = phase else { return }
    var carry = carry
    // Windows may accept what no folder does.
    if carry.walk.placeCount == 0, let id = windowSearch {
      carry.stage = .asking(id)
      phase = .carrying(carry)
      emit(.startTimer(.asking(id), milliseconds: Session.askingDelay))
      return
    }
    carry.stage = .ready
    carry.place = firstPlace(carry)
    guard carry.place != .source else {
      phase = .browsing(adding: nil)
      // A later answer would be taken for one to the next pick-up.
      release(carry)
      say(
        .nothingAccepts(
          count: carry.items.count, alternatives: alternatives(carry),
          refusal: commonRefusal(carry)))
      return
    }
    // It is unknown yet how many windows accept.
    let isInWindow = isInWindow(carry.place, carry)
    let isKnown = openQuestion(carry) == nil && !isInWindow
    let count = isKnown ? acceptingPlaces(carry) : nil
    // None is not announced if the first place says that a drop there cancels.
    sayPickedUp(&carry, points: count == 0 && !carry.showsRefusing ? nil : count)
    if isInWindow || isKnown { carry.isCounted = true }
    phase = .carrying(carry)
    arrive(carry)
    for failure in carry.refusedAtPickUp.prefix(Session.saidRefusals) {
      say(.refusedToAdd(name: failure.name, failure.reason))
    }
  }

  /// The first place of a walk: the best one, or in a list the one next to the focused item; the
  /// source if none accepts.
  func firstPlace(_ carry: DragState) -> DragState.WalkLocation {
    let walk = carry.walk
    guard walk.windowBlocks.upperBound > 0 || otherFolders(walk) > 0 else { return .source }
    return entry(of: walk.block(0), carry)
  }

  /// Announces the pick-up, once per drag; `points` is `nil` while unknown.
  mutating func sayPickedUp(_ carry: inout DragState, points: Int?) {
    guard !carry.isAnnounced else { return }
    carry.isAnnounced = true
    carry.isCounted = points != nil
    let operation = carry.currentStop.flatMap { verdict(at: $0, carry).operation }
    say(
      .pickedUp(
        PickUp(
          names: carry.names, typeName: carry.items.first?.typeName ?? "",
          kinds: KindCount.count(carry.items), count: carry.items.count,
          operation: operation ?? carry.wish, points: points,
          // The keys are explained once per session.
          isFirst: told.give(.carrying))))
  }

  /// The number of folders among the blocks after the places.
  func otherFolders(_ walk: Walk) -> Int {
    (walk.windowBlocks.upperBound..<walk.blockCount).count {
      walk.point(ofStop: walk.block($0).lowerBound)?.isFolder == true
    }
  }

  /// The number of accepting places in the walk, which may have refusing ones as well; without any
  /// place, that of other folders.
  func acceptingPlaces(_ carry: DragState) -> Int {
    if carry.walk.placeCount == 0 { return otherFolders(carry.walk) }
    // The number of blocks is too high with refusing places among them, and with one at which a
    // drop cancels, which is in the items' own container.
    let isMixed = carry.showsRefusing || openQuestion(carry) != nil
    let home = carry.items.first?.container
    return (0..<carry.walk.placeCount).count { index in
      let block = carry.walk.block(index)
      guard isMixed || carry.walk.point(ofStop: block.lowerBound)?.container == home else {
        return true
      }
      return block.compactMap(carry.walk.stop).contains {
        verdict(at: $0, carry).accepts
      }
    }
  }

  /// The most frequent reason for a refusal, other than that items are in their own folder already,
  /// which is no news; `nil` without any.
  private func commonRefusal(_ carry: DragState) -> CommonRefusal? {
    var refusals: OrderedDictionary<Reason, [String]> = [:]
    let homes = Set(carry.items.map(\.container))
    for point in places(carry) {
      if let own = point.leadsTo, homes == [own], registry[own]?.container.isOrdered == false {
        continue
      }
      let stops = DropPosition.allCases.filter { point.positions.contains($0.set) }
      // The first position with a reason stands for the place.
      let reason = stops.lazy.compactMap { position in
        verdict(at: DropStop(point.id, position), of: point, carry).reason
      }.first
      if let reason, reason != .samePlace { refusals[reason, default: []].append(point.name) }
    }
    let most = refusals.values.map(\.count).max()
    return refusals.first { $0.value.count == most }.map {
      CommonRefusal(reason: $0.key, places: $0.value)
    }
  }

  /// Other uses of the items: the tasks that apply, otherwise opening a folder.
  private func alternatives(_ carry: DragState) -> [Alternative] {
    if !settings.hasHome { return [.openWindow] }
    if carry.wish == .move, carry.reasonAgainst(.move) != nil, carry.reasonAgainst(.copy) == nil {
      return [.copy]
    }
    let tasks = carry.taskPoints.compactMap { point -> Alternative? in
      switch point.task {
      case .trash: .trash
      case .print: .print
      case .openWith: .openWith(program: point.name)
      case .newFolder, .clipboard, nil: nil
      }
    }
    return tasks.isEmpty ? [.openFolder] : tasks
  }

  /// Called by the timer: announces what is held and that places are asked, if still pending.
  mutating func askingIsLate(_ id: RequestID) {
    if case .restoreKeyboard = outstanding[id] { return sayEnd(id) }
    // Its program may have to copy it first.
    if case .focus = outstanding[id] { return say(.pickingUp(names: [], count: 0)) }
    if let purpose = outstanding[id], purpose.takesBack {
      late.insert(id)
      if awaited?.id == id { awaited?.isSaid = true }
      return say(.undoing(isRedo: purpose == .redo))
    }
    if isLateForKeys(id) { return }
    // A pick-up no longer waits for it.
    if case .listRoot = outstanding[id] { late.insert(id) }
    guard case .carrying(var carry) = phase else { return }
    switch outstanding[id] {
    case .prepareCarry, .ask, .openPoint, .listDropPoints, .windows: late.insert(id)
    // A key waited for it, and no longer does.
    default: return
    }
    if case .openPoint(let point) = outstanding[id] {
      openingIsLate(point, carry)
      return
    }
    if carry.stage == .ready {
      switch outstanding[id] {
      // Requests to another window are not announced.
      case .listDropPoints, .windows, .ask(.arrival, _): return arrivalIsLate(id, carry)
      default: if isInWindow(carry.place, carry) { return }
      }
    }
    // The clipboard has not reported how much it holds.
    if carry.direct == nil, carry.count == 0, case .preparing = carry.stage {
      say(.listing(container: phrases.unmarked.name(of: .clipboard)))
      return
    }
    if carry.direct == nil, case .preparing = carry.stage {
      return say(.pickingUp(names: carry.names, count: carry.count))
    }
    guard carry.direct == nil, case .asking = carry.stage, !carry.isAnnounced else {
      phase = .carrying(carry)
      say(.holding(holding(carry, isAsking: true)))
      return
    }
    sayPickedUp(&carry, points: nil)
    carry.walk = makeWalk(carry)
    phase = .carrying(carry)
    if let stop = firstPlace(carry).stop, let report = report(at: stop, carry) {
      say(.dropPoint(report))
    }
  }
}

extension DropPosition {
  var set: DropPositions { DropPositions(rawValue: 1 << rawValue) }
}
