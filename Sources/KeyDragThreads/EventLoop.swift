import Dispatch
import Glibc
import Synchronization

/// The descriptors and the deadline that a loop waits for.
package struct EventWait: Sendable {
  /// With the events to poll for (poll(2)).
  package var descriptors: [pollfd]
  /// On ``MonotonicClock``; `nil` for none.
  package var deadline: Milliseconds?

  package init(descriptors: [pollfd] = [], deadline: Milliseconds? = nil) {
    (self.descriptors, self.deadline) = (descriptors, deadline)
  }
}

/// The owner of descriptors in a loop; called on the loop's thread only.
package protocol EventSource: AnyObject, Sendable {
  /// Called before each sleep.
  func waits() -> EventWait
  /// Called after each sleep and after posted work.
  ///
  /// - Parameter descriptors: those that are ready, of any source of the loop.
  func ready(_ descriptors: [pollfd])
}

/// A thread that sleeps until a descriptor is ready, a deadline passes or work is posted; actors
/// run on it.
///
/// Everything that waits in this program waits in such a loop; blocking libraries have one each,
/// without descriptors. Any thread may post work and attach sources without blocking. The thread
/// ends with ``stop()`` or with the last reference to the loop.
package final class EventLoop: SerialExecutor {
  package typealias Job = @Sendable () -> Void

  /// Retained by the thread, so that the loop can be released while it runs.
  private let core: Core

  /// Needs ``start()`` or ``run(waits:ready:)``; `nil` when the system is out of descriptors.
  package init?() {
    guard let core = Core() else { return nil }
    self.core = core
  }

  deinit { core.stop() }

  /// Starts a thread for the attached sources; `false` if it could not be created.
  package func start() -> Bool {
    let core = core
    return BackgroundThread.start { core.run(waits: core.waits, ready: core.tell) }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    _ = core.post { job.runSynchronously(on: executor) }
  }

  /// Traps on any other thread.
  package func checkIsolated() {
    precondition(core.isCurrent, "This belongs to the thread of a loop.")
  }

  /// Queues a job behind all earlier ones; `false` when the loop has been stopped.
  @discardableResult
  package func post(_ job: @escaping Job) -> Bool { core.post(job) }

  /// Ends the thread after the jobs already posted. Returns at once; idempotent.
  package func stop() { core.stop() }

  package var isCurrent: Bool { core.isCurrent }

  /// Stops and waits until the posted jobs have run; does not wait on the loop's own thread.
  package func finish() {
    guard !isCurrent else { return stop() }
    let ended = DispatchSemaphore(value: 0)
    let isTaken = post { ended.signal() }
    stop()
    if isTaken { ended.wait() }
  }

  /// A byte written here wakes the thread, also from a signal handler; non-blocking. Valid as long
  /// as the loop.
  package var wakeDescriptor: Int32 { core.wakeWriter }

  package func attach(_ source: any EventSource) { core.change { $0.append(source) } }

  package func detach(_ source: any EventSource) { core.change { $0.removeAll { $0 === source } } }

  /// Runs the loop on the calling thread until it is stopped or `ready` returns `false`.
  ///
  /// - Parameters:
  ///   - waits: called before each sleep.
  ///   - ready: called after each sleep and after posted work, with the ready descriptors.
  package func run(waits: () -> EventWait, ready: ([pollfd]) -> Bool) {
    core.run(waits: waits, ready: ready)
  }

  /// Runs the loop for one descriptor.
  ///
  /// - Parameters:
  ///   - deadline: when `handle` must be called at the latest.
  ///   - hasMore: whether input that the descriptor no longer signals has been read already, while
  ///     waiting for a reply.
  ///   - handle: called first of all, after posted work and after each sleep; `false` ends the
  ///     loop.
  package func run(
    reading descriptor: Int32, deadline: () -> Milliseconds?, hasMore: () -> Bool = { false },
    handle: () -> Bool
  ) {
    var isFirst = true
    run {
      let waited = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      defer { isFirst = false }
      return EventWait(descriptors: waited, deadline: isFirst || hasMore() ? 0 : deadline())
    } ready: { _ in
      handle()
    }
  }

  /// Shared state; safe from any thread.
  private final class Core: Sendable {
    private struct Work {
      var jobs: [Job] = []
      var sources: [any EventSource] = []
      var isStopped = false
      /// Whether the thread sleeps or is about to, and must be woken for the next job.
      var isAsleep = true
      /// `nil` until it runs.
      var thread: pthread_t?
    }

    private let state = Mutex(Work())
    /// A socket pair: a byte written to `wakeWriter` wakes the thread.
    private let bell: Int32
    let wakeWriter: Int32

    init?() {
      var ends: [Int32] = [-1, -1]
      let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
      guard socketpair(AF_UNIX, Int32(type), 0, &ends) == 0 else { return nil }
      (bell, wakeWriter) = (ends[0], ends[1])
    }

    deinit {
      close(bell)
      close(wakeWriter)
    }

    var isCurrent: Bool {
      state.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    func post(_ job: @escaping Job) -> Bool {
      let (isTaken, isAsleep) = state.withLock { state in
        if !state.isStopped { state.jobs.append(job) }
        defer { state.isAsleep = false }
        return (!state.isStopped, state.isAsleep && !state.isStopped)
      }
      // A running job usually posts the next one, which needs no wake-up.
      if isAsleep { ring() }
      return isTaken
    }

    func stop() {
      state.withLock { $0.isStopped = true }
      ring()
    }

    /// Changes the sources from the next sleep on.
    func change(_ change: (inout [any EventSource]) -> Void) {
      state.withLock { change(&$0.sources) }
      ring()
    }

    /// Ends the current sleep or the next one; a full pair has done so already.
    private func ring() {
      var byte: UInt8 = 0
      _ = write(wakeWriter, &byte, 1)
    }

    func run(waits: () -> EventWait, ready: ([pollfd]) -> Bool) {
      state.withLock { $0.thread = pthread_self() }
      while true {
        var wait = waits()
        if hasJobs() { wait.deadline = 0 }
        let found = sleep(wait)
        // Jobs come first: they are older than the bytes read now, and `ready` looks at what they
        // change.
        guard runJobs() else { return }
        guard ready(found) else { break }
      }
      state.withLock { $0.isStopped = true }
      // Jobs posted before the end still run: their senders wait for an answer.
      _ = runJobs()
    }

    /// Marks the thread as asleep when there is no work.
    private func hasJobs() -> Bool {
      state.withLock { state in
        state.isAsleep = state.jobs.isEmpty
        return !state.jobs.isEmpty
      }
    }

    /// Runs one round of jobs; `false` when the thread is to end. Jobs posted meanwhile wait for
    /// `ready`, which may end the loop.
    private func runJobs() -> Bool {
      let (jobs, isStopped) = state.withLock { state in
        defer { state.jobs = [] }
        state.isAsleep = false
        return (state.jobs, state.isStopped)
      }
      // Outside the lock: a job may post others.
      for job in jobs { job() }
      return !isStopped
    }

    /// Returns the ready descriptors.
    private func sleep(_ wait: EventWait) -> [pollfd] {
      var descriptors = wait.descriptors
      descriptors.append(pollfd(fd: bell, events: Int16(POLLIN), revents: 0))
      let time = wait.deadline.map { Int32(clamping: max($0 - MonotonicClock.now, 0)) } ?? -1
      let count = poll(&descriptors, nfds_t(descriptors.count), time)
      guard count > 0 else { return [] }
      // The last one is the loop's own.
      if descriptors.removeLast().revents != 0 {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
          while read(bell, bytes.baseAddress, bytes.count) == bytes.count {}
        }
      }
      return descriptors.filter { $0.revents != 0 }
    }

    /// Combined for all sources.
    func waits() -> EventWait {
      let waits = state.withLock { $0.sources }.map { $0.waits() }
      return EventWait(
        descriptors: waits.flatMap(\.descriptors), deadline: waits.compactMap(\.deadline).min())
    }

    /// Calls each source; the loop goes on.
    func tell(_ found: [pollfd]) -> Bool {
      for source in state.withLock({ $0.sources }) { source.ready(found) }
      return true
    }
  }
}
