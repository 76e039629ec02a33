/// The contents of a file manager's window, by which its folder can be located on disk.
package struct DisplayedFolder: Hashable, Sendable {
  /// The window's title without the program's name.
  package var title: String
  /// The names in its path bar, outermost first; empty if it has none.
  package var trail: [String]
  /// Names of visible rows, not necessarily all.
  package var rows: [String]
  package static let mostRows = 50
  /// The row that is the target of the drop; `nil` for the folder itself.
  package var row: String?
  package var processID: Int32?
  /// Whether it is the desktop itself, which shows more than the contents of its folder.
  package var isDesktop = false
  /// Paths in text fields of the window.
  package var addresses: [String] = []
  /// Whether only its rows suggest that the list shows a folder: its program must then be known to
  /// watch that folder, or to have written its path.
  package var isGuessed = false
  /// Whether only a row with its name is shown, as in a folder tree beside documents, or its path in
  /// a title: it has that path, or its program watches it or the folder around it, and it is
  /// confirmed only by what lands there.
  package var isNamedRowOnly = false
  /// Whether it may be an archive, in which case only that is considered.
  package var isArchive = false
  /// The bookmark, if only its name is shown in a list of the person's folders.
  package var bookmark: Bookmark?

  /// One of the person's folders among the listed ones of the same name.
  package struct Bookmark: Hashable, Sendable {
    /// From 0, in list order.
    package var index: Int
    package var count: Int

    package init(index: Int = 0, count: Int = 1) { (self.index, self.count) = (index, count) }
  }

  package init(
    title: String, trail: [String] = [], rows: [String] = [], row: String? = nil,
    processID: Int32? = nil
  ) {
    self.title = title
    self.trail = trail
    self.rows = rows
    self.row = row
    self.processID = processID
  }

  /// The name of the drop target, fit to be spoken: titles may hold the whole path.
  package var spokenName: String {
    if let row { return row }
    let words = addresses.count == 1 ? addresses[0] : title
    return words.split(separator: "/").last.map(String.init) ?? words
  }

  /// Whether these may be all the rows.
  package var showsAll: Bool { rows.count < Self.mostRows }
}

/// The state on disk of a folder in a window, with regard to the carried items.
package struct FolderDropPrecheck: Hashable, Sendable {
  /// The items that nobody can put there, and why: they are in it already, or it is inside them.
  package var misfits: [Int: Reason] = [:]
  /// Names of the items that exist there already, safe to speak; not necessarily all.
  package var existing: [String] = []
  /// Whether the folder was located, so that what lands there can be found and undone.
  package var isFound = false
  /// Whether its parent is the folder of all of the items.
  package var isBeside = false

  package init(isFound: Bool = false) { self.isFound = isFound }
}

/// A drop whose effect on disk is known beforehand and can be checked afterwards.
package protocol DropVerifier: AnyObject, Sendable {
  /// Whether the disk decides how the drop has ended, rather than the window.
  var isDecisive: Bool { get }

  /// Waits for the effect while it is in progress, verifies it and records it in the history for
  /// undo. May hang as long as the disk does.
  ///
  /// - Parameters:
  ///   - isAsking: whether the program is asking the person something, which suspends the timeout.
  ///     Called on any thread.
  ///   - alive: called on progress, from any thread; a disk that hangs makes none.
  /// - Returns: what has landed, with the operation performed on it: programs may ask the person in
  ///   a menu of their own. `verified` if it was compared with what was carried, byte for byte or by
  ///   identity. Of an outcome only that of nothing is told: `refused` if it is certain, since all
  ///   names are as before and none is that of a folder which could have received it; `failed` if
  ///   the receiving program has ended besides.
  func check(
    isAsking: @escaping @Sendable () -> Bool, alive: @escaping @Sendable () -> Void
  ) async -> DeliveryResult
}

extension DropVerifier {
  package var isDecisive: Bool { true }
}

/// Keeps a history entry without steps for each drop that can't be undone from outside, whose way
/// back is never ``WayBack/here``. Every call may block.
package protocol ForeignDropHistory: AnyObject, Sendable {
  /// - Parameter isNewest: whether it blocks the undo of earlier entries.
  /// - Returns: the entry number; `nil` when it could not be recorded.
  func note(_ drop: HistoryEntry, isNewest: Bool) -> Int64?

  /// Updates an entry with the late outcome of its drop.
  func update(_ number: Int64, to drop: HistoryEntry)

  /// Removes the entry of a drop that left nothing, or that the history records in another entry.
  func withdraw(_ number: Int64)

  /// Marks an entry as undone by its program.
  func setUndone(_ number: Int64)
}

