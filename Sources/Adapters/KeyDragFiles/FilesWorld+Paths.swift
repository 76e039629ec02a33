import Glibc
import KeyDragCore
import SystemPackage

/// Folders by their paths, and names that a person gives.
///
/// All of these may block and run in the background; the reply comes from there, once.
extension FilesWorld {
  func take(_ request: FolderRequest, _ id: RequestID, _ reply: @escaping Reply) {
    switch request {
    case .goTo(let text, let base, let isOpened, let hidden):
      inBackground { [self] in goTo(text, base, isOpened: isOpened, hidden, id, reply) }
    case .complete(let text, let base):
      inBackground { [self] in reply(.completed(id, complete(text, base))) }
    case .take(let places, _):
      inBackground { [self] in reply(.prepared(id, prepare(places))) }
    case .takeClipboard: takeClipboard(id, reply)
    case .describe(let source):
      inBackground { [self] in describe(source, id, reply) }
    case .measure(let sources):
      inBackground { [self] in reply(.measured(id, measure(sources))) }
    case .make(let name, let container, let delivery):
      make(name, container.rawValue, delivery, id, reply)
    case .rename(let source, let name, let delivery): rename(source, name, delivery, id, reply)
    }
  }

  /// Contents that became a private file can only be copied: its original goes at the end.
  private func takeClipboard(_ id: RequestID, _ reply: @escaping Reply) {
    guard let clipboard else { return reply(.prepared(id, .refused(.noClipboard))) }
    clipboard.read { [self] result in
      inBackground { [self] in
        switch result {
        case .success(.places(let places)): reply(.prepared(id, prepare(places)))
        // It is nobody's file: there is nothing to be moved, and no program to be given it.
        case .success(.made(let path)):
          reply(.prepared(id, pickUp.prepare(sources(at: [path]), allowed: .copy)))
        case .failure(let reason): reply(.prepared(id, .refused(reason)))
        }
      }
    }
  }

  /// Picks up files by paths or "file:" addresses; others are passed over.
  private func prepare(_ places: [String]) -> Preparation {
    let paths = places.compactMap { $0.hasPrefix("/") ? FilePath($0) : FileList.path($0) }
    var preparation = pickUp.prepare(sources(at: paths))
    // Nobody has seen it here: it never was there, as far as anyone knows.
    for index in preparation.refused.indices where preparation.refused[index].reason == .gone {
      preparation.refused[index].reason = .nothingThere
    }
    return preparation
  }

