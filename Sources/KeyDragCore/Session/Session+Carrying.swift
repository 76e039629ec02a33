/// Carrying: walking the places that can take what is held.
///
/// The walk is in blocks: a place is one, and so are a list with all its stops and a window that has not
/// been listed.
extension Session {
  /// Runs a command while something is carried.
  mutating func runCarrying(_ command: CommandName, _ carry: Carry) {
    guard carry.stage == .ready else {
      if command == .cancel {
        cancelHeldDrag()
      } else if command == .drop, case .dropping = carry.stage {
        // Enter again is the same Enter.
        sayDropping(carry)
      } else {
        say(.holding(holding(carry, verdict: .asking)))
      }
      return
    }
    if command == .drop, carry.needsOtherKey {
      var holding = holding(carry)
      holding.needsOtherKey = true
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
      // Browsing again, with the drag kept for the return.
      phase = .browsing(adding: carry)
      let chord = settings.picksFocus ? settings.pickUpChord : nil
      say(.mode(.adding, isOn: true, isFirst: told.give(.adding), chord: chord))
    case .removeLast: removeLast(carry)
    case .drop: drop(carry)
    case .pickUp where settings.picksFocus: askForFocus(wish: nil)
    case .sayHeld, .pickUp: say(.holding(holding(carry)))
    case .cancel: cancelHeldDrag()
    case .toggleEdit: toggleEdit()
    case .filter, .goTo, .newFolder, .rename, .paste, .complete, .nextItem, .previousItem,
      .firstItem,
      .lastItem, .nextPage,
      .previousPage, .openItem,
      .leaveContainer, .toggleSelection, .extendSelectionDown, .extendSelectionUp, .selectAll,
      .copyTo, .moveTo, .linkTo, .actions, .toggleHidden, .reorderUp, .reorderDown, .reorderTop,
      .reorderBottom, .moveToPosition, .nextChoice, .previousChoice, .firstChoice, .lastChoice,
      .previousCharacter, .nextCharacter, .take, .back, .cancelDelivery:
      notHere(command)
    case .undo, .redo, .deliveries, .goToLanded, .redraw, .whereAmI, .repeatLast, .silence, .help,
      .quit, .interrupt:
      break  // Answered in every phase alike, before this.
    }
  }

  /// Whether the person is outside of windows, in a session about folders.
  private func isInFolders(_ carry: Carry) -> Bool {
    settings.isInFolders && !isInWindow(carry.place, carry)
  }

  /// In a window whose places are being listed there is none yet to drop on, to open or to ask about.
  private mutating func isBeforePlaces(_ command: CommandName, _ carry: Carry) -> Bool {
    guard case .container = carry.place,
      [.drop, .openDropPoint, .leaveDropPoint, .details].contains(command)
    else { return false }
    say(.holding(holding(carry)))
    return true
  }

  // MARK: Walking

  /// Stands on a place and says it.
  mutating func stand(_ place: Carry.Standpoint, _ carry: Carry) {
    var carry = carry
    carry.hasCrossed = isShortcut(place, carry) && !isShortcut(carry.place, carry)
    carry.place = place
    phase = .carrying(carry)
    arrive(carry)
  }

  /// Whether a place is a bookmark.
  private func isShortcut(_ place: Carry.Standpoint, _ carry: Carry) -> Bool {
    guard case .stop(let stop) = place else { return false }
    return carry.walk.point(stop.point)?.isShortcut == true
  }

  /// To the next or previous block; past either end comes the source.
  private mutating func walk(_ by: Int, _ held: Carry) {
    var carry = held
    carry.isBackward = by < 0
    let isEnd = !(0..<carry.walk.blockCount).contains(block(beside: carry.place, by, carry.walk))
    // Behind an end a new walk begins, with or without the source between.
    if isEnd, carry.putRefusingAside() { carry.walk = makeWalk(carry) }
    stand(onward(from: carry.place, by: by, carry), carry)
  }

  /// The place before or behind another: past either end comes the source; where that is gone, the walk
  /// goes round.
  func onward(from place: Carry.Standpoint, by: Int, _ carry: Carry) -> Carry.Standpoint {
    let walk = carry.walk
    let next = block(beside: place, by, walk)
    if (0..<walk.blockCount).contains(next) { return entry(of: walk.block(next), carry) }
    if isSourceThere(carry) || walk.blockCount == 0 { return .source }
    return entry(of: walk.block(by > 0 ? 0 : walk.blockCount - 1), carry)
  }

