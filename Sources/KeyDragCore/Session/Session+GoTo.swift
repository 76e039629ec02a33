/// Above the folders given, and to any other by its path.
///
/// Only where sessions are about folders. The listing asked for may come when the person has gone
/// on: then it is closed again.
extension Session {
  // MARK: Up

  /// Goes to the folder around the one shown, where there is one.
  mutating func climbOut() {
    guard settings.isInFolders, let container = browse.container else {
      say(.edge(.top))
      return
    }
    // Said when the listing has come, or why there is none.
    request(
      .list(.around(container), includingHidden: settings.showsHidden), for: .leave(container))
  }

  /// The folder around has been listed: the one that was left is in focus.
  ///
  /// Says nothing where the person has gone on meanwhile.
  mutating func climbed(_ listing: Listing, outOf left: ContainerID) {
    let id = listing.container.id
    guard case .browsing = phase, browse.container == left, browse.view?.below.isEmpty == true
    else {
      if registry[id] == nil { tell(.close(id)) }
      // Nobody will show it.
      return
    }
    let name = registry[left]?.container.name ?? ""
    show(listing)
    // The folder may be called otherwise where it stands: a mount point, or a link.
    let place = listing.dropPoints?.first { $0.leadsTo == left && $0.container == id }
    focus(sources.firstIndex { $0.kind.isFolder && $0.name == (place?.name ?? name) } ?? 0)
    say(.opened(name: listing.container.name, count: sources.count, holds: .items))
    if !sources.isEmpty { sayItem() }
  }

  /// Shows a folder in the view in place of what it shows; the folder it was given stays a place.
  ///
  /// Every level above it is closed.
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

  /// Opens the line for a path.
  mutating func openGoTo(over underneath: Phase.Underneath) {
    open(TypedLine(.goTo), .goTo, over: underneath)
  }

  /// Enter: shows the folder at the path, or makes it a place of the walk.
  ///
  /// An empty line goes back. The line stays open until the folder is there, so that a wrong path
  /// can be corrected.
  mutating func takePath(_ line: TypedLine, _ underneath: Phase.Underneath) {
    guard !line.text.isEmpty else {
      phase = Phase(underneath)
      goBack(underneath)
      return
    }
    // Over a drag it is a place to drop on, and not shown.
    var isOpened = false
    if case .carrying = underneath { isOpened = true }
    request(
      .list(
        .path(line.text, from: browse.container, isOpened: isOpened),
        includingHidden: settings.showsHidden), for: .goTo)
  }

  /// Tab: asks for the next letters.
  ///
  /// In other lines the key does nothing.
  mutating func completeLine() {
    guard let line, line.purpose == .goTo else {
      notHere(.complete)
      return
    }
    request(.folders(.complete(line.text, from: browse.container)), for: .complete(line.text))
  }

  /// Letters have come for the path; says how many names go on from there, and the first of them.
  mutating func completed(_ completion: PathCompletion, for purpose: Purpose) {
    guard case .complete(let text) = purpose else {
      unanswered("", .unknown, for: purpose)
      return
    }
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

  /// The folder at the path has been listed.
  ///
  /// It is closed again where the line has been left meanwhile.
  mutating func wentTo(_ listing: Listing) {
    let id = listing.container.id
    guard case .confirming(let question, let underneath) = phase,
      case .line(let line) = question.subject, line.purpose == .goTo
    else {
      // It may be shown elsewhere, and then it stays.
      if registry[id] == nil { tell(.close(id)) }
      return
    }
    phase = Phase(underneath)
    switch underneath {
    case .browsing: browse(listing)
    case .carrying(var carry):
      connect(listing)
      if registry[id] == nil {
        carry.opened.append(id)
        registry.insert(listing)
      }
      // The filter could hide the place that was asked for.
      carry.filter = nil
      // The folder itself and all in it, and a new folder in it.
      let stops =
        (listing.dropPoints ?? []).map { DropStop($0.id) } + addNewFolder(of: listing, to: &carry)
      ask(&carry, stops: stops, for: .goneTo(id))
      phase = .carrying(carry)
    }
  }

  /// Shows a folder that was gone to: where one of the views has it already, there.
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
    say(.opened(name: listing.container.name, count: sources.count, holds: .items))
    if !sources.isEmpty { sayItem() }
  }

  /// The place that was gone to has answered: the person stands there, and hears it before any
  /// drop.
  ///
  /// A place that refuses is stood on as well: that it refuses is the answer.
  mutating func goneToAnswers(_ carry: Carry, _ container: ContainerID) {
    phase.replaceCarry(carry)
    guard case .carrying(let carry) = phase,
      let point = carry.walk.points.first(where: { $0.leadsTo == container })
    else { return }
    stand(.stop(DropStop(point.id)), carry)
  }

