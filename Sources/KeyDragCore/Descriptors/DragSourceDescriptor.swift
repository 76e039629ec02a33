package struct DragSourceDescriptor: Hashable, Sendable {
  package internal(set) var id: DragSourceID
  /// The person's own name for it, already safe to show and to speak (see ``SpokenName``).
  package var name: String
  package var container: ContainerID
  package var kind: ItemKind
  /// Whether it can be picked up now; a disabled one is still walked and named.
  package var isEnabled: Bool

  package init(
    id: DragSourceID, name: String, container: ContainerID, kind: ItemKind,
    isEnabled: Bool = true
  ) {
    self.id = id
    self.name = name
    self.container = container
    self.kind = kind
    self.isEnabled = isEnabled
  }
}
