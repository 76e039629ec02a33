/// A report of the world to the session.
package enum WorldReport: Hashable, Sendable {
  case counted(RequestID, ContainerDescriptor, ItemCounts)
  case listed(RequestID, Listing)
  case unreadable(RequestID, name: String, Reason)
  case prepared(RequestID, Preparation)
  /// Some have answered, and others have not.
  case answering(RequestID, [Answer])
  case answered(RequestID, [Answer])
  case delivery(DeliveryID, DeliveryEvent)
  /// Another program drops something here; what becomes of it is told as of any delivery.
  case visit(DeliveryID, Visit)
  case undone(RequestID, HistoryResult)
  case redone(RequestID, HistoryResult)
  /// The late result of an undo that was answered before, by a disk that did not answer.
  case undoneLate(HistoryResult)
  /// The same of a redo.
  case redoneLate(HistoryResult)
  /// The lines, or why the journal can't be read.
  case history(RequestID, Result<[HistoryLine], Reason>)
  case focused(RequestID, FocusReport)
  /// In the order of the walk; their places are worked out when they are reached.
  case windows(RequestID, [ContainerDescriptor])
  case shown(RequestID, ShownLanding)
  case cameBack(RequestID, KeyboardPlace)
  /// The source's new index, or why it stays.
  case moved(RequestID, DragSourceID, Result<Int, Reason>)
  case completed(RequestID, PathCompletion)
  case described(RequestID, ItemFacts)
  case measured(RequestID, [DragSourceID: RowFacts], FolderPreview? = nil)
  /// The item that has the new name, or why none has it.
  case renamed(RequestID, Result<Landing, Reason>)
  /// Something changed by itself.
  case changed([RegistryChange])
  /// More is known of what drops would do than when the places were asked.
  case foreseen
  /// Another window of the desktop has the keyboard.
  case keyboard(ContainerDescriptor)
  /// A run that ended in the middle was put right.
  case recovered(Recovery)
  /// Something the person should know that is not an answer: a part that does not work.
  case problem(Problem)
  /// The next lesson for a person who is being taught.
  case lesson(Lesson)
}

/// A drop that another program makes here.
package struct Visit: Hashable, Sendable {
  /// Safe to speak.
  package var program: String
  package var order: DeliveryOrder
  /// `nil` for one that has not been shown.
  package var place: DropPointDescriptor?

  package init(program: String, order: DeliveryOrder, place: DropPointDescriptor?) {
    (self.program, self.order, self.place) = (program, order, place)
  }
}

/// Details of one item that a person may want before they carry it.
package struct ItemFacts: Hashable, Sendable {
  /// Safe to speak.
  package var name: String
  /// The type in words.
  package var typeName: String
  package var kind: ItemKind
  /// The length of a file.
  package var bytes: Int64?
  /// How much a folder holds.
  package var count: Int?
  /// Day and time where the person is.
  package var changed: String
  /// The names of the folders around it, outermost first, safe to speak.
  package var path: [String]
  /// The target of a link, safe to speak.
  package var target: String?

  package init(name: String, kind: ItemKind, typeName: String, changed: String, path: [String]) {
    (self.name, self.kind, self.typeName) = (name, kind, typeName)
    (self.changed, self.path) = (changed, path)
  }
}

/// Columns of a wide screen beside the name of an item.
package struct RowFacts: Hashable, Sendable {
  /// The length of a file.
  package var bytes: Int64?
  /// Day and time where the person is; empty where nothing is known.
  package var changed: String
  /// Whether it is a file that can be run.
  package var isExecutable: Bool
  /// Whether it is a link whose target does not exist.
  package var isBroken = false

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
  /// All that is in it, hidden items left out.
  package var counts: ItemCounts

  package init(
    of subject: PreviewSubject, names: [String], kinds: [ItemKind], counts: ItemCounts
  ) {
    (self.subject, self.names, self.kinds, self.counts) = (subject, names, kinds, counts)
  }
}

/// Something that does not work, what follows from it, and what the person can do.
package enum Problem: Hashable, Sendable {
  case noSoundDevice
  /// The synthesizer, or the data of its voices, is not there.
  case noSynthesizer
  case noVoice(language: String)
  case unknownLanguage(String)
  /// The words of a language, by its English name, are missing or damaged; English is used.
  case catalogue(language: String)
  /// The configuration does not parse; defaults are used. Line and column count from 1.
  case configuration(file: String, line: Int, column: Int, detail: String)
  /// The history can't be used; with the path of what is not the person's own, where that is why.
  case journal(Reason, notOwn: String? = nil)
  /// Changes in this folder can't be watched any more; what is shown may be old.
  case notWatching(container: String)
  /// More changed than could be followed.
  case lostChanges(container: String)
  /// Attributes that the target could not keep.
  case lostAttributes(names: [String])
  case transcriptClosed
  /// A key that the agent waits for belongs to another program, or to no key of this keyboard; its
  /// name in the person's language.
  case takenKey(name: String)
  /// A key that the agent waits for was pressed while a menu is open, whose program has the keyboard.
  case menuIsOpen
  /// The desktop is gone, and with it everything that the agent could reach.
  case noDisplay
  /// Nobody tells what is in windows.
  case noAccessibility
  /// In a Wayland session the windows that are not XWayland's can't be reached. The compositor's name,
  /// or "Wayland".
  case nativeWindows(compositor: String)
  /// The only way to a screen reader that was asked for leads to none: the option's value, the reader
  /// that runs where one does, the way that it takes, and whether KeyDrag's own voice is heard instead.
  case noWayToReader(wanted: ReaderRoute, reader: String, takes: ReaderRoute?, speaks: Bool)
  case outputClosed
  /// Other KeyDrag programs of this person can't be reached.
  case noPeers(PeerTrouble)
  /// Parts of the file that a program begins with can't be read; the others are there.
  case leftOut([DeliveryFailure])
}

/// A fault of the folder in which KeyDrag programs meet.
package enum PeerTrouble: Hashable, Sendable {
  /// It belongs to somebody else, is open to others, or is a link.
  case notPrivate(folder: String)
  /// A socket in it would have a longer path than sockets may have.
  case pathTooLong(folder: String)
  case failed(Reason)
  /// A program of another version, with which nothing can be exchanged; its name, safe to speak.
  case otherVersion(program: String)
}
