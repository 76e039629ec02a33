import Dispatch
import Glibc
import KeyDragCore
import KeyDragThreads
import Synchronization
import SystemPackage

/// The courier behind ``FilesWorld``: runs orders, emits events and reports each journal problem
/// once.
///
/// Owns the journal, the trash and both couriers: ``FileCourier`` for files, ``ItemCourier`` for
/// items that become files. One per process. Thread-safe.
package final class JournaledCourier: FileDelivering {
  package typealias Observer = @Sendable (WorldReport) -> Void

  private let courier: FileCourier
  private let items: ItemCourier
  let journal: Journal
  let trash = TrashCan()
  private let observer: ObserverBox

  /// - Parameters:
  ///   - flushesToDevice: whether a copy is flushed to the device before it is reported.
  ///   - folder: holds a journal other than the user's own in the state folder.
  package init(flushesToDevice: Bool = true, folder: FilePath? = nil) {
    let observer = ObserverBox()
    self.observer = observer
    journal = Journal(folder: folder, flushesToDevice: flushesToDevice) {
      observer.tell(.problem($0))
    }
    courier = FileCourier(journal: journal, trash: trash, flushesToDevice: flushesToDevice)
    items = ItemCourier(journal: journal)
  }

  /// Why the path can't be trashed; may block.
  package func canTrash(_ path: FilePath) -> Reason? { trash.canTrash(path) }

  /// Delivers earlier reports synchronously on this thread.
  package func observe(_ observer: @escaping Observer) { self.observer.set(observer) }

  package func deliver(
    _ drop: FileDrop, id: DeliveryID, events: @escaping @Sendable (FileDropEvent) -> Void
  ) {
    var order = FileOrder(
      operation: drop.operation, sources: drop.sources, target: drop.target ?? "",
      clash: drop.clash, placeName: drop.placeName, permanently: drop.isPermanent)
    if drop.createsTargetFolder {
      order.newFolder = drop.newName.map { FileName($0) }
    } else {
      order.newName = drop.newName.map { FileName($0) }
    }
    order.makesFolder = drop.makesFolder
    order.held = drop.held
    (order.handed, order.visitor) = (drop.handed, drop.visitor)
    courier.deliver(order, id: id) { events(Self.translate($0)) }
  }

  /// May extend the entry of a ``deliver(_:id:events:)`` of the same drop.
  package func write(
    _ drop: ItemDrop, id: DeliveryID, events: @escaping @Sendable (FileDropEvent) -> Void
  ) {
    items.deliver(drop, id: id, events: events)
  }

  /// Only one courier knows the id; for the other it is a no-op.
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

  /// Newest first. Waits up to 3 s for recovery, and for the journal's lock.
  package func history(limit: Int) async throws(Reason) -> [HistoryEntry] {
    try await courier.history(limit: limit)
  }

  /// At most ten.
  package func recentTargets() -> [FilePath] { journal.recentTargets(most: 10) }

  /// The newest undoable entry before this one; blocks.
  package func previous(to number: Int64) -> Int64? { journal.previous(to: number) }

  /// Repairs deliveries that earlier runs left unfinished, and reports them.
  ///
  /// - Parameter waiting: whether to block until recovery finishes or stalls on a hanging disk;
  ///   otherwise it runs in the background.
  package func recover(waiting: Bool) {
    let done = BlockingResult<Void>()
    courier.recover { [observer] in
      observer.tell(.recovered($0))
    } done: {
      done.give()
    }
    if waiting { done.wait() }
  }

  /// Leaves unfinished deliveries to the next run's recovery.
  package func close(until end: DispatchTime) {
    courier.cancelAll()
    items.cancelAll()
    courier.close(after: items.work, until: end)
  }

  private static func translate(_ event: FileDeliveryEvent) -> FileDropEvent {
    switch event {
    case .started(_, let bytes): .started(DeliveryProgress(bytesTotal: bytes))
    case .progressed(let progress): .progressed(progress)
    case .finished(let result):
      .finished(
        told(result), landed: result.landed.map(\.path), entry: result.entry)
    }
  }

  private static func told(_ result: FileDeliveryResult) -> DeliveryResult {
    var told = DeliveryResult(
      outcome: result.outcome, route: .files, delivered: result.delivered,
      failures: result.failures.map(\.spoken), bytes: result.bytes,
      totalBytes: result.totalBytes, verified: result.verified, renamed: result.renamed,
      lostAttributes: result.lostAttributes, leftOut: result.leftOut.map(\.spoken))
    told.pieces = result.pieces
    told.others = result.others
    told.leadNowhere = result.leadNowhere
    told.replaced = result.replacing.map(\.spokenName)
    return told
  }
}

/// Forwards to the journal, where each foreign drop is a history line without steps.
extension JournaledCourier: ForeignDropHistory {
  package func note(_ drop: ForeignDrop, isNewest: Bool) -> Int64? {
    journal.note(drop, isNewest: isNewest)
  }

  package func update(_ number: Int64, to drop: ForeignDrop) { journal.update(number, to: drop) }

  package func withdraw(_ number: Int64) { journal.withdraw(number) }

  package func setUndone(_ number: Int64) { journal.setUndone(number) }
}

/// Receiver of reports. Buffers the first 100 until an observer is set and drops the rest.
private final class ObserverBox: Sendable {
  private struct Reports {
    var observer: JournaledCourier.Observer?
    var early: [WorldReport] = []
  }

  private let state = Mutex(Reports())

  /// Delivers buffered reports outside the lock, in order.
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
