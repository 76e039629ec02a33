import KeyDragCore
import Synchronization

/// Several worlds as one: folders, other programs, a desktop.
///
/// Requests go to the world that answers for the ``IDOwner`` they concern. When the items belong to
/// another world than the stops, the stops' world gets the request with a loader for the items. The
/// places of the first world are offered to other programs.
package final class CompositeWorld: PlaceProvider {
  /// The first one is this program's.
  private let worlds: [any World]
  /// Of each stage the newest is the last: it is undone, or redone, first.
  private let changes = Mutex<[Change]>([])
  /// Receives what other programs drop here.
  private let observer = Mutex<(@Sendable (WorldReport) -> Void)?>(nil)
  private let offered = Mutex(OfferedPlaces())

  /// A change that a world makes, or has made. It alone knows how to undo it.
  private struct Change: Sendable {
    enum Stage { case running, done, undone }

    var stage: Stage
    var world: Int
    /// `nil` for a change that was no drop, and once undone.
    var delivery: DeliveryID?
  }

  /// Nobody undoes more than this step by step.
  private static let mostChanges = 1000

  package init(_ worlds: [any World]) { self.worlds = worlds }

  /// Each owner belongs to one world only.
  package var owners: [IDOwner] { worlds.flatMap(\.owners) }

  /// Forwards the reports of all worlds, on their threads.
  package func observe(_ observer: @escaping @Sendable (WorldReport) -> Void) {
    self.observer.withLock { $0 = observer }
    for (index, world) in worlds.enumerated() {
      world.observe { [weak self] report in
        self?.noteLate(report, index)
        if index == 0, case .changed(let changes) = report { self?.offer(changes) }
        observer(report)
      }
    }
  }

  package func close() { for world in worlds { world.close() } }

  // MARK: Whose it is

  private func world(of owner: IDOwner) -> Int? {
    worlds.firstIndex { $0.owners.contains(owner) }
  }

  private func areOwn(_ items: [DragItem], _ world: Int) -> Bool {
    items.allSatisfy { worlds[world].owners.contains($0.source.owner) }
  }

  /// All worlds, `newest` first.
  private func order(from newest: Int?) -> [Int] {
    [newest].compactMap(\.self) + worlds.indices.filter { $0 != newest }
  }

  // MARK: Listings

  package func list(
    _ subject: ListingSubject, includingHidden: Bool,
    told: @escaping @Sendable (ListingEvent) -> Void
  ) async throws(ListingError) {
    guard let index = world(of: subject.owner) else { throw ListingError(.gone) }
    try await worlds[index].list(subject, includingHidden: includingHidden) { [weak self] event in
      // Listings of the first world are offered to other programs.
      if index == 0, case .listed(let listing) = event {
        self?.offer([.containerAppeared(listing)])
      }
      told(event)
    }
  }

  package func hide(_ container: ContainerID) {
    guard let world = world(of: container.owner) else { return }
    if world == 0 { offer([.containerVanished(container)]) }
    worlds[world].hide(container)
  }

  package func windows() async -> [ContainerDescriptor] {
    await gather(Array(worlds)) { await $0.windows() }.flatMap(\.self)
  }

  package func focus() async throws(ListingError) -> FocusReport { try await worlds[0].focus() }

  package func restoreKeyboard(_ wish: KeyboardReturn) async -> KeyboardLocation {
    guard let world = world(of: wish.window.owner) else { return KeyboardLocation() }
    return await worlds[world].restoreKeyboard(wish)
  }

  package func folders(of owner: IDOwner) -> (any Folders)? {
    world(of: owner).flatMap { worlds[$0].folders(of: owner) }
  }

  package func show(_ delivery: DeliveryID) async throws(ListingError) -> RevealedLanding {
    // A program may ask while the delivery is still running.
    guard let known = world(of: delivery) else { throw ListingError(.gone) }
    return try await worlds[known].show(delivery)
  }

  /// Queries all parts concurrently; the answers are in the order of the parts.
  private func gather<Part: Sendable, Answer: Sendable>(
    _ parts: [Part], _ ask: @escaping @Sendable (Part) async -> Answer
  ) async -> [Answer] {
    await withTaskGroup { group in
      for (index, part) in parts.enumerated() {
        group.addImmediateTask { (index, await ask(part)) }
      }
      var answers: [Answer?] = parts.map { _ in nil }
      for await (index, answer) in group { answers[index] = answer }
      return answers.compactMap(\.self)
    }
  }

  // MARK: Pick-up

  /// Prepares items of several worlds together, in the requested order.
  package func prepare(_ sources: [DragSourceID]) async -> PreparedItems {
    let parts = Dictionary(grouping: sources) { world(of: $0.owner) }
    if parts.count == 1, let world = parts.keys.first ?? nil {
      return await worlds[world].prepare(sources)
    }
    let missing = parts[nil, default: []].map { _ in DeliveryFailure(name: "", reason: .gone) }
    let order = Dictionary(
      sources.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let owned = parts.compactMap { part in part.key.map { (worlds[$0], part.value) } }
    // Tasks are for items of one world; mixed items have none in common.
    var whole = PreparedItems(items: [], refused: missing)
    for part in await gather(owned, { await $0.0.prepare($0.1) }) {
      whole.items += part.items
      whole.refused += part.refused
    }
    whole.items.sort { (order[$0.source] ?? 0) < (order[$1.source] ?? 0) }
    return whole
  }

  // MARK: Verdicts

  /// Queries each world about its own stops; the answers are in the order of the stops.
  ///
  /// - Parameter loading: set for another program, which queries the first world alone.
  package func answers(to inquiry: ProposalRequest, from loading: (any ItemLoading)?) async
    -> [Answer]
  {
    if let loading { return await worlds[0].answers(to: inquiry, from: loading) }
    return await answers(to: inquiry) { _ in }
  }

  package func answers(
    to inquiry: ProposalRequest, told: @escaping @Sendable ([Answer]) -> Void
  ) async -> [Answer] {
    let parts = Array(Dictionary(grouping: inquiry.stops) { world(of: $0.point.owner) })
    let answers = await gather(parts) { part in
      await self.answers(to: inquiry, at: part.value, of: part.key, told: told)
    }
    var byStop: [DropStop: Answer] = [:]
    // The first answer for a stop counts.
    for answer in answers.joined() { byStop[answer.stop] = byStop[answer.stop] ?? answer }
    return inquiry.stops.compactMap { byStop[$0] }
  }

  /// Queries one world, which loads items of others on demand.
  private func answers(
    to inquiry: ProposalRequest, at stops: [DropStop], of world: Int?,
    told: @escaping @Sendable ([Answer]) -> Void
  ) async -> [Answer] {
    guard let world else { return stops.map { Answer($0, .refused(.gone)) } }
    var part = inquiry
    part.stops = stops
    guard areOwn(inquiry.items, world) else {
      return await worlds[world].answers(to: part, from: CompositeItemLoader(worlds))
    }
    return await worlds[world].answers(to: part, told: told)
  }

  // MARK: Deliveries

  /// Sends a delivery to the world of its stop and records it for undo if anything may have been
  /// done.
  ///
  /// - Parameter loading: set for another program, whose drops go to the first world and are not
  ///   this session's to undo.
  package func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: (any ItemLoading)?,
    told: @escaping DeliveryReceiver
  ) {
    if let loading { return take(id, order, from: loading, told) }
    guard let world = world(of: order.stop.point.owner) else {
      let names = order.items.map(\.name)
      return told(.finished(.failed(names, .gone, .refused, by: .process)))
    }
    // Before it starts, since it may end at once.
    changes.withLock { $0.append(Change(stage: .running, world: world, delivery: id)) }
    let isOwn = areOwn(order.items, world)
    worlds[world].deliver(id, order, from: isOwn ? nil : CompositeItemLoader(worlds)) {
      [weak self] event in
      if case .finished(let result) = event {
        self?.changes.withLock { $0.removeAll { $0.stage == .running && $0.delivery == id } }
        if [.delivered, .partly, .unconfirmed].contains(result.outcome) {
          self?.note(.done, world, id)
        }
      }
      told(event)
    }
  }

  /// Accepts a drop of another program and reports it to the person.
  private func take(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: any ItemLoading,
    _ told: @escaping DeliveryReceiver
  ) {
    let observer = observer.withLock { $0 }
    let place = offered.withLock { $0.place(order.stop.point) }
    observer?(.visit(id, Visit(program: loading.visitor ?? "", order: order, place: place)))
    worlds[0].deliver(id, order, from: loading) { event in
      observer?(.delivery(id, event))
      told(event)
    }
  }

  package func cancel(_ delivery: DeliveryID) {
    // Drops of other programs are in the first world.
    worlds[world(of: delivery) ?? 0].cancel(delivery)
  }

  package func cancelHistory() { for world in worlds { world.cancelHistory() } }

  // MARK: Other changes

  package func move(_ source: DragSourceID, to index: Int) async -> Result<Int, Reason> {
    await change(source.owner) { await $0.move(source, to: index) }
  }

  package func make(
    _ name: String, in container: ContainerID, as delivery: DeliveryID
  ) async -> Result<Landing, Reason> {
    await change(container.owner) { await $0.make(name, in: container, as: delivery) }
  }

  package func rename(
    _ source: DragSourceID, to name: String, as delivery: DeliveryID
  ) async -> Result<Landing, Reason> {
    await change(source.owner) { await $0.rename(source, to: name, as: delivery) }
  }

  /// Changes something in a world; the change is the first to be undone.
  private func change<Value>(
    _ owner: IDOwner, _ body: (any World) async -> Result<Value, Reason>
  ) async -> Result<Value, Reason> {
    guard let world = world(of: owner) else { return .failure(.gone) }
    let result = await body(worlds[world])
    if case .success = result { note(.done, world) }
    return result
  }

  // MARK: Other programs

  /// The known places of the first world.
  package func offeredPlaces(containers: Int, points: Int) -> [Listing] {
    offered.withLock { $0.listings(containers: containers, points: points) }
  }

  package func onOfferChange(_ handler: @escaping @Sendable () -> Void) {
    offered.withLock { $0.onChange = handler }
  }

  /// Records changes of places and calls the handler outside the lock.
  private func offer(_ changes: [RegistryChange]) {
    let told = offered.withLock { offered in
      changes.reduce(false) { offered.note($1) || $0 } ? offered.onChange : nil
    }
    told?()
  }

  // MARK: History

  private func note(_ stage: Change.Stage, _ world: Int, _ delivery: DeliveryID? = nil) {
    changes.withLock { changes in
      // The end of a drop may be reported again after others have ended.
      if delivery != nil, changes.contains(where: { $0.delivery == delivery }) { return }
      changes.append(Change(stage: stage, world: world, delivery: delivery))
      guard changes.count > Self.mostChanges else { return }
      if let oldest = changes.firstIndex(where: { $0.stage != .running }) {
        changes.remove(at: oldest)
      }
    }
  }

  private func world(of delivery: DeliveryID) -> Int? {
    changes.withLock { $0.last { $0.delivery == delivery }?.world }
  }

  private func newest(_ stage: Change.Stage) -> Int? {
    changes.withLock { $0.last { $0.stage == stage }?.world }
  }

  private func forget(_ stage: Change.Stage, _ world: Int) {
    changes.withLock { changes in
      if let index = changes.lastIndex(where: { $0.stage == stage && $0.world == world }) {
        changes.remove(at: index)
      }
    }
  }

  /// Records an undo or redo that succeeded late.
  private func noteLate(_ report: WorldReport, _ world: Int) {
    switch report {
    case .undoneLate(let result) where result.hasChanged: forget(.done, world)
    case .redoneLate(let result) where result.hasChanged: note(.done, world)
    default: break
    }
  }

  /// Undoes the newest delivery; if its world can't, nothing older is undone instead.
  package func undo(entry: Int64?) async -> HistoryResult {
    var asked: Set<Int> = []
    while entry == nil, let newest = newest(.done) {
      guard worlds[newest].keepsHistory else { return .refused(nil, .operationNotOffered) }
      let result = await undo(entry, in: newest)
      if result != .nothing { return result }
      // Undone elsewhere: the delivery before it is the newest now.
      forget(.done, newest)
      asked.insert(newest)
    }
    for world in order(from: newest(.done)) where !asked.contains(world) {
      let result = await undo(entry, in: world)
      if result != .nothing { return result }
    }
    return .nothing
  }

  private func undo(_ entry: Int64?, in world: Int) async -> HistoryResult {
    let result = await worlds[world].undo(entry: entry)
    if result.hasChanged {
      if entry == nil { forget(.done, world) }
      note(.undone, world)
    }
    return result
  }

  /// Tries the worlds in turn until one has something to redo.
  package func redo(entry: Int64?) async -> HistoryResult {
    let undone = entry == nil ? newest(.undone) : nil
    for world in order(from: undone ?? newest(.done)) {
      let result = await worlds[world].redo(entry: entry)
      if result.hasChanged {
        note(.done, world)
        forget(.undone, world)
      }
      if result != .nothing { return result }
    }
    return .nothing
  }

  /// The history of all worlds, the newest one's first; a failure only when there are no lines.
  package func history(limit: Int) async -> Result<[HistoryLine], Reason> {
    let order = order(from: newest(.done))
    var (lines, failure): ([HistoryLine], Reason?) = ([], nil)
    for told in await gather(order.map { worlds[$0] }, { await $0.history(limit: limit) }) {
      switch told {
      case .success(let some): lines += some
      case .failure(let reason): failure = failure ?? reason
      }
    }
    if lines.isEmpty, let failure { return .failure(failure) }
    return .success(Array(lines.prefix(limit)))
  }
}

