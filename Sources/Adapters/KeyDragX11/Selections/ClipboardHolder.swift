import CLinux
import Glibc
import KeyDragThreads
import Synchronization

/// Starts a process that goes on holding what is in the clipboard after this one has ended, until
/// another program copies or the display goes.
///
/// A value; each start is one process. It goes by a file in memory, and inherits no other
/// descriptor.
package struct ClipboardHolder: Sendable {
  /// The argument that the process is started with, by which it can be told apart.
  package static let argument = "hold-clipboard"

  private let program: String
  private let display: String?

  /// - Parameters:
  ///   - program: runs ``run()`` when it is started with ``argument``.
  ///   - display: `nil` for the one that DISPLAY names.
  package init(program: String, display: String? = nil) {
    (self.program, self.display) = (program, display)
  }

  /// - Parameter ended: called when the process has ended, from any thread.
  /// - Returns: `nil` where it could not be started. It may end at once when it can't own the
  ///   clipboard.
  func start(
    _ parcel: ClipboardParcel, ended: @escaping @Sendable (HolderProcess) -> Void
  ) -> HolderProcess? {
    guard let bytes = parcel.bytes, let file = Self.memory(bytes) else { return nil }
    defer { close(file) }
    guard let id = spawn(input: file) else { return nil }
    let process = HolderProcess(id: id)
    // Nobody need wait for it: once this process has ended it is the system's child.
    _ = BackgroundThread.start {
      process.reap()
      ended(process)
    }
    return process
  }

  /// A descriptor of a file in memory: the clipboard's contents are written to no disk.
  ///
  /// memfd_create(2). The descriptor's offset is left at the end: the reader reads by offsets.
  private static func memory(_ bytes: [UInt8]) -> Int32? {
    let file = clinux_memory_file("keydrag-clipboard")
    guard file >= 0 else { return nil }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        close(file)
        return nil
      }
      rest = rest.dropFirst(count)
    }
    return file
  }

  /// `nil` where it could not be started.
  private func spawn(input: Int32) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Whoever waits for the end of what we write, or of what our starter gave us, waits for us
    // alone.
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    clinux_spawn_closing_from(&actions, 3)
    var attributes = posix_spawnattr_t()
    guard posix_spawnattr_init(&attributes) == 0 else { return nil }
    defer { posix_spawnattr_destroy(&attributes) }
    // A session of its own: neither the end of our terminal nor an interrupt typed there is for it.
    let flags = Self.spawnInSession | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))
    // The thread that starts it receives no signals, and the process must.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGTSTP] {
      sigaddset(&signals, signal)
    }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var arguments = ["keydrag", Self.argument].map { (text: String) in strdup(text) } + [nil]
    var variables = environment() + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    let failed = posix_spawn(&process, program, &actions, &attributes, &arguments, &variables)
    return failed == 0 ? process : nil
  }

  /// The variables of this process, with the display that is meant.
  private func environment() -> [UnsafeMutablePointer<CChar>?] {
    var result: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let variable = next.pointee {
      if display == nil || strncmp(variable, "DISPLAY=", 8) != 0 { result.append(strdup(variable)) }
      next += 1
    }
    return result + (display.map { [strdup("DISPLAY=" + $0)] } ?? [])
  }

  /// POSIX_SPAWN_SETSID, which the headers show only to GNU sources.
  private static let spawnInSession: Int32 = 0x80
}

/// A holder that was started here.
///
/// Reaped by a thread of its own.
final class HolderProcess: Sendable {
  private let id: pid_t
  private let isOver = Mutex(false)

  fileprivate init(id: pid_t) { self.id = id }

  /// Ends it, if it has not ended: its number may be somebody else's then.
  ///
  /// SIGKILL: it has nothing to put in order.
  func kill() { isOver.withLock { if !$0 { Glibc.kill(id, SIGKILL) } } }

  /// Waits for its end.
  ///
  /// Blocks; to be called once.
  fileprivate func reap() {
    var information = siginfo_t()
    // Its number stays its own until it is taken away under the lock.
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    isOver.withLock { isOver in
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0, errno == EINTR {}
      isOver = true
    }
  }
}
