import Dispatch
import Glibc
import Synchronization

/// The descriptors and the time that a loop waits for.
package struct EventWait: Sendable {
  /// Each with what it is waited for (poll(2)).
  package var descriptors: [pollfd]
  /// When something is due, as ``MonotonicClock`` counts; `nil` when nothing is.
  package var deadline: Milliseconds?

  package init(descriptors: [pollfd] = [], deadline: Milliseconds? = nil) {
    (self.descriptors, self.deadline) = (descriptors, deadline)
  }
}

/// The owner of descriptors that a loop waits for; called on the loop's thread only.
package protocol EventSource: AnyObject, Sendable {
  /// The descriptors and the time to wait for now; asked for anew before each sleep.
  func waits() -> EventWait
  /// Called after each sleep, and after work that was handed over.
  ///
  /// - Parameter descriptors: those that have something, of any source of the loop.
  func ready(_ descriptors: [pollfd])
}

/// One thread that sleeps until a descriptor has something, something is due, or work is handed
/// over; actors run on it.
///
/// Whatever waits in this program waits in such a loop. Blocking libraries have one each, without
/// descriptors. Work and sources are handed over from any thread, and nobody who does ever waits.
/// The thread ends with ``stop()``, or when nobody holds the loop any more.
package final class EventLoop: SerialExecutor {
  /// Work for the thread.
  package typealias Job = @Sendable () -> Void

  /// Held by the thread, so that the loop can go while it is at work.
  private let core: Core

  /// A loop that waits for its thread: ``start()``, or a caller of ``run(waits:ready:)``.
  ///
  /// `nil` where the system has no more descriptors.
  package init?() {
    guard let core = Core() else { return nil }
    self.core = core
  }

  deinit { core.stop() }

  /// Starts a thread that waits for what is attached; `false` where that can't be.
  package func start() -> Bool {
    let core = core
    return BackgroundThread.start { core.run(waits: core.waits, ready: core.tell) }
  }

  /// Runs a job of an actor.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    _ = core.post { job.runSynchronously(on: executor) }
  }

  /// Stops the program where something is called on another thread.
  package func checkIsolated() {
    precondition(core.isCurrent, "This belongs to the thread of a loop.")
  }

  /// Has the job run on the thread, behind all that was handed over before; `false` when the loop
  /// has been stopped.
  @discardableResult
  package func post(_ job: @escaping Job) -> Bool { core.post(job) }

  /// Ends the thread after what was handed over before.
  ///
  /// Returns at once; may be called again.
  package func stop() { core.stop() }

  /// Whether this is the loop's thread.
  package var isCurrent: Bool { core.isCurrent }

  /// The same, and returns when the thread is done with that; at once where it is the thread that
  /// asks.
  package func finish() {
    guard !isCurrent else { return stop() }
    let ended = DispatchSemaphore(value: 0)
    let isTaken = post { ended.signal() }
    stop()
    if isTaken { ended.wait() }
  }

  /// A byte written into it ends the thread's sleep, also one of a signal handler; never blocks.
  ///
  /// Lasts as long as the loop.
  package var wakeDescriptor: Int32 { core.rope }

  /// From now on the descriptors of this source are waited for, until it is detached.
  package func attach(_ source: any EventSource) { core.change { $0.append(source) } }

  /// Waits for the descriptors of this source no more.
  package func detach(_ source: any EventSource) { core.change { $0.removeAll { $0 === source } } }

  /// Makes this thread the loop's: runs what is handed over, and sleeps, until the loop is stopped
  /// or `ready` says that it is over.
  ///
  /// - Parameters:
  ///   - waits: asked before each sleep.
  ///   - ready: called after each sleep, and after work that was handed over, with the descriptors
  ///     that have something.
  package func run(waits: () -> EventWait, ready: ([pollfd]) -> Bool) {
    core.run(waits: waits, ready: ready)
  }

  /// The same for one descriptor.
  ///
  /// - Parameters:
  ///   - deadline: when `handle` has to be called at the latest.
  ///   - hasMore: whether there is something to handle that the descriptor does not tell of any
  ///     more, as it was read while an answer was waited for.
  ///   - handle: called first of all, after work that was handed over, and after each sleep.
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

  /// The state and the work of the thread; safe from any thread.
  private final class Core: Sendable {
    /// Everything behind the lock.
    private struct Work {
      /// In the order in which they were handed over.
      var jobs: [Job] = []
      /// The owners of the descriptors that are waited for.
      var sources: [any EventSource] = []
      /// Nothing is taken any more.
      var isStopped = false
      /// Whether the thread sleeps or is about to, and has to be woken for the next job.
      var isAsleep = true
      /// Known once it runs.
      var thread: pthread_t?
    }

    private let state = Mutex(Work())
    /// A pair of sockets: a byte in it ends the thread's sleep.
    private let bell: Int32
    let rope: Int32

    init?() {
      var ends: [Int32] = [-1, -1]
      let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
      guard socketpair(AF_UNIX, Int32(type), 0, &ends) == 0 else { return nil }
      (bell, rope) = (ends[0], ends[1])
    }

    deinit {
      close(bell)
      close(rope)
    }

    /// Whether this is the thread.
    var isCurrent: Bool {
      state.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    func post(_ job: @escaping Job) -> Bool {
      let (isTaken, isAsleep) = state.withLock { state in
        if !state.isStopped { state.jobs.append(job) }
        defer { state.isAsleep = false }
        return (!state.isStopped, state.isAsleep && !state.isStopped)
      }
      // Mostly a job hands over the next one, for which nobody need be woken.
      if isAsleep { ring() }
      return isTaken
    }

    func stop() {
      state.withLock { $0.isStopped = true }
      ring()
    }

    /// Takes other sources from the next sleep on.
    func change(_ change: (inout [any EventSource]) -> Void) {
      state.withLock { change(&$0.sources) }
      ring()
    }

    /// Ends the sleep, or the next one.
    ///
    /// A pair that is full has done so already.
    private func ring() {
      var byte: UInt8 = 0
      _ = write(rope, &byte, 1)
    }

    func run(waits: () -> EventWait, ready: ([pollfd]) -> Bool) {
      state.withLock { $0.thread = pthread_self() }
      while true {
        var wait = waits()
        if hasJobs() { wait.deadline = 0 }
        let found = sleep(wait)
        // Jobs come first: those handed over meanwhile are older than the bytes read now, and what
        // they change is looked at by `ready`.
        guard runJobs() else { return }
        guard ready(found) else { break }
      }
      state.withLock { $0.isStopped = true }
      // Jobs handed over before the end are run all the same: their senders wait for an answer.
      _ = runJobs()
    }

    /// Whether there is work; otherwise the thread is taken to be asleep from here on.
    private func hasJobs() -> Bool {
      state.withLock { state in
        state.isAsleep = state.jobs.isEmpty
        return !state.jobs.isEmpty
      }
    }

    /// Runs what was handed over; `false` when the thread is to end.
    ///
    /// One round: what comes from a job waits for `ready`, which may see that all is over.
    private func runJobs() -> Bool {
      let (jobs, isStopped) = state.withLock { state in
        defer { state.jobs = [] }
        state.isAsleep = false
        return (state.jobs, state.isStopped)
      }
      // Without the lock: a job may hand over others.
      for job in jobs { job() }
      return !isStopped
    }

    /// Sleeps; gives the descriptors that have something.
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

    /// Together for all sources.
    func waits() -> EventWait {
      let waits = state.withLock { $0.sources }.map { $0.waits() }
      return EventWait(
        descriptors: waits.flatMap(\.descriptors), deadline: waits.compactMap(\.deadline).min())
    }

    /// Tells each source what has come of the sleep; the loop goes on.
    func tell(_ found: [pollfd]) -> Bool {
      for source in state.withLock({ $0.sources }) { source.ready(found) }
      return true
    }
  }
}
