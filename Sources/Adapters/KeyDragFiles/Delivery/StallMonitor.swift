import Dispatch
import Synchronization

/// A group of background work with a stall timeout: waits as long as a counter advances, so that
/// slow disks are tolerated and hanging ones are not. Thread-safe; one object may cover many pieces
/// of work.
final class StallMonitor: Sendable {
  private let work = DispatchGroup()
  private let steps = Atomic(0)
  /// The value of ``steps`` at the last timeout; -1 before that.
  private let stuck = Atomic(-1)

  /// Must be balanced by ``leave()``.
  func enter() { work.enter() }
  func leave() {
    tick()
    work.leave()
  }

  /// Reports progress. Cheap: called for each file or 16 MiB.
  func tick() { steps.add(1, ordering: .relaxed) }

  /// Blocks until all work is done, or until there is no progress for `patience`. Progress is
  /// checked at intervals of `patience`, so that the actual timeout may be twice that.
  ///
  /// Work that was already found stalled, and has not progressed since, is not waited for again.
  ///
  /// - Parameter end: hard deadline, even with progress.
  /// - Returns: whether all work is done.
  @discardableResult
  func wait(_ patience: DispatchTimeInterval, until end: DispatchTime = .distantFuture) -> Bool {
    // Relaxed: the counter shows progress only and guards no other memory.
    while true {
      let before = steps.load(ordering: .relaxed)
      let isStuck = stuck.load(ordering: .relaxed) == before
      let next = min(.now() + patience, max(end, .now()))
      if work.wait(timeout: isStuck ? .now() : next) == .success { return true }
      if steps.load(ordering: .relaxed) == before {
        stuck.store(before, ordering: .relaxed)
        return false
      }
    }
  }
}
