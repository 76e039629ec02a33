import Glibc
import KeyDragCore
import KeyDragThreads
import Synchronization
import SystemPackage

/// Runs `lp` without a shell or input, and discards its output. One instance per delivery.
/// ``run(_:files:)`` blocks; ``cancel()`` is thread-safe.
final class PrintJob: Sendable {
  private struct Run {
    /// `nil` before the start and after it was reaped.
    var process: pid_t?
    var isCancelled = false
  }

  private let state = Mutex(Run())

  /// Sends SIGTERM, or prevents the start. Files already spooled are still printed.
  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      if let process = state.process { kill(process, SIGTERM) }
    }
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Prints the files and waits for `lp`; returns the reason on failure. Call once. A nonzero
  /// status or a signal is `programFailed`, or `interrupted` after a cancellation.
  func run(_ printer: FilePath, files: [FilePath]) -> Reason? {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return .programFailed }
    defer { close(ends[0]) }
    // Under the lock, so that a cancellation finds either no process or one that it can signal.
    let started = state.withLock { state -> Bool in
      guard !state.isCancelled else { return false }
      state.process = Self.spawn(printer, files: files, output: ends[1])
      return state.process != nil
    }
    // Closes our copy of `lp`'s end, because end of file needs all copies closed.
    close(ends[1])
    guard started, let process = state.withLock({ $0.process }) else {
      return isCancelled ? .interrupted : .programFailed
    }
    Self.drain(ends[0])
    return wait(for: process)
  }

  /// Reaps the process under the lock.
  private func wait(for process: pid_t) -> Reason? {
    var info = siginfo_t()
    // WNOWAIT: until it is reaped, its id can't be reused by a process that would be signalled.
    while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    return state.withLock { state in
      state.process = nil
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0 {
        guard errno == EINTR else { return .programFailed }
      }
      return status == 0 ? nil : state.isCancelled ? .interrupted : .programFailed
    }
  }

  /// Reads until end of file, so that a full socket buffer never blocks the job.
  private static func drain(_ descriptor: Int32) {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count == 0 || (count < 0 && errno != EINTR) { return }
      }
    }
  }

  /// - Parameter files: absolute, so that none looks like an option, even without the "--".
  private static func spawn(_ printer: FilePath, files: [FilePath], output: Int32) -> pid_t? {
    let words = ([printer, "lp", "--"] + files).map { $0.withPlatformString(ProcessStart.word) }
    // A session of its own: Ctrl-C in our terminal must not reach it.
    return ProcessStart.start(
      words[0], Array(words.dropFirst()), flags: ProcessStart.inSession
    ) { actions in
      // The job must not read from our terminal.
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, output, 1)
      posix_spawn_file_actions_adddup2(&actions, output, 2)
    }
  }
}
