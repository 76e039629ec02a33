/// Everything known of one container: its items and its places.
public struct Listing: Hashable, Sendable {
  /// The container itself.
  public var container: ContainerDescriptor
  /// In the order they are walked. `nil`: not known yet; empty: nothing here.
  public var sources: [DragSourceDescriptor]?
  /// In registry order, the container itself first. `nil`: work it out; empty: no place here.
  public var dropPoints: [DropPointDescriptor]?
  /// Names hidden now (those that begin with a dot).
  public var hiddenCount: Int
  /// The place that makes a folder in it, where it was opened to drop something there.
  package var newFolder: DropPointDescriptor?

  /// A listing of a container; `nil` where its sources or drop points are not known yet.
  public init(
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
public enum RegistryChange: Hashable, Sendable {
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

/// A request of the session to the outside world. Each request is answered by exactly one
/// ``WorldReport`` with its id, except a delivery, which sends any number of events and ends with
/// ``DeliveryEvent/finished(_:)``.
package enum WorldRequest: Hashable, Sendable {
  /// List a container: answered by `counted` (optional, early) and `listed`, or `unreadable`.
  case list(ContainerID, includingHidden: Bool)
  /// Show what is inside a source: answered like `list`.
  case enter(DragSourceID, includingHidden: Bool)
  /// Show the container around this one: answered like `list`, or `unreadable`.
  case leave(ContainerID, includingHidden: Bool)
  /// Stop watching a container that is no longer shown. Not answered.
  case close(ContainerID)
  /// Fix the types of these sources: answered by `prepared`.
  case prepare([DragSourceID])
  /// Ask drop points for their verdicts: answered by `answered`.
  case ask(Inquiry)
  /// Show the places inside a drop point while carrying: answered like `list`.
  case openDropPoint(DropPointID, includingHidden: Bool)
  /// Carry out a drop.
  case deliver(DeliveryID, DeliveryOrder)
  /// Stop a delivery as soon as nothing is half done. Not answered: the delivery finishes.
  case cancelDelivery(DeliveryID)
  /// `nil` means the newest entry that can be undone: answered by `undone`.
  case undo(entry: Int64?)
  /// `nil` means the entry undone last: answered by `redone`.
  case redo(entry: Int64?)
  /// The past deliveries, newest first and at most so many: answered by `history`.
  case history(limit: Int)
  /// Change the order inside an ordered container: answered by `moved`.
  case reorder(DragSourceID, toIndex: Int)
  /// Turn a container's edit mode on or off: answered like `list`.
  case edit(ContainerID, isOn: Bool)
  /// The thing that has the focus outside, to be picked up: answered by `focused`, or `unreadable`.
  case focus
  /// The windows of other programs that are there now, for something that is picked up: answered by
  /// `windows`.
  case windows
  /// A request to folders of files.
  case folders(FolderRequest)
  /// Bring what a delivery brought to a program to the front there, with the keyboard: answered by
  /// `shown`, or `unreadable`.
  case show(DeliveryID)
}

/// A request that only folders of files can answer.
package enum FolderRequest: Hashable, Sendable {
  /// Show the folder at a path that was typed, which begins where the person is: answered like `list`.
  /// `isOpened`: while carrying.
  case goTo(String, from: ContainerID?, isOpened: Bool, includingHidden: Bool)
  /// The next letters of a path: answered by `completed`.
  case complete(String, from: ContainerID?)
  /// Fix the types of files by their absolute paths or "file:" addresses, as they were pasted where
  /// the person is: answered by `prepared`.
  case take([String], from: ContainerID?)
  /// Fix the types of what the system's clipboard holds, files or something that becomes one: answered
  /// by `prepared`, or `unreadable`.
  case takeClipboard(from: ContainerID?)
  /// Details of this one: answered by `described`, or `unreadable`.
  case describe(DragSourceID)
  /// The sizes and dates of these, at most a screenful: answered by `measured`.
  case measure([DragSourceID])
  /// A new folder in this one: answered by `renamed`.
  case make(String, in: ContainerID, as: DeliveryID)
  /// Another name in the same folder: answered by `renamed`.
  case rename(DragSourceID, to: String, as: DeliveryID)
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

  package init(bytes: Int64?, changed: String, isExecutable: Bool = false) {
    (self.bytes, self.changed, self.isExecutable) = (bytes, changed, isExecutable)
  }
}

/// A report of the world to the session.
package enum WorldReport: Hashable, Sendable {
  case counted(RequestID, ContainerDescriptor, ItemCounts)
  case listed(RequestID, Listing)
  case unreadable(RequestID, name: String, Reason)
  case prepared(RequestID, Preparation)
  case answered(RequestID, [Answer])
  case delivery(DeliveryID, DeliveryEvent)
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
  /// The source's new index, or why it stays.
  case moved(RequestID, DragSourceID, Result<Int, Reason>)
  case completed(RequestID, PathCompletion)
  case described(RequestID, ItemFacts)
  case measured(RequestID, [DragSourceID: RowFacts])
  /// The item that has the new name, or why none has it.
  case renamed(RequestID, Result<Landing, Reason>)
  /// Something changed by itself.
  case changed([RegistryChange])
  /// A run that ended in the middle was put right.
  case recovered(Recovery)
  /// Something the person should know that is not an answer: a part that does not work.
  case problem(Problem)
  /// The next lesson for a person who is being taught.
  case lesson(Lesson)
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
  case journal(Reason)
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
  case noWayToReader(wanted: ReaderRung, reader: String, takes: ReaderRung?, speaks: Bool)
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
}

/// An outside system that has containers, drag sources and drop points: real folders, a desktop, a
/// program's own lists.
package protocol World: AnyObject, Sendable {
  /// Begins to answer a request and returns at once; never blocks the caller.
  ///
  /// `reply` may be called from any thread.
  func handle(
    _ request: WorldRequest, id: RequestID, reply: @escaping @Sendable (WorldReport) -> Void)

  /// Sets the receiver of changes that nobody asked for, which are reported from any thread. To be
  /// called once, before the first request.
  func observe(_ observer: @escaping @Sendable (WorldReport) -> Void)

  /// Ends watches and deliveries and returns when nothing runs any more.
  func close()

  /// Whether anything that is delivered there can be taken back.
  var keepsHistory: Bool { get }

  /// The owners of the identities that it answers for.
  var owners: [IDOwner] { get }
}

extension World {
  package var keepsHistory: Bool { true }
  package var owners: [IDOwner] { [.app] }
}
