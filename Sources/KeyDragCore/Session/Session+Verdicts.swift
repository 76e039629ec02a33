/// The verdicts of places and the order of the walk, derived from proposals; nothing is asked.
extension Session {
  /// The effect of a drop at a stop; `asking` without an answer.
  func verdict(at stop: DropStop, _ carry: DragState) -> Verdict {
    verdict(at: stop, of: nil, carry)
  }

  /// - Parameter point: the drop point of the stop, if the caller has it.
  func verdict(
    at stop: DropStop, of point: DropPointDescriptor?, _ carry: DragState
  ) -> Verdict {
    carry.proposals[stop].map { judge($0, at: stop, of: point, carry) } ?? Verdict(.asking)
  }

  func judge(
    _ proposal: DropProposal, at stop: DropStop, of point: DropPointDescriptor? = nil,
    _ carry: DragState
  ) -> Verdict {
    let verdict = Verdict(proposal, count: carry.items.count)
    return verdict.accepts
      ? negotiated(verdict, proposal.offers, point ?? self.point(of: stop, carry), carry) : verdict
  }

  /// Chooses the operation from the wish, the items and the place; without one it refuses.
  private func negotiated(
    _ verdict: Verdict, _ offers: DragOperations, _ point: DropPointDescriptor?,
    _ carry: DragState
  ) -> Verdict {
    var verdict = verdict
    let allowed = carry.allowed(refused: verdict.refused)
    let route = route(to: point, carry)
    verdict.operation = Negotiation.operation(
      wish: carry.wish, allowed: allowed, offers: offers, route: route)
    // An item that can't be copied is not moved instead, nor are the others because of one. Items
    // that can't be moved are copied: nothing is lost by that, and it is announced beforehand.
    let usual = Negotiation.defaultOperation(route)
    let isWithheld =
      carry.wish == nil && verdict.operation != usual && offers.contains(DragOperations(usual))
      && (usual == .copy && carry.isCopyForbidden
        || (carry.disallowed[usual]?.count ?? 0) < carry.items.count)
    guard verdict.operation == nil || isWithheld else { return verdict }
    // Either the place does not offer it, or the items do not allow it.
    guard let wish = carry.wish ?? (isWithheld ? usual : nil),
      offers.contains(DragOperations(wish))
    else {
      let wanted = carry.wish.map { DragOperations($0) } ?? offers
      return Verdict(
        .refuse, allowed.isDisjoint(with: wanted) ? .notPermitted : .operationNotOffered)
    }
    verdict.refuse(carry.disallowed[wish] ?? [:], of: carry.items.count)
    verdict.operation = verdict.accepts ? wish : nil
    return verdict
  }

  /// The default operation differs within a disk and to another program.
  private func route(
    to point: DropPointDescriptor?, _ carry: DragState
  ) -> Negotiation.Route {
    let target = point.flatMap { registry[$0.leadsTo ?? $0.container] ?? registry[$0.container] }
    return Negotiation.Route(
      sourceTrees: carry.trees, targetTree: point?.tree ?? target?.container.tree,
      isOtherApp: target?.container.app != nil)
  }

  /// `nil` if it is gone.
  func point(of stop: DropStop, _ carry: DragState) -> DropPointDescriptor? {
    carry.walk.point(stop.point) ?? findPoint(stop.point, carry)
  }

  /// A drop point by its id, without a walk.
  func findPoint(_ id: DropPointID, _ carry: DragState) -> DropPointDescriptor? {
    for entry in registry.entries.values {
      if let point = entry.dropPoints?.first(where: { $0.id == id }) { return point }
    }
    return carry.taskPoints.first { $0.id == id }
  }

  // MARK: The walk

  /// The walk over the known places. A stop is included if a drop has an effect or it has not
  /// answered yet; with refusing places shown, if it has answered. A stop of a window is left out
  /// only if it refused on an earlier walk.
  func makeWalk(_ carry: DragState) -> Walk {
    var places = places(carry)
    // A bookmark that is among the places is walked there.
    let known = Set(places.compactMap(\.leadsTo))
    var tasks = carry.taskPoints.filter {
      !$0.isShortcut || $0.leadsTo.map { !known.contains($0) } ?? true
    }
    // Folders first, so that the trash is not on the way to one.
    tasks = tasks.filter(\.isFolder) + tasks.filter { !$0.isFolder }
    if let part = carry.filter.map(NameFragment.init) {
      places.removeAll { !part.isIn($0.name) }
      tasks.removeAll { !part.isIn($0.name) }
    }
    // A place that has not answered yet may accept and is not skipped.
    let isAsked = openQuestion(carry) != nil
    let home = homeIndex(places, carry, isAsked: isAsked)
    let windows = windows(carry)
    let windowIDs = Set(windows.map(\.id))
    return Walk(places: places, windows: windows, tasks: tasks, start: home, after: carry.walk) {
      stop, point in
      if windowIDs.contains(point.container), point.task == nil {
        return carry.showsRefusing || !carry.isAside(stop) || carry.proposals[stop] == nil
          || verdict(at: stop, of: point, carry).isDroppable
      }
      if isAsked, !carry.proposals.isAnswered(stop) { return true }
      return carry.showsRefusing
        ? carry.proposals[stop] != nil : verdict(at: stop, of: point, carry).isDroppable
    }
  }

