import CAtspi
import Glibc
import KeyDragThreads
import Synchronization

/// The one thread on which connections are made, answered and closed: a loop that also waits for
/// what a main context of GLib waits for, as libdbus and libatspi know no other.
final class BusThread: Sendable {
  /// Work for the thread.
  typealias Job = EventLoop.Job

  /// `nil` where no thread is to be had: every job is turned away.
  let loop: EventLoop?
  /// Belongs to this object; only the thread iterates it, anyone may wake it.
  nonisolated(unsafe) let context: OpaquePointer?
  private let releases: Releases

  /// Starts the thread.
  init() {
    let context = MainContext()
    // The other reference is the thread's.
    self.context = g_main_context_ref(context.pointer)
    let loop = EventLoop()
    let releases = Releases()
    let isRunning = BackgroundThread.start {
      var main = context
      main.begin()
      loop?.run(waits: { main.waits() }, ready: { main.dispatch($0) })
      releases.end()
      main.end()
    }
    if !isRunning { releases.end() }
    self.loop = isRunning ? loop : nil
    self.releases = releases
  }

  deinit { g_main_context_unref(context) }

  /// Runs `job` on the thread, after all that was handed over before, and returns at once; `false`
  /// once the thread has been stopped, when nothing is run any more.
  @discardableResult
  func run(_ job: @escaping Job) -> Bool { loop?.post(job) ?? false }

  /// Runs `job`, which lets go of what the thread may be using, even when that has been told to
  /// stop: on the thread at its end, or here once it has ended.
  func release(_ job: @escaping Job) {
    if !run(job) { releases.add(job) }
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
      }, Unmanaged.passRetained(JobBox(job)).toOpaque(),
      { data in if let data { Unmanaged<JobBox>.fromOpaque(data).release() } })
    g_source_attach(source, context)
    return Alarm(source)
  }

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
  func stop() { loop?.stop() }
}

/// The jobs that came too late for the loop, and have to wait until its thread is done.
private final class Releases: Sendable {
  /// `nil` once the thread has ended.
  private let jobs = Mutex<[BusThread.Job]?>([])

  func add(_ job: @escaping BusThread.Job) {
    let isWaiting = jobs.withLock { jobs in
      jobs?.append(job)
      return jobs != nil
    }
    if !isWaiting { job() }
  }

  /// Runs them; those that come later run where they come from.
  func end() {
    let left = jobs.withLock { jobs in
      defer { jobs = nil }
      return jobs ?? []
    }
    for job in left { job() }
  }
}

/// A main context of GLib, iterated by a loop that is not GLib's ("The Main Event Loop",
/// g_main_context_prepare and what follows it there).
private struct MainContext: Sendable {
  nonisolated(unsafe) let pointer = g_main_context_new()
  /// Of the sources that are ready, and are dispatched next.
  private var priority: Int32 = 0
  /// The descriptors that are waited for, in the context's order.
  private var waited: [GPollFD] = []

  /// Makes the calling thread its owner until ``end()``.
  func begin() {
    g_main_context_push_thread_default(pointer)
    _ = g_main_context_acquire(pointer)
  }

  /// Lets go of it, too.
  func end() {
    g_main_context_release(pointer)
    g_main_context_pop_thread_default(pointer)
    g_main_context_unref(pointer)
  }

  mutating func waits() -> EventWait {
    _ = g_main_context_prepare(pointer, &priority)
    var time: Int32 = -1
    var count = Int(query(&time))
    while count > waited.count {
      waited = Array(repeating: GPollFD(), count: count)
      count = Int(query(&time))
    }
    waited.removeLast(waited.count - count)
    return EventWait(
      descriptors: waited.map {
        pollfd(fd: $0.fd, events: Int16(bitPattern: $0.events), revents: 0)
      },
      deadline: time < 0 ? nil : MonotonicClock.now + Milliseconds(time))
  }

  private mutating func query(_ time: inout Int32) -> Int32 {
    g_main_context_query(pointer, priority, &time, &waited, Int32(waited.count))
  }

  /// Calls what is ready; the loop goes on.
  mutating func dispatch(_ found: [pollfd]) -> Bool {
    for index in waited.indices {
      let ready = found.first { $0.fd == waited[index].fd }
      waited[index].revents = ready.map { UInt16(bitPattern: $0.revents) } ?? 0
    }
    if g_main_context_check(pointer, priority, &waited, Int32(waited.count)) != 0 {
      g_main_context_dispatch(pointer)
    }
    return true
  }
}

/// Carries a job through the library.
///
/// Freed by the library when nothing waits for it any more.
private final class JobBox {
  let job: BusThread.Job
  init(_ job: @escaping BusThread.Job) { self.job = job }
}
