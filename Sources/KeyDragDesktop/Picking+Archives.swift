import KeyDragCore

/// Rows of archive programs: they stand for no file yet.
extension Picking {
  /// The selected rows of a list in a window that shows an archive, extracted as files: all of
  /// them, or none.
  ///
  /// - Throws: why they can't be extracted.
  func members(
    _ focus: FocusFacts, in window: ContainerID, _ reader: any ProgramReading
  ) async throws(Reason) -> [DragSourceDescriptor] {
    guard let finder = parts.finder, AccessibleRoles.rowsAndLists.contains(focus.element.role)
    else { return [] }
    let rows = try await selection(around: focus, reader)
    guard !rows.isEmpty,
      let shown = await desktop.listing(of: window, around: focus.element)
    else { return [] }
    let names = try Self.names(of: rows, focus: focus.element, shown: Set(shown.rows))
    guard !names.isEmpty else { return [] }
    return try await desktop.clock.wait(Desktop.archivePatience) { () async throws(Reason) in
      try await finder.members(named: names, in: shown, shownIn: window)
    }
  }
}

extension Desktop {
  /// The whole title of a window, and the rows in the list around an element.
  func listing(
    of container: ContainerID, around element: ElementFacts
  ) async -> DisplayedFolder? {
    if spot(at: element, in: container) == nil { _ = await list(container) }
    return listing(of: container, in: spot(at: element, in: container)?.list)
  }

  /// The same for the list that a place is, or stands in; `nil` for any other place.
  func listing(around point: DropPointID) -> DisplayedFolder? {
    guard let spot = spot(point), !spot.isInFolder,
      let list = spot.isRow ? spot.list : spot.place.element,
      var shown = listing(of: spot.window, in: list)
    else { return nil }
    // The parent folder is no member of the archive.
    shown.rows.removeAll { $0 == ".." }
    (shown.isArchive, shown.row) = (true, spot.isRow ? spot.place.name : nil)
    return shown
  }

  private func listing(of container: ContainerID, in around: ElementID?) -> DisplayedFolder? {
    guard let window = window(container) else { return nil }
    let rows = spots.values.filter { spot in
      spot.window == container && spot.isRow && (around == nil || spot.list == around)
    }
    return DisplayedFolder(
      title: window.facts.title, rows: Array(Set(rows.map(\.place.name))),
      processID: window.program?.processID ?? window.facts.processID)
  }
}
