import KeyDragCore

/// A loan lies in the clipboard until it is given back.
extension ClipboardLending {
  /// Puts forms into the clipboard; throws why that can't be.
  func lend(_ forms: [SelectedForm]) async throws(Reason) -> any ClipboardLoan {
    let result: Result<any ClipboardLoan, Reason> = await answer { lend(forms, $0) }
    return try result.get()
  }
}

extension ClipboardLoan {
  /// Whether anybody has taken any of it.
  func giveBack() async -> Bool { await answer { giveBack($0) } }
}

/// The contents that a Copy command puts into the clipboard, which is as before afterwards.
extension ClipboardBorrowing {
  func borrow(
    most: Int, copy: @escaping @Sendable () -> Void
  ) async throws(Reason) -> [SelectedForm] {
    let result: Result<[SelectedForm], Reason> = await answer {
      borrow(forms: [], most: most, copy: copy, $0)
    }
    return try result.get()
  }
}

/// Drags that move the pointer.
extension PointerDragging {
  /// Drags by the pointer and says what the program showed under it.
  func drag(from start: ScreenPoint, to end: ScreenPoint) async throws(Reason) -> PointerSign {
    let result: Result<PointerSign, Reason> = await answer { drag(from: start, to: end, $0) }
    return try result.get()
  }

  /// Whether a window is what lies under the pointer at each of these points.
  func reaches(_ window: WindowID, at points: [ScreenPoint]) async -> Bool {
    await answer { reaches(window, at: points, $0) }
  }
}

/// Looks at files; each is bounded, since a disk may hang.
extension FileFinding {
  /// Those of the names that are files and no folders; none where it takes too long.
  func plainFiles(
    among names: [String], in folder: ShownFolder, on clock: any Clock<Duration>
  ) async -> Set<String> {
    await clock.answer(within: Desktop.diskPatience, else: []) {
      plainFiles(among: names, in: folder, $0)
    }
  }

  /// The names of the folders in a folder; `nil` where that is not known in time.
  func folders(
    in folder: ShownFolder, on clock: any Clock<Duration>
  ) async -> Set<String>? {
    await clock.answer(within: Desktop.diskPatience, else: nil) { folders(in: folder, $0) }
  }

  /// The folders that these lie in, by name.
  func surroundings(
    of folders: [ShownFolder], on clock: any Clock<Duration>
  ) async -> [String?] {
    await clock.answer(within: Desktop.diskPatience, else: folders.map { _ in nil }) {
      surroundings(of: folders, $0)
    }
  }

  /// The files of these names.
  func files(
    named names: [String], in folder: ShownFolder, shownIn container: ContainerID,
    on clock: any Clock<Duration>
  ) async throws(Reason) -> [DragSourceDescriptor] {
    try await inTime(on: clock) { files(named: names, in: folder, shownIn: container, $0) }
  }

  /// The files at these addresses.
  func files(
    at addresses: [String], shownIn container: ContainerID, on clock: any Clock<Duration>
  ) async throws(Reason) -> [DragSourceDescriptor] {
    try await inTime(on: clock) { files(at: addresses, shownIn: container, $0) }
  }

  /// - Throws: why nothing could be taken out; ``Reason/notResponding`` for a disk that hangs.
  func members(
    named names: [String], in archive: ShownFolder, shownIn container: ContainerID,
    on clock: any Clock<Duration>
  ) async throws(Reason) -> [DragSourceDescriptor] {
    let found: Result<[DragSourceDescriptor], Reason>? = await clock.answer(
      within: Desktop.archivePatience, else: nil
    ) { reply in
      members(named: names, in: archive, shownIn: container) { reply($0) }
    }
    guard let found else { throw .notResponding }
    return try found.get()
  }

  /// - Throws: ``Reason/notResponding`` for a disk that hangs.
  private func inTime(
    on clock: any Clock<Duration>,
    _ ask: (@escaping @Sendable ([DragSourceDescriptor]) -> Void) -> Void
  ) async throws(Reason) -> [DragSourceDescriptor] {
    // The time is that of a drop: the person waits for it.
    let found: [DragSourceDescriptor]? = await clock.answer(
      within: Desktop.dropPatience, else: nil
    ) { reply in
      ask { reply($0) }
    }
    guard let found else { throw .notResponding }
    return found
  }
}
