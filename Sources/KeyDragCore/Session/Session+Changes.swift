/// The changes that come by themselves, while browsing and while carrying.
///
/// A change is taken into the registry first; then focus, marks, the drag and the walk follow it.
/// It is said only where it concerns what the person is at.
extension Session {
  /// Takes the changes of one moment, and says together what appeared.
  mutating func changed(_ changes: [RegistryChange]) {
    var appeared: [String] = []
    for change in changes { appeared += changed(change) }
    sayAppeared(appeared)
    emit(.repaint)
  }

  /// - Returns: the names of what appeared, where that is worth a word.
  private mutating func changed(_ change: RegistryChange) -> [String] {
    switch change {
    case .sourceAppeared(let source, _):
      // A change of an item that is there is no arrival.
      let isNew = registry.index(of: source.id, in: source.container) == nil
      guard registry.apply(change) else { return [] }
      keepFocus(in: source.container)
      return isNew && isNews(source) ? [source.name] : []
    case .sourceVanished(let id, let container): sourceVanished(id, container, change)
    case .dropPointAppeared(let point, _):
      // A place that is there already says nothing.
      if registry.apply(change) { dropPointAppeared(point) }
    case .dropPointVanished(let id, _):
      if registry.apply(change) { dropPointsVanished([id]) }
    case .containerAppeared(let listing): containerAppeared(listing, change)
    case .containerVanished(let id): containerVanished(id)
    case .replaced(let listing): return replaced(listing, change)
    }
    return []
  }

