import KeyDragCore

/// Finds out what has the focus on the desktop, without disturbing its program.
struct Picking: Sendable {
  let desktop: Desktop
  var parts: DesktopAdapters { desktop.parts }
  let clippings: TextPayloads
  let origins: PickUpOrigins

  /// More rows are not picked up at once: each takes a call to the program.
  static let mostRows = 1_000
  /// In characters; a longer text is not carried.
  private static let maxTextLength = 1_000_000

  /// The items in focus; waits up to half a second for a focus and for programs' answers.
  ///
  /// - Throws: why there is nothing to pick up.
  func focus() async throws(Reason) -> FocusReport {
    async let looked = Result { () async throws(Reason) in try await self.desktop.look() }
    guard let reader = parts.programs else {
      _ = try await looked.get()
      throw .noAccessibility
    }
    let told = await settledFocus(reader)
    let found: FocusFacts? = if let told { await innermost(told, reader) } else { nil }
    let windows = try await looked.get()
    guard let focus = found else {
      guard await desktop.isAccessible else { throw .noAccessibility }
      if let copied = try await copiedByKey(windows) { return copied }
      guard let front = await desktop.front else { throw await nothing }
      guard front.window.program?.isResponding != false else { throw .notResponding }
      let sources = try await copied("", front.container, mayOpen: true)
      guard !sources.isEmpty else { throw .selectionUntold }
      return report(sources, in: front.container, windows)
    }
    guard let isPassword = focus.isPassword else { throw .notResponding }
    if isPassword { throw .password }
    // The last focused element need not be in the active window.
    guard let window = await desktop.container(of: focus),
      await desktop.isActive(window)
    else { throw await nothing }
    let sources: [DragSourceDescriptor]
    do throws(Reason) {
      sources = try await self.sources(focus, in: window, reader)
    } catch {
      guard [.notDraggable, .nothingThere, .selectionUntold].contains(error),
        let copied = try await copiedByKey(windows)
      else { throw error }
      return copied
    }
    let report = report(sources, in: window, windows)
    if sources.count == 1 {
      origins.note(sources[0].id, .init(element: focus.element, window: window))
    }
    return report
  }

  /// Why there is nothing to be picked up: in a Wayland session where no window of X11 has the keyboard,
  /// a native one may have it, which can't be reached.
  private var nothing: Reason {
    get async {
      guard parts.phrases.compositor != nil else { return .nothingThere }
      return await desktop.keyboardWindow() == nil ? .noDisplay : .nothingThere
    }
  }

  /// The items picked up in a window, which is noted as their origin.
  func report(
    _ sources: [DragSourceDescriptor], in window: ContainerID, _ windows: [ContainerDescriptor]
  ) -> FocusReport {
    origins.note(sources.map(\.id), in: window)
    let container =
      windows.first { $0.id == window } ?? ContainerDescriptor(id: window, name: "")
    return FocusReport(
      listing: Listing(container: container, sources: sources, dropPoints: nil),
      marked: sources.map(\.id), windows: windows)
  }

  /// The timeout and interval for polling the focus.
  static let patience = Duration.milliseconds(500)
  static let pause = Duration.milliseconds(50)

  /// The focus once it has settled: a chord takes it from its program while its keys are down, and
  /// right after the start no program has reported it yet. Meanwhile a whole window is reported to
  /// have it.
  private func settledFocus(_ reader: any ProgramReading) async -> FocusFacts? {
    let time = desktop.clock.stopwatch()
    while true {
      let focus = await reader.focus()
      if let focus, !focus.isWholeWindow { return focus }
      guard time() < Self.patience, await desktop.isAccessible else { return focus }
      try? await desktop.clock.sleep(for: Self.pause)
    }
  }

  /// The program to name where nothing can be picked up because its focus is unknown.
  func program(behind reason: Reason) async -> String {
    switch reason {
    case .nothingThere, .notResponding, .selectionUntold:
      await desktop.front?.window.descriptor.app ?? ""
    default: ""
    }
  }

