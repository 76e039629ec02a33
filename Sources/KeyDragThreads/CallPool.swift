import Dispatch
import Synchronization

/// Calls that may block, or never come back: several side by side and on threads of their own. One that
/// takes its time holds up no other, and one that gives nothing within the patience is done without.
///
/// Each call has a key: a folder, or a place of an app. While a call has been given up and has not come
/// back, its key is not called again, so that it holds one thread.
package final class CallPool<Key: Hashable & Sendable>: Sendable {
  private struct Calls {
    /// How many at a time, and when the first of them is given up.
    var running: [Key: (count: Int, end: Duration)] = [:]
    /// Threads that wait for the next call.
    var idle: [CallThread] = []
    /// How many calls have been given up and not come back.
    var lost = 0
  }

  private let patience: Duration
  private let threads: Int
  private let pauses: ClosedRange<Duration>
  private let clock: any Clock<Duration>
  /// How long ago this began: the time of all calls.
  private let time: @Sendable () -> Duration
  private let state = Mutex(Calls())

  /// A call that takes longer than this gets another thread beside it, and so do calls of which fewer
  /// than ``fewCalls`` come back in the longest of ``pauses``.
  private static var haste: Duration { .milliseconds(20) }
  private static var fewCalls: Int { 10 }
  private static var mostThreads: Int { 16 }
  /// When so many have been given up nothing more is called: each holds a thread.
  private static var mostLost: Int { 48 }

  /// - Parameters:
  ///   - patience: how long a call may give nothing.
  ///   - threads: how many are begun with; more only stand in each other's way where most calls come
  ///     back at once.
  ///   - pauses: how long until the first values are told, and the longest between two times.
  package init(
    patience: Duration, threads: Int = 1,
    pauses: ClosedRange<Duration> = .milliseconds(2) ... .milliseconds(50),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    (self.patience, self.threads, self.pauses, self.clock) = (patience, threads, pauses, clock)
    time = Self.stopwatch(clock)
  }

  private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  /// A value for each key, in their order; `nil` where none came in time.
  ///
  /// - Parameters:
  ///   - told: the values that have come since it was called last, by index; not called where all come
  ///     at once.
  ///   - call: called on any thread, for one index after the other.
  package func values<Value: Sendable>(
    _ keys: [Key], told: ([(Int, Value)]) -> Void = { _ in },
    _ call: @escaping @Sendable (Int) async -> Value
  ) async -> [Value?] {
    var values = [Value?](repeating: nil, count: keys.count)
    func take(_ new: [(Int, Value?)]) -> [(Int, Value)] {
      let new = new.compactMap { index, value in value.map { (index, $0) } }
      for (index, value) in new { values[index] = value }
      return new
    }
    let rest = await run(keys) { new in
      let new = take(new)
      if !new.isEmpty { told(new) }
    } _: { index, give in
      _ = give(await call(index))
    }
    _ = take(rest)
    return values
  }

  /// Has each key called, and gives what has come since it was told last: by index the values that calls
  /// have given, and `nil` once for a call that is waited for no more.
  ///
  /// - Parameters:
  ///   - more: what is added to the patience.
  ///   - told: what has come from time to time.
  ///   - call: called on any thread, for one index after the other. Each value is a sign of life; one
  ///     that nobody waits for any more is answered by `false`.
  package func run<Value: Sendable>(
    _ keys: [Key], allowing more: Duration = .zero, told: ([(Int, Value?)]) -> Void,
    _ call: @escaping @Sendable (Int, _ give: (Value) -> Bool) async -> Void
  ) async -> [(Int, Value?)] {
    let patience = patience + more
    let round = CallRound<Value>(keys.count, time)
    for _ in 0..<min(threads, keys.count) { start(round, keys, patience, call) }
    var pause = pauses.lowerBound
    while await !round.isDone(within: pause, on: clock) {
      let isLong = pause == pauses.upperBound
      pause = min(pause * 2, pauses.upperBound)
      let late = round.giveUp(after: patience)
      let new = round.takeNew()
      if !new.isEmpty { told(new) }
      state.withLock { state in
        state.lost += late
        if state.lost >= Self.mostLost { state.lost += round.end() }
      }
      let isSlow = isLong && new.count < Self.fewCalls
      if round.isHeldUp(for: Self.haste, orSlow: isSlow), round.threads < Self.mostThreads {
        start(round, keys, patience, call)
      }
    }
    return round.takeNew()
  }

  private func start<Value: Sendable>(
    _ round: CallRound<Value>, _ keys: [Key], _ patience: Duration,
    _ call: @escaping @Sendable (Int, (Value) -> Bool) async -> Void
  ) {
    round.addThread()
    let thread = state.withLock { $0.idle.popLast() } ?? CallThread()
    Task(executorPreference: thread) { [self] in
      while let index = round.next() {
        let isCalled = begin(keys[index], until: time() + patience)
        if isCalled { await call(index) { round.give(index, $0) } }
        let isWanted = round.end(index, isLost: !isCalled)
        if isCalled { end(keys[index], wasLost: !isWanted) }
      }
      state.withLock { if $0.idle.count < Self.mostThreads { $0.idle.append(thread) } }
    }
  }

  /// `false` where an earlier call has been given up.
  private func begin(_ key: Key, until end: Duration) -> Bool {
    state.withLock { state in
      let (count, first) = state.running[key] ?? (0, end)
      if time() > first { return false }
      state.running[key] = (count + 1, first)
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
      state.running[key] = (running.count - 1, running.end)
    }
  }
}

