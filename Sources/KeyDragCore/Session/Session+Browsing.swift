/// Browsing: walking items, entering and leaving folders.
///
/// Each given folder has a view, with a stack of levels whose top is shown. Nothing blocks: reads
/// are requests to the world, answered later.
extension Session {
  // MARK: Where one is

  /// The items shown, filtered, followed by those being delivered; empty while unknown.
  var sources: [DragSourceDescriptor] {
    browse.view.map { sources(at: $0.top) } ?? []
  }

  /// The items of one level of a view; those being delivered have no file yet.
  func sources(at level: View.Level) -> [DragSourceDescriptor] {
    if let narrowing = level.narrowing { return narrowing.sources }
    guard let there = registry[level.container]?.sources else { return [] }
    return level.arriving.isEmpty ? there : there + level.arriving
  }

  /// The name of the container shown; empty if there is none.
  var containerName: String {
    browse.container.flatMap { registry[$0]?.container.name } ?? ""
  }

  var focused: DragSourceDescriptor? {
    guard let level = browse.view?.top else { return nil }
    let sources = sources
    return sources.indices.contains(level.focus) ? sources[level.focus] : nil
  }

  /// Whether an item is marked or has just landed.
  func isSelected(_ id: DragSourceID) -> Bool {
    browse.marks[id] != nil || landed.items.contains { $0.source == id }
  }

  /// Focuses an item of the container shown, silently.
  ///
  /// The index is clamped. The item's id is kept as well, so that focus follows it when the list
  /// changes.
  mutating func focus(_ index: Int) {
    guard browse.views.indices.contains(browse.current) else { return }
    let sources = sources
    let index = min(max(index, 0), max(sources.count - 1, 0))
    browse.views[browse.current].top.focus = index
    browse.views[browse.current].top.focused =
      sources.indices.contains(index) ? sources[index].id : nil
  }

  /// Announces the focused item with its position and its delivery, or why there is none.
  mutating func sayItem() {
    guard let level = browse.view?.top, let item = focused else {
      sayNothingHere()
      return
    }
    let coming = delivery(bringing: item)
    say(
      .item(
        name: item.name, kind: item.kind, index: level.focus + 1, total: sources.count,
        isSelected: isSelected(item.id), percent: coming?.percent, operation: coming?.operation,
        isConfusable: sources.containsConfusable(item)))
  }

  /// Says where one stands once focus has moved with no word of it, so that the next key hits nothing
  /// unheard: the item went behind a question, was hidden, was held when it vanished, was the last of
  /// its folder, or came with others into an empty one.
  mutating func followFocus() {
    guard case .browsing = phase, settings.hasHome, !settings.picksFocus, news.removed == nil else {
      return
    }
    let (item, before) = (focused, told.focus)
    // An item with a new name is focused once it is listed.
    guard browse.view?.top.focused == item?.id else { return }
    // The end of a drop names the item that focus went on to, and the place of what it takes away.
    if deliveries.values.contains(where: { delivery in
      delivery.next != nil && delivery.next == item?.id
        || delivery.movesAway && before.map(delivery.items.contains) == true
    }) {
      return
    }
    // What was moved away may still be listed for a moment, and what an undo does is told first.
    if item.map({ news.leaving.contains($0.id) }) == true
      || outstanding.values.contains(where: \.changesNames)
    {
      return
    }
    // What appears is told with the others.
    if let item, news.appearing?.names.contains(item.name) == true { return }
    told.focus = item?.id
    guard item?.id != before, browse.container.flatMap({ registry[$0]?.sources }) != nil,
      !said.contains(where: isToldHere)
    else { return }
    sayItem()
  }

  /// Whether an announcement tells where one stands: the name alone may be of anything.
  private func isToldHere(_ announcement: Announcement) -> Bool {
    switch announcement {
    case .appeared: sources.count == 1
    case .empty, .cancelled(_, _, next: nil): true
    case .opened(_, 0, .items, _), .filtered, .cannotOpen: focused == nil
    case .ready(_, _, let item, _): item?.name == focused?.name
    case .delivered(let report), .partlyDelivered(let report):
      focused != nil && report.next == focused?.name
    default: focused.map { phrases.names($0.name, in: announcement) } ?? false
    }
  }

