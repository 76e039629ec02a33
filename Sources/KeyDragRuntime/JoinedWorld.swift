import KeyDragCore
import Synchronization

/// Several worlds as one: folders, other programs, a desktop.
///
/// Each world keeps its own numbers; outside they are told apart by ``IDSpace``, in the order given.
/// A request goes to the world that owns what it is about. A question or a drop whose items belong to
/// another world than its stops goes to the stops' world, together with something that loads the
/// items from theirs; a world that is no ``ItemTaking`` refuses them.
package final class JoinedWorld: World {
  package typealias Reply = @Sendable (WorldReport) -> Void

  private let worlds: [any World]
  /// The index of the world that each running delivery was sent to.
  private let deliveries = Mutex<[DeliveryID: Int]>([:])
  /// The worlds in which something was delivered and not undone, the newest last: that is undone
  /// first.
  private let delivered = Mutex<[Delivered]>([])
  /// The worlds in which something was undone and not redone; the newest, last, is redone first.
  private let takenBack = Mutex<[Int]>([])

  private struct Delivered: Sendable {
    /// `nil` for what was redone.
    var id: DeliveryID?
    var world: Int
  }

  /// More than this nobody takes back one by one.
  private static let mostDelivered = 1000

  /// - Parameter worlds: at most 62; the first one's numbers stay as they are.
  package init(_ worlds: [any World]) {
    self.worlds = Array(worlds.prefix(IDSpace.lastWorld + 1))
  }

  /// A container of one of the worlds, by its index, as it is known outside.
  package static func container(
    _ container: ContainerDescriptor, ofWorld world: Int
  ) -> ContainerDescriptor? {
    WorldNumbers(world).joined(container)
  }

  /// The listing of one of the worlds, given by its index, with its numbers as they are known
  /// outside.
  package static func listing(_ listing: Listing, ofWorld world: Int) -> Listing? {
    WorldNumbers(world).joined(listing)
  }

  package func observe(_ observer: @escaping Reply) {
    for (index, world) in worlds.enumerated() {
      world.observe { [weak self] report in
        self?.noteLate(report, index)
        if let joined = WorldNumbers(index).joined(report) { observer(joined) }
      }
    }
  }

  package func close() { for world in worlds { world.close() } }

  package func handle(_ request: WorldRequest, id: RequestID, reply: @escaping Reply) {
    switch request {
    case .list(let container, let hidden):
      show(container.rawValue, id, reply) { .list(ContainerID($0), includingHidden: hidden) }
    case .leave(let container, let hidden):
      show(container.rawValue, id, reply) { .leave(ContainerID($0), includingHidden: hidden) }
    case .enter(let source, let hidden):
      show(source.rawValue, id, reply) { .enter(DragSourceID($0), includingHidden: hidden) }
    case .openDropPoint(let point, let hidden):
      show(point.rawValue, id, reply) {
        .openDropPoint(DropPointID($0), includingHidden: hidden)
      }
    case .edit(let container, let isOn):
      show(container.rawValue, id, reply) { .edit(ContainerID($0), isOn: isOn) }
    case .folders(let request): folders(request, id, reply)
    case .close(let container):
      if let (world, local) = owner(container.rawValue) {
        worlds[world].handle(.close(ContainerID(local)), id: id) { _ in }
      }
    case .prepare(let sources): prepare(sources, id, reply)
    case .ask(let inquiry): ask(inquiry, id, reply)
    case .deliver(let delivery, let order): deliver(delivery, order, id, reply)
    case .cancelDelivery(let delivery):
      if let world = deliveries.withLock({ $0[delivery] }) {
        worlds[world].handle(request, id: id) { _ in }
      }
    case .undo(entry: nil): undo(id, after: [], reply)
    case .redo(entry: nil):
      let newest = takenBack.withLock { $0.last } ?? delivered.withLock { $0.last?.world }
      history(request, id, order(from: newest), reply)
    case .undo, .redo:
      history(request, id, order(from: delivered.withLock { $0.last?.world }), reply)
    case .history(let limit): lines(limit, id, reply)
    case .focus: forward(.focus, to: 0, id, reply)
    case .windows: windows(id, reply)
    case .show(let delivery):
      // A program may ask while the delivery still runs.
      let running = deliveries.withLock { $0[delivery] }
      let known = running ?? delivered.withLock { $0.last { $0.id == delivery } }?.world
      guard let world = known else { return reply(.unreadable(id, name: "", .gone)) }
      forward(request, to: world, id, reply)
    case .reorder(let source, let index):
      guard let (world, local) = owner(source.rawValue) else {
        reply(.moved(id, source, .failure(.gone)))
        return
      }
      worlds[world].handle(.reorder(DragSourceID(local), toIndex: index), id: id) {
        [weak self] report in
        // A change of order is undone first.
        if case .moved(_, _, .success) = report { self?.note(Delivered(world: world)) }
        if let joined = WorldNumbers(world).joined(report) { reply(joined) }
      }
    }
  }

  // MARK: Whose it is

  private func owner<Number: FixedWidthInteger & UnsignedInteger>(
    _ number: Number
  ) -> (world: Int, local: Number)? {
    guard let owner = IDSpace.split(number), worlds.indices.contains(owner.world) else {
      return nil
    }
    return owner
  }

  private func forward(
    _ request: WorldRequest, to world: Int, _ id: RequestID, _ reply: @escaping Reply
  ) {
    worlds[world].handle(request, id: id) { report in
      if let joined = WorldNumbers(world).joined(report) { reply(joined) }
    }
  }

  private func show<Number: FixedWidthInteger & UnsignedInteger>(
    _ number: Number, _ id: RequestID, _ reply: @escaping Reply, _ request: (Number) -> WorldRequest
  ) {
    guard let (world, local) = owner(number) else {
      reply(.unreadable(id, name: "", .gone))
      return
    }
    worlds[world].handle(request(local), id: id) { report in
      // A container whose number does not fit can't be walked in.
      reply(WorldNumbers(world).joined(report) ?? .unreadable(id, name: "", .tooMany))
    }
  }

  private func folders(
    _ request: FolderRequest, _ id: RequestID, _ reply: @escaping Reply
  ) {
    switch request {
    case .goTo(let text, let base, let isOpened, let hidden):
      show(base?.rawValue ?? 0, id, reply) {
        .folders(
          .goTo(text, from: ContainerID($0), isOpened: isOpened, includingHidden: hidden))
      }
    case .complete(let text, let base):
      show(base?.rawValue ?? 0, id, reply) { .folders(.complete(text, from: ContainerID($0))) }
    case .take(let places, let base):
      show(base?.rawValue ?? 0, id, reply) { .folders(.take(places, from: ContainerID($0))) }
    case .describe(let source):
      show(source.rawValue, id, reply) { .folders(.describe(DragSourceID($0))) }
    case .measure(let sources):
      let owned = sources.compactMap { owner($0.rawValue) }
      // All rows in sight are of one folder.
      guard let world = owned.first?.world else {
        return reply(.unreadable(id, name: "", .gone))
      }
      let local = owned.filter { $0.world == world }.map { DragSourceID($0.local) }
      forward(.folders(.measure(local)), to: world, id, reply)
    case .make(let name, let container, let delivery):
      let owner = owner(container.rawValue)
      let request = owner.map { FolderRequest.make(name, in: ContainerID($0.local), as: delivery) }
      self.name(request, owner?.world, id, reply)
    case .rename(let source, let name, let delivery):
      let owner = owner(source.rawValue)
      let request = owner.map {
        FolderRequest.rename(DragSourceID($0.local), to: name, as: delivery)
      }
      self.name(request, owner?.world, id, reply)
    }
  }

  /// Gives a name to something in one of the worlds; the naming is then the first to be undone.
  private func name(
    _ request: FolderRequest?, _ world: Int?, _ id: RequestID, _ reply: @escaping Reply
  ) {
    guard let request, let world else { return reply(.renamed(id, .failure(.gone))) }
    worlds[world].handle(.folders(request), id: id) { [weak self] report in
      if case .renamed(_, .success) = report {
        self?.delivered.withLock { $0.append(Delivered(id: nil, world: world)) }
      }
      if let joined = WorldNumbers(world).joined(report) { reply(joined) }
    }
  }

  private func windows(_ id: RequestID, _ reply: @escaping Reply) {
    let collected = Collected<(world: Int, windows: [ContainerDescriptor])>(worlds.count) { all in
      reply(.windows(id, all.sorted { $0.world < $1.world }.flatMap(\.windows)))
    }
    for (index, world) in worlds.enumerated() {
      world.handle(.windows, id: id) { report in
        guard case .windows(_, let windows)? = WorldNumbers(index).joined(report) else {
          collected.add((index, []))
          return
        }
        collected.add((index, windows))
      }
    }
    if worlds.isEmpty { reply(.windows(id, [])) }
  }

  // MARK: Pick-up

  private func prepare(_ sources: [DragSourceID], _ id: RequestID, _ reply: @escaping Reply) {
    var parts: [Int: [DragSourceID]] = [:]
    var nobodys = 0
    for source in sources {
      if let (world, local) = owner(source.rawValue) {
        parts[world, default: []].append(DragSourceID(local))
      } else {
        nobodys += 1
      }
    }
    if parts.count == 1, nobodys == 0, let (world, local) = parts.first {
      forward(.prepare(local), to: world, id, reply)
      return
    }
    let missing = (0..<nobodys).map { _ in DeliveryFailure(name: "", reason: .gone) }
    let order = Dictionary(
      sources.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let collected = Collected<Preparation>(parts.count) { all in
      // Tasks are for things of one world; those of several have none in common.
      var whole = Preparation(items: all.flatMap(\.items), refused: missing)
      whole.items.sort { (order[$0.source] ?? 0) < (order[$1.source] ?? 0) }
      whole.refused += all.flatMap(\.refused)
      reply(.prepared(id, whole))
    }
    for (world, local) in parts {
      worlds[world].handle(.prepare(local), id: id) { report in
        guard case .prepared(_, let part)? = WorldNumbers(world).joined(report) else {
          collected.add(Preparation(items: []))
          return
        }
        collected.add(part)
      }
    }
  }

  // MARK: Verdicts

  private func ask(_ inquiry: Inquiry, _ id: RequestID, _ reply: @escaping Reply) {
    var parts: [Int: [DropStop]] = [:]
    for stop in inquiry.stops {
      parts[owner(stop.point.rawValue)?.world ?? -1, default: []].append(stop)
    }
    let order = inquiry.stops
    let collected = Collected<[Answer]>(parts.count) { all in
      let byStop = Dictionary(
        all.flatMap(\.self).map { ($0.stop, $0) }, uniquingKeysWith: { first, _ in first })
      reply(.answered(id, order.compactMap { byStop[$0] }))
    }
    for (world, stops) in parts {
      ask(inquiry, stops, of: world, id) { collected.add($0) }
    }
    if parts.isEmpty { reply(.answered(id, [])) }
  }

  private func ask(
    _ inquiry: Inquiry, _ stops: [DropStop], of world: Int, _ id: RequestID,
    _ done: @escaping @Sendable ([Answer]) -> Void
  ) {
    guard worlds.indices.contains(world) else {
      done(stops.map { Answer($0, .refused(.gone)) })
      return
    }
    let numbers = WorldNumbers(world)
    let items = inquiry.items.compactMap(numbers.seen)
    guard items.count == inquiry.items.count else {
      done(stops.map { Answer($0, .refused(.tooMany)) })
      return
    }
    var part = inquiry
    (part.items, part.stops) = (items, stops.compactMap(numbers.seen))
    let answer: Reply = { report in
      guard case .answered(_, let answers)? = numbers.joined(report) else {
        done(stops.map { Answer($0, .refused(.unknown)) })
        return
      }
      done(answers)
    }
    if areOwn(inquiry.items, world) {
      worlds[world].handle(.ask(part), id: id, reply: answer)
    } else if let taking = worlds[world] as? any ItemTaking {
      taking.ask(part, from: JoinedItems(worlds, world), id: id, reply: answer)
    } else {
      done(stops.map { Answer($0, .refused(.wrongType)) })
    }
  }

  private func areOwn(_ items: [DragItem], _ world: Int) -> Bool {
    items.allSatisfy { owner($0.source.rawValue)?.world == world }
  }

  // MARK: Deliveries

  private func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder, _ request: RequestID, _ reply: @escaping Reply
  ) {
    func refuse(_ reason: Reason) {
      let failures = order.items.map { DeliveryFailure(name: $0.name, reason: reason) }
      let result = DeliveryResult(
        outcome: .refused, route: .process, delivered: 0, failures: failures)
      reply(.delivery(id, .finished(result)))
    }
    guard let (world, _) = owner(order.stop.point.rawValue) else { return refuse(.gone) }
    let numbers = WorldNumbers(world)
    let items = order.items.compactMap(numbers.seen)
    guard items.count == order.items.count, let stop = numbers.seen(order.stop) else {
      return refuse(.tooMany)
    }
    var local = DeliveryOrder(
      items: items, stop: stop, operation: order.operation, clash: order.clash)
    local.newName = order.newName
    deliveries.withLock { $0[id] = world }
    let told: Reply = { [weak self] report in
      if case .delivery(_, .finished(let result)) = report {
        self?.deliveries.withLock { $0[id] = nil }
        if [.delivered, .partly, .unconfirmed].contains(result.outcome) {
          self?.note(Delivered(id: id, world: world))
        }
      }
      if let joined = numbers.joined(report) { reply(joined) }
    }
    if areOwn(order.items, world) {
      worlds[world].handle(.deliver(id, local), id: request, reply: told)
    } else if let taking = worlds[world] as? any ItemTaking {
      taking.take(id, local, from: JoinedItems(worlds, world), reply: told)
    } else {
      deliveries.withLock { $0[id] = nil }
      refuse(.wrongType)
    }
  }

  // MARK: History

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
      if let joined = WorldNumbers(newest).joined(report) { reply(joined) }
    }
  }

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
    guard !order.isEmpty else { return reply(.history(id, .success([]))) }
    let collected = Collected<(world: Int, lines: Result<[HistoryLine], Reason>)>(order.count) {
      all in
      let told = order.compactMap { world in all.first { $0.world == world }?.lines }
      let lines = told.flatMap { (try? $0.get()) ?? [] }
      let failure = told.first { if case .failure = $0 { true } else { false } }
      if lines.isEmpty, let failure { return reply(.history(id, failure)) }
      reply(.history(id, .success(Array(lines.prefix(limit)))))
    }
    for world in order {
      worlds[world].handle(.history(limit: limit), id: id) { report in
        guard case .history(_, let lines)? = WorldNumbers(world).joined(report) else {
          return collected.add((world, .success([])))
        }
        collected.add((world, lines))
      }
    }
  }

  /// Asks one world after the other, until one has something to undo or redo.
  private func history(
    _ request: WorldRequest, _ id: RequestID, _ order: [Int], _ reply: @escaping Reply
  ) {
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
      default: if let joined = WorldNumbers(first).joined(report) { reply(joined) }
      }
    }
  }
}

