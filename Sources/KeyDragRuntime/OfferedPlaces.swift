import KeyDragCore

/// The places that other programs are shown: those that the session has been told of.
///
/// Kept behind the lock of ``JoinedWorld``. Other programs never see items.
struct OfferedPlaces: Sendable {
  /// Called when they may have changed; nothing is kept before somebody wants to know.
  var onChange: (@Sendable () -> Void)?
  /// Without sources.
  private var registry = Registry()

  /// The containers that have places, each place once.
  ///
  /// - Parameter points: the most of each container.
  func listings(containers: Int, points: Int) -> [Listing] {
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

  /// `nil` for one that has not been shown.
  func place(_ point: DropPointID) -> DropPointDescriptor? {
    registry.entries.values.lazy.compactMap { $0.dropPoints?.first { $0.id == point } }.first
  }

  /// Follows a change; sources are nobody else's business, so they are not kept.
  ///
  /// - Returns: whether it was one of places.
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
