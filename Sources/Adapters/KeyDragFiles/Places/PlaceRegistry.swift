import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// All folders seen in this run: maps ids to files and back. Does no disk access.
///
/// A folder's number is an index and never reused, so that late answers stay valid. Every call
/// holds one lock briefly and calls nothing else meanwhile.
final class PlaceRegistry: Sendable {
  struct Tables: Sendable {
    var folders: [FolderRecord] = []
    /// By absolute path. A folder reached by two paths has two numbers.
    fileprivate(set) var numbers: [FilePath: UInt32] = [:]
    fileprivate(set) var roots: [UInt32] = []
    /// State at pick-up, by entry.
    fileprivate var held: [EntryID: PickedUp] = [:]
  }

  /// A file's state at pick-up. Its inode may have been reused for another kind of file since.
  struct PickedUp: Hashable, Sendable {
    var identity: FileIdentity
    var kind: FileKind

    init(_ stamp: FileStamp) { (identity, kind) = (stamp.identity, stamp.kind) }

    func isSame(as stamp: FileStamp) -> Bool { stamp.identity == identity && stamp.kind == kind }
  }

  /// A snapshot of an entry, which may be gone by now.
  struct Entry: Sendable {
    var id: EntryID
    var folder: FilePath
    /// Raw bytes.
    var name: [UInt8]
    /// As last listed.
    var kind: ItemKind?
    var tree: UInt32

    /// Computed on each access: most of ten thousand entries are found by folder and name.
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

  /// In the given order, whether they exist or not.
  var roots: [ContainerDescriptor] {
    state.withLock { state in state.roots.map { state.container($0) } }
  }

  func isRoot(_ number: UInt32) -> Bool { state.withLock { $0.roots.contains(number) } }

  /// Whether a path is a root, or is shown in the latest listing of its folder.
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

  /// `nil` for an unassigned number.
  func path(of folder: UInt32) -> FilePath? {
    state.withLock { $0.folder(folder)?.path }
  }

  /// `nil` for a folder not seen yet.
  func number(of path: FilePath) -> UInt32? { state.withLock { $0.numbers[path] } }

  /// Safe to speak; empty for an unassigned number.
  func name(of folder: UInt32) -> String {
    state.withLock { $0.folder(folder)?.name ?? "" }
  }

  /// `nil` for a name that was never listed.
  func entry(_ source: DragSourceID) -> Entry? {
    state.withLock { $0.entry(EntryID(source)) }
  }

  /// Records the files picked up, so that a replacement under the same name is not delivered.
  func hold(_ found: [EntryID: PickedUp]) {
    state.withLock { $0.held.merge(found) { _, new in new } }
  }

  /// Files by path, without those that were not picked up.
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

  /// The number of the folder that an entry is, assigned on the first call.
  func folder(of entry: EntryID) -> UInt32? {
    state.withLock { $0.internFolder(entry) }
  }

  /// The parent's number, assigned on the first call; `nil` for the file system root.
  func parent(of folder: UInt32) -> UInt32? {
    state.withLock { $0.internParent(of: folder) }
  }

  /// The number of a folder by absolute path, in the tree of the root that contains it, or in a
  /// tree of its own. `nil` only if all numbers are used.
  func folder(at path: FilePath) -> UInt32? { state.withLock { $0.internFolder(at: path) } }