  /// The block before or behind a place, which may lie past either end.
  private func block(beside place: Carry.Standpoint, _ by: Int, _ walk: Walk) -> Int {
    switch place {
    case .source: return by > 0 ? 0 : walk.blockCount - 1
    case .container(let id):
      let blocks = walk.blocks(of: id) ?? 0..<0
      return by > 0 ? blocks.upperBound : blocks.lowerBound - 1
    case .stop(let stop):
      if let index = walk.index(of: stop) { return walk.block(of: index) + by }
      // One stands on a place that refuses: go on from there.
      return walk.block(behind: stop.point) + (by > 0 ? 0 : -1)
    }
  }

  /// Whether what was picked up first is still held, so that its place ends the drag.
  func isSourceThere(_ carry: Carry) -> Bool {
    carry.items.contains { $0.source == carry.origin }
  }

  /// Inside a list from stop to stop; elsewhere as Tab.
  private mutating func walkPosition(_ by: Int, _ carry: Carry) {
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
      // At the end of a list one leaves it by another key.
      say(.edge(by > 0 ? .last : .first))
      return
    }
    stand(carry.walk.place(index + by), carry)
  }

  /// The first or last stop: of the same kind in a list, of the window one is in, else of all places.
  private mutating func walkToEnd(isLast: Bool, _ held: Carry) {
    var carry = held
    let walk = carry.walk
    if let list = listAround(carry) {
      // On items the last item, between them the last gap.
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

  /// The blocks whose ends the keys for the first and the last place lead to.
  private func stretch(_ carry: Carry) -> Range<Int> {
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

  /// The list one stands in, and whether on an item or between two.
  private func listAround(_ carry: Carry) -> (block: Range<Int>, isOn: Bool)? {
    guard let stop = carry.currentStop, let index = carry.walk.index(of: stop) else { return nil }
    let block = carry.walk.block(carry.walk.block(of: index))
    return block.count > 1 ? (block, stop.position == .on) : nil
  }

  /// To the first stop in the next container; from list to list one stays on the items, or between
  /// them.
  private mutating func walkContainer(_ by: Int, _ held: Carry) {
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
    // Backward one comes to the beginning of a container, and not to its end.
    if by < 0 {
      let group = container(next)
      while blocks.contains(next - 1), container(next - 1) == group { next -= 1 }
    }
    stand(entry(of: walk.block(next), carry, isOn: listAround(carry)?.isOn), carry)
  }

  /// A page on or back, where all places are of one container and there is no other to go to.
  private mutating func walkPage(
    _ by: Int, _ carry: Carry, _ container: (Int) -> ContainerID
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

  /// Puts the walk on the place whose name begins so, also on one that refuses.
  mutating func findDropPoint(_ query: TypeAhead.Query) {
    let text = query.text
    guard case .carrying(var carry) = phase, carry.stage == .ready else {
      if let carry = phase.carry { say(.holding(holding(carry, verdict: .asking))) }
      return
    }
    let current = carry.currentStop?.point
    let match = carry.walk.match(
      text, current: current, movesOn: query.movesOn, heard: heardName)
    // The index that was built for this is kept.
    phase = .carrying(carry)
    guard let point = match else {
      noMatch(text)
      return
    }
    // On it, else beside it; "before B" is walked as "after A", so it comes last.
    let stops = [DropPosition.on, .after, .before].filter { point.positions.contains($0.set) }
      .map { DropStop(point.id, $0) }
    let welcome = stops.first { verdict(at: $0, carry).isWelcome }
    let place = Carry.Standpoint.stop(welcome ?? stops.first ?? DropStop(point.id))
    defer { search.astray = nil }
    // One more letter that leads nowhere else: the place has been said, or is when it answers.
    if query.isLetter, search.astray == nil, carry.place == place { return }
    stand(place, carry)
  }

  /// A place by the name that is heard of it, such as "Open with Reader", so that it is found by
  /// each of its words.
  private func heardName(_ point: DropPointDescriptor) -> String {
    guard let task = point.task else { return point.name }
    let heard = phrases.unmarked.taskName(task, program: point.name)
    return heard.contains(point.name) ? heard : heard + " " + point.name
  }

  /// Has the walk visit the places that refuse, or no longer.
  private mutating func toggleRefusing(_ carry: Carry) {
    var carry = carry
    carry.showsRefusing.toggle()
    _ = carry.putRefusingAside()
    carry.walk = makeWalk(carry)
    phase = .carrying(carry)
    say(.mode(.refusing, isOn: carry.showsRefusing))
  }

  // MARK: Wishes and items

  /// Asks for an operation, or takes that back. What the items do not allow is refused at once. It
  /// stays wished all the same: Enter must not do what nobody asked for.
  private mutating func wish(_ operation: DragOperation, _ carry: Carry) {
    var carry = carry
    // The same key again takes the wish back.
    let wish = carry.wish == operation ? nil : operation
    let reason = wish.flatMap(carry.reasonAgainst)
    if let wish, let reason { say(.operationUnavailable(wish, reason)) }
    carry.wish = wish
    // All answers so far were to another wish.
    carry.round += 1
    let isAtPlace = carry.currentStop != nil && isInWindow(carry.place, carry)
    if isAtPlace {
      // The answer that is known is the one to the wish before.
      wordHere()
      // A place that has not answered yet is still to be named.
      let isPlaceOwed = carry.owed == .place
      leaveUnsaid(&carry)
      carry.owed = reason == nil ? .wish : isPlaceOwed ? .place : nil
    }
    let isTold = askAnew(&carry, for: reason == nil ? .wish : .rest)
    phase = .carrying(carry)
    if !isTold, !isAtPlace, reason == nil { say(.operation(carry.wish, now: nil)) }
  }

  /// The places have answered to the wish: says what would happen here now.
  mutating func wishAnswers(_ carry: Carry) {
    phase.replaceCarry(carry)
    guard let stop = carry.currentStop else {
      say(.operation(carry.wish, now: nil))
      return
    }
    let judgement = verdict(at: stop, carry)
    if judgement.verdict == .asking {
      say(.operation(carry.wish, now: nil))
    } else if !judgement.isWelcome, let wish = carry.wish {
      say(.operationUnavailable(wish, judgement.reason ?? .operationNotOffered))
    } else if judgement.isWelcome {
      say(
        .operation(carry.wish, now: judgement.operation, undo: undoNews(at: stop, carry)))
    } else {
      say(.operation(carry.wish, now: nil))
      arrive(carry)
    }
  }

  /// Takes the item that was added last out of the drag; with the only one it ends.
  private mutating func removeLast(_ carry: Carry) {
    var carry = carry
    guard carry.items.count > 1, let last = carry.items.popLast() else {
      cancelHeldDrag()
      return
    }
    carry.round += 1
    let isTold = askAnew(&carry, for: .removed(last.name))
    phase = .carrying(carry)
    if !isTold { removedAnswers(carry, last.name) }
  }

  /// Says what was taken out, and how many are left.
  mutating func removedAnswers(_ carry: Carry, _ name: String) {
    phase.replaceCarry(carry)
    say(.removed(name: name, count: carry.items.count))
  }

  /// Says what was added, and where one is.
  mutating func addedAnswers(_ carry: Carry, _ names: [String]) {
    phase.replaceCarry(carry)
    say(.added(names: names, count: carry.items.count))
    arrive(carry)
  }

  /// Back from adding with nothing added.
  mutating func returnToCarrying(_ carry: Carry) {
    phase = .carrying(carry)
    say(.mode(.adding, isOn: false))
    arrive(carry)
  }

  // MARK: Ending

  /// Ends carrying with nothing moved; focus is at the source still.
  ///
  /// Nothing to do where nothing is held.
  mutating func cancelHeldDrag() {
    guard let carry = phase.carry else { return }
    // Open questions are forgotten before anything is said.
    phase = .browsing(adding: nil)
    release(carry)
    // Files that were pasted, or gathered in a folder that has been left, are not where the person
    // is.
    let isBack = focusSource(of: carry) || !settings.isInFolders || carry.items.isEmpty
    let next = isBack ? nil : focused?.name ?? ""
    let end = Announcement.cancelled(names: carry.names, count: carry.count, next: next)
    if !comeBack(carry, saying: end) { say(end) }
  }

  /// Puts focus back on what was picked up, where a view still shows it.
  ///
  /// - Returns: whether one does.
  @discardableResult
  mutating func focusSource(of carry: Carry) -> Bool {
    guard let first = carry.items.first,
      let view = browse.views.firstIndex(where: { $0.top.container == first.container }),
      let index = registry.index(
        of: first.source, in: first.container, hint: browse.views[view].top.focus)
    else { return false }
    let narrowed = browse.views[view].top.narrowing?.sources.firstIndex { $0.id == first.source }
    // A filter that hides what is gone back to is over.
    if narrowed == nil { browse.views[view].top.narrowing = nil }
    browse.current = view
    focus(narrowed ?? index)
    return true
  }

  /// Forgets what was opened and asked for while carrying.
  ///
  /// Answers that still come are late by then.
  mutating func release(_ carry: Carry) {
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
