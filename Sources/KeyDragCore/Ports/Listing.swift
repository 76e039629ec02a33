/// Everything known of one container: its items and its places.
package struct Listing: Hashable, Sendable {
  /// The container itself.
  package var container: ContainerDescriptor
  /// In the order they are walked. `nil`: not known yet; empty: nothing here.
  package var sources: [DragSourceDescriptor]?
  /// In registry order, the container itself first. `nil`: work it out; empty: no place here.
  package var dropPoints: [DropPointDescriptor]?
  /// Names hidden now (those that begin with a dot).
  package var hiddenCount: Int
  /// The place that makes a folder in it, where it was opened to drop something there.
  package var newFolder: DropPointDescriptor?

  /// A listing of a container; `nil` where its sources or drop points are not known yet.
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

/// How many of each a container holds, known before its items are sorted.
package struct ItemCounts: Hashable, Sendable {
  /// All that is not a folder.
  package var files: Int
  package var folders: Int
  /// Whether ``files`` are things of a program, not files.
  package var areObjects: Bool

  package init(files: Int, folders: Int, areObjects: Bool = false) {
    self.files = files
    self.folders = folders
    self.areObjects = areObjects
  }

  package var total: Int { files + folders }
}

/// The items that were picked up: their types are fixed from here on.
package struct Preparation: Hashable, Sendable {
  package var items: [DragItem]
  /// The items that could not be picked up, and why.
  package var refused: [DeliveryFailure]
  /// Task places for exactly these items (trash, print, open with), in the order they are walked.
  package var taskPoints: [DropPointDescriptor]
  /// The wish that comes with them, such as a move of what was cut; the person's own wish goes
  /// first.
  package var wish: DragOperation?

  package init(
    items: [DragItem], refused: [DeliveryFailure] = [], taskPoints: [DropPointDescriptor] = []
  ) {
    self.items = items
    self.refused = refused
    self.taskPoints = taskPoints
  }
}

/// The thing that has the focus outside, and the windows to which it could go.
package struct FocusReport: Hashable, Sendable {
  /// The container around it, with the sources in focus or selected there.
  package var listing: Listing
  /// Those that are to be picked up together; empty for the one in the listing.
  package var marked: [DragSourceID]
  /// Containers that may take it, in the order of the walk; their places are worked out when they are
  /// reached.
  package var windows: [ContainerDescriptor]

  package init(listing: Listing, marked: [DragSourceID] = [], windows: [ContainerDescriptor] = []) {
    self.listing = listing
    self.marked = marked
    self.windows = windows
  }
}

/// A change of what is there, reported by whoever watches it.
package enum RegistryChange: Hashable, Sendable {
  /// A source appeared, or one with this id changed its name or kind. `index` is where it stands
  /// among the container's sources.
  case sourceAppeared(DragSourceDescriptor, index: Int)
  /// A source is gone.
  case sourceVanished(DragSourceID, container: ContainerID)
  /// `index` is where it stands among the container's drop points.
  case dropPointAppeared(DropPointDescriptor, index: Int)
  /// A drop point is gone.
  case dropPointVanished(DropPointID, container: ContainerID)
  /// A container that was not there before, behind all others.
  case containerAppeared(Listing)
  /// The container itself is gone, and all that was in it.
  case containerVanished(ContainerID)
  /// Too much changed at once: this is all of it.
  case replaced(Listing)
}
