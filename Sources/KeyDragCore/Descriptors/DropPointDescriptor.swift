/// A position at an element where something can be dropped.
public enum DropPosition: UInt8, Hashable, Sendable, CaseIterable {
  /// In front of the element.
  case before
  /// Into or onto the element.
  case on
  /// Behind the element.
  case after
}

/// The positions an element offers.
public struct DropPositions: OptionSet, Hashable, Sendable {
  /// One bit for each position; not for storage.
  public let rawValue: UInt8

  /// A set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// ``DropPosition/before`` alone.
  public static let before = DropPositions(rawValue: 1)
  /// ``DropPosition/on`` alone.
  public static let on = DropPositions(rawValue: 2)
  /// ``DropPosition/after`` alone.
  public static let after = DropPositions(rawValue: 4)
  /// For an element of a list in which items can be inserted.
  public static let all: DropPositions = [.before, .on, .after]
}

/// Tasks at the end of every walk, outside the order and the count of places.
package enum TaskPoint: UInt8, Hashable, Sendable, CaseIterable {
  case trash
  case print
  case openWith
  /// Makes a folder, whose name is typed, and puts items into it.
  case newFolder
  case clipboard

  /// Whether it is announced as a task that starts and ends rather than as a transfer.
  package var isTold: Bool {
    switch self {
    case .print, .openWith: true
    case .trash, .newFolder, .clipboard: false
    }
  }
}

package struct DropPointDescriptor: Hashable, Sendable {
  package internal(set) var id: DropPointID
  /// The person's own name for it, already safe to show and to speak (see ``SpokenName``). For
  /// ``TaskPoint/openWith`` the program's name, for ``TaskPoint/newFolder`` the whole announcement.
  package var name: String
  /// The container it is listed in: for a folder its parent, or the folder itself if it is a root.
  package var container: ContainerID
  /// The container that a drop here goes into, if any.
  package var leadsTo: ContainerID?
  /// `.on` alone for a plain place.
  package var positions: DropPositions
  /// Set for a place that starts a task instead of holding what is dropped.
  package var task: TaskPoint?
  /// Whether ``CommandName/openDropPoint`` can show places inside it.
  package var canOpen: Bool
  /// Whether it is only displayed in its container and a drop goes elsewhere, so that the container
  /// is not announced.
  package var isElsewhere = false
  /// Whether it is a folder elsewhere in the file system, such as a bookmark: it follows the places
  /// and is not counted.
  package var isShortcut = false
  /// The tree it is in, if its container is unknown.
  package var tree: ContainerID?

  /// Whether it follows the places and is not counted.
  package var isAtWalkEnd: Bool { task != nil || isShortcut }

  /// Whether a drop ends up in a folder, possibly a new one.
  package var isFolder: Bool { task == nil || task == .newFolder }

  package init(
    id: DropPointID, name: String, container: ContainerID, leadsTo: ContainerID? = nil,
    positions: DropPositions = .on, task: TaskPoint? = nil, canOpen: Bool = false
  ) {
    self.id = id
    self.name = name
    self.container = container
    self.leadsTo = leadsTo
    self.positions = positions
    self.task = task
    self.canOpen = canOpen
  }
}

/// One drop point at one of its positions: a stop of the walk while carrying.
package struct DropStop: Hashable, Sendable {
  package var point: DropPointID
  package var position: DropPosition

  package init(_ point: DropPointID, _ position: DropPosition = .on) {
    self.point = point
    self.position = position
  }
}
