import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// Every folder met in this run and what it shows: the numbers of things, and the things of
/// numbers.
///
/// Nothing here touches a file system, so no call waits for one.
///
/// A number is an index and stays its folder's to the end, so that a late answer still means
/// something. Every call takes one lock for a short while; none is made with the lock held.
final class PlaceRegistry: Sendable {
  /// Everything behind the lock.
  struct Tables: Sendable {
    /// By number.
    var folders: [FolderRecord] = []
    /// By absolute path. A folder that is reached by two paths has two numbers.
    fileprivate(set) var numbers: [FilePath: UInt32] = [:]
    /// In the order they were given.
    fileprivate(set) var roots: [UInt32] = []
    /// Of each entry that was picked up, as it was then.
    fileprivate var held: [EntryID: PickedUp] = [:]
  }

  /// A thing as it was when it was picked up. Its inode may be that of another kind of thing by now.
  struct PickedUp: Hashable, Sendable {
    var identity: FileIdentity
    var kind: FileKind

    init(_ facts: FileFacts) {
      identity = facts.identity
      kind =
        switch facts.kind {
        case .folder: .folder
        case .link, .folderLink: .link
        case .file: .file
        default: .special
        }
    }

    func isSame(as stamp: FileStamp) -> Bool { stamp.identity == identity && stamp.kind == kind }
  }

  /// An entry as the file system knows it.
  ///
  /// A copy: it may be gone by now.
  struct Entry: Sendable {
    var id: EntryID
    var folder: FilePath
    /// The name's own bytes.
    var name: [UInt8]
    /// As last listed.
    var kind: ItemKind?
    var tree: UInt32

    /// Made anew each time: of ten thousand most are found by their folder and name.
    var path: FilePath { folder.appending(bytes: name) }
    /// Safe to speak.
    var spokenName: String { SpokenName.file(name) }
  }

  /// Locked in this file and in PlaceListings.swift.
  let state: Mutex<Tables>

  /// Roots get the first numbers, in order, so that `Root.tree` is one.
  init(roots: [Root]) {
    var state = Tables()
    for root in roots {
      let number = UInt32(state.folders.count)
      state.folders.append(
        FolderRecord(path: root.path, name: root.name, parent: nil, tree: UInt32(root.tree)))
      state.numbers[root.path] = number
      state.roots.append(number)
    }
    self.state = Mutex(state)
  }

  /// In the order they were given, whether they are there or not.
  var roots: [ContainerDescriptor] {
    state.withLock { state in state.roots.map { state.container($0) } }
  }

  /// Whether it is one of the folders given.
  func isRoot(_ number: UInt32) -> Bool { state.withLock { $0.roots.contains(number) } }

  /// Whether a path is one of the folders given, or stands in a folder that is shown.
  ///
  /// By the last listing.
  func isShown(_ path: FilePath) -> Bool {
    state.withLock { state in
      if let number = state.numbers[path], state.roots.contains(number) { return true }
      guard let around = state.numbers[path.folder],
        let name = path.name.map({ Array($0.bytes) }), !state.folders[Int(around)].showing.isEmpty,
        let ordinal = name.withUnsafeBufferPointer({
          state.folders[Int(around)].names.ordinal(of: $0)
        })
      else { return false }
      return state.folders[Int(around)].kind(ordinal) != nil
    }
  }

  /// `nil` for a number that was never given.
  func path(of folder: UInt32) -> FilePath? {
    state.withLock { $0.folder(folder)?.path }
  }

  /// The number of a folder that has been met, by its absolute path.
  func number(of path: FilePath) -> UInt32? { state.withLock { $0.numbers[path] } }

  /// Safe to speak; empty for a number that was never given.
  func name(of folder: UInt32) -> String {
    state.withLock { $0.folder(folder)?.name ?? "" }
  }

  /// `nil` for a name that was never listed in a folder that is known.
  func entry(_ source: DragSourceID) -> Entry? {
    state.withLock { $0.entry(EntryID(source)) }
  }

  /// Notes the things that bear their names now: these are carried, whatever bears them at the drop.
  func hold(_ found: [EntryID: PickedUp]) {
    state.withLock { $0.held.merge(found) { _, new in new } }
  }

  /// The things picked up, by path; without those that were not.
  func held(_ entries: [Entry?]) -> [FilePath: PickedUp] {
    state.withLock { state in
      var found: [FilePath: PickedUp] = [:]
      for case let entry? in entries { found[entry.path] = state.held[entry.id] }
      return found
    }
  }