  /// Too much changed at once: what is no longer listed has vanished, unless it is only hidden.
  ///
  /// - Returns: the names of what is new in an app's list, where that is worth a word.
  @discardableResult
  private mutating func replaced(_ listing: Listing, _ change: RegistryChange) -> [String] {
    let id = listing.container.id
    let old = Set((registry[id]?.dropPoints ?? []).map(\.id))
    let known = Set((registry[id]?.sources ?? []).map(\.id))
    guard registry.apply(change) else { return [] }
    keepFocus(in: id)
    var new: [String] = []
    if let sources = listing.sources {
      let there = Set(sources.map(\.id))
      // Hidden files may be left out of the new listing.
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

  /// Another program came, or showed one more of its containers: its places are reachable at once.
  private mutating func containerAppeared(_ listing: Listing, _ change: RegistryChange) {
    guard registry[listing.container.id] == nil else {
      // It is listed anew; nothing appeared.
      replaced(listing, .replaced(listing))
      returned(listing.container)
      return
    }
    if !settings.hasHome || listing.container.isAskedOnArrival {
      // Asked when it is reached, and only then.
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

  /// One of the folders given is there again, such as a stick that was pulled and put in.
  private mutating func returned(_ container: ContainerDescriptor) {
    guard
      let view = browse.views.firstIndex(where: {
        $0.root == container.id && $0.base.unreadable == .gone
      })
    else { return }
    browse.views[view].base.unreadable = nil
    keepFocus(in: container.id)
    say(.appeared(name: container.name))
  }

  // MARK: Sources

  /// Whether it appeared where the person is, and nothing else tells of it.
  private func isNews(_ source: DragSourceDescriptor) -> Bool {
    guard case .browsing = phase, browse.container == source.container else { return false }
    // An item on its way there is said by its delivery.
    return source.kind != .placeholder && !isExpected(source.id, source.name, in: source.container)
  }

  /// Collects those that come closely after one another: a program that writes hundreds of files
  /// must not talk over everything else.
  private mutating func sayAppeared(_ names: [String]) {
    guard !names.isEmpty, let container = browse.container else { return }
    if news.appearing?.container == container {
      // The timer is running already.
      news.appearing?.add(names)
    } else {
      let new = AppearanceBatch(container: container, names: names)
      news.appearing = new
      emit(.startTimer(.appearing, milliseconds: new.delay))
    }
  }

  /// The time is over in which what appeared was collected.
  ///
  /// Says what has gathered and waits on, until nothing more comes.
  mutating func appearingIsOver() {
    guard var current = news.appearing else { return }
    news.appearing = nil
    // Of a folder that was left nothing is said.
    guard case .browsing = phase, browse.container == current.container else { return }
    for announcement in current.tick() { say(announcement) }
    guard !current.isOver else { return }
    news.appearing = current
    emit(.startTimer(.appearing, milliseconds: current.delay))
  }

  /// Whether our own delivery brings it: its outcome is said, so its appearance need not be.
  private func isExpected(_ id: DragSourceID, _ name: String, in container: ContainerID) -> Bool {
    landed.items.contains { $0.source == id }
      || deliveries.values.contains { $0.target == container } || name == news.madeFolder
      || isOfHistory(name)
  }

  /// Whether an undo or a redo changes it, whose outcome is said.
  ///
  /// An undo that names only some of its items stands for all of them.
  private func isOfHistory(_ name: String) -> Bool {
    outstanding.values.contains(where: \.changesNames)
      || news.settling.map { $0.count > $0.names.count || $0.names.contains(name) } ?? false
  }

  /// An item is gone: marks, landings, focus and the drag forget it. It is said while browsing
  /// where it was in sight.
  private mutating func sourceVanished(
    _ id: DragSourceID, _ container: ContainerID, _ change: RegistryChange
  ) {
    let source = registry.index(of: id, in: container).flatMap {
      registry[container]?.sources?[$0]
    }
    let name = source?.name
    // A placeholder goes with the delivery whose outcome is said.
    let isOurs =
      source?.kind == .placeholder
      || deliveries.values.contains { $0.items.contains(id) } || news.taken.contains(id)
      || isOfHistory(name ?? "")
    let wasFocused = focused?.id == id
    registry.apply(change)
    browse.marks[id] = nil
    landed.items.removeAll { $0.source == id }
    // Focus is on what stands in its place now.
    keepFocus(in: container)
    if heldItemVanished(id) { return }
    guard case .browsing = phase, !settings.picksFocus, browse.container == container, !isOurs,
      let name
    else { return }
    // Nobody has heard of it.
    if news.appearing?.remove(name) == true { return }
    say(.vanished(name: name, next: wasFocused ? focused?.name : nil))
  }

  /// Takes a vanished item out of the drag; with the last one the session ends. `true` when it was
  /// held.
  @discardableResult
  private mutating func heldItemVanished(_ id: DragSourceID) -> Bool {
    guard var carry = phase.carry, let index = carry.items.firstIndex(where: { $0.source == id })
    else { return false }
    let name = carry.items[index].name
    guard carry.items.count > 1 else {
      endBecauseGone(carry, name)
      return true
    }
    carry.items.remove(at: index)
    heldChanged(carry, name)
    return true
  }

  /// Fewer items are held than before: verdicts name items by index, so all are asked again, and a
  /// question about the old items is moot.
  ///
  /// Questions are asked again, in the stage that the drag was in.
  private mutating func heldChanged(_ held: Carry, _ name: String) {
    var carry = held
    carry.round += 1
    withdrawQuestion(carry)
    var isAsked = true
    switch carry.stage {
    // Its items are still being prepared.
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

  /// A place has come: a drag asks it, or has it in the walk from now on.
  private mutating func dropPointAppeared(_ point: DropPointDescriptor) {
    guard var carry = phase.carry, carry.isAsked else { return }
    if isAskedOnArrival(point.container) {
      // Reachable at once, and asked when it is reached.
      refreshWalk(carry)
      return
    }
    ask(&carry, stops: stops(of: point), for: .appeared(point.id, name: point.name))
    phase.replaceCarry(carry)
  }

  /// The stops of one place.
  func stops(of point: DropPointDescriptor) -> [DropStop] {
    DropPosition.allCases.filter { point.positions.contains($0.set) }
      .map { DropStop(point.id, $0) }
  }

  /// The new place has answered: it is said only where the walk visits it.
  mutating func appearedAnswers(_ carry: Carry, _ point: DropPointID, _ name: String) {
    phase.replaceCarry(carry)
    guard carry.stage == .ready, carry.direct == nil, carry.walk.visits(point) else { return }
    say(.appeared(name: name))
  }

  /// Makes the walk anew after places came or went; nobody is left standing on nothing.
  mutating func refreshWalk(_ held: Carry) {
    var carry = held
    carry.walk = makeWalk(carry)
    settle(&carry)
    let hasMoved = carry.place != held.place
    if hasMoved {
      leaveUnsaid(&carry)
      carry.isBackward = false
      carry.needsOtherKey = true
    }
    phase.replaceCarry(carry)
    guard hasMoved, case .carrying = phase, carry.stage == .ready else { return }
    arrive(carry)
  }

  /// Takes places out of the walk, or a window with all of them; who stands there goes on to the next,
  /// with a word said, and can't drop there by a key that was meant for the place before.
  ///
  /// A drop that waits for its last answer is given up there, and a question about it is withdrawn.
  ///
  /// - Parameter program: what is said to be gone with a window.
  mutating func dropPointsVanished(
    _ gone: Set<DropPointID>, with window: ContainerID? = nil, of program: String? = nil
  ) {
    guard !gone.isEmpty || window != nil, var carry = phase.carry else { return }
    // Should a place with this number come again, it is asked.
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
    let name = carry.currentStop.flatMap { old.point($0.point)?.name }
    carry.walk = makeWalk(carry)
    carry.place = successor(of: carry.place, in: old, without: gone, carry) ?? firstPlace(carry)
    carry.needsOtherKey = true
    carry.isBackward = false
    leaveUnsaid(&carry)
    withdrawQuestion(carry)
    // A drop here is no longer possible: its last answer finds nobody waiting.
    if case .dropping = carry.stage { carry.stage = .ready }
    phase.replaceCarry(carry)
    let nextName = carry.currentStop.flatMap { carry.walk.point($0.point)?.name }
    // A place of a window is named when it has answered.
    let isNamed = !isInWindow(carry.place, carry)
    sayPlaceVanished(
      program ?? name ?? "", next: isNamed ? nextName ?? carry.names.first : nil)
  }

  /// Takes out of the walk what a new listing of a container has no more: whoever adds to a drag
  /// may enter a folder that has changed since it was listed.
  mutating func leaveUnlisted(of known: [DropPointDescriptor]) {
    guard phase.carry != nil else { return }
    let gone = Set(known.map(\.id)).filter { id in
      !registry.entries.keys.contains { registry.lists(id, in: $0) }
    }
    dropPointsVanished(gone)
  }

  /// Says that the place stood on is gone, and then where one is. While adding only the first.
  mutating func sayPlaceVanished(_ name: String, next: String?) {
    if case .carrying(let carry) = phase {
      say(.vanished(name: name, next: next, isNextSaid: true))
      arrive(carry)
    } else {
      say(.vanished(name: name, next: nil))
    }
  }

  /// After verdicts have changed: nobody is left standing on what is no longer there.
  ///
  /// Moves to the first place of the walk where that is so.
  mutating func settle(_ carry: inout Carry) {
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

  /// A question about a drop that has become moot; a list that is being read stays open.
  mutating func withdrawQuestion(_ carry: Carry) {
    guard case .confirming(let question, .carrying) = phase, case .drop = question.subject else {
      return
    }
    phase = .carrying(carry)
  }

  /// The way on from a place that vanishes: forward, else back, and rather in the same window, or outside
  /// of them; `nil` where nothing is left.
  private func successor(
    of place: Carry.Standpoint, in walk: Walk, without gone: Set<DropPointID>, _ carry: Carry
  ) -> Carry.Standpoint? {
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
      // From a place one never lands on a task: an Enter meant for a folder must not reach the trash.
      return !gone.contains(new.id) && (old?.standsAtEnd == true || !new.standsAtEnd)
        && (old?.isFolder != true || new.isFolder || isInWindow(walk.place(index), held))
    }
    let near = order.first { index in
      here.map { walk.container(ofStop: index) == $0 } ?? !isInWindow(walk.place(index), held)
    }
    if let near { return walk.place(near) }
    // The places in the window are not known any more.
    if let block = here.flatMap(carry.walk.blocks)?.first {
      return entry(of: carry.walk.block(block), carry)
    }
    return order.first.map(walk.place)
  }

  /// A container is gone with all that was in it: views climb out, the drag loses what it held from
  /// there, and its places leave the walk. A folder that was given stays, empty, since it may come
  /// back.
  private mutating func containerVanished(_ id: ContainerID) {
    let name = registry[id]?.container.name ?? ""
    let program = registry[id]?.container.app
    let isWindow = isAskedOnArrival(id)
    let wasShown = browse.container == id
    var gone = Set((registry[id]?.dropPoints ?? []).filter { $0.container == id }.map(\.id))
    if var carry = phase.carry {
      // A new folder in it, and what stands for it at the end of the walk.
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
      // A person who had gone up from a folder that was given is there again.
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
    // If the drag goes on, one is led on before the items are asked about anew.
    if isHeld, phase.carry?.items.allSatisfy({ isIn(id, $0) }) == false {
      dropPointsVanished(
        gone, with: isWindow ? id : nil, of: isWindow ? program ?? name : nil)
    }
    if isHeld {
      heldContainerVanished(id, of: program)
    } else if wasShown, case .browsing = phase, !settings.picksFocus {
      // On the desktop nobody stands in what was in focus at the last pick-up. One of the folders
      // given stays shown, with nothing in it.
      say(.vanished(name: name, next: browse.container == id ? nil : containerName))
    } else if root != nil, settings.hasHome, !isStanding(in: gone) {
      say(.vanished(name: name, next: nil))
    }
    dropPointsVanished(
      gone, with: isWindow ? id : nil, of: isWindow ? program ?? name : nil)
  }

  /// Whether one stands on one of these places.
  private func isStanding(in points: Set<DropPointID>) -> Bool {
    phase.carry?.currentStop.map { points.contains($0.point) } ?? false
  }

  /// Whether an item goes when a container goes: on the desktop, where a list lies in a window, the
  /// window takes it along.
  private func isIn(_ container: ContainerID, _ item: DragItem) -> Bool {
    item.container == container
      || !settings.hasHome && registry.enclosing(item.container).contains(container)
  }

  /// Takes out of the drag all that was in a container; with nothing left it ends.
  private mutating func heldContainerVanished(_ id: ContainerID, of program: String?) {
    guard var carry = phase.carry else { return }
    let name = carry.items.first { isIn(id, $0) }?.name ?? ""
    let staying = carry.items.filter { !isIn(id, $0) }
    carry.items = staying
    if carry.items.isEmpty {
      // A window takes several along: its program is the better name.
      endBecauseGone(carry, settings.hasHome ? name : program ?? name)
    } else {
      heldChanged(carry, name)
    }
  }

  /// Nothing that was held is left: keys are free again.
  ///
  /// A drop of a script fails by it.
  private mutating func endBecauseGone(_ carry: Carry, _ name: String) {
    phase = .browsing(adding: nil)
    release(carry)
    hasFailure = true
    if carry.direct != nil { fail(.gone) }
    say(.sessionEnded(.gone, name: name))
  }

  /// Asks every place again, since what the world told has changed.
  ///
  /// - Parameter point: the first of the new ones, which is said where it accepts.
  mutating func askAgain(for point: DropPointDescriptor? = nil) {
    guard var carry = phase.carry, carry.isAsked else { return }
    // Those of windows when they are reached.
    let stops = allStops(carry)
    let why = point.map { AskPurpose.appeared($0.id, name: $0.name) } ?? .refresh
    if !stops.isEmpty { ask(&carry, stops: stops, for: why) }
    refreshWalk(carry)
  }
}
