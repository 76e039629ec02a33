/// The request to return the keyboard to its window at the end of a drag on a desktop.
package struct KeyboardReturn: Hashable, Sendable {
  package enum Leave: Hashable, Sendable {
    /// Any window: the person cancelled the drag.
    case any
    /// Only the one last reported: a drop may have opened another one, which keeps it.
    case told
    /// None: only its current place is determined.
    case none
  }

  package var window: ContainerID
  /// The last window reported to have the keyboard.
  package var told: ContainerID
  package var leaves: Leave
  /// The items to focus there; empty when the window is enough.
  package var items: [DragSourceID] = []
  /// Up to 20 of their names.
  package var names: [String] = []
}

package struct KeyboardLocation: Hashable, Sendable {
  /// `nil` if no window is known to have it.
  package var window: ContainerDescriptor?
  /// Whether the requested items are focused.
  package var isAtItems = false

  package init(window: ContainerDescriptor? = nil, isAtItems: Bool = false) {
    (self.window, self.isAtItems) = (window, isAtItems)
  }
}
