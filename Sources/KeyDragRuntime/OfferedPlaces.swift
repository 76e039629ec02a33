import KeyDragCore

/// The places offered to other programs: those that the session has been told of.
///
/// Guarded by the lock of ``CompositeWorld``. Items are never offered.
struct OfferedPlaces: Sendable {
  /// Called when they may have changed; nothing is recorded until it is set.
  var onChange: (@Sendable () -> Void)?
  /// Without sources.
  private var registry = Registry()

  /// The containers with places, each place once and at most `points` in each.
  func listings(containers: Int, points: Int) -> [Listing] {
    var seen: Set<DropPointID> = []
    return registry.entries.values.prefix(containers).compactMap { entry in
      // A folder is listed by its parent and by itself.
      let places = (entry.dropPoints ?? []).prefix(points).filter {
        $0.task == nil && seen.insert($0.id).inserted
      }
      guard !places.isEmpty else { return nil }
      return Listing(container: entry.container, sources: nil, dropPoints: places)
    }
  }

  /// `nil` if it has not been offered.
  func place(_ point: DropPointID) -> DropPointDescriptor? {
    registry.entries.values.lazy.compactMap { $0.dropPoints?.first { $0.id == point } }.first
  }

  /// Applies a change without its sources; returns whether it concerned places.
  mutating func note(_ change: RegistryChange) -> Bool {
    guard onChange != nil else { return false }
    switch change {
    case .sourceAppeared, .sourceVanished: return false
    case .replaced(let listing) where registry[listing.container.id] == nil: return false
    case .containerAppeared(let listing), .replaced(let listing):
      registry.insert(
        Listing(container: listing.container, sources: nil, dropPoints: listing.dropPoints))
      return true
    case .dropPointAppeared, .dropPointVanished, .containerVanished: return registry.apply(change)
    }
  }
}
