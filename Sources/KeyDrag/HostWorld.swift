import KeyDragRuntime
import KeyDragThreads
import Synchronization

/// An app's registry as a world for the session: all in process, with nothing serialised.
final class HostWorld: World {
  let host: DragHost
  private let observation = Mutex<DragHost.Registration?>(nil)
  private let places: CallPool<DropStop>
  private let items: CallPool<DragSourceID>
  /// The undo or redo begun last.
  let lastStep = Mutex<Task<HistoryResult, Never>?>(nil)

  /// - Parameter patience: the timeout of an app for a place's answer, or for an item.
  init(_ host: DragHost, patience: Duration = .seconds(3)) {
    self.host = host
    places = CallPool(patience: patience)
    items = CallPool(patience: patience)
  }

  func observe(_ observer: @escaping @Sendable (WorldReport) -> Void) {
    let registration = host.observe(changes: { observer(.changed([$0])) })
    observation.withLock { $0 = registration }
  }

  func close() {
    observation.withLock { $0 }?.remove()
    for task in host.state.withLock({ Array($0.running.values) }) { task.cancel() }
  }

  func list(
    _ subject: ListingSubject, includingHidden: Bool,
    told: @escaping @Sendable (ListingEvent) -> Void
  ) async throws(ListingError) {
    switch subject {
    case .container(let container), .around(let container):
      guard let entry = host.registry[container] else { throw ListingError(.gone) }
      told(
        .listed(
          Listing(
            container: entry.container, sources: entry.sources ?? [],
            dropPoints: entry.dropPoints ?? [])))
    case .edited(let container, let isOn):
      guard let listing = edit(container, isOn) else { throw ListingError(.notOrdered) }
      told(.listed(listing))
    case .inside, .opened, .path: throw ListingError(.notAFolder)
    }
  }

  func undo(entry: Int64?) async -> HistoryResult { await goBack(entry, isRedo: false) }

  func redo(entry: Int64?) async -> HistoryResult { await goBack(entry, isRedo: true) }

  func history(limit: Int) async -> Result<[HistoryLine], Reason> {
    .success(host.state.withLock { $0.history.lines(limit) })
  }

  // MARK: Pick-up and verdicts

  func prepare(_ sources: [DragSourceID]) async -> PreparedItems {
    var preparation = PreparedItems(items: [])
    let (known, registry) = host.state.withLock { state in
      (sources.map { state.sources[$0] }, state.registry)
    }
    // Outside the lock: the app may register things while it answers.
    let given = await items.values(sources) { index -> Result<ItemProvider, Reason> in
      guard let source = known[index]?.source else { return .failure(.gone) }
      do {
        let item = source.isEnabled ? try await source.itemForBeginning() : nil
        return item.map { .success($0) } ?? .failure(.notDraggable)
      } catch {
        return .failure(error as? Reason ?? .notDraggable)
      }
    }
    for (index, id) in sources.enumerated() {
      guard let (source, home) = known[index], let container = registry[home]?.container else {
        preparation.refused.append(DeliveryFailure(name: "", reason: .gone))
        continue
      }
      let name = SpokenName.clean(source.name)
      let provider: ItemProvider
      switch given[index] ?? .failure(.notResponding) {
      case .success(let item): provider = item
      case .failure(let reason):
        preparation.refused.append(DeliveryFailure(name: name, reason: reason))
        continue
      }
      host.state.withLock { $0.items[id] = provider }
      let types = provider.contentTypes
      preparation.items.append(
        DragItem(
          source: id, name: name, kind: source.kind, types: types,
          typeName: host.types.name(of: types[0]), container: container.id,
          tree: container.tree, allowed: source.allowed,
          byteCount: provider.representations.first?.byteCount))
    }
    return preparation
  }

  func answers(to inquiry: ProposalRequest, from loading: (any ItemLoading)?) async -> [Answer] {
    guard let loading else { return await answers(to: inquiry) { _ in } }
    return await answers(of: inquiry, from: loading)
  }

  func answers(
    to inquiry: ProposalRequest, told: @escaping @Sendable ([Answer]) -> Void
  ) async -> [Answer] {
    await answers(inquiry, host.state.withLock { $0.items }, told: told)
  }

  func answers(
    _ inquiry: ProposalRequest, _ providers: [DragSourceID: ItemProvider],
    told: ([Answer]) -> Void = { _ in }
  ) async -> [Answer] {
    let (points, registry) = host.state.withLock { ($0.points, $0.registry) }
    let stops = inquiry.stops
    let homes = Set(inquiry.items.map(\.container))
    let proposals = await places.values(stops) { new in
      told(new.map { Answer(stops[$0], $1) })
    } _: { [types = host.types] index in
      let stop = stops[index]
      guard let (point, id) = points[stop.point], let container = registry[id]?.container else {
        return DropProposal.refused(.gone)
      }
      let info = DragHost.DropInfo(
        items: inquiry.items, position: stop.position, wish: inquiry.wish,
        isInside: homes.subtracting([container.id]).isEmpty, isEditing: container.isEditing,
        providers: providers, types: types)
      return await point.proposal(info)
    }
    return zip(stops, proposals).map { Answer($0, $1 ?? .refused(.notResponding)) }
  }

