import Dispatch
import KeyDragCore
import Synchronization

/// Delivers items without files, concurrently. Separate from ``FileCourier`` because the bytes come
/// from an app or another program at its own pace: each delivery is a task, not a thread.
final class ItemCourier: Sendable {
  private let journal: Journal
  private let running = Mutex<[DeliveryID: Task<Void, Never>]>([:])
  let work = StallMonitor()

  init(journal: Journal) { self.journal = journal }

  /// Starts writing and returns at once; `finished` is the last event, sent once. `events` is
  /// called on any thread, serially.
  func deliver(
    _ drop: ItemDrop, id: DeliveryID, events: @escaping @Sendable (FileDropEvent) -> Void
  ) {
    work.enter()
    running.withLock { running in
      // Inside the lock, so that a delivery that finishes at once finds its entry to remove.
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

  /// Stops a delivery between two chunks and removes the partial file. No-op for an unknown id.
  func cancel(_ id: DeliveryID) { running.withLock { $0[id] }?.cancel() }

  /// Each delivery still reports `finished`, as cancelled.
  func cancelAll() {
    let all = running.withLock { Array($0.values) }
    for task in all { task.cancel() }
  }
}
