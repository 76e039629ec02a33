import KeyDragCore
import Synchronization

/// Several worlds as one: folders, other programs, a desktop.
///
/// A request goes to the world that answers for the ``IDOwner`` of what it is about. A question or
/// a drop whose items belong to another world than its stops goes to the stops' world, together
/// with something that loads the items from theirs; a world that is no ``ItemTaking`` refuses them.
/// The places of the first world are shown to other programs.
package final class JoinedWorld: PlaceOffering {
  package typealias Reply = @Sendable (WorldReport) -> Void

  /// The first one is that of this program.
  private let worlds: [any World]
  /// The index of the world that each running delivery was sent to.
  private let deliveries = Mutex<[DeliveryID: Int]>([:])
  /// The worlds in which something was delivered and not undone, the newest last: that is undone
  /// first.
  private let delivered = Mutex<[Delivered]>([])
  /// The worlds in which something was undone and not redone; the newest, last, is redone first.
  private let takenBack = Mutex<[Int]>([])
  /// Kept for other programs.
  private let offered = Mutex(OfferedPlaces())

  /// One delivery, in the order in which they ended.
  private struct Delivered: Sendable {
    /// `nil` for what was redone.
    var id: DeliveryID?
    /// The index of the world.
    var world: Int
  }

  /// More than this nobody takes back one by one.
  private static let mostDelivered = 1000

  /// Asks no world anything.
  package init(_ worlds: [any World]) { self.worlds = worlds }

  /// Those of all worlds; each is one world's alone.
  package var owners: [IDOwner] { worlds.flatMap(\.owners) }

  /// Tells of what all worlds tell, from their threads.
  package func observe(_ observer: @escaping Reply) {
    for (index, world) in worlds.enumerated() {
      world.observe { [weak self] report in
        self?.noteLate(report, index)
        if index == 0, case .changed(let changes) = report { self?.offer(changes) }
        observer(report)
      }
    }
  }

  /// Closes one world after the other.
  package func close() { for world in worlds { world.close() } }

  /// Replies come once, from any thread. A request about something that no world owns is answered
  /// with ``Reason/gone``.
  package func handle(_ request: WorldRequest, id: RequestID, reply: @escaping Reply) {
    switch request {
    case .list(let container, _), .leave(let container, _), .edit(let container, _):
      forward(request, to: world(of: container.owner), id, reply)
    case .enter(let source, _), .folders(.describe(let source)):
      forward(request, to: world(of: source.owner), id, reply)
    case .openDropPoint(let point, _): forward(request, to: world(of: point.owner), id, reply)
    case .folders(.goTo(_, from: let base, isOpened: _, includingHidden: _)),
      .folders(.complete(_, from: let base)), .folders(.take(_, from: let base)),
      .folders(.takeClipboard(from: let base)):
      forward(request, to: base.map { world(of: $0.owner) } ?? 0, id, reply)
    case .folders(.measure(let sources)):
      // All rows in sight are of one folder.
      forward(request, to: sources.first.flatMap { world(of: $0.owner) }, id, reply)
    case .folders(.make(_, in: let container, as: _)):
      change(request, container.owner, id, orElse: .renamed(id, .failure(.gone)), reply)
    case .folders(.rename(let source, to: _, as: _)):
      change(request, source.owner, id, orElse: .renamed(id, .failure(.gone)), reply)
    case .reorder(let source, _):
      change(request, source.owner, id, orElse: .moved(id, source, .failure(.gone)), reply)
    case .close(let container):
      guard let world = world(of: container.owner) else { return }
      if world == 0 { offer([.containerVanished(container)]) }
      worlds[world].handle(request, id: id) { _ in }
    case .prepare(let sources): prepare(sources, id, reply)
    case .ask(let inquiry): ask(inquiry, id, reply)
    case .deliver(let delivery, let order): deliver(delivery, order, id, reply)
    case .cancelDelivery(let delivery):
      // A drop of another program is in the first world.
      let world = deliveries.withLock { $0[delivery] } ?? 0
      worlds[world].handle(request, id: id) { _ in }
    case .undo(entry: nil): undo(id, after: [], reply)
    case .redo(entry: nil):
      let newest = takenBack.withLock { $0.last } ?? delivered.withLock { $0.last?.world }
      history(request, id, order(from: newest), reply)
    case .undo, .redo:
      history(request, id, order(from: delivered.withLock { $0.last?.world }), reply)
    case .history(let limit): lines(limit, id, reply)
    case .focus: forward(request, to: 0, id, reply)
    case .windows:
      gather(worlds) {
        $0.handle(request, id: id, reply: $1)
      } then: { reports in
        var all: [ContainerDescriptor] = []
        for case .windows(_, let windows) in reports { all += windows }
        reply(.windows(id, all))
      }
    case .show(let delivery):
      // A program may ask while the delivery still runs.
      let running = deliveries.withLock { $0[delivery] }
      let known = running ?? delivered.withLock { $0.last { $0.id == delivery } }?.world
      forward(request, to: known, id, reply)
    }
  }

  // MARK: Whose it is

  /// The index of the world that answers for an owner; `nil` where none does.
  private func world(of owner: IDOwner) -> Int? {
    worlds.firstIndex { $0.owners.contains(owner) }
  }

  /// Passes a request on as it is. Listings of the first world are noted for other programs.
  private func forward(
    _ request: WorldRequest, to world: Int?, _ id: RequestID, _ reply: @escaping Reply
  ) {
    guard let world else { return reply(.unreadable(id, name: "", .gone)) }
    worlds[world].handle(request, id: id) { [weak self] report in
      if world == 0, case .listed(_, let listing) = report {
        self?.offer([.containerAppeared(listing)])
      }
      reply(report)
    }
  }

  /// Passes on what changes something in a world: that is the first to be undone then.
  private func change(
    _ request: WorldRequest, _ owner: IDOwner, _ id: RequestID, orElse gone: WorldReport,
    _ reply: @escaping Reply
  ) {
    guard let world = world(of: owner) else { return reply(gone) }
    worlds[world].handle(request, id: id) { [weak self] report in
      switch report {
      case .moved(_, _, .success), .renamed(_, .success): self?.note(Delivered(world: world))
      default: break
      }
      reply(report)
    }
  }

  /// Asks each of the parts, and goes on with the answers, in their order, when the last has come.
  private func gather<Part>(
    _ parts: [Part], _ ask: (Part, @escaping Reply) -> Void,
    then done: @escaping @Sendable ([WorldReport]) -> Void
  ) {
    let answers = Answers(parts.count)
    for (index, part) in parts.enumerated() {
      ask(part) { report in
        if let all = answers.add(report, index) { done(all) }
      }
    }
    if parts.isEmpty { done([]) }
  }

  // MARK: Pick-up

  /// Prepares items of several worlds together, in the order in which they were asked for.
  private func prepare(_ sources: [DragSourceID], _ id: RequestID, _ reply: @escaping Reply) {
    let parts = Dictionary(grouping: sources) { world(of: $0.owner) }
    if parts.count == 1, let world = parts.keys.first ?? nil {
      return forward(.prepare(sources), to: world, id, reply)
    }
    let missing = parts[nil, default: []].map { _ in DeliveryFailure(name: "", reason: .gone) }
    let order = Dictionary(
      sources.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let owned = parts.compactMap { part in part.key.map { (worlds[$0], part.value) } }
    gather(owned) {
      $0.0.handle(.prepare($0.1), id: id, reply: $1)
    } then: { reports in
      // Tasks are for things of one world; those of several have none in common.
      var whole = Preparation(items: [], refused: missing)
      for case .prepared(_, let part) in reports {
        whole.items += part.items
        whole.refused += part.refused
      }
      whole.items.sort { (order[$0.source] ?? 0) < (order[$1.source] ?? 0) }
      reply(.prepared(id, whole))
    }
  }

  // MARK: Verdicts

  /// Asks each world about its own stops, and gives the answers in the order of the stops.
  private func ask(_ inquiry: Inquiry, _ id: RequestID, _ reply: @escaping Reply) {
    let parts = Array(Dictionary(grouping: inquiry.stops) { world(of: $0.point.owner) })
    gather(parts) {
      ask(inquiry, $0.value, of: $0.key, id, $1)
    } then: { reports in
      var byStop: [DropStop: Answer] = [:]
      // The first answer to a stop counts.
      for case .answered(_, let answers) in reports {
        for answer in answers { byStop[answer.stop] = byStop[answer.stop] ?? answer }
      }
      reply(.answered(id, inquiry.stops.compactMap { byStop[$0] }))
    }
  }

  /// Asks one world; items of others are loaded for it as it wants them.
  private func ask(
    _ inquiry: Inquiry, _ stops: [DropStop], of world: Int?, _ id: RequestID,
    _ reply: @escaping Reply
  ) {
    var part = inquiry
    part.stops = stops
    func refuse(_ reason: Reason) {
      reply(.answered(id, stops.map { Answer($0, .refused(reason)) }))
    }
    guard let world else { return refuse(.gone) }
    if areOwn(inquiry.items, world) {
      worlds[world].handle(.ask(part), id: id, reply: reply)
    } else if let taking = worlds[world] as? any ItemTaking {
      taking.ask(part, from: JoinedItems(worlds), id: id, reply: reply)
    } else {
      refuse(.wrongType)
    }
  }

  /// Whether a world answers for all of these items.
  private func areOwn(_ items: [DragItem], _ world: Int) -> Bool {
    items.allSatisfy { worlds[world].owners.contains($0.source.owner) }
  }

  // MARK: Deliveries

  /// Sends a delivery to the world of its stop. It is noted for undo where anything may have been
  /// done.
  private func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder, _ request: RequestID, _ reply: @escaping Reply
  ) {
    // Nothing was begun.
    func refuse(_ reason: Reason) {
      let failures = order.items.map { DeliveryFailure(name: $0.name, reason: reason) }
      let result = DeliveryResult(
        outcome: .refused, route: .process, delivered: 0, failures: failures)
      reply(.delivery(id, .finished(result)))
    }
    guard let world = world(of: order.stop.point.owner) else { return refuse(.gone) }
    let told: Reply = { [weak self] report in
      if case .delivery(_, .finished(let result)) = report {
        self?.deliveries.withLock { $0[id] = nil }
        if [.delivered, .partly, .unconfirmed].contains(result.outcome) {
          self?.note(Delivered(id: id, world: world))
        }
      }
      reply(report)
    }
    let isOwn = areOwn(order.items, world)
    let taking = worlds[world] as? any ItemTaking
    guard isOwn || taking != nil else { return refuse(.wrongType) }
    // Before it begins: its end may come at once.
    deliveries.withLock { $0[id] = world }
    if isOwn {
      worlds[world].handle(.deliver(id, order), id: request, reply: told)
    } else {
      taking?.take(id, order, from: JoinedItems(worlds), reply: told)
    }
  }

  // MARK: Other programs

  /// For other programs, from the first world alone.
  package func ask(
    _ inquiry: Inquiry, from loading: any ItemLoading, id: RequestID, reply: @escaping Reply
  ) {
    (worlds.first as? any ItemTaking)?.ask(inquiry, from: loading, id: id, reply: reply)
  }

  /// Takes a drop of another program.
  package func take(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: any ItemLoading,
    reply: @escaping Reply
  ) {
    (worlds.first as? any ItemTaking)?.take(id, order, from: loading, reply: reply)
  }

  /// The places of the first world, as far as they are known.
  package func offeredPlaces(containers: Int, points: Int) -> [Listing] {
    offered.withLock { $0.listings(containers: containers, points: points) }
  }

  /// Has something called when those places may have changed.
  package func onOfferChange(_ handler: @escaping @Sendable () -> Void) {
    offered.withLock { $0.onChange = handler }
  }

  /// Notes changes of places and tells of them, outside of the lock.
  private func offer(_ changes: [RegistryChange]) {
    let told = offered.withLock { offered in
      changes.reduce(false) { offered.note($1) || $0 } ? offered.onChange : nil
    }
    told?()
  }

  // MARK: History

  /// Notes a delivery as the newest.
  private func note(_ new: Delivered) {
    delivered.withLock { delivered in
      // The end of a drop may be told once more, when others have come since.
      if new.id != nil, delivered.contains(where: { $0.id == new.id }) { return }
      delivered.append(new)
      if delivered.count > Self.mostDelivered { delivered.removeFirst() }
    }
  }

  /// Takes what became after all of what could not be undone or redone before.
  private func noteLate(_ report: WorldReport, _ world: Int) {
    switch report {
    case .undoneLate(.done), .undoneLate(.partly): forget(world)
    case .redoneLate(.done), .redoneLate(.partly): note(Delivered(world: world))
    default: break
    }
  }

  /// Forgets what was delivered last to a world.
  private func forget(_ world: Int) {
    delivered.withLock { delivered in
      if let index = delivered.lastIndex(where: { $0.world == world }) {
        delivered.remove(at: index)
      }
    }
  }

  /// Undoes what was delivered last; where nobody can, nothing older is undone in its place.
  private func undo(_ id: RequestID, after asked: Set<Int>, _ reply: @escaping Reply) {
    guard let newest = delivered.withLock({ $0.last?.world }) else {
      let others = worlds.indices.filter { !asked.contains($0) }
      return history(.undo(entry: nil), id, others, reply)
    }
    guard worlds[newest].keepsHistory else {
      return reply(.undone(id, .unavailable(.operationNotOffered)))
    }
    worlds[newest].handle(.undo(entry: nil), id: id) { [self] report in
      switch report {
      // It was undone elsewhere: what was delivered before it is the newest.
      case .undone(_, .nothing):
        forget(newest)
        return undo(id, after: asked.union([newest]), reply)
      case .undone(_, .done), .undone(_, .partly):
        forget(newest)
        takenBack.withLock { $0.append(newest) }
      default: break
      }
      reply(report)
    }
  }

  /// Moves the newest of a world back to those that can be undone.
  private func noteRedone(_ world: Int) {
    note(Delivered(world: world))
    takenBack.withLock { worlds in
      if let index = worlds.lastIndex(of: world) { worlds.remove(at: index) }
    }
  }

  /// All worlds, beginning with the one where the newest is.
  private func order(from newest: Int?) -> [Int] {
    [newest].compactMap(\.self) + worlds.indices.filter { $0 != newest }
  }

  /// The history of all worlds, beginning with that of the newest; the reason where none can tell.
  private func lines(_ limit: Int, _ id: RequestID, _ reply: @escaping Reply) {
    let order = order(from: delivered.withLock { $0.last?.world })
    gather(order.map { worlds[$0] }) {
      $0.handle(.history(limit: limit), id: id, reply: $1)
    } then: { reports in
      var (lines, failure): ([HistoryLine], Reason?) = ([], nil)
      for case .history(_, let told) in reports {
        switch told {
        case .success(let some): lines += some
        case .failure(let reason): failure = failure ?? reason
        }
      }
      if lines.isEmpty, let failure { return reply(.history(id, .failure(failure))) }
      reply(.history(id, .success(Array(lines.prefix(limit)))))
    }
  }

  /// Asks one world after the other, until one has something to undo or redo.
  private func history(
    _ request: WorldRequest, _ id: RequestID, _ order: [Int], _ reply: @escaping Reply
  ) {
    // Every world has been asked.
    guard let first = order.first else {
      switch request {
      case .redo: reply(.redone(id, .nothing))
      default: reply(.undone(id, .nothing))
      }
      return
    }
    worlds[first].handle(request, id: id) { [self] report in
      switch report {
      case .undone(_, .nothing), .redone(_, .nothing):
        history(request, id, Array(order.dropFirst()), reply)
      case .undone(_, .done), .undone(_, .partly):
        takenBack.withLock { $0.append(first) }
        fallthrough
      case .redone(_, .done), .redone(_, .partly):
        if case .redone = report { noteRedone(first) }
        fallthrough
      default: reply(report)
      }
    }
  }
}

/// Items of joined worlds, each loaded from the one that answers for it.
///
/// Keeps the worlds for as long as anybody loads.
private final class JoinedItems: ItemLoading {
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

  func typesForEveryone(of item: DragItem) -> [String] {
    loading(item.source)?.typesForEveryone(of: item) ?? item.types
  }

  func suggestedName(of item: DragItem) -> String {
    loading(item.source)?.suggestedName(of: item) ?? item.name
  }

  /// `nil` where the owner is unknown or gives nothing.
  private func loading(_ source: DragSourceID) -> (any ItemLoading)? {
    worlds.first { $0.owners.contains(source.owner) } as? any ItemLoading
  }
}

/// Answers as they come in, from any thread.
///
/// Each part has to answer once.
private final class Answers: Sendable {
  /// `nil` for those that are still to come.
  private let reports: Mutex<[WorldReport?]>

  init(_ count: Int) { reports = Mutex(Array(repeating: nil, count: count)) }

  /// - Returns: all of them, in order, with the last.
  func add(_ report: WorldReport, _ index: Int) -> [WorldReport]? {
    reports.withLock { reports in
      reports[index] = report
      let all = reports.compactMap(\.self)
      return all.count == reports.count ? all : nil
    }
  }
}
