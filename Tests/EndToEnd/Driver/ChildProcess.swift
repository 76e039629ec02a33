import CLinux
import Glibc
import StoppedProgram

/// A program that was started by a test: what it writes is read as it comes, and it never outlives
/// its deadline.
final class ChildProcess {
  /// It did not do in time what the test waited for; it has been killed.
  struct Hung: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var output: [UInt8] = []
  private(set) var errors: [UInt8] = []
  private let process: pid_t
  private var input: Int32
  private var outputEnd: Int32
  private var errorEnd: Int32
  private var ended: Int32?
  private let deadline: timespec

  /// Long enough for a busy machine; a test that meets it has failed.
  private static let seconds = 150

  init(
    _ command: [String], environment: [String: String], folder: String, hasInput: Bool = false
  ) throws {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    deadline = timespec(tv_sec: now.tv_sec + Self.seconds, tv_nsec: now.tv_nsec)
    // Sockets, because they are closed in other children from the start.
    let streams = try (0..<3).map { _ in try Self.ends() }
    process = Self.spawn(command, environment, folder, streams.map(\.theirs), hasInput)
    for stream in streams { close(stream.theirs) }
    (input, outputEnd, errorEnd) = (streams[0].ours, streams[1].ours, streams[2].ours)
    guard process > 0 else { throw Hung(description: "\(command[0]) can't be started") }
  }

  deinit {
    if ended == nil, process > 0 {
      kill(process, SIGKILL)
      reap()
    }
    for end in [input, outputEnd, errorEnd] where end >= 0 { close(end) }
  }

  // MARK: Talking

  func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  func closeInput() { Self.shut(&input) }

  /// No one reads what it writes any more.
  func closeOutput() { Self.shut(&outputEnd) }

  /// Nothing is sent to a process that has been waited for: its number may be another's by now.
  func signal(_ number: Int32) {
    guard ended == nil, process > 0 else { return }
    if number == SIGSTOP { StoppedProgram.stop(process) } else { kill(process, number) }
  }

  /// Reads what comes next; `false` when it has closed both its streams.
  func readMore(waitingFor what: String) throws -> Bool {
    var ends = [outputEnd, errorEnd].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard outputEnd >= 0 || errorEnd >= 0 else { return false }
    guard poll(&ends, 2, try remaining(what)) > 0 else { return true }
    if ends[0].revents != 0 { Self.read(&outputEnd, into: &output) }
    if ends[1].revents != 0 { Self.read(&errorEnd, into: &errors) }
    return true
  }

  /// Reads to the end; the exit status, or 256 and the number of the signal that ended it.
  func finish() throws -> Int {
    while try readMore(waitingFor: "its end") {}
    reap()
    let status = ended ?? 0
    return status & 0x7F == 0 ? Int(status >> 8) & 0xFF : 256 + Int(status & 0x7F)
  }

  // MARK: The system

  private func remaining(_ what: String) throws -> Int32 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let left = (deadline.tv_sec - now.tv_sec) * 1000
    guard left > 0 else {
      signal(SIGKILL)
      throw Hung(
        description: """
          waited for \(what); it wrote
          \(String(decoding: output.suffix(4000), as: UTF8.self))
          \(String(decoding: errors.suffix(4000), as: UTF8.self))
          """)
    }
    return Int32(left)
  }

  private func reap() {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    ended = status
  }

  private static func shut(_ end: inout Int32) {
    guard end >= 0 else { return }
    close(end)
    end = -1
  }

  private static func read(_ end: inout Int32, into bytes: inout [UInt8]) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(end, &buffer, buffer.count)
    if count > 0 {
      bytes += buffer[..<count]
    } else if count == 0 || errno != EINTR {
      shut(&end)
    }
  }

  private static func ends() throws -> (ours: Int32, theirs: Int32) {
    var pair: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &pair) == 0 else {
      throw Hung(description: "no sockets: errno \(errno)")
    }
    return (pair[0], pair[1])
  }

  /// The threads that run tests block signals, and what is started there would block them too.
  private static func plainSignals() -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    return attributes
  }

  private static func spawn(
    _ command: [String], _ environment: [String: String], _ folder: String, _ streams: [Int32],
    _ hasInput: Bool
  ) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if hasInput {
      posix_spawn_file_actions_adddup2(&actions, streams[0], 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, streams[1], 1)
    posix_spawn_file_actions_adddup2(&actions, streams[2], 2)
    // A file that another test is just writing would stay open for writing in here.
    clinux_spawn_closing_from(&actions, 3)
    // The folder is changed by env, for posix_spawn's own way is not to be had here.
    let whole = ["/usr/bin/env", "-C", folder] + command
    var arguments = whole.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var attributes = plainSignals()
    defer { posix_spawnattr_destroy(&attributes) }
    var process: pid_t = 0
    return posix_spawn(&process, whole[0], &actions, &attributes, &arguments, &variables) == 0
      ? process : -1
  }
}