/// A thread for calls that may block: those of the system's own pool are too few for that.
private final class CallThread: TaskExecutor {
  private let queue = DispatchQueue(label: "keydrag.calls")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

/// The calls of one question, and what came of them.
private final class CallRound<Value: Sendable>: Sendable {
  private struct State {
    let count: Int
    var next = 0
    var threads = 0
    /// The calls that are waited for, and when they began or gave a value last.
    var begun: [Int: Duration] = [:]
    var left: Int
    var new: [(Int, Value?)] = []
    /// When a call began, gave a value or ended last.
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
    state = Mutex(State(count: count, left: count, lastSign: time()))
  }

  var threads: Int { state.withLock { $0.threads } }

  func addThread() { state.withLock { $0.threads += 1 } }

  func next() -> Int? {
    state.withLock { state in
      guard state.next < state.count else { return nil }
      defer { state.next += 1 }
      state.lastSign = time()
      state.begun[state.next] = state.lastSign
      return state.next
    }
  }

  /// Takes a value; `false` where it is not waited for any more.
  func give(_ index: Int, _ value: Value) -> Bool {
    state.withLock { state in
      guard state.begun[index] != nil else { return false }
      state.lastSign = time()
      state.begun[index] = state.lastSign
      state.new.append((index, value))
      return true
    }
  }

  /// Notes that a call is over.
  ///
  /// - Parameter isLost: whether it was not made, since an earlier one has been given up.
  /// - Returns: whether it was still waited for.
  func end(_ index: Int, isLost: Bool) -> Bool {
    let (waiter, isWanted) = state.withLock { state in
      guard state.begun.removeValue(forKey: index) != nil else {
        return (CheckedContinuation<Void, Never>?.none, false)
      }
      state.lastSign = time()
      if isLost { state.new.append((index, nil)) }
      state.left -= 1
      return (state.left == 0 ? state.takeWaiter() : nil, true)
    }
    waiter?.resume()
    return isWanted
  }

  func takeNew() -> [(Int, Value?)] {
    state.withLock { state in
      defer { state.new = [] }
      return state.new
    }
  }

  /// Waits no longer for calls that began too long ago; nor for any where no thread takes them.
  ///
  /// - Returns: how many were given up.
  func giveUp(after patience: Duration) -> Int {
    let now = time()
    return state.withLock { state in
      let late = state.begun.filter { now - $0.value > patience }
      for index in late.keys {
        state.begun[index] = nil
        state.new.append((index, nil))
      }
      state.left -= late.count
      state.threads -= late.count
      // Another thread is about to take them.
      if !late.isEmpty { state.lastSign = now }
      if state.begun.isEmpty, now - state.lastSign > patience * 2 {
        (state.left, state.next) = (0, state.count)
      }
      return late.count
    }
  }

  /// Waits for nothing more.
  ///
  /// - Returns: how many calls were waited for.
  func end() -> Int {
    state.withLock { state in
      defer { (state.begun, state.left, state.next) = ([:], 0, state.count) }
      return state.begun.count
    }
  }

  /// Whether every thread has been at its call for so long, or calls come back slowly, and others wait
  /// behind them.
  func isHeldUp(for time: Duration, orSlow isSlow: Bool) -> Bool {
    let now = self.time()
    return state.withLock { state in
      state.next < state.count
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
