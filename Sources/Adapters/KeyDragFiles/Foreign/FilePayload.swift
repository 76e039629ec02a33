import Dispatch
import Glibc
import KeyDragCore
import KeyDragThreads
import SystemPackage

/// Files as drag payload for other programs, and detection of what those programs did with them.
///
/// Answers the desktop's questions about real files. If too many calls at one folder hang, the answer
/// is empty and immediate.
package final class FilePayload: DragPayload, FileFinding {
  let world: FilesWorld
  /// `nil` disables extraction from archives.
  let store: ExtractedFiles?
  private let journal: Journal
  private let trash: TrashCan
  /// Concurrent, so that one hanging disk does not block the others.
  private let queue = DispatchQueue(label: "keydrag.landings", attributes: .concurrent)
  private let memory = FolderCache()
  private let followed = FileTracker()
  private let pool = CallPool<String>()
  /// Limit on names checked for clashes.
  private static let mostLookUps = 100
  /// Limit on files whose contents are searched for in a text field.
  private static let mostTexts = 5
  /// Enough for the shared MIME database.
  ///
  /// In bytes.
  private static let head = 4_096

  /// - Parameters:
  ///   - courier: its history records what landed.
  ///   - folder: parent of the private folder for extracted files; `nil` disables extraction.
  package init(world: FilesWorld, courier: JournaledCourier, folder: FilePath? = nil) {
    self.world = world
    store = folder.map(ExtractedFiles.init(in:))
    journal = courier.journal
    trash = courier.trash
  }

  /// A URI list (RFC 2483) and the paths as text; empty if any file is gone or has been replaced.
  /// May block.
  package func forms(of items: [DragItem]) -> [DragForm] {
    // All or nothing: a part must not pass for the whole.
    let paths = items.compactMap { world.path(of: $0.source) }
    let held = world.held(items)
    guard !paths.isEmpty, paths.count == items.count,
      paths.allSatisfy({ path in
        guard let stamp = try? FileCalls.status(path) else { return false }
        return held[path]?.isSame(as: stamp) != false
      })
    else { return [] }
    let list = FileList.uriList(paths)
    let text = FileList.text(paths)
    let texts = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain"].map { type in
      var form = DragForm(type, bytes: text)
      form.isPaths = true
      return form
    }
    return [DragForm("text/uri-list", bytes: list)] + texts
  }

  /// Forms that a program may have read in a drop, for searching its text field afterwards: the
  /// lists, and the contents of at most five short texts.
  package func given(of items: [DragItem]) -> [DragForm] {
    let paths = items.prefix(Self.mostTexts).compactMap { world.path(of: $0.source) }
    let texts = paths.compactMap(FileList.text(in:))
    // Some of them would pass for all of them.
    guard texts.count == items.count else {
      return forms(of: items)
        + zip(items.prefix(Self.mostTexts), paths).compactMap { item, path in
          FileCalls.head(of: path, most: .max, head: Self.head).map { head in
            var form = DragForm(item.types.first ?? "", bytes: head.bytes)
            form.isContent = true
            return form
          }
        }
    }
    // A program may insert a file's contents.
    return forms(of: items)
      + texts.map { text in
        var form = DragForm("text/plain;charset=utf-8", bytes: text)
        form.isContent = true
        return form
      }
  }

  /// Takes a baseline of the folder before the drop. `nil` if the folder can't be found or the
  /// operation leaves no trace.
  package func expect(
    _ items: [DragItem], _ operation: DragOperation, in folder: DisplayedFolder,
    alive: @escaping @Sendable () -> Void
  ) async -> (any DropVerifier)? {
    let entries = world.entries(of: items)
    // Files extracted for this drop do not exist afterwards.
    let areFiles = store.map { store in items.map { !store.holds($0.source) } }
    return await look(at: folder.title, else: nil) { [journal, trash, queue, memory] in
      let sources = Self.sources(items, entries, alive)
      if folder.isArchive { return ArchiveDropVerifier(sources.map(\.name), in: folder, on: queue) }
      let known = Set(entries.compactMap { $0?.folder })
      let resolver = FolderResolver(known: known, memory: memory, alive: alive)
      guard [.copy, .move, .link].contains(operation), let target = resolver.folder(of: folder)
      else { return nil }
      alive()
      return FolderDropVerifier(
        sources: sources, target: target, shown: folder.around(target), place: folder.spokenName,
        operation: operation, journal: journal, queue: queue, areFiles: areFiles, trash: trash,
        process: folder.processID, isDecisive: !folder.isNamedRowOnly, alive: alive)
    }
  }

  /// As above for the trash, which is searched afterwards.
  package func expectTrashed(
    _ items: [DragItem], in place: String, alive: @escaping @Sendable () -> Void
  ) async -> (any DropVerifier)? {
    let entries = world.entries(of: items)
    return await look(at: place, else: nil) { [journal, trash, queue] in
      TrashDropVerifier(
        sources: Self.sources(items, entries, alive), trash: trash, place: place,
        journal: journal, queue: queue, alive: alive)
    }
  }

  /// Names and paths; reports progress, since thousands of items take time.
  private static func sources(
    _ items: [DragItem], _ entries: [PlaceRegistry.Entry?], _ alive: () -> Void
  ) -> [(name: String, path: FilePath?)] {
    zip(items, entries).map { item, entry in
      alive()
      return (item.name, entry?.path.absolute)
    }
  }

  /// `nil` if the item's type has no file extension, so that no name can be proposed.
  package func saving(_ item: DragItem, as form: DragForm) -> (any DirectSaving)? {
    let type = item.types.first { world.types.fileExtension(for: $0) != nil }
    guard let type, let ending = world.types.fileExtension(for: type) else { return nil }
    let name = ItemName.file(
      for: item.name, ending: "." + ending, fallback: world.types.name(of: type))
    return DirectSaveTarget(item.name, as: name, form, journal, memory, queue)
  }

  package func canSave(in folder: DisplayedFolder) async -> Bool {
    await look(at: folder.title, else: false) { [memory] in
      DirectSaveTarget.folder(of: folder, memory) != nil
    }
  }

  /// `gone` is called on any thread, each time with the items that are newly missing.
  package func follow(_ items: [DragItem], _ gone: @escaping @Sendable ([DragItem]) -> Void) {
    let files = zip(items, world.entries(of: items)).compactMap { item, entry in
      entry.map { (item, $0.path) }
    }
    followed.follow(files, gone)
  }

  /// Predicts a drop onto a folder; an empty answer means unknown.
  package func outlook(
    for items: [DragItem], in folder: DisplayedFolder, alive: @escaping @Sendable () -> Void
  ) async -> FolderDropPrecheck {
    let entries = world.entries(of: items)
    return await look(at: folder.title, else: FolderDropPrecheck()) { [memory] in
      let known = Set(entries.compactMap { $0?.folder })
      let resolver = FolderResolver(known: known, memory: memory, alive: alive)
      guard let path = resolver.folder(of: folder) else { return FolderDropPrecheck() }
      alive()
      var probe = PlaceProbe()
      let carried = probe.facts(of: items, entries: entries)
      alive()
      guard let target = try? probe.target(path, source: nil, tree: nil).get() else {
        return FolderDropPrecheck()
      }
      alive()
      var outlook = FolderDropPrecheck()
      outlook.isFound = true
      // A same-folder copy gets a name that can't be predicted for the check after the drop.
      let misfits = FolderRules(items: carried, wish: nil).misfits(at: target)
      // A different folder may have the same name and the same files except these.
      let isOther = folder.row == nil && folder.showsAll && !folder.rows.isEmpty
      outlook.misfits = misfits.filter { index, reason in
        reason != .samePlace || !isOther || folder.rows.contains(items[index].name)
      }
      let around = FileCalls.identity(behind: path.folder)
      outlook.isBeside =
        folder.row != nil
        && carried.allSatisfy { $0.folder != nil && $0.folder == around }
      let names = items.indices.lazy.filter { carried[$0].folder != target.identity }
        .compactMap { entries[$0]?.name }
      outlook.existing = PlaceProbe.clashes(Array(names.prefix(Self.mostLookUps)), in: path)
      return outlook
    }
  }

  /// The files behind a window's rows. All or none: one ambiguous name empties the result.
  package func files(
    named names: [String], in folder: DisplayedFolder, shownIn container: ContainerID
  ) async -> [DragSourceDescriptor] {
    await look(at: folder.title, else: []) { [world, memory] in
      guard let path = FolderResolver(memory: memory).shownFolder(folder) else { return [] }
      let told = DisplayedNames(path, memory: memory)
      let found = try? names.map { name in
        // Rejects names that lead out of the folder.
        guard name != ".", name != "..", let file = told.onlyFile(name) else { throw Reason.gone }
        return try world.source(at: file, called: SpokenName.file(name), shownIn: container)
      }
      return found ?? []
    }
  }
}

