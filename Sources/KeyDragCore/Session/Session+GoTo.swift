/// Leaving the given folders: to the parent, or to any folder by its path.
///
/// Only in sessions about folders. A listing that arrives after the person has moved on is closed
/// again.
extension Session {
  // MARK: Up

  mutating func climbOut() {
    guard settings.isInFolders, let container = browse.container else {
      say(.edge(.top))
      return
    }
    request(
      .list(.around(container), includingHidden: settings.showsHidden), for: .leave(container))
  }

  /// The parent is listed: focuses the folder that was left, unless the person has moved on.
  mutating func climbed(_ listing: Listing, outOf left: ContainerID) {
    let id = listing.container.id
    guard case .browsing = phase, browse.container == left, browse.view?.below.isEmpty == true
    else {
      if registry[id] == nil { tell(.close(id)) }
      return
    }
    let name = registry[left]?.container.name ?? ""
    show(listing)
    // The folder may have another name in its parent: a mount point or a link.
    let place = listing.dropPoints?.first { $0.leadsTo == left && $0.container == id }
    focus(sources.firstIndex { $0.kind.isFolder && $0.name == (place?.name ?? name) } ?? 0)
    say(
      .opened(
        name: listing.container.name, count: sources.count, holds: .items,
        hidden: listing.hiddenCount))
    if !sources.isEmpty { sayItem() }
  }

  /// Shows a folder as the base of the view, closing all its levels; the given folder stays
  /// registered as a place.
  private mutating func show(_ listing: Listing) {
    guard browse.views.indices.contains(browse.current) else { return }
    let old = browse.views[browse.current].containers
    connect(listing)
    registry.insert(listing)
    browse.views[browse.current].below = []
    browse.views[browse.current].base = View.Level(container: listing.container.id)
    browse.views[browse.current].base.isListed = true
    // Some of them may be shown in another view, and stay.
    for container in old { forget(container) }
  }

  // MARK: To a path

  mutating func openGoTo(over underneath: Phase) {
    open(TypedLine(.goTo), .goTo, over: underneath)
  }

  /// Enter: shows the folder at the path, or makes it a place of the walk.
  ///
  /// An empty line goes back. The line stays open until the folder is listed, so that a wrong path
  /// can be corrected.
  mutating func takePath(_ line: TypedLine, _ underneath: Phase) {
    guard !line.text.isEmpty else {
      goBack(underneath)
      return
    }
    // During a drag it becomes a place to drop on.
    var isOpened = false
    if case .carrying = underneath { isOpened = true }
    request(
      .list(
        .path(line.text, from: browse.container, isOpened: isOpened),
        includingHidden: settings.showsHidden), for: .goTo)
  }

  /// Tab: completes the path; not available in other lines.
  mutating func completeLine() {
    guard let line, line.purpose == .goTo else {
      rejectCommand(.complete)
      return
    }
    request(.folders(.complete(line.text, from: browse.container)), for: .complete(line.text))
  }

  /// Inserts the completion and announces the possible names.
  mutating func completed(_ completion: PathCompletion, of text: String) {
    // Text typed in the meantime is not overwritten.
    guard var line, line.purpose == .goTo, line.text == text else { return }
    line.replace(by: completion.text)
    set(line)
    let names = completion.names.map { SpokenName.file($0) }
    if completion.count == 0 {
      say(.noMatch(text: SpokenName.file(PathCompletion.lastName(of: text))))
    } else {
      say(.completed(names: names, count: completion.count))
    }
  }

  /// The folder at the path has been listed; it is closed again if the line was left meanwhile.
  mutating func wentTo(_ listing: Listing) {
    let id = listing.container.id
    guard case .confirming(let question, let underneath) = phase,
      case .line(let line) = question.subject, line.purpose == .goTo
    else {
      // It may be shown elsewhere, and then it stays.
      if registry[id] == nil { tell(.close(id)) }
      return
    }
    phase = underneath
    guard case .carrying(var carry) = underneath else { return browse(listing) }
    connect(listing)
    if registry[id] == nil {
      carry.opened.append(id)
      registry.insert(listing)
    }
    // The filter could hide the requested place.
    carry.filter = nil
    let stops =
      (listing.dropPoints ?? []).map { DropStop($0.id) } + addNewFolder(of: listing, to: &carry)
    ask(&carry, stops: stops, for: .goneTo(id))
    phase = .carrying(carry)
  }

  /// Shows a folder, in a view that already has it if there is one.
  private mutating func browse(_ listing: Listing) {
    let id = listing.container.id
    if let shown = browse.views.firstIndex(where: { $0.containers.contains(id) }) {
      browse.current = shown
      if let depth = browse.views[shown].containers.firstIndex(of: id) { climb(shown, to: depth) }
      registry.insert(listing)
      keepFocus(in: id)
    } else {
      show(listing)
      focus(0)
    }
    say(
      .opened(
        name: listing.container.name, count: sources.count, holds: .items,
        hidden: listing.hiddenCount))
    if !sources.isEmpty { sayItem() }
  }

  /// The place at the path has answered and becomes the current one, even if it refuses, so that
  /// the person hears it before a drop.
  mutating func goneToAnswers(_ carry: DragState, _ container: ContainerID) {
    phase.replaceCarry(carry)
    guard case .carrying(let carry) = phase,
      let point = carry.walk.points.first(where: { $0.leadsTo == container })
    else { return }
    stand(.stop(DropStop(point.id)), carry)
  }

