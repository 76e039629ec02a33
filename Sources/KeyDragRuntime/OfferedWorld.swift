import KeyDragCore
import Synchronization

/// A world whose places are shown to other programs: those that its session has been told of.
///
/// The session talks to it as to the world itself, through a ``JoinedWorld`` where there are others.
package final class OfferedWorld: PlaceOffering, ItemLoading {
  package typealias Reply = @Sendable (WorldReport) -> Void

  private let world: any ItemTaking & ItemLoading
  private let registry = Mutex(Registry())
  private let changed = Mutex<(@Sendable () -> Void)?>(nil)

  package init(_ world: any ItemTaking & ItemLoading) { self.world = world }

  // MARK: The session's side

  package func observe(_ observer: @escaping Reply) {
    world.observe { [weak self] report in
      if case .changed(let changes) = report { self?.note(changes) }
      observer(report)
    }
  }

  package func handle(_ request: WorldRequest, id: RequestID, reply: @escaping Reply) {
    if case .close(let container) = request { note([.containerVanished(container)]) }
    world.handle(request, id: id) { [weak self] report in
      if case .listed(_, let listing) = report { self?.note([.containerAppeared(listing)]) }
      reply(report)
    }
  }

  package func close() { world.close() }

  package var keepsHistory: Bool { world.keepsHistory }

  package func open(
    _ source: DragSourceID, as contentType: String, progress: LoadProgress
  ) async throws -> ItemStream {
    try await world.open(source, as: contentType, progress: progress)
  }

  package func filePath(of source: DragSourceID) -> [UInt8]? { world.filePath(of: source) }

  package func typesForEveryone(of item: DragItem) -> [String] {
    world.typesForEveryone(of: item)
  }

  package func suggestedName(of item: DragItem) -> String { world.suggestedName(of: item) }

  // MARK: The other programs' side

  package func ask(
    _ inquiry: Inquiry, from loading: any ItemLoading, id: RequestID, reply: @escaping Reply
  ) {
    world.ask(inquiry, from: loading, id: id, reply: reply)
  }

  package func take(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: any ItemLoading,
    reply: @escaping Reply
  ) {
    world.take(id, order, from: loading, reply: reply)
  }

  package func offeredPlaces(containers: Int, points: Int) -> [Listing] {
    registry.withLock { registry in
      var seen: Set<DropPointID> = []
      return registry.entries.values.prefix(containers).compactMap { entry in
        // A folder is listed by the folder around it and by itself: it is shown once.
        let places = (entry.dropPoints ?? []).prefix(points).filter {
          $0.task == nil && seen.insert($0.id).inserted
        }
        guard !places.isEmpty else { return nil }
        return Listing(container: entry.container, sources: nil, dropPoints: places)
      }
    }
  }

  package func onOfferChange(_ handler: @escaping @Sendable () -> Void) {
    changed.withLock { $0 = handler }
  }

  /// Sources are nobody else's business, so they are not kept.
  private func note(_ changes: [RegistryChange]) {
    let hasChanged = registry.withLock { registry in
      var hasChanged = false
      for change in changes {
        switch change {
        case .sourceAppeared, .sourceVanished: break
        case .containerAppeared(let listing), .replaced(let listing):
          guard change.isAppearance || registry[listing.container.id] != nil else { break }
          registry.insert(
            Listing(container: listing.container, sources: nil, dropPoints: listing.dropPoints))
          hasChanged = true
        case .dropPointAppeared, .dropPointVanished, .containerVanished:
          if registry.apply(change) { hasChanged = true }
        }
      }
      return hasChanged
    }
    if hasChanged { changed.withLock { $0 }?() }
  }
}

extension RegistryChange {
  fileprivate var isAppearance: Bool {
    if case .containerAppeared = self { true } else { false }
  }
}
