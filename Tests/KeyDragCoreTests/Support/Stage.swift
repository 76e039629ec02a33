import KeyDragCore

/// A small world as values: containers with their items and places, and the answers they give.
struct Stage {
  var roots: [ContainerDescriptor] = []
  var listings: [ContainerID: Listing] = [:]
  /// What a source opens.
  var insides: [DragSourceID: ContainerID] = [:]
  /// What a place opens while carrying.
  var openings: [DropPointID: ContainerID] = [:]
  var tasks: [DropPointDescriptor] = []
  /// Answers that differ from what `Stage` works out: by place, or by place and position.
  var proposals: [DropPointID: DropProposal] = [:]
  var stopProposals: [DropStop: DropProposal] = [:]
  /// What a place answers at the moment of the drop.
  var finalProposals: [DropPointID: DropProposal] = [:]
  var refusedSources: [DragSourceID: Reason] = [:]
  var allowed: [DragSourceID: DragOperations] = [:]
  /// Operations that an item withholds, each with its reason.
  var disallowed: [DragSourceID: [DragOperation: Reason]] = [:]
  var types: [DragSourceID: String] = [:]
  /// How deliveries end; delivered whole when nothing else is said.
  var outcome = DeliveryOutcome.delivered
  var failures: [DeliveryFailure] = []
  /// Deliveries stay open until the test ends them.
  var holdsDeliveries = false
  /// What has the focus outside, or why there is nothing.
  var focus: FocusReport?
  var focusRefusal = Reason.nothingThere
  /// The window seen to have the keyboard when a drag has ended; `nil` for back at what was carried.
  var keyboard: KeyboardLocation?
  var history: HistoryResult = .nothing
  var historyLines: Result<[HistoryLine], Reason> = .success([])
  var reordering: Reason?
  /// Which folder is around one, by their names, and which is at a path.
  var parents: [String: String] = [:]
  var paths: [String: String?] = [:]
  var completion = PathCompletion(text: "", names: [], count: 0)
  /// The files that were copied elsewhere, or why there is nothing to paste.
  var clipboard: Result<[String], Reason> = .failure(.emptyClipboard)
  /// The clipboard's contents were cut.
  var isCut = false
  /// Why nothing gets another name.
  var renaming: Reason?
  /// Windows of programs, in the order in which they are registered (see ``window(_:of:_:items:)``).
  var windows: [ContainerDescriptor] = []
  /// Why a container can't be listed.
  var unreadable: [ContainerID: Reason] = [:]

  // MARK: Building

  static func id(_ name: String) -> UInt64 {
    name.utf8.reduce(5381) { ($0 << 5) &+ $0 &+ UInt64($1) } & 0xFFFF_FFFF
  }

  static func container(_ name: String) -> ContainerID { ContainerID(UInt32(id(name))) }

  static func source(_ name: String, in container: String) -> DragSourceID {
    DragSourceID(id(container + "/" + name))
  }

  static func place(_ name: String) -> DropPointID { DropPointID(id("place " + name)) }

  /// A folder with items ("notes.txt", folders end in a slash); a root, or in another folder.
  mutating func folder(
    _ name: String, in enclosing: String? = nil, tree: String? = nil, app: String? = nil,
    _ items: [String]
  ) {
    let id = Stage.container(name)
    let root = enclosing.flatMap { listings[Stage.container($0)]?.container.tree }
    let container = ContainerDescriptor(
      id: id, name: name, app: app, enclosing: enclosing.map(Stage.container),
      tree: root ?? tree.map(Stage.container) ?? id)
    var listing = Listing(container: container, sources: [], dropPoints: [])
    listing.dropPoints?.append(
      DropPointDescriptor(
        id: Stage.place(name), name: name, container: id, leadsTo: id, canOpen: true))
    for item in items {
      let isFolder = item.hasSuffix("/")
      let plain = isFolder ? String(item.dropLast()) : item
      let source = Stage.source(plain, in: name)
      listing.sources?.append(
        DragSourceDescriptor(
          id: source, name: plain, container: id, kind: isFolder ? .folder : .file))
      guard isFolder else { continue }
      insides[source] = Stage.container(plain)
      openings[Stage.place(plain)] = Stage.container(plain)
      listing.dropPoints?.append(
        DropPointDescriptor(
          id: Stage.place(plain), name: plain, container: id, leadsTo: Stage.container(plain),
          canOpen: true))
    }
    listings[id] = listing
    if enclosing == nil { roots.append(container) }
  }

