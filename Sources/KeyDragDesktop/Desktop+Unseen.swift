import KeyDragCore

/// The list of a view of files, with what is scrolled out of sight.
struct FolderColumn: Hashable, Sendable {
  /// By what the window says which folder it shows.
  private var title: String
  private var trail: [String]
  /// The folders that the disk had in it then.
  var folders: Set<String>
  /// A row of it as it was seen; what can't be seen is of its kind.
  let sample: Place
  /// The position of each row.
  var order: [ElementID: Int]
  /// The rows that are folders; those that share their names are none.
  var rows: [ColumnRow]
  /// The names of a later reading that lacked some of these; `nil` where the last one had all.
  private var doubted: [String]?

  init(
    _ all: [ColumnRow], of folder: ShownFolder, with folders: Set<String>, like sample: Place
  ) {
    (self.folders, self.sample) = (folders, sample)
    (title, trail) = (folder.title, folder.trail)
    order = Dictionary(
      zip(all.map(\.element), all.indices), uniquingKeysWith: { first, _ in first })
    let counts = Dictionary(all.map { ($0.name, 1) }, uniquingKeysWith: +)
    rows = all.filter { folders.contains($0.name) && counts[$0.name] == 1 }
  }

  /// Whether it is that of the same folder, perhaps with less in it, or more.
  func isOf(_ folder: ShownFolder) -> Bool { title == folder.title && trail == folder.trail }

  /// Whether it is still as it was, as far as that can be seen.
  func fits(_ shown: [Place], _ folders: Set<String>) -> Bool {
    self.folders == folders
      && shown.allSatisfy { place in place.element.map { order[$0] != nil } ?? false }
  }

  /// Whether it has all of the rows of an earlier one that are still on the disk. A list that scrolls,
  /// or into which rows come, is misread for a moment, and a person may stand at one of them.
  func keeps(_ earlier: FolderColumn) -> Bool {
    Set(rows.map(\.name)).isSuperset(of: earlier.still(folders)?.rows.map(\.name) ?? [])
  }

  /// The one to be kept of an earlier one and this: one that has lost rows is believed once it was read
  /// twice, as where a filter hides some.
  func replacing(_ earlier: FolderColumn) -> FolderColumn {
    if keeps(earlier) || !rows.isEmpty && earlier.doubted == rows.map(\.name) { return self }
    var earlier = earlier
    earlier.doubted = rows.map(\.name)
    return earlier
  }

  /// Without what the disk has no more; `nil` where nothing is left.
  func still(_ folders: Set<String>) -> FolderColumn? {
    var column = self
    column.rows.removeAll { !folders.contains($0.name) }
    return column.rows.isEmpty ? nil : column
  }
}

/// Folders of a view of files that can't be seen, as places.
struct UnseenFolders: Sendable {
  var places: [Place]
  var order: [ElementID: Int]

  init(_ column: FolderColumn, beside shown: [Place]) {
    order = column.order
    let sample = column.sample
    // By name: a list into which rows come gives an element another name for a moment.
    let names = Set(shown.map(\.name))
    places = column.rows.filter { !names.contains($0.name) }.map { row in
      var place = Place(
        element: row.element, name: row.name, spokenName: PlaceNamer.short(row.name),
        role: sample.role, traits: sample.traits, origin: sample.origin)
      place.isOutOfSight = true
      return place
    }
  }

  /// Puts them among the others in the order of the list, so that it stays the same when the list
  /// is scrolled under the walk.
  func add(to all: inout [Place]) {
    let rows = all.indices.filter { all[$0].element.map { order[$0] != nil } ?? false }
    let view = all.firstIndex { $0.role == .folderView }
    let start = rows.first ?? view.map { $0 + 1 } ?? all.count
    let listed = (rows.map { all[$0] } + places).sorted { place(of: $0) < place(of: $1) }
    for index in rows.reversed() { all.remove(at: index) }
    all.insert(contentsOf: listed, at: start)
  }

  /// Rows that the list does not know come last.
  private func place(of place: Place) -> Int {
    place.element.flatMap { order[$0] } ?? Int.max
  }
}

extension Desktop {
  /// How long folders that can't be seen are waited for before a window is told without them.
  static let columnPatience = Duration.milliseconds(100)
  /// The same where nobody would hear of them later.
  static let fullColumnPatience = Duration.seconds(5)
  /// Longer lists are not read as a whole.
  private static let mostRows = 5_000

  /// The folders of a window's view of files that are scrolled out of sight; `nil` where there are
  /// none, where the folder can't be found on the disk, or where they are told later.
  func unseenFolders(
    beside found: [Place], in container: ContainerID, _ patience: Duration?
  ) async -> UnseenFolders? {
    let view = window(container).flatMap { folderView(among: found, of: $0) }
    let shown = Self.rows(of: found, in: view)
    guard let finder = parts.finder, let folder = window(container)?.folder else { return nil }
    // A list that is being scrolled shows no row for a moment, or what the disk has not.
    let before = window(container)?.column.flatMap { $0.isOf(folder) ? $0 : nil }
    guard let sample = shown.first(where: { $0.element != nil }) ?? before?.sample,
      let row = sample.element
    else { return nil }
    let names = Set(shown.map(\.name))
    let folders = await finder.folders(in: folder, on: clock) ?? before?.folders
    guard let folders, !folders.isSubset(of: names), let window = window(container),
      let program = window.program
    else { return nil }
    if before?.fits(shown, folders) != true, let patience, let reader = parts.programs {
      let reading = Task {
        let rows = await reader.column(of: row, in: program, most: Self.mostRows)
        let column = FolderColumn(rows, of: folder, with: folders, like: sample)
        self.keepColumn(before.map(column.replacing) ?? column, of: container)
      }
      let isInTime = await clock.wait(patience, else: false) {
        await reading.value
        return true
      }
      if !isInTime {
        Task {
          await reading.value
          await self.listAnew(container)
        }
      }
    }
    // While it is read anew, what was there a moment ago is kept as well.
    guard let column = self.window(container)?.column, column.isOf(folder),
      let still = column.still(folders)
    else { return nil }
    return UnseenFolders(still, beside: shown)
  }
}
