import Dispatch
import Glibc
import KeyDragCore
import SystemPackage

/// Files as they are handed to other programs, and what those did with them.
///
/// The questions of the desktop's places about real files go to it. Every look runs on a concurrent
/// queue; where too many looks hang already, it is answered at once and empty.
package final class FilePayload: DragPayload, FileFinding {
  let world: FilesWorld
  /// `nil` where nothing is taken out of archives.
  let store: ArchiveStore?
  private let journal: Journal
  private let trash: TrashCan
  /// Concurrent: one hanging disk holds up no other.
  private let queue = DispatchQueue(label: "keydrag.landings", attributes: .concurrent)
  /// Counts looks that have not come back.
  private let looks = BlockingCallLimiter()
  /// Kept for a run of the program.
  private let memory = FolderMemory()
  private let followed = FollowedFiles()
  /// Of more items than this some are looked for where they would go.
  private static let mostLookUps = 100
  /// Of more files than this the contents are not looked for in a text.
  private static let mostTexts = 5
  /// Enough for the shared MIME database.
  ///
  /// In bytes.
  private static let head = 4_096

  /// - Parameters:
  ///   - world: knows the files by their sources.
  ///   - courier: its history takes what landed.
  ///   - folder: where a private folder is made for what is taken out of archives; `nil` for
  ///     nothing.
  package init(world: FilesWorld, courier: JournaledCourier, folder: FilePath? = nil) {
    self.world = world
    store = folder.map(ArchiveStore.init(in:))
    journal = courier.journal
    trash = courier.trash
  }

  /// A list of URIs (RFC 2483) and the paths as text; empty where any file is gone, or another thing
  /// has its name. May block.
  package func forms(of items: [DragItem]) -> [DragForm] {
    // Some of them would pass for all of them.
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

  /// The forms that a program may have read in a drop, to be looked for in its field afterwards:
  /// the lists, and the contents of at most five short texts; of pictures, sounds and films the first
  /// bytes, by which they can be told from what only has their name.
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
    // A program may write down what is in them.
    return forms(of: items)
      + texts.map { text in
        var form = DragForm("text/plain;charset=utf-8", bytes: text)
        form.isContent = true
        return form
      }
  }

  /// Looks at the folder before the drop, so that a change can be told from what was there. `nil`
  /// where the folder can't be found, or the operation leaves nothing to be found.
  package func expect(
    _ items: [DragItem], _ operation: DragOperation, in folder: ShownFolder,
    alive: @escaping @Sendable () -> Void
  ) async -> (any ExpectedLanding)? {
    let entries = world.entries(of: items)
    // Files taken out of an archive for this drop are not found again afterwards.
    let areFiles = store.map { store in items.map { !store.holds($0.source) } }
    return await look(else: nil) { [journal, trash, queue, memory] in
      let sources = Self.sources(items, entries, alive)
      if folder.isArchive { return ArchiveLanding(sources.map(\.name), in: folder, on: queue) }
      let known = Set(entries.compactMap { $0?.folder })
      guard [.copy, .move, .link].contains(operation),
        let target = FolderGuess(known: known, memory: memory).folder(of: folder)
      else { return nil }
      alive()
      return ForeignLanding(
        sources: sources, target: target, shown: folder.around(target), place: folder.spokenName,
        operation: operation, journal: journal, queue: queue, areFiles: areFiles, trash: trash,
        process: folder.processID, isDecisive: !folder.isRowAlone, alive: alive)
    }
  }

  /// The same for the trash, which is looked through afterwards.
  package func expectTrashed(
    _ items: [DragItem], in place: String, alive: @escaping @Sendable () -> Void
  ) async -> (any ExpectedLanding)? {
    let entries = world.entries(of: items)
    return await look(else: nil) { [journal, trash, queue] in
      TrashLanding(
        sources: Self.sources(items, entries, alive), trash: trash, place: place,
        journal: journal, queue: queue, alive: alive)
    }
  }

  /// The names and the paths of items; for thousands of them that takes its time.
  private static func sources(
    _ items: [DragItem], _ entries: [PlaceRegistry.Entry?], _ alive: () -> Void
  ) -> [(name: String, path: FilePath?)] {
    zip(items, entries).map { item, entry in
      alive()
      return (item.name, entry?.path.absolute)
    }
  }

  /// `nil` for an item whose type has no ending: no name could be proposed.
  package func saving(_ item: DragItem, as form: DragForm) -> (any DirectSaving)? {
    let type = item.types.first { world.types.fileExtension(for: $0) != nil }
    guard let type, let ending = world.types.fileExtension(for: type) else { return nil }
    let name = ItemName.file(
      for: item.name, ending: "." + ending, fallback: world.types.name(of: type))
    return DirectLanding(item.name, as: name, form, journal, memory, queue)
  }

  package func canSave(in folder: ShownFolder) async -> Bool {
    await look(else: false) { [memory] in DirectLanding.folder(of: folder, memory) != nil }
  }

  /// `gone` is called from any thread, each time with those that are gone by then.
  package func follow(_ items: [DragItem], _ gone: @escaping @Sendable ([DragItem]) -> Void) {
    let files = zip(items, world.entries(of: items)).compactMap { item, entry in
      entry.map { (item, $0.path) }
    }
    followed.follow(files, gone)
  }

  /// Looks at the disk, unless too many looks wait already for a disk that does not answer.
  ///
  /// - Parameter unknown: the answer then; `body` is not called.
  func look<Value: Sendable>(
    else unknown: Value, _ body: @escaping @Sendable () -> Value
  ) async -> Value {
    await looks.look(else: unknown, by: { queue.async(execute: $0) }, body)
  }

  /// The outcome of a drop on a folder, as far as it can be seen from outside. An empty answer
  /// means that nothing is known.
  package func outlook(for items: [DragItem], in folder: ShownFolder) async -> FolderDropPrecheck {
    let entries = world.entries(of: items)
    return await look(else: FolderDropPrecheck()) { [memory] in
      let known = Set(entries.compactMap { $0?.folder })
      guard let path = FolderGuess(known: known, memory: memory).folder(of: folder) else {
        return FolderDropPrecheck()
      }
      var probe = PlaceProbe()
      let carried = probe.facts(of: items, entries: entries)
      guard let target = try? probe.target(path, source: nil, tree: nil).get() else {
        return FolderDropPrecheck()
      }
      var outlook = FolderDropPrecheck()
      outlook.isFound = true
      // A second one beside the first gets a name that nobody could look for after the drop.
      let misfits = FolderRules(items: carried, wish: nil).misfits(at: target)
      // A folder elsewhere may have the same name and hold the same files, but for these.
      let isOther = folder.row == nil && folder.showsAll && !folder.rows.isEmpty
      outlook.misfits = misfits.filter { index, reason in
        reason != .samePlace || !isOther || folder.rows.contains(items[index].name)
      }
      let around = FileFacts.look(at: path.folder, following: true)
      outlook.isBeside =
        folder.row != nil
        && carried.allSatisfy { $0.folder != nil && $0.folder == (try? around.get())?.identity }
      let names = items.indices.lazy.filter { carried[$0].folder != target.identity }
        .compactMap { entries[$0]?.name }
      outlook.existing = PlaceProbe.clashes(Array(names.prefix(Self.mostLookUps)), in: path)
      return outlook
    }
  }

  /// The files behind rows of a window. All or none: where one of the names can't be told, none is.
  package func files(
    named names: [String], in folder: ShownFolder, shownIn container: ContainerID
  ) async -> [DragSourceDescriptor] {
    await look(else: []) { [world, memory] in
      var folder = folder
      // The window's folder is meant, and not the row.
      folder.row = nil
      guard let path = FolderGuess(memory: memory).folder(of: folder) else { return [] }
      var found: [DragSourceDescriptor] = []
      let told = ToldNames(path, memory: memory)
      for name in names {
        // A name that leads out of the folder is no row of it.
        guard name != ".", name != "..", let file = told.onlyFile(name),
          let stamp = try? FileCalls.status(file), let source = world.source(at: file)
        else { return [] }
        found.append(
          DragSourceDescriptor(
            id: source, name: SpokenName.file(name), container: container,
            kind: stamp.kind == .folder ? .folder : .file))
      }
      return found
    }
  }
}

