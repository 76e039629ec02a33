/// Carrying: walking the places that can take the held items.
///
/// The walk consists of blocks: a place, a list with all its stops, or a window that has not been
/// listed.
extension Session {
  mutating func runCarrying(_ command: CommandName, _ carry: DragState) {
    guard carry.stage == .ready else {
      if command == .cancel {
        cancelHeldDrag()
      } else if command == .drop, case .dropping = carry.stage {
        // A second Enter repeats the first.
        sayDropping(carry)
      } else {
        say(.holding(holding(carry, isAsking: true)))
      }
      return
    }
    if command == .drop, carry.isDropKeyBlocked {
      var holding = holding(carry)
      holding.isDropKeyBlocked = true
      say(.holding(holding))
      return
    }
    if isBeforePlaces(command, carry) { return }
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
    case .takeBack: takeBack()
    case .toggleRefusing: toggleRefusing(carry)
    case .details: sayDetails(carry)
    case .wishCopy: wish(.copy, carry)
    case .wishMove: wish(.move, carry)
    case .wishLink: wish(.link, carry)
    case .goTo where isInFolders(carry): openGoTo(over: .carrying(carry))
    case .filter where isInFolders(carry): openFilter(over: .carrying(carry))
    case .newFolder where isInFolders(carry): goToNewFolder(carry)
    case .addToDrag:
      phase = .browsing(adding: carry)
      let chord = settings.picksFocus ? settings.pickUpChord : nil
      say(.mode(.adding, isOn: true, isFirst: told.give(.adding), chord: chord))
    case .removeLast: removeLast(carry)
    case .drop: drop(carry)
    case .pickUp where settings.picksFocus: askForFocus(wish: nil)
    case .sayHeld, .pickUp: say(.holding(holding(carry)))
    case .cancel: cancelHeldDrag()
    case .toggleEdit: toggleEdit()
    default: rejectCommand(command)
    }
  }

  /// Whether the person is outside of windows, in a session about folders.
  private func isInFolders(_ carry: DragState) -> Bool {
    settings.isInFolders && !isInWindow(carry.place, carry)
  }

  /// A window whose places are being listed has none yet to drop on, open or ask about.
  private mutating func isBeforePlaces(_ command: CommandName, _ carry: DragState) -> Bool {
    guard case .container = carry.place,
      [.drop, .openDropPoint, .leaveDropPoint, .details].contains(command)
    else { return false }
    say(.holding(holding(carry)))
    return true
  }

  // MARK: Walking

  /// Makes a place the current one and announces it.
  mutating func stand(_ place: DragState.WalkLocation, _ carry: DragState) {
    var carry = carry
    carry.hasCrossed = isShortcut(place, carry) && !isShortcut(carry.place, carry)
    carry.place = place
    phase = .carrying(carry)
    arrive(carry)
  }

  private func isShortcut(_ place: DragState.WalkLocation, _ carry: DragState) -> Bool {
    guard case .stop(let stop) = place else { return false }
    return carry.walk.point(stop.point)?.isShortcut == true
  }

  /// Goes to the next or previous block; the source is beyond either end.
  private mutating func walk(_ by: Int, _ held: DragState) {
    var carry = held
    carry.isBackward = by < 0
    let isEnd = !(0..<carry.walk.blockCount).contains(block(beside: carry.place, by, carry.walk))
    // Past an end a new walk begins, with or without the source between.
    if isEnd, carry.excludeRefusals() { carry.walk = makeWalk(carry) }
    stand(nextPlace(from: carry.place, by: by, carry), carry)
  }

  /// The next place in a direction: past either end the source or, without it, the other end.
  func nextPlace(from place: DragState.WalkLocation, by: Int, _ carry: DragState)
    -> DragState.WalkLocation
  {
    let walk = carry.walk
    let next = block(beside: place, by, walk)
    if (0..<walk.blockCount).contains(next) { return entry(of: walk.block(next), carry) }
    if isSourceThere(carry) || walk.blockCount == 0 { return .source }
    return entry(of: walk.block(by > 0 ? 0 : walk.blockCount - 1), carry)
  }

  /// The index of the next block in a direction, possibly beyond either end.
  private func block(beside place: DragState.WalkLocation, _ by: Int, _ walk: Walk) -> Int {
    switch place {
    case .source: return by > 0 ? 0 : walk.blockCount - 1
    case .container(let id):
      let blocks = walk.blocks(of: id) ?? 0..<0
      return by > 0 ? blocks.upperBound : blocks.lowerBound - 1
    case .stop(let stop):
      if let index = walk.index(of: stop) { return walk.block(of: index) + by }
      // The current place refuses and is not in the walk: continue from its position.
      return walk.block(behind: stop.point) + (by > 0 ? 0 : -1)
    }
  }

  /// Whether the item picked up first is still held, so that a drop at its place cancels.
  func isSourceThere(_ carry: DragState) -> Bool {
    carry.items.contains { $0.source == carry.origin }
  }

  /// Moves from stop to stop within a list; elsewhere like Tab.
  private mutating func walkPosition(_ by: Int, _ carry: DragState) {
    guard let stop = carry.currentStop, let index = carry.walk.index(of: stop) else {
      walk(by, carry)
      return
    }
    let block = carry.walk.block(carry.walk.block(of: index))
    guard block.count > 1 else {
      walk(by, carry)
      return
    }
    guard block.contains(index + by) else {
      // Another key leaves a list at its end.
      say(.edge(by > 0 ? .last : .first))
      return
    }
    stand(carry.walk.place(index + by), carry)
  }

  /// Goes to the first or last stop: of the same kind in a list, of the current window, or of all
  /// places.
  private mutating func walkToEnd(isLast: Bool, _ held: DragState) {
    var carry = held
    let walk = carry.walk
    if let list = listAround(carry) {
      // On an item the last item, between items the last gap.
      let same = list.block.filter { (walk.position(ofStop: $0) == .on) == list.isOn }
      if let target = isLast ? same.last : same.first { stand(walk.place(target), carry) }
      return
    }
    carry.isBackward = isLast
    let blocks = stretch(carry)
    guard let block = isLast ? blocks.last : blocks.first else {
      say(.edge(isLast ? .last : .first))
      return
    }
    stand(entry(of: walk.block(block), carry), carry)
  }

  /// The blocks that the keys for the first and the last place are limited to.
  private func stretch(_ carry: DragState) -> Range<Int> {
    let walk = carry.walk
    if isInWindow(carry.place, carry), let id = container(of: carry.place, carry),
      let blocks = walk.blocks(of: id), !blocks.isEmpty
    {
      return blocks
    }
    if walk.placeCount > 0 { return 0..<walk.placeCount }
    if !walk.windowBlocks.isEmpty { return walk.windowBlocks }
    return 0..<max(otherFolders(walk), min(walk.blockCount, 1))
  }

  /// The current list, and whether the current stop is on an item or between two.
  private func listAround(_ carry: DragState) -> (block: Range<Int>, isOn: Bool)? {
    guard let stop = carry.currentStop, let index = carry.walk.index(of: stop) else { return nil }
    let block = carry.walk.block(carry.walk.block(of: index))
    return block.count > 1 ? (block, stop.position == .on) : nil
  }

  /// Goes to the first stop in the next container; between lists it stays on items or between them.
  private mutating func walkContainer(_ by: Int, _ held: DragState) {
    var carry = held
    let walk = carry.walk
    func container(_ block: Int) -> ContainerID {
      walk.container(ofStop: walk.block(block).lowerBound)
    }
    if walkPage(by, carry, container) { return }
    carry.isBackward = false
    let blocks = 0..<walk.blockCount
    var next = block(beside: carry.place, by, walk)
    if let here = self.container(of: carry.place, carry) {
      while blocks.contains(next), container(next) == here { next += by }
    }
    guard blocks.contains(next) else {
      say(.edge(by > 0 ? .last : .first))
      return
    }
    // Backward, too, a container is entered at its beginning.
    if by < 0 {
      let group = container(next)
      while blocks.contains(next - 1), container(next - 1) == group { next -= 1 }
    }
    stand(entry(of: walk.block(next), carry, isOn: listAround(carry)?.isOn), carry)
  }

  /// Moves by a page if all places are in one container and there is no other.
  private mutating func walkPage(
    _ by: Int, _ carry: DragState, _ container: (Int) -> ContainerID
  ) -> Bool {
    let walk = carry.walk
    guard !hasWindows, walk.placeCount > 1,
      let stop = carry.currentStop, let index = walk.index(of: stop),
      walk.block(of: index) < walk.placeCount,
      (1..<walk.placeCount).allSatisfy({ container($0) == container(0) })
    else { return false }
    let here = walk.block(of: index)
    let there = min(max(here + by * browse.pageSize, 0), walk.placeCount - 1)
    if there == here { return false }
    stand(entry(of: walk.block(there), carry), carry)
    return true
  }

  /// Goes to the place whose name matches, even if it refuses.
  mutating func findDropPoint(_ query: TypeAhead.Query) {
    let text = query.text
    guard case .carrying(var carry) = phase, carry.stage == .ready else {
      if let carry = phase.carry { say(.holding(holding(carry, isAsking: true))) }
      return
    }
    let current = carry.currentStop?.point
    let match = carry.walk.match(
      text, current: current, movesOn: query.movesOn, heard: heardName)
    phase = .carrying(carry)
    guard let point = match else {
      noMatch(text)
      return
    }
    // On the place if possible, otherwise beside it; "before B" is walked as "after A", so it comes
    // last.
    let stops = [DropPosition.on, .after, .before].filter { point.positions.contains($0.set) }
      .map { DropStop(point.id, $0) }
    let welcome = stops.first { verdict(at: $0, carry).isDroppable }
    let place = DragState.WalkLocation.stop(welcome ?? stops.first ?? DropStop(point.id))
    defer { search.unmatchedText = nil }
    // Another letter of the same name: the place has been announced, or will be when it answers.
    if query.isLetter, search.unmatchedText == nil, carry.place == place { return }
    stand(place, carry)
  }

  /// The announced name of a place, such as "Open with Reader", so that each of its words matches.
  private func heardName(_ point: DropPointDescriptor) -> String {
    guard let task = point.task else { return point.name }
    let heard = phrases.unmarked.name(of: task, program: point.name)
    return heard.contains(point.name) ? heard : heard + " " + point.name
  }

  /// Includes refusing places in the walk, or excludes them again.
  private mutating func toggleRefusing(_ carry: DragState) {
    var carry = carry
    carry.showsRefusing.toggle()
    _ = carry.excludeRefusals()
    carry.walk = makeWalk(carry)
    phase = .carrying(carry)
    say(.mode(.refusing, isOn: carry.showsRefusing))
  }

  // MARK: Wishes and items

  /// Sets a wish, or withdraws it. One that the items do not allow is refused at once, but still
  /// set: Enter must not do what nobody asked for.
  private mutating func wish(_ operation: DragOperation, _ carry: DragState) {
    var carry = carry
    let wish = carry.wish == operation ? nil : operation
    let reason = wish.flatMap(carry.reasonAgainst)
    if let wish, let reason { say(.operationUnavailable(wish, reason)) }
    carry.wish = wish
    // All answers so far are for another wish.
    carry.round += 1
    let isAtPlace = carry.currentStop != nil && isInWindow(carry.place, carry)
    if isAtPlace {
      // The known answer is for the previous wish.
      flushSayHere()
      // A place that has not answered yet is still to be announced.
      let isPlaceOwed = carry.owed == .place
      cancelPendingAnnouncement(&carry)
      carry.owed = reason == nil ? .wish : isPlaceOwed ? .place : nil
    }
    let isTold = askAnew(&carry, for: reason == nil ? .wish : .rest)
    phase = .carrying(carry)
    if !isTold, !isAtPlace, reason == nil { say(.operation(carry.wish, now: nil)) }
  }

  /// The places have answered to the wish: announces the effect of a drop here.
  mutating func wishAnswered(_ carry: DragState) {
    phase.replaceCarry(carry)
    guard let stop = carry.currentStop else {
      say(.operation(carry.wish, now: nil))
      return
    }
    let stopVerdict = verdict(at: stop, carry)
    if stopVerdict.word == .asking {
      say(.operation(carry.wish, now: nil))
    } else if !stopVerdict.isDroppable, let wish = carry.wish {
      say(.operationUnavailable(wish, stopVerdict.reason ?? .operationNotOffered))
    } else if stopVerdict.isDroppable {
      say(
        .operation(carry.wish, now: stopVerdict.operation, undo: undoNews(at: stop, carry)))
    } else {
      say(.operation(carry.wish, now: nil))
      arrive(carry)
    }
  }

  /// Removes the item added last from the drag, which ends without items.
  private mutating func removeLast(_ carry: DragState) {
    var carry = carry
    guard carry.items.count > 1 else {
      cancelHeldDrag()
      return
    }
    let name = carry.label(of: carry.items.count - 1)
    carry.items.removeLast()
    carry.round += 1
    let isTold = askAnew(&carry, for: .removed(name))
    phase = .carrying(carry)
    if !isTold { removedAnswers(carry, name) }
  }

  mutating func removedAnswers(_ carry: DragState, _ name: String) {
    phase.replaceCarry(carry)
    say(.removed(name: name, count: carry.items.count))
  }

  mutating func addedAnswers(_ carry: DragState, _ names: [String]) {
    phase.replaceCarry(carry)
    say(.added(names: names, count: carry.items.count))
    arrive(carry)
  }

  /// Returns to the drag with nothing added.
  mutating func returnToCarrying(_ carry: DragState) {
    phase = .carrying(carry)
    say(.mode(.adding, isOn: false))
    arrive(carry)
  }

  // MARK: Ending

  /// Cancels the drag, if any, with nothing moved and the focus at the source.
  mutating func cancelHeldDrag() {
    guard let carry = phase.carry else { return }
    // Pending questions are dropped before anything is announced.
    phase = .browsing(adding: nil)
    release(carry)
    // Items that were pasted, or marked in a folder left since, are not where the person is.
    let isBack = focusSource(of: carry) || !settings.isInFolders || carry.items.isEmpty
    let next = isBack ? nil : focused?.name ?? ""
    let end = Announcement.cancelled(names: carry.names, count: carry.count, next: next)
    if !restoreKeyboard(carry, saying: end) { say(end) }
  }

  /// Focuses the first carried item in a view that still shows it; returns whether one does.
  @discardableResult
  mutating func focusSource(of carry: DragState) -> Bool {
    guard let first = carry.items.first,
      let view = browse.views.firstIndex(where: { $0.top.container == first.container }),
      let index = registry.index(
        of: first.source, in: first.container, hint: browse.views[view].top.focus)
    else { return false }
    let narrowed = browse.views[view].top.narrowing?.sources.firstIndex { $0.id == first.source }
    // A filter that hides the item is removed.
    if narrowed == nil { browse.views[view].top.narrowing = nil }
    browse.current = view
    focus(narrowed ?? index)
    return true
  }

  /// Drops the pending requests of a drag and closes what it opened; late answers are ignored.
  mutating func release(_ carry: DragState) {
    for (id, purpose) in outstanding {
      switch purpose {
      case .prepareCarry, .prepareAdding, .ask, .openPoint, .listDropPoints:
        outstanding[id] = nil
        emit(.cancelTimer(.asking(id)))
      default: break
      }
    }
    for container in carry.opened { forget(container) }
  }
}
