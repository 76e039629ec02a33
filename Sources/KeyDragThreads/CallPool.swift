import Dispatch
import Synchronization

private let mostThreads = 16
/// The limit of calls of one key by ``CallPool/call(_:_:)``.
private let mostCalls = 16
/// The limit of calls that hold a thread; beyond it nothing is called.
private let mostLost = 48

/// Runs calls that may block or never return side by side on threads of their own: a slow call
/// holds up no other, and one that gives no value within the timeout is abandoned.
///
/// Each call has a key, such as a folder or a place of an app. While an abandoned call has not
/// returned, its key is not called again, so that it ties up no further thread.
package final class CallPool<Key: Hashable & Sendable>: Sendable {
  private struct Calls {
    var idle: [CallThread] = []
    /// The number of calls that hold a thread, for each key and in all: abandoned ones, and those of
    /// ``CallPool/call(_:_:)``.
    private var lostByKey: [Key: Int] = [:]
    private(set) var lost = 0

    func isLost(_ key: Key) -> Bool { lostByKey[key, default: 0] > 0 }

    /// A thread for one call that nobody gives up; `nil` when too many have not returned.
    mutating func begin(_ key: Key) -> CallThread? {
      guard lostByKey[key, default: 0] < mostCalls, lost < mostLost else { return nil }
      lose(key, 1)
      return idle.popLast() ?? CallThread()
    }

    mutating func keep(_ thread: CallThread) {
      if idle.count < mostThreads { idle.append(thread) }
    }

    /// - Parameter change: 1 for a call that is abandoned, -1 for one that has returned after all,
    ///   perhaps a moment before that is noted.
    mutating func lose(_ key: Key, _ change: Int) {
      lost += change
      let count = lostByKey[key, default: 0] + change
      lostByKey[key] = count == 0 ? nil : count
    }
  }

  private let patience: Duration
  private let threads: Int
  private let pauses: ClosedRange<Duration>
  private let clock: any Clock<Duration>
  /// Time since initialization, on which all deadlines are measured.
  private let time: @Sendable () -> Duration
  private let state = Mutex(Calls())

  /// A call that takes longer than this adds a thread; so does the longest of ``pauses`` if fewer
  /// than ``fewCalls`` return in it.
  private static var haste: Duration { .milliseconds(20) }
  private static var fewCalls: Int { 10 }

  /// - Parameters:
  ///   - patience: how long a call may go without giving a value.
  ///   - threads: how many to start with; more only contend where most calls return at once.
  ///   - pauses: the first and the longest interval between two reports of values.
  package init(
    patience: Duration = .seconds(3), threads: Int = 1,
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

  /// The value of a call that may take its time; `nil` at once while too many calls of its key, or of
  /// all, have not returned: each holds a thread, even when nobody waits for it any more.
  package func call<Value: Sendable>(
    _ key: Key, _ call: @escaping @Sendable () async -> Value
  ) async -> Value? {
    guard let thread = state.withLock({ $0.begin(key) }) else { return nil }
    return await Task(executorPreference: thread) { [self] in
      defer {
        state.withLock { state in
          state.lose(key, -1)
          state.keep(thread)
        }
      }
      return await call()
    }.value
  }

  /// A value for each key, in order; `nil` where none came in time.
  ///
  /// - Parameters:
  ///   - told: gets new values by index, in batches; not called when all arrive at once.
  ///   - call: called once per index, on any thread.
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

  /// Calls each key and returns what has come since `told` was last called: by index, the values
  /// given, and `nil` once for an abandoned call.
  ///
  /// - Parameters:
  ///   - more: extends the timeout.
  ///   - told: gets results in batches.
  ///   - call: called once per index, on any thread. Each value extends its deadline; `give`
  ///     returns `false` once the call has been abandoned.
  package func run<Value: Sendable>(
    _ keys: [Key], allowing more: Duration = .zero, told: ([(Int, Value?)]) -> Void,
    _ call: @escaping @Sendable (Int, _ give: (Value) -> Bool) async -> Void
  ) async -> [(Int, Value?)] {
    let patience = patience + more
    let round = CallBatch<Value>(keys.count, time)
    for _ in 0..<min(threads, keys.count) { start(round, keys, call) }
    var pause = pauses.lowerBound
    while await !round.isDone(within: pause, on: clock) {
      let isLong = pause == pauses.upperBound
      pause = min(pause * 2, pauses.upperBound)
      let late = round.giveUp(after: patience)
      let new = round.takeNew()
      if !new.isEmpty { told(new) }
      state.withLock { state in
        for index in late { state.lose(keys[index], 1) }
        if state.lost >= mostLost { for index in round.end() { state.lose(keys[index], 1) } }
      }
      let isSlow = isLong && new.count < Self.fewCalls
      if round.isHeldUp(for: Self.haste, orSlow: isSlow), round.threads < mostThreads {
        start(round, keys, call)
      }
    }
    return round.takeNew()
  }

  private func start<Value: Sendable>(
    _ round: CallBatch<Value>, _ keys: [Key],
    _ call: @escaping @Sendable (Int, (Value) -> Bool) async -> Void
  ) {
    round.addThread()
    let thread = state.withLock { $0.idle.popLast() } ?? CallThread()
    Task(executorPreference: thread) { [self] in
      while let index = round.next() {
        let isCalled = state.withLock { !$0.isLost(keys[index]) }
        if isCalled { await call(index) { round.give(index, $0) } }
        let isWanted = round.end(index, isLost: !isCalled)
        if isCalled, !isWanted { state.withLock { $0.lose(keys[index], -1) } }
      }
      state.withLock { $0.keep(thread) }
    }
  }
}

/// A thread for calls that may block, for which the shared concurrency pool has too few.
private final class CallThread: TaskExecutor {
  private let queue = DispatchQueue(label: "keydrag.calls")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

private final class CallBatch<Value: Sendable>: Sendable {
  private struct State {
    let count: Int
    var next = 0
    var threads = 0
    /// Calls in flight, with the time at which each began or last gave a value.
    var begun: [Int: Duration] = [:]
    var left: Int
    var new: [(Int, Value?)] = []
    /// When any call last began, gave a value or ended.
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

  /// Records a value; `false` if the call has been abandoned.
  func give(_ index: Int, _ value: Value) -> Bool {
    state.withLock { state in
      guard state.begun[index] != nil else { return false }
      state.lastSign = time()
      state.begun[index] = state.lastSign
      state.new.append((index, value))
      return true
    }
  }

  /// Records the end of a call, or that it `isLost` to an abandoned one of its key; returns whether
  /// it had not been abandoned.
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

  /// Abandons calls that have been silent for too long, and all the rest when no thread takes one
  /// for twice that time.
  ///
  /// - Returns: the indices of the calls in flight that were abandoned.
  func giveUp(after patience: Duration) -> [Int] {
    let now = time()
    return state.withLock { state in
      let late = state.begun.filter { now - $0.value > patience }
      for index in late.keys {
        state.begun[index] = nil
        state.new.append((index, nil))
      }
      state.left -= late.count
      state.threads -= late.count
      // A replacement thread is about to take the remaining calls.
      if !late.isEmpty { state.lastSign = now }
      if state.begun.isEmpty, now - state.lastSign > patience * 2 {
        (state.left, state.next) = (0, state.count)
      }
      return Array(late.keys)
    }
  }

  /// Abandons all calls; returns the indices of those in flight.
  func end() -> [Int] {
    state.withLock { state in
      defer { (state.begun, state.left, state.next) = ([:], 0, state.count) }
      return Array(state.begun.keys)
    }
  }

  /// Whether calls are waiting while all threads are busy for `time`, or calls return slowly.
  func isHeldUp(for time: Duration, orSlow isSlow: Bool) -> Bool {
    let now = self.time()
    return state.withLock { state in
      state.next < state.count
        && (isSlow || state.begun.values.allSatisfy { now - $0 > time })
    }
  }

  /// Waits up to `time` for all calls to finish.
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