  // MARK: Names

  mutating func openRename(adding: DragState?) {
    guard let item = focused else {
      sayNothingHere()
      return
    }
    open(
      TypedLine(.rename(item.id), offering: item.name), .rename(name: item.name),
      over: .browsing(adding: adding))
  }

  /// Enter in the line for a new name: an invalid one keeps it open, the same one goes back.
  mutating func takeName(
    _ line: TypedLine, of source: DragSourceID, _ underneath: Phase
  ) {
    // The item may have gone while its name was typed.
    guard let item = focused, item.id == source else {
      if case .confirming(let question, _) = phase, case .rename(let old) = question.confirmation {
        say(.vanished(name: old, next: focused?.name))
      }
      phase = underneath
      return
    }
    guard item.name != line.text else {
      goBack(underneath)
      return
    }
    // It gets a delivery number, so that it can be undone.
    request(
      .rename(source, to: line.text, as: nextDelivery()),
      for: .rename(source, from: item.name, to: line.text))
  }

  /// What has such a name is not listed.
  private mutating func sayHidden(_ name: String) {
    if name.hasPrefix("."), !settings.showsHidden { say(.mode(.hidden, isOn: false)) }
  }

  mutating func openNewFolder(adding: DragState?) {
    guard let container = browse.container, registry[container]?.sources != nil else {
      sayNothingHere()
      return
    }
    open(
      TypedLine(.newFolder(in: container)), .newFolder(place: containerName),
      over: .browsing(adding: adding))
  }

  mutating func takeFolderName(
    _ line: TypedLine, in container: ContainerID, _ underneath: Phase
  ) {
    request(
      .make(line.text, in: container, as: nextDelivery()),
      for: .newFolder(name: line.text, in: container))
  }

  /// A folder was made; on failure the line stays open.
  mutating func made(
    _ result: Result<Landing, Reason>, _ name: String, in container: ContainerID
  ) {
    switch result {
    case .failure(let reason): say(unnamed(name, reason, in: self.name(of: container)))
    case .success(let landing):
      hasDoneNothing = false
      if case .confirming(_, let underneath) = phase,
        line?.purpose == .newFolder(in: container)
      {
        phase = underneath
      }
      // The key for the last landing goes there.
      landed.items = [landing]
      for view in browse.views.indices
      where browse.views[view].top.container == container && isListed(landing.name) {
        browse.views[view].top.focused = landing.source
        keepFocus(in: container)
        // It is listed a little later, and is focused then.
        browse.views[view].top.focused = landing.source
        if view == browse.current { told.focus = landing.source }
      }
      say(.made(name: landing.name, place: self.name(of: container)))
      sayHidden(landing.name)
    }
  }

  /// Whether an item of that name is shown, or hidden, so that focus goes on without it.
  private func isListed(_ name: String) -> Bool { settings.showsHidden || !name.hasPrefix(".") }

  private func unnamed(_ name: String, _ reason: Reason, in place: String) -> Announcement {
    .cannotName(name: SpokenName.file(name), reason, place: place)
  }

  /// An item was renamed or a folder was made; on failure the line stays open.
  mutating func renamed(
    _ result: Result<Landing, Reason>, _ source: DragSourceID, from old: String, to new: String
  ) {
    switch result {
    case .failure(let reason) where reason.isOfName || reason.isOfFolder:
      say(unnamed(new, reason, in: containerName))
    case .failure(let reason): say(.failed(names: [old], count: 1, reason))
    case .success(let landing):
      hasDoneNothing = false
      if case .confirming(_, let underneath) = phase, line?.purpose == .rename(source) {
        phase = underneath
      }
      // The old name disappears without an announcement.
      news.taken = [source]
      landed.items = [landing]
      browse.marks[source] = nil
      // The change in the folder may have come first.
      let hasLeft = news.removed.map { $0 == (old, landing.container) } ?? false
      news.removed = nil
      var isFilterOff = false
      for view in browse.views.indices
      where isListed(landing.name)
        && (browse.views[view].top.focused == source || hasLeft && view == browse.current)
      {
        browse.views[view].top.focused = landing.source
        if let text = browse.views[view].top.narrowing?.text,
          !NameFragment(text).isIn(landing.name)
        {
          browse.views[view].top.narrowing = nil
          isFilterOff = true
        }
        keepFocus(in: landing.container)
        // It appears under its new name, and is focused then.
        browse.views[view].top.focused = landing.source
        if view == browse.current { told.focus = landing.source }
      }
      say(.renamed(name: old, to: landing.name))
      sayHidden(landing.name)
      if isFilterOff { say(.filtered(text: "", count: sources.count, total: sources.count)) }
    }
  }
}

extension TypedLine {
  /// Why a name is invalid on any disk, or nobody could hear it; `nil` if it is valid. Names of folders,
  /// only blanks, a slash or a NUL, and more than 255 bytes are invalid.
  static func fault(ofName name: String) -> Reason? {
    if name == "." || name == ".." { return .dotName }
    if name.allSatisfy(\.isWhitespace) || name.contains("/") || name.contains("\0") {
      return .badName
    }
    // File systems count bytes, not letters.
    return name.utf8.count > 255 ? .nameTooLong : nil
  }
}