extension FilePayload {
  /// Those of the names that are plain files, on which a drop goes to the folder around them.
  package func plainFiles(among names: [String], in folder: ShownFolder) async -> Set<String> {
    await look(else: []) { [memory] in
      var folder = folder
      folder.row = nil
      guard let path = FolderGuess(memory: memory).folder(of: folder) else { return [] }
      let told = ToldNames(path, memory: memory)
      return Set(names).filter { name in told.file(name).map(FolderGuess.isPlain) ?? false }
    }
  }

  package func dropPoint(of row: ShownFolder) async -> DropPointID? {
    await look(else: nil) { [world, memory] in
      FolderGuess(memory: memory).folder(ofRow: row).flatMap(world.dropPoint)
    }
  }

  /// `nil` where the folder can't be found, or has too much in it.
  package func folders(in folder: ShownFolder) async -> [String]? {
    await look(else: nil) { [memory] in
      var folder = folder
      folder.row = nil
      return FolderGuess(memory: memory).folder(of: folder).flatMap(FolderGuess.folders)
    }
  }

  /// The name of the folder around each, by which two of one name are told apart; `nil` where it
  /// can't be found.
  package func surroundings(of folders: [ShownFolder]) async -> [String?] {
    await look(else: folders.map { _ in nil }) { [memory] in
      let guess = FolderGuess(memory: memory)
      return folders.map { guess.folder(of: $0).flatMap(Bookmarks.nameOfFolder(around:)) }
    }
  }

  /// The files at "file:" addresses. All or none.
  package func files(
    at addresses: [String], shownIn container: ContainerID
  ) async -> [DragSourceDescriptor] {
    await look(else: []) { [world] in
      var found: [DragSourceDescriptor] = []
      for address in addresses {
        guard let path = FileList.path(address), let name = path.lastComponent,
          let stamp = try? FileCalls.status(path), let source = world.source(at: path)
        else { return [] }
        found.append(
          DragSourceDescriptor(
            id: source, name: SpokenName.file(name.bytes), container: container,
            kind: stamp.kind == .folder ? .folder : .file))
      }
      return found
    }
  }
}
