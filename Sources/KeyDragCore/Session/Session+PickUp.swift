/// From the pick-up to the first drop point.
extension Session {
  /// How long an answer may take before the person hears that it is being asked for.
  static var askingDelay: Int { 300 }

  mutating func pickUp(wish: DragOperation?, _ adding: Carry?) {
    let chosen = pickUpSources()
    guard !chosen.isEmpty else {
      say(.nothingToPickUp(.nothingThere, name: nil))
      return
    }
    if let only = chosen.first, chosen.count == 1, !only.isEnabled || only.kind == .placeholder {
      say(.nothingToPickUp(.notDraggable, name: only.name))
      return
    }
    let ids = chosen.filter { $0.isEnabled && $0.kind != .placeholder }.map(\.id)
    if adding != nil {
      request(.prepare(ids), for: .prepareAdding)
    } else {
      let id = request(.prepare(ids), for: .prepareCarry)
      phase = .carrying(Carry(stage: .preparing(id), wish: wish))
    }
  }

  /// One drop without a walk.
  mutating func begin(_ transfer: Transfer) {
    let direct = Carry.Direct(stop: transfer.stop, clash: transfer.clash, isScripted: true)
    let id = request(.prepare(transfer.sources), for: .prepareCarry)
    phase = .carrying(
      Carry(stage: .preparing(id), wish: transfer.operation, direct: direct))
  }

  mutating func prepared(_ preparation: Preparation, for purpose: Purpose) {
    switch purpose {
    case .prepareCarry: preparedCarry(preparation)
    case .prepareAdding: preparedAdding(preparation)
    case .prepareActions: preparedActions(preparation)
    default: break
    }
  }

  private mutating func preparedCarry(_ preparation: Preparation) {
    guard case .carrying(var carry) = phase, case .preparing = carry.stage else { return }
    guard !preparation.items.isEmpty else {
      phase = .browsing(adding: nil)
      let first = preparation.refused.first
      fail(first?.reason ?? .notDraggable)
      say(.nothingToPickUp(first?.reason ?? .notDraggable, name: first?.name))
      return
    }
    carry.items = preparation.items
    carry.taskPoints = preparation.taskPoints
    // An item whose folder is held comes along with it, and a mark that no longer exists is not
    // counted: neither is worth a word.
    carry.refusedAtPickUp = preparation.refused.filter {
      $0.reason != .heldWithFolder && (carry.direct?.isScripted == true || $0.reason != .gone)
    }
    if let direct = carry.direct {
      askFinally(&carry, direct.stop)
    } else {
      ask(&carry, stops: allStops(carry), for: .pickUp)
    }
    phase = .carrying(carry)
  }

  private mutating func preparedAdding(_ preparation: Preparation) {
    guard case .browsing(let adding?) = phase else { return }
    var carry = adding
    let held = Set(carry.items.map(\.source))
    let new = preparation.items.filter { !held.contains($0.source) }
    for item in preparation.items where held.contains(item.source) {
      say(.refusedToAdd(name: item.name, .alreadyHeld))
    }
    for refusal in preparation.refused {
      say(.refusedToAdd(name: refusal.name, refusal.reason))
    }
    guard !new.isEmpty else {
      if preparation.items.isEmpty && preparation.refused.isEmpty {
        say(.refusedToAdd(name: focused?.name ?? "", .notDraggable))
      }
      return
    }
    carry.items += new
    carry.taskPoints = commonTasks(carry.taskPoints, preparation.taskPoints)
    ask(&carry, stops: allStops(carry), for: .added(new.map(\.name)))
    phase = .carrying(carry)
  }

  /// Tasks that fit both what is held and what is added.
  private func commonTasks(
    _ held: [DropPointDescriptor], _ new: [DropPointDescriptor]
  ) -> [DropPointDescriptor] {
    held.filter { one in new.contains { $0.task == one.task && $0.name == one.name } }
  }

  // MARK: Asking

  /// Every stop of every place and task.
  func allStops(_ carry: Carry) -> [DropStop] {
    places(carry).flatMap { point in
      DropPosition.allCases.filter { point.positions.contains($0.set) }.map {
        DropStop(point.id, $0)
      }
    } + carry.taskPoints.map { DropStop($0.id) }
  }

