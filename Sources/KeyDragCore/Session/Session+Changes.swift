/// Changes from outside, while browsing and while carrying.
///
/// A change is applied to the registry first; then focus, marks, the drag and the walk follow it.
/// It is announced only if it concerns the current place.
extension Session {
  /// Applies simultaneous changes, and announces together what appeared.
  mutating func changed(_ changes: [RegistryChange]) {
    var appeared: [String] = []
    for change in changes { appeared += changed(change) }
    sayAppeared(appeared)
    followHistory()
    emit(.repaint)
  }

  /// Returns the names that appeared and are worth announcing.
  private mutating func changed(_ change: RegistryChange) -> [String] {
    switch change {
    case .sourceAppeared(let source, _):
      // A change of an existing item is not an appearance.
      let isNew = registry.index(of: source.id, in: source.container) == nil
      if isNew {
        news.taken.remove(source.id)
        news.leaving.remove(source.id)
      }
      guard registry.apply(change) else { return [] }
      keepFocus(in: source.container)
      return isNew && isNews(source) ? [source.name] : []
    case .sourceVanished(let id, let container): sourceVanished(id, container, change)
    case .dropPointAppeared(let point, _):
      if registry.apply(change) { dropPointAppeared(point) }
    case .dropPointVanished(let id, _):
      if registry.apply(change) { dropPointsVanished([id]) }
    case .containerAppeared(let listing): containerAppeared(listing, change)
    case .containerVanished(let id): containerVanished(id)
    case .replaced(let listing): return replaced(listing, change)
    }
    return []
  }

  /// Too much changed at once: items no longer listed have vanished, unless they are only hidden.
  ///
  /// - Returns: the names of new items in an app's list that are worth announcing.
  @discardableResult
  private mutating func replaced(_ listing: Listing, _ change: RegistryChange) -> [String] {
    let id = listing.container.id
    let old = Set((registry[id]?.dropPoints ?? []).map(\.id))
    let known = Set((registry[id]?.sources ?? []).map(\.id))
    let focused = focused
    guard registry.apply(change) else { return [] }
    if let focused, browse.container == id, registry.index(of: focused.id, in: id) == nil {
      noteRemoved(focused.name, from: id)
    }
    keepFocus(in: id)
    var new: [String] = []
    if let sources = listing.sources {
      let there = Set(sources.map(\.id))
      // Hidden files may be missing from the new listing.
      func isHidden(_ name: String) -> Bool { settings.isInFolders && name.hasPrefix(".") }
      browse.marks.removeAll {
        $0.value.container == id && !there.contains($0.key) && !isHidden($0.value.name)
      }
      let held = phase.carry?.items ?? []
      for item in held where item.container == id {
        if !there.contains(item.source), !isHidden(item.name) { heldItemVanished(item.source) }
      }
      if !settings.isInFolders {
        new = sources.filter { !known.contains($0.id) && isNews($0) }.map(\.name)
      }
    }
    dropPointsVanished(old.subtracting((listing.dropPoints ?? []).map(\.id)))
    let point = listing.dropPoints?.first { !old.contains($0.id) }
    askAgain(for: settings.isInFolders ? nil : point)
    return new
  }

  /// A program appeared, or one more of its containers: its places are reachable at once.
  private mutating func containerAppeared(_ listing: Listing, _ change: RegistryChange) {
    guard registry[listing.container.id] == nil else {
      replaced(listing, .replaced(listing))
      returned(listing.container)
      return
    }
    if !settings.hasHome || listing.container.isAskedOnArrival {
      // Asked only when it is reached.
      register(listing)
      return
    }
    guard registry.apply(change), var carry = phase.carry, carry.isAsked,
      let points = listing.dropPoints, let first = points.first
    else { return }
    let stops = points.flatMap(stops(of:))
    ask(&carry, stops: stops, for: .appeared(first.id, name: listing.container.name))
    phase.replaceCarry(carry)
  }

  /// A given folder is back, such as a memory stick plugged in again.
  private mutating func returned(_ container: ContainerDescriptor) {
    guard
      let view = browse.views.firstIndex(where: {
        $0.root == container.id && $0.base.unreadable == .gone
      })
    else { return }
    browse.views[view].base.unreadable = nil
    keepFocus(in: container.id)
    if !isOfHistory(container.name) { say(.appeared(name: container.name)) }
    if case .browsing = phase, view == browse.current, !sources.isEmpty { sayItem() }
  }

