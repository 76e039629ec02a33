package struct Listing: Hashable, Sendable {
  package var container: ContainerDescriptor
  /// In the order of the walk; `nil` if unknown, empty if there are none.
  package var sources: [DragSourceDescriptor]?
  /// In registry order, the container itself first; `nil` if unknown, empty if there are none.
  package var dropPoints: [DropPointDescriptor]?
  /// Names hidden now (those that begin with a dot).
  package var hiddenCount: Int
  /// The place that makes a folder in it, when it was opened for a drop.
  package var newFolder: DropPointDescriptor?

  /// A listing of a container; `nil` for sources or drop points that are unknown.
  package init(
    container: ContainerDescriptor, sources: [DragSourceDescriptor]?,
    dropPoints: [DropPointDescriptor]?, hiddenCount: Int = 0
  ) {
    self.container = container
    self.sources = sources
    self.dropPoints = dropPoints
    self.hiddenCount = hiddenCount
  }
}

/// The item counts of a container, known before its items are sorted.
package struct ItemCounts: Hashable, Sendable {
  /// Everything that is not a folder.
  package var files: Int
  package var folders: Int
  /// Whether ``files`` counts objects of a program instead of files.
  package var areObjects: Bool
  /// Those that are not listed and count nowhere else.
  package var hidden: Int

  package init(files: Int, folders: Int, areObjects: Bool = false, hidden: Int = 0) {
    self.files = files
    self.folders = folders
    self.areObjects = areObjects
    self.hidden = hidden
  }

  package var total: Int { files + folders }
}

/// The picked-up items, whose types are fixed from now on.
package struct PreparedItems: Hashable, Sendable {
  package var items: [DragItem]
  package var refused: [DeliveryFailure]
  /// Task places for these items (trash, print, open with), in the order of the walk.
  package var taskPoints: [DropPointDescriptor]
  /// The operation that comes with them, such as a move of what was cut; the person's wish wins.
  package var wish: DragOperation?

  package init(
    items: [DragItem], refused: [DeliveryFailure] = [], taskPoints: [DropPointDescriptor] = []
  ) {
    self.items = items
    self.refused = refused
    self.taskPoints = taskPoints
  }
}

/// The focused item of another program, and the windows it could go to.
package struct FocusReport: Hashable, Sendable {
  /// Its container, with the focused or selected sources.
  package var listing: Listing
  /// The ones to pick up together; empty for the one in the listing.
  package var marked: [DragSourceID]
  /// Containers that may take it, in the order of the walk; their places are listed on arrival.
  package var windows: [ContainerDescriptor]

  package init(listing: Listing, marked: [DragSourceID] = [], windows: [ContainerDescriptor] = []) {
    self.listing = listing
    self.marked = marked
    self.windows = windows
  }
}

package enum RegistryChange: Hashable, Sendable {
  /// A source appeared, or one with this id changed its name or kind. `index` is its position among
  /// the container's sources.
  case sourceAppeared(DragSourceDescriptor, index: Int)
  case sourceVanished(DragSourceID, container: ContainerID)
  /// `index` is its position among the container's drop points.
  case dropPointAppeared(DropPointDescriptor, index: Int)
  case dropPointVanished(DropPointID, container: ContainerID)
  /// A new container, behind all others.
  case containerAppeared(Listing)
  /// The container is gone with everything in it.
  case containerVanished(ContainerID)
  /// Too much changed at once: the whole new contents.
  case replaced(Listing)
}
