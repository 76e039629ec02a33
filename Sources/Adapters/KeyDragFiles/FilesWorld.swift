import Dispatch
import KeyDragCore
import Synchronization
import SystemPackage

/// Real folders as containers: what ``KeyDragCore/World`` asks of them.
///
/// Owned by whoever runs the session; ``close()`` ends it. What is told as it becomes known comes
/// from queues and threads of many kinds. Nothing here is bound to a thread.
package final class FilesWorld: World {
  /// Numbers of everything that is walked; asks no disk.
  let registry: PlaceRegistry
  private let lister: FolderLister
  let inquiry: PlaceInquiry
  let pickUp: PickUp
  private let tasks: TaskRuns
  let clipboard: ClipboardGoods?
  /// A protocol, for tests.
  let delivering: any FileDelivering
  let types: any ContentTypes
  /// Drops of others under way, and whether they are cancelled: between the halves of one nobody
  /// else knows of it.
  let visits = Mutex<[DeliveryID: Bool]>([:])
  /// Work in the background, which the end waits for.
  private let group = DispatchGroup()
  /// The history's numbers of what was done in this run.
  let own = OwnEntries()

  /// A world of these folders, each once, in this order; reads nothing but where they lead.
  ///
  /// `canTrash` gives the reason why a path has no trash to go to, and may block. `isWalked`:
  /// whether folders are to be made for what is dropped, `shortcuts`: whether bookmarks and the
  /// like are places, too. `clipboard`: where there is one that is pasted from and copied to.
  /// `isForFolders`: whether nothing but a folder takes what is picked up.
  package init(
    roots: [FilePath], types: any ContentTypes, programs: any ProgramStarting,
    delivering: any FileDelivering, phrases: Phrasebook = Phrasebook(), isWalked: Bool = false,
    shortcuts: Bool = false, clipboard: ClipboardGoods? = nil, isForFolders: Bool = false,
    canTrash: @escaping @Sendable (FilePath) -> Reason?
  ) {
    let registry = PlaceRegistry(roots: RootPaths.roots(roots))
    let places = TaskPlaces(
      programs: programs, phrases: phrases, hasClipboard: clipboard != nil)
    self.clipboard = clipboard
    self.registry = registry
    self.delivering = delivering
    self.types = types
    lister = FolderLister(registry: registry)
    inquiry = PlaceInquiry(registry: registry, tasks: places, canTrash: canTrash)
    var recent: (@Sendable () -> [FilePath])?
    if shortcuts { recent = { delivering.recentTargets() } }
    pickUp = PickUp(
      registry: registry, types: isForFolders ? nil : types, tasks: isForFolders ? nil : places,
      ends: !isWalked
        ? nil
        : EndPlaces(
          registry: registry, phrases: phrases,
          recent: recent))
    tasks = TaskRuns(registry: registry, places: places, clipboard: clipboard)
  }

  /// Numbers of this owner are understood, no others.
  package var owners: [IDOwner] { [.files] }

  /// The folders given, in order; each still has to be listed.
  package var roots: [ContainerDescriptor] { registry.roots }

  /// The path of a drag source, for those who act on files without a session.
  package func path(of source: DragSourceID) -> FilePath? { registry.entry(source)?.path }

  /// The entry of each item; `nil` for one that is no file of this world.
  func entries(of items: [DragItem]) -> [PlaceRegistry.Entry?] {
    registry.entries(items.map(\.source))
  }

  /// The things picked up, by the paths of the items.
  func held(_ items: [DragItem]) -> [FilePath: PlaceRegistry.PickedUp] {
    registry.held(entries(of: items))
  }

  /// The drag source for a file or folder named by a path, listed or not; what is wrong with it is
  /// told when it is prepared. May block where the path has "..".
  package func source(at path: FilePath) -> DragSourceID? { sources(at: [path]).first }

  /// The same for many, in order, without those that are no file.
  package func sources(at paths: [FilePath]) -> [DragSourceID] {
    let working = RootPaths.workingFolder()
    return registry.sources(at: paths.map { RootPaths.absolute($0, in: working) })
  }

  /// The drop point for a folder named by a path, listed or not; what is wrong with it is told when
  /// it is asked. May block where the path has "..".
  package func dropPoint(at path: FilePath) -> DropPointID? {
    registry.folder(at: RootPaths.absolute(path)).map { PointID.folder($0).point }
  }

  /// A root as the only place in it: what a drop without a walk needs to know.
  ///
  /// The folder is not read.
  package func place(of root: ContainerDescriptor) -> (stop: DropStop, listing: Listing) {
    let point = DropPointDescriptor(
      id: PointID.folder(root.id.rawValue).point, name: root.name, container: root.id,
      leadsTo: root.id)
    return (
      DropStop(point.id), Listing(container: root, sources: nil, dropPoints: [point])
    )
  }

  /// Sets the receiver of changes, recoveries and problems. To be called once, before the first
  /// request.
  package func observe(_ observer: @escaping @Sendable (WorldReport) -> Void) {
    lister.observe(observer)
    inquiry.observe { observer(.foreseen) }
    delivering.observe(observer)
  }

  package func list(
    _ subject: ListingSubject, includingHidden hidden: Bool,
    told: @escaping @Sendable (ListingEvent) -> Void
  ) async throws(Unreadable) {
    switch subject {
    case .container(let container): try await show(container.rawValue, .browsed, hidden, told)
    case .inside(let source):
      try await show(registry.folder(of: EntryID(source)), .browsed, hidden, told)
    case .around(let container):
      let number: UInt32 = container.rawValue
      // The root of the file system has none.
      guard let parent = registry.parent(of: number) else {
        throw Unreadable(.nothingThere, name: registry.name(of: number))
      }
      try await show(parent, .browsed, hidden, told)
    case .opened(let point):
      switch PointID(point) {
      case .folder(let number): try await show(number, .opened, hidden, told)
      case .entry(let entry): try await show(registry.folder(of: entry), .opened, hidden, told)
      case .trash, .print, .clipboard, .program, .newFolder: throw Unreadable(.notAFolder)
      }
    case .path(let path, let base, let isOpened):
      let number = try await folder(at: path, from: base)
      try await show(number, isOpened ? .opened : .browsed, hidden, told)
    // Folders have an order of their own.
    case .edited: throw Unreadable(.notOrdered)
    }
  }

  package func hide(_ container: ContainerID) { lister.hide(container.rawValue) }

  package func prepare(_ sources: [DragSourceID]) async -> Preparation {
    inquiry.survey.forget()
    return await inBackground { [pickUp] in pickUp.prepare(sources) }
  }

  package func answers(to question: Inquiry, from loading: (any ItemLoading)?) async -> [Answer] {
    guard let loading else { return await inquiry.answers(to: question) }
    return await answers(to: question, ofVisitor: loading)
  }

  package func answers(
    to question: Inquiry, told: @escaping @Sendable ([Answer]) -> Void
  ) async -> [Answer] {
    await inquiry.answers(to: question, told: told)
  }

  package func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: (any ItemLoading)?,
    told: @escaping DeliveryReceiver
  ) {
    guard let loading else { return deliver(id, order, told: told) }
    take(id, order, from: loading, told)
  }

  package func cancel(_ delivery: DeliveryID) {
    visits.withLock { if $0[delivery] != nil { $0[delivery] = true } }
    if !tasks.cancel(delivery) { delivering.cancel(delivery) }
  }

  package func undo(entry: Int64?) async -> HistoryResult { await delivering.undo(entry: entry) }

  package func redo(entry: Int64?) async -> HistoryResult { await delivering.redo(entry: entry) }

  package func history(limit: Int) async -> Result<[HistoryLine], Reason> {
    do throws(Reason) {
      let entries = try await delivering.history(limit: limit)
      let own = own.all
      return .success(
        entries.map {
          HistoryLine(
            $0, when: EntryTime.short($0.time), weekday: EntryTime.weekday($0.time),
            isOlder: !own.contains($0.number))
        })
    } catch {
      return .failure(error)
    }
  }

  package func folders(of owner: IDOwner) -> (any Folders)? { owner == .files ? self : nil }

  /// In this order: tasks, deliveries, watches, the clipboard, other work. A disk that does not answer
  /// is waited for one second in all: nobody is to wait who leaves.
  package func close() {
    let end = DispatchTime.now() + 1
    tasks.close()
    delivering.close(until: end)
    lister.close(until: end)
    clipboard?.close()
    _ = group.wait(timeout: end)
  }

  /// A serial queue for each piece, because it may block (see ``LongWork``).
  func inBackground(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "keydrag.files").async(group: group, execute: work)
  }

  /// Does something that may block (see ``LongWork``), and gives what comes of it.
  func inBackground<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      inBackground { continuation.resume(returning: work()) }
    }
  }

  /// Lists and watches a folder; `nil` and unknown numbers are gone.
  private func show(
    _ number: UInt32?, _ showing: ViewKinds, _ hidden: Bool,
    _ told: @escaping @Sendable (ListingEvent) -> Void
  ) async throws(Unreadable) {
    guard let number, registry.path(of: number) != nil else { throw Unreadable(.gone) }
    let reason = await withCheckedContinuation { continuation in
      lister.list(number, as: showing, includingHidden: hidden) { [ends = pickUp.ends] event in
        guard showing == .opened, case .listed(var listing) = event else { return told(event) }
        // In what is opened to drop something there a folder can be made for it.
        listing.newFolder = ends?.newFolder(in: listing.container)
        told(.listed(listing))
      } done: {
        continuation.resume(returning: $0)
      }
    }
    if let reason { throw Unreadable(reason, name: registry.name(of: number)) }
  }
}

