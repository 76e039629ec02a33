/// What changes by itself, while browsing and while carrying.
extension Session {
  mutating func changed(_ changes: [RegistryChange]) {
    for change in changes { changed(change) }
    emit(.repaint)
  }

  private mutating func changed(_ change: RegistryChange) {
    switch change {
    case .sourceAppeared(let source, _):
      let isNew = registry.index(of: source.id, in: source.container) == nil
      guard registry.apply(change) else { return }
      keepFocus(in: source.container)
      if isNew { sayAppeared(source) }
    case .sourceVanished(let id, let container): sourceVanished(id, container, change)
    case .dropPointAppeared(let point, _):
      guard registry.apply(change) else { return }
      dropPointAppeared(point)
    case .dropPointVanished(let id, _):
      guard registry.apply(change) else { return }
      dropPointVanished(id)
    case .containerVanished(let id): containerVanished(id)
    case .replaced(let listing):
      guard registry.apply(change) else { return }
      keepFocus(in: listing.container.id)
      askAgain()
    }
  }

  // MARK: Sources

  private mutating func sayAppeared(_ source: DragSourceDescriptor) {
    guard case .browsing = phase, browse.container == source.container,
      !isExpected(source.id, in: source.container)
    else { return }
    say(.appeared(name: source.name))
  }

  /// Whether our own delivery brings it: its outcome is said, so its appearance need not be.
  private func isExpected(_ id: DragSourceID, in container: ContainerID) -> Bool {
    landings.contains { $0.source == id }
      || deliveries.values.contains { $0.target == container }
      || outstanding.values.contains(.undo) || outstanding.values.contains(.redo)
  }

  private mutating func sourceVanished(
    _ id: DragSourceID, _ container: ContainerID, _ change: RegistryChange
  ) {
    let name = registry.index(of: id, in: container).flatMap {
      registry[container]?.sources?[$0].name
    }
    let isOurs =
      deliveries.values.contains { $0.items.contains(id) } || recentlyTaken.contains(id)
      || outstanding.values.contains(.undo) || outstanding.values.contains(.redo)
    let wasFocused = focused?.id == id
    registry.apply(change)
    browse.marks[id] = nil
    landings.removeAll { $0.source == id }
    keepFocus(in: container)
    if heldItemVanished(id) { return }
    guard case .browsing = phase, browse.container == container, !isOurs, let name else { return }
    say(.vanished(name: name, next: wasFocused ? focused?.name : nil))
  }

  /// Takes a vanished item out of the drag; with the last one the session ends. `true` when it was
  /// held.
  private mutating func heldItemVanished(_ id: DragSourceID) -> Bool {
    guard var carry = phase.carry, let index = carry.items.firstIndex(where: { $0.source == id })
    else { return false }
    let name = carry.items[index].name
    guard carry.items.count > 1 else {
      phase = .browsing(adding: nil)
      release(carry)
      hasFailure = true
      say(.sessionEnded(.gone, name: name))
      return true
    }
    carry.items.remove(at: index)
    // Verdicts name items by index, so all are asked again; a question about the old set is moot.
    if case .confirming(_, .carrying) = phase { phase = .carrying(carry) }
    carry.stage = .ready
    ask(&carry, stops: allStops(carry), for: .refresh)
    phase.replaceCarry(carry)
    say(.vanished(name: name, next: nil))
    return true
  }

  // MARK: Places

  private mutating func dropPointAppeared(_ point: DropPointDescriptor) {
    guard var carry = phase.carry, carry.stage == .ready else { return }
    let stops = DropPosition.allCases.filter { point.positions.contains($0.set) }
      .map { DropStop(point.id, $0) }
    ask(&carry, stops: stops, for: .appeared(point.id, name: point.name))
    phase.replaceCarry(carry)
  }

  mutating func appearedAnswers(_ carry: Carry, _ point: DropPointID, _ name: String) {
    phase.replaceCarry(carry)
    let stops = carry.walk.stops
    guard stops.contains(where: { $0.point == point }) else { return }
    say(.appeared(name: name))
  }

  private mutating func dropPointVanished(_ id: DropPointID) {
    guard var carry = phase.carry else { return }
    let old = carry.walk
    let name = old.point(id)?.name ?? ""
    let wasHere = carry.currentStop?.point == id
    let next = wasHere ? successor(of: id, in: old) : nil
    for position in DropPosition.allCases { carry.proposals[DropStop(id, position)] = nil }
    carry.walk = makeWalk(carry)
    if wasHere {
      let stop = next.flatMap { carry.walk.index(of: $0) == nil ? nil : $0 }
      carry.place = stop.map { .stop($0) } ?? firstPlace(carry)
      if case .confirming(_, .carrying) = phase { phase = .carrying(carry) }
      carry.stage = carry.stage == .ready ? .ready : carry.stage
    }
    phase.replaceCarry(carry)
    guard wasHere else { return }
    let nextName = carry.currentStop.flatMap { carry.walk.point($0.point)?.name }
    say(.vanished(name: name, next: nextName))
    if case .carrying(let carry) = phase { sayPlace(carry) }
  }

  private func successor(of id: DropPointID, in walk: Walk) -> DropStop? {
    guard let index = walk.stops.firstIndex(where: { $0.point == id }) else { return nil }
    // From a place one never lands on a task: an Enter meant for a folder must not reach the trash.
    let isTask = walk.point(id)?.task != nil
    func follows(_ stop: DropStop) -> Bool {
      stop.point != id && (isTask || walk.point(stop.point)?.task == nil)
    }
    return walk.stops[index...].first(where: follows) ?? walk.stops[..<index].last(where: follows)
  }

  private mutating func containerVanished(_ id: ContainerID) {
    let name = registry[id]?.container.name ?? ""
    let wasShown = browse.container == id
    for view in browse.views.indices {
      guard let depth = browse.views[view].below.firstIndex(where: { $0.container == id }) else {
        continue
      }
      while browse.views[view].below.count > depth {
        guard let level = browse.views[view].below.popLast() else { break }
        forget(level.container)
      }
    }
    let isRoot = browse.views.contains { $0.root == id }
    let gone = Set((registry[id]?.dropPoints ?? []).map(\.id))
    if isRoot {
      if let container = registry[id]?.container {
        registry.insert(Listing(container: container, sources: [], dropPoints: []))
      }
    } else {
      registry.remove(id)
    }
    if let carry = phase.carry, let held = carry.items.first(where: { $0.container == id }) {
      heldContainerVanished(carry, id, held.name)
    } else {
      if wasShown { say(.vanished(name: name, next: focused?.name ?? containerName)) }
      for point in gone { dropPointVanished(point) }
    }
  }

  private mutating func heldContainerVanished(
    _ carry: Carry, _ id: ContainerID, _ name: String
  ) {
    var carry = carry
    carry.items.removeAll { $0.container == id }
    if carry.items.isEmpty {
      phase = .browsing(adding: nil)
      release(carry)
      hasFailure = true
      say(.sessionEnded(.gone, name: name))
    } else {
      if case .confirming(_, .carrying) = phase { phase = .carrying(carry) }
      carry.stage = .ready
      ask(&carry, stops: allStops(carry), for: .refresh)
      phase.replaceCarry(carry)
      say(.vanished(name: name, next: nil))
    }
  }

  mutating func askAgain() {
    guard var carry = phase.carry, carry.stage == .ready else { return }
    ask(&carry, stops: allStops(carry), for: .refresh)
    phase.replaceCarry(carry)
  }
}