  /// Announces why there is no item: unknown contents are not an empty container.
  mutating func sayNothingHere() {
    // A listing may be empty; a pending one is `nil`.
    guard let level = browse.view?.top, registry[level.container]?.sources == nil else {
      if let text = browse.view?.top.narrowing?.text {
        sayFilter(text, .browsing(adding: nil))
      } else if let id = browse.container, counts(of: id).hidden > 0 {
        say(.ready(container: containerName, counts: counts(of: id), isFirst: false))
      } else {
        say(.empty(container: containerName))
      }
      return
    }
    if let reason = level.unreadable {
      say(.cannotOpen(name: containerName, reason))
    } else {
      say(.listing(container: containerName))
    }
  }

  /// The counts of a container; zero while unknown.
  func counts(of container: ContainerID) -> ItemCounts {
    registry[container]?.counts ?? ItemCounts(files: 0, folders: 0)
  }

  // MARK: Commands

  /// Requests the details of the focused item; the answer is announced.
  private mutating func askForFacts() {
    guard let item = focused else {
      sayNothingHere()
      return
    }
    request(.folders(.describe(item.id)), for: .describe)
  }

  /// Requests the listing of each given folder. A session that picks up focused items of the
  /// desktop announces that it is ready.
  mutating func start() {
    if settings.picksFocus, !settings.isPickUpTaken { say(.agentReady(settings.pickUpChord)) }
    for index in browse.views.indices {
      let id = request(
        .list(.container(browse.views[index].root), includingHidden: settings.showsHidden),
        for: .listRoot(index))
      emit(.startTimer(.asking(id), milliseconds: Session.askingDelay))
    }
  }

  /// Runs a command while nothing is carried, or while adding to a drag.
  mutating func runBrowsing(_ command: CommandName, adding: DragState?) {
    switch command {
    // An item still being delivered can't be opened, renamed or described.
    case .openItem where isAtArriving, .actions where isAtArriving, .rename where isAtArriving,
      .details where isAtArriving:
      sayItem()
    case .nextItem: step(1)
    case .previousItem: step(-1)
    case .firstItem: jump(to: 0)
    case .lastItem: jump(to: sources.count - 1)
    case .nextPage: page(1)
    case .previousPage: page(-1)
    case .nextContainer: showView(1)
    case .previousContainer: showView(-1)
    case .openItem: openItem(adding)
    case .leaveContainer: leaveFolder()
    case .takeBack: takeBack()
    case .toggleSelection:
      if let adding { returnToCarrying(adding) } else { toggleSelection() }
    case .extendSelectionDown: extendSelection(1)
    case .extendSelectionUp: extendSelection(-1)
    case .selectAll: selectAll()
    case .pickUp where settings.picksFocus: askForFocus(wish: nil)
    case .pickUp: pickUp(wish: nil, adding)
    case .copyTo, .moveTo, .linkTo, .actions:
      // The wish applies to the whole drag: while adding there can't be a second one.
      if adding == nil { begin(command) } else { rejectCommand(command) }
    case .toggleRefusing where adding == nil && !settings.picksFocus:
      pickUp(wish: nil, nil, showsRefusing: true)
    case .details where settings.isInFolders: askForFacts()
    case .goTo where settings.isInFolders: openGoTo(over: .browsing(adding: adding))
    case .newFolder where settings.isInFolders: openNewFolder(adding: adding)
    case .rename where settings.isInFolders: openRename(adding: adding)
    case .paste where settings.isInFolders: pasteClipboard()
    case .filter where settings.isInFolders: openFilter(over: .browsing(adding: adding))
    case .toggleHidden: toggleHidden()
    case .toggleEdit: toggleEdit()
    case .reorderUp: reorder(.up)
    case .reorderDown: reorder(.down)
    case .reorderTop: reorder(.top)
    case .reorderBottom: reorder(.bottom)
    case .moveToPosition: askForPosition(adding: adding)
    case .cancel:
      if adding != nil {
        cancelHeldDrag()
      } else if settings.picksFocus {
        // A pick-up in progress.
        say(.cancelled(names: [], count: 0, next: ""))
      } else {
        if browse.view?.top.narrowing != nil {
          _ = narrow(to: "", .browsing(adding: nil))
          sayFilter("", .browsing(adding: nil))
        } else if !browse.marks.isEmpty {
          browse.marks = [:]
          say(.deselected(name: nil, count: 0))
        }
        sayItem()
      }
    default: rejectCommand(command)
    }
  }

