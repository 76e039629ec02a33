package enum WorldReport: Hashable, Sendable {
  case counted(RequestID, ContainerDescriptor, ItemCounts)
  case listed(RequestID, Listing)
  case unreadable(RequestID, name: String, Reason)
  case prepared(RequestID, PreparedItems)
  /// Some places have answered.
  case answering(RequestID, [Answer])
  case answered(RequestID, [Answer])
  case delivery(DeliveryID, DeliveryEvent)
  /// Another program drops something here; its events follow as those of any delivery.
  case visit(DeliveryID, Visit)
  case undone(RequestID, HistoryResult)
  case redone(RequestID, HistoryResult)
  /// The late result of an undo that was reported before the disk answered.
  case undoneLate(HistoryResult)
  case redoneLate(HistoryResult)
  /// The entries, or why the journal can't be read.
  case history(RequestID, Result<[HistoryLine], Reason>)
  case focused(RequestID, FocusReport)
  /// In the order of the walk; their places are listed on arrival.
  case windows(RequestID, [ContainerDescriptor])
  case shown(RequestID, RevealedLanding)
  case keyboardRestored(RequestID, KeyboardLocation)
  /// The new index, or why it stays.
  case moved(RequestID, DragSourceID, Result<Int, Reason>)
  case completed(RequestID, PathCompletion)
  case described(RequestID, ItemFacts)
  case measured(RequestID, [DragSourceID: RowFacts])
  /// `nil` where the folder can't be read.
  case previewed(RequestID, FolderPreview?)
  /// The renamed or new item, or the error.
  case renamed(RequestID, Result<Landing, Reason>)
  /// An unsolicited change.
  case changed([RegistryChange])
  /// Places were asked before as much was known of the effects of drops as now.
  case predictionsImproved
  /// The window of the desktop that has got the keyboard.
  case keyboard(ContainerDescriptor)
  /// An interrupted run was repaired.
  case recovered(Recovery)
  /// A failure of some part that the person should know of.
  case problem(Problem)
  case lesson(Lesson)
}

package struct Visit: Hashable, Sendable {
  /// Safe to speak.
  package var program: String
  package var order: DeliveryOrder
  /// `nil` for a place that was not offered.
  package var place: DropPointDescriptor?

  package init(program: String, order: DeliveryOrder, place: DropPointDescriptor?) {
    (self.program, self.order, self.place) = (program, order, place)
  }
}

package struct ItemFacts: Hashable, Sendable {
  /// Safe to speak.
  package var name: String
  package var typeName: String
  package var kind: ItemKind
  /// The size of a file.
  package var bytes: Int64?
  /// The number of items in a folder.
  package var count: Int?
  /// Local date and time.
  package var changed: String
  /// The names of the ancestors, outermost first, safe to speak.
  package var path: [String]
  /// The target of a link, safe to speak.
  package var target: String?

  package init(name: String, kind: ItemKind, typeName: String, changed: String, path: [String]) {
    (self.name, self.kind, self.typeName) = (name, kind, typeName)
    (self.changed, self.path) = (changed, path)
  }
}

/// The columns beside an item's name on a wide screen.
package struct RowFacts: Hashable, Sendable {
  /// The size of a file.
  package var bytes: Int64?
  /// Local date and time; empty if unknown.
  package var changed: String
  package var isExecutable: Bool

  package init(bytes: Int64?, changed: String, isExecutable: Bool = false) {
    (self.bytes, self.changed, self.isExecutable) = (bytes, changed, isExecutable)
  }
}

/// The folder whose contents are wanted beside a list.
package enum PreviewSubject: Hashable, Sendable {
  case source(DragSourceID)
  case dropPoint(DropPointID)
}

/// The contents of a folder that is not open, for a screen with room beside the list.
package struct FolderPreview: Hashable, Sendable {
  package var subject: PreviewSubject
  /// The names of the first items, safe to show, in the order of a listing.
  package var names: [String]
  /// A kind for each name.
  package var kinds: [ItemKind]
  /// All that is in it, hidden items left out, or why it can't be read.
  package var counts: Result<ItemCounts, Reason>

  package init(
    of subject: PreviewSubject, names: [String] = [], kinds: [ItemKind] = [],
    _ counts: Result<ItemCounts, Reason>
  ) {
    (self.subject, self.names, self.kinds, self.counts) = (subject, names, kinds, counts)
  }
}

/// A failure, its consequence and what the person can do.
package enum Problem: Hashable, Sendable {
  case noSoundDevice
  /// The synthesizer or its voice data is missing.
  case noSynthesizer
  case noVoice(language: String)
  case unknownLanguage(String)
  /// The translation of a language, by its English name, is missing or damaged; English is used.
  case catalogue(language: String)
  /// The configuration does not parse and the defaults are used. Line and column count from 1.
  case configuration(file: String, line: Int, column: Int, detail: String)
  /// The history can't be used; `notOwn` is a path owned by somebody else, if that is the cause.
  case journal(Reason, notOwn: String? = nil)
  /// Changes in this folder can no longer be watched; the display may be stale.
  case notWatching(container: String)
  /// Too many changes to follow.
  case lostChanges(container: String)
  /// Attributes that the target could not store.
  case lostAttributes(names: [String])
  case transcriptClosed
  /// A key of the agent, by its localized name, is grabbed by another program or missing on the
  /// keyboard.
  case takenKey(name: String)
  /// A key of the agent was pressed while an open menu has the keyboard.
  case menuIsOpen
  /// The desktop is gone, with everything that the agent could reach.
  case noDisplay
  /// Nothing exposes the contents of windows.
  case noAccessibility
  /// In a Wayland session only windows of XWayland can be reached. The compositor's name, or
  /// "Wayland".
  case nativeWindows(compositor: String)
  /// The requested route reaches no screen reader: the route, the running reader if any, the route
  /// that it supports, and whether KeyDrag's own voice speaks instead.
  case noWayToReader(wanted: ReaderRoute, reader: String, takes: ReaderRoute?, speaks: Bool)
  case outputClosed
  /// Other KeyDrag programs of this person can't be reached.
  case noPeers(PeerTrouble)
  /// Parts of the file that a program starts with can't be read; the rest is loaded.
  case leftOut([DeliveryFailure])
}

/// A fault of the folder in which KeyDrag programs find each other.
package enum PeerTrouble: Hashable, Sendable {
  /// It belongs to somebody else, is accessible to others, or is a link.
  case notPrivate(folder: String)
  /// The path of a socket in it would be too long.
  case pathTooLong(folder: String)
  case failed(Reason)
  /// A program of an incompatible version; its name, safe to speak.
  case otherVersion(program: String)
}
