import Dispatch
import KeyDragCore
import Synchronization
import SystemPackage

/// Items of an app as they are handed to other programs: in the forms that they have, as text where
/// one of these is text, and as a file where they can become one.
///
/// The newest drags are kept, because programs fetch after a drop is over. Safe from any thread;
/// forms are given from tasks.
package final class HeldItems: HeldGoods {
  /// Everything behind the lock.
  private struct Drags {
    /// The newest last. A program may still take from those that were dropped.
    var carried: [HeldDrag] = []
    /// The number given last.
    var last = HeldItems.first
  }

  private let types: any ContentTypes
  private let journal: Journal
  /// Takes what a program writes over; `nil` for none.
  private let trash: TrashCan?
  private let files: GivenFiles
  private let clock: any Clock<Duration>
  /// Looks at the disk.
  private let queue = DispatchQueue(label: "keydrag.given", attributes: .concurrent)
  private let state = Mutex(Drags())

  /// Numbers that nothing else has that is dropped on a window.
  private static let first: UInt64 = 0x2000_0000_0000_0000
  /// The most drags that are kept: items carried long ago are given to nobody any more.
  private static let most = 32
  /// Between two signs of life while an app loads.
  private static let pulse = Duration.milliseconds(500)

  /// - Parameters:
  ///   - courier: its history takes what landed in a folder.
  ///   - folder: where a private folder is made for what becomes a file, once something does.
  package convenience init(
    types: any ContentTypes, courier: JournaledCourier, folder: FilePath,
    clock: any Clock<Duration>
  ) {
    self.init(
      types: types, journal: courier.journal, trash: courier.trash, folder: folder, clock: clock)
  }

  /// For tests, which have no courier.
  init(
    types: any ContentTypes, journal: Journal, trash: TrashCan? = nil, folder: FilePath,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.types = types
    self.journal = journal
    self.trash = trash
    self.clock = clock
    files = GivenFiles(in: folder)
  }

  /// The same items with numbers of our own; the same ones again where they are asked for once more
  /// before a drop.
  package func hold(_ items: [DragItem], from loading: any ItemLoading) -> [DragItem] {
    state.withLock { state in
      if let newest = state.carried.last, newest.isUsable, newest.originals == items {
        newest.load(from: loading)
        return newest.items
      }
      let own = items.map { item in
        state.last += 1
        return DragItem(
          source: DragSourceID(state.last, of: .held), name: item.name, kind: item.kind,
          types: item.types,
          typeName: item.typeName, container: item.container, tree: item.tree, allowed: .copy,
          byteCount: item.byteCount)
      }
      state.carried.append(HeldDrag(own, items, loading, types, files))
      if state.carried.count > Self.most { state.carried.removeFirst() }
      return own
    }
  }

  /// `nil` for items that are not held.
  private func drag(of items: [DragItem]) -> HeldDrag? {
    state.withLock { state in state.carried.last { $0.items == items } }
  }

  /// Empty after a failure: nothing is offered that can't be given.
  package func forms(of items: [DragItem]) -> [DragForm] {
    guard let drag = drag(of: items), drag.trouble == nil else { return [] }
    return drag.forms
  }

  /// The beginning of what programs were given, for a look at the target's field. Does not load.
  package func given(of items: [DragItem]) -> [DragForm] {
    drag(of: items)?.given.map { DragForm($0.key, bytes: $0.value) } ?? []
  }

  /// From here on contents are given. `Reason.gone` for items that are not held any more.
  package func open(_ items: [DragItem]) async throws(Reason) {
    guard let drag = drag(of: items) else { throw .gone }
    try await drag.open()
  }

  /// Ends loading; harmless for items that are not held any more.
  package func close(_ items: [DragItem]) { drag(of: items)?.close() }

  /// Their files may be removed from now on.
  package func settle(_ items: [DragItem]) { drag(of: items)?.settle() }

  /// `nil` where all went well so far.
  package func trouble(with items: [DragItem]) -> Reason? { drag(of: items)?.trouble }

  /// At the end of the program. May block.
  package func removeFiles() { files.remove() }

  /// Removes the files that were made in the folder by a process that has ended. May block.
  package static func sweep(_ folder: FilePath) { GivenFolder.sweep(folder) }

  /// Writes the files at once, since a file manager will ask for them. `nil` where they can't be
  /// written, the folder is not found, or anything but a copy is ordered.
  package func expect(
    _ items: [DragItem], _ operation: DragOperation, in folder: ShownFolder,
    alive: @escaping @Sendable () -> Void
  ) async -> (any ExpectedLanding)? {
    guard operation == .copy, let drag = drag(of: items) else { return nil }
    // An app may take its time with what it gives; that is no disk that hangs.
    let pulse = Task { [clock] in
      while !Task.isCancelled {
        alive()
        try? await clock.sleep(for: Self.pulse)
      }
    }
    // A file manager is given files: it will ask for them.
    let written = await drag.writtenFiles()
    pulse.cancel()
    guard let paths = written else { return nil }
    return await answer { [queue, journal, trash] reply in
      queue.async {
        guard let target = FolderGuess().folder(of: folder) else { return reply(nil) }
        reply(
          ForeignLanding(
            sources: zip(items, paths).map { ($0.name, $1) }, target: target,
            shown: folder.around(target), place: folder.spokenName,
            operation: operation, journal: journal,
            queue: queue, areFiles: drag.areFiles, trash: trash,
            process: folder.processID, alive: alive))
      }
    }
  }
}
