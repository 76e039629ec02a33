/// What a place says to the items carried, and the order in which places are walked.
extension Session {
  /// A verdict with the operation a drop would carry out.
  struct Judgement: Hashable, Sendable {
    var verdict: Verdict
    var operation: DragOperation?
    var accepted: Int
    var refused: [Int: Reason] = [:]
    var reason: Reason?

    var isWelcome: Bool {
      switch verdict {
      case .accept, .partial, .maybe, .cancel: true
      case .refuse, .asking, .forbidden: false
      }
    }
  }

  func verdict(at stop: DropStop, _ carry: Carry) -> Judgement {
    guard let proposal = carry.proposals[stop] else {
      return Judgement(verdict: .asking, accepted: 0)
    }
    return judge(proposal, at: stop, carry)
  }

  func judge(_ proposal: Proposal, at stop: DropStop, _ carry: Carry) -> Judgement {
    let count = carry.items.count
    switch proposal.acceptance {
    case .none(let reason): return Judgement(verdict: .refuse, accepted: 0, reason: reason)
    case .forbidden(let reason):
      return Judgement(verdict: .forbidden, accepted: 0, reason: reason)
    case .cancels: return Judgement(verdict: .cancel, accepted: 0)
    case .all: return accepting(.accept, [:], proposal, stop, carry)
    case .maybe: return accepting(.maybe, [:], proposal, stop, carry)
    case .some(let refused):
      let refused = refused.filter { (0..<count).contains($0.key) }
      guard refused.count < count else {
        return Judgement(
          verdict: .refuse, accepted: 0, reason: refused.min { $0.key < $1.key }?.value)
      }
      return accepting(refused.isEmpty ? .accept : .partial, refused, proposal, stop, carry)
    }
  }

  private func accepting(
    _ verdict: Verdict, _ refused: [Int: Reason], _ proposal: Proposal, _ stop: DropStop,
    _ carry: Carry
  ) -> Judgement {
    let operation = Negotiation.operation(
      wish: carry.wish, allowed: carry.allowed(refused: refused), offers: proposal.offers,
      route: route(to: stop, carry))
    guard let operation else {
      return Judgement(verdict: .refuse, accepted: 0, reason: .operationNotOffered)
    }
    return Judgement(
      verdict: verdict, operation: operation, accepted: carry.items.count - refused.count,
      refused: refused, reason: refused.min { $0.key < $1.key }?.value)
  }

  private func route(to stop: DropStop, _ carry: Carry) -> Negotiation.Route {
    let point = carry.walk.point(stop.point) ?? findPoint(stop.point, carry)
    let target = point.flatMap { registry[$0.leadsTo ?? $0.container] ?? registry[$0.container] }
    return Negotiation.Route(
      sourceTrees: carry.trees, targetTree: target?.container.tree,
      isOtherApp: target?.container.app != nil)
  }

  /// A drop point before a walk has been made.
  func findPoint(_ id: DropPointID, _ carry: Carry) -> DropPointDescriptor? {
    for entry in registry.entries.values {
      if let point = entry.dropPoints?.first(where: { $0.id == id }) { return point }
    }
    return carry.taskPoints.first { $0.id == id }
  }

  // MARK: The walk

  func makeWalk(_ carry: Carry) -> Walk {
    let places = places(carry)
    var carry = carry
    var walk = Walk(places: places, tasks: carry.taskPoints)
    // Verdicts need the points by id: a walk without stops gives them.
    carry.walk = walk
    walk.layOut(from: homeIndex(places, carry)) { stop in
      carry.showsRefusing ? carry.proposals[stop] != nil : verdict(at: stop, carry).isWelcome
    }
    return walk
  }

  /// The index of the best place: an enclosing container that accepts, else the container the first
  /// item came from, so that the walk goes on with the next one in registry order.
  private func homeIndex(_ places: [DropPointDescriptor], _ carry: Carry) -> Int {
    guard let home = carry.items.first?.container else { return 0 }
    func index(of container: ContainerID) -> Int? {
      places.firstIndex {
        $0.leadsTo == container || ($0.container == container && $0.positions != .on)
      }
    }
    for container in registry.enclosing(home) {
      if let index = index(of: container),
        verdict(at: DropStop(places[index].id), carry).isWelcome || places[index].positions != .on
      {
        return index
      }
    }
    return index(of: home) ?? places.firstIndex { $0.container == home } ?? 0
  }

  /// Where one enters a list: behind the item in focus, or behind the end of the selection; a plain
  /// place has one stop only.
  func entry(of block: Range<Int>, _ carry: Carry) -> DropStop {
    let stops = carry.walk.stops
    guard block.count > 1, let first = carry.walk.point(stops[block.lowerBound].point) else {
      return stops[block.lowerBound]
    }
    let anchor = anchorName(in: first.container)
    if let anchor,
      let index = block.last(where: { index in
        stops[index].position == .after
          && carry.walk.point(stops[index].point)?.name == anchor
      }) ?? block.last(where: { carry.walk.point(stops[$0].point)?.name == anchor })
    {
      return stops[index]
    }
    return stops[block.lowerBound]
  }

  /// The item that a list is entered next to.
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
