import KeyDragCore
import KeyDragThreads
import SystemPackage

/// Drop points outside any listing, collected at each pick-up: a new folder in each root, and
/// shortcuts to folders elsewhere, which follow the tasks.
final class ExtraDropPoints: Sendable {
  private let registry: PlaceRegistry
  private let phrases: Phrasebook
  /// Recent drop targets; `nil` for no shortcuts.
  private let recent: (@Sendable () -> [FilePath])?
  /// With a timeout for folders that are only suggestions: a network disk may hang. A slow one is
  /// asked again at the next pick-up.
  private let pool = CallPool<FilePath>(patience: .milliseconds(100), threads: 16)
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

  /// Distinct folders elsewhere, without those already shown or not responding.
  func shortcuts(for items: [DragItem]) async -> [DropPointDescriptor] {
    // Without roots, no folders are walked.
    guard let recent, !items.isEmpty, !registry.roots.isEmpty else { return [] }
    // Bookmarks first: a folder in both lists keeps its user-defined name.
    let named = recent().map { (name: $0.spokenName, folder: $0) }
    let places = (bookmarks() + named).filter { !registry.isShown($0.folder) }
    let there = await pool.values(places.map(\.folder)) {
      FolderResolver.folder(places[$0].folder)?.identity
    }
    var met: Set<FileIdentity> = []
    let distinct = zip(places, there).filter { _, identity in
      identity.flatMap(\.self).map { met.insert($0).inserted } ?? false
    }.map { $0.0 }
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
}
