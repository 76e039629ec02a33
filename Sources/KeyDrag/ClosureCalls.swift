import Dispatch
import Synchronization

/// Calls an app's closures, several side by side and on threads of their own: one that blocks, or waits
/// for the main actor, holds up no other, and one that gives nothing within the patience is done without.
///
/// Each call has a key. While a call has been given up and has not come back, its key is not called again,
/// so that it holds one thread.
final class ClosureCalls<Key: Hashable & Sendable>: Sendable {
  private struct Calls {
    /// Since when, and how many at a time.
    var running: [Key: (since: Duration, count: Int)] = [:]
    /// Threads that wait for the next call.
    var idle: [CallThread] = []
    /// How many calls have been given up and not come back.
    var lost = 0
  }

  private let patience: Duration
  private let clock: any Clock<Duration>
  /// How long ago this began: the time of all calls.
  private let time: @Sendable () -> Duration
  private let state = Mutex(Calls())

  /// How long until the first values are told, and from then on between them.
  private static var firstPause: Duration { .milliseconds(2) }
  private static var longestPause: Duration { .milliseconds(50) }
  /// A call that takes longer than this gets another thread beside it, and so do calls of which fewer
  /// than ``fewCalls`` come back in the longest pause.
  private static var haste: Duration { .milliseconds(20) }
  private static var fewCalls: Int { 10 }
  private static var mostThreads: Int { 16 }
  /// When so many have been given up nothing more is called: each holds a thread.
  private static var mostLost: Int { 48 }

  init(
    patience: Duration,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    (self.patience, self.clock, time) = (patience, clock, clock.stopwatch())
  }

  /// A value for each key, in their order; `nil` where none came in time.
  ///
  /// - Parameters:
  ///   - told: the values that have come since it was called last, by index; not called where all come
  ///     at once.
  ///   - call: called on any thread, for one index after the other.
  func values<Value: Sendable>(
    _ keys: [Key], told: ([(Int, Value)]) -> Void = { _ in },
    _ call: @escaping @Sendable (Int) async -> Value
  ) async -> [Value?] {
    let round = CallRound<Value>(keys.count, time)
    // Most answer at once: more threads would stand in each other's way.
    if !keys.isEmpty { start(round, keys, call) }
    var pause = Self.firstPause
    while await !round.isDone(within: pause, on: clock) {
      let isLong = pause == Self.longestPause
      pause = min(pause * 2, Self.longestPause)
      let new = round.takeNew()
      if !new.isEmpty { told(new) }
      let late = round.giveUp(after: patience)
      state.withLock { state in
        state.lost += late
        if state.lost >= Self.mostLost { state.lost += round.end() }
      }
      let isSlow = isLong && new.count < Self.fewCalls
      if round.isHeldUp(for: Self.haste, orSlow: isSlow), round.threads < Self.mostThreads {
        start(round, keys, call)
      }
    }
    return round.values
  }

  private func start<Value: Sendable>(
    _ round: CallRound<Value>, _ keys: [Key], _ call: @escaping @Sendable (Int) async -> Value
  ) {
    round.addThread()
    let thread = state.withLock { $0.idle.popLast() } ?? CallThread()
    Task(executorPreference: thread) { [self] in
      while let index = round.next() {
        if begin(keys[index]) {
          let isWanted = round.set(index, await call(index))
          end(keys[index], wasLost: !isWanted)
        } else {
          round.set(index, nil)
        }
      }
      state.withLock { if $0.idle.count < Self.mostThreads { $0.idle.append(thread) } }
    }
  }

  /// `false` where an earlier call has been given up.
  private func begin(_ key: Key) -> Bool {
    state.withLock { state in
      guard let running = state.running[key] else {
        state.running[key] = (time(), 1)
        return true
      }
      if time() - running.since > patience { return false }
      state.running[key] = (running.since, running.count + 1)
      return true
    }
  }

  private func end(_ key: Key, wasLost: Bool) {
    state.withLock { state in
      if wasLost { state.lost -= 1 }
      guard let running = state.running[key], running.count > 1 else {
        state.running[key] = nil
        return
      }
      state.running[key] = (running.since, running.count - 1)
    }
  }
}