  /// An ordered list whose rows take items before, on and after them.
  mutating func list(_ name: String, _ rows: [String], positions: DropPositions = .all) {
    let id = Stage.container(name)
    let container = ContainerDescriptor(id: id, name: name, tree: id, isOrdered: true)
    listings[id] = Listing(
      container: container,
      sources: rows.map {
        DragSourceDescriptor(
          id: Stage.source($0, in: name), name: $0, container: id, kind: .object)
      },
      dropPoints: rows.map {
        DropPointDescriptor(
          id: Stage.place($0), name: $0, container: id, positions: positions)
      })
    roots.append(container)
  }

  static var inboxAndDocs: Stage {
    var stage = Stage()
    stage.folder("Inbox", ["Sorted/", "a.txt", "b.txt", "notes.txt"])
    stage.folder("Sorted", in: "Inbox", ["Old/"])
    stage.folder("Old", in: "Sorted", [])
    stage.folder("Docs", ["Reports/", "plan.pdf"])
    stage.folder("Reports", in: "Docs", [])
    return stage
  }

  static let trash = DropPointDescriptor(
    id: DropPointID(1), name: "Trash", container: ContainerID(1), task: .trash)
  static let printer = DropPointDescriptor(
    id: DropPointID(2), name: "Printer", container: ContainerID(1), task: .print)
  static let newFolder = DropPointDescriptor(
    id: DropPointID(4), name: "New folder in Docs…", container: ContainerID(1),
    leadsTo: container("Docs"), task: .newFolder)
  static var music: DropPointDescriptor {
    var music = DropPointDescriptor(
      id: DropPointID(5), name: "Music", container: ContainerID(5), leadsTo: ContainerID(5))
    music.isShortcut = true
    return music
  }
  static let clipboardPlace = DropPointDescriptor(
    id: DropPointID(6), name: "Clipboard", container: ContainerID(1), task: .clipboard)
  static let viewer = DropPointDescriptor(
    id: DropPointID(3), name: "Viewer", container: ContainerID(1), task: .openWith)

  // MARK: Answering

  mutating func apply(_ change: RegistryChange) {
    var registry = Registry()
    for listing in listings.values { registry.insert(listing) }
    registry.apply(change)
    listings = [:]
    for (id, entry) in registry.entries {
      listings[id] = Listing(
        container: entry.container, sources: entry.sources, dropPoints: entry.dropPoints)
    }
  }

  mutating func answers(to request: WorldRequest, _ id: RequestID) -> [WorldReport] {
    switch request {
    case .list(.container(let container), _): return [listing(container, id)]
    case .list(.inside(let source), _): return [listing(insides[source], id)]
    case .list(.opened(let place), _): return [listing(openings[place], id)]
    case .list(.around(let container), _):
      let name = listings[container]?.container.name ?? ""
      guard let parent = parents[name] else {
        return [.unreadable(id, name: name, .nothingThere)]
      }
      return [listing(Stage.container(parent), id)]
    case .list(.path(let path, _, _), _):
      guard let name = paths[path] ?? nil else {
        return [.unreadable(id, name: path, .nothingThere)]
      }
      return [listing(Stage.container(name), id)]
    case .folders(.take(let places, _)):
      return [.prepared(id, prepare(places.map { Stage.source($0, in: "Pasted") }))]
    case .folders(.takeClipboard):
      switch clipboard {
      case .success(let names):
        var preparation = prepare(names.map { Stage.source($0, in: "Pasted") })
        preparation.wish = isCut ? .move : nil
        return [.prepared(id, preparation)]
      case .failure(let reason):
        let refusal = DeliveryFailure(name: "", reason: reason)
        return [.prepared(id, PreparedItems(items: [], refused: [refusal]))]
      }
    case .folders(.complete): return [.completed(id, completion)]
    case .folders(.measure(let sources)):
      let pairs = sources.map { ($0, RowFacts(bytes: 1500, changed: "2026-11-21 21:31")) }
      return [.measured(id, Dictionary(uniqueKeysWithValues: pairs))]
    case .folders(.preview): return [.previewed(id, nil)]
    case .folders(.describe(let source)):
      let facts = ItemFacts(
        name: self.source(source)?.name ?? "", kind: .file, typeName: "text document",
        changed: "2026-11-21 21:31", path: ["home", "Inbox"])
      return [.described(id, facts)]
    case .make(let name, let container, _):
      let landing = Landing(
        container: container, source: DragSourceID(Stage.id("new " + name)), name: name)
      return [.renamed(id, renaming.map { .failure($0) } ?? .success(landing))]
    case .rename(let source, let name, _):
      let container = self.source(source)?.container ?? ContainerID(0)
      let landing = Landing(container: container, source: source, name: name)
      return [.renamed(id, renaming.map { .failure($0) } ?? .success(landing))]
    case .close, .cancelDelivery: return []
    case .focus:
      guard let focus else { return [.unreadable(id, name: "", focusRefusal)] }
      return [.focused(id, focus)]
    case .prepare(let sources): return [.prepared(id, prepare(sources))]
    case .ask(let inquiry):
      return [.answered(id, inquiry.stops.map { Answer($0, proposal($0, inquiry)) })]
    case .deliver(let delivery, let order):
      return holdsDeliveries
        ? []
        : [
          .delivery(delivery, .started(DeliveryProgress())),
          .delivery(delivery, .finished(result(order))),
        ]
    case .windows: return [.windows(id, windows)]
    case .show: return [.shown(id, RevealedLanding(name: "a.txt", container: "Docs", app: "Files"))]
    case .restoreKeyboard(let wish):
      let window = windows.first { $0.id == wish.window }
      let back = KeyboardLocation(window: window, isAtItems: !wish.items.isEmpty)
      return [.keyboardRestored(id, keyboard ?? back)]
    case .undo: return [.undone(id, history)]
    case .redo: return [.redone(id, history)]
    case .history: return [.history(id, historyLines)]
    case .list(.edited(let container, let isOn), _): return [edited(container, isOn, id)]
    case .reorder(let source, let index):
      return [.moved(id, source, reordering.map { .failure($0) } ?? .success(index))]
    }
  }

