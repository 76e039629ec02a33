import KeyDragCore

/// The known state of the desktop: windows, their programs, and the places in them, each with a
/// stable number. Every query of programs and the display suspends: state read before an `await`
/// may be stale after it.
actor Desktop {
  struct Window: Sendable {
    var facts: WindowFacts
    /// The time at which ``facts`` were read, on ``Desktop/time``.
    var seen: Duration
    var program: ProgramFacts?
    var frame: FrameFacts?
    var descriptor: ContainerDescriptor
    var title: WindowTitle.Subject
    var folder: DisplayedFolder?
    /// The contents of its main list that match no folder: a negative cache.
    var folderMiss: DisplayedFolder?
    /// The element around the path bar.
    var trail: ElementID?
    /// Whether it was searched for a folder view.
    var isFolderChecked = false
    /// `nil` where the file view exposes its contents, or was not read.
    var silentView: OpaqueFileView?
    /// The file view if it has no list element, and so does not tell even an empty folder.
    var untold: Place?
    /// `nil` until it has been listed.
    var points: [DropPointDescriptor]?
    /// Elements that can be picked up as pictures.
    var objects: Set<ElementID> = []
    var places = PlaceIdentities()
    /// The number of the reading that ``points`` come from.
    var kept = 0
    /// Places that can only be picked up, and the indices of the profile's rules that matched.
    var others: [Place] = []
    var usedRules: Set<Int> = []
    var isListedLater = false
    /// The window's rectangle when ``points`` were found.
    var listed = ScreenRectangle(x: 0, y: 0, width: 0, height: 0)

    /// Whether its contents can be read now.
    var isReadable: Bool { program?.isResponding == true && frame != nil }
  }

  struct PlaceRecord: Sendable {
    var place: Place
    var window: ContainerID
    /// The rectangle of its whole element when the place was found.
    var base: ScreenRectangle?
    /// The offset from the origin of ``base`` at which it accepts what it refuses at its usual
    /// point.
    var hit: ScreenPoint?
    /// The element around a document without a rectangle of its own, which fills it.
    var frame: ElementID?
    /// Lies in a folder view, or is that view.
    var isInFolder = false
    /// An expanded row, or the tab of the page that is shown.
    var isOpen = false
    var isEditable = false
    var list: ElementID?
  }

  let parts: DesktopAdapters
  /// The clock of every wait and timestamp here.
  nonisolated var clock: any Clock<Duration> { parts.clock }
  /// The time since the start, by which cached facts age.
  let time: @Sendable () -> Duration
  /// The active one first, then down the stack.
  private var order: [ContainerID] = []
  private var windows: [ContainerID: Window] = [:]
  private(set) var numbers: [WindowID: ContainerID] = [:]
  private(set) var spots: [DropPointID: PlaceRecord] = [:]
  private var lastContainer: UInt32 = 0
  private var lastPoint: UInt64 = 0
  private(set) var observer: (@Sendable (WorldReport) -> Void)?
  /// Whether the accessibility service answered the last query.
  private(set) var isAccessible = true
  private var isLooking = false
  /// Counts listings, to order them.
  private var readings = 0
  /// Windows already reported, as an answer or as a change; `nil` before either. Looks for other
  /// purposes must not swallow a change.
  private var told: Set<ContainerID>?
  /// Something changed during a look.
  private var isOutdated = false
  /// Windows whose changes are withheld; `true` for one that has changed since.
  private var held: [ContainerID: Bool] = [:]
  private var actions = ElementActionCache()
  /// Windows whose programs did not answer when listed.
  private var unanswered: Set<ContainerID> = []
  /// The total wait for such programs.
  var waited = Duration.zero
  var offered = OfferedCommands()
  private var focusHandler: (@Sendable (Bool) -> Void)?
  private var focusChanges = 0
  /// The number of queries of the active window, and the one last reported.
  var keyboard: (looks: Int, told: ContainerID?) = (0, nil)
  /// Retries of the focus query with a busy program and without a focus, and their interval.
  private static let mostFocusQuestions = 100
  private static let mostLooksForFocus = 10
  private static let focusPause = Duration.milliseconds(200)

  /// More than any person would walk; programs with endless lists exist.
  static let mostElements = 20_000
  /// The maximum age of a window's cached position.
  private static let mostAge = Duration.milliseconds(50)
  /// The most readings of a window that moves meanwhile.
  private static let mostReadings = 3

  init(_ parts: DesktopAdapters) {
    self.parts = parts
    time = parts.clock.stopwatch()
  }

  nonisolated func follow(_ observer: @escaping @Sendable (WorldReport) -> Void) {
    Task { await setObserver(observer) }
    for display in parts.displays {
      try? display.windows.onChange { [weak self] in
        Task { await self?.lookAgain() }
      }
    }
    guard let programs = parts.programs else { return }
    programs.observe { change in
      Task { await self.take(change) }
    }
    // Queried now: a chord takes the focus away while its keys are down.
    Task { await programs.focus() }
  }

  func setObserver(_ observer: @escaping @Sendable (WorldReport) -> Void) {
    self.observer = observer
  }

  func setFocusHandler(_ handler: @escaping @Sendable (Bool) -> Void) async {
    focusHandler = handler
    // An element that is focused already sends no event.
    _ = try? await look()
    await followFocus()
  }

  // MARK: Looking

  /// The windows, for a caller that receives each change from then on.
  func tellWindows() async -> [ContainerDescriptor] {
    guard let now = try? await look() else { return [] }
    told = Set(now.map(\.id))
    return now
  }

  /// Reads windows and programs, and matches them.
  func look() async throws(Reason) -> [ContainerDescriptor] {
    async let asked = parts.programs?.programs()
    guard let found = await parts.displays.windows() else { throw .noDisplay }
    let told = await asked ?? nil
    isAccessible = told != nil
    let programs = told ?? []
    let facts = found.filter {
      $0.processID != parts.ownProcess && $0.id != parts.ownWindow
    }
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
    _ found: WindowFacts, _ told: ProgramFacts?, _ shown: FrameFacts?
  ) -> ContainerID {
    let id = numbers[found.id] ?? nextContainer()
    numbers[found.id] = id
    let (program, frame) = windows[id]?.busy(told) ?? (told, shown)
    let app = WindowTitle.app(program, found)
    let window = titled(found, frame, app)
    let title =
      frame.map(\.title).flatMap { $0.isEmpty || TechnicalName.isClass($0) ? nil : $0 }
      ?? window.title
    let profile = parts.profiles.profile(
      for: program ?? ProgramFacts(bus: "", name: ""), window: window)
    var subject = WindowTitle.Subject(
      of: title, programs: [app, window.className, program?.name ?? ""], until: profile?.titleEnd)
    if subject.name.isEmpty { subject.name = app }
    if window.isDesktop { subject.name = window.title }
    var descriptor = ContainerDescriptor(id: id, name: subject.name, app: app)
    descriptor.isOnAnotherWorkspace = window.isOnAnotherWorkspace
    if var known = windows[id] {
      if known.frame?.element != frame?.element {
        (known.points, known.folder, known.trail, known.isFolderChecked) = (nil, nil, nil, false)
      }
      (known.facts, known.seen, known.program, known.frame) = (window, time(), program, frame)
      (known.descriptor, known.title) = (descriptor, subject)
      windows[id] = known
    } else {
      windows[id] = Window(
        facts: window, seen: time(), program: program, frame: frame, descriptor: descriptor,
        title: subject)
    }
    return id
  }

  /// Disambiguates windows of one program with the same name.
  private func number(_ containers: [ContainerID]) {
    let known = containers.compactMap { id in windows[id].map { (id, $0.called) } }
    for ((id, _), name) in zip(known, WindowName.told(known.map(\.1), parts.phrases)) {
      windows[id]?.descriptor.name = name
    }
  }

  private func nextContainer() -> ContainerID {
    lastContainer += 1
    return ContainerID(lastContainer, of: .windows)
  }

  private func forget(_ container: ContainerID) {
    guard let window = windows.removeValue(forKey: container) else { return }
    unanswered.remove(container)
    numbers[window.facts.id] = nil
    for point in window.places.all { spots[point] = nil }
  }

  // MARK: Places

  func window(_ container: ContainerID) -> Window? { windows[container] }

  func spot(_ point: DropPointID) -> PlaceRecord? { spots[point] }

  /// Moves the aim at a place to another point.
  func remember(_ hit: ScreenPoint, as point: DropPointID, asked aim: Aim) {
    guard let spot = spots[point], let base = spot.base else { return }
    let usual = spot.place.point ?? base.center
    spots[point]?.hit = ScreenPoint(
      x: usual.x - base.x + hit.x - aim.at.x, y: usual.y - base.y + hit.y - aim.at.y)
  }

  /// The present places of a window.
  ///
  /// - Parameters:
  ///   - asksActions: whether to find elements, too, that only their actions make places.
  ///   - patience: the timeout for the disk, which tells of folders that are not visible.
  /// - Returns: `notResponding` for a busy program, `gone` for a closed window.
  func list(
    _ container: ContainerID, asksActions: Bool = true, patience: Duration = diskPatience
  ) async -> Result<Listing, Reason> {
    guard let window = windows[container] else { return .failure(.gone) }
    readings += 1
    let reading = readings
    // Changes from here on are reported.
    if let frame = window.frame { parts.programs?.watch([frame.element]) }
    let found = await read(container, asksActions: asksActions)
    unanswered.remove(container)
    switch found {
    case .failure(let reason):
      if reason == .notResponding { unanswered.insert(container) }
      return .failure(reason)
    case .success(nil):
      let found = await withFolderView(
        Found(places: whole(window), elements: []), of: container)
      guard windows[container] != nil else { return .failure(.gone) }
      keepFolder(found, of: container)
      var places = found.places
      await unseenFolders(beside: places, in: container, patience)?.add(to: &places)
      guard windows[container] != nil else { return .failure(.gone) }
      return .success(keep(places, of: container, elements: []))
    case .success(let found?):
      keepFolder(found, of: container)
      let unseen = await unseenFolders(beside: found.places, in: container, patience)
      var places = await tellingBookmarksApart(found.places)
      places = await withoutPlainFiles(places, in: container)
      places = await withTrash(places, in: container)
      unseen?.add(to: &places)
      guard let now = windows[container] else { return .failure(.gone) }
      // The disk may have delayed an older listing beyond a newer one.
      if let points = now.points, now.kept > reading {
        return .success(
          Listing(container: now.descriptor, sources: nil, dropPoints: points))
      }
      windows[container]?.kept = reading
      defer { listLater(container, resizedSince: window) }
      return .success(keep(places, of: container, elements: found.elements))
    }
  }

  struct Found: Sendable {
    var places: [Place]
    var elements: [ElementFacts]
    /// Paths in its fields; empty where its folder is known without them.
    var addresses: [String] = []
    /// Whether its main list was taken for a folder by its contents alone.
    var isGuessed = false
  }

  /// Reads a window; `nil` where only its title is known.
  func read(_ container: ContainerID, asksActions: Bool) async -> Result<Found?, Reason> {
    for reading in 1... {
      guard let window = windows[container] else { return .failure(.gone) }
      if window.program?.isResponding == false { return .failure(.notResponding) }
      guard let reader = parts.programs, let program = window.program, window.frame != nil else {
        return .success(nil)
      }
      let profile = profile(of: window)
      // Concurrent with the reading, which takes longer.
      let moved = isOld(window) ? Task { await refreshFacts(of: container) } : nil
      let elements: [ElementFacts]
      do throws(Reason) {
        elements = try await self.elements(in: window, with: AccessibleRoles.trail)
      } catch {
        return .failure(error)
      }
      let now = await moved?.value
      // Positions are meaningless if the window has moved since.
      if let now, now.rectangle != window.facts.rectangle, reading < Self.mostReadings { continue }
      guard windows[container] != nil else { return .failure(.gone) }
      let known = asksActions ? await learnActions(of: elements, reader) : actions.known
      let told = PlaceFinder.find(
        in: elements, window: now ?? window.facts, program: program, profile: profile,
        actions: known, phrases: parts.phrases)
      // It may have closed while its elements were queried.
      guard windows[container] != nil else { return .failure(.gone) }
      windows[container]?.usedRules = told.usedRules
      let found = Found(places: told.places, elements: elements)
      return .success(await withFolderView(found, of: container))
    }
    return .failure(.gone)
  }

  /// The drag and drop actions of elements; each element is asked once.
  private func learnActions(
    of elements: [ElementFacts], _ reader: any ProgramReading
  ) async -> [ElementID: Set<String>] {
    let unknown = actions.unknown(among: elements)
    guard !unknown.isEmpty else { return actions.known }
    // A busy program is asked again at the next reading.
    guard let answers = try? await reader.actions(of: unknown) else { return actions.known }
    for (element, names) in zip(unknown, answers) { actions.learn(names, of: element) }
    return actions.known
  }

  /// The places of a window of which only the title is known.
  private func whole(_ window: Window) -> [Place] {
    PlaceFinder.find(
      in: [], window: window.facts,
      program: window.program ?? ProgramFacts(bus: "", name: window.facts.className), profile: nil,
      phrases: parts.phrases
    ).places
  }

  /// Gives each place a number that is stable across listings.
  private func keep(
    _ found: [Place], of container: ContainerID, elements: [ElementFacts]
  ) -> Listing {
    let places = found.filter(\.traits.isDropPoint)
    let view = windows[container].flatMap { folderView(among: places, of: $0) }
    var numbers = windows[container]?.places ?? PlaceIdentities()
    let old = spots
    for old in numbers.all { spots[old] = nil }
    let ids = numbers.number(
      places.map { Self.owner(of: $0, in: elements) }, called: places.map(\.spokenName)
    ) { nextPoint() }
    windows[container]?.places = numbers
    windows[container]?.others = found.filter { !$0.traits.isDropPoint }
    windows[container]?.objects = Set(
      found.filter { $0.traits.source == .image }.compactMap(\.element))
    let (title, around) = (windows[container]?.title.name, windows[container]?.facts.rectangle)
    func isWhole(_ place: Place) -> Bool { place.traits.isView || place.role == .window }
    var descriptors: [DropPointDescriptor] = []
    for (id, place) in zip(ids, places) {
      spots[id] = PlaceRecord(
        place: place, window: container,
        base: place.element == nil ? around : place.index.flatMap { elements[$0].rectangle },
        frame: place.index.flatMap { Self.frame(of: $0, in: elements) },
        isInFolder: place.isOffscreen || Self.lies(place, in: view),
        isOpen: place.index.map { Self.isOpen(place, elements[$0].states) } ?? false,
        isEditable: place.index.map { elements[$0].states.contains(.editable) } ?? false,
        list: place.index.flatMap { Self.list(around: $0, in: elements) })
      if spots[id]?.base == old[id]?.base { spots[id]?.hit = old[id]?.hit }
      let canOpen =
        spots[id]?.canOpen == true
        || place.index.map { elements[$0].states.contains(.expandable) } == true
      let isWindow = isWhole(place) && place.name == title
      var name = place.spokenName
      if isWindow { name = windows[container]?.toldApart(name) ?? name }
      var descriptor = DropPointDescriptor(
        id: id, name: name, container: container,
        // A place that fills the window and has its name is the window.
        leadsTo: isWindow ? container : nil,
        // Only the pointer can be aimed between two elements.
        positions: place.traits.route == .pointer ? place.traits.positions : .on,
        canOpen: canOpen)
      descriptor.isElsewhere = place.traits.destination != nil
      descriptors.append(descriptor)
    }
    windows[container]?.points = descriptors
    if let around { windows[container]?.listed = around }
    let descriptor =
      windows[container]?.descriptor ?? ContainerDescriptor(id: container, name: "")
    return Listing(container: descriptor, sources: nil, dropPoints: descriptors)
  }

  static func isOpen(_ place: Place, _ states: ElementStates) -> Bool {
    states.contains(.expanded) || place.role == .tab && states.contains(.selected)
  }

  /// `false` if another listing is scheduled already.
  func expectLayout(of container: ContainerID) -> Bool {
    defer { windows[container]?.isListedLater = true }
    return windows[container]?.isListedLater == false
  }

  func endLayout(of container: ContainerID) { windows[container]?.isListedLater = false }

  func noteReading(of container: ContainerID) { windows[container]?.isFolderChecked = true }

  /// Caches the folder that a window shows, if any.
  func keepFolder(_ found: Found, of container: ContainerID) {
    guard let window = windows[container] else { return }
    let places = found.places
    windows[container]?.isFolderChecked = true
    let view = folderView(among: places, of: window)
    let rows = Self.rows(of: places, in: view)
    windows[container]?.silentView = OpaqueFileView(view, rows, in: window.facts)
    windows[container]?.untold = OpaqueFileView.untold(among: places, found.elements)
    let trail = DisplayedFolder.trail(in: found.elements, title: window.title.whole)
    windows[container]?.trail = trail.around.map { found.elements[$0].id }
    windows[container]?.folder = view.map {
      shownFolder(by: $0, among: found, of: window)
    }
  }

  /// Remembers a list that shows no folder, so that the disk is not queried at each look.
  func noteNoFolder(_ folder: DisplayedFolder, of container: ContainerID) {
    windows[container]?.folderMiss = folder
  }

  private func nextPoint() -> DropPointID {
    lastPoint += 1
    return DropPointID(lastPoint, of: .windows)
  }

  /// The present facts of a window from the display server; `nil` when it is gone.
  @discardableResult
  func refreshFacts(of container: ContainerID) async -> WindowFacts? {
    guard let id = windows[container]?.facts.id,
      let found = await parts.displays.windows()?.first(where: { $0.id == id })
    else { return nil }
    guard let window = windows[container] else { return found }
    let facts = titled(found, window.frame, window.descriptor.app ?? "")
    windows[container]?.facts = facts
    windows[container]?.seen = time()
    return facts
  }

  /// Whether a window may have moved since its facts were read: moves are not reported.
  private func isOld(_ window: Window) -> Bool { time() - window.seen > Self.mostAge }

  func container(of focus: FocusFacts) -> ContainerID? {
    if let frame = focus.frame?.element {
      let found = windows.first { $0.value.frame?.element == frame }
      if let found { return found.key }
    }
    return windows.first {
      $0.value.facts.isActive && $0.value.facts.processID == focus.program.processID
    }?.key
  }

  /// The active window, by the display server alone.
  var front: (container: ContainerID, window: Window)? {
    windows.first { $0.value.facts.isActive }.map { ($0.key, $0.value) }
  }

  /// Whether a window has the keyboard, or none is reported to.
  func isActive(_ container: ContainerID) -> Bool {
    windows[container]?.facts.isActive == true || !windows.values.contains { $0.facts.isActive }
  }

  // MARK: Changes

  /// Lists a window again and reports it, unless its changes are withheld.
  func listAnew(_ container: ContainerID) async {
    guard held[container] == nil else {
      held[container] = true
      return
    }
    guard case .success(let listing) = await list(container),
      held[container] == nil
    else { return }
    observer?(.changed([.replaced(listing)]))
  }

  /// Withholds changes of a window until ``release(_:tells:)``.
  func hold(_ container: ContainerID) { held[container] = false }

  /// - Parameter tells: whether to report changes in the meantime.
  func release(_ container: ContainerID, tells: Bool) async {
    let hasChanged = held.removeValue(forKey: container) == true
    if tells, hasChanged, case .success(let listing) = await list(container) {
      observer?(.changed([.replaced(listing)]))
    }
  }

  private func take(_ change: ProgramChange) async {
    switch change {
    case .programs, .bus:
      await lookAgain()
      for container in unanswered where windows[container]?.program?.isResponding == true {
        await listAnew(container)
      }
    case .elements(let frame):
      guard let entry = windows.first(where: { $0.value.frame?.element == frame }),
        entry.value.points != nil
      else { return }
      await listAnew(entry.key)
    case .focus: await followFocus()
    }
  }

  /// Reports whether a password field has the focus; unknown counts as one.
  private func followFocus() async {
    focusChanges += 1
    let change = focusChanges
    var isUnknown = false
    for attempt in 0..<Self.mostFocusQuestions {
      let focus = await parts.programs?.focus()
      guard change == focusChanges else { return }
      if let focus {
        focusHandler?(focus.isPassword ?? true)
        if focus.isPassword != nil {
          if focusHandler != nil { await learnFolder(around: focus) }
          return
        }
        isUnknown = true
      }
      // Nothing need have the focus; but a busy program does not say so either.
      guard isUnknown || attempt < Self.mostLooksForFocus else { return }
      try? await clock.sleep(for: Self.focusPause)
    }
  }

  private func lookAgain() async {
    await followKeyboard()
    guard !order.isEmpty else { return }
    // Programs start with a dozen signals; one more look answers all that came during one.
    isOutdated = true
    guard !isLooking else { return }
    isLooking = true
    defer { isLooking = false }
    while isOutdated {
      isOutdated = false
      let earlier = order
      guard let now = try? await look() else { return }
      // Another caller may have got them meanwhile.
      let before = told ?? Set(earlier)
      let there = Set(now.map(\.id))
      told = there
      let gone = before.subtracting(there).sorted { $0.rawValue < $1.rawValue }
      let new = now.filter { !before.contains($0.id) }
      let news =
        gone.map { RegistryChange.containerVanished($0) } + new.map { RegistryChange(appeared: $0) }
      if !news.isEmpty { observer?(.changed(news)) }
    }
  }
}
