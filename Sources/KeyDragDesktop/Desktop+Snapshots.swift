import KeyDragCore

/// Visible effects of drops, in the places themselves and beside their windows.
extension Desktop {
  /// Whether nothing is known to begin like this.
  nonisolated func isNothingKnown(_ head: [UInt8]) -> Bool {
    parts.types.type(forName: "x", head: head) == "application/octet-stream"
  }

  /// A snapshot of the contents in which a drop would show; empty where none would.
  func sight(of spot: PlaceRecord) async -> DropEffect.ContentSnapshot {
    await view(of: spot).sight
  }

  /// The same with the order of its rows. The surroundings of a place that is gone remain readable.
  func view(of spot: PlaceRecord) async -> ProgramUndo.View {
    let place = spot.place
    var (sight, order) = (DropEffect.ContentSnapshot(), [String]?.none)
    guard let window = window(spot.window), let reader = parts.programs, window.isReadable else {
      sight.isUnanswered = self.window(spot.window)?.program?.isResponding == false
      return ProgramUndo.View(sight: sight)
    }
    if let element = place.element, DropEffect.texts.contains(place.role) {
      sight.text = try? await reader.text(of: element, most: DropEffect.maxTextLength)
    }
    do throws(Reason) {
      let elements = try await elements(
        in: window, with: AccessibleRoles.telling.union(AccessibleRoles.dialogs),
        most: DropEffect.maxElements)
      sight.things = DropEffect.things(in: elements, around: place.element)
      sight.rowCount = DropEffect.rowCount(in: elements, around: place.element)
      sight.isCut = elements.count >= DropEffect.maxElements
      let rows = AccessibleRoles.rows.union(AccessibleRoles.icons)
      order = elements.filter { rows.contains($0.role) }.map(\.name)
      if sight.text == nil, let text = await text(of: spot, among: elements, reader) {
        sight.text = text.text
        sight.isCut = sight.isCut || text.isCut
      }
    } catch {
      sight.isUnanswered = error == .notResponding
    }
    return ProgramUndo.View(sight: sight, order: order)
  }

  /// The most parts read of a document; the visible portion mostly has fewer.
  static let mostParts = 400

  /// The text of a document that has none itself, or of a cell in one: that of its paragraphs, with
  /// the names of what lies between them, and whether it is truncated; `nil` for any other place.
  private func text(
    of spot: PlaceRecord, among elements: [ElementFacts], _ reader: any ProgramReading
  ) async -> (text: String, isCut: Bool)? {
    let place = spot.place
    // A cell may be another element each time: its table and its name identify it.
    let found =
      elements.firstIndex { $0.id == place.element }
      ?? elements.indices.first { index in
        elements[index].role == AccessibleRoles.cell && elements[index].name == place.name
          && !place.name.isEmpty && Self.list(around: index, in: elements) == spot.list
      }
    guard let own = found, Self.isWritten(own, in: elements) else { return nil }
    let (parts, isCut) = Self.parts(of: own, in: elements)
    let inside = parts.isEmpty ? [elements[own]] : parts
    var lines: [String] = []
    for element in inside {
      let text = try? await reader.text(of: element.id, most: DropEffect.maxTextLength)
      lines.append(text ?? element.name)
    }
    return (lines.joined(separator: "\n"), isCut)
  }

  /// The descendants of an element, truncated to ``mostParts``.
  static func parts(
    of own: Int, in elements: [ElementFacts]
  ) -> (parts: [ElementFacts], isCut: Bool) {
    var isInside = Array(repeating: false, count: elements.count)
    var inside: [ElementFacts] = []
    for index in elements.indices.dropFirst(own + 1) {
      guard let parent = elements[index].parent, parent < index else { continue }
      isInside[index] = parent == own || isInside[parent]
      guard isInside[index] else { continue }
      if inside.count == mostParts { return (inside, true) }
      inside.append(elements[index])
    }
    return (inside, false)
  }

  /// The identity of a place across listings.
  static func owner(of place: Place, in elements: [ElementFacts]) -> PlaceIdentities.Owner {
    // A list reuses its elements for other rows when it scrolls.
    if place.isRow {
      return PlaceIdentities.Owner(element: place.element, name: place.name)
    }
    guard let index = place.index, isWritten(index, in: elements), !place.name.isEmpty,
      elements[index].role == AccessibleRoles.cell, let table = elements[index].parent
    else { return PlaceIdentities.Owner(element: place.element) }
    return PlaceIdentities.Owner(element: elements[table].id, name: place.name)
  }

