import Dispatch
import Synchronization

/// Work on threads of its own that is waited for as long as it gets on: a disk that hangs holds
/// what has asked it, and nobody else.
///
/// A timeout alone would give up on slow disks: this waits as long as a counter moves. One object
/// may stand for many pieces of work, and any thread may use it.
final class Headway: Sendable {
  private let work = DispatchGroup()
  private let steps = Atomic(0)
  /// How far it had come when it was found to stand still.
  ///
  /// The value of ``steps`` then; -1 before that.
  private let stuck = Atomic(-1)

  /// Counts one piece of work more; each needs one ``leave()``.
  func enter() { work.enter() }
  func leave() {
    tick()
    work.leave()
  }

  /// Something was got on with.
  ///
  /// Cheap: called for each file or piece of 16 MiB.
  func tick() { steps.add(1, ordering: .relaxed) }

  /// Waits until nothing runs, or until nothing was got on with for the whole of a time. Blocks:
  /// not for a thread that serves others.
  ///
  /// Work that was found to stand still is not waited for a second time.
  ///
  /// Time is looked at in steps of `patience`: work that gets on just after a look may have up to
  /// twice that.
  ///
  /// - Parameter end: nothing is waited for longer than this, even where it gets on.
  /// - Returns: whether nothing runs any more.
  @discardableResult
  func wait(_ patience: DispatchTimeInterval, until end: DispatchTime = .distantFuture) -> Bool {
    // Relaxed is enough: the number only shows that something moved, and guards no other memory.
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
