/// A group of drag sources or drop points; it decides the default operation.
package struct ContainerDescriptor: Hashable, Sendable {
  package internal(set) var id: ContainerID
  /// The person's own name for it, already safe to show and to speak (see ``SpokenName``).
  package var name: String
  /// The program it belongs to; `nil` in our own window.
  package var app: String?
  /// Its parent, if that is registered too.
  package var enclosing: ContainerID?
  /// Shared by containers of one tree, in which the default operation is move. `nil` when the tree
  /// is unknown: doubt means copy.
  package var tree: ContainerID?
  /// Whether the person may change the order of its items.
  package var isOrdered: Bool
  /// Whether its items may be moved now, if moving needs an edit mode; `nil` without such a mode.
  package var isEditing: Bool?
  /// The folders around it from the root on, for display; empty if there are none.
  package var around: [String] = []
  /// Whether its places are listed and queried only when the person reaches it, as in windows of
  /// other programs: each query is a message to that program.
  package var isAskedOnArrival = false
  package var isOnAnotherWorkspace = false

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
