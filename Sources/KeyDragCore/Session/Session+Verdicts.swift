/// The answers of places to the items carried, and the order in which places are walked.
///
/// Nothing is asked here: all is read from the proposals that have come.
extension Session {
  /// A verdict with the operation a drop would carry out.
  struct Judgement: Hashable, Sendable {
    /// The answer that is said and shown.
    var verdict: Verdict
    /// `nil` where nothing would be done.
    var operation: DragOperation?
    /// How many items the place takes.
    var accepted: Int
    /// Items that it does not take, by their index.
    var refused: [Int: Reason] = [:]
    /// Why not, for all or for the first of them.
    var reason: Reason?

    /// Whether a drop here leads to something: also one that cancels.
    var isWelcome: Bool {
      switch verdict {
      case .accept, .partial, .maybe, .cancel: true
      case .refuse, .asking, .forbidden: false
      }
    }

    /// The answer to one of the items.
    func verdict(onItem index: Int) -> ItemVerdict {
      switch verdict {
      case .asking, .cancel: .unknown
      case .refuse, .forbidden: .refused(reason ?? .unknown)
      case .accept, .partial, .maybe:
        refused[index].map(ItemVerdict.refused) ?? (verdict == .maybe ? .maybe : .accepted)
      }
    }
  }

  /// The effect of a drop at a stop; `asking` where nothing has come yet.
  func verdict(at stop: DropStop, _ carry: Carry) -> Judgement {
    verdict(at: stop, of: nil, carry)
  }

  /// - Parameter point: the drop point of the stop, where it is at hand.
  func verdict(
    at stop: DropStop, of point: DropPointDescriptor?, _ carry: Carry
  ) -> Judgement {
    guard let proposal = carry.proposals[stop] else {
      return Judgement(verdict: .asking, accepted: 0)
    }
    return judge(proposal, at: stop, of: point, carry)
  }

  /// Judges a proposal for what is carried.
  func judge(
    _ proposal: DropProposal, at stop: DropStop, of point: DropPointDescriptor? = nil,
    _ carry: Carry
  ) -> Judgement {
    let count = carry.items.count
    switch proposal.acceptance {
    case .none(let reason): return Judgement(verdict: .refuse, accepted: 0, reason: reason)
    case .forbidden(let reason):
      return Judgement(verdict: .forbidden, accepted: 0, reason: reason)
    case .cancels: return Judgement(verdict: .cancel, accepted: 0)
    case .all:
      return accepting(.accept, [:], proposal, point ?? self.point(of: stop, carry), carry)
    case .maybe:
      return accepting(.maybe, [:], proposal, point ?? self.point(of: stop, carry), carry)
    case .some(let refused):
      // Only for items that there are.
      let refused = refused.filter { (0..<count).contains($0.key) }
      guard refused.count < count else {
        return Judgement(
          verdict: .refuse, accepted: 0, reason: refused.min { $0.key < $1.key }?.value)
      }
      let verdict: Verdict =
        proposal.isUncertain ? .maybe : refused.isEmpty ? .accept : .partial
      return accepting(
        verdict, refused, proposal,
        point ?? self.point(of: stop, carry), carry)
    }
  }

  /// Chooses the operation, from the wish, what items allow and what the place offers; without one
  /// the place refuses.
  private func accepting(
    _ verdict: Verdict, _ refused: [Int: Reason], _ proposal: DropProposal,
    _ point: DropPointDescriptor?, _ carry: Carry
  ) -> Judgement {
    let allowed = carry.allowed(refused: refused)
    let route = route(to: point, carry)
    let operation = Negotiation.operation(
      wish: carry.wish, allowed: allowed, offers: proposal.offers, route: route)
    // What can't be copied is not moved instead, nor are the others for the sake of one. What can't be
    // moved is copied: nothing is lost by that, and it is said beforehand.
    let usual = Negotiation.defaultOperation(route)
    let isWithheld =
      carry.wish == nil && operation != usual && proposal.offers.contains(DragOperations(usual))
      && (usual == .copy && carry.isCopyForbidden
        || (carry.withheld[usual]?.count ?? 0) < carry.items.count)
    guard let operation, !isWithheld else {
      // Either the place does not do it, or what is carried may not be used that way.
      guard let wish = carry.wish ?? (isWithheld ? usual : nil),
        proposal.offers.contains(DragOperations(wish))
      else {
        let wanted = carry.wish.map { DragOperations($0) } ?? proposal.offers
        let isAllowed = !allowed.isDisjoint(with: wanted)
        return Judgement(
          verdict: .refuse, accepted: 0, reason: isAllowed ? .operationNotOffered : .notPermitted)
      }
      let refused = refused.merging(carry.withheld[wish] ?? [:]) { first, _ in first }
      let first = refused.min { $0.key < $1.key }?.value
      guard refused.count < carry.items.count else {
        return Judgement(verdict: .refuse, accepted: 0, reason: first)
      }
      return Judgement(
        verdict: verdict == .maybe ? .maybe : .partial, operation: wish,
        accepted: carry.items.count - refused.count, refused: refused, reason: first)
    }
    return Judgement(
      verdict: verdict, operation: operation, accepted: carry.items.count - refused.count,
      refused: refused, reason: refused.min { $0.key < $1.key }?.value)
  }

