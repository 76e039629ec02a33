import Dispatch
import Synchronization

/// Calls an app's closures, several side by side and on threads of their own: one that blocks, or waits
/// for the main actor, holds up no other, and one that gives nothing within the patience is done without.
final class ClosureCalls: Sendable {
  let patience: Duration
  /// Threads that wait for the next call.
  private let idle = Mutex<[CallThread]>([])

  /// How long until the first values are told, and from then on between them, in milliseconds.
  private static let firstPause = 2
  private static let longestPause = 50
  /// A call that takes longer than this gets another thread beside it.
  private static let haste = Duration.milliseconds(20)
  private static let mostThreads = 16
  /// When so many have been given up nothing more is asked: each holds a thread.
  private static let mostLost = 48

  init(patience: Duration = .seconds(3)) { self.patience = patience }

  /// A value for each number below `count`; `nil` where none came in time.
  ///
  /// - Parameters:
  ///   - told: the values that have come since it was called last; not called where all come at once.
  ///   - call: called on any thread, for one number after the other.
  func values<Value: Sendable>(
    _ count: Int, told: ([(Int, Value)]) -> Void = { _ in },
    _ call: @escaping @Sendable (Int) async -> Value
  ) async -> [Value?] {
    let round = CallRound<Value>(count)
    // Most answer at once: more threads would stand in each other's way.
    if count > 0 { start(round, call) }
    var pause = Self.firstPause
    while await !round.isDone(within: .milliseconds(pause)) {
      pause = min(pause * 2, Self.longestPause)
      let new = round.takeNew()
      if !new.isEmpty { told(new) }
      round.giveUp(after: patience, atMost: Self.mostLost)
      if round.isHeldUp(for: Self.haste), round.threads < Self.mostThreads { start(round, call) }
    }
    return round.values
  }

  private func start<Value: Sendable>(
    _ round: CallRound<Value>, _ call: @escaping @Sendable (Int) async -> Value
  ) {
    round.addThread()
    let thread = idle.withLock { $0.popLast() } ?? CallThread()
    Task(executorPreference: thread) { [self] in
      while let number = round.next() { round.set(number, await call(number)) }
      idle.withLock { if $0.count < Self.mostThreads { $0.append(thread) } }
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
    var lost = 0
    /// The calls that are waited for, and when they began.
    var begun: [Int: ContinuousClock.Instant] = [:]
    var values: [Value?]
    var left: Int
    var new: [Int] = []
    var waiter: CheckedContinuation<Void, Never>?

    mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
      defer { waiter = nil }
      return waiter
    }
  }

  private let state: Mutex<State>

  init(_ count: Int) {
    state = Mutex(State(values: Array(repeating: nil, count: count), left: count))
  }

  var values: [Value?] { state.withLock { $0.values } }
  var threads: Int { state.withLock { $0.threads } }

  func addThread() { state.withLock { $0.threads += 1 } }

  func next() -> Int? {
    state.withLock { state in
      guard state.next < state.values.count else { return nil }
      defer { state.next += 1 }
      state.begun[state.next] = .now
      return state.next
    }
  }

  /// Takes a value; one that is not waited for any more is dropped.
  func set(_ number: Int, _ value: Value) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.begun.removeValue(forKey: number) != nil else { return nil }
      state.values[number] = value
      state.new.append(number)
      state.left -= 1
      return state.left == 0 ? state.takeWaiter() : nil
    }
    waiter?.resume()
  }

  func takeNew() -> [(Int, Value)] {
    state.withLock { state in
      defer { state.new = [] }
      return state.new.compactMap { number in state.values[number].map { (number, $0) } }
    }
  }

  /// Waits no longer for calls that began too long ago; nor for any other where too many are lost.
  func giveUp(after patience: Duration, atMost most: Int) {
    state.withLock { state in
      let late = state.begun.filter { $0.value.duration(to: .now) > patience }
      for number in late.keys { state.begun[number] = nil }
      state.left -= late.count
      state.threads -= late.count
      state.lost += late.count
      guard state.lost >= most else { return }
      (state.begun, state.left, state.next) = ([:], 0, state.values.count)
    }
  }

  /// Whether every thread has been at its call for so long, and others wait behind them.
  func isHeldUp(for time: Duration) -> Bool {
    state.withLock { state in
      state.next < state.values.count
        && state.begun.values.allSatisfy { $0.duration(to: .now) > time }
    }
  }

  /// Waits so long until there is nothing more to wait for.
  func isDone(within time: DispatchTimeInterval) async -> Bool {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if state.left > 0 { state.waiter = continuation }
        return state.left == 0
      }
      if isDone { return continuation.resume() }
      DispatchQueue.global().asyncAfter(deadline: .now() + time) { [self] in
        state.withLock { $0.takeWaiter() }?.resume()
      }
    }
    return state.withLock { $0.left == 0 }
  }
}
