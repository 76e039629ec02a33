/// The position at an element at which something can be dropped.
public enum DropPosition: UInt8, Hashable, Sendable, CaseIterable {
  /// In front of the element.
  case before
  /// Into the element, or onto it.
  case on
  /// Behind the element.
  case after
}

/// The positions an element offers.
public struct DropPositions: OptionSet, Hashable, Sendable {
  /// One bit for each position; not for storing.
  public let rawValue: UInt8

  /// A set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// ``DropPosition/before`` alone.
  public static let before = DropPositions(rawValue: 1)
  /// ``DropPosition/on`` alone.
  public static let on = DropPositions(rawValue: 2)
  /// ``DropPosition/after`` alone.
  public static let after = DropPositions(rawValue: 4)
  /// An element between whose neighbours things can be inserted.
  public static let all: DropPositions = [.before, .on, .after]
}

/// Tasks that stand at the end of every walk, outside the order and the count of places.
package enum TaskPoint: UInt8, Hashable, Sendable, CaseIterable {
  /// Moves things to the trash.
  case trash
  /// Prints things.
  case print
  /// Opens things with one program.
  case openWith
  /// Makes a folder, whose name is typed, and puts things into it.
  case newFolder
  /// Copies things to the system's clipboard.
  case clipboard

  /// Whether it is told as a task that starts and ends, not as a transfer.
  package var isTold: Bool {
    switch self {
    case .print, .openWith: true
    case .trash, .newFolder, .clipboard: false
    }
  }
}

/// A named place that may take items.
package struct DropPointDescriptor: Hashable, Sendable {
  /// The identifier by which it is known in one run.
  package internal(set) var id: DropPointID
  /// The person's own name for it, already safe to show and to speak (see ``SpokenName``).
  /// For ``TaskPoint/openWith`` this is the program's name, for ``TaskPoint/newFolder`` all that is
  /// said.
  package var name: String
  /// The container it is listed in; for a folder, the folder that holds it, or itself for a root.
  package var container: ContainerID
  /// The container it stands for, when dropping here means "into that container".
  package var leadsTo: ContainerID?
  /// The positions it offers; `.on` alone for a plain place.
  package var positions: DropPositions
  /// Set for a place that starts a task instead of holding what is dropped.
  package var task: TaskPoint?
  /// Whether ``CommandName/openDropPoint`` can show places inside it.
  package var canOpen: Bool
  /// Whether it only stands in its container, and what is dropped there goes elsewhere: it is not said
  /// to be in that.
  package var isElsewhere = false
  /// Whether it is a folder of another part of the file system, such as a bookmark: it stands behind
  /// the places and is not counted.
  package var isShortcut = false
  /// The tree it lies in, where its container is not known.
  package var tree: ContainerID?

  /// Whether it stands behind the places and is not counted.
  package var standsAtEnd: Bool { task != nil || isShortcut }

  /// Whether what is dropped there comes to lie in a folder, of which it may be a new one.
  package var isFolder: Bool { task == nil || task == .newFolder }

  /// A drop point as its owner describes it.
  ///
  /// - Parameter name: already safe to show and to speak; see ``SpokenName``.
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

/// One drop point at one of its positions: what a person stands on while carrying.
package struct DropStop: Hashable, Sendable {
  package var point: DropPointID
  package var position: DropPosition

  package init(_ point: DropPointID, _ position: DropPosition = .on) {
    self.point = point
    self.position = position
  }
}
