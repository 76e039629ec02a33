import CPseudoTerminal
import Glibc
import SystemPackage

/// A program that waits for its person, in a terminal.
enum IdleBenchmark {
  static let benchmark = Benchmark(name: "idle", about: "wake-ups and time of an idle program") {
    sizes, scratch in
    let folder = try scratch.folder("quiet", files: 20, size: 16)
    return try IdleProgram(try Program.path(), folder).watch(seconds: sizes.idleSeconds)
  }
}

/// The interactive program on a pseudo-terminal of its own.
private final class IdleProgram {
  /// Threads that helped at the start end when they had no work for some seconds.
  private static let threadLife: UInt32 = 10

  private let process: pid_t
  private let primary: Int32

  init(_ program: String, _ folder: FilePath) throws {
    var (primary, secondary): (Int32, Int32) = (-1, -1)
    guard cpt_open(80, 24, &primary, &secondary) == 0 else {
      throw BenchmarkError("no pseudo-terminal: errno \(errno)")
    }
    self.primary = primary
    let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer {
      close(null)
      close(secondary)
    }
    setenv("TERM", "xterm-256color", 1)
    let words: [String] = [program, "files", folder.string]
    var arguments = words.map { word in strdup(word) } + [nil]
    defer { for argument in arguments { free(argument) } }
    process = cpt_spawn(secondary, null, program, &arguments, environ)
    guard process > 0 else { throw BenchmarkError("can't start \(program): errno \(errno)") }
  }

  deinit {
    if process > 0 {
      kill(process, SIGKILL)
      _ = cpt_wait(process)
    }
    close(primary)
  }

  func watch(seconds: UInt32) throws -> [Figure] {
    // What it does at its start has ended when it paints nothing for longer than any of its timers.
    guard try settle(milliseconds: 4000) > 0 else { throw BenchmarkError("it painted nothing") }
    sleep(Self.threadLife)
    let before = ProcessUse(of: process)
    sleep(seconds)
    let use = ProcessUse(of: process).since(before)
    guard try settle(milliseconds: 0) == 0 else { throw BenchmarkError("it was not idle") }
    return [
      Figure(
        "idle, \(seconds) s in a terminal: wake-ups", String(use.switches), target: "0",
        isMet: use.switches == 0),
      Figure(
        "idle, \(seconds) s in a terminal: processor time", "\(use.ticks) ticks", target: "0",
        isMet: use.ticks == 0),
    ]
  }

  /// Reads what is painted until nothing comes for a while; how many bytes there were.
  private func settle(milliseconds: Int32) throws -> Int {
    var total = 0
    var block = [UInt8](repeating: 0, count: 65_536)
    var entry = pollfd(fd: primary, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, milliseconds) > 0 {
      let count = read(primary, &block, block.count)
      guard count > 0 else { throw BenchmarkError("it ended") }
      total += count
    }
    return total
  }
}