  // MARK: Sources

  /// Whether it appeared at the current place and is not announced otherwise.
  private func isNews(_ source: DragSourceDescriptor) -> Bool {
    guard case .browsing = phase, browse.container == source.container else { return false }
    // An item being delivered is announced by its delivery.
    return source.kind != .placeholder && !isExpected(source.id, source.name, in: source.container)
  }

  /// Batches appearances, so that hundreds of new files do not talk over everything else.
  private mutating func sayAppeared(_ names: [String]) {
    guard !names.isEmpty, let container = browse.container else { return }
    if news.appearing?.container == container {
      news.appearing?.add(names)
    } else {
      let new = AppearanceBatch(container: container, names: names)
      news.appearing = new
      emit(.startTimer(.appearing, milliseconds: new.delay))
    }
  }

  /// Announces what has gathered at a tick of the batch, and waits on until nothing more comes.
  mutating func appearingIsOver() {
    guard var current = news.appearing else { return }
    news.appearing = nil
    // Nothing is announced of a folder that was left.
    guard case .browsing = phase, browse.container == current.container else { return }
    for announcement in current.tick() { say(announcement) }
    guard !current.isOver else { return }
    news.appearing = current
    emit(.startTimer(.appearing, milliseconds: current.delay))
  }

  /// Whether a delivery or an undo brings it, whose outcome is announced instead.
  private func isExpected(_ id: DragSourceID, _ name: String, in container: ContainerID) -> Bool {
    landed.items.contains { $0.source == id }
      || deliveries.values.contains { $0.target == container } || name == news.madeFolder
      || isOfHistory(name)
  }

  /// Whether the person carries a given folder away, whose delivery is announced.
  private mutating func isCarriedAway(_ name: String) -> Bool {
    isOfHistory(name) || news.takenNames.remove(name) != nil
      || deliveries.values.contains { $0.movesAway && $0.names.contains(name) }
  }

  /// Whether an undo or a redo changes it, whose outcome is announced. An entry that names only
  /// some of its items stands for all names.
  private func isOfHistory(_ name: String) -> Bool {
    outstanding.values.contains(where: \.changesNames)
      || news.settling.map {
        $0.count > $0.names.count || ($0.names + [$0.removedFolder]).contains(name)
      } ?? false
  }

  private mutating func noteRemoved(_ name: String, from container: ContainerID) {
    if isOfHistory(name) { news.removed = (name, container) }
  }

  /// Goes on to the other name of what an undo or a redo has renamed.
  mutating func followHistory() {
    guard let entry = news.settling, let removed = news.removed else { return }
    guard case .browsing = phase, browse.container == removed.container else {
      news.removed = nil
      return
    }
    if let former = entry.formerName, let latter = entry.names.first {
      let name = removed.name == latter ? former : latter
      // It may come in a moment.
      guard let index = sources.firstIndex(where: { $0.name == name }) else { return }
      focus(index)
      told.focus = focused?.id
    }
    news.removed = nil
  }

  /// Removes an item from marks, landings, focus and drag; announced while browsing if visible.
  private mutating func sourceVanished(
    _ id: DragSourceID, _ container: ContainerID, _ change: RegistryChange
  ) {
    let source = registry.index(of: id, in: container).flatMap {
      registry[container]?.sources?[$0]
    }
    let name = source?.name
    // A placeholder goes with its delivery, whose outcome is announced.
    let isOurs =
      source?.kind == .placeholder
      || deliveries.values.contains { $0.items.contains(id) } || news.taken.remove(id) != nil
      || isOfHistory(name ?? "")
    let wasFocused = focused?.id == id
    if wasFocused, let name { noteRemoved(name, from: container) }
    registry.apply(change)
    browse.marks[id] = nil
    landed.items.removeAll { $0.source == id }
    keepFocus(in: container)
    if heldItemVanished(id) { return }
    guard case .browsing = phase, !settings.picksFocus, browse.container == container, !isOurs,
      let name
    else { return }
    // Its appearance has not been announced.
    if news.appearing?.remove(name) == true { return }
    say(.vanished(name: name, next: wasFocused ? focused?.name : nil))
  }

