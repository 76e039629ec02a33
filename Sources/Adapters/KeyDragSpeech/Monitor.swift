import Glibc

/// State shared by several threads, with a mutex and a condition variable.
///
/// `Synchronization.Mutex` has no condition variable; a thread that waits here uses no CPU.
final class Monitor<State: Sendable>: @unchecked Sendable {
  // @unchecked Sendable because every access to `state` holds `mutex`.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State

  init(_ state: State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // Setting the clock must not move a deadline.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Reads or changes the state, and wakes all waiters.
  func change<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return body(&state)
  }

  /// Reads the state without waking waiters.
  func read<Result>(_ body: (State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(state)
  }

  /// Waits until `body` returns a value.
  func wait<Result>(for body: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }

  /// Waits until `isTrue` holds or `seconds` have passed; returns whether it holds.
  func wait(atMost seconds: Double, until isTrue: (State) -> Bool) -> Bool {
    var deadline = Monotonic.time(after: seconds)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isTrue(state) {
      if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { return isTrue(state) }
    }
    return true
  }
}

enum Monotonic {
  /// Seconds since an unspecified time.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The time `seconds` from now, at most a year, so that any number is safe.
  static func time(after seconds: Double) -> timespec {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let bounded = seconds.isNaN ? 0 : min(max(seconds, 0), 31_536_000)
    let nanoseconds = time.tv_nsec + Int((bounded - bounded.rounded(.down)) * 1e9)
    time.tv_sec += Int(bounded) + nanoseconds / 1_000_000_000
    time.tv_nsec = nanoseconds % 1_000_000_000
    return time
  }
}