  /// Size, time and whether it can be run, of each; a source that is gone has neither.
  private func measure(_ sources: [DragSourceID]) -> [DragSourceID: RowFacts] {
    let pairs = zip(sources, registry.entries(sources)).map { source, entry in
      let stamp = entry.flatMap { try? FileCalls.status($0.path) }
      return (
        source,
        RowFacts(
          bytes: stamp?.kind == .file ? stamp?.size : nil,
          changed: stamp.map { EntryTime.full(Int64($0.modificationTime.tv_sec)) } ?? "",
          isExecutable: stamp.map { $0.kind == .file && $0.mode & 0o111 != 0 } ?? false)
      )
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// All that can be told of one item, without reading contents, but for the type of a file whose
  /// name says nothing.
  private func describe(_ source: DragSourceID, _ id: RequestID, _ reply: @escaping Reply) {
    guard let entry = registry.entry(source), let stamp = try? FileCalls.status(entry.path) else {
      return reply(.unreadable(id, name: registry.entry(source)?.spokenName ?? "", .gone))
    }
    let kind: ItemKind =
      switch stamp.kind {
      case .file: .file
      case .folder: .folder
      case .link: .link
      case .special: .special
      }
    let type =
      stamp.kind == .file ? ItemReader.type(ofFile: entry.path, name: entry.name, types) : ""
    var facts = ItemFacts(
      name: entry.spokenName, kind: kind, typeName: type.isEmpty ? "" : types.name(of: type),
      changed: EntryTime.full(Int64(stamp.modificationTime.tv_sec)),
      path: entry.folder.components.map { SpokenName.clean($0.bytes) })
    switch stamp.kind {
    case .file: facts.bytes = stamp.size
    // How many names there are, hidden ones among them.
    case .folder:
      facts.count = (try? OpenFolder(entry.path)).flatMap {
        try? FileCalls.names(in: $0.raw).count
      }
    case .link:
      if let folder = try? OpenFolder(entry.folder),
        let text = try? FileCalls.linkText(folder.raw, FileName(bytes: entry.name))
      {
        facts.target = SpokenName.clean(text)
      }
    case .special: break
    }
    reply(.described(id, facts))
  }

  /// Shows a folder by a typed path.
  ///
  /// - Parameters:
  ///   - base: the folder that relative paths start from; `nil` for the working folder.
  ///   - isOpened: whether it is opened while carrying.
  private func goTo(
    _ text: String, _ base: ContainerID?, isOpened: Bool, _ hidden: Bool, _ id: RequestID,
    _ reply: @escaping Reply
  ) {
    let path = path(text, base)
    let name = path.spokenName
    switch FileFacts.look(at: path, following: true) {
    case .failure(let reason):
      // It never was there, as far as anyone knows.
      reply(.unreadable(id, name: name, reason == .gone ? .nothingThere : reason))
    case .success(let facts) where facts.kind != .folder:
      reply(.unreadable(id, name: name, .notAFolder))
    case .success:
      guard let number = registry.folder(at: path) else {
        return reply(.unreadable(id, name: name, .tooMany))
      }
      show(number, isOpened ? .opened : .browsed, hidden, id, reply)
    }
  }

  /// A path as it is typed: from the file system's root, from home, or from the folder shown.
  ///
  /// No check is made; "~" stands for `HOME`, and other people's homes have no sign.
  private func path(_ text: String, _ base: ContainerID?) -> FilePath {
    let working = base.flatMap { registry.path(of: $0.rawValue) } ?? RootPaths.workingFolder()
    guard text == "~" || text.hasPrefix("~/"), let home = getenv("HOME") else {
      return RootPaths.absolute(FilePath(text), in: working)
    }
    return RootPaths.absolute(
      FilePath(String(cString: home)).appending(FilePath(String(text.dropFirst(2))).components),
      in: working)
  }

  /// Folders whose names begin with what stands behind the last slash; case is minded only where it
  /// tells them apart.
  private func complete(_ text: String, _ base: ContainerID?) -> PathCompletion {
    let slash = text.lastIndex(of: "/")
    let before = slash.map { String(text[...$0]) } ?? ""
    let begun = slash.map { String(text[text.index(after: $0)...]) } ?? text
    let nothing = PathCompletion(text: text, names: [], count: 0)
    if begun == "~", before.isEmpty { return PathCompletion(text: "~/", names: ["~"], count: 1) }
    // Without a slash the folder that is shown is meant.
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

  /// Renames by a move within the folder, so that it can be undone like any other. A taken name
  /// refuses.
  private func rename(
    _ source: DragSourceID, _ name: String, _ delivery: DeliveryID, _ id: RequestID,
    _ reply: @escaping Reply
  ) {
    guard let entry = registry.entry(source) else {
      return reply(.renamed(id, .failure(.gone)))
    }
    let drop = FileDrop(
      operation: .move, sources: [entry.path], target: entry.folder, clash: .fail,
      placeName: SpokenName.clean(name), newName: name)
    self.name(drop, in: entry.id.folder, delivery, id, reply)
  }

  /// Makes an empty folder; a taken name refuses.
  private func make(
    _ name: String, _ folder: UInt32, _ delivery: DeliveryID, _ id: RequestID,
    _ reply: @escaping Reply
  ) {
    guard let path = registry.path(of: folder) else {
      return reply(.renamed(id, .failure(.gone)))
    }
    let new = path.appending(FileName(name))
    let drop = FileDrop(
      operation: .copy, sources: [new], target: path, clash: .fail,
      placeName: registry.name(of: folder), makesFolder: true)
    self.name(drop, in: folder, delivery, id, reply)
  }

  /// Replies with the one thing that landed, or with the first reason why it did not.
  private func name(
    _ drop: FileDrop, in folder: UInt32, _ delivery: DeliveryID, _ id: RequestID,
    _ reply: @escaping Reply
  ) {
    delivering.deliver(drop, id: delivery) { [registry] event in
      guard case .finished(let result, let landed, _) = event else { return }
      guard let path = landed.first, let landing = registry.landing(path, in: folder) else {
        return reply(.renamed(id, .failure(result.failures.first?.reason ?? .unknown)))
      }
      reply(.renamed(id, .success(landing)))
    }
  }
}

extension String {
  /// Character by character, so that no character is cut.
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
