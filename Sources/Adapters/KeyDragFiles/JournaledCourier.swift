import Dispatch
import Glibc
import KeyDragCore
import KeyDragThreads
import Synchronization
import SystemPackage

/// The courier as ``FilesWorld`` uses it: orders in, events out, problems of the journal told once.
///
/// Owns the journal, the trash and both couriers: ``FileCourier`` for files, ``ItemCourier`` for
/// items that become files. One for a run of the program. Safe from any thread.
package final class JournaledCourier: FileDelivering {
  package typealias Observer = @Sendable (WorldReport) -> Void

  /// Files.
  private let courier: FileCourier
  /// Items without files.
  private let items: ItemCourier
  let journal: Journal
  let trash = TrashCan()
  private let observer: ObserverBox

  /// A courier whose journal is in the person's state folder.
  ///
  /// - Parameters:
  ///   - waitsForDisk: whether a copy is on the device before it is said to be there.
  ///   - folder: holds another journal than the person's own.
  package init(waitsForDisk: Bool = true, folder: FilePath? = nil) {
    let observer = ObserverBox()
    self.observer = observer
    journal = Journal(folder: folder, waitsForDisk: waitsForDisk) { observer.tell(.problem($0)) }
    courier = FileCourier(journal: journal, trash: trash, waitsForDisk: waitsForDisk)
    items = ItemCourier(journal: journal)
  }

  /// Why this has no trash to go to; may block.
  package func canTrash(_ path: FilePath) -> Reason? { trash.canTrash(path) }

  /// Reports that were made before are told at once, on this thread.
  package func observe(_ observer: @escaping Observer) { self.observer.set(observer) }

  /// See ``FileDelivering/deliver(_:id:events:)``.
  package func deliver(
    _ drop: FileDrop, id: DeliveryID, events: @escaping @Sendable (FileDropEvent) -> Void
  ) {
    var order = FileOrder(
      operation: drop.operation, sources: drop.sources, target: drop.target ?? "",
      clash: drop.clash, placeName: drop.placeName, permanently: drop.isPermanent)
    if drop.goesIntoNew {
      order.newFolder = drop.newName.map { FileName($0) }
    } else {
      order.newName = drop.newName.map { FileName($0) }
    }
    order.makesFolder = drop.makesFolder
    order.held = drop.held
    (order.handed, order.visitor) = (drop.handed, drop.visitor)
    courier.deliver(order, id: id) { events(Self.translate($0)) }
  }

  /// Its entry may be one that ``deliver(_:id:events:)`` has made, for the rest of the same drop.
  package func write(
    _ drop: ItemDrop, id: DeliveryID, events: @escaping @Sendable (FileDropEvent) -> Void
  ) {
    items.deliver(drop, id: id, events: events)
  }

  /// One of the two knows the id; the other does nothing.
  package func cancel(_ id: DeliveryID) {
    courier.cancel(id)
    items.cancel(id)
  }

  package func undo(entry: Int64?) async -> HistoryResult {
    await courier.undo(entry: entry) { [observer] in observer.tell(.undoneLate($0)) }
  }

  package func redo(entry: Int64?) async -> HistoryResult {
    await courier.redo(entry: entry) { [observer] in observer.tell(.redoneLate($0)) }
  }

  /// The newest entries, newest first. Waits for recovery up to 3 s, and for the journal.
  package func history(limit: Int) async throws(Reason) -> [HistoryEntry] {
    try await courier.history(limit: limit)
  }

  /// Ten at most.
  package func recentTargets() -> [FilePath] { journal.recentTargets(most: 10) }

  /// The number of what was done before an entry and can still be undone, as far as the history
  /// knows; blocks.
  package func previous(to number: Int64) -> Int64? { journal.previous(to: number) }

  /// Puts right what earlier runs left in the middle, and tells of it.
  ///
  /// - Parameter waiting: return only when that is done, or stands still because a disk does not
  ///   answer; otherwise it goes on beside everything else.
  package func recover(waiting: Bool) {
    let done = LateAnswer<Void>()
    courier.recover { [observer] in
      observer.tell(.recovered($0))
    } done: {
      done.give()
    }
    if waiting { done.wait() }
  }

  /// The next run puts right what is left.
  package func close(until end: DispatchTime) {
    courier.cancelAll()
    items.cancelAll()
    courier.close(after: items.work, until: end)
  }

  /// Items become counts, paths become names to be spoken.
  private static func translate(_ event: FileDeliveryEvent) -> FileDropEvent {
    switch event {
    case .started(_, let bytes): .started(DeliveryProgress(bytesTotal: bytes))
    case .progressed(let progress): .progressed(progress)
    case .finished(let result):
      .finished(
        told(result), landed: result.landed.map(\.path), entry: result.entry)
    }
  }

  /// Paths stay here: what is told has names only.
  private static func told(_ result: FileDeliveryResult) -> DeliveryResult {
    var told = DeliveryResult(
      outcome: result.outcome, route: .files, delivered: result.delivered,
      failures: result.failures.map(\.spoken), bytes: result.bytes,
      totalBytes: result.totalBytes, verified: result.verified, renamed: result.renamed,
      lostAttributes: result.lostAttributes, leftOut: result.leftOut.map(\.spoken))
    told.pieces = result.pieces
    told.others = result.others
    told.replaced = result.replacing.map(\.spokenName)
    return told
  }
}

/// Passed on to the journal, where each is one line of the history without steps.
extension JournaledCourier: ForeignDropKeeping {
  package func note(_ drop: ForeignDrop, isNewest: Bool) -> Int64? {
    journal.note(drop, isNewest: isNewest)
  }

  package func update(_ number: Int64, to drop: ForeignDrop) { journal.update(number, to: drop) }

  package func withdraw(_ number: Int64) { journal.withdraw(number) }

  package func setUndone(_ number: Int64) { journal.setUndone(number) }
}

/// The receiver of reports; those made before anybody listens are kept.
///
/// At most 100 early ones; more are dropped.
private final class ObserverBox: Sendable {
  private struct Reports {
    var observer: JournaledCourier.Observer?
    var early: [WorldReport] = []
  }

  private let state = Mutex(Reports())

  /// The early ones are told outside the lock, in order.
  func set(_ observer: @escaping JournaledCourier.Observer) {
    let early = state.withLock { state in
      state.observer = observer
      defer { state.early = [] }
      return state.early
    }
    early.forEach(observer)
  }

  func tell(_ report: WorldReport) {
    let observer = state.withLock { state in
      if state.observer == nil, state.early.count < 100 { state.early.append(report) }
      return state.observer
    }
    observer?(report)
  }
}
