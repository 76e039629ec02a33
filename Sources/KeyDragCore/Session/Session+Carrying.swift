/// Carrying: walking the places that can take what is held.
extension Session {
  mutating func runCarrying(_ command: CommandName, _ carry: Carry) {
    guard carry.stage == .ready else {
      runEarly(command, carry)
      return
    }
    switch command {
    case .nextDropPoint: walk(1, carry)
    case .previousDropPoint: walk(-1, carry)
    case .nextPosition: walkPosition(1, carry)
    case .previousPosition: walkPosition(-1, carry)
    case .firstPosition: walkToEnd(isLast: false, carry)
    case .lastPosition: walkToEnd(isLast: true, carry)
    case .nextContainer: walkContainer(1, carry)
    case .previousContainer: walkContainer(-1, carry)
    case .openDropPoint: openDropPoint(carry)
    case .leaveDropPoint: leaveDropPoint(carry)
    case .takeBack: takeBack(or: .leaveDropPoint)
    case .toggleRefusing: toggleRefusing(carry)
    case .details: sayDetails(carry)
    case .wishCopy: wish(.copy, carry)
    case .wishMove: wish(.move, carry)
    case .wishLink: wish(.link, carry)
    case .addToDrag:
      phase = .browsing(adding: carry)
      say(.mode(.adding, isOn: true))
    case .removeLast: removeLast(carry)
    case .drop: drop(carry)
    case .sayHeld, .pickUp: say(.holding(holding(carry)))
    case .cancel: cancelHeldDrag()
    case .nextItem, .previousItem, .firstItem, .lastItem, .nextPage, .previousPage, .openItem,
      .leaveContainer, .toggleSelection, .extendSelectionDown, .extendSelectionUp, .selectAll,
      .copyTo, .moveTo, .linkTo, .actions, .toggleHidden, .toggleEdit, .reorderUp, .reorderDown,
      .reorderTop, .reorderBottom, .nextChoice, .previousChoice, .take, .back, .cancelDelivery:
      notHere(command)
    case .undo, .redo, .deliveries, .goToLanded, .redraw, .whereAmI, .repeatLast, .silence, .help,
      .quit, .interrupt:
      break  // Answered in every phase alike, before this.
    }
  }

  /// While verdicts are outstanding: walking waits for them, a drop is never made on a guess.
  private mutating func runEarly(_ command: CommandName, _ carry: Carry) {
    // A drop that is on its way ends the walk: a step would come to nothing in silence.
    let isDropping = if case .dropping = carry.stage { true } else { false }
    switch command {
    case .cancel: cancelHeldDrag()
    case _ where isDropping: say(.holding(holding(carry, verdict: .asking)))
    case .nextDropPoint, .previousDropPoint, .nextPosition, .previousPosition, .firstPosition,
      .lastPosition, .nextContainer, .previousContainer, .toggleRefusing, .wishCopy, .wishMove,
      .wishLink:
      var carry = carry
      if carry.deferred.count < 8 { carry.deferred.append(command) }
      phase = .carrying(carry)
    default: say(.holding(holding(carry, verdict: .asking)))
    }
  }

  // MARK: Walking

  mutating func stand(_ place: Carry.Place, _ carry: Carry) {
    var carry = carry
    carry.place = place
    phase = .carrying(carry)
    sayPlace(carry)
  }

  /// To the next or previous block; past either end comes the source.
  private mutating func walk(_ by: Int, _ carry: Carry) {
    let blocks = carry.walk.blocks
    guard !blocks.isEmpty else {
      stand(.source, carry)
      return
    }
    let next: Int
    if let stop = carry.currentStop {
      if let index = carry.walk.index(of: stop) {
        next = carry.walk.block(of: index) + by
      } else {
        // One stands on a place that refuses: go on from there.
        next = blockNear(stop, by, carry)
      }
    } else {
      next = by > 0 ? 0 : blocks.count - 1
    }
    guard blocks.indices.contains(next) else {
      stand(isSourceThere(carry) ? .source : .stop(wrapped(by, carry)), carry)
      return
    }
    stand(.stop(entry(of: blocks[next], carry)), carry)
  }

