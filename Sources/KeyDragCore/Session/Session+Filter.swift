/// The filter, which limits items and places to names that contain a text.
extension Session {
  mutating func openFilter(over underneath: Phase) {
    open(TypedLine(.filter, offering: filter(underneath) ?? ""), .filter, over: underneath)
  }

  private func filter(_ underneath: Phase) -> String? {
    if case .carrying(let carry) = underneath { return carry.filter }
    return browse.view?.top.narrowing?.text
  }

  mutating func narrow(
    to text: String, _ underneath: Phase
  ) -> Phase {
    guard case .carrying(var carry) = underneath else {
      narrowItems(to: text)
      return underneath
    }
    carry.filter = text.isEmpty ? nil : text
    carry.walk = makeWalk(carry)
    if let stop = carry.currentStop, carry.walk.point(stop.point) != nil {
      return .carrying(carry)
    }
    let walk = carry.walk
    let first = walk.placeCount > 0 ? 0 : walk.windowBlocks.upperBound
    if first < walk.blockCount {
      carry.place = entry(of: walk.block(first), carry)
    } else if let point = walk.points.indices.first(where: { !walk.windowPoints.contains($0) }).map(
      {
        walk.points[$0]
      })
    {
      // It refuses, and gives the reason.
      carry.place = .stop(DropStop(point.id))
    } else {
      carry.place = .source
    }
    return .carrying(carry)
  }

  private mutating func narrowItems(to text: String) {
    guard browse.views.indices.contains(browse.current) else { return }
    let container = browse.views[browse.current].top.container
    // Filled with the others of the container.
    browse.views[browse.current].top.narrowing = text.isEmpty ? nil : FilteredItems(text, of: [])
    keepFocus(in: container)
  }

  mutating func sayFilter(
    _ text: String, _ underneath: Phase, isAsked: Bool = false
  ) {
    var count = sources.count
    var total = browse.container.flatMap { registry[$0]?.sources?.count } ?? 0
    if case .carrying(var carry) = underneath {
      count = carry.walk.filteredCount
      carry.filter = nil
      total = makeWalk(carry).filteredCount
    }
    say(.filtered(text: SpokenName.clean(text), count: count, total: total, isAsked: isAsked))
  }

  mutating func sayFilterInForce() {
    if case .confirming = phase { return }
    if let text = filter(phase) { sayFilter(text, phase, isAsked: true) }
  }

  mutating func takeFilter(_ line: TypedLine, _ underneath: Phase) {
    var isNothing = sources.isEmpty
    if case .carrying(let carry) = underneath {
      isNothing = carry.walk.points.count == carry.walk.windowPoints.count
    }
    guard line.text.isEmpty || !isNothing else {
      // A filter without matches stays open.
      sayFilter(line.text, underneath)
      return
    }
    phase = underneath
    if line.text.isEmpty { sayFilter("", underneath) }
    sayCurrent()
  }
}