  /// The row with the focus: a list that regains it does not say which of its rows has it.
  func innermost(_ focus: FocusFacts, _ reader: any ProgramReading) async -> FocusFacts {
    guard AccessibleRoles.containers.contains(focus.element.role) else { return focus }
    guard let rows = try? await selection(around: focus, reader), rows.count < 2 else {
      return focus
    }
    // A list without a selection stands for itself.
    var row = rows.first { $0.id != focus.element.id }
    if row == nil { row = await framedRow(in: focus, reader) }
    guard let row else { return focus }
    var focus = focus
    focus.element = row
    return focus
  }

  /// The row with the focus frame, where none is selected. Programs draw no frame while the keys of
  /// the chord are down.
  private func framedRow(
    in focus: FocusFacts, _ reader: any ProgramReading
  ) async -> ElementFacts? {
    guard let frame = focus.frame else { return nil }
    let time = desktop.clock.stopwatch()
    while true {
      let found = try? await reader.elements(
        of: frame.element, in: focus.program, windowOrigin: nil,
        wanted: ElementQuery(
          roles: AccessibleRoles.rows.union(AccessibleRoles.icons), most: Desktop.mostElements,
          hasRowStates: true))
      guard let elements = found else { return nil }
      // In a table each cell of the row is focused, and one of them has the name.
      if let row = elements.first(where: { $0.states.contains(.focused) && !$0.name.isEmpty }) {
        return row
      }
      guard !elements.isEmpty, time() < Self.patience else { return nil }
      try? await desktop.clock.sleep(for: Self.pause)
    }
  }

  /// Tried in this order: the Copy command of a view that exposes nothing, selected text, files,
  /// members of archives, elements that offer dragging, links, pictures and copies. Throws
  /// `notDraggable` for nothing, and `selectionUntold` where that is unknown.
  private func sources(
    _ focus: FocusFacts, in window: ContainerID, _ reader: any ProgramReading
  ) async throws(Reason) -> [DragSourceDescriptor] {
    // Nothing else knows the selection there, and each query takes longer than the copy.
    let isSilent = await isInSilentView(focus, window)
    if isSilent {
      let copied = try await copied("", window, from: focus.element, mayOpen: true)
      if !copied.isEmpty { return copied }
    }
    if let text = await text(focus, reader), !text.isEmpty { return [clipping(text, window)] }
    let files = try await files(focus, in: window, reader)
    if !files.isEmpty { return files }
    let members = try await members(focus, in: window, reader)
    if !members.isEmpty { return members }
    if let thing = await grabbable(focus, reader) {
      return [clipping(thing.text, window, called: thing.name)]
    }
    let found = try await fromProgram(focus, in: window, mayCopy: !isSilent)
    if !found.isEmpty { return found }
    throw await isUntold(focus.element, in: window) ? .selectionUntold : .notDraggable
  }

  /// Whether something may be selected that nothing is told of: in what a program draws itself, and in
  /// a list of which nothing is selected although something can be copied.
  private func isUntold(_ element: ElementFacts, in window: ContainerID) async -> Bool {
    if AccessibleRoles.untelling.contains(element.role) { return true }
    guard AccessibleRoles.containers.contains(element.role) else { return false }
    return await desktop.canUse(.copy, in: window) == true
  }

  /// - Parameter name: empty for the first words of the text.
  func clipping(
    _ text: String, _ window: ContainerID, called name: String = ""
  ) -> DragSourceDescriptor {
    // Kind of what is carried: text that was selected in a program.
    let kind = parts.phrases.term(in: "what is carried", "text")
    return clippings.add(text: text, name: name, typeName: kind, from: window)
  }

  private func grabbable(
    _ focus: FocusFacts, _ reader: any ProgramReading
  ) async -> (text: String, name: String)? {
    let element = focus.element
    if !element.saysGrabbable {
      let offered = try? await reader.actions(of: [element.id]).first
      guard offered?.contains(PlaceFinder.dragAction) == true else { return nil }
    }
    let text = try? await reader.text(of: element.id, most: Self.maxTextLength)
    return Self.carried(text ?? "", of: element)
  }

