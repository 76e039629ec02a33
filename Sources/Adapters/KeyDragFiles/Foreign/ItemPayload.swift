import Dispatch
import KeyDragCore
import Synchronization
import SystemPackage

/// An app's items as drag payload for other programs: in their own forms, as text if one of these
/// is text, and as a file if possible.
///
/// Keeps the newest drags, because programs fetch data after the drop. Thread-safe; forms are
/// provided by tasks.
package final class ItemPayload: HeldPayload {
  private struct Drags {
    /// Newest last, including dropped ones that a program may still read.
    var carried: [ItemPayloadDrag] = []
    var last = ItemPayload.first
  }

  private let types: any ContentTypes
  private let journal: Journal
  /// Receives overwritten files.
  private let trash: TrashCan
  private let files: OutgoingFiles
  private let clock: any Clock<Duration>
  private let queue = DispatchQueue(label: "keydrag.given", attributes: .concurrent)
  private let state = Mutex(Drags())

  /// Base of a range of ids that no other drag source uses.
  private static let first: UInt64 = 0x2000_0000_0000_0000
  /// Limit on kept drags; older ones provide nothing any more.
  private static let most = 32
  /// Heartbeat interval while an app loads.
  private static let pulse = Duration.milliseconds(500)

  /// - Parameters:
  ///   - courier: its history records what landed in a folder.
  ///   - folder: parent of the private folder, which is created with the first file.
  package init(
    types: any ContentTypes, courier: JournaledCourier, folder: FilePath,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.types = types
    journal = courier.journal
    trash = courier.trash
    self.clock = clock
    files = OutgoingFiles(in: folder)
  }

  /// Wraps items in new ids; returns the same ones if called again with the same items before a
  /// drop.
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
      state.carried.append(ItemPayloadDrag(own, items, loading, types, files))
      if state.carried.count > Self.most { state.carried.removeFirst() }
      return own
    }
  }

  private func drag(of items: [DragItem]) -> ItemPayloadDrag? {
    state.withLock { state in state.carried.last { $0.items == items } }
  }

  /// Empty after a failure: only forms that can be provided are offered.
  package func forms(of items: [DragItem]) -> [DragForm] {
    guard let drag = drag(of: items), drag.trouble == nil else { return [] }
    return drag.forms
  }

  /// The beginning of what programs have read, for checking the target's field. Loads nothing.
  package func given(of items: [DragItem]) -> [DragForm] {
    drag(of: items)?.given.map { DragForm($0.key, bytes: $0.value) } ?? []
  }

  /// Starts the drop. Throws `Reason.gone` for unknown items.
  package func open(_ items: [DragItem]) async throws(Reason) {
    guard let drag = drag(of: items) else { throw .gone }
    try await drag.open()
  }

  /// Ends loading; no-op for unknown items.
  package func close(_ items: [DragItem]) { drag(of: items)?.close() }

  package func settle(_ items: [DragItem]) { drag(of: items)?.settle() }

  package func trouble(with items: [DragItem]) -> Reason? { drag(of: items)?.trouble }

  /// For shutdown. May block.
  package func removeFiles() { files.remove() }

  /// Removes files in the folder left by ended processes. May block.
  package static func sweep(_ folder: FilePath) { OutgoingFolder.sweep(folder) }

  /// Writes the files at once, since a file manager will request them. `nil` if they can't be
  /// written, the folder is unknown, or the operation is not a copy.
  package func expect(
    _ items: [DragItem], _ operation: DragOperation, in folder: DisplayedFolder,
    alive: @escaping @Sendable () -> Void
  ) async -> (any DropVerifier)? {
    guard operation == .copy, let drag = drag(of: items) else { return nil }
    // Heartbeat: a slow app is not a hanging disk.
    let pulse = Task { [clock] in
      while !Task.isCancelled {
        alive()
        try? await clock.sleep(for: Self.pulse)
      }
    }
    // A file manager will request the files.
    let written = await drag.writtenFiles()
    pulse.cancel()
    guard let paths = written else { return nil }
    return await answer { [queue, journal, trash] reply in
      queue.async {
        guard let target = FolderResolver().folder(of: folder) else { return reply(nil) }
        reply(
          FolderDropVerifier(
            sources: zip(items, paths).map { ($0.name, $1) }, target: target,
            shown: folder.around(target), place: folder.spokenName,
            operation: operation, journal: journal,
            queue: queue, areFiles: drag.areFiles, trash: trash,
            process: folder.processID, alive: alive))
      }
    }
  }
}
