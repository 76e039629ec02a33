import Glibc
import KeyDragCore
import SystemPackage

/// Folders by path, and names typed by the user. Blocking work runs in the background.
extension FilesWorld: Folders {
  package func complete(_ path: String, from base: ContainerID?) async -> PathCompletion {
    await look(at: path, else: PathCompletion(text: path, names: [], count: 0)) { [self] in
      completion(of: path, base)
    }
  }

  package func take(_ places: [String]) async -> PreparedItems {
    await look(at: places.first, else: .refused(.notResponding)) { [self] in await prepare(places) }
  }

  /// Contents saved to a private file can only be copied, because that file is deleted on exit.
  package func takeClipboard() async -> PreparedItems {
    guard let clipboard else { return .refused(.noClipboard) }
    let contents: ClipboardPayload.Contents
    do throws(Reason) { contents = try await clipboard.read() } catch { return .refused(error) }
    return await look(at: nil, else: .refused(.notResponding)) { [self] in
      switch contents {
      case .places(let places, let isCut): await prepare(places, wish: isCut ? .move : nil)
      // The private file has no owner: it can't be moved or opened by a program.
      case .made(let path): await pickUp.prepare(sources(at: [path]), allowed: .copy)
      }
    }
  }

  package func describe(_ source: DragSourceID) async throws(ListingError) -> ItemFacts {
    try await look(at: place(of: [source]), else: .failure(ListingError(.notResponding))) {
      [self] in facts(of: source)
    }.get()
  }

  package func measure(_ sources: [DragSourceID]) async -> [DragSourceID: RowFacts] {
    await look(at: place(of: sources), else: [:]) { [self] in rows(of: sources) }
  }

  package func preview(
    _ subject: PreviewSubject, includingHidden: Bool
  ) async -> FolderPreview? {
    await look(at: registry.previewed(subject)?.string, else: nil) { [registry] in
      guard let path = registry.previewed(subject) else { return nil }
      let snapshot: FolderSnapshot
      switch FolderReader.read(path, includingHidden: includingHidden) {
      case .failure(let reason): return FolderPreview(of: subject, .failure(reason))
      case .success(let read): snapshot = read
      }
      let first = NameOrder.sorted(snapshot).prefix(Self.previewedItems).map(Int.init)
      return FolderPreview(
        of: subject,
        names: first.map { index in snapshot.withName(index) { SpokenName.file(Array($0)) } },
        kinds: first.map { snapshot.kinds[$0] }, .success(snapshot.counts))
    }
  }

  /// No screen has more lines.
  private static var previewedItems: Int { 200 }

  /// Implemented as a move within the folder, so that it is undoable. Fails if the name is taken.
  package func rename(
    _ source: DragSourceID, to name: String, as delivery: DeliveryID
  ) async -> Result<Landing, Reason> {
    guard let entry = registry.entry(source) else { return .failure(.gone) }
    var order = FileOrder(
      operation: .move, sources: [entry.path], target: entry.folder, clash: .fail,
      placeName: SpokenName.file(name))
    order.newName = FileName(name)
    return await self.name(order, in: entry.id.folder, delivery)
  }

  /// Makes an empty folder; fails if the name is taken.
  package func make(
    _ name: String, in container: ContainerID, as delivery: DeliveryID
  ) async -> Result<Landing, Reason> {
    let folder: UInt32 = container.rawValue
    guard let path = registry.path(of: folder) else { return .failure(.gone) }
    let new = path.appending(FileName(name))
    var order = FileOrder(
      operation: .copy, sources: [new], target: path, clash: .fail,
      placeName: registry.name(of: folder))
    order.makesFolder = true
    return await self.name(order, in: folder, delivery)
  }

  private func name(
    _ order: FileOrder, in folder: UInt32, _ delivery: DeliveryID
  ) async -> Result<Landing, Reason> {
    await withCheckedContinuation { continuation in
      delivering.deliver(order, id: delivery) { [self] event, landed in
        guard case .finished(let result) = event else { return }
        keep(result)
        guard let landing = registry.landings(landed, in: folder).first else {
          return continuation.resume(
            returning: .failure(result.failures.first?.reason ?? .unknown))
        }
        continuation.resume(returning: .success(landing))
      }
    }
  }

  /// Picks up absolute paths and `file:` URIs; ignores everything else.
  private func prepare(_ places: [String], wish: DragOperation? = nil) async -> PreparedItems {
    let paths = places.compactMap { $0.hasPrefix("/") ? FilePath($0) : FileList.path($0) }
    var preparation = await pickUp.prepare(sources(at: paths))
    // Never listed here, so as far as the user knows it never existed.
    for index in preparation.refused.indices where preparation.refused[index].reason == .gone {
      preparation.refused[index].reason = .nothingThere
    }
    if paths.contains(where: { RootPaths.absolute($0).name == nil }) {
      preparation.refused.append(DeliveryFailure(name: "/", reason: .fileRoot))
    }
    preparation.wish = wish
    return preparation
  }