  /// The source is gone, so the walk goes round.
  private func wrapped(_ by: Int, _ carry: Carry) -> DropStop {
    let blocks = carry.walk.blocks
    return entry(of: by > 0 ? blocks[0] : blocks[blocks.count - 1], carry)
  }

  private func isSourceThere(_ carry: Carry) -> Bool {
    guard let first = carry.items.first else { return false }
    return registry[first.container] != nil
  }

  /// The nearest visited block in walking direction from a place that is not visited.
  private func blockNear(_ stop: DropStop, _ by: Int, _ carry: Carry) -> Int {
    let blocks = carry.walk.blocks
    guard let here = carry.walk.ordinals[stop.point] else { return by > 0 ? 0 : blocks.count - 1 }
    // The walk is the registry order, rotated: find the first block behind this ordinal.
    let ordinals = blocks.map { carry.walk.ordinals[carry.walk.stops[$0.lowerBound].point] ?? 0 }
    let behind = ordinals.indices.filter { ordinals[$0] > here }
      .min { ordinals[$0] < ordinals[$1] }
    guard let behind else { return by > 0 ? 0 : blocks.count - 1 }
    return by > 0 ? behind : behind - 1
  }

  /// Inside a list from stop to stop; elsewhere as Tab.
  private mutating func walkPosition(_ by: Int, _ carry: Carry) {
    guard let stop = carry.currentStop, let index = carry.walk.index(of: stop) else {
      walk(by, carry)
      return
    }
    let block = carry.walk.blocks[carry.walk.block(of: index)]
    guard block.count > 1 else {
      walk(by, carry)
      return
    }
    guard block.contains(index + by) else {
      say(.edge(by > 0 ? .last : .first))
      return
    }
    stand(.stop(carry.walk.stops[index + by]), carry)
  }

  /// The first or last stop: of the same kind in a list, of the whole walk elsewhere.
  private mutating func walkToEnd(isLast: Bool, _ carry: Carry) {
    let walk = carry.walk
    guard !walk.blocks.isEmpty else {
      say(.edge(isLast ? .last : .first))
      return
    }
    if let stop = carry.currentStop, let index = walk.index(of: stop) {
      let block = walk.blocks[walk.block(of: index)]
      if block.count > 1 {
        let isOn = stop.position == .on
        let same = block.filter { (walk.stops[$0].position == .on) == isOn }
        if let target = isLast ? same.last : same.first { stand(.stop(walk.stops[target]), carry) }
        return
      }
    }
    let places = walk.blocks.prefix(max(walk.placeCount, 1))
    if let block = isLast ? places.last : places.first {
      stand(.stop(entry(of: block, carry)), carry)
    }
  }

  /// To the first stop in the next container.
  private mutating func walkContainer(_ by: Int, _ carry: Carry) {
    let walk = carry.walk
    func container(_ block: Int) -> ContainerID? {
      walk.point(walk.stops[walk.blocks[block].lowerBound].point)?.container
    }
    let here = carry.currentStop.flatMap { walk.index(of: $0) }.map { walk.block(of: $0) }
    var next = (here ?? (by > 0 ? -1 : walk.blocks.count)) + by
    let start = here.flatMap(container)
    while walk.blocks.indices.contains(next), container(next) == start { next += by }
    guard walk.blocks.indices.contains(next) else {
      say(.edge(by > 0 ? .last : .first))
      return
    }
    if by < 0 {
      let group = container(next)
      while walk.blocks.indices.contains(next - 1), container(next - 1) == group { next -= 1 }
    }
    stand(.stop(entry(of: walk.blocks[next], carry)), carry)
  }

