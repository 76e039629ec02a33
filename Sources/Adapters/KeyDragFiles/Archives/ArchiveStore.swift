import Dispatch
import KeyDragCore
import Synchronization
import SystemPackage

/// Files that were taken out of archives to be carried.
///
/// They are removed once they have landed, and at the end of the process but for those that a
/// program was given and may still read: these are kept for a day.
///
/// Owned by ``FilePayload``. Each taking is one share of ``GivenFiles``.
final class ArchiveStore: Sendable {
  /// Everything behind the lock.
  private struct Shares {
    /// By the numbers that the files are carried under.
    var shares: [DragSourceID: GivenFiles.Share] = [:]
    /// Dropped, and nobody knows what became of them.
    var given: Set<GivenFiles.Share> = []
    /// Whether earlier processes' remains were looked for.
    var wasSwept = false
  }

  private let files: GivenFiles
  private let base: FilePath
  private let state = Mutex(Shares())
  /// Removes in the background what is settled.
  private let queue = DispatchQueue(label: "keydrag.archives")
  /// A person waits for the end. To find the archive and to take out of it, together.
  private static let patience = Duration.seconds(8)

  /// - Parameter base: a private folder is made in it once something is taken out.
  init(in base: FilePath) {
    self.base = base
    files = GivenFiles(in: base)
  }

  /// Takes what is shown with these names out of the archive that a window shows; nothing where it
  /// shows none. May block for some seconds.
  ///
  /// - Parameter source: the number under which a file is carried.
  /// - Throws: why it can't be taken out.
  func take(
    _ names: [String], of shown: ShownFolder, as source: (FilePath) -> DragSourceID?
  ) throws -> [(path: FilePath, source: DragSourceID)] {
    let deadline = ContinuousClock.now + Self.patience
    guard let found = try ArchiveGuess().entries(named: names, in: shown, until: deadline) else {
      return []
    }
    let wasSwept = state.withLock { state in
      defer { state.wasSwept = true }
      return state.wasSwept
    }
    if !wasSwept { GivenFolder.sweep(base) }
    files.tidy()
    try files.beginWriting()
    defer { files.endWriting() }
    let share = files.share()
    let folder = try files.makeFolder(for: share)
    do {
      let taking = TakenEntries(folder: folder) { [files] in files.note($0, $1, in: folder) }
      let paths = try taking.take(found.entries, from: found.archive, until: deadline)
      let taken = try paths.map { path in
        guard let source = source(path) else { throw Reason.gone }
        return (path, source)
      }
      state.withLock { state in
        for (_, source) in taken { state.shares[source] = share }
      }
      return taken
    } catch {
      // Nobody was given any of it.
      files.settle(share)
      throw error
    }
  }

  /// Whether a file was taken out of an archive.
  func holds(_ source: DragSourceID) -> Bool { state.withLock { $0.shares[source] != nil } }

  private func shares(of items: [DragItem]) -> Set<GivenFiles.Share> {
    state.withLock { state in Set(items.compactMap { state.shares[$0.source] }) }
  }

  /// A program is given these now.
  ///
  /// Until it is settled it stays, for a day at most.
  func give(_ items: [DragItem]) {
    let shares = shares(of: items)
    state.withLock { $0.given.formUnion(shares) }
  }

  /// It is known what became of these: they have landed, or are carried on.
  ///
  /// - Parameter haveLanded: with `false` they stay: they are carried on.
  func settle(_ items: [DragItem], haveLanded: Bool) {
    let shares = shares(of: items)
    state.withLock { $0.given.subtract(shares) }
    guard haveLanded else { return }
    shares.forEach(files.settle)
    queue.async { [files] in files.tidy() }
  }

  /// Removes what no program can still read. May block.
  func remove() {
    let held = state.withLock { Set($0.shares.values).subtracting($0.given) }
    held.forEach(files.settle)
    files.remove()
  }
}

extension FilePayload {
  /// Takes at most 8 s.
  package func members(
    named names: [String], in archive: ShownFolder, shownIn container: ContainerID
  ) async throws(Reason) -> [DragSourceDescriptor] {
    guard let store else { return [] }
    let taken: Result<[DragSourceDescriptor], Reason> = await look(else: .failure(.notResponding)) {
      [world] in
      do {
        let taken = try store.take(names, of: archive) { world.source(at: $0) }
        let sources = try taken.map { path, source in
          guard let name = path.lastComponent, let stamp = try? FileCalls.status(path) else {
            throw Reason.gone
          }
          return DragSourceDescriptor(
            id: source, name: SpokenName.file(name.bytes), container: container,
            kind: stamp.kind == .folder ? .folder : .file)
        }
        return .success(sources)
      } catch {
        return .failure(Reason(error))
      }
    }
    return try taken.get()
  }

  /// See ``ArchiveStore/holds(_:)``.
  package func isMember(_ source: DragSourceID) -> Bool { store?.holds(source) == true }

  package func give(_ items: [DragItem]) { store?.give(items) }

  package func settle(_ items: [DragItem], haveLanded: Bool) {
    store?.settle(items, haveLanded: haveLanded)
  }

  package func removeFiles() { store?.remove() }
}
