import KeyDragCore

/// What is known of the desktop: windows, their programs, and the places in them, each with a number
/// that it keeps while it is there.
actor Desktop {
  /// A window with what belongs to it.
  struct Window: Sendable {
    var facts: WindowFacts
    var program: ProgramFacts?
    var frame: FrameFacts?
    var descriptor: ContainerDescriptor
    /// Names of rows and of the path bar, by which a folder is found on the disk.
    var rows: [String] = []
    var trail: [String] = []
    /// `nil` until it has been looked at.
    var points: [DropPointDescriptor]?
  }

  /// A place with the window that it is in.
  struct Spot: Sendable {
    var place: DesktopPlace
    var window: ContainerID
  }

  /// One element may have several places.
  private struct Key: Hashable {
    var window: ContainerID
    var element: ElementID?
    var part: Int
  }

  private let parts: DesktopWorld.Parts
  private var order: [ContainerID] = []
  private var windows: [ContainerID: Window] = [:]
  private var numbers: [WindowID: ContainerID] = [:]
  private var spots: [DropPointID: Spot] = [:]
  private var points: [Key: DropPointID] = [:]
  private var lastContainer = Desktop.firstContainer
  private var lastPoint = Desktop.firstPoint
  private var changes: (@Sendable ([RegistryChange]) -> Void)?
  private var isLooking = false

  /// Numbers from here on are windows and places in them; below are the sources' own.
  private static let firstContainer: UInt32 = 0x8000_0000
  private static let firstPoint: UInt64 = 0x8000_0000_0000_0000
  /// More than any person would walk; programs with endless lists exist.
  static let mostElements = 20_000

  static func isOurs(_ container: ContainerID) -> Bool { container.rawValue > firstContainer }
  static func isOurs(_ point: DropPointID) -> Bool {
    point.rawValue > firstPoint && point.rawValue >> 32 != UInt64(UInt32.max)
  }

  init(_ parts: DesktopWorld.Parts) { self.parts = parts }

  nonisolated func follow(_ observer: @escaping @Sendable ([RegistryChange]) -> Void) {
    Task { await setObserver(observer) }
    parts.programs?.observe { change in
      Task { await self.take(change) }
    }
  }

  private func setObserver(_ observer: @escaping @Sendable ([RegistryChange]) -> Void) {
    changes = observer
  }

  // MARK: Looking

  /// Reads windows and programs, and joins them.
  func look() async throws(Reason) -> [ContainerDescriptor] {
    guard let reader = parts.windows else { throw .noDisplay }
    async let asked = parts.programs?.programs()
    guard let found = await reader.windows() else { throw .noDisplay }
    let programs = (await asked ?? nil) ?? []
    let facts = found.filter { $0.processID != parts.ownProcess }
    let frames = WindowMatch.frames(of: programs, for: facts)
    let hung = Set(programs.filter { !$0.isResponding }.compactMap(\.processID))
    var current: [ContainerID] = []
    for window in facts where !window.title.isEmpty || !window.className.isEmpty {
      let match = frames[window.id]
      var program = match?.program
      if program == nil, let process = window.processID, hung.contains(process) {
        program = programs.first { $0.processID == process }
      }
      current.append(note(window, program, match?.frame))
    }
    for gone in order where !current.contains(gone) { forget(gone) }
    order = current
    number(current)
    return current.compactMap { windows[$0]?.descriptor }
  }

  private func note(
    _ window: WindowFacts, _ program: ProgramFacts?, _ frame: FrameFacts?
  ) -> ContainerID {
    let id = numbers[window.id] ?? nextContainer()
    numbers[window.id] = id
    let app = WindowTitle.app(program, window)
    let title = frame.map(\.title).flatMap { $0.isEmpty ? nil : $0 } ?? window.title
    let name = WindowTitle.plain(title, of: [app, window.className, program?.name ?? ""])
    let descriptor = ContainerDescriptor(id: id, name: name.isEmpty ? app : name, app: app)
    if var known = windows[id] {
      if known.frame?.element != frame?.element { known.points = nil }
      (known.facts, known.program, known.frame) = (window, program, frame)
      known.descriptor = descriptor
      windows[id] = known
    } else {
      windows[id] = Window(
        facts: window, program: program, frame: frame, descriptor: descriptor)
    }
    return id
  }

  /// Windows of one program with one name get numbers, so that a person can tell them apart.
  private func number(_ containers: [ContainerID]) {
    var seen: [String: Int] = [:]
    for id in containers {
      guard let descriptor = windows[id]?.descriptor else { continue }
      let key = descriptor.name + "\n" + (descriptor.app ?? "")
      seen[key, default: 0] += 1
      if let count = seen[key], count > 1 {
        windows[id]?.descriptor.name = "\(descriptor.name) (\(count))"
      }
    }
  }

  private func nextContainer() -> ContainerID {
    lastContainer += 1
    return ContainerID(lastContainer)
  }

  private func forget(_ container: ContainerID) {
    guard let window = windows.removeValue(forKey: container) else { return }
    numbers[window.facts.id] = nil
    for point in window.points ?? [] { spots[point.id] = nil }
    points = points.filter { $0.key.window != container }
  }

  // MARK: Places

  func name(_ container: ContainerID) -> String { windows[container]?.descriptor.name ?? "" }

  func window(_ container: ContainerID) -> Window? { windows[container] }

  func spot(_ point: DropPointID) -> Spot? { spots[point] }

  /// The places of a window as they are now.
  func list(_ container: ContainerID) async -> Result<Listing, Reason> {
    guard let window = windows[container] else { return .failure(.gone) }
    if window.program?.isResponding == false { return .failure(.notResponding) }
    guard let reader = parts.programs, let program = window.program, let frame = window.frame else {
      return .success(keep([whole(window)], of: container, elements: []))
    }
    let roles = parts.finding.roles(program, window.facts)
    let result = await reader.elements(
      of: frame.element, in: program, roles: roles, most: Desktop.mostElements)
    switch result {
    case .failure(let reason): return .failure(reason)
    case .success(let elements):
      guard windows[container] != nil else { return .failure(.gone) }
      var places = parts.finding.places(elements, program, window.facts)
      if places.isEmpty { places = [whole(window)] }
      reader.watch([frame.element])
      return .success(keep(places, of: container, elements: elements))
    }
  }

  /// The window itself, where no more is known of what is in it.
  private func whole(_ window: Window) -> DesktopPlace {
    DesktopPlace(
      element: nil, rectangle: window.facts.rectangle, name: window.descriptor.name)
  }

  /// Gives each place a number, the same as before where it is the same.
  private func keep(
    _ places: [DesktopPlace], of container: ContainerID, elements: [ElementFacts]
  ) -> Listing {
    var parts: [ElementID?: Int] = [:]
    var descriptors: [DropPointDescriptor] = []
    for place in places {
      let part = parts[place.element, default: 0]
      parts[place.element] = part + 1
      let key = Key(window: container, element: place.element, part: part)
      let id = points[key] ?? nextPoint()
      points[key] = id
      spots[id] = Spot(place: place, window: container)
      descriptors.append(
        DropPointDescriptor(
          id: id, name: place.name, container: container, canOpen: place.canOpen))
    }
    let there = Set(descriptors.map(\.id))
    for old in windows[container]?.points ?? [] where !there.contains(old.id) {
      spots[old.id] = nil
    }
    windows[container]?.points = descriptors
    windows[container]?.rows = places.compactMap(\.row)
    windows[container]?.trail = Trail.names(in: elements)
    let descriptor =
      windows[container]?.descriptor ?? ContainerDescriptor(id: container, name: "")
    return Listing(container: descriptor, sources: nil, dropPoints: descriptors)
  }

  private func nextPoint() -> DropPointID {
    lastPoint += 1
    return DropPointID(lastPoint)
  }

  /// Where a place is now: programs scroll, move and resize.
  ///
  /// - Throws: ``Reason/gone``, ``Reason/notShown`` or ``Reason/notResponding``.
  func locate(_ point: DropPointID) async throws(Reason) -> (window: WindowID, at: ScreenPoint) {
    guard let spot = spots[point], let window = windows[spot.window] else { throw .gone }
    guard let element = spot.place.element, let program = window.program,
      let reader = parts.programs
    else {
      let facts = await parts.windows?.windows()?.first { $0.id == window.facts.id }
      guard let facts else { throw .gone }
      return (facts.id, spot.place.point(in: facts.rectangle))
    }
    guard let answer = await reader.rectangles(of: [element], in: program).first else {
      throw .notResponding
    }
    guard let rectangle = answer, !rectangle.isEmpty else { throw .notShown }
    spots[point]?.place.rectangle = rectangle
    // What sticks out of its window is aimed at where it can be seen.
    let visible = rectangle.intersection(window.facts.rectangle) ?? rectangle
    return (window.facts.id, spot.place.point(in: visible))
  }

  /// What a window shows of a folder, where the place is one in which files can be looked for.
  func shownFolder(_ point: DropPointID) -> ShownFolder? {
    guard let spot = spots[point], spot.place.isFolderView, let window = windows[spot.window] else {
      return nil
    }
    return ShownFolder(
      title: window.descriptor.name, trail: window.trail, rows: Array(window.rows.prefix(50)),
      row: spot.place.row, processID: window.program?.processID ?? window.facts.processID)
  }

  // MARK: Changes

  private func take(_ change: ProgramChange) async {
    switch change {
    case .programs, .bus: await lookAgain()
    case .elements(let frame):
      guard let entry = windows.first(where: { $0.value.frame?.element == frame }),
        entry.value.points != nil, case .success(let listing) = await list(entry.key)
      else { return }
      changes?([.replaced(listing)])
    case .focus: break
    }
  }

  private func lookAgain() async {
    // Programs come with a dozen signals; one look answers them all.
    guard !isLooking, !order.isEmpty else { return }
    isLooking = true
    defer { isLooking = false }
    let before = order
    guard let now = try? await look() else { return }
    let there = Set(now.map(\.id))
    let gone = before.filter { !there.contains($0) }
    if !gone.isEmpty { changes?(gone.map { .containerVanished($0) }) }
  }
}

/// The names in a file manager's path bar, which tell where a folder is.
enum Trail {
  /// - Returns: The names of the longest row of buttons side by side of which one is pressed.
  static func names(in elements: [ElementFacts]) -> [String] {
    let buttons = elements.filter { $0.role == "toggle button" || $0.role == "radio button" }
    let rows = Dictionary(grouping: buttons) { $0.parent }
    let longest = rows.values.max { $0.count < $1.count } ?? []
    return longest.map(\.name)
  }
}