extension FilePayload {
  /// As ``FilesWorld/look(at:else:_:)`` by window title. Several may lead to one disk that hangs,
  /// which must not take the calls of ``FilesWorld``.
  func look<Value: Sendable>(
    at title: String?, else unknown: Value, _ work: @escaping @Sendable () async -> Value
  ) async -> Value {
    await pool.call(title ?? "", work) ?? unknown
  }

  /// The names of plain files, whose drops go to the folder around them.
  package func plainFiles(among names: [String], in folder: DisplayedFolder) async -> Set<String> {
    await look(at: folder.title, else: []) { [memory] in
      guard let path = FolderResolver(memory: memory).shownFolder(folder) else { return [] }
      let told = DisplayedNames(path, memory: memory)
      return Set(names).filter { name in told.file(name).map(FolderResolver.isPlain) ?? false }
    }
  }

  package func dropPoint(of row: DisplayedFolder) async -> DropPointID? {
    await look(at: row.title, else: nil) { [world, memory] in
      FolderResolver(memory: memory).folder(ofRow: row).flatMap(world.dropPoint)
    }
  }

  /// `nil` if the folder can't be found or has too many entries.
  package func folders(in folder: DisplayedFolder) async -> [String]? {
    await look(at: folder.title, else: nil) { [memory] in
      FolderResolver(memory: memory).shownFolder(folder).flatMap(FolderResolver.folders)
    }
  }

