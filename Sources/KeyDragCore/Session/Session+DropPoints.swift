/// Opening and leaving places while carrying, and describing the current place.
///
/// The contents of an opened place are asked like any other; it stays open until the drag ends.
extension Session {
  mutating func openDropPoint(_ carry: DragState) {
    guard let stop = carry.currentStop, let point = carry.walk.point(stop.point) else {
      say(.cannotOpen(name: carry.names.first ?? "", .notAFolder))
      return
    }
    guard point.canOpen else {
      // A given folder is open already.
      if !isInWindow(point), let own = point.leadsTo, own == point.container,
        registry[own]?.container.isOrdered == false
      {
        openedAnswers(carry, own, point.id)
        return
      }
      say(.cannotOpen(name: point.name, .notAFolder))
      return
    }
    // A bouncing key must not time out twice.
    for (id, purpose) in outstanding where purpose == .openPoint(point.id) {
      emit(.cancelTimer(.asking(id)))
    }
    // Announced only if it takes long.
    let id = request(
      .list(.opened(point.id), includingHidden: settings.showsHidden), for: .openPoint(point.id))
    emit(.startTimer(.asking(id), milliseconds: Session.askingDelay))
  }

  mutating func openingIsLate(_ id: DropPointID, _ carry: DragState) {
    // The same place may be asked about by now.
    guard carry.stage == .ready, carry.currentStop?.point == id,
      let point = carry.walk.point(id)
    else { return }
    say(.opening(name: point.name))
  }

  /// The places inside are listed: asks them, or closes the listing again without a drag.
  mutating func openedDropPoint(_ listing: Listing, from point: DropPointID) {
    let id = listing.container.id
    guard var carry = phase.carry else {
      if registry[id] == nil { tell(.close(id)) }
      return
    }
    if isAskedOnArrival(id) || listing.container.isAskedOnArrival {
      openedOnArrival(listing, from: point, carry)
      return
    }
    connect(listing)
    if registry[id] == nil {
      carry.opened.append(id)
      registry.insert(listing)
    }
    let stops =
      (listing.dropPoints ?? []).map { DropStop($0.id) } + addNewFolder(of: listing, to: &carry)
    // A person who has moved on stays where they are.
    let isThere = carry.currentStop?.point == point
    ask(&carry, stops: stops, for: isThere ? .opened(id, from: point) : .rest)
    phase.replaceCarry(carry)
  }

  /// The places inside have answered: announces their number, and goes to the first that accepts.
  mutating func openedAnswers(_ carry: DragState, _ container: ContainerID, _ point: DropPointID) {
    phase.replaceCarry(carry)
    let inside = placesInside(container, of: point)
    say(
      .opened(
        name: registry[container]?.container.name ?? "", count: inside.count, holds: .dropPoints))
    let isAsked = openQuestion(carry) != nil
    let first = inside.first { point in
      let stop = DropStop(point.id)
      return verdict(at: stop, carry).isDroppable || isAsked && !carry.proposals.isAnswered(stop)
    }
    if let first, case .carrying(let carry) = phase { stand(.stop(DropStop(first.id)), carry) }
  }

  /// The places in an opened container, without the one that stands for the container itself.
  func placesInside(
    _ container: ContainerID, of point: DropPointID
  ) -> [DropPointDescriptor] {
    (registry[container]?.dropPoints ?? []).filter {
      $0.id != point && $0.leadsTo != container
    }
  }

  /// Goes to the parent of the current place; announces the top at the outermost and at a task.
  mutating func leaveDropPoint(_ carry: DragState) {
    guard let stop = carry.currentStop, let point = carry.walk.point(stop.point),
      point.leadsTo != point.container, point.task == nil
    else {
      say(.edge(.top))
      return
    }
    let parent = carry.walk.points.first { $0.leadsTo == point.container && $0.id != point.id }
    guard let parent else {
      say(.edge(.top))
      return
    }
    // A place in a view of a window is left for the view, not for the window.
    if parent.container != point.container {
      say(.left(name: registry[point.container]?.container.name ?? parent.name))
    }
    stand(.stop(DropStop(parent.id)), carry)
  }

  // MARK: Saying

  /// All that can be announced of a place, such as name and verdict; `nil` outside the walk.
  func report(at stop: DropStop, _ carry: DragState) -> DropPointReport? {
    guard let point = carry.walk.point(stop.point) else { return nil }
    let container = registry[point.container]?.container
    // A place that stands for its own container needs no second name.
    let isOwn = point.leadsTo == point.container || point.isElsewhere
    let (index, total) = number(of: stop, carry)
    var report = DropPointReport(
      name: point.name, container: isOwn ? nil : container?.name, app: container?.app,
      position: stop.position, verdict: verdict(at: stop, carry), count: carry.items.count,
      index: index, total: total)
    (report.after, report.before) = neighbours(of: stop, point, carry)
    report.task = point.task
    report.isConfusable = point.task == nil && carry.walk.points.containsConfusable(point)
    report.isOnAnotherWorkspace = container?.isOnAnotherWorkspace == true
    return report
  }

  /// The names around a place between two items; `nil` at the ends of a list and on an item.
  private func neighbours(
    of stop: DropStop, _ point: DropPointDescriptor, _ carry: DragState
  ) -> (after: String?, before: String?) {
    switch stop.position {
    case .on: (nil, nil)
    case .before: (carry.walk.neighbour(of: point, by: -1)?.name, point.name)
    case .after: (point.name, carry.walk.neighbour(of: point, by: 1)?.name)
    }
  }

