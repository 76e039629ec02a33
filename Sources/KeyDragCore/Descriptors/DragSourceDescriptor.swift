/// Something that can be picked up.
public struct DragSourceDescriptor: Hashable, Sendable {
  /// The identifier by which it is known in one run.
  public internal(set) var id: DragSourceID
  /// The person's own name for it, already safe to show and to speak (see ``SpokenName``).
  public var name: String
  /// The container that shows it.
  public var container: ContainerID
  /// The kind of thing it is, in one of the few words that are said of it.
  public var kind: ItemKind
  /// Whether it can be picked up now; a disabled one is still walked over and named.
  public var isEnabled: Bool

  /// A source as its owner describes it.
  ///
  /// - Parameter name: already safe to show and to speak; see ``SpokenName``.
  public init(
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