  /// Removes a vanished item from the drag, which ends without items; `false` if it was not held.
  @discardableResult
  private mutating func heldItemVanished(_ id: DragSourceID) -> Bool {
    guard var carry = phase.carry, let index = carry.items.firstIndex(where: { $0.source == id })
    else { return false }
    let name = carry.label(of: index)
    guard carry.items.count > 1 else {
      endBecauseGone(carry, name)
      return true
    }
    carry.items.remove(at: index)
    heldChanged(carry, name)
    return true
  }

  /// Fewer items are held: verdicts refer to items by index, so all places are asked again in the
  /// current stage, and a question about a drop is withdrawn.
  private mutating func heldChanged(_ held: DragState, _ name: String) {
    var carry = held
    carry.round += 1
    withdrawQuestion(carry)
    var isAsked = true
    switch carry.stage {
    case .preparing: break
    case .asking:
      carry.proposals.expire()
      ask(&carry, stops: allStops(carry), for: .pickUp)
    case .dropping where carry.direct != nil:
      if let stop = carry.direct?.stop { askFinally(&carry, stop) }
    case .ready where carry.direct != nil:
      if let stop = carry.direct?.stop { askFinally(&carry, stop) }
    case .ready, .dropping:
      carry.stage = .ready
      isAsked = askAnew(&carry, for: .rest)
    }
    phase.replaceCarry(carry)
    say(.vanished(name: name, next: nil))
    if !isAsked { refreshWalk(carry) }
  }

  // MARK: Places

  /// A place appeared: a drag asks it, or includes it in the walk.
  private mutating func dropPointAppeared(_ point: DropPointDescriptor) {
    guard var carry = phase.carry, carry.isAsked else { return }
    if isAskedOnArrival(point.container) {
      // Reachable at once, but asked only on arrival.
      refreshWalk(carry)
      return
    }
    ask(&carry, stops: stops(of: point), for: .appeared(point.id, name: point.name))
    phase.replaceCarry(carry)
  }

  func stops(of point: DropPointDescriptor) -> [DropStop] {
    DropPosition.allCases.filter { point.positions.contains($0.set) }
      .map { DropStop(point.id, $0) }
  }

  /// A new place has answered: announced only if it is in the walk.
  mutating func appearedAnswers(_ carry: DragState, _ point: DropPointID, _ name: String) {
    phase.replaceCarry(carry)
    guard carry.stage == .ready, carry.direct == nil, carry.walk.visits(point) else { return }
    say(.appeared(name: name))
  }

  /// Rebuilds the walk after places appeared or vanished; the current place stays valid.
  mutating func refreshWalk(_ held: DragState) {
    var carry = held
    carry.walk = makeWalk(carry)
    settle(&carry)
    if let lost = carry.lost,
      carry.walk.points.contains(where: { $0.name == lost.name && $0.container == lost.container })
    {
      carry.lost = nil
      say(.appeared(name: lost.name))
    }
    let hasMoved = carry.place != held.place
    if hasMoved {
      cancelPendingAnnouncement(&carry)
      carry.isBackward = false
      carry.isDropKeyBlocked = true
    }
    phase.replaceCarry(carry)
    guard hasMoved, case .carrying = phase, carry.stage == .ready else { return }
    arrive(carry)
  }

  /// Removes places from the walk, or a window with all of them. If the current place is among
  /// them, announces that and moves to the next, where a drop needs another key first; a pending
  /// drop is abandoned and a question about it withdrawn.
  ///
  /// - Parameter program: the name announced as gone with a window.
  mutating func dropPointsVanished(
    _ gone: Set<DropPointID>, with window: ContainerID? = nil, of program: String? = nil
  ) {
    guard !gone.isEmpty || window != nil, var carry = phase.carry else { return }
    // A place that returns with this id is asked again.
    for id in gone { carry.proposals.forget(id) }
    let old = carry.walk
    let isLeft =
      switch carry.place {
      case .source: false
      case .container(let id): id == window
      case .stop(let stop): gone.contains(stop.point)
      }
    guard isLeft, carry.isAsked else {
      refreshWalk(carry)
      return
    }
    let point = carry.currentStop.flatMap { old.point($0.point) }
    let name = point?.name
    if let point, isInWindow(point) { carry.lost = (point.name, point.container) }
    carry.walk = makeWalk(carry)
    carry.place = successor(of: carry.place, in: old, without: gone, carry) ?? firstPlace(carry)
    carry.isDropKeyBlocked = true
    carry.isBackward = false
    cancelPendingAnnouncement(&carry)
    withdrawQuestion(carry)
    // A drop here is no longer possible: its last answer will be ignored.
    if case .dropping = carry.stage { carry.stage = .ready }
    phase.replaceCarry(carry)
    let nextName = carry.currentStop.flatMap { carry.walk.point($0.point)?.name }
    // A place of a window is named when it has answered.
    let isNamed = !isInWindow(carry.place, carry)
    sayPlaceVanished(
      program ?? name ?? "", next: isNamed ? nextName ?? carry.names.first : nil)
  }