  /// In order, under one lock.
  func entries(_ sources: [DragSourceID]) -> [Entry?] {
    state.withLock { state in sources.map { state.entry(EntryID($0)) } }
  }

  /// The number of the folder an entry is, whether or not it has been shown.
  ///
  /// The first call gives it one.
  func folder(of entry: EntryID) -> UInt32? {
    state.withLock { $0.internFolder(entry) }
  }

  /// The number of the folder around this one; `nil` for the file system's root.
  ///
  /// The first call gives it one.
  func parent(of folder: UInt32) -> UInt32? {
    state.withLock { $0.internParent(of: folder) }
  }

  /// The number of the folder at an absolute path, in the tree of the root that contains it or,
  /// when none does, in a tree of its own.
  ///
  /// `nil` only when all numbers are used up.
  func folder(at path: FilePath) -> UInt32? { state.withLock { $0.internFolder(at: path) } }

  /// The sources that absolute paths are, each in the folder that holds it; the file system's root
  /// is none.
  func sources(at paths: [FilePath]) -> [DragSourceID] {
    state.withLock { state in
      // Most lie in the folder of the one before.
      var latest: UInt32?
      return paths.compactMap { path in
        guard let name = path.name else { return nil }
        if latest.map({ path.lies(in: state.folders[Int($0)].path) }) != true {
          latest = state.internFolder(at: path.folder)
        }
        return latest.map { state.intern(name, in: $0).source }
      }
    }
  }

  /// The source that a path is, given the folder that holds it; made up when it was never listed.
  ///
  /// The entry counts as not shown until a listing or the watch tells of it.
  func landing(_ path: FilePath, in folder: UInt32) -> Landing? {
    landings([path], in: folder).first
  }

  /// The same for many, in order, under one lock.
  func landings(_ paths: [FilePath], in folder: UInt32) -> [Landing] {
    state.withLock { state in
      guard state.folder(folder) != nil else { return [] }
      return paths.compactMap { path in
        guard let last = path.name else { return nil }
        return Landing(
          container: ContainerID(folder, of: .files), source: state.intern(last, in: folder).source,
          name: SpokenName.file(Array(last.bytes)))
      }
    }
  }
}

extension PlaceRegistry.Tables {
  /// `nil` for a number that was never given.
  func folder(_ number: UInt32) -> FolderRecord? {
    Int(number) < folders.count ? folders[Int(number)] : nil
  }

  /// The number must be known.
  func container(_ number: UInt32) -> ContainerDescriptor {
    let folder = folders[Int(number)]
    // A root may lie in another one that is given: its parent is then known by path.
    let parent = folder.parent ?? numbers[folder.path.folder]
    var container = ContainerDescriptor(
      id: ContainerID(number, of: .files), name: folder.name,
      enclosing: parent.flatMap { $0 == number ? nil : ContainerID($0, of: .files) },
      tree: ContainerID(folder.tree, of: .files))
    container.around = folder.around
    return container
  }

  func entry(_ id: EntryID) -> PlaceRegistry.Entry? {
    guard let folder = folder(id.folder), Int(id.ordinal) < folder.names.count else { return nil }
    return PlaceRegistry.Entry(
      id: id, folder: folder.path, name: folder.names.name(id.ordinal),
      kind: folder.kind(id.ordinal), tree: folder.tree)
  }

  /// As it is listed now.
  func source(_ ordinal: UInt32, in number: UInt32, kind: ItemKind) -> DragSourceDescriptor {
    DragSourceDescriptor(
      id: EntryID(folder: number, ordinal: ordinal).source,
      name: spokenName(ordinal, in: number), container: ContainerID(number, of: .files), kind: kind)
  }

  /// The place that a folder, or a link to one, is in its listing.
  ///
  /// It leads to a number only where the folder has been met before.
  func dropPoint(_ ordinal: UInt32, in number: UInt32) -> DropPointDescriptor {
    let folder = folders[Int(number)]
    let known =
      // Without folders there is nothing to look for, and no path is made.
      numbers.isEmpty ? nil : numbers[folder.path.appending(bytes: folder.names.name(ordinal))]
    return DropPointDescriptor(
      id: PointID.entry(EntryID(folder: number, ordinal: ordinal)).point,
      name: spokenName(ordinal, in: number), container: ContainerID(number, of: .files),
      leadsTo: known.map { ContainerID($0, of: .files) }, canOpen: true)
  }

