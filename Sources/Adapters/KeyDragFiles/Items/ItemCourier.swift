import Dispatch
import KeyDragCore
import Synchronization

/// Carries out drops of items without files, one beside the other.
///
/// Beside ``FileCourier``, because bytes come from an app or another program, piece by piece and as
/// slowly as they please: these are tasks, not threads. Every delivery is one task.
final class ItemCourier: Sendable {
  private let journal: Journal
  /// Those that have not finished yet.
  private let running = Mutex<[DeliveryID: Task<Void, Never>]>([:])
  /// The writing that is going on.
  let work = Headway()

  init(journal: Journal) { self.journal = journal }

  /// Begins to write and returns at once; `finished` comes last and once.
  ///
  /// `events` may be called from any thread, one at a time.
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
  ///
  /// Does nothing for an unknown id.
  func cancel(_ id: DeliveryID) { running.withLock { $0[id] }?.cancel() }

  /// Each still finishes, as cancelled.
  func cancelAll() {
    let all = running.withLock { Array($0.values) }
    for task in all { task.cancel() }
  }
}
