import Synchronization

/// A clock that stands still until a test sets it forward.
///
/// Safe from any thread.
package final class ToldClock: Clock {
  /// A moment, by what has passed since the clock was made.
  package struct Instant: InstantProtocol {
    package var passed = Duration.zero

    package func advanced(by duration: Duration) -> Instant {
      Instant(passed: passed + duration)
    }

    package func duration(to other: Instant) -> Duration { other.passed - passed }

    package static func < (one: Instant, other: Instant) -> Bool { one.passed < other.passed }
  }

  private typealias Waiting = CheckedContinuation<Void, Never>

  private struct State {
    var now = Instant()
    var lastSleeper = 0
    var sleepers: [Int: (end: Instant, waiting: Waiting)] = [:]
    /// Wait for somebody to sleep.
    var watchers: [Waiting] = []
    /// Nobody is woken by skipping any more.
    var isStopped = false
  }

  private let state = Mutex(State())
  /// How often others get a turn before the clock is set forward for those that sleep. Nobody knows
  /// when they are done: where several work at once, the clock may run ahead of some.
  private static let turns = 200

  package init() {}

  package var now: Instant { state.withLock(\.now) }

  package var minimumResolution: Duration { .zero }

  package func sleep(until end: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { state in
      state.lastSleeper += 1
      return state.lastSleeper
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { lie(down: $0, as: id, until: end) }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?.waiting.resume()
    }
    try Task.checkCancellation()
  }

  /// Resumes at once where it is time already, or the task has been cancelled.
  private func lie(down waiting: Waiting, as id: Int, until end: Instant) {
    let resumed = state.withLock { state -> [Waiting] in
      if end <= state.now || Task.isCancelled { return [waiting] }
      state.sleepers[id] = (end, waiting)
      defer { state.watchers = [] }
      return state.watchers
    }
    for waiting in resumed { waiting.resume() }
  }

  /// Sets the clock forward, and wakes whoever has slept long enough.
  package func advance(by duration: Duration) { advance { $0.now.advanced(by: duration) } }

  /// Returns once somebody sleeps, the clock is stopped, or the task is cancelled.
  package func sleeper() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiting in
        let isNow = state.withLock { state in
          if !state.sleepers.isEmpty || state.isStopped || Task.isCancelled { return true }
          state.watchers.append(waiting)
          return false
        }
        if isNow { waiting.resume() }
      }
    } onCancel: {
      wakeWatchers()
    }
  }

  private func wakeWatchers() {
    let watchers = state.withLock { state in
      defer { state.watchers = [] }
      return state.watchers
    }
    for waiting in watchers { waiting.resume() }
  }

  /// Lets nobody sleep for real, until ``stop()`` is called or the task is cancelled: the clock is set
  /// forward to whoever is to wake first.
  ///
  /// - Parameter longest: who sleeps longer than this is not woken: a limit for work that is being done
  ///   on another thread.
  package func skip(longest: Duration? = nil) async {
    while !Task.isCancelled, !state.withLock(\.isStopped) { await skipOnce(longest: longest) }
    state.withLock { $0.isStopped = false }
  }

  /// Ends ``skip()``, or the next one: the clock stands still from now on.
  package func stop() {
    state.withLock { $0.isStopped = true }
    wakeWatchers()
  }

  /// Waits until somebody sleeps, and sets the clock forward to whoever is to wake first.
  package func skipOnce(longest: Duration? = nil) async {
    await sleeper()
    for _ in 0..<Self.turns { await Task.yield() }
    guard !Task.isCancelled else { return }
    advance { state in
      guard !state.isStopped, let next = state.sleepers.values.map(\.end).min() else {
        return state.now
      }
      return longest.map { state.now.duration(to: next) > $0 } == true ? state.now : next
    }
  }

  /// To a moment that is not before now.
  private func advance(_ next: (State) -> Instant) {
    let woken = state.withLock { state in
      state.now = next(state)
      let over = state.sleepers.filter { $0.value.end <= state.now }
      for id in over.keys { state.sleepers[id] = nil }
      return over.values.map(\.waiting)
    }
    for waiting in woken { waiting.resume() }
  }
}
