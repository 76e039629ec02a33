import Glibc
import Synchronization

/// The one thread that talks to an X server: work is posted to it, events wake it.
///
/// Nobody who posts ever waits for the server.
///
/// Several callers post; one thread calls ``run(reading:deadline:hasMore:handle:)``, once. Closed
/// by ``end()``, or by `handle`.
final class XThread: Sendable {
  /// Everything behind the lock.
  private struct Mailbox: Sendable {
    var jobs: [@Sendable () -> Void] = []
    var isClosed = false
  }

  private let mailbox = Mutex(Mailbox())
  /// A pipe: a byte in it wakes the thread.
  private let reading: Int32
  private let writing: Int32

  /// `nil` when the system has no more descriptors.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// May be called from any thread; never waits.
  private func wake() {
    var byte: UInt8 = 0
    // A full pipe wakes as well.
    _ = write(writing, &byte, 1)
  }

  /// Has the job run on the thread; `false` when the thread has ended.
  ///
  /// In the order of posting.
  @discardableResult
  func post(_ job: @escaping @Sendable () -> Void) -> Bool {
    let isTaken = mailbox.withLock { box in
      guard !box.isClosed else { return false }
      box.jobs.append(job)
      return true
    }
    if isTaken { wake() }
    return isTaken
  }

  /// Ends the thread after what was posted before.
  ///
  /// Returns at once; may be called again.
  func end() {
    mailbox.withLock { $0.isClosed = true }
    wake()
  }

  /// Runs what is posted, and `handle` whenever the descriptor is readable or a deadline has come,
  /// until the thread is ended or `handle` says that it is over.
  ///
  /// Blocks for as long as the thread is to live. Deadlines are in milliseconds of ``now()``.
  ///
  /// - Parameters:
  ///   - deadline: when `handle` has to be called at the latest.
  ///   - hasMore: whether there is something to handle that the descriptor does not tell of any
  ///     more, as it was read while an answer was waited for.
  func run(
    reading descriptor: Int32, deadline: () -> Milliseconds?, hasMore: () -> Bool = { false },
    handle: () -> Bool
  ) {
    while true {
      guard handle() else { break }
      var waits = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
      ]
      let timeout = deadline().map { due -> Int32 in
        let now = XThread.now()
        return due <= now ? 0 : Int32(clamping: due - now)
      }
      poll(&waits, 2, hasMore() ? 0 : timeout ?? -1)
      var bytes = [UInt8](repeating: 0, count: 64)
      while read(reading, &bytes, bytes.count) == bytes.count {}
      let (jobs, isClosed) = mailbox.withLock { box in
        defer { box.jobs = [] }
        return (box.jobs, box.isClosed)
      }
      for job in jobs { job() }
      if isClosed { break }
    }
    // Jobs posted before the end are run all the same: their senders wait for an answer.
    let rest = mailbox.withLock { box in
      defer { box = Mailbox(isClosed: true) }
      return box.jobs
    }
    for job in rest { job() }
  }

  /// Milliseconds of the monotonic clock.
  static func now() -> Milliseconds {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Milliseconds(time.tv_sec) * 1000 + Milliseconds(time.tv_nsec) / 1_000_000
  }
}