  /// The text and the name of an element, both without the bullet that a program puts before a list
  /// item.
  static func carried(_ text: String, of element: ElementFacts) -> (text: String, name: String)? {
    let name = PlaceNamer.tidy(element.name)
    let isRow = AccessibleRoles.rows.contains(element.role)
    let own = isRow ? PlaceNamer.withoutBullet(text) : text
    // Objects in a text are U+FFFC in it.
    if own.contains(where: { $0 != "\u{FFFC}" && !$0.isWhitespace }) { return (own, name) }
    return name.isEmpty ? nil : (name, name)
  }

  /// The selected text at the focus; `nil` in a list of files.
  private func text(_ focus: FocusFacts, _ reader: any ProgramReading) async -> String? {
    guard !AccessibleRoles.rowsAndLists.contains(focus.element.role) else { return nil }
    return try? await reader.selectedText(of: focus.element.id, most: Self.maxTextLength)
  }

  /// The selected rows of a folder view as files: all of them, or none.
  private func files(
    _ focus: FocusFacts, in window: ContainerID, _ reader: any ProgramReading
  ) async throws(Reason) -> [DragSourceDescriptor] {
    guard let finder = parts.finder else { return [] }
    // Concurrent with the query of the folder.
    async let shown = desktop.folder(of: window)
    let isRow = AccessibleRoles.rowsAndLists.contains(focus.element.role)
    let ahead = isRow ? Task { await selected(around: focus, reader) } : nil
    // No answer from a program is not the same as no file.
    guard let folder = try await shown.get() else { return [] }
    let found = if let ahead { await ahead.value } else { await selected(around: focus, reader) }
    let rows = try found.get()
    let files = try await files(of: rows, focus, in: folder, window, finder)
    if !files.isEmpty { return files }
    // The cached facts of the folder may be stale.
    guard let now = try await desktop.folder(of: window, isAnew: true).get() else { return [] }
    let names = try Self.names(of: rows, focus: focus.element, shown: Set(now.rows))
    let again = now == folder ? [] : try await self.files(of: rows, focus, in: now, window, finder)
    guard again.count == names.count || names.count <= 1 else { throw .notDraggable }
    return again
  }

  private func files(
    of rows: [ElementFacts], _ focus: FocusFacts, in folder: DisplayedFolder, _ window: ContainerID,
    _ finder: any FileFinding
  ) async throws(Reason) -> [DragSourceDescriptor] {
    let names = try Self.names(of: rows, focus: focus.element, shown: Set(folder.rows))
    guard !names.isEmpty else { return [] }
    let files = try await desktop.clock.wait(Desktop.dropPatience) {
      await finder.files(named: names, in: folder, shownIn: window)
    }
    return files.count == names.count ? files : []
  }

  private func selected(
    around focus: FocusFacts, _ reader: any ProgramReading
  ) async -> Result<[ElementFacts], Reason> {
    await Result { () async throws(Reason) in try await self.selection(around: focus, reader) }
  }

  func selection(
    around focus: FocusFacts, _ reader: any ProgramReading
  ) async throws(Reason) -> [ElementFacts] {
    try await reader.selection(around: focus.element.id, in: focus.program, most: Self.mostRows)
  }

  /// The names of the selected rows.
  ///
  /// - Throws: ``Reason/notDraggable`` for several rows with the same name or none: fewer would be
  ///   picked up than are selected.
  static func names(
    of rows: [ElementFacts], focus: ElementFacts, shown: Set<String>
  ) throws(Reason) -> [String] {
    let names = rows.map(\.name)
    if names.count > 1 {
      guard !names.contains(""), Set(names).count == names.count else { throw .notDraggable }
      return names
    }
    if let name = names.first, shown.contains(name) { return [name] }
    // The focus may be on a cell beside the one with the name.
    if shown.contains(focus.name) { return [focus.name] }
    // Only some rows of a long list are shown.
    let roles = AccessibleRoles.rows.union(AccessibleRoles.icons)
    return rows.filter { roles.contains($0.role) && !$0.name.isEmpty }.map(\.name)
  }
}
