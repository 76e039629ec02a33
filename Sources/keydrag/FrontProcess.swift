import CLinux
import Glibc

/// The process that the shell, or another parent, waits for.
///
/// A process ends with its last thread, and a thread in a system call that a disk does not answer
/// can't be ended, not even by SIGKILL. So a child does the work, and reports its exit status
/// before it ends; this process makes no such call, and does not wait for a child that can't end.
enum FrontProcess {
  /// Returns in the child, or if there can't be one.
  ///
  /// The child stays in the process group, so that the terminal and its signals reach it, too.
  static func begin() {
    let front = getpid()
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    for signal in ends + [SIGTSTP, SIGCONT, SIGCHLD, told] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    // With SIGCHLD ignored a child would leave no status.
    let children = Glibc.signal(SIGCHLD, SIG_DFL)
    let worker = fork()
    if worker > 0 {
      var watch = Watch(worker: worker, signals: signals)
      watch.run()
    }
    _ = Glibc.signal(SIGCHLD, children)
    pthread_sigmask(SIG_SETMASK, &before, nil)
    guard worker == 0 else { return }
    _ = clinux_end_with_parent()
    guard getppid() == front else { _exit(ExitStatus.interrupted.rawValue) }
    // Handlers run in the reverse order of registration.
    _ = on_exit({ status, _ in FrontProcess.tell(status) }, nil)
  }

  /// Sends the exit status to the front process, and closes the streams, whose other ends may wait
  /// for that.
  private static func tell(_ status: Int32) {
    fflush(nil)
    sigqueue(getppid(), told, sigval(sival_int: status))
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] { close(stream) }
  }

  /// Signals that end a program; their sender may address this process alone.
  private static let ends = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]

  /// Carries the exit status.
  private static var told: Int32 { __libc_current_sigrtmin() }

  /// Forwards signals, stops when the worker does, and ends as it does.
  private struct Watch {
    let worker: pid_t
    var signals: sigset_t
    /// The number of times that each signal has come.
    private var counts: [Int32: Int32] = [:]
    /// The end to have without the worker, and the timeout for its own.
    private var end: (end: ExitState, patience: timespec)?

    private enum ExitState {
      case status(Int32)
      case signal(Int32)
    }

    init(worker: pid_t, signals: sigset_t) {
      self.worker = worker
      self.signals = signals
    }

    mutating func run() -> Never {
      while true {
        var info = siginfo_t()
        var patience = end?.patience ?? timespec()
        let signal =
          end == nil
          ? sigwaitinfo(&signals, &info) : sigtimedwait(&signals, &info, &patience)
        switch signal {
        case SIGCHLD: followWorker()
        case SIGCONT: kill(worker, SIGCONT)
        case FrontProcess.told:
          guard info._sifields._rt.si_pid == worker else { continue }
          end = (.status(info._sifields._rt.si_sigval.sival_int), Self.going)
        case 1...: pass(signal, info)
        default:
          if errno == EAGAIN, let end { leave(end.end) }
        }
      }
    }

    /// The time that a process needs to end on a busy machine.
    private static let going = timespec(tv_sec: 0, tv_nsec: 200_000_000)
    /// The same for a process that finishes its work first, and reports that.
    private static let ending = timespec(tv_sec: 2, tv_nsec: 700_000_000)

    private mutating func pass(_ signal: Int32, _ info: siginfo_t) {
      // Signals from the terminal's keys reach the whole group.
      let isByKey = info.si_code > 0 && signal != SIGTERM && signal != SIGHUP
      if !isByKey {
        // A terminal that is closed sends HUP, and so does the shell in it.
        if signal != SIGHUP { counts[signal, default: 0] += 1 }
        let count = signal == SIGTSTP ? 1 : counts[signal] ?? 1
        sigqueue(worker, signal, sigval(sival_int: count))
      }
      let count = counts[signal] ?? 1
      guard signal != SIGTSTP, end == nil || count > 1 else { return }
      end = (end?.end ?? .signal(signal), count > 1 ? Self.going : Self.ending)
    }

    private func followWorker() {
      var status: Int32 = 0
      while waitpid(worker, &status, WNOHANG | WUNTRACED) == worker {
        let number = status & 0x7F
        if status & 0xFF == 0x7F {
          // The shell takes the terminal; `fg` continues here.
          raise(SIGSTOP)
        } else {
          leave(number == 0 ? .status(status >> 8 & 0xFF) : .signal(number))
        }
      }
    }

    private func leave(_ end: ExitState) -> Never {
      switch end {
      case .status(let status): _exit(status)
      case .signal(let signal):
        // The worker has dumped core, if that is wanted.
        var none = rlimit()
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        _ = Glibc.signal(signal, SIG_DFL)
        raise(signal)
        var signals = signals
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        _exit(128 + signal)
      }
    }
  }
}
