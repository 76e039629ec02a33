/// Something that can be picked up.
package struct DragSourceDescriptor: Hashable, Sendable {
  /// The identifier by which it is known in one run.
  package internal(set) var id: DragSourceID
  /// The person's own name for it, already safe to show and to speak (see ``SpokenName``).
  package var name: String
  /// The container that shows it.
  package var container: ContainerID
  /// The kind of thing it is, in one of the few words that are said of it.
  package var kind: ItemKind
  /// Whether it can be picked up now; a disabled one is still walked over and named.
  package var isEnabled: Bool

  /// A source as its owner describes it.
  ///
  /// - Parameter name: already safe to show and to speak; see ``SpokenName``.
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