  /// The parent folder's name for each, to tell folders of the same name apart; `nil` if unknown.
  package func surroundings(of folders: [DisplayedFolder]) async -> [String?] {
    await look(at: nil, else: folders.map { _ in nil }) { [memory] in
      let guess = FolderResolver(memory: memory)
      return folders.map { guess.folder(of: $0).flatMap(Bookmarks.nameOfFolder(around:)) }
    }
  }

  /// The files at `file:` URIs. All or none.
  package func files(
    at addresses: [String], shownIn container: ContainerID
  ) async -> [DragSourceDescriptor] {
    await look(at: addresses.first, else: []) { [world] in
      let found = try? addresses.map { address in
        guard let path = FileList.path(address), path.name != nil else { throw Reason.gone }
        return try world.source(at: path, shownIn: container)
      }
      return found ?? []
    }
  }
}

extension FilesWorld {
  /// A file as a row of another program's window, by default under its own name.
  ///
  /// - Throws: ``Reason/gone`` also for one that can't be registered.
  func source(
    at file: FilePath, called name: String? = nil, shownIn container: ContainerID
  ) throws(Reason) -> DragSourceDescriptor {
    guard let stamp = try? FileCalls.status(file), let source = source(at: file) else {
      throw .gone
    }
    return DragSourceDescriptor(
      id: source, name: name ?? file.spokenName, container: container,
      kind: stamp.kind == .folder ? .folder : .file)
  }
}
