/// Values that bear other numbers outside of a world than in it. Everything but the numbers stays:
/// each value is a copy, so that nothing of it can be forgotten.
extension ContainerDescriptor {
  /// The same container with other numbers.
  package func renumbered(
    _ id: ContainerID, enclosing: ContainerID?, tree: ContainerID?
  ) -> Self {
    var result = self
    (result.id, result.enclosing, result.tree) = (id, enclosing, tree)
    return result
  }
}

extension DragSourceDescriptor {
  /// The same drag source with other numbers.
  package func renumbered(_ id: DragSourceID, _ container: ContainerID) -> Self {
    var result = self
    (result.id, result.container) = (id, container)
    return result
  }
}

extension DropPointDescriptor {
  /// The same drop point with other numbers.
  package func renumbered(
    _ id: DropPointID, _ container: ContainerID, leadsTo: ContainerID?
  ) -> Self {
    var result = self
    (result.id, result.container, result.leadsTo) = (id, container, leadsTo)
    return result
  }
}

extension DragItem {
  /// The same item with other numbers.
  package func renumbered(
    _ source: DragSourceID, _ container: ContainerID, tree: ContainerID?
  ) -> Self {
    var result = self
    (result.source, result.container, result.tree) = (source, container, tree)
    return result
  }
}
