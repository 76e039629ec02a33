import KeyDragCore

/// The numbers of one of several joined worlds: from its own to those outside, and back.
///
/// Anything with a number that does not fit outside is left out, as if it were not there.
struct WorldNumbers: Sendable {
  let world: Int

  init(_ world: Int) { self.world = world }

  // MARK: Inwards

  /// An item as this world sees it, its own or another's.
  func seen(_ item: DragItem) -> DragItem? {
    guard let source = IDSpace.seen(item.source.rawValue, by: world),
      let container = IDSpace.seen(item.container.rawValue, by: world)
    else { return nil }
    let tree = item.tree.flatMap { IDSpace.seen($0.rawValue, by: world) }
    return item.renumbered(
      DragSourceID(source), ContainerID(container), tree: tree.map { ContainerID($0) })
  }

  func seen(_ stop: DropStop) -> DropStop? {
    IDSpace.seen(stop.point.rawValue, by: world).map { DropStop(DropPointID($0), stop.position) }
  }

  // MARK: Outwards

  func joined(_ report: WorldReport) -> WorldReport? {
    // The first world's numbers stay as they are.
    if world == 0 { return report }
    switch report {
    case .counted(let id, let container, let counts):
      return joined(container).map { .counted(id, $0, counts) }
    case .listed(let id, let listing): return joined(listing).map { .listed(id, $0) }
    case .prepared(let id, var preparation):
      preparation.items = preparation.items.compactMap(joined)
      preparation.taskPoints = preparation.taskPoints.compactMap(joined)
      return .prepared(id, preparation)
    case .answered(let id, let answers):
      return .answered(
        id, answers.compactMap { answer in joined(answer.stop).map { Answer($0, answer.proposal) } }
      )
    case .delivery(let id, .finished(var result)):
      result.landings = result.landings.compactMap(joined)
      return .delivery(id, .finished(result))
    case .focused(let id, let report):
      return joined(report.listing).map {
        .focused(
          id,
          FocusReport(
            listing: $0, marked: report.marked.compactMap(joined),
            windows: report.windows.compactMap(joined)))
      }
    case .windows(let id, let windows): return .windows(id, windows.compactMap(joined))
    case .moved(let id, let source, let result):
      return joined(source).map { .moved(id, $0, result) }
    case .renamed(let id, let result):
      return .renamed(id, result.flatMap { joined($0).map(Result.success) ?? .failure(.tooMany) })
    case .measured(let id, let facts):
      let pairs = facts.compactMap { fact in joined(fact.key).map { ($0, fact.value) } }
      return .measured(id, Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
    case .changed(let changes):
      let joined = changes.compactMap(joined)
      return joined.isEmpty ? nil : .changed(joined)
    case .unreadable, .completed, .described, .delivery, .shown, .undone, .redone, .undoneLate,
      .redoneLate,
      .history,
      .recovered,
      .problem, .lesson:
      return report
    }
  }

  private func joined(_ change: RegistryChange) -> RegistryChange? {
    switch change {
    case .sourceAppeared(let source, let index):
      return joined(source).map { .sourceAppeared($0, index: index) }
    case .sourceVanished(let source, let container):
      guard let source = joined(source), let container = joined(container) else { return nil }
      return .sourceVanished(source, container: container)
    case .dropPointAppeared(let point, let index):
      return joined(point).map { .dropPointAppeared($0, index: index) }
    case .dropPointVanished(let point, let container):
      guard let point = joined(point), let container = joined(container) else { return nil }
      return .dropPointVanished(point, container: container)
    case .containerAppeared(let listing): return joined(listing).map { .containerAppeared($0) }
    case .containerVanished(let container):
      return joined(container).map { .containerVanished($0) }
    case .replaced(let listing): return joined(listing).map { .replaced($0) }
    }
  }

  func joined(_ listing: Listing) -> Listing? {
    if world == 0 { return listing }
    guard let container = joined(listing.container) else { return nil }
    var result = Listing(
      container: container, sources: listing.sources.map { $0.compactMap(joined) },
      dropPoints: listing.dropPoints.map { $0.compactMap(joined) },
      hiddenCount: listing.hiddenCount)
    result.newFolder = listing.newFolder.flatMap(joined)
    return result
  }

  func joined(_ container: ContainerDescriptor) -> ContainerDescriptor? {
    if world == 0 { return container }
    guard let id = joined(container.id) else { return nil }
    return container.renumbered(
      id, enclosing: container.enclosing.flatMap(joined), tree: container.tree.flatMap(joined))
  }

  private func joined(_ source: DragSourceDescriptor) -> DragSourceDescriptor? {
    guard let id = joined(source.id), let container = joined(source.container) else { return nil }
    return source.renumbered(id, container)
  }

  private func joined(_ point: DropPointDescriptor) -> DropPointDescriptor? {
    guard let id = joined(point.id), let container = joined(point.container) else { return nil }
    return point.renumbered(id, container, leadsTo: point.leadsTo.flatMap(joined))
  }

  private func joined(_ item: DragItem) -> DragItem? {
    guard let source = joined(item.source), let container = joined(item.container) else {
      return nil
    }
    return item.renumbered(source, container, tree: item.tree.flatMap(joined))
  }

  private func joined(_ landing: Landing) -> Landing? {
    guard let container = joined(landing.container), let source = joined(landing.source) else {
      return nil
    }
    return Landing(container: container, source: source, name: landing.name)
  }

  private func joined(_ stop: DropStop) -> DropStop? {
    joined(stop.point).map { DropStop($0, stop.position) }
  }

  private func joined(_ id: ContainerID) -> ContainerID? {
    IDSpace.joined(id.rawValue, world: world).map { ContainerID($0) }
  }

  private func joined(_ id: DragSourceID) -> DragSourceID? {
    IDSpace.joined(id.rawValue, world: world).map { DragSourceID($0) }
  }

  private func joined(_ id: DropPointID) -> DropPointID? {
    IDSpace.joined(id.rawValue, world: world).map { DropPointID($0) }
  }
}