  /// Size, modification time and executability; empty values for a source that is gone.
  private func rows(of sources: [DragSourceID]) -> [DragSourceID: RowFacts] {
    let pairs = zip(sources, registry.entries(sources)).map { source, entry in
      let stamp = entry.flatMap { try? FileCalls.status($0.path) }
      let facts = RowFacts(
        bytes: stamp?.kind == .file ? stamp?.size : nil,
        changed: stamp.map { EntryTime.full(Int64($0.modificationTime.tv_sec)) } ?? "",
        isExecutable: stamp.map { $0.kind == .file && $0.mode & 0o111 != 0 } ?? false)
      return (source, facts)
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// Item details. Reads contents only to detect the type of a file whose name does not tell it.
  private func facts(of source: DragSourceID) -> Result<ItemFacts, ListingError> {
    guard let entry = registry.entry(source), let stamp = try? FileCalls.status(entry.path) else {
      return .failure(ListingError(.gone, name: registry.entry(source)?.spokenName ?? ""))
    }
    let type =
      stamp.kind == .file ? ItemReader.type(ofFile: entry.path, name: entry.name, types) : ""
    var facts = ItemFacts(
      name: entry.spokenName, kind: stamp.kind.item,
      typeName: type.isEmpty ? "" : types.name(of: type),
      changed: EntryTime.full(Int64(stamp.modificationTime.tv_sec)),
      path: entry.folder.components.map { SpokenName.file($0.bytes) })
    switch stamp.kind {
    case .file: facts.bytes = stamp.size
    // Includes hidden names.
    case .folder:
      facts.count = (try? OpenFolder(entry.path)).flatMap {
        try? FileCalls.names(in: $0.raw).count
      }
    case .link:
      if let folder = try? OpenFolder(entry.folder),
        let text = try? FileCalls.linkText(folder.raw, FileName(bytes: entry.name))
      {
        facts.target = SpokenName.file(text)
      }
    case .special: break
    }
    return .success(facts)
  }

  /// The folder at a typed path.
  ///
  /// - Parameter base: the folder that relative paths start from; `nil` for the working folder.
  func folder(at text: String, from base: ContainerID?) async throws(ListingError) -> UInt32 {
    try await look(at: text, else: .failure(ListingError(.notResponding))) {
      [self] () -> Result<UInt32, ListingError> in
      let path = path(text, base)
      func unreadable(_ reason: Reason) -> Result<UInt32, ListingError> {
        .failure(ListingError(reason, name: path.spokenName))
      }
      switch FileStamp.look(at: path, following: true) {
      // Never listed here, so as far as the user knows it never existed.
      case .failure(let reason): return unreadable(reason == .gone ? .nothingThere : reason)
      case .success(let facts) where facts.kind != .folder: return unreadable(.notAFolder)
      case .success: return registry.folder(at: path).map { .success($0) } ?? unreadable(.tooMany)
      }
    }.get()
  }

  /// Resolves a typed path against the root, `HOME` ("~"), or the current folder, without checking
  /// that it exists. `~user` is not expanded.
  private func path(_ text: String, _ base: ContainerID?) -> FilePath {
    let working = base.flatMap { registry.path(of: $0.rawValue) } ?? RootPaths.workingFolder()
    guard text == "~" || text.hasPrefix("~/"), let home = getenv("HOME") else {
      return RootPaths.absolute(FilePath(text), in: working)
    }
    return RootPaths.absolute(
      FilePath(String(cString: home)).appending(FilePath(String(text.dropFirst(2))).components),
      in: working)
  }

  /// Folders whose names start with the text after the last slash. Falls back to a case-insensitive
  /// match if there is no exact one.
  private func completion(of text: String, _ base: ContainerID?) -> PathCompletion {
    let slash = text.lastIndex(of: "/")
    let before = slash.map { String(text[...$0]) } ?? ""
    let begun = slash.map { String(text[text.index(after: $0)...]) } ?? text
    let nothing = PathCompletion(text: text, names: [], count: 0)
    if begun == "~", before.isEmpty { return PathCompletion(text: "~/", names: ["~"], count: 1) }
    // No slash: complete in the current folder.
    let folder = path(before.isEmpty ? "." : before, base)
    guard
      case .success(let snapshot) = FolderReader.read(
        folder, includingHidden: begun.hasPrefix("."))
    else { return nothing }
    let all = snapshot.folderNames
    let exact = all.filter { $0.hasPrefix(begun) }
    let folded = NameFolding.fold(begun)
    let names =
      (exact.isEmpty ? all.filter { NameFolding.fold($0).starts(with: folded) } : exact).sorted()
    guard let first = names.first else { return nothing }
    if names.count == 1 {
      return PathCompletion(text: before + first + "/", names: [first], count: 1)
    }
    let common = names.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    return PathCompletion(
      text: before + (common.count >= begun.count ? common : begun),
      names: Array(names.prefix(20)), count: names.count)
  }
}

extension String {
  /// By character, so that no grapheme cluster is split.
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}

extension PlaceRegistry {
  /// `nil` where it is no folder that has been met.
  fileprivate func previewed(_ subject: PreviewSubject) -> FilePath? {
    switch subject {
    case .source(let source): return entry(source)?.path
    case .dropPoint(let point):
      switch PointID(point) {
      case .folder(let number): return path(of: number)
      case .entry(let id): return entry(id.source)?.path
      case .trash, .print, .clipboard, .program, .newFolder: return nil
      }
    }
  }
}
