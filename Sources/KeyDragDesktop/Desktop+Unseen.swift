import KeyDragCore

/// Folders of a file view that have no element, as places: those scrolled out of sight, or all of
/// them where a program exposes no contents.
struct UnseenFolders: Sendable {
  let places: [Place]
  private let names: Set<String>
  private let order: [String: Int]

  /// - Parameters:
  ///   - folders: the names of all, as the disk sorts them.
  ///   - shown: the visible rows.
  init(_ folders: [String], beside shown: [Place], make: (String) -> Place) {
    let seen = Set(shown.map(\.name))
    names = Set(folders)
    places = folders.filter { !seen.contains($0) }.map(make)
    let positions = Dictionary(zip(folders, folders.indices)) { first, _ in first }
    let found = shown.compactMap { positions[$0.name] }
    if found == found.sorted() {
      order = positions
    } else if found == found.sorted(by: >) {
      order = positions.mapValues { folders.count - $0 }
    } else {
      // The view has another sort order: visible rows come first.
      order = positions.filter { !seen.contains($0.key) }
    }
  }

  /// Inserts them among the visible rows, in the order of the view.
  func add(to all: inout [Place]) {
    let rows = all.indices.filter { index in
      all[index].isRow && all[index].element != nil && names.contains(all[index].name)
    }
    let view = all.firstIndex { $0.role == .folderView }
    let start = rows.first ?? view.map { $0 + 1 } ?? all.count
    let listed = (rows.map { all[$0] } + places).enumerated().sorted {
      (place(of: $0.element), $0.offset) < (place(of: $1.element), $1.offset)
    }
    for index in rows.reversed() { all.remove(at: index) }
    all.insert(contentsOf: listed.map(\.element), at: start)
  }

  private func place(of place: Place) -> Int { order[place.name] ?? -1 }
}

extension Desktop {
  /// The folders of a window's file view that are not visible; `nil` if there are none, or if the
  /// folder is not found on the disk.
  func unseenFolders(
    beside found: [Place], in container: ContainerID, _ patience: Duration
  ) async -> UnseenFolders? {
    guard let finder = parts.finder, let window = window(container), let folder = window.folder,
      !folder.isGuessed, let view = folderView(among: found, of: window)
    else { return nil }
    let shown = Self.rows(of: found, in: view)
    let names = Set(shown.map(\.name))
    guard let folders = await clock.wait(patience, else: nil, { await finder.folders(in: folder) }),
      !names.isSuperset(of: folders)
    else { return nil }
    let phrases = parts.phrases
    let sample = shown.first { $0.element != nil }
    let role = sample?.role ?? .folder
    let isBare = sample.map { $0.spokenName == PlaceNamer.short($0.name) } ?? false
    return UnseenFolders(folders, beside: shown) { name in
      let short = PlaceNamer.short(name)
      var place = Place(
        element: nil, name: name,
        spokenName: isBare ? short : phrases.place(short, phrases.word(for: role)), role: role,
        traits: sample?.traits ?? PlaceTraits(isDropPoint: true),
        origin: sample?.origin ?? view.origin)
      place.isOffscreen = true
      return place
    }
  }

  /// The folder that a row of a file view stands for, as a place of the files' world.
  func folderPoint(ofRow point: DropPointID) async -> DropPointID? {
    guard let finder = parts.finder, spot(point)?.isRow == true, let row = shownFolder(point),
      row.row != nil, !row.isGuessed
    else { return nil }
    return await clock.wait(Self.dropPatience, else: nil) { await finder.dropPoint(of: row) }
  }
}