  /// Whether an element is a document, or a cell in one that is no web page.
  static func isWritten(_ index: Int, in elements: [ElementFacts]) -> Bool {
    if AccessibleRoles.documents.contains(elements[index].role) { return true }
    guard elements[index].role == AccessibleRoles.cell else { return false }
    let roles = elements.ancestors(of: index).lazy.map { elements[$0].role }
    return roles.first { AccessibleRoles.documents.contains($0) }
      .map { !AccessibleRoles.web.contains($0) } ?? false
  }

  static func list(around index: Int, in elements: [ElementFacts]) -> ElementID? {
    elements.ancestors(of: index).first { AccessibleRoles.containers.contains(elements[$0].role) }
      .map { elements[$0].id }
  }

  /// The open windows and menus; `nil` where the display does not say.
  func windowsNow() async -> Set<WindowID>? {
    guard let windows = await parts.displays.windows() else { return nil }
    let menus = await parts.displays.menus()
    return Set((windows + menus).map(\.id))
  }

  /// The question that the program of a window certainly asks: in a menu, or in a window that
  /// blocks that one.
  ///
  /// - Parameter known: a window already found to ask; it counts until it is closed, since not
  ///   every program keeps reporting it.
  func question(
    of container: ContainerID, since start: Drop.Start, known: WindowID?
  ) async -> (question: ProgramQuestion, id: WindowID, isNamed: Bool)? {
    guard let facts = window(container)?.facts, let before = start.windows else { return nil }
    let menus = await parts.displays.menus()
    if let menu = menus.first(where: { !before.contains($0.id) && $0.isOfProgram(of: facts) }) {
      return (.menu, menu.id, true)
    }
    if let known, let windows = await parts.displays.windows(),
      let open = windows.first(where: { $0.id == known && $0.isMapped })
    {
      let title = name(of: open, beside: container)
      return (.dialog(title, hasKeyboard: windows.hasKeyboard(open)), known, true)
    }
    guard let opened = await opened(by: container, since: start), let question = opened.question
    else { return nil }
    // GTK 4 titles a window after its program at first.
    let isNamed = opened.isTold && !opened.title.isEmpty && opened.title != facts.className
    return (question, opened.id, isNamed)
  }

  func titles(around container: ContainerID?) async -> Set<String> {
    guard let facts = container.flatMap({ window($0)?.facts }) else { return [] }
    return Set(await windows(ofProgramOf: facts).map(\.title))
  }

  /// The mapped and titled windows of a window's program, by process or class.
  func windows(ofProgramOf facts: WindowFacts) async -> [WindowFacts] {
    (await parts.displays.windows() ?? []).filter {
      // Some programs start a new process for each file.
      $0.isMapped && !$0.title.isEmpty
        && ($0.isOfProgram(of: facts) || !$0.className.isEmpty && $0.className == facts.className)
    }
  }

  /// Whether a window's program newly shows a document for each name: in a window with a new title,
  /// or in a new window. Dialogs and alerts bear the names of documents, too, and do not count.
  ///
  /// - Parameter inNewWindow: whether only new windows count.
  func hasDocument(
    called names: [String], around container: ContainerID, since start: Drop.Start,
    inNewWindow: Bool
  ) async -> Bool {
    guard !names.isEmpty, let facts = window(container)?.facts else { return false }
    let windows = await windows(ofProgramOf: facts)
    let new = windows.filter {
      !inNewWindow && !start.titles.contains($0.title) || start.windows?.contains($0.id) == false
    }
    let programs = [facts.className, window(container)?.program?.name ?? ""]
    // One title says nothing of the other documents.
    func areNamed(_ windows: [WindowFacts]) -> Bool {
      DropEffect.haveAll(names) { name, number in
        windows.count {
          DocumentTitle.names($0.title, name)
            || DocumentTitle.isStem($0.title, of: name, programs: programs)
            || DocumentTitle.hasTurned($0.title, to: name, since: start.titles)
        } >= number
      }
    }
    guard areNamed(new) else { return false }
    let frames = await frames(of: windows)
    var documents: [WindowFacts] = []
    for window in new {
      guard let (program, frame) = frames[window.id] else {
        documents.append(window)
        continue
      }
      if frame.isModal || AccessibleRoles.dialogs.contains(frame.role) { continue }
      if await followsField(window, frame, of: program) { continue }
      let notices = await elements(
        of: frame.element, with: AccessibleRoles.notices, program, window)
      if await hasNotice(about: names, among: notices, of: program, window) { continue }
      documents.append(window)
    }
    return areNamed(documents)
  }

