import KeyDragCore

extension ProgramCommanding {
  func offers(
    _ command: ProgramCommand, in frame: ElementID, called names: [NamePattern]
  ) async -> Bool {
    await answer { offers(command, in: frame, called: names, $0) }
  }

  func carryOut(
    _ command: ProgramCommand, in frame: ElementID, called names: [NamePattern], mayOpen: Bool
  ) async throws(Reason) {
    let reason: Reason? = await answer {
      carryOut(command, in: frame, called: names, mayOpen: mayOpen, $0)
    }
    if let reason { throw reason }
  }

  func address(of element: ElementID) async -> String? {
    await answer { address(of: element, $0) }
  }

  func pictureAddress(of element: ElementID) async -> String? {
    await answer { pictureAddress(of: element, $0) }
  }
}

extension ClipboardLending {
  func lend(_ forms: [SelectedForm]) async throws(Reason) -> any ClipboardLoan {
    let result: Result<any ClipboardLoan, Reason> = await answer { lend(forms, $0) }
    return try result.get()
  }
}

extension ClipboardLoan {
  /// Whether anybody has taken any of it.
  func giveBack() async -> Bool { await answer { giveBack($0) } }
}

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

extension PointerDragging {
  func drag(from start: ScreenPoint, to end: ScreenPoint) async throws(Reason) -> PointerSign {
    let result: Result<PointerSign, Reason> = await answer { drag(from: start, to: end, $0) }
    return try result.get()
  }

  func reaches(_ window: WindowID, at points: [ScreenPoint]) async -> Bool {
    await answer { reaches(window, at: points, $0) }
  }
}

extension FileFinding {
  func plainFiles(among names: [String], in folder: ShownFolder) async -> Set<String> {
    await answer(within: Desktop.diskPatience, else: []) {
      plainFiles(among: names, in: folder, $0)
    }
  }

  func folders(in folder: ShownFolder) async -> Set<String>? {
    await answer(within: Desktop.diskPatience, else: nil) { folders(in: folder, $0) }
  }

  func surroundings(of folders: [ShownFolder]) async -> [String?] {
    await answer(within: Desktop.diskPatience, else: folders.map { _ in nil }) {
      surroundings(of: folders, $0)
    }
  }

  func files(
    named names: [String], in folder: ShownFolder, shownIn container: ContainerID
  ) async throws(Reason) -> [DragSourceDescriptor] {
    try await inTime { files(named: names, in: folder, shownIn: container, $0) }
  }

  func files(
    at addresses: [String], shownIn container: ContainerID
  ) async throws(Reason) -> [DragSourceDescriptor] {
    try await inTime { files(at: addresses, shownIn: container, $0) }
  }

  /// - Throws: why nothing could be taken out; ``Reason/notResponding`` for a disk that hangs.
  func members(
    named names: [String], in archive: ShownFolder, shownIn container: ContainerID
  ) async throws(Reason) -> [DragSourceDescriptor] {
    let found: Result<[DragSourceDescriptor], Reason>? = await answer(
      within: Desktop.archivePatience, else: nil
    ) { reply in
      members(named: names, in: archive, shownIn: container) { reply($0) }
    }
    guard let found else { throw .notResponding }
    return try found.get()
  }

  /// - Throws: ``Reason/notResponding`` for a disk that hangs.
  private func inTime(
    _ ask: (@escaping @Sendable ([DragSourceDescriptor]) -> Void) -> Void
  ) async throws(Reason) -> [DragSourceDescriptor] {
    let found: [DragSourceDescriptor]? = await answer(within: Desktop.dropPatience, else: nil) {
      reply in
      ask { reply($0) }
    }
    guard let found else { throw .notResponding }
    return found
  }
}
