import Dispatch
import KeyDragCore
import Synchronization
import SystemPackage

/// Drop points outside any listing, collected at each pick-up on its thread: a new folder in each
/// root, and shortcuts to folders elsewhere, which follow the tasks.
final class ExtraDropPoints: Sendable {
  private let registry: PlaceRegistry
  private let phrases: Phrasebook
  /// Recent drop targets; `nil` for no shortcuts.
  private let recent: (@Sendable () -> [FilePath])?
  /// Folders whose disks have not responded yet.
  private let asked = Mutex<Set<FilePath>>([])
  /// Bookmarks of file managers, read at each pick-up.
  private let bookmarks: @Sendable () -> [(name: String, folder: FilePath)]

  init(
    registry: PlaceRegistry, phrases: Phrasebook, recent: (@Sendable () -> [FilePath])?,
    bookmarks: @escaping @Sendable () -> [(name: String, folder: FilePath)] = {
      Bookmarks().places
    }
  ) {
    (self.registry, self.phrases) = (registry, phrases)
    (self.recent, self.bookmarks) = (recent, bookmarks)
  }

  /// A new folder in each root; empty if nothing is carried.
  func newFolders(for items: [DragItem]) -> [DropPointDescriptor] {
    guard let container = items.first?.container else { return [] }
    return registry.roots.map { newFolder(in: $0, listedIn: container) }
  }

  func newFolder(in folder: ContainerDescriptor) -> DropPointDescriptor {
    newFolder(in: folder, listedIn: folder.id)
  }

  private func newFolder(
    in folder: ContainerDescriptor, listedIn container: ContainerID
  ) -> DropPointDescriptor {
    var point = DropPointDescriptor(
      id: PointID.newFolder(folder.id.rawValue).point,
      name: phrases.newFolderName(in: folder.name), container: container, leadsTo: folder.id,
      task: .newFolder)
    point.tree = folder.tree
    return point
  }

  /// Distinct folders elsewhere, without those already shown or not responding. Blocks for at most
  /// ``patience``.
  func shortcuts(for items: [DragItem]) -> [DropPointDescriptor] {
    // Without roots, no folders are walked.
    guard let recent, !items.isEmpty, !registry.roots.isEmpty else { return [] }
    // Bookmarks first: a folder in both lists keeps its user-defined name.
    let named = recent().map { (name: $0.spokenName, folder: $0) }
    let places = (bookmarks() + named).filter { !registry.isShown($0.folder) }
    let there = identities(of: places.map(\.folder))
    var met: Set<FileIdentity> = []
    let distinct = places.filter { place in
      there[place.folder].map { met.insert($0).inserted } ?? false
    }
    return distinct.compactMap { place in
      guard let number = registry.folder(at: place.folder) else { return nil }
      let id = ContainerID(number, of: .files)
      // It is in no folder shown: its parent says which it is.
      let name = phrases.placeName(
        SpokenName.file(place.name), in: place.folder.folder.spokenName, app: nil)
      var point = DropPointDescriptor(
        id: PointID.folder(number).point, name: name, container: id, leadsTo: id)
      point.isShortcut = true
      point.tree = registry.tree(of: number)
      return point
    }
  }

  /// Timeout for folders that are only suggestions: a network disk may hang.
  private static let patience = DispatchTimeInterval.milliseconds(150)

  /// Which of these are folders, as far as their disks respond in time. A slow disk is asked again
  /// at the next pick-up.
  private func identities(of folders: [FilePath]) -> [FilePath: FileIdentity] {
    let group = DispatchGroup()
    let found = Found()
    for folder in folders {
      // At most one pending question per folder.
      guard asked.withLock({ $0.insert(folder).inserted }) else { continue }
      DispatchQueue(label: "keydrag.shortcuts").async(group: group) { [self] in
        let stamp = FolderResolver.folder(folder)
        asked.withLock { _ = $0.remove(folder) }
        if let stamp { found.add(folder, stamp.identity) }
      }
    }
    _ = group.wait(timeout: .now() + Self.patience)
    return found.all
  }
}

/// Results collected from several queues. Late ones go unread.
private final class Found: Sendable {
  private let identities = Mutex<[FilePath: FileIdentity]>([:])

  var all: [FilePath: FileIdentity] { identities.withLock { $0 } }

  func add(_ folder: FilePath, _ identity: FileIdentity) {
    identities.withLock { $0[folder] = identity }
  }
}
