/// The changes that the world makes by itself where places are asked as they are reached.
///
/// A window that comes or goes asks nothing of any program. Who stands in it goes on to the next
/// place.
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
    guard carry.arrival != nil else { return }
    carry.arrival?.unreadable.remove(id)
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
      let owed = carry.arrival?.owed
      leaveUnsaid(&carry)
      carry.arrival?.owed = owed
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

  // MARK: Changes

  /// Makes the walk anew after places came or went; nobody is left standing on nothing.
  mutating func refreshWalk(_ held: Carry) {
    var carry = held
    carry.walk = makeWalk(carry)
    settle(&carry)
    let hasMoved = carry.place != held.place
    if hasMoved { leaveUnsaid(&carry) }
    phase.replaceCarry(carry)
    guard hasMoved, case .carrying = phase, carry.stage == .ready else { return }
    arrive(carry)
  }

  /// Places are gone. Who stands on one goes on to the next, with a word said.
  mutating func reachedDropPointsVanished(_ gone: Set<DropPointID>, _ held: Carry) {
    guard let stop = held.currentStop, gone.contains(stop.point) else {
      refreshWalk(held)
      return
    }
    let name = held.walk.point(stop.point)?.name ?? ""
    leave(name, for: successor(of: stop, without: gone, held), held)
  }

  /// The way on from a place that vanishes: to one in the same window, else to another window.
  private func successor(
    of stop: DropStop, without gone: Set<DropPointID>, _ held: Carry
  ) -> Carry.Standpoint {
    let walk = held.walk
    let group = group(of: .stop(stop), held)
    let index = walk.index(of: stop) ?? walk.firstStop(behind: stop.point)
    let next = (Array(index..<walk.stopCount) + (0..<index).reversed()).first {
      let point = walk.point(ofStop: $0)
      return self.group(of: point) == group && !gone.contains(point.id)
    }
    if let next { return .stop(walk.stop(next)) }
    var carry = held
    carry.walk = makeWalk(carry)
    return group.flatMap { place(in: $0, isBackward: false, carry) } ?? beside(group, carry)
  }

  /// The place after a group, else the one before it, else the source.
  private func beside(_ group: WalkGroup?, _ carry: Carry) -> Carry.Standpoint {
    let next = onward(from: group, by: 1, carry)
    return next == .source ? onward(from: group, by: -1, carry) : next
  }

  /// The next place of a person in a container that vanishes; `nil` for a person who is elsewhere.
  /// To be asked while the container is still known.
  func placeBehind(_ id: ContainerID, _ carry: Carry) -> Carry.Standpoint? {
    let group = WalkGroup.container(id)
    guard carry.arrival != nil, self.group(of: carry.place, carry) == group else { return nil }
    return beside(group, carry)
  }

  /// A window is gone, or its program with all of them.
  ///
  /// - Parameters:
  ///   - onward: where the person goes who was in it; `nil` for one elsewhere.
  ///   - gone: its places.
  mutating func reachedContainerVanished(
    _ id: ContainerID, _ name: String, _ onward: Carry.Standpoint?, without gone: Set<DropPointID>
  ) {
    guard var carry = phase.carry else { return }
    carry.arrival?.unreadable.remove(id)
    for point in gone { carry.proposals.forget(point) }
    carry.opened.remove(id)
    phase.replaceCarry(carry)
    if let onward { leave(name, for: onward, carry) } else { refreshWalk(carry) }
  }

  /// Says that the place stood on is gone, and the next place when it has answered.
  ///
  /// A drop that waits for its last answer there is given up.
  private mutating func leave(_ name: String, for place: Carry.Standpoint, _ held: Carry) {
    var carry = held
    leaveUnsaid(&carry)
    carry.walk = makeWalk(carry)
    carry.place = place
    carry.needsOtherKey = true
    // A drop there is no longer possible: its last answer finds nobody waiting.
    if case .dropping = carry.stage { carry.stage = .ready }
    goHome(&carry)
    settle(&carry)
    withdrawQuestion(carry)
    phase.replaceCarry(carry)
    sayPlaceVanished(name, next: nil)
  }

  // MARK: Opening

  /// Whether the person has gone on from a place that is being opened.
  ///
  /// `false` where places are not asked on arrival.
  func isPassed(_ point: DropPointID) -> Bool {
    guard let carry = phase.carry, carry.arrival != nil else { return false }
    return carry.currentStop?.point != point
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