/// Provides the carried items to other programs.
package protocol DragPayload: AnyObject, Sendable {
  /// The forms in which these items are offered, best first. May block on the disk.
  func forms(of items: [DragItem]) -> [DragForm]

  /// The forms that a program may have got, to search for at the target; possibly truncated.
  func given(of items: [DragItem]) -> [DragForm]

  /// Takes a baseline of the carried items and the folder in a window before a drop; `nil` if that
  /// folder can't be located. May hang as long as the disk does.
  ///
  /// - Parameter alive: called on progress, from any thread; a disk that hangs makes none.
  func expect(
    _ items: [DragItem], _ operation: DragOperation, in folder: DisplayedFolder,
    alive: @escaping @Sendable () -> Void
  ) async -> (any DropVerifier)?

  /// As ``expect(_:_:in:alive:)``, for the person's trash; `place` is its name in the history.
  func expectTrashed(
    _ items: [DragItem], in place: String, alive: @escaping @Sendable () -> Void
  ) async -> (any DropVerifier)?

  /// Offers an item that has no file as one of the same name without an extension, to be written
  /// where it is dropped; `nil` when nothing is to be written. Does not block.
  ///
  /// - Parameter form: the contents of the file.
  func saving(_ item: DragItem, as form: DragForm) -> (any DirectSaving)?

  /// Whether such a file may be written into a folder in a window: it can be located, has the
  /// reported name and is not hidden. May hang as long as the disk does.
  func canSave(in folder: DisplayedFolder) async -> Bool

  /// Sets the items to watch instead of earlier ones; `gone` is called on any thread.
  func follow(_ items: [DragItem], _ gone: @escaping @Sendable ([DragItem]) -> Void)

  /// Checks a folder before any program is asked. May hang as long as the disk does.
  ///
  /// - Parameter alive: as in ``expect(_:_:in:alive:)``.
  func outlook(
    for items: [DragItem], in folder: DisplayedFolder, alive: @escaping @Sendable () -> Void
  ) async -> FolderDropPrecheck
}

extension DragPayload {
  package func saving(_ item: DragItem, as form: DragForm) -> (any DirectSaving)? { nil }

  package func canSave(in folder: DisplayedFolder) async -> Bool { false }

  package func expectTrashed(
    _ items: [DragItem], in place: String, alive: @escaping @Sendable () -> Void
  ) async -> (any DropVerifier)? { nil }

  package func follow(
    _ items: [DragItem], _ gone: @escaping @Sendable ([DragItem]) -> Void
  ) {}

  package func outlook(
    for items: [DragItem], in folder: DisplayedFolder, alive: @escaping @Sendable () -> Void
  ) async -> FolderDropPrecheck { FolderDropPrecheck() }

  package func given(of items: [DragItem]) -> [DragForm] { forms(of: items) }
}

/// A payload of items from another world: programs see the forms when asked, and get the contents
/// only during a drop.
package protocol HeldPayload: DragPayload {
  /// The same items under identifiers of their own, stable while the same items are carried and not
  /// dropped. Does not block.
  func hold(_ items: [DragItem], from loading: any ItemLoading) -> [DragItem]

  /// Starts a drop: from here on requested contents are loaded, starting with what programs have
  /// requested already.
  ///
  /// - Throws: why that could not be loaded; ``Reason/interrupted`` if it was cancelled.
  func open(_ items: [DragItem]) async throws(Reason)

  /// Ends a drop, whatever its outcome; nothing is loaded any more.
  func close(_ items: [DragItem])

  /// Called when the outcome of the drop is known: no program still reads these files.
  func settle(_ items: [DragItem])

  /// Why something that a program requested could not be loaded.
  func trouble(with items: [DragItem]) -> Reason?

  /// Removes the files made for programs, except modified ones and those of unsettled drops; no
  /// more are made afterwards. May block.
  func removeFiles()
}

/// Locates the files that another program shows. Each call may hang as long as the disk does.
package protocol FileFinding: AnyObject, Sendable {
  /// The files and folders with these names in a folder shown in a window, in order; empty unless
  /// the folder is located and holds them all.
  func files(
    named names: [String], in folder: DisplayedFolder, shownIn container: ContainerID
  ) async -> [DragSourceDescriptor]

  /// The names that are plain files in the folder, neither folders nor programs nor launchers, so
  /// that a drop on one goes into the folder itself. Empty if the folder can't be located.
  func plainFiles(among names: [String], in folder: DisplayedFolder) async -> Set<String>

  /// The names of the visible subfolders, as programs sort them; `nil` if unlocated or too many.
  func folders(in folder: DisplayedFolder) async -> [String]?

  /// The folder behind a row, as a place with a path; `nil` if the row is anything else, or the
  /// folder in the window is ambiguous.
  func dropPoint(of row: DisplayedFolder) async -> DropPointID?

  /// The name of the parent of each folder; `nil` for one that can't be located.
  func surroundings(of folders: [DisplayedFolder]) async -> [String?]

  /// The files and folders at these "file:" addresses, in order; empty if any is missing.
  func files(
    at addresses: [String], shownIn container: ContainerID
  ) async -> [DragSourceDescriptor]

  /// The entries with these names in an archive manager's window, extracted as files that can be
  /// copied; empty if the window shows no archive.
  ///
  /// - Parameter archive: the whole window title and all rows.
  /// - Throws: why they could not be extracted.
  func members(
    named names: [String], in archive: DisplayedFolder, shownIn container: ContainerID
  ) async throws(Reason) -> [DragSourceDescriptor]

  func isMember(_ source: DragSourceID) -> Bool

  /// Called when a program is given these items; extracted files must be kept.
  func give(_ items: [DragItem])

  /// Called when their outcome is known: they have landed elsewhere, or are still carried.
  func settle(_ items: [DragItem], haveLanded: Bool)

  /// Removes the extracted files, except those that a program may still read. May block.
  func removeFiles()
}

extension FileFinding {
  package func members(
    named names: [String], in archive: DisplayedFolder, shownIn container: ContainerID
  ) async throws(Reason) -> [DragSourceDescriptor] { [] }

  package func isMember(_ source: DragSourceID) -> Bool { false }

  package func give(_ items: [DragItem]) {}

  package func settle(_ items: [DragItem], haveLanded: Bool) {}

  package func removeFiles() {}

  package func folders(in folder: DisplayedFolder) async -> [String]? { nil }

  package func dropPoint(of row: DisplayedFolder) async -> DropPointID? { nil }

  package func surroundings(of folders: [DisplayedFolder]) async -> [String?] {
    folders.map { _ in nil }
  }
}
