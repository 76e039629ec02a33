/// Picking up what has the focus outside: on a desktop there is no list of our own to stand in.
extension Session {
  /// Goes back to what is held where nothing could be added: on a desktop the keys of the walk are
  /// ours only while carrying.
  mutating func endAdding() {
    if settings.picksFocus, case .browsing(let adding?) = phase { returnToCarrying(adding) }
  }

  /// Asks what has the focus; a pick-up goes on when that is known.
  mutating func askForFocus(wish: DragOperation?) {
    // A chord that bounces asks once.
    let isAsked = outstanding.values.contains { if case .focus = $0 { true } else { false } }
    if !isAsked { request(.focus, for: .focus(wish)) }
  }

  /// A name is about to be typed: every window is read, so that its places can be found too. None is
  /// asked anything before it is reached.
  mutating func find() {
    search.begin()
    say(.finding)
    guard case .carrying(let carry) = phase, carry.arrival != nil else { return }
    let isListed = outstanding.values.compactMap { purpose -> ContainerID? in
      if case .listDropPoints(let id) = purpose { id } else { nil }
    }
    for (id, entry) in registry.entries where entry.dropPoints == nil && !isListed.contains(id) {
      request(
        .list(.container(id), includingHidden: settings.showsHidden), for: .listDropPoints(id))
    }
  }

  /// The name is there: what the next Enter would do is said again, and all of the place where it has
  /// not been said while the name was typed. A name that was not found is said to be none.
  mutating func endFinding() {
    let (astray, found) = (search.astray, search.said)
    search = TypeAhead()
    switch phase {
    case .browsing: break
    case .carrying(let carry) where carry.stage == .ready:
      if let astray { say(.noMatch(text: astray)) }
      if let stop = carry.currentStop, carry.arrival?.owed == nil, let found,
        found == report(at: stop, carry)
      {
        sayHere(isPlaceKnown: true)
      } else {
        sayPlace(carry)
      }
    case .carrying(let carry): say(.holding(holding(carry, verdict: .asking)))
    case .confirming(let question, _): sayChoice(question)
    }
  }

  /// Takes the thing that has the focus, with the windows that are there.
  mutating func focused(_ report: FocusReport, wish: DragOperation?) {
    if phase.carry == nil {
      let there = Set(report.windows.map(\.id)).union([report.listing.container.id])
      // Other KeyDrag programs come and go by themselves, and stand behind the windows.
      let others = registry.entries.filter { $0.key.owner == .peers }
      for id in registry.entries.keys where !there.contains(id) && others[id] == nil {
        registry.remove(id)
      }
      for window in report.windows {
        register(Listing(container: window, sources: nil, dropPoints: nil))
      }
      for entry in others.values {
        register(
          Listing(container: entry.container, sources: nil, dropPoints: entry.dropPoints))
      }
    }
    focus(on: report.listing, marked: report.marked)
    switch phase {
    case .browsing(let adding): pickUp(wish: wish, adding)
    case .carrying(let carry): say(.holding(holding(carry)))
    case .confirming: break
    }
  }
}