  /// Sources for absolute paths, each in its parent folder; skips the file system root.
  func sources(at paths: [FilePath]) -> [DragSourceID] {
    state.withLock { state in
      // Most are in the same folder as the previous one.
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

  /// The source for a path in a folder, created if it was never listed. Not shown until a listing
  /// or the watch reports it.
  func landing(_ path: FilePath, in folder: UInt32) -> Landing? {
    landings([path], in: folder).first
  }

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
  /// `nil` for an unassigned number.
  func folder(_ number: UInt32) -> FolderRecord? {
    Int(number) < folders.count ? folders[Int(number)] : nil
  }

  /// The number must be assigned.
  func container(_ number: UInt32) -> ContainerDescriptor {
    let folder = folders[Int(number)]
    // A root may be inside another one: its parent is found by path then.
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

  func source(_ ordinal: UInt32, in number: UInt32, kind: ItemKind) -> DragSourceDescriptor {
    DragSourceDescriptor(
      id: EntryID(folder: number, ordinal: ordinal).source,
      name: spokenName(ordinal, in: number), container: ContainerID(number, of: .files), kind: kind)
  }

  /// The drop point of a folder, or of a link to one, in its listing. Has a `leadsTo` only if the
  /// folder is known.
  func dropPoint(_ ordinal: UInt32, in number: UInt32) -> DropPointDescriptor {
    let folder = folders[Int(number)]
    let known =
      // Avoids building the path while no folder is known.
      numbers.isEmpty ? nil : numbers[folder.path.appending(bytes: folder.names.name(ordinal))]
    return DropPointDescriptor(
      id: PointID.entry(EntryID(folder: number, ordinal: ordinal)).point,
      name: spokenName(ordinal, in: number), container: ContainerID(number, of: .files),
      leadsTo: known.map { ContainerID($0, of: .files) }, canOpen: true)
  }

  /// A folder's current listing: its own drop point first, then those of its subfolders. The number
  /// must be assigned.
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

  /// The folder's own drop point. If its parent is known, it is the parent's entry, so that a place
  /// has the same id in every listing.
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

  /// The entry of a name in an assigned folder.
  fileprivate mutating func intern(_ name: FileName, in folder: UInt32) -> EntryID {
    let ordinal = name.withBytes { folders[Int(folder)].intern($0) }
    return EntryID(folder: folder, ordinal: ordinal)
  }

  mutating func internFolder(_ id: EntryID) -> UInt32? {
    guard let entry = entry(id) else { return nil }
    if let known = numbers[entry.path] { return known }
    return append(
      FolderRecord(
        path: entry.path, name: entry.spokenName, parent: id.folder, tree: entry.tree))
  }

  mutating func internFolder(at path: FilePath) -> UInt32? {
    if let known = numbers[path] { return known }
    let containing = roots.filter { path.starts(with: folders[Int($0)].path) }
    if let root = containing.first { return internChain(path, below: root) }
    // The root has no name.
    let name = path.name.map { SpokenName.file($0.bytes) } ?? "/"
    return append(
      FolderRecord(path: path, name: name, parent: nil, tree: UInt32(folders.count)))
  }

  mutating func internParent(of number: UInt32) -> UInt32? {
    guard let folder = folder(number) else { return nil }
    if let parent = folder.parent { return parent }
    let path = folder.path.folder
    guard path != folder.path, !path.isEmpty else { return nil }
    return internFolder(at: path)
  }

  /// The number of a path inside a root, assigning numbers to all ancestors in between. Recursive
  /// by path depth.
  private mutating func internChain(_ path: FilePath, below root: UInt32) -> UInt32? {
    if let known = numbers[path] { return known }
    guard let last = path.name,
      let parent = internChain(path.folder, below: root)
    else { return nil }
    let name = SpokenName.file(last.bytes)
    return append(
      FolderRecord(path: path, name: name, parent: parent, tree: folders[Int(parent)].tree))
  }

  /// `nil` if all numbers are used.
  private mutating func append(_ folder: FolderRecord) -> UInt32? {
    // The last numbers are reserved for task places.
    guard folders.count < Int(PointID.taskFolder) else { return nil }
    let number = UInt32(folders.count)
    numbers[folder.path] = number
    folders.append(folder)
    return number
  }

  private func spokenName(_ ordinal: UInt32, in number: UInt32) -> String {
    folders[Int(number)].names.withName(ordinal) {
      // Nearly all names are valid UTF-8 and need no array.
      String(validating: $0, as: UTF8.self).map { SpokenName.file($0) }
        ?? SpokenName.file(Array($0))
    }
  }
}
