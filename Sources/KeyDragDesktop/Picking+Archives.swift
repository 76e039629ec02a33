import KeyDragCore

/// Rows of a program for archives: what they stand for is no file yet.
extension Picking {
  /// The selected rows of a list in a window that shows an archive, taken out of it as files: all of
  /// them, or none.
  ///
  /// - Throws: why they can't be taken out.
  func members(
    _ focus: FocusFacts, in window: ContainerID, _ reader: any ProgramReading
  ) async throws(Reason) -> [DragSourceDescriptor] {
    guard let finder = parts.finder, AccessibleRoles.rowsAndLists.contains(focus.element.role),
      let rows = try await selection(around: focus, reader)?.get(), !rows.isEmpty,
      let shown = await desktop.listing(of: window, around: focus.element)
    else { return [] }
    let names = try Self.names(of: rows, focus: focus.element, shown: Set(shown.rows))
    guard !names.isEmpty else { return [] }
    return try await finder.members(named: names, in: shown, shownIn: window, on: desktop.clock)
  }
}

extension Desktop {
  /// The whole title of a window, and the rows that it shows in the list around an element.
  func listing(
    of container: ContainerID, around element: ElementFacts
  ) async -> ShownFolder? {
    if spot(at: element, in: container) == nil { _ = await list(container) }
    guard let window = window(container) else { return nil }
    let around = spot(at: element, in: container)?.list
    let rows = spots.values.filter { spot in
      spot.window == container && spot.isRow && (around == nil || spot.list == around)
    }
    return ShownFolder(
      title: window.facts.title, rows: Array(Set(rows.map(\.place.name))),
      processID: window.program?.processID ?? window.facts.processID)
  }
}
