import Dispatch
import KeyDragCore
import Synchronization
import SystemPackage

/// Files extracted from archives for dragging.
///
/// Removed once they have landed, and on exit, except files that another program may still read:
/// these are kept for a day.
///
/// Owned by ``FilePayload``. Each extraction is one share of ``OutgoingFiles``.
final class ExtractedFiles: Sendable {
  private struct Shares {
    var shares: [DragSourceID: OutgoingFiles.Share] = [:]
    /// Dropped, with unknown outcome.
    var given: Set<OutgoingFiles.Share> = []
  }

  private let files: OutgoingFiles
  private let state = Mutex(Shares())
  private let queue = DispatchQueue(label: "keydrag.archives")
  /// Timeout for finding the archive and extracting from it, because the user waits.
  private static let patience = Duration.seconds(8)

  /// - Parameter base: parent of the private folder, which is created on the first extraction.
  init(in base: FilePath) { files = OutgoingFiles(in: base) }

  /// Extracts the entries with these displayed names from the archive that a window shows; empty if
  /// it shows none. May block for up to 8 s.
  ///
  /// - Parameter source: registers an extracted file.
  func take(
    _ names: [String], of shown: DisplayedFolder,
    as source: (FilePath) throws -> DragSourceDescriptor
  ) throws -> [DragSourceDescriptor] {
    let deadline = ContinuousClock.now + Self.patience
    guard let found = try ArchiveResolver().entries(named: names, in: shown, until: deadline) else {
      return []
    }
    files.tidy()
    try files.beginWriting()
    defer { files.endWriting() }
    let share = files.share()
    let folder = try files.makeFolder(for: share)
    do {
      let taking = ArchiveExtractor(folder: folder) { [files] in files.note($0, $1, in: folder) }
      let paths = try taking.take(found.entries, from: found.archive, until: deadline)
      let taken = try paths.map(source)
      state.withLock { state in
        for file in taken { state.shares[file.id] = share }
      }
      return taken
    } catch {
      // No program has received any of it.
      files.settle(share)
      throw error
    }
  }

  func holds(_ source: DragSourceID) -> Bool { state.withLock { $0.shares[source] != nil } }

  private func shares(of items: [DragItem]) -> Set<OutgoingFiles.Share> {
    state.withLock { state in Set(items.compactMap { state.shares[$0.source] }) }
  }

  /// Marks items as given to a program. Kept until settled, for a day at most.
  func give(_ items: [DragItem]) {
    let shares = shares(of: items)
    state.withLock { $0.given.formUnion(shares) }
  }

  /// Records the outcome of a drop.
  ///
  /// - Parameter haveLanded: `false` if the items are still being carried, which keeps their files.
  func settle(_ items: [DragItem], haveLanded: Bool) {
    let shares = shares(of: items)
    state.withLock { $0.given.subtract(shares) }
    guard haveLanded else { return }
    shares.forEach(files.settle)
    queue.async { [files] in files.tidy() }
  }

  /// Removes everything that no program may still read. May block.
  func remove() {
    let held = state.withLock { Set($0.shares.values).subtracting($0.given) }
    held.forEach(files.settle)
    files.remove()
  }
}

extension FilePayload {
  /// Takes at most 8 s.
  package func members(
    named names: [String], in archive: DisplayedFolder, shownIn container: ContainerID
  ) async throws(Reason) -> [DragSourceDescriptor] {
    guard let store else { return [] }
    let busy = Result<[DragSourceDescriptor], Reason>.failure(.notResponding)
    return try await look(at: archive.title, else: busy) { [world] in
      do {
        return .success(
          try store.take(names, of: archive) { try world.source(at: $0, shownIn: container) })
      } catch {
        return .failure(Reason(error))
      }
    }.get()
  }

  package func isMember(_ source: DragSourceID) -> Bool { store?.holds(source) == true }

  package func give(_ items: [DragItem]) { store?.give(items) }

  package func settle(_ items: [DragItem], haveLanded: Bool) {
    store?.settle(items, haveLanded: haveLanded)
  }

  package func removeFiles() { store?.remove() }
}