  mutating func findDropPoint(_ text: String, movesOn: Bool) {
    guard case .carrying(var carry) = phase, carry.stage == .ready else {
      if let carry = phase.carry { say(.holding(holding(carry, verdict: .asking))) }
      return
    }
    let current = carry.currentStop?.point
    guard let point = carry.walk.match(text, current: current, movesOn: movesOn) else {
      noMatch(text)
      return
    }
    let stops = DropPosition.allCases.filter { point.positions.contains($0.set) }
      .map { DropStop(point.id, $0) }
    let best = stops.first { $0.position == .on } ?? stops.first ?? DropStop(point.id)
    let welcome = ([best] + stops).first { verdict(at: $0, carry).isWelcome }
    stand(.stop(welcome ?? best), carry)
  }

  private mutating func toggleRefusing(_ carry: Carry) {
    var carry = carry
    carry.showsRefusing.toggle()
    carry.walk = makeWalk(carry)
    phase = .carrying(carry)
    say(.mode(.refusing, isOn: carry.showsRefusing))
  }

  // MARK: Wishes and items

  private mutating func wish(_ operation: DragOperation, _ carry: Carry) {
    var carry = carry
    // The same key again takes the wish back.
    let wish = carry.wish == operation ? nil : operation
    if let wish, !carry.allowed().contains(wish) {
      say(.operationUnavailable(wish, .notPermitted))
      return
    }
    carry.wish = wish
    ask(&carry, stops: allStops(carry), for: .wish)
    phase = .carrying(carry)
  }

  mutating func wishAnswers(_ carry: Carry) {
    phase.replaceCarry(carry)
    guard let stop = carry.currentStop else {
      say(.operation(carry.wish, now: nil))
      return
    }
    let judgement = verdict(at: stop, carry)
    if !judgement.isWelcome, let wish = carry.wish {
      say(.operationUnavailable(wish, judgement.reason ?? .operationNotOffered))
    } else if judgement.isWelcome {
      say(.operation(carry.wish, now: judgement.operation))
    } else {
      say(.operation(carry.wish, now: nil))
      sayPlace(carry)
    }
  }

  private mutating func removeLast(_ carry: Carry) {
    var carry = carry
    guard carry.items.count > 1, let last = carry.items.popLast() else {
      cancelHeldDrag()
      return
    }
    ask(&carry, stops: allStops(carry), for: .removed(last.name))
    phase = .carrying(carry)
  }

  mutating func removedAnswers(_ carry: Carry, _ name: String) {
    phase.replaceCarry(carry)
    say(.removed(name: name, count: carry.items.count))
  }

  mutating func addedAnswers(_ carry: Carry, _ names: [String]) {
    phase.replaceCarry(carry)
    say(.added(names: names, count: carry.items.count))
    sayPlace(carry)
  }

  mutating func returnToCarrying(_ carry: Carry) {
    phase = .carrying(carry)
    say(.mode(.adding, isOn: false))
    sayPlace(carry)
  }

  // MARK: Ending

  /// Ends carrying with nothing moved; focus is at the source still.
  mutating func cancelHeldDrag() {
    guard let carry = phase.carry else { return }
    phase = .browsing(adding: nil)
    release(carry)
    focusSource(of: carry)
    say(.cancelled(names: carry.names, count: carry.items.count))
  }

  /// Puts focus back on what was picked up, where a view still shows it.
  private mutating func focusSource(of carry: Carry) {
    guard let first = carry.items.first,
      let view = browse.views.firstIndex(where: { $0.top.container == first.container }),
      let index = registry.index(
        of: first.source, in: first.container, hint: browse.views[view].top.focus)
    else { return }
    browse.current = view
    focus(index)
  }

  /// Forgets what was opened and asked for while carrying.
  mutating func release(_ carry: Carry) {
    for (id, purpose) in outstanding {
      switch purpose {
      case .prepareCarry, .prepareAdding, .ask, .openPoint:
        outstanding[id] = nil
        emit(.cancelTimer(.asking(id)))
      default: break
      }
    }
    for container in carry.opened { forget(container) }
  }
}