  private mutating func begin(_ command: CommandName) {
    switch command {
    case .copyTo where settings.picksFocus: askForFocus(wish: .copy)
    case .moveTo where settings.picksFocus: askForFocus(wish: .move)
    case .linkTo where settings.picksFocus: askForFocus(wish: .link)
    case .copyTo: pickUp(wish: .copy, nil)
    case .moveTo: pickUp(wish: .move, nil)
    case .linkTo: pickUp(wish: .link, nil)
    default: openActions()
    }
  }

  /// Moves focus by one item; at an end it stays, and the end is announced.
  private mutating func step(_ by: Int) {
    let count = sources.count
    guard count > 0, let level = browse.view?.top else {
      sayNothingHere()
      return
    }
    let index = level.focus + by
    guard (0..<count).contains(index) else {
      say(.edge(by > 0 ? .last : .first))
      return
    }
    focus(index)
    sayItem()
  }

  private mutating func jump(to index: Int) {
    focus(index)
    sayItem()
  }

  /// Moves focus by a page, clamped to the ends; an end is announced only when already there.
  private mutating func page(_ direction: Int) {
    guard let level = browse.view?.top, !sources.isEmpty else {
      sayNothingHere()
      return
    }
    let index = min(max(level.focus + direction * browse.pageSize, 0), sources.count - 1)
    guard index != level.focus else {
      say(.edge(direction > 0 ? .last : .first))
      return
    }
    jump(to: index)
  }

  /// Shows the next of the given folders, wrapping around.
  private mutating func showView(_ by: Int) {
    guard browse.views.count > 1 else {
      say(.edge(by > 0 ? .last : .first))
      return
    }
    browse.current = (browse.current + by + browse.views.count) % browse.views.count
    if let container = browse.container { keepFocus(in: container) }
    sayContainer()
    if !sources.isEmpty { sayItem() }
  }

  mutating func sayContainer() {
    guard let container = browse.container, registry[container]?.sources != nil else {
      sayNothingHere()
      return
    }
    say(.ready(container: containerName, counts: counts(of: container), isFirst: false))
  }

  /// Opens a folder, or the actions menu of anything else. While adding, only folders open.
  private mutating func openItem(_ adding: DragState?) {
    guard let item = focused else {
      sayNothingHere()
      return
    }
    if item.kind.isFolder {
      request(
        .list(.inside(item.id), includingHidden: settings.showsHidden),
        for: .enter(view: browse.current))
    } else if adding == nil {
      openActions()
    } else {
      say(.cannotOpen(name: item.name, .notAFolder))
    }
  }

  /// Returns to the previous level, or from the first folder to its parent if it `climbs`.
  mutating func leaveFolder(climbs: Bool = true) {
    guard browse.views.indices.contains(browse.current),
      let level = browse.views[browse.current].below.popLast()
    else {
      if climbs { climbOut() } else { say(.edge(.top)) }
      return
    }
    let name = registry[level.container]?.container.name ?? ""
    forget(level.container)
    if let container = browse.container { keepFocus(in: container) }
    say(.left(name: name))
    sayItem()
  }

  /// Unregisters a container that no view shows any more, and has the world stop watching it.
  mutating func forget(_ container: ContainerID) {
    let isShown = browse.views.contains {
      $0.root == container || $0.containers.contains(container)
    }
    guard !isShown else { return }
    registry.remove(container)
    tell(.close(container))
    // A person adding to a drag must not keep a current place that was listed only there.
    guard var carry = phase.carry, carry.isAsked else { return }
    carry.walk = makeWalk(carry)
    settle(&carry)
    phase.replaceCarry(carry)
  }

  /// Deletes the last typed letter; without one, leaves the folder, or announces the top at a given
  /// folder.
  mutating func takeBack() {
    guard search.canTakeBack else {
      switch phase {
      // Deleting letters must not lead far up the tree.
      case .browsing: leaveFolder(climbs: false)
      case .carrying, .confirming: rejectCommand(.takeBack)
      }
      return
    }
    search.takeBack()
    if !search.text.isEmpty { find(TypeAhead.Query(text: search.text)) } else { sayCurrent() }
  }

