import KeyDragCore

/// Finds out what has the focus on the desktop, without disturbing the program that has it.
struct Picking: Sendable {
  let desktop: Desktop
  let parts: DesktopWorld.Parts
  let clippings: Clippings
  let origins: Origins

  /// More rows than this are not picked up in one go.
  static let mostRows = 10_000
  /// A longer text is not carried, in characters.
  private static let mostText = 1_000_000

  /// - Throws: why there is nothing to be picked up.
  func focus() async throws(Reason) -> FocusReport {
    guard let reader = parts.programs else { throw .noAccessibility }
    async let looked = Result { () async throws(Reason) in try await self.desktop.look() }
    guard let told = await reader.focus() else { throw .nothingThere }
    let focus = await innermost(told, reader)
    let windows = try await looked.get()
    if focus.isPassword { throw .password }
    // What was in focus last need not be in the window that has the keyboard now.
    guard let window = await desktop.container(of: focus),
      await desktop.isActive(window)
    else { throw .nothingThere }
    let container =
      windows.first { $0.id == window } ?? ContainerDescriptor(id: window, name: "")
    let sources = try await sources(focus, in: window, reader)
    if sources.count == 1 {
      let list = await desktop.spot(at: focus.element, in: window)?.list
      origins.note(
        sources[0].id, .init(element: focus.element.id, window: window, list: list))
    }
    return FocusReport(
      listing: Listing(container: container, sources: sources, dropPoints: nil),
      marked: sources.map(\.id), windows: windows)
  }

  /// A list that comes back into focus does not say which of its rows has it.
  private func innermost(_ focus: FocusFacts, _ reader: any ProgramReading) async -> FocusFacts {
    guard AccessibleRoles.containers.contains(focus.element.role) else { return focus }
    let rows = await reader.selection(around: focus.element.id, in: focus.program)
    guard rows.count == 1 else { return focus }
    var focus = focus
    focus.element = rows[0]
    return focus
  }

  private func sources(
    _ focus: FocusFacts, in window: ContainerID, _ reader: any ProgramReading
  ) async throws(Reason) -> [DragSourceDescriptor] {
    if let text = await text(focus, reader), !text.isEmpty { return [clipping(text, window)] }
    let files = await files(focus, in: window, reader)
    if !files.isEmpty { return files }
    if let text = await grabbable(focus, reader) { return [clipping(text, window)] }
    let found = await fromProgram(focus, in: window)
    if !found.isEmpty { return found }
    throw .notDraggable
  }

  func clipping(_ text: String, _ window: ContainerID) -> DragSourceDescriptor {
    // What is carried: text that was selected in a program.
    let kind = parts.phrases.term(in: "what is carried", "text")
    return clippings.add(text: text, typeName: kind, from: window)
  }

  /// What an element reads that says of itself that it can be dragged.
  private func grabbable(_ focus: FocusFacts, _ reader: any ProgramReading) async -> String? {
    let element = focus.element
    if !Self.saysGrabbable(element) {
      guard await reader.actions(of: element.id).contains(PlaceFinder.dragAction) else {
        return nil
      }
    }
    let text = await reader.text(of: element.id, most: Self.mostText)
    // Objects in a text stand for themselves in it, as a sign that nobody can read.
    let readable = text?.filter { $0 != "\u{FFFC}" && !$0.isWhitespace } ?? ""
    if let text, !readable.isEmpty { return text }
    return element.name.isEmpty ? nil : element.name
  }

  /// By its attributes; a page says "grabbed" of what can be picked up and of nothing else.
  static func saysGrabbable(_ element: ElementFacts) -> Bool {
    ["true", "false"].contains(element.attributes["grabbed"]?.lowercased())
      || element.attributes["draggable"]?.lowercased() == "true"
  }

  /// The text that is selected in what has the focus; nothing in a list of files.
  private func text(_ focus: FocusFacts, _ reader: any ProgramReading) async -> String? {
    guard !AccessibleRoles.rowsAndLists.contains(focus.element.role) else { return nil }
    return await reader.selectedText(of: focus.element.id, most: Self.mostText)
  }

  /// The rows that are selected in a view of a folder, as files.
  private func files(
    _ focus: FocusFacts, in window: ContainerID, _ reader: any ProgramReading
  ) async -> [DragSourceDescriptor] {
    guard let finder = parts.finder, case .success = await desktop.list(window),
      let folder = await desktop.folder(of: window)
    else { return [] }
    let rows = await reader.selection(around: focus.element.id, in: focus.program)
    let shown = Set(folder.rows)
    var names: [String] = []
    // A row has a cell for each column: the name is the one that the view shows as a row.
    for row in rows.prefix(Self.mostRows) where shown.contains(row.name) {
      if !names.contains(row.name) { names.append(row.name) }
    }
    if names.isEmpty, shown.contains(focus.element.name) { names = [focus.element.name] }
    guard !names.isEmpty else { return [] }
    return await finder.files(named: names, in: folder, shownIn: window)
  }
}

extension FileFinding {
  func files(
    named names: [String], in folder: ShownFolder, shownIn container: ContainerID
  ) async -> [DragSourceDescriptor] {
    await answer { files(named: names, in: folder, shownIn: container, $0) }
  }
}