  /// All of a folder as it is shown: itself first, then the folders in it.
  ///
  /// The number must be known.
  func listing(_ number: UInt32) -> Listing {
    let folder = folders[Int(number)]
    var sources: [DragSourceDescriptor] = []
    sources.reserveCapacity(folder.order.count)
    for ordinal in folder.order {
      sources.append(source(ordinal, in: number, kind: folder.kind(ordinal) ?? .file))
    }
    let itself = itself(number)
    let points = folder.order.prefix(folder.folderCount).map { dropPoint($0, in: number) }
    return Listing(
      container: container(number), sources: sources, dropPoints: [itself] + points,
      hiddenCount: folder.hiddenCount)
  }

  /// The folder as a place. Below a folder that is known it is that folder's entry: one place has
  /// one id, wherever it is listed.
  private func itself(_ number: UInt32) -> DropPointDescriptor {
    let folder = folders[Int(number)]
    if let parent = folder.parent, let name = folder.path.name.map({ Array($0.bytes) }),
      let ordinal = name.withUnsafeBufferPointer({ folders[Int(parent)].names.ordinal(of: $0) })
    {
      return DropPointDescriptor(
        id: PointID.entry(EntryID(folder: parent, ordinal: ordinal)).point, name: folder.name,
        container: ContainerID(parent, of: .files), leadsTo: ContainerID(number, of: .files),
        canOpen: true)
    }
    return DropPointDescriptor(
      id: PointID.folder(number).point, name: folder.name,
      container: ContainerID(number, of: .files),
      leadsTo: ContainerID(number, of: .files))
  }

  /// The entry of a name in a folder, which must be known.
  fileprivate mutating func intern(_ name: FileName, in folder: UInt32) -> EntryID {
    let ordinal = name.withBytes { folders[Int(folder)].intern($0) }
    return EntryID(folder: folder, ordinal: ordinal)
  }

  /// See ``PlaceRegistry/folder(of:)``.
  mutating func internFolder(_ id: EntryID) -> UInt32? {
    guard let entry = entry(id) else { return nil }
    if let known = numbers[entry.path] { return known }
    return append(
      FolderRecord(
        path: entry.path, name: entry.spokenName, parent: id.folder, tree: entry.tree))
  }

  /// See ``PlaceRegistry/folder(at:)``.
  mutating func internFolder(at path: FilePath) -> UInt32? {
    if let known = numbers[path] { return known }
    let containing = roots.filter { path.starts(with: folders[Int($0)].path) }
    if let root = containing.first { return internChain(path, below: root) }
    // The root has no name.
    let name = path.name.map { SpokenName.file($0.bytes) } ?? "/"
    return append(
      FolderRecord(path: path, name: name, parent: nil, tree: UInt32(folders.count)))
  }

  /// See ``PlaceRegistry/parent(of:)``.
  mutating func internParent(of number: UInt32) -> UInt32? {
    guard let folder = folder(number) else { return nil }
    if let parent = folder.parent { return parent }
    let path = folder.path.folder
    guard path != folder.path, !path.isEmpty else { return nil }
    return internFolder(at: path)
  }

  /// The number of a path inside a root, with the numbers of all folders on the way.
  ///
  /// Recursive: depth is that of the path.
  private mutating func internChain(_ path: FilePath, below root: UInt32) -> UInt32? {
    if let known = numbers[path] { return known }
    guard let last = path.name,
      let parent = internChain(path.folder, below: root)
    else { return nil }
    let name = SpokenName.file(last.bytes)
    return append(
      FolderRecord(path: path, name: name, parent: parent, tree: folders[Int(parent)].tree))
  }

  /// `nil` when all numbers are used up.
  private mutating func append(_ folder: FolderRecord) -> UInt32? {
    // The last numbers are kept for task places.
    guard folders.count < Int(PointID.taskFolder) else { return nil }
    let number = UInt32(folders.count)
    numbers[folder.path] = number
    folders.append(folder)
    return number
  }

  private func spokenName(_ ordinal: UInt32, in number: UInt32) -> String {
    folders[Int(number)].names.withName(ordinal) {
      // Nearly all are text: without an array for each of a hundred thousand.
      String(validating: $0, as: UTF8.self).map { SpokenName.file($0) }
        ?? SpokenName.file(Array($0))
    }
  }
}
