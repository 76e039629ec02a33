import KeyDragCore

/// The folders that windows show: items picked up there are files.
extension Desktop {
  /// The folder that a window shows, if any, or why that is unknown.
  ///
  /// - Parameter isAnew: whether to read the whole window. Otherwise only the path bar of one that
  ///   was read before is read, which with the title identifies the folder.
  func folder(
    of container: ContainerID, isAnew: Bool = false
  ) async -> Result<DisplayedFolder?, Reason> {
    if !isAnew, let folder = await folderAgain(container) { return .success(folder) }
    switch await read(container, asksActions: false) {
    case .success(let found?):
      keepFolder(found, of: container)
      return .success(window(container)?.folder)
    case .success(nil), .failure(.gone): return .success(nil)
    case .failure(let reason): return .failure(reason)
    }
  }

  /// One of the person's bookmarked folders, identified by its name and its index among those of
  /// that name.
  func bookmark(_ point: DropPointID) -> DisplayedFolder? {
    guard let spot = spot(point), let points = window(spot.window)?.points else { return nil }
    let places = points.compactMap { self.spot($0.id)?.place }
    return Self.bookmarks(among: places).first { places[$0.index] == spot.place }?.folder
  }

  /// The bookmarks among the places, with what identifies each.
  private static func bookmarks(among places: [Place]) -> [(index: Int, folder: DisplayedFolder)] {
    let indices = places.indices.filter {
      places[$0].traits.isDropPoint && places[$0].traits.destination == .bookmark
    }
    return Dictionary(grouping: indices) { places[$0].name }.flatMap { name, twins in
      twins.enumerated().map { number, index in
        var folder = DisplayedFolder(title: name)
        folder.bookmark = DisplayedFolder.Bookmark(index: number, count: twins.count)
        return (index, folder)
      }
    }
  }

  /// Names bookmarks that share a name by the folders that they lie in.
  func tellingBookmarksApart(_ places: [Place]) async -> [Place] {
    let twins = Self.bookmarks(among: places).filter { places[$0.index].twins > 1 }
    guard let finder = parts.finder, !twins.isEmpty else { return places }
    let around = await clock.wait(Self.diskPatience, else: twins.map { _ in nil }) {
      await finder.surroundings(of: twins.map(\.folder))
    }
    var told = places
    for (twin, around) in zip(twins, around) {
      guard let around else { continue }
      let name = parts.phrases.twin(places[twin.index].sharedName, in: around)
      // The folders that they lie in may share a name, too.
      guard !told.contains(where: { $0.spokenName == name }) else { return places }
      told[twin.index].spokenName = name
    }
    return told
  }

  private func folderAgain(_ container: ContainerID) async -> DisplayedFolder? {
    guard let window = window(container), let folder = window.folder, let trail = window.trail,
      window.program?.isResponding == true,
      let elements = try? await elements(below: trail, in: window, with: AccessibleRoles.trail)
    else { return nil }
    // Rows of a folder with the same name but another path must not match.
    guard !folder.rows.isEmpty, !folder.trail.isEmpty, folder.title == window.title.whole,
      folder.trail == DisplayedFolder.trail(in: elements, title: folder.title).names
    else { return nil }
    return folder
  }

  /// The view of a folder, as named by the profile. The desktop is one, and so is the whole window
  /// of a file manager without an accessibility tree; `nil` for a window that shows no folder.
  func folderView(among places: [Place], of window: Window) -> Place? {
    let view = places.first { $0.traits.isDropPoint && $0.role == .folderView }
    guard view == nil, window.facts.isDesktop || window.frame == nil && showsFiles(window) else {
      return view
    }
    return places.first { $0.traits.isDropPoint && ($0.traits.isView || $0.role == .window) }
  }

  /// Turns a window's main list into a folder view if it lists a folder that its program watches or
  /// writes the path of, whatever program that is.
  func withFolderView(_ found: Found, of container: ContainerID) async -> Found {
    guard let window = window(container), let finder = parts.finder,
      folderView(among: found.places, of: window) == nil,
      let index = unknownView(among: found.places, of: window)
    else { return found }
    var found = found
    found.addresses = await addresses(among: found.elements)
    found.isGuessed = true
    let folder = shownFolder(by: found.places[index], among: found, of: window)
    guard window.folderMiss != folder else { return found }
    let known = await clock.wait(Self.diskPatience, else: nil) { await finder.folders(in: folder) }
    guard known != nil else {
      noteNoFolder(folder, of: container)
      found.isGuessed = false
      return found
    }
    found.places[index].role = .folderView
    if found.places[index].traits.isView { found.places[index].traits.source = .files }
    let name = folder.addresses.isEmpty ? window.title.name : folder.spokenName
    found.places[index].name = name
    found.places[index].spokenName = parts.phrases.place(
      PlaceNamer.short(name), parts.phrases.word(for: .folderView))
    return found
  }

