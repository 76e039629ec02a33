/// The wish to have the keyboard back when a drag ends on a desktop.
package struct KeyboardReturn: Hashable, Sendable {
  /// Which windows it is taken from.
  package enum Leave: Hashable, Sendable {
    /// From any: the person has given up the drag.
    case any
    /// From the one told of last: a drop may have opened another, which is not left.
    case told
    /// From none: it is only looked where it is.
    case none
  }

  /// The window in which the drag began.
  package var window: ContainerID
  /// The window that has the keyboard, as far as it was told.
  package var told: ContainerID
  package var leaves: Leave
  /// The items to be in focus there; none where the window is enough.
  package var items: [DragSourceID] = []
  /// Up to 20 of their names.
  package var names: [String] = []
}

/// The place at which the keyboard was seen.
package struct KeyboardPlace: Hashable, Sendable {
  /// `nil` where no window is known to have it.
  package var window: ContainerDescriptor?
  /// Whether the items asked for are in focus.
  package var isAtItems = false

  package init(window: ContainerDescriptor? = nil, isAtItems: Bool = false) {
    (self.window, self.isAtItems) = (window, isAtItems)
  }
}
