/// The contents of a file manager's window, by which its folder can be found on the disk.
package struct ShownFolder: Hashable, Sendable {
  /// The window's title without the program's name.
  package var title: String
  /// The names in its path bar, outermost first; empty where there is none.
  package var trail: [String]
  /// Names of rows that are shown; some are enough.
  package var rows: [String]
  /// More rows than this are not kept.
  package static let mostRows = 50
  /// The row that is dropped on; `nil` for the folder itself.
  package var row: String?
  package var processID: Int32?
  /// Whether it is the desktop itself: it shows more than what lies in its folder.
  package var isDesktop = false
  /// Paths that stand in fields of the window.
  package var addresses: [String] = []
  /// Whether nothing but its rows says that a list shows a folder: then its program must be known to
  /// watch that, or to have written its path.
  package var isGuessed = false
  /// Whether nothing but a row with its name is shown, as in a tree of folders beside documents: it
  /// is one that its program watches, or that lies in one, and proves no more than what lands
  /// there.
  package var isRowAlone = false
  /// Whether it may be an archive: nothing else is looked into then.
  package var isArchive = false
  /// Which bookmark it is, where nothing but its name is shown, in a list of the person's folders.
  package var bookmark: Bookmark?

  /// One of the person's folders among those that are listed with its name.
  package struct Bookmark: Hashable, Sendable {
    /// From 0, in the order of the list.
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

  /// The name of what is dropped on, fit to be spoken: titles may hold the whole path.
  package var spokenName: String {
    if let row { return row }
    let words = addresses.count == 1 ? addresses[0] : title
    return words.split(separator: "/").last.map(String.init) ?? words
  }

  /// Whether there may be no more rows than these.
  package var showsAll: Bool { rows.count < Self.mostRows }
}

/// The findings at the target after a drop.
package struct LandingReport: Hashable, Sendable {
  /// How many of the items were found, whole.
  package var landed: Int
  /// The items that were not found.
  package var missing: [DeliveryFailure]
  package var bytes: Int64
  /// Whether what was found was compared with what was carried, byte for byte or by its identity.
  package var isVerified: Bool
  /// Names under which items landed, where they differ from their own.
  package var renamed: [String]
  /// The history's number for it; `nil` where nothing was written down.
  package var entry: Int64?
  /// The operation that was done with the items that landed; `nil` where none did. Programs ask the
  /// person in menus of their own.
  package var operation: DragOperation?
  /// The folder in which all of it landed, where that is not the one that was dropped on; safe to
  /// speak.
  package var elsewhere: String?
  /// Whether it lies in what the row that was dropped on lies in, and not in the row.
  package var isBesideRow = false
  /// Whether it is certain that nothing of it is there: its names are as they were before, none of them
  /// a folder's, into which something can have gone.
  package var isCertainlyNothing = false
  /// Whether the process of the program that was to bring it is no more.
  package var hasProgramEnded = false

  package init(
    landed: Int, missing: [DeliveryFailure] = [], bytes: Int64 = 0, isVerified: Bool = false,
    renamed: [String] = [], entry: Int64? = nil
  ) {
    self.landed = landed
    self.missing = missing
    self.bytes = bytes
    self.isVerified = isVerified
    self.renamed = renamed
    self.entry = entry
  }
}

/// The state on the disk of a folder that a window shows, for the items carried.
package struct FolderDropPrecheck: Hashable, Sendable {
  /// Which of the items it can't take whoever puts them there, and why: what lies in it already, and
  /// what it is a part of.
  package var misfits: [Int: Reason] = [:]
  /// The names among theirs that exist there already, safe to speak; some are enough.
  package var existing: [String] = []
  /// Whether the folder was found, so that what lands there can be found and taken back.
  package var isFound = false
  /// Whether it lies in the very folder in which all of the items lie.
  package var isBeside = false

  package init(isFound: Bool = false) { self.isFound = isFound }
}

/// A drop whose effect on the disk is known beforehand, so that it can be checked afterwards.
package protocol ExpectedLanding: AnyObject, Sendable {
  /// Whether the disk tells how the drop has ended; else the window does.
  var isDecisive: Bool { get }

  /// Waits for the effect, as long as it goes on, compares it, and writes it into the history so that
  /// it can be undone. May hang as long as the disk does.
  ///
  /// - Parameters:
  ///   - isAsking: whether the program asks the person something; it has all the time until then.
  ///     Called from any thread.
  ///   - alive: called whenever it has got on, from any thread: a disk that hangs says nothing.
  func check(
    isAsking: @escaping @Sendable () -> Bool, alive: @escaping @Sendable () -> Void
  ) async -> LandingReport
}

extension ExpectedLanding {
  package var isDecisive: Bool { true }
}

/// A drop into a program that the history has no steps of: nobody can take it back from outside.
package struct ForeignDrop: Hashable, Sendable {
  package var operation: DragOperation
  /// Some names are enough; they are safe to speak.
  package var names: [String]
  package var count: Int
  package var place: String
  /// Never ``WayBack/here``.
  package var wayBack: WayBack

  package init(
    operation: DragOperation, names: [String], count: Int, place: String, wayBack: WayBack
  ) {
    self.operation = operation
    self.names = names
    self.count = count
    self.place = place
    self.wayBack = wayBack
  }
}

/// Keeps a line of the history for each drop that can't be taken back from outside. Everything here
/// may block.
package protocol ForeignDropKeeping: AnyObject, Sendable {
  /// - Parameter isNewest: whether it stands in the way of what was done before it.
  /// - Returns: the history's number for it; `nil` when it could not be written down.
  func note(_ drop: ForeignDrop, isNewest: Bool) -> Int64?

  /// Takes the end that a drop has come to after all.
  func update(_ number: Int64, to drop: ForeignDrop)

  /// Forgets a drop that has left nothing, or is in the history with what it has left.
  func withdraw(_ number: Int64)

  /// Takes that the program itself has taken a drop back.
  func setUndone(_ number: Int64)
}

/// Gives what is carried to other programs.
package protocol DragPayload: AnyObject, Sendable {
  /// The forms in which these items are offered, best first. May block as long as their disk does.
  func forms(of items: [DragItem]) -> [DragForm]

  /// The forms that a program may have been given, to be looked for at the target after a drop; of
  /// long ones perhaps the beginning alone.
  func given(of items: [DragItem]) -> [DragForm]

  /// Looks at what is carried and at the folder that is shown, before a drop; `nil` when that folder
  /// can't be found on the disk. May hang as long as the disk does.
  ///
  /// - Parameter alive: called whenever it has got on, from any thread: a disk that hangs says
  ///   nothing.
  func expect(
    _ items: [DragItem], _ operation: DragOperation, in folder: ShownFolder,
    alive: @escaping @Sendable () -> Void
  ) async -> (any ExpectedLanding)?

  /// The same for the person's trash, to which a program is to move files.
  ///
  /// - Parameter place: what it is called there, for the history.
  func expectTrashed(
    _ items: [DragItem], in place: String, alive: @escaping @Sendable () -> Void
  ) async -> (any ExpectedLanding)?

  /// Writes something that has no file, as one of this name without an ending, to where it is dropped;
  /// `nil` where nothing is written. Does not block.
  ///
  /// - Parameter form: what the file is to contain.
  func saving(_ item: DragItem, as form: DragForm) -> (any DirectSaving)?

  /// Whether such a file may be written into a folder that is shown: it is found, bears the name that
  /// is told, and is not hidden. May hang as long as the disk does.
  func canSave(in folder: ShownFolder) async -> Bool

  /// Calls the handler, from any thread, when some of these are gone, in the place of all that were
  /// followed before.
  func follow(_ items: [DragItem], _ gone: @escaping @Sendable ([DragItem]) -> Void)

  /// The outlook for a folder before any program is asked. May hang as long as the disk does.
  func outlook(for items: [DragItem], in folder: ShownFolder) async -> FolderDropPrecheck
}

extension DragPayload {
  package func saving(_ item: DragItem, as form: DragForm) -> (any DirectSaving)? { nil }

  package func canSave(in folder: ShownFolder) async -> Bool { false }

  package func expectTrashed(
    _ items: [DragItem], in place: String, alive: @escaping @Sendable () -> Void
  ) async -> (any ExpectedLanding)? { nil }

  package func follow(
    _ items: [DragItem], _ gone: @escaping @Sendable ([DragItem]) -> Void
  ) {}

  package func outlook(for items: [DragItem], in folder: ShownFolder) async -> FolderDropPrecheck {
    FolderDropPrecheck()
  }

  package func given(of items: [DragItem]) -> [DragForm] { forms(of: items) }
}

/// Goods that another world holds: programs are told their forms while they are asked, and given
/// their contents inside a drop alone.
package protocol HeldGoods: DragPayload {
  /// The same items under numbers of their own; the same ones as long as the same is carried and has
  /// not been dropped. Does not block.
  func hold(_ items: [DragItem], from loading: any ItemLoading) -> [DragItem]

  /// A drop of these begins: what a program asks for is loaded from here on, and at once what it has
  /// asked for already.
  ///
  /// - Throws: why that could not be loaded; ``Reason/interrupted`` where it was given up.
  func open(_ items: [DragItem]) async throws(Reason)

  /// The drop has ended, or is given up: nothing is loaded any more.
  func close(_ items: [DragItem])

  /// It is known what became of the drop: no program still reads the files of these.
  func settle(_ items: [DragItem])

  /// Why something that a program asked for could not be loaded.
  func trouble(with items: [DragItem]) -> Reason?

  /// Removes the files that were made for programs, but for those that someone has changed and those
  /// of drops that are not settled; from here on none is made. May block.
  func removeFiles()
}

/// Finds the files that another program shows. Each look may hang as long as the disk does.
package protocol FileFinding: AnyObject, Sendable {
  /// The files and folders with these names in a folder that is shown, in their order; empty when
  /// that folder can't be found or they are not all in it.
  func files(
    named names: [String], in folder: ShownFolder, shownIn container: ContainerID
  ) async -> [DragSourceDescriptor]

  /// Which of these names are plain files in a folder that is shown: no folder, no program and no
  /// starter, so that what is dropped on one would go into the folder around it. Empty when that folder
  /// can't be found.
  func plainFiles(among names: [String], in folder: ShownFolder) async -> Set<String>

  /// The names of the folders in a folder that is shown, hidden ones left out, as programs show them
  /// and sort them; `nil` when it can't be found, or has too many.
  func folders(in folder: ShownFolder) async -> [String]?

  /// The folder that a row stands for, as a place that is reached by its path; `nil` for a row of
  /// anything else, and where the folder that is shown might be another one.
  func dropPoint(of row: ShownFolder) async -> DropPointID?

  /// The names of the folders that each of these lies in; `nil` for one that can't be found.
  func surroundings(of folders: [ShownFolder]) async -> [String?]

  /// The files and folders with these addresses ("file:///a.txt"), in their order; empty when
  /// they are not all there.
  func files(
    at addresses: [String], shownIn container: ContainerID
  ) async -> [DragSourceDescriptor]

  /// The entries that are shown with these names in a window of a program for archives, taken out as
  /// files that can be copied; none where the window shows no archive.
  ///
  /// - Parameter archive: the window's whole title, and all that it lists.
  /// - Throws: what kept it from taking them out.
  func members(
    named names: [String], in archive: ShownFolder, shownIn container: ContainerID
  ) async throws(Reason) -> [DragSourceDescriptor]

  /// Whether a source is a file that was taken out of an archive.
  func isMember(_ source: DragSourceID) -> Bool

  /// A program is given these now; files that were taken out of archives have to stay.
  func give(_ items: [DragItem])

  /// It is known what became of these: they have landed elsewhere, or are carried on.
  func settle(_ items: [DragItem], haveLanded: Bool)

  /// Removes the files that were taken out of archives, but for those that a program may still read.
  /// May block.
  func removeFiles()
}

extension FileFinding {
  package func members(
    named names: [String], in archive: ShownFolder, shownIn container: ContainerID
  ) async throws(Reason) -> [DragSourceDescriptor] { [] }

  package func isMember(_ source: DragSourceID) -> Bool { false }

  package func give(_ items: [DragItem]) {}

  package func settle(_ items: [DragItem], haveLanded: Bool) {}

  package func removeFiles() {}

  package func folders(in folder: ShownFolder) async -> [String]? { nil }

  package func dropPoint(of row: ShownFolder) async -> DropPointID? { nil }

  package func surroundings(of folders: [ShownFolder]) async -> [String?] {
    folders.map { _ in nil }
  }
}
