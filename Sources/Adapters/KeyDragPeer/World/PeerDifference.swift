import KeyDragCore

/// Differences between two listings of a peer's container. Pure.
enum PeerDifference {
  /// Single changes from one listing to the other, or a replacement if there are too many.
  static func changes(from old: Listing, to new: Listing) -> [RegistryChange] {
    guard old != new else { return [] }
    // A changed name or order can't be expressed as changes of places.
    guard old.container == new.container, let before = old.dropPoints, let after = new.dropPoints
    else { return [.replaced(new)] }
    let kept = Set(after.map(\.id))
    var points = before.filter { kept.contains($0.id) }
    var changes = before.filter { !kept.contains($0.id) }.map {
      RegistryChange.dropPointVanished($0.id, container: new.container.id)
    }
    // In the order in which the receiver applies them.
    for (index, point) in after.enumerated() {
      if points.indices.contains(index), points[index] == point { continue }
      points.removeAll { $0.id == point.id }
      points.insert(point, at: min(index, points.count))
      changes.append(.dropPointAppeared(point, index: index))
      if changes.count > most { return [.replaced(new)] }
    }
    return changes.count > most ? [.replaced(new)] : changes
  }

  /// Limit on single changes.
  private static let most = 8
}