  /// Removes places missing from a new listing of a container, such as a folder that changed before
  /// a person adding to a drag entered it again.
  mutating func leaveUnlisted(of known: [DropPointDescriptor]) {
    guard phase.carry != nil else { return }
    let gone = Set(known.map(\.id)).filter { id in
      !registry.entries.keys.contains { registry.lists(id, in: $0) }
    }
    dropPointsVanished(gone)
  }

  /// Announces that the current place is gone, and the new one unless adding.
  mutating func sayPlaceVanished(_ name: String, next: String?) {
    if case .carrying(let carry) = phase {
      say(.vanished(name: name, next: next, isNextSaid: true))
      arrive(carry)
    } else {
      // It may have gone as an item, too.
      let isTold = said.contains {
        if case .vanished(name, _, _) = $0 { true } else { false }
      }
      if !isTold { say(.vanished(name: name, next: nil)) }
    }
  }

  /// Moves to the first place of the walk if the current one no longer exists.
  mutating func settle(_ carry: inout DragState) {
    switch carry.place {
    case .source:
      if carry.stage == .ready, carry.direct == nil, !isSourceThere(carry) {
        carry.place = firstPlace(carry)
      }
    case .container(let id):
      if registry[id] == nil { carry.place = firstPlace(carry) }
    case .stop(let stop):
      if carry.walk.point(stop.point) == nil { carry.place = firstPlace(carry) }
    }
  }

  /// Withdraws a question about a drop that has become moot; lists stay open.
  mutating func withdrawQuestion(_ carry: DragState) {
    guard case .confirming(let question, .carrying) = phase, case .drop = question.subject else {
      return
    }
    phase = .carrying(carry)
  }

  /// The place to go to when one vanishes: forward, otherwise back, preferably in the same window
  /// or outside of all; `nil` if none is left.
  private func successor(
    of place: DragState.WalkLocation, in walk: Walk, without gone: Set<DropPointID>,
    _ carry: DragState
  ) -> DragState.WalkLocation? {
    var held = carry
    held.walk = walk
    let here = isInWindow(place, held) ? container(of: place, held) : nil
    let old: DropPointDescriptor?
    let start: Int
    if case .stop(let stop) = place {
      old = walk.point(stop.point)
      start = walk.index(of: stop) ?? walk.firstStop(behind: stop.point)
    } else {
      old = nil
      let block = here.flatMap(walk.blocks)?.first
      start = block.map { walk.block($0).lowerBound } ?? walk.stopCount
    }
    let order = (Array(start..<walk.stopCount) + (0..<start).reversed()).lazy.filter { index in
      guard carry.walk.visits(walk.place(index)) else { return false }
      guard let new = walk.point(ofStop: index) else { return true }
      // A place is never followed by a task: an Enter meant for a folder must not reach the trash.
      return !gone.contains(new.id) && (old?.isAtWalkEnd == true || !new.isAtWalkEnd)
        && (old?.isFolder != true || new.isFolder || isInWindow(walk.place(index), held))
    }
    let near = order.first { index in
      here.map { walk.container(ofStop: index) == $0 } ?? !isInWindow(walk.place(index), held)
    }
    if let near { return walk.place(near) }
    // The places in the window are no longer known.
    if let block = here.flatMap(carry.walk.blocks)?.first {
      return entry(of: carry.walk.block(block), carry)
    }
    return order.first.map(walk.place)
  }

