import Glibc
import KeyDragThreads
import Synchronization

/// The sockets and the time that a thread of sockets waits for.
struct PeerWait {
  var descriptors: [pollfd] = []
  /// When something is due, as ``PeerClock`` counts; `nil` when nothing is.
  var deadline: Int64?
}

/// The owner of sockets, called on its thread only.
protocol PeerWaiting: AnyObject, Sendable {
  /// The sockets and the time to wait for now.
  func waits() -> PeerWait
  /// Something has come of it, or is due.
  func ready(_ descriptors: [pollfd])
}

enum PeerClock {
  /// Milliseconds of a clock that stands still while the computer sleeps.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// One thread that sleeps until a socket has something, something is due, or work is handed over; an
/// actor runs on it. It lives as long as this object.
final class PeerThread: SerialExecutor {
  typealias Job = @Sendable () -> Void

  private let core = Core()

  init?() { guard core.start() else { return nil } }

  deinit { core.stop() }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    core.add { job.runSynchronously(on: executor) }
  }

  func checkIsolated() {
    precondition(core.isCurrent, "This belongs to the thread of the sockets.")
  }

  /// Runs `job` on the thread, behind all that was handed over before, and returns at once.
  func run(_ job: @escaping Job) { core.add(job) }

  /// From now on the sockets of this owner are waited for; of none after `nil`.
  func attach(_ owner: (any PeerWaiting)?) { core.attach(owner) }

  private final class Core: Sendable {
    private struct Work {
      var jobs: [Job] = []
      var owner: (any PeerWaiting)?
      var isStopped = false
      var thread: pthread_t?
    }

    private let state = Mutex(Work())
    /// A byte in this pair ends the thread's sleep.
    private let wake: Int32
    private let sleep: Int32

    init() {
      var pair: [Int32] = [-1, -1]
      let type = Int32(
        SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
      _ = socketpair(AF_UNIX, type, 0, &pair)
      (wake, sleep) = (pair[0], pair[1])
    }

    deinit { for descriptor in [wake, sleep] where descriptor >= 0 { close(descriptor) } }

    var isCurrent: Bool {
      state.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    func start() -> Bool {
      wake >= 0 && BackgroundThread.start { self.run() }
    }

    func add(_ job: @escaping Job) {
      let isFirst = state.withLock { state in
        state.jobs.append(job)
        return state.jobs.count == 1
      }
      if isFirst { interrupt() }
    }

    func attach(_ owner: (any PeerWaiting)?) {
      state.withLock { $0.owner = owner }
      interrupt()
    }

    func stop() {
      state.withLock { $0.isStopped = true }
      interrupt()
    }

    private func interrupt() {
      var byte: UInt8 = 1
      _ = send(wake, &byte, 1, Int32(MSG_NOSIGNAL))
    }

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
        if jobs.isEmpty { return true }
      }
    }

    private func poll(_ wait: PeerWait) -> [pollfd] {
      var descriptors = wait.descriptors
      descriptors.append(pollfd(fd: sleep, events: Int16(POLLIN), revents: 0))
      var time: Int32 = -1
      if let deadline = wait.deadline {
        time = Int32(truncatingIfNeeded: min(max(deadline - PeerClock.now, 0), 60_000))
      }
      let count = Glibc.poll(&descriptors, nfds_t(descriptors.count), time)
      guard count > 0 else { return [] }
      if descriptors.removeLast().revents != 0 {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
          while read(sleep, buffer.baseAddress, buffer.count) > 0 {}
        }
      }
      return descriptors.filter { $0.revents != 0 }
    }
  }
}