/// Items as one of the joined worlds sees them, loaded from the worlds they belong to.
private final class JoinedItems: ItemLoading {
  private let worlds: [any World]
  private let viewer: Int

  init(_ worlds: [any World], _ viewer: Int) {
    self.worlds = worlds
    self.viewer = viewer
  }

  func open(
    _ source: DragSourceID, as contentType: String, progress: LoadProgress
  ) async throws -> ItemStream {
    guard let (loading, local) = owner(source) else { throw Reason.gone }
    return try await loading.open(local, as: contentType, progress: progress)
  }

  func filePath(of source: DragSourceID) -> [UInt8]? {
    guard let (loading, local) = owner(source) else { return nil }
    return loading.filePath(of: local)
  }

  func typesForEveryone(of item: DragItem) -> [String] {
    guard let (loading, local) = owner(item.source) else { return item.types }
    return loading.typesForEveryone(of: item.renumbered(local, item.container, tree: item.tree))
  }

  func suggestedName(of item: DragItem) -> String {
    guard let (loading, local) = owner(item.source) else { return item.name }
    return loading.suggestedName(of: item.renumbered(local, item.container, tree: item.tree))
  }

  private func owner(_ source: DragSourceID) -> (any ItemLoading, DragSourceID)? {
    guard let joined = IDSpace.seen(source.rawValue, by: viewer),
      let (world, local) = IDSpace.split(joined), worlds.indices.contains(world),
      let loading = worlds[world] as? any ItemLoading
    else { return nil }
    return (loading, DragSourceID(local))
  }
}

/// Parts of an answer as they come in, from any thread.
private final class Collected<Part: Sendable>: Sendable {
  private let state: Mutex<(parts: [Part], missing: Int)>
  private let done: @Sendable ([Part]) -> Void

  init(_ count: Int, done: @escaping @Sendable ([Part]) -> Void) {
    state = Mutex(([], count))
    self.done = done
  }

  func add(_ part: Part) {
    let all = state.withLock { state -> [Part]? in
      state.parts.append(part)
      state.missing -= 1
      return state.missing == 0 ? state.parts : nil
    }
    if let all { done(all) }
  }
}
