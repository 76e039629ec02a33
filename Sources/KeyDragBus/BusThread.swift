import CAtspi
import Glibc
import KeyDragThreads
import Synchronization

/// The thread on which connections are opened, served and closed: a loop that also serves a GLib
/// main context, since libdbus and libatspi know no other.
package final class BusThread: Sendable {
  package typealias Job = EventLoop.Job

  /// `nil` when no thread could be started: every job is rejected.
  package let loop: EventLoop?
  /// Owned by this object; only the thread iterates it, any thread may wake it.
  package nonisolated(unsafe) let context: OpaquePointer?
  private let releases: Releases

  package init() {
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

  /// Runs `job` on the thread after everything posted before, and returns at once; `false`, without
  /// running it, once the thread has been stopped.
  @discardableResult
  package func run(_ job: @escaping Job) -> Bool { loop?.post(job) ?? false }

  /// Runs `job`, which releases what the thread may be using, even after the thread was told to
  /// stop: on the thread at its end, or here once it has ended.
  package func release(_ job: @escaping Job) {
    if !run(job) { releases.add(job) }
  }

  /// Runs `job` on the thread after a delay, unless cancelled. Only on the thread.
  @discardableResult
  package func run(after milliseconds: UInt32, _ job: @escaping Job) -> Alarm {
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

  /// A timer. Releasing it does not cancel it.
  package final class Alarm: Sendable {
    /// Owned by this object; GLib allows any thread to destroy it.
    private nonisolated(unsafe) let source: UnsafeMutablePointer<GSource>?

    fileprivate init(_ source: UnsafeMutablePointer<GSource>?) { self.source = source }

    deinit { g_source_unref(source) }

    /// Cancels it, from any thread; a job that has run stays done.
    package func end() { g_source_destroy(source) }
  }

  /// Ends the thread after the jobs posted so far.
  package func stop() { loop?.stop() }
}

/// Jobs that the loop rejected, to be run when its thread is done.
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

  /// Runs them; later ones run on their caller's thread.
  func end() {
    let left = jobs.withLock { jobs in
      defer { jobs = nil }
      return jobs ?? []
    }
    for job in left { job() }
  }
}

/// A GLib main context, iterated by another loop ("The Main Event Loop", from
/// g_main_context_prepare on).
private struct MainContext: Sendable {
  nonisolated(unsafe) let pointer = g_main_context_new()
  /// Of the ready sources, which are dispatched next.
  private var priority: Int32 = 0
  /// The polled descriptors, in the context's order.
  private var waited: [GPollFD] = []

  /// Acquires it for the calling thread until ``end()``.
  func begin() {
    g_main_context_push_thread_default(pointer)
    _ = g_main_context_acquire(pointer)
  }

  /// Drops the reference, too.
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

/// Carries a job through GLib, which frees it.
private final class JobBox {
  let job: BusThread.Job
  init(_ job: @escaping BusThread.Job) { self.job = job }
}