  /// The first list with rows, preferably the main one; the whole window if its program exposes no
  /// contents and titles it with a path.
  private func unknownView(among places: [Place], of window: Window) -> Int? {
    if window.frame == nil {
      guard TechnicalName.isPath(window.title.whole) else { return nil }
      return places.firstIndex { $0.traits.isDropPoint && $0.role == .window }
    }
    let lists = places.indices.filter { index in
      let place = places[index]
      return place.traits.isDropPoint && [.list, .tree].contains(place.role)
        && Self.rows(of: places, in: place).contains { ![place.name, ".."].contains($0.name) }
    }
    return lists.first { places[$0].traits.isView } ?? lists.first
  }

  private static let mostFields = 3
  /// In bytes: `PATH_MAX` of Linux.
  private static let longestPath = 4_096

  /// The paths in text fields of a window, such as the address bar of a file manager.
  private func addresses(among elements: [ElementFacts]) async -> [String] {
    guard let reader = parts.programs else { return [] }
    let fields = elements.filter { AccessibleRoles.fields.contains($0.role) }
    var found: [String] = []
    for field in fields.prefix(Self.mostFields) {
      let text = try? await reader.text(of: field.id, most: Self.longestPath)
      // The root may be an archive's.
      if let text, text.hasPrefix("/"), text != "/", !text.contains("\n") { found.append(text) }
    }
    return found
  }

  /// A folder as shown in a view, with at most ``DisplayedFolder/mostRows`` rows.
  func shownFolder(by view: Place, among found: Found, of window: Window) -> DisplayedFolder {
    var folder = DisplayedFolder(
      title: window.title.whole,
      trail: DisplayedFolder.trail(in: found.elements, title: window.title.whole).names,
      // A row that is not created yet has no name.
      rows: Array(
        Self.rows(of: found.places, in: view).map(\.name).filter { !$0.isEmpty }
          .prefix(DisplayedFolder.mostRows)),
      processID: window.program?.processID ?? window.facts.processID)
    (folder.addresses, folder.isGuessed) = (found.addresses, found.isGuessed)
    folder.isDesktop = window.facts.isDesktop
    return folder
  }

  /// The folder that a row may stand for outside a view of files, or the path in the title of a
  /// window that tells nothing: see ``DisplayedFolder/isNamedRowOnly``.
  func folder(namedBy point: DropPointID) -> DisplayedFolder? {
    guard let spot = spot(point), !spot.isInFolder,
      spot.place.traits.destination == nil, let window = window(spot.window)
    else { return nil }
    let isPath = window.frame == nil && window.title.whole.hasPrefix("/")
    guard spot.isRow || isPath else { return nil }
    var folder = DisplayedFolder(
      title: spot.isRow ? spot.place.name : window.title.whole,
      processID: window.program?.processID ?? window.facts.processID)
    folder.isNamedRowOnly = true
    return folder
  }

  /// Whether a window is the desktop, or its program's profile says that it shows files.
  func showsFiles(_ window: Window) -> Bool {
    let program = window.program ?? ProgramFacts(bus: "", name: "")
    let profile = parts.profiles.profile(for: program, window: window.facts)
    return window.facts.isDesktop
      || profile?.rules.contains { $0.traits.isView && $0.traits.source == .files } == true
  }

  /// The places in a view that stand for files or folders.
  static func rows(of places: [Place], in view: Place?) -> [Place] {
    places.filter { place in
      place.traits.isDropPoint && lies(place, in: view)
        && place.isRow
    }
  }

  /// Whether a place is the view or has its center in it; `false` if either is off the screen.
  static func lies(_ place: Place, in view: Place?) -> Bool {
    guard let view else { return false }
    if place == view { return true }
    guard let inner = place.rectangle, let outer = view.rectangle else { return false }
    return outer.contains(inner.center)
  }

  /// The active window, if it is the desktop or its profile says that it shows files.
  var filesInFront: (container: ContainerID, id: WindowID)? {
    guard let (container, window) = front, showsFiles(window) else { return nil }
    return (container, window.facts.id)
  }

  /// The folder around a place, with the row if it is one; `nil` where no files can be looked for.
  func shownFolder(_ point: DropPointID) -> DisplayedFolder? {
    guard let spot = spots[point], spot.place.traits.destination != .trash else { return nil }
    if spot.place.traits.destination == .bookmark { return bookmark(point) }
    guard spot.isInFolder, var folder = window(spot.window)?.folder else {
      return nil
    }
    if spot.isRow { folder.row = spot.place.name }
    return folder
  }

  /// The same after reading the window again.
  func shownFolderAnew(_ point: DropPointID) async -> DisplayedFolder? {
    guard let spot = spots[point] else { return nil }
    _ = await folder(of: spot.window, isAnew: true)
    return shownFolder(point)
  }

  /// Timeout for the disk while a person waits: a folder on a vanished server never answers.
  static let diskPatience = Duration.milliseconds(500)

