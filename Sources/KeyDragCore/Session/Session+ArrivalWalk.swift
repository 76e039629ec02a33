/// The walk where places are asked as they are reached: every candidate of a container, then the next
/// container in registry order, the tasks, and past either end the source.
extension Session {
  func makeWalk(_ arrival: Arrival, _ carry: Carry) -> Walk {
    // The tasks are at home, if there is a home.
    let tasks = settings.hasHome ? [] : carry.taskPoints
    return Walk(places: places(carry), tasks: tasks, start: 0, after: carry.walk) {
      stop, point in
      guard !carry.showsRefusing, arrival.isAside(stop), carry.proposals[stop] != nil else {
        return true
      }
      return verdict(at: stop, of: point, carry).isWelcome
    }
  }

  // MARK: Groups

  func group(of point: DropPointDescriptor) -> WalkGroup {
    point.task == nil ? .container(point.container) : .tasks
  }

  /// The group that the person is in; `nil` at the source.
  func group(of place: Carry.Standpoint, _ carry: Carry) -> WalkGroup? {
    switch place {
    case .source: nil
    case .container(let id, _): .container(id)
    case .stop(let stop): carry.walk.point(stop.point).map(group)
    }
  }

  private func groups(_ carry: Carry) -> [WalkGroup] {
    let inOrder = registry.entries.keys.filter { !carry.opened.contains($0) }
    return (Array(inOrder) + Array(carry.opened)).filter(isAskedOnArrival).map { .container($0) }
      + (settings.hasHome ? [] : [.tasks])
  }

  private func blocks(of group: WalkGroup, _ walk: Walk) -> [Int] {
    (0..<walk.blockCount).filter {
      self.group(of: walk.point(ofStop: walk.block($0).lowerBound)) == group
    }
  }

  /// The place at which a group is entered; `nil` when there is nothing in it to stand on.
  func place(in group: WalkGroup, isBackward: Bool, _ carry: Carry) -> Carry.Standpoint? {
    let blocks = blocks(of: group, carry.walk)
    if let block = isBackward ? blocks.last : blocks.first {
      return .stop(entry(of: carry.walk.block(block), carry))
    }
    guard case .container(let id) = group, let entry = registry[id], entry.dropPoints == nil,
      carry.arrival?.unreadable.contains(id) != true
    else { return nil }
    return .container(id, isBackward: isBackward)
  }

  /// The next place in another group; `nil` past the ends.
  ///
  /// - Parameter isBackward: whether the group is entered at its end.
  func place(
    from group: WalkGroup?, by: Int, isBackward: Bool, _ carry: Carry
  ) -> Carry.Standpoint? {
    let order = groups(carry)
    let here = group.flatMap(order.firstIndex) ?? (by > 0 ? -1 : order.count)
    let behind = by > 0 ? Array(order[(here + 1)...]) : order[..<here].reversed()
    return behind.lazy.compactMap { self.place(in: $0, isBackward: isBackward, carry) }.first
  }

  /// The next place of the walk behind a group: past either end comes the source, or the last place
  /// at home before the windows; if the source is gone, the walk goes round.
  func onward(from group: WalkGroup?, by: Int, _ carry: Carry) -> Carry.Standpoint {
    if let next = place(from: group, by: by, isBackward: by < 0, carry) { return next }
    if by < 0, let last = lastPlaceAtHome(carry) { return last }
    if isSourceThere(carry) { return .source }
    return place(from: nil, by: by, isBackward: by < 0, carry) ?? .source
  }

  // MARK: Walking

  /// To the next or previous candidate.
  mutating func walkOnward(_ by: Int, _ held: Carry) {
    var carry = held
    carry.arrival?.isBackward = by < 0
    if let next = carry.currentStop.flatMap({ neighbour(of: $0, by: by, carry) }) {
      stand(next, carry)
      return
    }
    let here = group(of: carry.place, carry)
    if place(from: here, by: by, isBackward: by < 0, carry) == nil {
      if settings.hasHome {
        leaveWindows(by, carry)
        return
      }
      // One end is reached: what is behind it begins a new walk, with or without a source between.
      carry.arrival?.putRefusingAside()
      carry.walk = makeWalk(carry)
    }
    stand(onward(from: here, by: by, carry), carry)
  }

  /// The next candidate in the same container.
  private func neighbour(of stop: DropStop, by: Int, _ carry: Carry) -> Carry.Standpoint? {
    let walk = carry.walk
    // One may stand on a place that is left out of the walk: go on from there.
    let next =
      walk.index(of: stop).map { walk.block(of: $0) + by }
      ?? walk.block(behind: stop.point) + min(by, 0)
    guard (0..<walk.blockCount).contains(next) else { return nil }
    let block = walk.block(next)
    guard group(of: walk.point(ofStop: block.lowerBound)) == group(of: .stop(stop), carry) else {
      return nil
    }
    return .stop(entry(of: block, carry))
  }

  /// The first or last candidate of the container one is in; at the source, of all.
  mutating func walkToEndOfContainer(isLast: Bool, _ held: Carry) {
    var carry = held
    carry.arrival?.isBackward = isLast
    let place =
      group(of: carry.place, carry).flatMap { self.place(in: $0, isBackward: isLast, carry) }
      ?? self.place(from: nil, by: isLast ? -1 : 1, isBackward: isLast, carry)
    guard let place else {
      say(.edge(isLast ? .last : .first))
      return
    }
    stand(place, carry)
  }

  /// Window by window, each entered at its first candidate.
  mutating func walkToContainer(_ by: Int, _ held: Carry) {
    var carry = held
    carry.arrival?.isBackward = false
    let here = group(of: carry.place, carry)
    guard let place = place(from: here, by: by, isBackward: false, carry) else {
      if by < 0, leaveWindowsForContainer(carry) { return }
      say(.edge(by > 0 ? .last : .first))
      return
    }
    stand(place, carry)
  }

  /// In a window whose places are being listed there is none yet to drop on, to open or to ask about.
  mutating func isBeforePlaces(_ command: CommandName, _ carry: Carry) -> Bool {
    guard case .container = carry.place,
      [.drop, .openDropPoint, .leaveDropPoint, .details].contains(command)
    else { return false }
    say(.holding(holding(carry)))
    return true
  }

  /// "2 of 12": among all candidates of the container, also those left out of the walk, so that a
  /// place keeps its number.
  func candidateNumber(of stop: DropStop, _ carry: Carry) -> (index: Int?, total: Int?) {
    guard let point = carry.walk.point(stop.point), point.task == nil else { return (nil, nil) }
    guard point.positions == .on else { return listNumber(of: stop, carry) }
    var index: Int?
    var total = 0
    for other in carry.walk.points
    where other.container == point.container && other.positions == .on && other.task == nil {
      total += 1
      if other.id == point.id { index = total }
    }
    return (index, total)
  }
}
