/// Browsing: walking items, entering and leaving folders.
///
/// Each folder that was given has a view; within it levels lie above one another, and the topmost
/// is shown. Nothing here waits: what has to be read is asked of the world, and its answer comes
/// later.
extension Session {
  // MARK: Where one is

  /// The items of the container shown, or those that the filter leaves; empty while they are not
  /// known. What is on its way there stands behind them.
  var sources: [DragSourceDescriptor] {
    browse.view.map { sources(at: $0.top) } ?? []
  }

  /// The items of one level of a view.
  ///
  /// Those that arrive have no file yet.
  func sources(at level: View.Level) -> [DragSourceDescriptor] {
    if let narrowing = level.narrowing { return narrowing.sources }
    guard let there = registry[level.container]?.sources else { return [] }
    return level.arriving.isEmpty ? there : there + level.arriving
  }

  /// The name of the container shown; empty where nothing is.
  var containerName: String {
    browse.container.flatMap { registry[$0]?.container.name } ?? ""
  }

  /// The item in focus; `nil` where there is none.
  var focused: DragSourceDescriptor? {
    guard let level = browse.view?.top else { return nil }
    let sources = sources
    return sources.indices.contains(level.focus) ? sources[level.focus] : nil
  }

  /// Whether an item is marked, or has just landed.
  func isSelected(_ id: DragSourceID) -> Bool {
    browse.marks[id] != nil || landed.items.contains { $0.source == id }
  }

  /// Puts focus on an item of the container shown, without saying it.
  ///
  /// An index beyond the end is the last one. The number of the item is kept as well, so that focus
  /// stays on it when the list changes.
  mutating func focus(_ index: Int) {
    guard browse.views.indices.contains(browse.current) else { return }
    let sources = sources
    let index = min(max(index, 0), max(sources.count - 1, 0))
    browse.views[browse.current].top.focus = index
    browse.views[browse.current].top.focused =
      sources.indices.contains(index) ? sources[index].id : nil
  }

