import Dispatch
import Synchronization

/// Work on threads of its own that is waited for as long as it gets on: a disk that hangs holds what
/// has asked it, and nobody else.
final class Headway: Sendable {
  private let work = DispatchGroup()
  private let steps = Atomic(0)
  /// How far it had come when it was found to stand still.
  private let stuck = Atomic(-1)

  func enter() { work.enter() }
  func leave() {
    tick()
    work.leave()
  }

  /// Something was got on with.
  func tick() { steps.add(1, ordering: .relaxed) }

  /// Waits until nothing runs, or until nothing was got on with for the whole of a time. Blocks: not
  /// for a thread that serves others.
  ///
  /// Work that was found to stand still is not waited for a second time.
  ///
  /// - Parameter end: nothing is waited for longer than this, even where it gets on.
  /// - Returns: whether nothing runs any more.
  @discardableResult
  func wait(_ patience: DispatchTimeInterval, until end: DispatchTime = .distantFuture) -> Bool {
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
