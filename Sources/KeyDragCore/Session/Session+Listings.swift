extension Session {
  /// From this number of items on, sorting takes a while.
  static var longListing: Int { 2000 }

  /// A container was counted before its listing.
  mutating func counted(_ id: RequestID, _ container: ContainerDescriptor, _ counts: ItemCounts) {
    // An early count is announced for the first container only, and only before a long listing,
    // which includes the focused item.
    guard case .listRoot(0)? = outstanding[id], !browse.views[0].base.hasBeenAnnounced,
      counts.total >= Session.longListing
    else { return }
    browse.views[0].base.hasBeenAnnounced = true
    say(.ready(container: container.name, counts: counts, isFirst: told.give(.browsing)))
  }

  /// Handles a listing by the purpose of its request. A person adding to a drag is moved from
  /// places that are no longer in it.
  mutating func listed(_ listing: Listing, for purpose: Purpose) {
    let known = registry[listing.container.id]?.dropPoints ?? []
    defer { leaveUnlisted(of: known) }
    switch purpose {
    case .listRoot(let view): listedRoot(listing, view)
    case .enter(let view): entered(listing, view)
    case .relist: relisted(listing)
    case .openPoint(let point): openedDropPoint(listing, from: point)
    case .reveal(let landed): reveal(landed, in: listing)
    case .listDropPoints(let id): listedDropPoints(listing, in: id)
    case .edit(let id): edited(listing, id)
    case .leave(let left): climbed(listing, outOf: left)
    case .goTo: wentTo(listing)
    default: unanswered("", .unknown, for: purpose)
    }
  }

  /// A given folder has been listed; the first one is announced. A drag that did not wait for it
  /// includes its places from now on.
  private mutating func listedRoot(_ listing: Listing, _ view: Int) {
    defer { askAgain() }
    guard browse.views.indices.contains(view) else { return }
    registry.insert(listing)
    // The focused item of the desktop may have replaced it meanwhile.
    if !settings.hasHome, browse.views[view].root != listing.container.id { return }
    browse.views[view].base.isListed = true
    browse.views[view].base.focused = listing.sources?.first?.id
    guard view == 0 else { return }
    if browse.views[0].base.hasBeenAnnounced { return sayFirstItem() }
    browse.views[0].base.hasBeenAnnounced = true
    let first = settings.picksFocus ? nil : listing.sources?.first
    var item = first.map { NamedItem(name: $0.name, kind: $0.kind) }
    item?.isConfusable = first.map { listing.sources?.containsConfusable($0) == true } ?? false
    say(
      .ready(
        container: listing.container.name, counts: counts(of: listing.container.id),
        item: item, isFirst: told.give(.browsing)))
  }

  /// Announces the focused item to a person who has heard only the folder and pressed no key.
  private mutating func sayFirstItem() {
    guard !settings.picksFocus, lastCommand == nil, waiting.isEmpty, search.text.isEmpty,
      browse.current == 0, case .browsing(adding: nil) = phase, !sources.isEmpty
    else { return }
    sayItem()
  }

  private mutating func entered(_ listing: Listing, _ view: Int) {
    guard browse.views.indices.contains(view) else { return }
    let id = listing.container.id
    guard case .browsing = phase else {
      // A drag or a question began meanwhile: the person stays there.
      if registry[id] == nil { tell(.close(id)) }
      return
    }
    connect(listing)
    if let depth = browse.views[view].containers.firstIndex(of: id) {
      // A link to an ancestor, or a repeated answer.
      climb(view, to: depth)
      registry.insert(listing)
    } else {
      registry.insert(listing, after: browse.views[view].containers.last)
      browse.views[view].below.append(View.Level(container: id))
    }
    browse.views[view].top.isListed = true
    keepFocus(in: id)
    // In another view it is not announced.
    guard view == browse.current else { return }
    focus(0)
    let count = listing.sources?.count ?? 0
    say(
      .opened(
        name: listing.container.name, count: count, holds: .items, hidden: listing.hiddenCount))
    if count > 0 { sayItem() }
  }

  /// Leaves the folders below a depth, 0 being the root; forgets those not shown elsewhere.
  mutating func climb(_ view: Int, to depth: Int) {
    while browse.views[view].below.count > depth {
      guard let level = browse.views[view].below.popLast() else { return }
      forget(level.container)
    }
  }

  /// Connects a container with its place in the parent: the walk has one place for both.
  mutating func connect(_ listing: Listing) {
    guard let own = listing.dropPoints?.first(where: { $0.leadsTo == listing.container.id }) else {
      return
    }
    registry.connect(own.id, to: listing.container.id)
  }

  private mutating func relisted(_ listing: Listing) {
    registry.insert(listing)
    keepFocus(in: listing.container.id)
    askAgain()
  }

  /// Restores the focus after a list has changed, in every view of the container. If the item is
  /// gone, the index stays, on the item that is there now.
  mutating func keepFocus(in container: ContainerID) {
    for view in browse.views.indices {
      guard browse.views[view].top.container == container else { continue }
      let all = registry[container]?.sources ?? []
      if let text = browse.views[view].top.narrowing?.text {
        browse.views[view].top.narrowing = FilteredItems(text, of: all)
      }
      let awaited = browse.views[view].top.arriving
      browse.views[view].top.arriving = arriving(in: container, beside: all)
      let level = browse.views[view].top
      let sources = sources(at: level)
      var index = min(level.focus, max(sources.count - 1, 0))
      if let focused = level.focused {
        // The item that was being delivered exists now.
        let arrived = awaited.first { $0.id == focused }?.name
        let found =
          level.narrowing == nil && focused.owner != .arriving
          ? registry.index(of: focused, in: container, hint: level.focus)
          : sources.firstIndex { $0.id == focused } ?? sources.firstIndex { $0.name == arrived }
        if let found { index = found }
      }
      browse.views[view].top.focus = index
      browse.views[view].top.focused = sources.indices.contains(index) ? sources[index].id : nil
    }
  }

  /// Handles a request that the world could not answer, or answered wrongly.
  mutating func unanswered(_ name: String, _ reason: Reason, for purpose: Purpose) {
    switch purpose {
    case .listRoot(let view):
      if browse.views.indices.contains(view) {
        browse.views[view].base.isListed = true
        browse.views[view].base.unreadable = reason
      }
      fail(reason)
      say(.cannotOpen(name: name, reason))
    case .openPoint(let point):
      if isPassed(point) { return }
      say(.cannotOpen(name: name, reason))
    // There is no parent.
    case .leave where reason == .nothingThere: say(.edge(.top))
    case .complete(let text): completed(PathCompletion(text: "", names: [], count: 0), of: text)
    case .newFolder(let name, let container): made(.failure(reason), name, in: container)
    case .rename(let source, let old, let new):
      renamed(.failure(reason), source, from: old, to: new)
    case .enter, .relist, .leave, .goTo, .describe: say(.cannotOpen(name: name, reason))
    case .listDropPoints(let id): couldNotList(id, reason)
    case .reveal:
      landed.items = []
      say(.cannotOpen(name: name, reason))
    case .prepareCarry: preparedCarry(.refused(name, reason))
    case .prepareAdding: preparedAdding(.refused(name, reason))
    case .prepareActions: preparedActions(.refused(name, reason))
    case .ask(let why, _): unanswered(reason, why)
    case .windows: windowsFound([])
    case .show:
      landed.window = nil
      say(.cannotOpen(name: name, reason))
    case .undo: changed(by: .refused(nil, reason), isRedo: false)
    case .undoNewest: undoNewest(.failure(reason))
    case .redo: changed(by: .refused(nil, reason), isRedo: true)
    case .history: say(.problem(.journal(reason)))
    case .reorder(let source, let container):
      reordered(.failure(reason), source, in: container)
    case .edit: say(.operationUnavailable(.move, reason))
    case .focus:
      fail(reason)
      say(.nothingToPickUp(reason, name: name.isEmpty ? nil : name))
      endAdding()
    case .restoreKeyboard(let wish, let end): keyboardRestored(wish, end, at: KeyboardLocation())
    case .measure, .preview: break  // Both are optional.
    case .deliver: break  // Never taken for an answer.
    }
  }

  private mutating func unanswered(_ reason: Reason, _ why: AskPurpose) {
    if let stop = why.stop, let round = phase.carry?.round {
      arrived([Answer(stop, .refused(reason))], at: stop, round: round)
      return
    }
    guard let carry = phase.carry else { return }
    switch (why, carry.stage) {
    case (.pickUp, .asking):
      waiting = []
      phase = .browsing(adding: nil)
      release(carry)
      hasFailure = true
      say(.sessionEnded(reason, name: carry.names.first))
    case (.final, .dropping): refused(carry, at: carry.direct?.stop ?? carry.currentStop, reason)
    default: say(.holding(holding(carry)))
    }
  }
}

extension PreparedItems {
  /// Nothing, with the reason where the item has a name.
  fileprivate static func refused(_ name: String, _ reason: Reason) -> PreparedItems {
    PreparedItems(
      items: [], refused: name.isEmpty ? [] : [DeliveryFailure(name: name, reason: reason)])
  }
}
