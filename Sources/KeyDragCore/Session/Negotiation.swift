/// Decides the operation from what the source allows, the place offers and the person wishes.
package enum Negotiation {
  package struct Route: Hashable, Sendable {
    /// The trees of the sources, `nil` for an unknown one.
    package var sourceTrees: Set<ContainerID?>
    package var targetTree: ContainerID?
    package var isOtherApp: Bool
  }

  /// Move within a container tree; copy between trees or programs, and in doubt.
  package static func defaultOperation(_ route: Route) -> DragOperation {
    guard !route.isOtherApp, let target = route.targetTree, route.sourceTrees == [target] else {
      return .copy
    }
    return .move
  }

  /// The operation of a drop; `nil` when none is possible or the wish is not.
  package static func operation(
    wish: DragOperation?, allowed: DragOperations, offers: DragOperations, route: Route
  ) -> DragOperation? {
    let possible = allowed.intersection(offers)
    if offers.isDisjoint(with: .transfer) {
      // A wish that keeps the original rules out its removal.
      if offers == .remove, wish == .copy || wish == .link { return nil }
      // A task has one operation of its own; a wish for a transfer does not apply to it.
      return [.open, .remove].first { possible.contains($0) }
    }
    if let wish { return possible.contains(wish) ? wish : nil }
    let preferred = defaultOperation(route)
    if possible.contains(preferred) { return preferred }
    return [DragOperation.copy, .move, .link].first { possible.contains($0) }
  }
}