  private func edited(_ container: ContainerID, _ isOn: Bool, _ id: RequestID) -> WorldReport {
    guard var listing = listings[container] else { return listing(container, id) }
    listing.container.isEditing = isOn
    return .listed(id, listing)
  }

  private func listing(_ container: ContainerID?, _ id: RequestID) -> WorldReport {
    guard let container, let listing = listings[container] else {
      let reason = container.flatMap { unreadable[$0] } ?? .notPermitted
      return .unreadable(id, name: "that folder", reason)
    }
    return .listed(id, listing)
  }

  func source(_ id: DragSourceID) -> DragSourceDescriptor? {
    for listing in listings.values {
      if let found = listing.sources?.first(where: { $0.id == id }) { return found }
    }
    return nil
  }

  private func prepare(_ sources: [DragSourceID]) -> PreparedItems {
    var preparation = PreparedItems(items: [], taskPoints: tasks)
    for id in sources {
      let source = source(id)
      if let reason = source == nil ? .gone : refusedSources[id] {
        preparation.refused.append(DeliveryFailure(name: source?.name ?? "it", reason: reason))
      } else if let source {
        preparation.items.append(item(source))
      }
    }
    return preparation
  }

  func item(_ source: DragSourceDescriptor) -> DragItem {
    let typeName = types[source.id] ?? (source.kind.isFolder ? "folder" : "text document")
    var item = DragItem(
      source: source.id, name: source.name, kind: source.kind, types: ["text/plain"],
      typeName: typeName, container: source.container,
      tree: listings[source.container]?.container.tree, allowed: allowed[source.id] ?? .all)
    item.folder = listings[source.container]?.container.name
    for (operation, reason) in disallowed[source.id] ?? [:] {
      item.allowed.remove(DragOperations(operation))
      item.disallowed[operation] = reason
    }
    return item
  }

  private func point(_ id: DropPointID) -> DropPointDescriptor? {
    let places = listings.values.lazy.compactMap { listing in
      listing.dropPoints?.first { $0.id == id }
    }
    return places.first
      ?? (tasks + listings.values.compactMap(\.newFolder)).first { $0.id == id }
  }

  private func proposal(_ stop: DropStop, _ inquiry: ProposalRequest) -> DropProposal {
    if inquiry.isFinal, let final = finalProposals[stop.point] { return final }
    if let known = stopProposals[stop] ?? proposals[stop.point] { return known }
    guard let point = point(stop.point) else { return .refused(.gone) }
    switch point.task {
    case .trash: return DropProposal(.all, offers: .remove)
    case .print, .openWith: return DropProposal(.all, offers: .open)
    case .newFolder: return DropProposal(.all)
    case .clipboard: return DropProposal(.all, offers: .copy)
    case nil: break
    }
    if let target = point.leadsTo {
      if inquiry.items.contains(where: { insides[$0.source] == target }) {
        return .refused(.ownDescendant)
      }
      if inquiry.items.allSatisfy({ $0.container == target }) { return .refused(.samePlace) }
    }
    return DropProposal(.all)
  }

  func result(_ order: DeliveryOrder) -> DeliveryResult {
    let failed = Set(failures.map(\.name))
    let moved = outcome == .delivered || outcome == .partly ? order.items : []
    let arrived = moved.filter { !failed.contains($0.name) }
    let target = point(order.stop.point)?.leadsTo
    return DeliveryResult(
      outcome: outcome, route: .files, delivered: arrived.count, failures: failures,
      landings: target.map { target in
        arrived.map { Landing(container: target, source: $0.source, name: $0.name) }
      } ?? [])
  }
}