  /// From where to where: within one disk, or to another program, things are done otherwise.
  private func route(
    to point: DropPointDescriptor?, _ carry: Carry
  ) -> Negotiation.Route {
    let target = point.flatMap { registry[$0.leadsTo ?? $0.container] ?? registry[$0.container] }
    return Negotiation.Route(
      sourceTrees: carry.trees, targetTree: point?.tree ?? target?.container.tree,
      isOtherApp: target?.container.app != nil)
  }

  /// The drop point of a stop; `nil` where it is gone.
  func point(of stop: DropStop, _ carry: Carry) -> DropPointDescriptor? {
    carry.walk.point(stop.point) ?? findPoint(stop.point, carry)
  }

  /// A drop point before a walk has been made.
  func findPoint(_ id: DropPointID, _ carry: Carry) -> DropPointDescriptor? {
    for entry in registry.entries.values {
      if let point = entry.dropPoints?.first(where: { $0.id == id }) { return point }
    }
    return carry.taskPoints.first { $0.id == id }
  }

  // MARK: The walk

  /// The walk over the places known now. Each stop in it is welcome, or has answered where those
  /// that refuse are shown; in a window it has not refused on an earlier walk.
  func makeWalk(_ carry: Carry) -> Walk {
    var places = places(carry)
    // A bookmark that is among the places is walked there.
    let known = Set(places.compactMap(\.leadsTo))
    var tasks = carry.taskPoints.filter {
      !$0.isShortcut || $0.leadsTo.map { !known.contains($0) } ?? true
    }
    // Folders first: nobody comes to the trash on the way to one.
    tasks = tasks.filter(\.isFolder) + tasks.filter { !$0.isFolder }
    // A filter holds for places and tasks.
    if let part = carry.filter.map(NamePart.init) {
      places.removeAll { !part.isIn($0.name) }
      tasks.removeAll { !part.isIn($0.name) }
    }
    // A place that has not answered yet may accept: nobody is led past it.
    let isAsked = openQuestion(carry) != nil
    let home = homeIndex(places, carry, isAsked: isAsked)
    let windows = windows(carry)
    let windowIDs = Set(windows.map(\.id))
    return Walk(places: places, windows: windows, tasks: tasks, start: home, after: carry.walk) {
      stop, point in
      if windowIDs.contains(point.container), point.task == nil {
        return carry.showsRefusing || !carry.isAside(stop) || carry.proposals[stop] == nil
          || verdict(at: stop, of: point, carry).isWelcome
      }
      if isAsked, !carry.proposals.isAnswered(stop) { return true }
      return carry.showsRefusing
        ? carry.proposals[stop] != nil : verdict(at: stop, of: point, carry).isWelcome
    }
  }

  /// The index of the best place: an enclosing container that accepts, else what follows the
  /// container the first item came from in registry order. That itself comes last for a wish,
  /// unless it is a list with positions: who asks for a copy does not mean one beside the first.
  private func homeIndex(
    _ places: [DropPointDescriptor], _ carry: Carry, isAsked: Bool
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
      let isWelcome =
        verdict(at: stop, carry).isWelcome || isAsked && !carry.proposals.isAnswered(stop)
      if isMeant && isWelcome || places[index].positions != .on { return index }
    }
    // Nothing around it accepts: its own places.
    guard let own = index(of: home) else {
      return places.firstIndex { $0.container == home } ?? 0
    }
    let isPassedOver =
      carry.wish != nil && verdict(at: DropStop(places[own].id), carry).isWelcome
    return isPassedOver ? (own + 1) % places.count : own
  }

  /// The stop at which a list is entered: the first that follows the item in focus, or the end of
  /// the selection; a plain place has one stop only.
  ///
  /// - Parameter isOn: stay on the items, or between them, where there is a choice.
  func entry(of block: Range<Int>, _ carry: Carry, isOn: Bool? = nil) -> Carry.Standpoint {
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

  /// The ordinal of the row that a list is entered behind, found by its name: a row is an item and
  /// a drop point, each with an id of its own.
  private func anchor(of block: Range<Int>, _ carry: Carry) -> Int? {
    let walk = carry.walk
    guard let head = walk.point(ofStop: block.lowerBound),
      let name = anchorName(in: head.container)
    else { return nil }
    // The rows that refuse have no stop, so the list reaches further than its block.
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

  /// The item that a list is entered next to.
  ///
  /// That in focus, else the last one marked, else where focus was in another view.
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
