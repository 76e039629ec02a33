/// Windows that appear and disappear by themselves, and their focused items.
extension Session {
  // MARK: Registering and focus

  /// Registers a container and its places. While nothing is held, the order of registration is the
  /// order of the next walk; during a drag the person's place is kept.
  mutating func register(_ listing: Listing) {
    let id = listing.container.id
    guard isAskedOnArrival(id) || listing.container.isAskedOnArrival else {
      registry.insert(listing)
      return
    }
    // It is now registered in its own right.
    lent.remove(id)
    var listing = listing
    let known = registry[id]
    listing.sources = listing.sources ?? known?.sources
    guard var carry = phase.carry else {
      registry.remove(id)
      registry.insert(listing)
      keepFocus(in: id)
      return
    }
    // A listing without places does not remove them.
    listing.dropPoints = listing.dropPoints ?? known?.dropPoints
    registry.insert(listing)
    keepFocus(in: id)
    guard carry.isAsked else { return }
    carry.unreadable.remove(id)
    phase.replaceCarry(carry)
    let old = Set((known?.dropPoints ?? []).map(\.id))
    let gone = old.subtracting((listing.dropPoints ?? []).map(\.id))
    if gone.isEmpty { refreshWalk(carry) } else { dropPointsVanished(gone) }
  }

  /// Browses the focused item on the desktop, replacing the current view; during a drag, to add to
  /// it. Ignored while a question is open or an answer is pending that continues the drag.
  ///
  /// Does nothing in a session with a home, which is browsed instead.
  mutating func focus(on listing: Listing, marked: [DragSourceID]) {
    guard !settings.hasHome else { return }
    switch phase {
    case .browsing: break
    case .carrying(var carry):
      guard carry.stage == .ready, carry.direct == nil else { return }
      let owed = carry.owed
      cancelPendingAnnouncement(&carry)
      carry.owed = owed
      waiting = []
      phase = .browsing(adding: carry)
    case .confirming: return
    }
    browseInstead(listing, marked)
    if let carry = phase.carry { refreshWalk(carry) }
  }

  /// Replaces the views by one of the focused item, with the selected ones marked.
  private mutating func browseInstead(_ listing: Listing, _ marked: [DragSourceID]) {
    let id = listing.container.id
    var listing = listing
    if let known = registry[id] {
      listing.dropPoints = listing.dropPoints ?? known.dropPoints
    } else {
      lent.insert(id)
    }
    let wanted = marked.compactMap { id in listing.sources?.first { $0.id == id } }
    // Picks up nothing rather than something that is not selected.
    if wanted.isEmpty, !marked.isEmpty { listing.sources = [] }
    registry.insert(listing)
    var view = View(root: id)
    view.base.isListed = true
    view.base.hasBeenAnnounced = true
    let pageSize = browse.pageSize
    browse = Browse(views: [view])
    browse.pageSize = pageSize
    // Items that landed last would be picked up with the focused ones.
    landed.items = []
    for source in wanted { browse.marks[source.id] = source }
    let first = wanted.first?.id
    focus(listing.sources?.firstIndex { $0.id == first } ?? 0)
    returnLent()
  }

  /// Forgets containers that were registered only for browsing, unless their items are held.
  private mutating func returnLent() {
    let held = Set(phase.carry?.items.map(\.container) ?? [])
    for id in lent where id != browse.container && !held.contains(id) {
      lent.remove(id)
      forget(id)
    }
  }

  // MARK: Opening

  /// Whether the person has moved on from an opening place; `false` if it is not in a window.
  func isPassed(_ point: DropPointID) -> Bool {
    guard let carry = phase.carry, carry.currentStop?.point != point else { return false }
    return carry.walk.point(point).map(isInWindow) ?? !settings.hasHome
  }

  /// A place was opened: it shows a container of its own, or other places of its window, which are
  /// asked on arrival.
  mutating func openedOnArrival(_ listing: Listing, from point: DropPointID, _ held: DragState) {
    var carry = held
    let id = listing.container.id
    let opened = carry.walk.point(point)
    let isOwn = opened?.container == id
    let before = registry[id]?.dropPoints ?? []
    let known = Set(before.map(\.id))
    connect(listing)
    if registry[id] == nil { carry.opened.append(id) }
    learn(listing)
    // A folder's view keeps its identity when it shows another folder, but is a new place.
    let same = Set(before.map { NamedPlace(id: $0.id, name: $0.name) })
    let inside =
      isOwn
      ? (registry[id]?.dropPoints ?? []).filter {
        $0.id != point && !same.contains(NamedPlace(id: $0.id, name: $0.name))
      } : placesInside(id, of: point)
    for point in inside where known.contains(point.id) { carry.proposals.forget(point.id) }
    // They are asked again if they return.
    let gone = known.subtracting((listing.dropPoints ?? []).map(\.id))
    for point in gone { carry.proposals.forget(point) }
    phase.replaceCarry(carry)
    // A person who has moved on or is adding stays where they are.
    guard case .carrying = phase, carry.stage == .ready, !isPassed(point) else {
      if gone.isEmpty { refreshWalk(carry) } else { dropPointsVanished(gone) }
      return
    }
    let name = isOwn ? opened?.name : listing.container.name
    say(.opened(name: name ?? "", count: inside.count, holds: .dropPoints))
    carry.walk = makeWalk(carry)
    if let first = inside.first {
      let isOn = first.positions.contains(.on)
      stand(.stop(DropStop(first.id, isOn ? .on : .after)), carry)
    } else {
      refreshWalk(carry)
    }
  }
}

private struct NamedPlace: Hashable {
  var id: DropPointID
  var name: String
}
