import CLinux
import Glibc
import KeyDragThreads
import Synchronization

/// Starts a process that keeps holding the clipboard's contents after this one has ended, until
/// another program copies or the display is lost. One process per start. The contents go in a
/// memory file; no other descriptor is inherited.
package struct ClipboardHolder: Sendable {
  /// The argument that tells the started process its task.
  package static let argument = "hold-clipboard"

  /// Runs ``run()`` when started with ``argument``.
  let program: String
  let display: String

  /// - Parameter ended: called from any thread when the process has ended.
  /// - Returns: `nil` when it could not be started. It may end at once when it can't own the
  ///   clipboard.
  func start(
    _ parcel: SerializedClipboard, ended: @escaping @Sendable (HolderProcess) -> Void
  ) -> HolderProcess? {
    guard let bytes = parcel.bytes, let file = Self.memory(bytes) else { return nil }
    defer { close(file) }
    guard let id = spawn(input: file) else { return nil }
    let process = HolderProcess(id: id)
    // The thread need not finish: the system adopts the child once this process has ended.
    _ = BackgroundThread.start {
      process.reap()
      ended(process)
    }
    return process
  }

  /// A memory file (memfd_create(2)): clipboard contents are written to no disk. Its offset is left
  /// at the end: the reader reads by offsets.
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

  private func spawn(input: Int32) -> pid_t? {
    let words = ["keydrag", Self.argument].map { Array($0.utf8CString) }
    // Its own session: neither our terminal's end nor an interrupt typed there reaches it.
    return ProcessStart.start(
      Array(program.utf8CString), words, environment: environment(), flags: ProcessStart.inSession
    ) { actions in
      // Inherits no pipes: whoever waits for our output or our parent's to end waits for us alone.
      posix_spawn_file_actions_adddup2(&actions, input, 0)
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
      clinux_spawn_closing_from(&actions, 3)
    }
  }

  /// This process's environment, with the display replaced.
  private func environment() -> [[CChar]] {
    var result: [[CChar]] = []
    var next = environ
    while let variable = next.pointee {
      if strncmp(variable, "DISPLAY=", 8) != 0 { result.append(ProcessStart.word(variable)) }
      next += 1
    }
    return result + [Array("DISPLAY=\(display)".utf8CString)]
  }
}

/// A holder started here, reaped by its own thread.
final class HolderProcess: Sendable {
  private let id: pid_t
  private let isOver = Mutex(false)

  fileprivate init(id: pid_t) { self.id = id }

  /// SIGKILL: it has nothing to clean up. No-op once it has ended, since its id may be reused.
  func kill() { isOver.withLock { if !$0 { Glibc.kill(id, SIGKILL) } } }

  /// Blocks until it has ended; to be called once.
  fileprivate func reap() {
    var information = siginfo_t()
    // The id stays reserved until it is reaped under the lock.
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    isOver.withLock { isOver in
      ProcessStart.reap(id)
      isOver = true
    }
  }
}