/// Orders with numbers become drops with paths, and what landed gets numbers again.
extension FilesWorld {
  /// Checks by numbers alone; the disk refuses for itself. Items that no folder knows are told as
  /// failures of the rest.
  ///
  /// - Parameter noted: called before the end is told, with the number of the journal's entry.
  func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder,
    noted: @escaping @Sendable (Int64?) -> Void = { _ in }, told: @escaping DeliveryReceiver
  ) {
    switch PointID(order.stop.point) {
    case .print, .clipboard, .program:
      inBackground { [tasks] in tasks.run(id, order, told) }
      return
    case .folder, .entry, .trash, .newFolder: break
    }
    let target = folder(at: order.stop.point)
    let isTrash = PointID(order.stop.point) == .trash
    guard isTrash ? order.operation == .remove : DragOperations.transfer.contains(order.operation)
    else {
      refuse(order, .operationNotOffered, told)
      return
    }
    // It is made under the name that the person gave, so there has to be one.
    let isNew = if case .newFolder = PointID(order.stop.point) { true } else { false }
    guard isTrash || target != nil, !isNew || order.newName != nil else {
      refuse(order, .gone, told)
      return
    }
    let (paths, missing) = sources(of: order.items)
    guard !paths.isEmpty else {
      refuse(order, .gone, told)
      return
    }
    var drop = FileDrop(
      operation: order.operation, sources: paths, target: target.flatMap { registry.path(of: $0) },
      clash: order.clash, placeName: target.map { registry.name(of: $0) } ?? "",
      deletable: isTrash ? deletable(order.items) : [], newName: order.newName)
    drop.goesIntoNew = isNew
    drop.held = held(order.items)
    var made = target
    if isNew, let name = order.newName, let path = drop.target {
      // Numbered before it is there, so that what lands in it gets its numbers.
      made = registry.folder(at: path.appending(FileName(name)))
      drop.placeName = SpokenName.file(name)
    }
    deliver(id, drop, landing: made, missing: missing, noted: noted, told: told)
  }

  /// Has a drop done, and gives numbers to what landed in a folder.
  func deliver(
    _ id: DeliveryID, _ drop: FileDrop, landing: UInt32?, missing: [DeliveryFailure] = [],
    noted: @escaping @Sendable (Int64?) -> Void, told: @escaping DeliveryReceiver
  ) {
    delivering.deliver(drop, id: id) { [self] event in
      if case .finished(_, _, let entry) = event {
        if let entry { own.insert(entry) }
        noted(entry)
      }
      told(translate(event, target: landing, missing: missing))
    }
  }

  /// The number of the folder that a drop point is; `nil` for trash, print and programs.
  ///
  /// For a new folder it is the one that it will be made in.
  func folder(at point: DropPointID) -> UInt32? {
    switch PointID(point) {
    case .folder(let number), .newFolder(let number): registry.path(of: number).map { _ in number }
    case .entry(let entry): registry.folder(of: entry)
    case .trash, .print, .clipboard, .program: nil
    }
  }

  /// Those of the items that the person has agreed to lose, by path.
  private func deletable(_ items: [DragItem]) -> Set<FilePath> {
    Set(registry.entries(inquiry.agreedToDelete(items)).compactMap { $0?.path })
  }

  /// Tells a delivery as over, with nothing done.
  func refuse(_ order: DeliveryOrder, _ reason: Reason, _ told: DeliveryReceiver) {
    told(.finished(.failed(order.items, reason, outcome: .refused)))
  }

  /// In the order of the items.
  private func sources(of items: [DragItem]) -> (paths: [FilePath], missing: [DeliveryFailure]) {
    var paths: [FilePath] = []
    var missing: [DeliveryFailure] = []
    for (item, entry) in zip(items, registry.entries(items.map(\.source))) {
      if let entry {
        paths.append(entry.path)
      } else {
        missing.append(DeliveryFailure(name: item.name, reason: .gone))
      }
    }
    return (paths, missing)
  }

  /// Gives numbers to what landed. Items that were missing from the start make a whole delivery a
  /// partly one.
  func translate(
    _ event: FileDropEvent, target: UInt32?, missing: [DeliveryFailure]
  ) -> DeliveryEvent {
    switch event {
    case .started(let progress): return .started(progress)
    case .progressed(let progress): return .progressed(progress)
    case .finished(var result, let landed, let entry):
      result.entry = entry
      if let target { result.landings = registry.landings(landed, in: target) }
      result.failures += missing
      if !missing.isEmpty, result.outcome == .delivered { result.outcome = .partly }
      return .finished(result)
    }
  }
}

/// The deliveries of this run, by their numbers in the history.
///
/// For telling the history's older entries from those of now.
final class OwnEntries: Sendable {
  private let numbers = Mutex<Set<Int64>>([])

  var all: Set<Int64> { numbers.withLock { $0 } }

  func insert(_ number: Int64) { numbers.withLock { _ = $0.insert(number) } }
}

extension DeliveryResult {
  /// A delivery of which nothing arrived, for one reason.
  static func failed(
    _ items: [DragItem], _ reason: Reason, outcome: DeliveryOutcome
  ) -> DeliveryResult {
    DeliveryResult(
      outcome: outcome, route: .files, delivered: 0,
      failures: items.map { DeliveryFailure(name: $0.name, reason: reason) })
  }
}
