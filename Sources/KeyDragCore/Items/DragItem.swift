/// A carried item: a promise whose types are fixed at pick-up and whose bytes are loaded when the
/// target asks.
public struct DragItem: Hashable, Sendable {
  /// The source it was picked up from.
  public internal(set) var source: DragSourceID
  /// The person's own name for it, already safe to show and to speak.
  public var name: String
  /// The kind of item, as announced.
  public var kind: ItemKind
  /// Content types as MIME names, best fidelity first. Never empty.
  public var types: [String]
  /// The name of the first type in the person's language ("text document").
  public var typeName: String
  /// The container it was picked up from.
  public var container: ContainerID
  /// The tree of that container; `nil` if unknown.
  public var tree: ContainerID?
  /// The operations that the source allows.
  public var allowed: DragOperations
  /// Why the source does not allow an operation, where known.
  package var disallowed: [DragOperation: Reason] = [:]
  /// The name of its folder, safe to speak, which tells it from an item of the same name.
  package var folder: String?
  /// Size in bytes where known without reading, such as a file's length; `nil` for a folder.
  public var byteCount: Int64?

  /// An item as the owner of its source describes it; sources registered by an app become items
  /// automatically.
  ///
  /// - Parameters:
  ///   - name: already safe to show and to speak; see ``SpokenName``.
  ///   - types: MIME names, best fidelity first; never empty.
  ///   - byteCount: in bytes, where known without reading.
  public init(
    source: DragSourceID, name: String, kind: ItemKind, types: [String], typeName: String,
    container: ContainerID, tree: ContainerID?, allowed: DragOperations = .all,
    byteCount: Int64? = nil
  ) {
    self.source = source
    self.name = name
    self.kind = kind
    self.types = types
    self.typeName = typeName
    self.container = container
    self.tree = tree
    self.allowed = allowed
    self.byteCount = byteCount
  }
}