  // MARK: Delivery

  func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: (any ItemLoading)?,
    told: @escaping @Sendable (DeliveryEvent) -> Void
  ) {
    let names = order.items.map(\.name)
    // Nothing is removed from another world or program.
    if loading != nil, order.operation != .copy {
      return told(.finished(.failed(names, .operationNotOffered, .refused, by: .process)))
    }
    let providers =
      loading.map { self.providers(of: order.items, from: $0) }
      ?? host.state.withLock { $0.items }
    let point = host.state.withLock { $0.points[order.stop.point]?.point }
    let items = order.items.compactMap { item in
      providers[item.source].map { (item: item, provider: $0) }
    }
    guard let point, items.count == order.items.count else {
      return told(.finished(.failed(names, .gone, by: .process)))
    }
    let meter = DropMeter(
      total: point.measure?(items, host.types),
      tell: { if point.tellsProgress { told(.progressed($0)) } })
    told(.started(meter.progress))
    let gate = LoadGate(types: host.types, arrival: meter.add)
    // Nothing is reported after the end.
    let progress = LoadProgress { if gate.isOpen { meter.reach($0) } }
    let drop = DragHost.DropSession(
      items: items, operation: order.operation, position: order.stop.position,
      progress: progress, gate: gate)
    host.state.withLock { state in
      // Within the lock, so that a delivery that ends at once finds itself here.
      state.running[id] = Task { [self, host] in
        var result = await HostWorld.take(drop, by: point, order)
        result.landings = drop.record.results.landed.compactMap(host.registry.landing)
        result.bytes = meter.progress.bytesDone
        result.totalBytes = meter.total ?? result.bytes
        // This session's history has no drops from other programs.
        if !HostWorld.isVisit(order.items) { self.remember(drop, at: order.stop, result) }
        host.state.withLock { $0.running[id] = nil }
        told(.finished(result))
      }
    }
  }

  func cancel(_ delivery: DeliveryID) { host.state.withLock { $0.running[delivery] }?.cancel() }

  private static func take(
    _ drop: DragHost.DropSession, by point: DragHost.DropPoint, _ order: DeliveryOrder
  ) async -> DeliveryResult {
    let names = order.items.map(\.name)
    // Whatever the outcome: no data from here on.
    defer { drop.gate.close() }
    do {
      try await point.performDrop(drop)
    } catch is CancellationError {
      var result = DeliveryResult.failed(names, .interrupted, .cancelled, by: .process)
      result.delivered = drop.record.results.arrived
      return result
    } catch {
      return .failed(names, error as? Reason ?? .unknown, by: .process)
    }
    let results = drop.record.results
    let failed = results.failures.sorted { $0.key < $1.key }
    let outcome: DeliveryOutcome =
      failed.isEmpty
      ? (results.leftOut.isEmpty ? .delivered : .partly)
      : failed.count == order.items.count ? .failed : .partly
    var result = DeliveryResult(
      outcome: outcome, route: .process, delivered: order.items.count - failed.count,
      failures: failed.map { DeliveryFailure(name: names[$0.key], reason: $0.value) },
      verified: true, renamed: results.renamed, leftOut: results.leftOut)
    if results.isUnchanged { result.effect = .nothing }
    return result
  }

  /// `nil` if the container has no edit mode.
  private func edit(_ container: ContainerID, _ isOn: Bool) -> Listing? {
    host.state.withLock { state in
      guard var entry = state.registry[container], entry.container.isEditing != nil else {
        return nil
      }
      entry.container.isEditing = isOn
      let listing = Listing(
        container: entry.container, sources: entry.sources, dropPoints: entry.dropPoints)
      state.registry.insert(listing)
      return listing
    }
  }

  func move(_ source: DragSourceID, to index: Int) async -> Result<Int, Reason> {
    let (move, old, container) = host.state.withLock { state in
      let container = state.sources[source].flatMap { state.registry[$0.container]?.container }
      let old = container.flatMap { state.registry.index(of: source, in: $0.id) }
      return (container.flatMap { state.reorder[$0.id] }, old, container)
    }
    guard let move, let old, let container,
      let name = host.registry[container.id]?.sources?[old].name
    else { return .failure(.notOrdered) }
    if let reason = move(old, index) { return .failure(reason) }
    host.state.withLock { $0.registry.move(source, to: index) }
    remember(name, in: container, from: old, to: index, move)
    return .success(index)
  }
}

extension Registry {
  /// The present container of a source.
  fileprivate func landing(_ id: DragSourceID) -> Landing? {
    guard let container = container(of: id)?.id, let index = index(of: id, in: container),
      let source = self[container]?.sources?[index]
    else { return nil }
    return Landing(container: container, source: id, name: source.name)
  }
}
