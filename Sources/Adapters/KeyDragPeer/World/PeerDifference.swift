import KeyDragCore

/// The changes in a container of another program.
///
/// Pure.
enum PeerDifference {
  /// Single changes that lead from one listing to the other, or the other as a whole when there are
  /// too many; none when nothing changed.
  static func changes(from old: Listing, to new: Listing) -> [RegistryChange] {
    guard old != new else { return [] }
    // Another name or order is more than a change of places.
    guard old.container == new.container, let before = old.dropPoints, let after = new.dropPoints
    else { return [.replaced(new)] }
    let kept = Set(after.map(\.id))
    var points = before.filter { kept.contains($0.id) }
    var changes = before.filter { !kept.contains($0.id) }.map {
      RegistryChange.dropPointVanished($0.id, container: new.container.id)
    }
    // Step by step to the new order, as whoever applies them will have it.
    for (index, point) in after.enumerated() {
      if points.indices.contains(index), points[index] == point { continue }
      points.removeAll { $0.id == point.id }
      points.insert(point, at: min(index, points.count))
      changes.append(.dropPointAppeared(point, index: index))
      if changes.count > most { return [.replaced(new)] }
    }
    return changes.count > most ? [.replaced(new)] : changes
  }

  /// More than these are told as a whole.
  private static let most = 8
}