  /// The drop points in registry order: each container with what it lists, then what has been opened
  /// while carrying.
  func places(_ carry: Carry) -> [DropPointDescriptor] {
    let inOrder = registry.entries.keys.filter { !carry.opened.contains($0) }
    var seen: Set<DropPointID> = []
    var seenContainers: Set<ContainerID> = []
    var result: [DropPointDescriptor] = []
    for container in Array(inOrder) + Array(carry.opened) {
      for point in registry[container]?.dropPoints ?? [] {
        // A folder is listed by the folder around it and by itself: it is one place.
        if let leadsTo = point.leadsTo, !seenContainers.insert(leadsTo).inserted { continue }
        if seen.insert(point.id).inserted { result.append(point) }
      }
    }
    return result
  }

  mutating func ask(_ carry: inout Carry, stops: [DropStop], for purpose: AskPurpose) {
    let inquiry = Inquiry(items: carry.items, wish: carry.wish, stops: stops)
    let id = request(.ask(inquiry), for: .ask(purpose))
    if case .pickUp = purpose { carry.stage = .asking(id) }
    emit(.startTimer(.asking(id), milliseconds: Session.askingDelay))
  }

  mutating func answered(_ answers: [Answer], for purpose: Purpose) {
    guard case .ask(let why) = purpose, var carry = phase.carry else { return }
    if why != .final, answers.count > 64 {
      // The first round answers everything: the table is made in one go.
      carry.proposals.reserveCapacity(answers.count)
    }
    for answer in answers { carry.proposals[answer.stop] = answer.proposal }
    if why == .final {
      finallyAnswered(answers, carry)
      return
    }
    carry.walk = makeWalk(carry)
    switch why {
    case .pickUp: firstAnswers(carry)
    case .wish: wishAnswers(carry)
    case .added(let names): addedAnswers(carry, names)
    case .removed(let name): removedAnswers(carry, name)
    case .appeared(let point, let name): appearedAnswers(carry, point, name)
    case .opened(let container, let point): openedAnswers(carry, container, point)
    case .refresh, .final: phase.replaceCarry(carry)
    }
  }

  private mutating func firstAnswers(_ carry: Carry) {
    guard case .carrying = phase else { return }
    var carry = carry
    carry.stage = .ready
    guard carry.walk.placeCount > 0 else {
      phase = .browsing(adding: nil)
      say(.nothingAccepts(count: carry.items.count, alternatives: alternatives(carry)))
      return
    }
    carry.place = firstPlace(carry)
    sayPickedUp(&carry, points: carry.walk.placeCount)
    let deferred = carry.deferred
    carry.deferred = []
    phase = .carrying(carry)
    sayPlace(carry)
    for failure in carry.refusedAtPickUp {
      say(.refusedToAdd(name: failure.name, failure.reason))
    }
    for command in deferred {
      guard case .carrying(let carry) = phase else { return }
      runCarrying(command, carry)
    }
  }

  /// Where a walk begins: at the best place, in a list next to the item in focus.
  func firstPlace(_ carry: Carry) -> Carry.Place {
    guard carry.walk.placeCount > 0, let first = carry.walk.blocks.first else { return .source }
    return .stop(entry(of: first, carry))
  }

  private mutating func sayPickedUp(_ carry: inout Carry, points: Int?) {
    guard !carry.isAnnounced else { return }
    carry.isAnnounced = true
    let operation = carry.currentStop.flatMap { verdict(at: $0, carry).operation }
    say(
      .pickedUp(
        PickUp(
          names: carry.names, typeName: carry.items.first?.typeName ?? "",
          kinds: KindCount.count(carry.items), count: carry.items.count,
          operation: operation ?? carry.wish, points: points,
          isFirst: !hasExplainedCarrying)))
    hasExplainedCarrying = true
  }

  private func alternatives(_ carry: Carry) -> [Alternative] {
    let tasks = carry.taskPoints.compactMap { point -> Alternative? in
      switch point.task {
      case .trash: .trash
      case .print: .print
      case .openWith: .openWith(program: point.name)
      case nil: nil
      }
    }
    return tasks
  }

  /// The answers are late: say at once what is held, and that places are being asked.
  mutating func askingIsLate(_ id: RequestID) {
    if !kept.isEmpty {
      listingIsLate()
      return
    }
    guard outstanding[id] != nil, case .carrying(var carry) = phase else { return }
    if carry.direct == nil { sayPickedUp(&carry, points: nil) }
    phase = .carrying(carry)
    say(.holding(holding(carry, verdict: .asking)))
  }
}

extension DropPosition {
  var set: DropPositions {
    switch self {
    case .before: .before
    case .on: .on
    case .after: .after
    }
  }
}