  /// The index of the best place: an enclosing container that accepts, otherwise the place after
  /// the first item's own container in registry order. The own container comes last if there is a
  /// wish, unless it is a list with positions: a copy is not meant to go beside the original.
  private func homeIndex(
    _ places: [DropPointDescriptor], _ carry: DragState, isAsked: Bool
  ) -> Int {
    guard let home = carry.items.first?.container else { return 0 }
    func index(of container: ContainerID) -> Int? {
      places.firstIndex {
        $0.leadsTo == container || ($0.container == container && $0.positions != .on)
      }
    }
    for container in registry.enclosing(home) {
      guard let index = index(of: container) else { continue }
      let isMeant = container != home || carry.wish == nil
      let stop = DropStop(places[index].id)
      let isDroppable =
        verdict(at: stop, carry).isDroppable || isAsked && !carry.proposals.isAnswered(stop)
      if isMeant && isDroppable || places[index].positions != .on { return index }
    }
    // No enclosing container accepts: its own places.
    guard let own = index(of: home) else {
      return places.firstIndex { $0.container == home } ?? 0
    }
    let isPassedOver =
      carry.wish != nil && verdict(at: DropStop(places[own].id), carry).isDroppable
    return isPassedOver ? (own + 1) % places.count : own
  }

  /// The stop at which a list is entered: the first after the focused item or the end of the
  /// selection. A plain place has one stop only.
  ///
  /// - Parameter isOn: stay on the items or between them, if possible.
  func entry(of block: Range<Int>, _ carry: DragState, isOn: Bool? = nil) -> DragState.WalkLocation
  {
    let walk = carry.walk
    guard block.count > 1 else { return walk.place(block.lowerBound) }
    let kept = isOn.map { isOn in block.filter { (walk.position(ofStop: $0) == .on) == isOn } }
    let stops = kept.flatMap { $0.isEmpty ? nil : $0 } ?? Array(block)
    guard let anchor = anchor(of: block, carry) else { return walk.place(stops[0]) }
    let behind = stops.first { index in
      let ordinal = walk.ordinal(ofStop: index)
      return ordinal > anchor || (ordinal == anchor && walk.position(ofStop: index) == .after)
    }
    return walk.place(behind ?? stops[stops.count - 1])
  }

  /// The ordinal of the row after which a list is entered, found by its name, since an item and its
  /// drop point have different ids.
  private func anchor(of block: Range<Int>, _ carry: DragState) -> Int? {
    let walk = carry.walk
    guard let head = walk.point(ofStop: block.lowerBound),
      let name = anchorName(in: head.container)
    else { return nil }
    // Refusing rows have no stop, so the list may extend beyond its block.
    var first = walk.ordinal(ofStop: block.lowerBound)
    while let row = walk.neighbour(of: walk.points[first], by: -1) {
      if row.container != head.container { break }
      first -= 1
    }
    var ordinal = first
    while walk.points.indices.contains(ordinal), walk.points[ordinal].container == head.container,
      walk.points[ordinal].positions != .on
    {
      if walk.points[ordinal].name == name { return ordinal }
      ordinal += 1
    }
    return nil
  }

  /// The item next to which a list is entered: the focused one, otherwise the last marked one,
  /// otherwise the focused one of another view.
  private func anchorName(in container: ContainerID) -> String? {
    if let focused, focused.container == container { return focused.name }
    if let last = browse.marks.values.last(where: { $0.container == container }) {
      return last.name
    }
    let level = browse.views.map(\.top).first { $0.container == container }
    guard let level, let sources = registry[container]?.sources,
      sources.indices.contains(level.focus)
    else { return nil }
    return sources[level.focus].name
  }
}

extension Verdict {
  /// The verdict of a place that has answered, before an operation is chosen.
  package init(_ proposal: DropProposal, count: Int) {
    switch proposal.acceptance {
    case .none(let reason): self.init(.refuse, reason)
    case .forbidden(let reason): self.init(.forbidden, reason)
    case .cancels: self.init(.cancel)
    case .all: self.init(.accept)
    case .maybe: self.init(.maybe)
    case .some: self.init(proposal.isUncertain ? .maybe : .accept)
    }
    guard accepts else { return }
    accepted = count
    (prediction, irreversible) = (proposal.predictions.first, proposal.irreversible)
    undo = proposal.programUndo
    (textPosition, isTextPositionUnknown) = (proposal.textPosition, proposal.isTextPositionUnknown)
    guard case .some(let refused) = proposal.acceptance else { return }
    refuse(refused.filter { (0..<count).contains($0.key) }, of: count)
  }

  /// Leaves out items; a place that takes none of them refuses.
  fileprivate mutating func refuse(_ others: [Int: Reason], of count: Int) {
    refused.merge(others) { first, _ in first }
    reason = refused.min { $0.key < $1.key }?.value
    accepted = count - refused.count
    if accepted <= 0 {
      self = Verdict(.refuse, reason)
    } else if word == .accept, !refused.isEmpty {
      word = .partial
    }
  }

  package var accepts: Bool { [.accept, .partial, .maybe].contains(word) }

  /// Whether a drop has an effect, which includes cancelling.
  var isDroppable: Bool { accepts || word == .cancel }

  func verdict(onItem index: Int) -> Verdict {
    guard isDroppable else { return word == .asking ? self : Verdict(.refuse, reason ?? .unknown) }
    if let reason = refused[index] { return Verdict(.refuse, reason) }
    return Verdict(word == .cancel ? .asking : word == .maybe ? .maybe : .accept)
  }
}