  // MARK: Names

  /// Asks for the new name of the item in focus.
  mutating func openRename(adding: Carry?) {
    guard let item = focused else {
      sayNothingHere()
      return
    }
    open(
      TypedLine(.rename(item.id), offering: item.name), .rename(name: item.name),
      over: .browsing(adding: adding))
  }

  /// Enter in the line for a new name. An empty or forbidden name leaves the line open; the same
  /// name goes back.
  mutating func takeName(
    _ line: TypedLine, of source: DragSourceID, _ underneath: Phase.Underneath
  ) {
    if let reason = TypedLine.fault(ofName: line.text) {
      say(.cannotName(name: SpokenName.file(line.text), reason))
      return
    }
    // The item may have gone while its name was typed.
    guard let item = focused, item.id == source else {
      goBack(underneath)
      say(.cannotOpen(name: SpokenName.file(line.text), .gone))
      return
    }
    guard item.name != line.text else {
      goBack(underneath)
      return
    }
    // It gets a number, so that it can be undone.
    request(
      .rename(source, to: line.text, as: nextDelivery()),
      for: .rename(source, from: item.name, to: line.text))
  }

  /// Asks for the name of a new folder in the one shown.
  mutating func openNewFolder(adding: Carry?) {
    guard let container = browse.container, registry[container]?.sources != nil else {
      sayNothingHere()
      return
    }
    open(
      TypedLine(.newFolder(in: container)), .newFolder(place: containerName),
      over: .browsing(adding: adding))
  }

  /// Enter in the line for the name of a new folder.
  mutating func takeFolderName(
    _ line: TypedLine, in container: ContainerID, _ underneath: Phase.Underneath
  ) {
    if let reason = TypedLine.fault(ofName: line.text) {
      say(.cannotName(name: SpokenName.file(line.text), reason))
      return
    }
    request(
      .make(line.text, in: container, as: nextDelivery()),
      for: .newFolder(name: line.text, in: container))
  }

  /// A folder was made, or could not be made: then the line stays open.
  private mutating func made(
    _ result: Result<Landing, Reason>, _ name: String, in container: ContainerID
  ) {
    switch result {
    case .failure(let reason): say(.cannotName(name: SpokenName.file(name), reason))
    case .success(let landing):
      if case .confirming(_, let underneath) = phase,
        line?.purpose == .newFolder(in: container)
      {
        phase = Phase(underneath)
      }
      // The key for what has landed goes there.
      landed.items = [landing]
      for view in browse.views.indices where browse.views[view].top.container == container {
        browse.views[view].top.focused = landing.source
        keepFocus(in: container)
        // It is listed a little later, and is in focus then.
        browse.views[view].top.focused = landing.source
      }
      say(.made(name: landing.name, place: registry[container]?.container.name ?? ""))
    }
  }

  /// An item has its new name, or keeps the old one: then the line stays open. The same for a
  /// folder that was made.
  mutating func renamed(_ result: Result<Landing, Reason>, for purpose: Purpose) {
    if case .newFolder(let name, let container) = purpose {
      made(result, name, in: container)
      return
    }
    guard case .rename(let source, let old, let new) = purpose else {
      unanswered("", .unknown, for: purpose)
      return
    }
    switch result {
    case .failure(let reason): say(.cannotName(name: SpokenName.file(new), reason))
    case .success(let landing):
      if case .confirming(_, let underneath) = phase, line?.purpose == .rename(source) {
        phase = Phase(underneath)
      }
      // Its old name goes from the list without a word.
      news.taken = [source]
      landed.items = [landing]
      browse.marks[source] = nil
      for view in browse.views.indices where browse.views[view].top.focused == source {
        browse.views[view].top.focused = landing.source
        keepFocus(in: landing.container)
        // It comes back under its new name, and is in focus then.
        browse.views[view].top.focused = landing.source
      }
      say(.renamed(name: old, to: landing.name))
    }
  }
}

extension TypedLine {
  /// Why nothing can be called so; `nil` where it can.
  ///
  /// Without asking any disk: names that mean a folder, with a slash or a zero, or of more than 255
  /// bytes.
  static func fault(ofName name: String) -> Reason? {
    if name == "." || name == ".." { return .dotName }
    if name.isEmpty || name.contains("/") || name.contains("\0") {
      return .badName
    }
    // In bytes, as file systems count, and not in letters.
    return name.utf8.count > 255 ? .nameTooLong : nil
  }
}