  mutating func sayCurrent() {
    switch phase {
    case .browsing: sayItem()
    case .carrying(let carry): arrive(carry)
    case .confirming(let question, _): sayChoice(question)
    }
  }

  /// Adds typed letters to the search, or to the open line.
  ///
  /// The same letter again goes to the next match. Several letters at once, as from a paste,
  /// replace the search.
  mutating func typeAhead(_ text: String) {
    if let line { return type(text, line) }
    if case .confirming(let question, let underneath) = phase,
      case .position(_, let count)? = question.current
    {
      typeDigits(text, of: count, question, underneath)
      return
    }
    find(search.add(text))
  }

  private mutating func find(_ query: TypeAhead.Query) {
    switch phase {
    case .browsing: findItem(query)
    case .carrying: findDropPoint(query)
    case .confirming(let question, let underneath): findChoice(query, question, underneath)
    }
  }

  private mutating func findItem(_ query: TypeAhead.Query) {
    guard let level = browse.view?.top,
      let index = match(query.text, in: level, movesOn: query.movesOn)
    else {
      noMatch(query.text)
      return
    }
    if query.isLetter, index == level.focus { return }
    jump(to: index)
  }

  /// The index of the item whose name matches, among the filtered ones if a filter is active.
  private mutating func match(_ text: String, in level: View.Level, movesOn: Bool) -> Int? {
    let current = sources.isEmpty ? nil : level.focus
    if let narrowing = level.narrowing {
      return NameIndex(narrowing.sources.map(\.name))
        .match(text, current: current, movesOn: movesOn)
    }
    return registry.matchSource(text, in: level.container, current: current, movesOn: movesOn)
  }

  /// Announces that nothing matches, and drops the last letter or the whole text from the search.
  mutating func noMatch(_ text: String) {
    // Names are announced without terminal control characters.
    let heard = SpokenName.clean(text)
    say(.noMatch(text: heard))
    search.miss(heard)
  }

  /// Shows or hides hidden items, and lists all containers of all views again.
  private mutating func toggleHidden() {
    settings.showsHidden.toggle()
    say(.mode(.hidden, isOn: settings.showsHidden))
    for container in browse.views.flatMap(\.containers) {
      request(
        .list(.container(container), includingHidden: settings.showsHidden), for: .relist(container)
      )
    }
  }

  /// The new index of an item; at an end it stays.
  func reorderIndex(_ direction: Reordering, from index: Int, count: Int) -> Int {
    switch direction {
    case .up: max(index - 1, 0)
    case .down: min(index + 1, count - 1)
    case .top: 0
    case .bottom: count - 1
    }
  }

  /// The focused item and its list, which must have an order of its own; otherwise says why not.
  mutating func focusedInOrder() -> (item: DragSourceDescriptor, level: View.Level)? {
    guard let item = focused, let level = browse.view?.top else {
      sayNothingHere()
      return nil
    }
    guard registry[level.container]?.container.isOrdered == true else {
      say(.operationUnavailable(.move, .notOrdered))
      return nil
    }
    return (item, level)
  }

  /// Requests a move of the focused item within its list.
  mutating func reorder(_ direction: Reordering) {
    guard let (item, level) = focusedInOrder() else { return }
    let index = reorderIndex(direction, from: level.focus, count: sources.count)
    guard index != level.focus else {
      say(.edge(direction == .up || direction == .top ? .first : .last))
      return
    }
    request(.reorder(item.id, toIndex: index), for: .reorder(item.id, in: level.container))
  }

  /// An item was moved, possibly to another index than requested; focus follows it.
  mutating func reordered(
    _ result: Result<Int, Reason>, _ source: DragSourceID, in container: ContainerID
  ) {
    // The list may have closed meanwhile.
    guard let old = registry.index(of: source, in: container, hint: browse.view?.top.focus ?? 0),
      let all = registry[container]?.sources
    else { return }
    let descriptor = all[old]
    switch result {
    case .success(let wanted):
      hasDoneNothing = false
      // A world may return an index beyond the list.
      let index = min(max(wanted, 0), all.count - 1)
      registry.apply(.sourceAppeared(descriptor, index: index))
      keepFocus(in: container)
      say(.moved(name: descriptor.name, index: index + 1, total: all.count))
    case .failure(let reason):
      say(.operationUnavailable(.move, reason))
    }
  }
}