  /// "48 of 200", among the places or the stops of a list, without tasks; `nil` if it is not in the
  /// walk. In a window it is counted among all places, so that a place keeps its number when others
  /// are left out.
  func number(of stop: DropStop, _ carry: DragState) -> (index: Int?, total: Int?) {
    if let point = carry.walk.point(stop.point), point.positions == .on, isInWindow(point) {
      let all = carry.walk.points[carry.walk.windowPoints].filter {
        $0.container == point.container && $0.positions == .on
      }
      return (all.firstIndex { $0.id == point.id }.map { $0 + 1 }, all.count)
    }
    // The number of places is unknown while some are being asked.
    guard let index = carry.walk.index(of: stop), openQuestion(carry) == nil else {
      return (nil, nil)
    }
    let block = carry.walk.block(of: index)
    // A task has no number among places.
    guard block < carry.walk.windowBlocks.upperBound else { return (nil, nil) }
    let range = carry.walk.block(block)
    if range.count > 1 { return (index - range.lowerBound + 1, range.count) }
    guard block < carry.walk.placeCount else { return (nil, nil) }
    return (block + 1, carry.walk.placeCount)
  }

  /// The limit of items whose names are announced in one sentence.
  private static var mostNamed: Int { 3 }

  /// Announces what the place takes; again, or with many items, opens a list of them.
  mutating func sayDetails(_ carry: DragState) {
    let isSaid = told.last.contains { if case .details = $0 { true } else { false } }
    // The source is not a place that could be asked.
    if lastCommand == .details, isSaid || carry.place == .source { return listDetails(carry) }
    let isAsking = carry.currentStop.map { verdict(at: $0, carry).word == .asking } ?? true
    if carry.items.count > Session.mostNamed, !isAsking || carry.place == .source {
      return listDetails(carry)
    }
    guard let stop = carry.currentStop else {
      arrive(carry)
      return
    }
    let stopVerdict = verdict(at: stop, carry)
    if isInWindow(carry.place, carry), stopVerdict.word == .asking {
      say(.holding(holding(carry)))
      return
    }
    let isDroppable = stopVerdict.accepts
    let refused = carry.items.indices.compactMap { index -> DeliveryFailure? in
      // The item's own reason, or that of the place for all.
      guard let reason = isDroppable ? stopVerdict.refused[index] : stopVerdict.reason ?? .unknown
      else { return nil }
      return DeliveryFailure(name: carry.label(of: index), reason: reason)
    }
    let accepted = carry.items.indices.filter { isDroppable && stopVerdict.refused[$0] == nil }
    say(
      .details(
        accepted: accepted.map(carry.label), refused: refused,
        undo: accepted.isEmpty ? .certain : carry.proposals[stop]?.undo ?? .certain,
        isUncertain: stopVerdict.word == .maybe))
  }

  private mutating func listDetails(_ carry: DragState) {
    let place = carry.currentStop.flatMap { carry.walk.point($0.point)?.name }
    let stopVerdict = carry.currentStop.map { verdict(at: $0, carry) }
    let lines = carry.items.indices.map { index -> Choice in
      .held(name: carry.label(of: index), stopVerdict?.verdict(onItem: index) ?? Verdict(.asking))
    }
    open(
      .details, .details(place: place, count: carry.items.count), lines, over: .carrying(carry))
  }

  /// The held items, the place and the effect of a drop.
  ///
  /// - Parameter isAsking: an answer is pending.
  func holding(_ carry: DragState, isAsking: Bool = false) -> Holding {
    var place: DropPointReport?
    switch carry.place {
    case .source:
      // Before the pick-up is complete there is nothing to go back to.
      let name = carry.stage == .ready ? carry.items.first?.name : nil
      place = DropPointReport(
        name: name ?? "", position: nil, verdict: Verdict(.cancel), count: carry.count)
    case .container(let id):
      let container = registry[id]?.container
      place = DropPointReport(
        name: container?.name ?? "", app: container?.app, position: nil,
        verdict: Verdict(.asking), count: carry.count)
    case .stop(let stop): place = report(at: stop, carry)
    }
    if isAsking {
      place?.verdict.word = .asking
      // Nothing is known of a pending answer.
      place?.verdict.prediction = nil
      place?.verdict.undo = .certain
      place?.verdict.irreversible = nil
    }
    return Holding(names: carry.names, count: carry.count, place: place)
  }

  /// Announces what is held, the place and the effect; repeated with many items, lists them.
  mutating func sayWhere() {
    switch phase {
    case .browsing(adding: nil):
      sayContainer()
      sayFilterInForce()
      if focused != nil { sayItem() }
    case .browsing(let carry?):
      say(.holding(Holding(names: carry.names, count: carry.count)))
      sayItem()
    case .carrying(let carry)
    where lastCommand == .whereAmI && carry.stage == .ready
      && carry.items.count > Session.mostNamed:
      // The names did not fit into the previous announcement.
      listDetails(carry)
    case .carrying(let carry):
      say(.holding(holding(carry, isAsking: carry.stage != .ready)))
      sayFilterInForce()
    case .confirming(let question, _):
      sayQuestion(question)
    }
  }
}