  /// Timeout before a pick-up or a drop, which then fails: a disk may have to spin up.
  static let dropPatience = Duration.seconds(3)

  /// Timeout for an archive, which is read from its beginning.
  static let archivePatience = Duration.seconds(10)

  /// Timeout after a drop, restarted by each sign of progress: a program may keep the disk busy.
  static let landingPatience = Duration.seconds(10)

  /// The places of a window except files that accept nothing: in a folder of hundreds only the few
  /// that do are worth walking, and the folder itself is listed once.
  func withoutPlainFiles(_ places: [Place], in container: ContainerID) async -> [Place] {
    guard let finder = parts.finder, let folder = window(container)?.folder else { return places }
    let view = window(container).flatMap { folderView(among: places, of: $0) }
    let rows = Self.rows(of: places, in: view)
    guard !rows.isEmpty else { return places }
    let plain = await clock.wait(Self.diskPatience, else: []) {
      await finder.plainFiles(among: rows.map(\.name), in: folder)
    }
    let left = Set(rows.filter { plain.contains($0.name) }.compactMap(\.element))
    return places.filter { place in place.element.map { !left.contains($0) } ?? true }
  }

  /// The file view of a window if it exposes no contents; `nil` if the window has moved since it
  /// was read.
  func silentView(of container: ContainerID) -> OpaqueFileView? {
    guard let window = window(container), let view = window.silentView,
      view.window == window.facts.rectangle
    else { return nil }
    return view
  }

  /// Reads a file manager's window as soon as its list has the focus, so that a chord need not wait
  /// for it.
  func learnFolder(around focus: FocusFacts) async {
    // A view that exposes no contents is an area like any other.
    let roles = AccessibleRoles.rowsAndLists.union(AccessibleRoles.areas)
    guard roles.contains(focus.element.role),
      let container = container(of: focus), let window = window(container), !window.isFolderChecked,
      let program = window.program,
      let profile = parts.profiles.profile(for: program, window: window.facts),
      profile.rules.contains(where: { $0.traits.isView && $0.traits.source == .files })
    else { return }
    // Before the reading, so that the next key does not start another.
    noteReading(of: container)
    _ = await folder(of: container, isAnew: true)
    // A program builds its menus on the first request, which takes a while.
    if silentView(of: container) != nil { _ = await offers(.copy, in: container) }
  }
}

/// The bounds of a file view that exposes no contents: only its program knows the selection.
package struct OpaqueFileView: Hashable, Sendable {
  private let rectangle: ScreenRectangle
  /// The window's rectangle at that time.
  let window: ScreenRectangle

  /// Fails for a view that has rows, shows no files or is off the screen.
  init?(_ view: Place?, _ rows: [Place], in window: WindowFacts) {
    guard let view, view.traits.isView, view.traits.source == .files, rows.isEmpty,
      let rectangle = view.rectangle
    else { return nil }
    (self.rectangle, self.window) = (rectangle, window.rectangle)
  }

  /// The one file view among the places, if it exposes none of its contents.
  ///
  /// An empty folder has no rows either, but the list that they would be in.
  package static func untold(among places: [Place], _ elements: [ElementFacts]) -> Place? {
    let views = places.filter { $0.traits.isView && $0.traits.source == .files }
    guard views.count == 1, let view = views.first, let index = view.index else { return nil }
    let told = AccessibleRoles.rows.union(AccessibleRoles.containers).union(AccessibleRoles.icons)
    let isTold = elements.indices.contains { element in
      element != index && told.contains(elements[element].role)
        && elements.ancestors(of: element).contains(index)
    }
    return isTold ? nil : view
  }

  /// By its center; `false` for an element off the screen.
  func contains(_ element: ElementFacts) -> Bool {
    element.rectangle.map { rectangle.contains($0.center) } ?? false
  }
}

extension DisplayedFolder {
  /// The names in the path bar, outermost first, and the index of its parent: the longest row of
  /// buttons that includes the window's title, else the longest with a toggle button.
  static func trail(
    in elements: [ElementFacts], title: String
  ) -> (names: [String], around: Int?) {
    let buttons = elements.filter { AccessibleRoles.trail.contains($0.role) }
    let rows = Dictionary(grouping: buttons) { $0.parent }
    let named = rows.mapValues { $0.map(\.name) }
    func isBar(_ names: [String]) -> Bool { names.contains(title) && names.count > 1 }
    let bars = named.filter { isBar($0.value) }
    let others = named.filter { row in
      rows[row.key]?.contains { AccessibleRoles.switches.contains($0.role) } == true
    }
    let longest = (bars.isEmpty ? others : bars).max { $0.value.count < $1.value.count }
    guard let longest else { return ([], nil) }
    // Some begin with the innermost and end with the root, which may be nameless.
    let isReversed = longest.value.first == title || ["/", ""].contains(longest.value.last)
    let names = isReversed && longest.value.count > 1 ? longest.value.reversed() : longest.value
    return (names, longest.key)
  }
}
