import Dispatch
import KeyDragCore
import KeyDragThreads
import Synchronization
import SystemPackage

/// The file system as a ``KeyDragCore/World``. Owned by the code that runs the session; ``close()``
/// ends it. Thread-safe; callbacks arrive on arbitrary queues and threads.
package final class FilesWorld: World {
  /// Ids of everything listed. No disk access.
  let registry: PlaceRegistry
  private let lister: FolderLister
  let inquiry: PlaceInquiry
  let pickUp: PickUp
  private let tasks: TaskRunner
  let clipboard: ClipboardPayload?
  /// A protocol, for tests.
  let delivering: any FileDelivering
  let types: any ContentTypes
  /// Two-phase foreign drops in progress, and whether each is cancelled: between the phases no
  /// courier knows the delivery.
  let visits = Mutex<[DeliveryID: Bool]>([:])
  /// Work that ``close()`` waits for.
  let group = DispatchGroup()
  private let pool = CallPool<FilePath?>()
  /// History numbers of this run's deliveries, which tell them from older entries.
  private let own = Mutex<Set<Int64>>([])

  /// A world with these roots, deduplicated and in order; resolves their links but reads no
  /// contents.
  ///
  /// `canTrash` returns why a path can't be trashed, and may block. `isWalked`: whether drops may
  /// create folders. `shortcuts`: whether recent targets and bookmarks are drop points.
  /// `clipboard`: `nil` if there is none. `isForFolders`: whether only folders accept drops.
  package init(
    roots: [FilePath], types: any ContentTypes, programs: any ProgramStarting,
    delivering: any FileDelivering, phrases: Phrasebook = Phrasebook(), isWalked: Bool = false,
    shortcuts: Bool = false, clipboard: ClipboardPayload? = nil, isForFolders: Bool = false,
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
        : ExtraDropPoints(
          registry: registry, phrases: phrases,
          recent: recent))
    tasks = TaskRunner(registry: registry, places: places, clipboard: clipboard)
  }

  package var owners: [IDOwner] { [.files] }

  /// The given folders, in order; not listed yet.
  package var roots: [ContainerDescriptor] { registry.roots }

  /// The path of a drag source, for callers without a session.
  package func path(of source: DragSourceID) -> FilePath? { registry.entry(source)?.path }

  /// The entry of each item; `nil` for an item of another world.
  func entries(of items: [DragItem]) -> [PlaceRegistry.Entry?] {
    registry.entries(items.map(\.source))
  }

  func held(_ items: [DragItem]) -> [FilePath: PlaceRegistry.PickedUp] {
    registry.held(entries(of: items))
  }

  /// The drag source for a path, listed or not; ``prepare(_:)`` reports errors. May block for a
  /// path with "..".
  package func source(at path: FilePath) -> DragSourceID? { sources(at: [path]).first }

  /// Drag sources in order, without paths that can't be registered.
  package func sources(at paths: [FilePath]) -> [DragSourceID] {
    let working = RootPaths.workingFolder()
    return registry.sources(at: paths.map { RootPaths.absolute($0, in: working) })
  }

  /// The drop point for a folder path, listed or not; errors are reported when it is queried. May
  /// block for a path with "..".
  package func dropPoint(at path: FilePath) -> DropPointID? {
    registry.folder(at: RootPaths.absolute(path)).map { PointID.folder($0).point }
  }

  /// A root as its own only drop point, for a drop without a walk. The folder is not read.
  package func place(of root: ContainerDescriptor) -> (stop: DropStop, listing: Listing) {
    let point = DropPointDescriptor(
      id: PointID.folder(root.id.rawValue).point, name: root.name, container: root.id,
      leadsTo: root.id)
    return (
      DropStop(point.id), Listing(container: root, sources: nil, dropPoints: [point])
    )
  }

  /// Sets the receiver of changes, recoveries and problems. Call once, before the first request.
  package func observe(_ observer: @escaping @Sendable (WorldReport) -> Void) {
    lister.observe(observer)
    inquiry.observe { observer(.predictionsImproved) }
    delivering.observe(observer)
  }

  package func list(
    _ subject: ListingSubject, includingHidden hidden: Bool,
    told: @escaping @Sendable (ListingEvent) -> Void
  ) async throws(ListingError) {
    switch subject {
    case .container(let container): try await show(container.rawValue, .browsed, hidden, told)
    case .inside(let source):
      try await show(registry.folder(of: EntryID(source)), .browsed, hidden, told)
    case .around(let container):
      let number: UInt32 = container.rawValue
      // The file system root has no parent.
      guard let parent = registry.parent(of: number) else {
        throw ListingError(.nothingThere, name: registry.name(of: number))
      }
      try await show(parent, .browsed, hidden, told)
    case .opened(let point):
      switch PointID(point) {
      case .folder(let number): try await show(number, .opened, hidden, told)
      case .entry(let entry): try await show(registry.folder(of: entry), .opened, hidden, told)
      case .trash, .print, .clipboard, .program, .newFolder: throw ListingError(.notAFolder)
      }
    case .path(let path, let base, let isOpened):
      let number = try await folder(at: path, from: base)
      try await show(number, isOpened ? .opened : .browsed, hidden, told)
    // Files have no user-defined order.
    case .edited: throw ListingError(.notOrdered)
    }
  }

  package func hide(_ container: ContainerID) { lister.hide(container.rawValue) }

  package func prepare(_ sources: [DragSourceID]) async -> PreparedItems {
    inquiry.survey.forget()
    return await look(at: place(of: sources), else: .refused(.notResponding)) { [pickUp] in
      await pickUp.prepare(sources)
    }
  }

  package func answers(to question: ProposalRequest, from loading: (any ItemLoading)?) async
    -> [Answer]
  {
    guard let loading else { return await inquiry.answers(to: question) }
    return await answers(to: question, ofVisitor: loading)
  }

  package func answers(
    to question: ProposalRequest, told: @escaping @Sendable ([Answer]) -> Void
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

  package func cancelHistory() { delivering.cancelHistory() }

  package func history(limit: Int) async -> Result<[HistoryLine], Reason> {
    do throws(Reason) {
      let entries = try await delivering.history(limit: limit)
      let own = own.withLock { $0 }
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

  /// Closes tasks, deliveries, watches, the clipboard and other work, in this order, waiting at
  /// most one second in total for a hanging disk.
  package func close() {
    let end = DispatchTime.now() + 1
    tasks.close()
    delivering.close(until: end)
    lister.close(until: end)
    clipboard?.close()
    _ = group.wait(timeout: end)
  }

  /// Looks at the disk, where it may hang.
  ///
  /// - Parameters:
  ///   - place: a path; a disk that hangs takes only some of the calls from others.
  ///   - unknown: the answer while too many calls hang on this disk, or at all.
  func look<Value: Sendable>(
    at place: String?, else unknown: Value, _ work: @escaping @Sendable () async -> Value
  ) async -> Value {
    await pool.call(place.flatMap { Mounts.point(above: FilePath($0)) }, work) ?? unknown
  }

  /// The folder of the first of these.
  func place(of sources: [DragSourceID]) -> String? {
    sources.first.flatMap { path(of: $0) }?.folder.string
  }

  /// Lists and watches a folder; throws `gone` for `nil` and unknown ids.
  private func show(
    _ number: UInt32?, _ showing: ViewKinds, _ hidden: Bool,
    _ told: @escaping @Sendable (ListingEvent) -> Void
  ) async throws(ListingError) {
    guard let number, registry.path(of: number) != nil else { throw ListingError(.gone) }
    let reason = await withCheckedContinuation { continuation in
      lister.list(number, as: showing, includingHidden: hidden) { [ends = pickUp.ends] event in
        guard showing == .opened, case .listed(var listing) = event else { return told(event) }
        listing.newFolder = ends?.newFolder(in: listing.container)
        told(.listed(listing))
      } done: {
        continuation.resume(returning: $0)
      }
    }
    if let reason { throw ListingError(reason, name: registry.name(of: number)) }
  }
}

/// Translates orders from ids to paths, and landed paths back to ids.
extension FilesWorld {
  /// Checks ids only; the disk reports everything else. Unknown items become failures next to the
  /// results of the rest.
  ///
  /// - Parameter noted: called before the final event, with the journal entry's number.
  func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder,
    noted: @escaping @Sendable (Int64?) -> Void = { _ in }, told: @escaping DeliveryReceiver
  ) {
    switch PointID(order.stop.point) {
    case .print, .clipboard, .program:
      Disk.begin(in: group) { [tasks] in tasks.run(id, order, told) }
      return
    case .folder, .entry, .trash, .newFolder: break
    }
    let target = folder(at: order.stop.point)
    let isTrash = PointID(order.stop.point) == .trash
    guard isTrash ? order.operation == .remove : DragOperations.transfer.contains(order.operation)
    else { return refuse(order, .operationNotOffered, told) }
    // A new folder needs the name that the user typed.
    let isNew = if case .newFolder = PointID(order.stop.point) { true } else { false }
    guard isTrash || target != nil, !isNew || order.newName != nil else {
      return refuse(order, .gone, told)
    }
    let (paths, missing) = sources(of: order.items)
    guard !paths.isEmpty else { return refuse(order, .gone, told) }
    var files = FileOrder(
      operation: order.operation, sources: paths,
      target: target.flatMap { registry.path(of: $0) } ?? "", clash: order.clash,
      placeName: target.map { registry.name(of: $0) } ?? "",
      permanently: isTrash && deletable(order.items).isSuperset(of: paths))
    files.held = held(order.items)
    var made = target
    if isNew, let name = order.newName {
      // Registered before it exists, so that landings in it get ids.
      made = registry.folder(at: files.target.appending(FileName(name)))
      files.placeName = SpokenName.file(name)
      files.newFolder = FileName(name)
    } else {
      files.newName = order.newName.map { FileName($0) }
    }
    deliver(id, files, landing: made, missing: missing, noted: noted, told: told)
  }

  /// Takes the entry of a result for one of this run.
  func keep(_ result: DeliveryResult) {
    if let entry = result.entry { own.withLock { _ = $0.insert(entry) } }
  }

  /// Runs a drop and assigns ids to what landed in a folder.
  func deliver(
    _ id: DeliveryID, _ order: FileOrder, landing: UInt32?, missing: [DeliveryFailure] = [],
    noted: @escaping @Sendable (Int64?) -> Void, told: @escaping DeliveryReceiver
  ) {
    delivering.deliver(order, id: id) { [self] event, landed in
      if case .finished(let result) = event { noted(result.entry) }
      told(completed(event, landed, in: landing, missing: missing))
    }
  }

  /// The folder id of a drop point; the parent for a new folder, `nil` for trash, print and
  /// programs.
  func folder(at point: DropPointID) -> UInt32? {
    switch PointID(point) {
    case .folder(let number), .newFolder(let number): registry.path(of: number).map { _ in number }
    case .entry(let entry): registry.folder(of: entry)
    case .trash, .print, .clipboard, .program: nil
    }
  }

  /// Paths of the items that the user agreed to delete permanently.
  private func deletable(_ items: [DragItem]) -> Set<FilePath> {
    Set(registry.entries(inquiry.agreedToDelete(items)).compactMap { $0?.path })
  }

  func refuse(_ order: DeliveryOrder, _ reason: Reason, _ told: DeliveryReceiver) {
    told(.finished(.failed(order.items.map(\.name), reason, .refused, by: .files)))
  }

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

  /// Assigns ids to what landed, and keeps the entry. Items missing from the start turn a delivered
  /// result into a partial one.
  func completed(
    _ event: DeliveryEvent, _ landed: [FilePath], in target: UInt32?,
    missing: [DeliveryFailure] = []
  ) -> DeliveryEvent {
    guard case .finished(var result) = event else { return event }
    keep(result)
    if let target { result.landings = registry.landings(landed, in: target) }
    result.failures += missing
    if !missing.isEmpty, result.outcome == .delivered { result.outcome = .partly }
    return .finished(result)
  }
}
