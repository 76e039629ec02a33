/// One thing carried: a promise whose types are fixed at pick-up and whose bytes are loaded when
/// the target asks.
public struct DragItem: Hashable, Sendable {
  /// The source it was picked up from.
  public internal(set) var source: DragSourceID
  /// The person's own name for it, already safe to show and to speak.
  public var name: String
  /// The kind of thing it is, in one of the few words that are said of it.
  public var kind: ItemKind
  /// Content types as MIME names, best fidelity first. Never empty.
  public var types: [String]
  /// The first type in the person's words ("text document"), from the content types port.
  public var typeName: String
  /// The container it was picked up from, and that container's tree (`nil`: unknown).
  public var container: ContainerID
  /// The tree of that container; `nil` where it is unknown.
  public var tree: ContainerID?
  /// The operations that the source allows others.
  public var allowed: DragOperations
  /// Why the source does not allow an operation, where that is known.
  package var withheld: [DragOperation: Reason] = [:]
  /// Size in bytes where it is known without reading: a file's length; `nil` for a folder.
  public var byteCount: Int64?

  /// An item as whoever holds its source describes it; sources of an app become items by themselves.
  ///
  /// - Parameters:
  ///   - name: already safe to show and to speak; see ``SpokenName``.
  ///   - types: MIME names, best fidelity first; never empty.
  ///   - byteCount: in bytes, where it is known without reading.
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
