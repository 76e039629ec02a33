/// The home of a drag source or a drop point; it decides the default operation.
package struct ContainerDescriptor: Hashable, Sendable {
  /// The identifier by which it is known in one run.
  package internal(set) var id: ContainerID
  /// The person's own name for it, already safe to show and to speak (see ``SpokenName``).
  package var name: String
  /// The program it belongs to; `nil` in our own window.
  package var app: String?
  /// The container it lies in, when that one is registered too.
  package var enclosing: ContainerID?
  /// Containers of one tree share this; inside one tree the default operation is move.
  /// `nil` when the tree is unknown: doubt means copy.
  package var tree: ContainerID?
  /// Whether its items have an order of their own that a person may change.
  package var isOrdered: Bool
  /// Whether its items may be moved now, where that is a mode to be turned on; `nil` where it is none.
  package var isEditing: Bool?
  /// The folders around it from the top on, for the eye; empty where it is in none.
  package var around: [String] = []
  /// Whether its places are listed and asked only when the person reaches it, as those of another
  /// program's window are: a question is a real message to that program.
  package var isAskedOnArrival = false
  /// Whether it is a window on another workspace than the one that is shown.
  package var isOnAnotherWorkspace = false

  /// A container as its owner describes it.
  ///
  /// - Parameter name: already safe to show and to speak; see ``SpokenName``.
  package init(
    id: ContainerID, name: String, app: String? = nil, enclosing: ContainerID? = nil,
    tree: ContainerID? = nil, isOrdered: Bool = false, isEditing: Bool? = nil
  ) {
    self.id = id
    self.name = name
    self.app = app
    self.enclosing = enclosing
    self.tree = tree
    self.isOrdered = isOrdered
    self.isEditing = isEditing
  }
}