extension ListingSubject {
  /// The owner to query; the files for a path without a base.
  fileprivate var owner: IDOwner {
    switch self {
    case .container(let container), .around(let container), .edited(let container, isOn: _):
      container.owner
    case .inside(let source): source.owner
    case .opened(let point): point.owner
    case .path(_, from: let base, isOpened: _): base?.owner ?? .files
    }
  }
}

/// Loads items of joined worlds, each from its own, and keeps the worlds alive meanwhile.
private final class CompositeItemLoader: ItemLoading {
  private let worlds: [any World]

  init(_ worlds: [any World]) { self.worlds = worlds }

  /// Throws ``Reason/gone`` for an item that no world can load.
  func open(
    _ source: DragSourceID, as contentType: String, progress: LoadProgress
  ) async throws -> ItemStream {
    guard let loading = loading(source) else { throw Reason.gone }
    return try await loading.open(source, as: contentType, progress: progress)
  }

  func filePath(of source: DragSourceID) -> [UInt8]? { loading(source)?.filePath(of: source) }

  func openFile(_ source: DragSourceID) async throws -> Int32 {
    guard let loading = loading(source) else { throw Reason.gone }
    return try await loading.openFile(source)
  }

  func typesForEveryone(of item: DragItem) -> [String] {
    loading(item.source)?.typesForEveryone(of: item) ?? item.types
  }

  func suggestedName(of item: DragItem) -> String {
    loading(item.source)?.suggestedName(of: item) ?? item.name
  }

  /// `nil` when the owner is unknown or its world loads nothing.
  private func loading(_ source: DragSourceID) -> (any ItemLoading)? {
    worlds.first { $0.owners.contains(source.owner) } as? any ItemLoading
  }
}
