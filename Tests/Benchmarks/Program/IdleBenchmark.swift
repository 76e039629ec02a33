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
  /// Context switches and processor ticks of one thread.
  private struct Use {
    var switches = 0
    var ticks = 0
  }

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
    let before = use()
    sleep(seconds)
    let after = use()
    guard try settle(milliseconds: 0) == 0 else { throw BenchmarkError("it was not idle") }
    // A thread that has come or gone was awake.
    let threads = Set(before.keys).union(after.keys)
    let switches = threads.reduce(0) { sum, thread in
      guard let old = before[thread], let new = after[thread] else { return sum + 1 }
      return sum + new.switches - old.switches
    }
    let ticks = after.values.reduce(0) { $0 + $1.ticks } - before.values.reduce(0) { $0 + $1.ticks }
    return [
      Figure(
        "idle, \(seconds) s in a terminal: wake-ups", String(switches), target: "0",
        isMet: switches == 0),
      Figure(
        "idle, \(seconds) s in a terminal: processor time", "\(ticks) ticks", target: "0",
        isMet: ticks == 0),
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

  private func use() -> [String: Use] {
    var all: [String: Use] = [:]
    for thread in threads() {
      let folder = "/proc/\(process)/task/\(thread)"
      var use = Use()
      for line in ProcessFile.read(folder + "/status").split(separator: "\n")
      where line.contains("ctxt_switches") {
        use.switches += line.split(separator: "\t").last.flatMap { Int($0) } ?? 0
      }
      // proc(5): the 14th and 15th field; the second one is in parentheses and may hold anything.
      let stat = ProcessFile.read(folder + "/stat").split(separator: ")").last ?? ""
      let fields = stat.split(separator: " ")
      if fields.count > 12 { use.ticks = (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) }
      all[thread] = use
    }
    return all
  }

  private func threads() -> [String] {
    guard let folder = opendir("/proc/\(process)/task") else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