  func isMarked(around container: ContainerID, since start: Drop.Start) async -> Bool {
    guard let facts = window(container)?.facts else { return false }
    return await windows(ofProgramOf: facts).contains {
      start.windows?.contains($0.id) == true
        && DocumentTitle.isMarked($0.title, since: start.titles)
    }
  }

  /// Whether the title of a window repeats one of its fields, as that of a mail does.
  private func followsField(
    _ window: WindowFacts, _ frame: FrameFacts, of program: ProgramFacts
  ) async -> Bool {
    for field in await elements(of: frame.element, with: AccessibleRoles.fields, program, window)
    where field.states.contains(.editable) {
      let text = (try? await parts.programs?.text(of: field.id, most: Self.longestTitle)) ?? ""
      if text.contains(where: \.isLetter), window.title.contains(text) { return true }
    }
    return false
  }

  /// In bytes.
  private static let longestTitle = 4_096

  /// Whether a window's program shows a new dialog or alert, in a window of its own or inside this
  /// one: programs put a file's name in their title even if they could not open it.
  func hasAlert(
    in container: ContainerID, since start: Drop.Start,
    besides known: Set<DropEffect.Thing>?
  ) async -> Bool {
    if await opened(by: container, since: start)?.question != nil { return true }
    guard let window = window(container), let program = window.program, program.isResponding,
      let frame = window.frame
    else { return false }
    let alerts = await elements(
      of: frame.element, with: AccessibleRoles.notices.union(AccessibleRoles.dialogs), program,
      window.facts)
    if await hasNotice(about: start.names, among: alerts, of: program, window.facts) { return true }
    return alerts.contains { alert in
      alert.id != frame.element && alert.states.contains(.showing)
        && known?.contains { $0.element == alert.id } == false
    }
  }

  private func hasNotice(
    about names: [String], among elements: [ElementFacts], of program: ProgramFacts,
    _ window: WindowFacts
  ) async -> Bool {
    for notice in elements where AccessibleRoles.notices.contains(notice.role) {
      let words = await self.elements(of: notice.id, with: AccessibleRoles.labels, program, window)
      if DropEffect.isNotice([notice] + words, about: names) { return true }
    }
    return false
  }

  /// The title of a program's window, without the program's name and numbers.
  private func name(of facts: WindowFacts, beside container: ContainerID?) -> String {
    let own = container.flatMap { window($0) }
    let program = own?.program ?? ProgramFacts(bus: "", name: "")
    return WindowTitle.subject(
      of: facts.title, programs: [own?.facts.className ?? "", facts.className, program.name],
      until: parts.profiles.profile(for: program, window: facts)?.titleEnd)
  }

  private static let mostAnswering = Duration.seconds(600)
  private static let answerPause = Duration.seconds(1)

  /// Returns once the windows that a program has opened since are closed, or after ten minutes.
  func closing(of container: ContainerID, since before: Set<WindowID>) async {
    let time = clock.stopwatch()
    while time() < Self.mostAnswering, await isOpen(by: container, since: before) {
      try? await clock.sleep(for: Self.answerPause)
    }
  }

  struct Opened: Sendable {
    var title: String
    var id: WindowID
    var hasKeyboard: Bool
    /// Whether its program is blocked until it is answered.
    var isAwaited = false
    /// Whether it is a dialog by its role; it blocks nothing.
    var isDialog = false
    /// Whether its contents are known yet; until then it may be a progress window.
    var isTold = true

    /// `nil` for a window that asks nothing.
    var question: ProgramQuestion? {
      isAwaited || isDialog ? .dialog(title, hasKeyboard: hasKeyboard) : nil
    }
  }

