import Glibc
import KeyDragThreads
import Synchronization

/// The sockets and the time that a thread of sockets waits for.
///
/// Asked for anew before each sleep.
struct PeerWait {
  /// Each with what it is waited for.
  var descriptors: [pollfd] = []
  /// When something is due, as ``PeerClock`` counts; `nil` when nothing is.
  var deadline: Int64?
}

/// The owner of sockets, called on its thread only.
protocol PeerWaiting: AnyObject, Sendable {
  /// The sockets and the time to wait for now.
  func waits() -> PeerWait
  /// Something has come of it, or is due.
  ///
  /// - Parameter descriptors: those that have something, perhaps none.
  func ready(_ descriptors: [pollfd])
}

/// The clock by which answers are bounded.
enum PeerClock {
  /// Milliseconds of a clock that stands still while the computer sleeps.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// One thread that sleeps until a socket has something, something is due, or work is handed over;
/// an actor runs on it. It lives as long as this object.
///
/// ``Core`` is what the thread holds on to; this object only starts and stops it, so that it can go
/// while the thread is at work.
final class PeerThread: SerialExecutor {
  /// Work for the thread.
  typealias Job = @Sendable () -> Void

  /// Outlives this object until the thread has ended.
  private let core = Core()

  /// `nil` where no thread can be started.
  init?() { guard core.start() else { return nil } }

  deinit { core.stop() }

  /// Runs a job of the actor.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    core.add { job.runSynchronously(on: executor) }
  }

  /// Stops the program where something is called on another thread.
  func checkIsolated() {
    precondition(core.isCurrent, "This belongs to the thread of the sockets.")
  }

  /// Runs `job` on the thread, behind all that was handed over before, and returns at once.
  func run(_ job: @escaping Job) { core.add(job) }

  /// From now on the sockets of this owner are waited for; of none after `nil`.
  func attach(_ owner: (any PeerWaiting)?) { core.attach(owner) }

  /// The state and the work of the thread; safe from any thread.
  private final class Core: Sendable {
    /// Everything behind the lock.
    private struct Work {
      /// In the order in which they were handed over.
      var jobs: [Job] = []
      /// The owner of the sockets that are waited for.
      var owner: (any PeerWaiting)?
      /// The thread is to end.
      var isStopped = false
      /// Known once it runs.
      var thread: pthread_t?
    }

    private let state = Mutex(Work())
    /// A byte in this pair ends the thread's sleep.
    private let wake: Int32
    /// The end of the pair that the thread waits at.
    private let sleep: Int32

    /// Makes the pair. Without it the thread is not started.
    init() {
      var pair: [Int32] = [-1, -1]
      let type = Int32(
        SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
      _ = socketpair(AF_UNIX, type, 0, &pair)
      (wake, sleep) = (pair[0], pair[1])
    }

    deinit { for descriptor in [wake, sleep] where descriptor >= 0 { close(descriptor) } }

    /// Whether this is the thread.
    var isCurrent: Bool {
      state.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    /// Starts the thread; `false` where that can't be.
    func start() -> Bool {
      wake >= 0 && BackgroundThread.start { self.run() }
    }

    /// Hands over a job.
    func add(_ job: @escaping Job) {
      let isFirst = state.withLock { state in
        state.jobs.append(job)
        return state.jobs.count == 1
      }
      // For those behind it the thread is awake already.
      if isFirst { interrupt() }
    }

    /// Takes another owner from the next step on.
    func attach(_ owner: (any PeerWaiting)?) {
      state.withLock { $0.owner = owner }
      interrupt()
    }

    /// Ends the thread behind what was handed over.
    func stop() {
      state.withLock { $0.isStopped = true }
      interrupt()
    }

    /// Ends the sleep. A pair that is full has done so already.
    private func interrupt() {
      var byte: UInt8 = 1
      _ = send(wake, &byte, 1, Int32(MSG_NOSIGNAL))
    }

    /// The thread: jobs, sleep, jobs, and then what came of the sleep.
    private func run() {
      state.withLock { $0.thread = pthread_self() }
      while runJobs() {
        // Nothing of the owner outlives this step, so that it can be let go of.
        let owner = state.withLock { $0.owner }
        let wait = owner?.waits() ?? PeerWait()
        let ready = poll(wait)
        // Jobs handed over meanwhile are older than the bytes read now: a caller that wants to be
        // told of everything from now on is told of these.
        guard runJobs() else { return }
        if let owner { owner.ready(ready) }
      }
    }

    /// Runs what was handed over; `false` when the thread is to end.
    private func runJobs() -> Bool {
      while true {
        let (jobs, isStopped) = state.withLock { state in
          defer { state.jobs = [] }
          return (state.jobs, state.isStopped)
        }
        for job in jobs { job() }
        if isStopped { return false }
        // Jobs may have handed over others.
        if jobs.isEmpty { return true }
      }
    }

    /// Sleeps; gives the sockets that have something.
    private func poll(_ wait: PeerWait) -> [pollfd] {
      var descriptors = wait.descriptors
      descriptors.append(pollfd(fd: sleep, events: Int16(POLLIN), revents: 0))
      var time: Int32 = -1
      if let deadline = wait.deadline {
        // A minute at most, so that no time is too long for the call.
        time = Int32(truncatingIfNeeded: min(max(deadline - PeerClock.now, 0), 60_000))
      }
      let count = Glibc.poll(&descriptors, nfds_t(descriptors.count), time)
      guard count > 0 else { return [] }
      // The last one is the pair's own.
      if descriptors.removeLast().revents != 0 {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
          while read(sleep, buffer.baseAddress, buffer.count) > 0 {}
        }
      }
      return descriptors.filter { $0.revents != 0 }
    }
  }
}
