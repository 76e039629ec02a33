import CLinux
import Foundation
import Glibc
import SystemPackage
import Testing

@testable import KeyDragFiles

/// One run of the probe, in a process of its own.
struct ProbeRun {
  private let process: pid_t
  /// Reads to its end when the process is gone.
  private let life: CInt

  init(_ words: [String]) throws {
    let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent()
    let program = folder.appending(path: "KeyDragCourierProbe").path
    var ends: [CInt] = [0, 0]
    try FileCalls.checked { pipe(&ends) }
    life = ends[0]
    _ = fcntl(life, F_SETFD, FD_CLOEXEC)
    var arguments: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 3)
    // A file that another test is just writing would stay open for writing in here.
    clinux_spawn_closing_from(&actions, 4)
    var child = pid_t()
    let code = posix_spawn(&child, program, &actions, nil, arguments, environ)
    _ = close(ends[1])
    try #require(code == 0, "\(program) does not start")
    process = child
  }

  /// Waits until it ends by itself or the time is over, ends it then, and tells whether it had to.
  func end(after milliseconds: Double) -> Bool {
    var end = pollfd(fd: life, events: Int16(POLLIN), revents: 0)
    let isOver = poll(&end, 1, CInt(milliseconds)) == 1
    if !isOver { kill(process, SIGKILL) }
    var status: CInt = 0
    waitpid(process, &status, 0)
    _ = close(life)
    return !isOver
  }
}