  /// A window that another one's program has opened, preferably one that asks; `nil` for none.
  func opened(by container: ContainerID, since start: Drop.Start) async -> Opened? {
    guard let facts = window(container)?.facts, let before = start.windows,
      let now = await parts.displays.windows()
    else { return nil }
    let own = now.filter { $0.isMapped && $0.isOfProgram(of: facts) }
    let new = own.filter { !before.contains($0.id) }
    let named = new.first { !$0.title.isEmpty }
    let frames = new.isEmpty ? [:] : await frames(of: own)
    // A dialog is reported a moment before what is in it.
    var empty: Set<WindowID> = []
    func opened(_ window: WindowFacts) -> Opened {
      Opened(
        title: name(of: window, beside: container), id: window.id,
        hasKeyboard: now.hasKeyboard(window),
        isTold: !new.contains(window) || frames[window.id] != nil && !empty.contains(window.id))
    }
    func awaited(_ window: WindowFacts?) -> Opened? {
      var awaited = window.map(opened)
      awaited?.isAwaited = true
      return awaited
    }
    let isBlocked = now.first { $0.id == facts.id }?.isBlocked == true
    guard !new.isEmpty else {
      if isBlocked { return nil }
      let others = now.filter { $0.isMapped && $0.isModal && !before.contains($0.id) }
      return awaited(await asking(about: start.names, among: others))
    }
    // A progress window asks nothing, even if it blocks another.
    var asking: [WindowFacts] = []
    for window in new {
      if let (program, frame) = frames[window.id] {
        if await isBusy(frame, of: program, window) { continue }
        if await !hasWords(frame, of: program, window) { empty.insert(window.id) }
      }
      asking.append(window)
    }
    let modal = asking.filter { $0.isModal || frames[$0.id]?.frame.isModal == true }
    if !modal.isEmpty || isBlocked && !asking.isEmpty {
      return awaited(modal.first { !$0.title.isEmpty } ?? modal.first ?? named ?? new.first)
    }
    for window in asking {
      guard let (program, frame) = frames[window.id], await asks(frame, of: program, window) else {
        continue
      }
      var dialog = opened(window)
      dialog.isDialog = true
      return dialog
    }
    return named.map(opened)
  }

  /// The first modal window of another program that asks about items with these names: desktops
  /// leave copying to a separate program, which asks in its own name.
  private func asking(
    about names: [String], among windows: [WindowFacts]
  ) async -> WindowFacts? {
    guard !windows.isEmpty, !names.isEmpty else { return nil }
    let frames = await frames(of: windows)
    let wanted = AccessibleRoles.labels.union(AccessibleRoles.progress)
    for window in windows {
      guard let (program, frame) = frames[window.id] else { continue }
      let elements = await elements(of: frame.element, with: wanted, program, window)
      if !elements.contains(where: { AccessibleRoles.progress.contains($0.role) }),
        elements.contains(where: { element in names.contains { element.name.contains($0) } })
      {
        return window
      }
    }
    return nil
  }

  /// Whether the program of a window has windows open that it has opened since.
  private func isOpen(by container: ContainerID, since before: Set<WindowID>) async -> Bool {
    guard let facts = window(container)?.facts, let now = await parts.displays.windows() else {
      return false
    }
    return now.contains { !before.contains($0.id) && $0.isMapped && $0.isOfProgram(of: facts) }
  }

  /// Whether a window shows a progress bar.
  private func isBusy(
    _ frame: FrameFacts, of program: ProgramFacts, _ window: WindowFacts
  ) async -> Bool {
    await !elements(of: frame.element, with: AccessibleRoles.progress, program, window)
      .filter { $0.states.contains(.showing) }.isEmpty
  }

  /// Whether a window is an alert, or a dialog with readable contents.
  private func asks(
    _ frame: FrameFacts, of program: ProgramFacts, _ window: WindowFacts
  ) async -> Bool {
    if frame.role == AccessibleRoles.alert { return true }
    // Toolkits may report a dialog as an ordinary window.
    guard frame.role == AccessibleRoles.dialog || window.isDialog else { return false }
    // A dialog without readable contents may be anything.
    return await hasWords(frame, of: program, window)
  }

  private func hasWords(
    _ frame: FrameFacts, of program: ProgramFacts, _ window: WindowFacts
  ) async -> Bool {
    let words = AccessibleRoles.labels.union(AccessibleRoles.captioned)
    return await !elements(of: frame.element, with: words, program, window).isEmpty
  }
}

extension [WindowFacts] {
  /// Whether a window has the keyboard; `true` if none is reported to, as without a window manager.
  func hasKeyboard(_ window: WindowFacts) -> Bool {
    first { $0.id == window.id }?.isActive == true || !contains(where: \.isActive)
  }
}

extension WindowFacts {
  func isOfProgram(of other: WindowFacts) -> Bool {
    // Two windows of which nothing is known do not match.
    processID.map { $0 == other.processID } ?? (!className.isEmpty && className == other.className)
  }
}
