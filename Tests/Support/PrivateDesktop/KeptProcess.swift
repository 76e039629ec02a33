import CLinux
import Glibc
import StoppedProgram

/// A program that ends, with all that it started, when this is released or the tests are killed.
public final class KeptProcess {
  /// It can't be started or did not say in time what was waited for.
  public struct Trouble: Error, CustomStringConvertible {
    public let description: String
  }

  /// The program itself.
  public private(set) var id: pid_t = 0
  private let keeper: pid_t
  private var leash: Int32
  private let output: Int32
  private let name: String
  private let log: String
  private var unread: [UInt8] = []

  /// Starts a program whose error messages go to `log`.
  public init(_ command: [String], environment: [String: String], log: String) throws {
    name = command[0].split(separator: "/").last.map(String.init) ?? ""
    self.log = log
    let input = try Self.ends()
    let output = try Self.ends()
    (leash, self.output) = (input.ours, output.ours)
    keeper = try Self.spawn(
      [try Self.keeperPath()] + command, environment, input: input.theirs, output: output.theirs,
      log: log)
    close(input.theirs)
    close(output.theirs)
    guard keeper > 0, let id = pid_t(try line(within: 10)) else {
      throw Trouble(description: "\(command[0]) can't be started")
    }
    self.id = id
  }

  deinit {
    end()
    close(output)
  }

  /// Sends a signal to the program.
  public func signal(_ number: Int32) {
    if number == SIGSTOP { StoppedProgram.stop(id) } else { kill(id, number) }
  }

  /// Ends the program and everything that it started, and returns when all are gone.
  public func end() {
    guard leash >= 0 else { return }
    close(leash)
    leash = -1
    Self.reap(keeper)
  }

  /// The next line that it writes.
  ///
  /// - Parameter seconds: when a test gives up rather than hang; long, for a busy machine.
  public func line(within seconds: Int32 = 60) throws -> String {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeSubrange(...end) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      var poll = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      var buffer = [UInt8](repeating: 0, count: 4096)
      guard Glibc.poll(&poll, 1, seconds * 1000) > 0 else {
        throw trouble("wrote nothing in time")
      }
      let count = read(output, &buffer, buffer.count)
      guard count > 0 else { throw trouble("ended") }
      unread += buffer[..<count]
    }
  }

  /// What it did, with the last that it and the others complained of.
  private func trouble(_ what: String) -> Trouble {
    let complaints = Self.end(of: log).split(separator: "\n").suffix(40)
    return Trouble(description: (["\(name) \(what)"] + complaints).joined(separator: "\n"))
  }

  /// What was written to a log last.
  static func end(of log: String) -> String {
    guard let file = fopen(log, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    // Fails in a shorter one, which is read from its beginning then.
    fseek(file, -bytes.count, SEEK_END)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private static func reap(_ process: pid_t) {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  /// Sockets, because they are closed in other children from the start.
  private static func ends() throws -> (ours: Int32, theirs: Int32) {
    var pair: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &pair) == 0 else {
      throw Trouble(description: "no sockets: errno \(errno)")
    }
    return (pair[0], pair[1])
  }

  /// Beside the tests, in the folder of what was built.
  private static func keeperPath() throws -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let own = String(
      decoding: buffer.prefix(max(length, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard let slash = own.lastIndex(of: "/") else { throw Trouble(description: "no own path") }
    return own[..<slash] + "/PrivateDesktopKeeper"
  }

  private static func spawn(
    _ command: [String], _ environment: [String: String], input: Int32, output: Int32, log: String
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    // A file that another test is just writing would stay open for writing in here.
    clinux_spawn_closing_from(&actions, 3)
    var arguments = command.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var attributes = plainSignals()
    defer { posix_spawnattr_destroy(&attributes) }
    var process: pid_t = 0
    let status = posix_spawn(
      &process, command[0], &actions, &attributes, &arguments, &variables)
    guard status == 0 else { throw Trouble(description: "\(command[0]): errno \(status)") }
    return process
  }

  /// The threads that run tests block signals, and what is started there would block them too.
  private static func plainSignals() -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    // A group of its own: an interruption typed at the tests reaches it by its input's end.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    return attributes
  }
}