/// A thread for closures that may block: those of the system's own pool are too few for that.
private final class CallThread: TaskExecutor {
  private let queue = DispatchQueue(label: "keydrag.app")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

/// The calls of one question, and what came of them.
private final class CallRound<Value: Sendable>: Sendable {
  private struct State {
    var next = 0
    var threads = 0
    /// The calls that are waited for, and when they began.
    var begun: [Int: Duration] = [:]
    var values: [Value?]
    var left: Int
    var new: [Int] = []
    /// When a call began or ended last.
    var lastSign: Duration
    var waiter: CheckedContinuation<Void, Never>?

    mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
      defer { waiter = nil }
      return waiter
    }
  }

  private let state: Mutex<State>
  private let time: @Sendable () -> Duration

  init(_ count: Int, _ time: @escaping @Sendable () -> Duration) {
    self.time = time
    state = Mutex(
      State(values: Array(repeating: nil, count: count), left: count, lastSign: time()))
  }

  var values: [Value?] { state.withLock { $0.values } }
  var threads: Int { state.withLock { $0.threads } }

  func addThread() { state.withLock { $0.threads += 1 } }

  func next() -> Int? {
    state.withLock { state in
      guard state.next < state.values.count else { return nil }
      defer { state.next += 1 }
      state.lastSign = time()
      state.begun[state.next] = state.lastSign
      return state.next
    }
  }

  /// Takes a value.
  ///
  /// - Returns: whether it is still waited for; otherwise it is dropped.
  @discardableResult
  func set(_ index: Int, _ value: Value?) -> Bool {
    let (waiter, isWanted) = state.withLock { state in
      guard state.begun.removeValue(forKey: index) != nil else {
        return (CheckedContinuation<Void, Never>?.none, false)
      }
      state.lastSign = time()
      state.values[index] = value
      state.new.append(index)
      state.left -= 1
      return (state.left == 0 ? state.takeWaiter() : nil, true)
    }
    waiter?.resume()
    return isWanted
  }

  func takeNew() -> [(Int, Value)] {
    state.withLock { state in
      defer { state.new = [] }
      return state.new.compactMap { index in state.values[index].map { (index, $0) } }
    }
  }

  /// Waits no longer for calls that began too long ago; nor for any where no thread takes them.
  ///
  /// - Returns: how many were given up.
  func giveUp(after patience: Duration) -> Int {
    let now = time()
    return state.withLock { state in
      let late = state.begun.filter { now - $0.value > patience }
      for index in late.keys { state.begun[index] = nil }
      state.left -= late.count
      state.threads -= late.count
      // Another thread is about to take them.
      if !late.isEmpty { state.lastSign = now }
      if state.begun.isEmpty, now - state.lastSign > patience * 2 {
        (state.left, state.next) = (0, state.values.count)
      }
      return late.count
    }
  }

  /// Waits for nothing more.
  ///
  /// - Returns: how many calls were waited for.
  func end() -> Int {
    state.withLock { state in
      defer { (state.begun, state.left, state.next) = ([:], 0, state.values.count) }
      return state.begun.count
    }
  }

  /// Whether every thread has been at its call for so long, or calls come back slowly, and others wait
  /// behind them.
  func isHeldUp(for time: Duration, orSlow isSlow: Bool) -> Bool {
    let now = self.time()
    return state.withLock { state in
      state.next < state.values.count
        && (isSlow || state.begun.values.allSatisfy { now - $0 > time })
    }
  }

  /// Waits so long until there is nothing more to wait for.
  func isDone(within time: Duration, on clock: any Clock<Duration>) async -> Bool {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if state.left > 0 { state.waiter = continuation }
        return state.left == 0
      }
      if isDone { return continuation.resume() }
      Task { [self] in
        try? await clock.sleep(for: time)
        state.withLock { $0.takeWaiter() }?.resume()
      }
    }
    return state.withLock { $0.left == 0 }
  }
}
