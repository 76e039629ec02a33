/// Windows that come and go by themselves, and what is in focus in one of them.
extension Session {
  // MARK: Registering and focus

  /// A container and its places. While nothing is held, the order in which containers are
  /// registered is the order of the next walk; while something is, nobody loses the ground under
  /// their feet.
  mutating func register(_ listing: Listing) {
    let id = listing.container.id
    guard isAskedOnArrival(id) || listing.container.isAskedOnArrival else {
      registry.insert(listing)
      return
    }
    // From now on it is known by itself.
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
    // A listing that tells no places does not take them away.
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

  /// Browses what has the focus on the desktop instead of what was; while a drag is held, to add to
  /// it. Where a question is open or an answer leads on from here it comes too early.
  ///
  /// Does nothing where there is a home, which is browsed instead.
  mutating func focus(on listing: Listing, marked: [DragSourceID]) {
    guard !settings.hasHome else { return }
    switch phase {
    case .browsing: break
    case .carrying(var carry):
      guard carry.stage == .ready, carry.direct == nil else { return }
      let owed = carry.owed
      leaveUnsaid(&carry)
      carry.owed = owed
      waiting = []
      phase = .browsing(adding: carry)
    case .confirming: return
    }
    browseInstead(listing, marked)
    if let carry = phase.carry { refreshWalk(carry) }
  }

  /// Has one view on what is in focus, with what is selected there marked.
  private mutating func browseInstead(_ listing: Listing, _ marked: [DragSourceID]) {
    let id = listing.container.id
    var listing = listing
    if let known = registry[id] {
      listing.dropPoints = listing.dropPoints ?? known.dropPoints
    } else {
      lent.insert(id)
    }
    let wanted = marked.compactMap { id in listing.sources?.first { $0.id == id } }
    // Rather nothing than something else than what is selected.
    if wanted.isEmpty, !marked.isEmpty { listing.sources = [] }
    registry.insert(listing)
    var view = View(root: id)
    view.base.isListed = true
    view.base.hasBeenAnnounced = true
    let pageSize = browse.pageSize
    browse = Browse(views: [view])
    browse.pageSize = pageSize
    // Items that landed last would be picked up with those in focus.
    landed.items = []
    for source in wanted { browse.marks[source.id] = source }
    let first = wanted.first?.id
    focus(listing.sources?.firstIndex { $0.id == first } ?? 0)
    returnLent()
  }

  /// Forgets what was known only because it was browsed, unless something of it is held.
  private mutating func returnLent() {
    let held = Set(phase.carry?.items.map(\.container) ?? [])
    for id in lent where id != browse.container && !held.contains(id) {
      lent.remove(id)
      forget(id)
    }
  }

  // MARK: Opening

  /// Whether the person has gone on from a place that is being opened.
  ///
  /// `false` where it is no place of a window.
  func isPassed(_ point: DropPointID) -> Bool {
    guard let carry = phase.carry, carry.currentStop?.point != point else { return false }
    return carry.walk.point(point).map(isInWindow) ?? !settings.hasHome
  }

  /// A place has been opened: it shows a container of its own, or other places of its window. They
  /// are asked when they are reached.
  mutating func openedOnArrival(_ listing: Listing, from point: DropPointID, _ held: Carry) {
    var carry = held
    let id = listing.container.id
    let opened = carry.walk.point(point)
    let isOwn = opened?.container == id
    let before = registry[id]?.dropPoints ?? []
    let known = Set(before.map(\.id))
    connect(listing)
    if registry[id] == nil { carry.opened.append(id) }
    learn(listing)
    // The view of a folder is the same view when it shows another folder, and another place.
    let same = Set(before.map { NamedPlace(id: $0.id, name: $0.name) })
    let inside =
      isOwn
      ? (registry[id]?.dropPoints ?? []).filter {
        $0.id != point && !same.contains(NamedPlace(id: $0.id, name: $0.name))
      } : placesInside(id, of: point)
    for point in inside where known.contains(point.id) { carry.proposals.forget(point.id) }
    // They may come back: then they are asked again.
    let gone = known.subtracting((listing.dropPoints ?? []).map(\.id))
    for point in gone { carry.proposals.forget(point) }
    phase.replaceCarry(carry)
    // A person who has gone on, or adds, is left there.
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

/// A place under the name that it had.
private struct NamedPlace: Hashable {
  var id: DropPointID
  var name: String
}