  /// Says the item in focus with its position and what is on its way to it; where there is none,
  /// why.
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
        isAlike: sources.holdAlike(item)))
  }

  /// Why there is no item: what is not known yet is not empty.
  mutating func sayNothingHere() {
    // A listing may be empty; one that has not come yet is `nil`.
    guard let level = browse.view?.top, registry[level.container]?.sources == nil else {
      say(.empty(container: containerName))
      return
    }
    if let reason = level.unreadable {
      say(.cannotOpen(name: containerName, reason))
    } else {
      say(.listing(container: containerName))
    }
  }

  /// How much a container holds; nothing where it is not known.
  func counts(of container: ContainerID) -> ItemCounts {
    registry[container]?.counts ?? ItemCounts(files: 0, folders: 0)
  }

  // MARK: Commands

  /// Asks what is known of the item in focus.
  ///
  /// The answer is said when it comes.
  private mutating func askForFacts() {
    guard let item = focused else {
      sayNothingHere()
      return
    }
    request(.folders(.describe(item.id)), for: .describe)
  }

  /// Asks for the listing of each folder given. A session that picks up what is in focus on the
  /// desktop says that it is ready.
  mutating func start() {
    if settings.picksFocus, !settings.isPickUpTaken { say(.agentReady(settings.pickUpChord)) }
    for index in browse.views.indices {
      let id = request(
        .list(.container(browse.views[index].root), includingHidden: settings.showsHidden),
        for: .listRoot(index))
      emit(.startTimer(.asking(id), milliseconds: Session.askingDelay))
    }
  }

  /// Runs a command while nothing is carried, or while more is added to a drag.
  ///
  /// - Parameter adding: the drag that is added to.
  mutating func runBrowsing(_ command: CommandName, adding: Carry?) {
    switch command {
    // An item that has not come yet can't be opened, renamed or asked about.
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
      // A wish holds for the whole drag: while adding to one there is no second.
      if adding == nil { begin(command) } else { notHere(command) }
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
        // A pick-up that was under way.
        say(.cancelled(names: [], count: 0, next: ""))
      } else {
        sayItem()
      }
    case .filter, .goTo, .newFolder, .rename, .paste, .complete, .nextDropPoint, .previousDropPoint,
      .nextPosition, .previousPosition,
      .firstPosition,
      .lastPosition, .openDropPoint, .leaveDropPoint, .toggleRefusing, .details, .wishCopy,
      .wishMove, .wishLink, .addToDrag, .removeLast, .drop, .sayHeld, .nextChoice,
      .previousChoice, .firstChoice, .lastChoice, .previousCharacter, .nextCharacter, .take, .back,
      .cancelDelivery:
      notHere(command)
    case .undo, .redo, .deliveries, .goToLanded, .redraw, .whereAmI, .repeatLast, .silence, .help,
      .quit, .interrupt:
      break  // Answered in every phase alike, before this.
    }
  }

  /// Begins a drag with its operation given, or opens the menu of actions.
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

  /// One item on or back; at an end focus stays, and the end is said.
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

  /// Moves focus and says the item.
  private mutating func jump(to index: Int) {
    focus(index)
    sayItem()
  }

  /// A page on or back. A page that is not full goes to the end; only from there the end is said.
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

  /// Shows the next of the folders given. They go round: behind the last one comes the first.
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

  /// Says the container shown and how much it holds.
  mutating func sayContainer() {
    guard let container = browse.container, registry[container]?.sources != nil else {
      sayNothingHere()
      return
    }
    say(.ready(container: containerName, counts: counts(of: container), isFirst: false))
  }

  /// Enter: opens a folder, or the menu of actions for anything else. While adding, only folders
  /// open.
  private mutating func openItem(_ adding: Carry?) {
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

  /// Goes back to the level below and says the item in focus there.
  ///
  /// - Parameter climbs: whether the first folder is left as well, to the one around it.
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

  /// Stops showing a container, unless it is shown elsewhere.
  ///
  /// The world is told to close it, so that nothing is watched that nobody sees.
  mutating func forget(_ container: ContainerID) {
    let isShown = browse.views.contains {
      $0.root == container || $0.containers.contains(container)
    }
    guard !isShown else { return }
    registry.remove(container)
    tell(.close(container))
    // Nobody who adds to a drag is left standing on a place that was listed there alone.
    guard var carry = phase.carry, carry.isAsked else { return }
    carry.walk = makeWalk(carry)
    settle(&carry)
    phase.replaceCarry(carry)
  }

  /// Takes back the last letter of what was typed; with none, leaves the folder.
  ///
  /// At the first folder given the edge is said instead.
  mutating func takeBack() {
    guard search.canTakeBack else {
      switch phase {
      // A person who takes back letters must not end up far above.
      case .browsing: leaveFolder(climbs: false)
      case .carrying, .confirming: notHere(.takeBack)
      }
      return
    }
    search.takeBack()
    if !search.text.isEmpty { find(TypeAhead.Query(text: search.text)) } else { sayCurrent() }
  }

  /// Says the item, the drop point or the choice one stands on.
  mutating func sayCurrent() {
    switch phase {
    case .browsing: sayItem()
    case .carrying(let carry): arrive(carry)
    case .confirming(let question, _): sayChoice(question)
    }
  }

  /// Takes letters typed to find something by its name, or the text of a line that is open.
  ///
  /// The same letter again goes on to the next match. Several at once, as a program pastes them,
  /// replace what was typed.
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

  /// Finds what is asked for in the phase that one is in.
  private mutating func find(_ query: TypeAhead.Query) {
    switch phase {
    case .browsing: findItem(query)
    case .carrying: findDropPoint(query)
    case .confirming(let question, let underneath): findChoice(query, question, underneath)
    }
  }

  /// Puts focus on the item whose name begins so.
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

  /// The index of the item whose name begins so; of a list that is narrowed, in what is left.
  private mutating func match(_ text: String, in level: View.Level, movesOn: Bool) -> Int? {
    // In an empty list there is nowhere to begin.
    let current = sources.isEmpty ? nil : level.focus
    if let narrowing = level.narrowing {
      return NameIndex(narrowing.sources.map(\.name))
        .match(text, current: current, movesOn: movesOn)
    }
    return registry.matchSource(text, in: level.container, current: current, movesOn: movesOn)
  }

  /// Says that nothing matches and forgets what led to nothing: the last letter, or the whole text.
  mutating func noMatch(_ text: String) {
    // Names are said without signs that steer a terminal.
    let heard = SpokenName.clean(text)
    say(.noMatch(text: heard))
    search.miss(heard)
  }

  /// Shows hidden items or no longer, and lists again every container of every view.
  private mutating func toggleHidden() {
    settings.showsHidden.toggle()
    say(.mode(.hidden, isOn: settings.showsHidden))
    for container in browse.views.flatMap(\.containers) {
      request(
        .list(.container(container), includingHidden: settings.showsHidden), for: .relist(container)
      )
    }
  }

  /// The index that an item comes to; at an end it is the one that it has.
  func reorderIndex(_ direction: Reordering, from index: Int, count: Int) -> Int {
    switch direction {
    case .up: max(index - 1, 0)
    case .down: min(index + 1, count - 1)
    case .top: 0
    case .bottom: count - 1
    }
  }

  /// Asks the world to move the item in focus within its list. Only lists with an order of their
  /// own allow it.
  mutating func reorder(_ direction: Reordering) {
    guard let item = focused, let level = browse.view?.top else {
      sayNothingHere()
      return
    }
    guard registry[level.container]?.container.isOrdered == true else {
      say(.operationUnavailable(.move, .notOrdered))
      return
    }
    let index = reorderIndex(direction, from: level.focus, count: sources.count)
    guard index != level.focus else {
      say(.edge(direction == .up || direction == .top ? .first : .last))
      return
    }
    request(.reorder(item.id, toIndex: index), for: .reorder(item.id, in: level.container))
  }

  /// The item has been moved: focus goes along with it. The world may have put it elsewhere than
  /// was asked.
  mutating func reordered(_ result: Result<Int, Reason>, for purpose: Purpose) {
    guard case .reorder(let source, let container) = purpose else {
      unanswered("", .unknown, for: purpose)
      return
    }
    // The list may have closed before the answer came.
    guard let old = registry.index(of: source, in: container, hint: browse.view?.top.focus ?? 0),
      let all = registry[container]?.sources
    else { return }
    let descriptor = all[old]
    switch result {
    case .success(let wanted):
      // A world may answer with a number beyond the list.
      let index = min(max(wanted, 0), all.count - 1)
      registry.apply(.sourceAppeared(descriptor, index: index))
      keepFocus(in: container)
      say(.moved(name: descriptor.name, index: index + 1, total: all.count))
    case .failure(let reason):
      say(.operationUnavailable(.move, reason))
    }
  }
}
