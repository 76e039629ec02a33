import Dispatch
import KeyDragCore
import Synchronization

/// Carries out drops of items without files, one beside the other.
final class ItemCourier: Sendable {
  private let journal: Journal
  private let running = Mutex<[DeliveryID: Task<Void, Never>]>([:])
  /// The writing that is going on.
  let work = Headway()

  init(journal: Journal) { self.journal = journal }

  /// Begins to write and returns at once; `finished` comes last and once.
  func deliver(
    _ drop: ItemDrop, id: DeliveryID, events: @escaping @Sendable (FileDropEvent) -> Void
  ) {
    work.enter()
    running.withLock { running in
      // Within the lock, so that a delivery that ends at once finds itself here.
      running[id] = Task { [self] in
        let end = await ItemRun(drop, journal) { [work] event in
          work.tick()
          events(event)
        }.run()
        self.running.withLock { $0[id] = nil }
        events(end)
        work.leave()
      }
    }
  }

  /// Stops a delivery between two pieces; what is not whole is removed.
  func cancel(_ id: DeliveryID) { running.withLock { $0[id] }?.cancel() }

  func cancelAll() {
    let all = running.withLock { Array($0.values) }
    for task in all { task.cancel() }
  }
}