  /// A container is gone with its contents: views climb out, the drag loses its items and the walk
  /// its places. A given folder stays registered without contents, since it may come back.
  private mutating func containerVanished(_ id: ContainerID) {
    let name = registry[id]?.container.name ?? ""
    let program = registry[id]?.container.app
    let isWindow = isAskedOnArrival(id)
    let wasShown = browse.container == id
    if wasShown, let parent = browse.view?.containers.dropLast().last {
      // It goes as an item there, too, which is told with it.
      let item = registry[parent]?.sources?.first { $0.kind.isFolder && $0.name == name }
      if let item { news.taken.insert(item.id) }
    }
    var gone = Set((registry[id]?.dropPoints ?? []).filter { $0.container == id }.map(\.id))
    if var carry = phase.carry {
      // Places at the end of the walk that stand for it, such as a new folder in it.
      gone.formUnion(carry.taskPoints.filter { $0.leadsTo == id }.map(\.id))
      carry.taskPoints.removeAll { $0.leadsTo == id }
      if isWindow {
        carry.unreadable.remove(id)
        carry.opened.remove(id)
      }
      phase.replaceCarry(carry)
    }
    for view in browse.views.indices {
      if let depth = browse.views[view].below.firstIndex(where: { $0.container == id }) {
        climb(view, to: depth)
      }
    }
    for view in browse.views.indices
    where browse.views[view].base.container == id && browse.views[view].root != id {
      // A person who had climbed above the given folder returns to it.
      browse.views[view].base = View.Level(container: browse.views[view].root)
    }
    let root = browse.views.firstIndex { $0.root == id }
    if let root {
      if let container = registry[id]?.container {
        registry.insert(Listing(container: container, sources: nil, dropPoints: []))
      }
      if browse.views[root].base.container == id { browse.views[root].base.unreadable = .gone }
      keepFocus(in: id)
    } else {
      registry.remove(id)
    }
    browse.marks.removeAll { $0.value.container == id }
    let isHeld = phase.carry?.items.contains { isIn(id, $0) } ?? false
    // If the drag goes on, the person is moved before the items are asked about again.
    if isHeld, phase.carry?.items.allSatisfy({ isIn(id, $0) }) == false {
      dropPointsVanished(
        gone, with: isWindow ? id : nil, of: isWindow ? program ?? name : nil)
    }
    if isHeld {
      heldContainerVanished(id, of: program)
    } else if wasShown, case .browsing = phase, !settings.picksFocus {
      // On the desktop the person is no longer at the item focused for the last pick-up. A given
      // folder stays shown, without contents.
      say(.vanished(name: name, next: browse.container == id ? nil : containerName))
    } else if root != nil, settings.hasHome, !isStanding(in: gone), !isCarriedAway(name) {
      say(.vanished(name: name, next: nil))
    }
    dropPointsVanished(
      gone, with: isWindow ? id : nil, of: isWindow ? program ?? name : nil)
  }

  private func isStanding(in points: Set<DropPointID>) -> Bool {
    phase.carry?.currentStop.map { points.contains($0.point) } ?? false
  }

  /// Whether an item goes with a container: on the desktop, a window takes its lists along.
  private func isIn(_ container: ContainerID, _ item: DragItem) -> Bool {
    item.container == container
      || !settings.hasHome && registry.enclosing(item.container).contains(container)
  }

  /// Removes the items of a container from the drag, which ends if none is left.
  private mutating func heldContainerVanished(_ id: ContainerID, of program: String?) {
    guard var carry = phase.carry else { return }
    let name = carry.items.first { isIn(id, $0) }?.name ?? ""
    let staying = carry.items.filter { !isIn(id, $0) }
    carry.items = staying
    if carry.items.isEmpty {
      // If a window took several items along, its program is the better name.
      endBecauseGone(carry, settings.hasHome ? name : program ?? name)
    } else {
      heldChanged(carry, name)
    }
  }

  /// Ends the drag because its last item is gone; a drop of a script fails.
  private mutating func endBecauseGone(_ carry: DragState, _ name: String) {
    // The keys behind it were meant for the drag.
    waiting = []
    phase = .browsing(adding: nil)
    release(carry)
    hasFailure = true
    if carry.direct != nil { fail(.gone) }
    say(.sessionEnded(.gone, name: name))
  }

  /// Asks every place again after a change; `point` is a new one, announced if it accepts.
  mutating func askAgain(for point: DropPointDescriptor? = nil) {
    guard var carry = phase.carry, carry.isAsked else { return }
    // Places of windows are asked on arrival.
    let stops = allStops(carry)
    let why = point.map { AskPurpose.appeared($0.id, name: $0.name) } ?? .refresh
    if !stops.isEmpty { ask(&carry, stops: stops, for: why) }
    refreshWalk(carry)
  }
}
