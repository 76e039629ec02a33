import CAtspi
import Glibc
import KeyDragThreads
import Synchronization

/// The one thread on which connections are made, answered and closed.
///
/// It waits in GLib's main context, so that it wakes for messages, alarms and jobs, and for nothing
/// else.
final class BusThread: Sendable {
  /// Work for the thread.
  typealias Job = @Sendable () -> Void

  /// Everything behind the lock.
  private struct Work {
    /// In the order in which they were handed over.
    var jobs: [Job] = []
    /// Nothing is run after it.
    var isStopped = false
    /// Whether the thread waits, or is about to, and has to be woken for a job.
    var isWaiting = true
  }

  /// The most rounds of jobs that come from jobs before messages are looked for again.
  private static let mostTurns = 16

  /// Anybody may hand over a job.
  private let state = Mutex(Work())
  /// Belongs to this object; only the thread iterates it, anyone may wake it.
  nonisolated(unsafe) let context: OpaquePointer?

  /// Starts the thread. Where that can't be, every job is turned away.
  init() {
    context = g_main_context_new()
    let isRunning = BackgroundThread.start { self.run() }
    if !isRunning { state.withLock { $0.isStopped = true } }
  }

  deinit { g_main_context_unref(context) }

  /// Runs `job` on the thread, after all that was handed over before, and returns at once; `false`
  /// once the thread has been stopped, when nothing is run any more.
  @discardableResult
  func run(_ job: @escaping Job) -> Bool {
    let (isTaken, isAsleep) = state.withLock { state in
      if !state.isStopped { state.jobs.append(job) }
      return (!state.isStopped, state.isWaiting && !state.isStopped)
    }
    // Mostly a job hands over the next one, for which nobody need be woken.
    if isAsleep { g_main_context_wakeup(context) }
    return isTaken
  }

  /// Runs `job` on the thread after a while, unless that is ended before. Only to be called on the
  /// thread.
  @discardableResult
  func run(after milliseconds: UInt32, _ job: @escaping Job) -> Alarm {
    let source = g_timeout_source_new(milliseconds)
    g_source_set_callback(
      source,
      { data in
        if let data { Unmanaged<JobBox>.fromOpaque(data).takeUnretainedValue().job() }
        return 0
      }, Unmanaged.passRetained(JobBox(awake(job))).toOpaque(),
      { data in if let data { Unmanaged<JobBox>.fromOpaque(data).release() } })
    g_source_attach(source, context)
    return Alarm(source)
  }

  /// A job for which the thread is woken; it is awake then, and jobs that this hands over follow
  /// without another wake-up.
  private func awake(_ job: @escaping Job) -> Job {
    { [weak self] in
      self?.noteAwake()
      job()
    }
  }

  /// The thread is awake until it has run what is handed over from now on.
  func noteAwake() { state.withLock { $0.isWaiting = false } }

  /// Waits for a moment until it is told to end.
  ///
  /// Letting go of it does not end it.
  final class Alarm: Sendable {
    /// Belongs to this object; the library allows it to be ended from any thread.
    private nonisolated(unsafe) let source: UnsafeMutablePointer<GSource>?

    /// Takes over a source that is waited for.
    fileprivate init(_ source: UnsafeMutablePointer<GSource>?) { self.source = source }

    deinit { g_source_unref(source) }

    /// Ends it, from any thread; what has happened stays done.
    func end() { g_source_destroy(source) }
  }

  /// Ends the thread when it has run what was handed over.
  func stop() {
    run { [self] in state.withLock { $0.isStopped = true } }
  }

  /// The thread: jobs while there are any, then a wait for whatever comes.
  private func run() {
    g_main_context_push_thread_default(context)
    var turns = 0
    while true {
      let (jobs, isStopped) = state.withLock { state in
        defer { state.jobs.removeAll() }
        state.isWaiting = state.jobs.isEmpty
        return (state.jobs, state.isStopped)
      }
      // Without the lock: a job may hand over others.
      for job in jobs { job() }
      if isStopped { break }
      turns = jobs.isEmpty ? 0 : turns + 1
      guard jobs.isEmpty || turns >= Self.mostTurns else { continue }
      turns = 0
      // A job that comes from now on wakes the context, so that this returns at once.
      _ = g_main_context_iteration(context, jobs.isEmpty ? 1 : 0)
      state.withLock { $0.isWaiting = false }
    }
    g_main_context_pop_thread_default(context)
  }
}

/// Carries a job through the library.
///
/// Freed by the library when nothing waits for it any more.
private final class JobBox {
  let job: BusThread.Job
  init(_ job: @escaping BusThread.Job) { self.job = job }
}
