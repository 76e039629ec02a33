import Glibc

/// A process that is measured from outside.
final class Child {
  /// Milliseconds without a line after which nothing more is expected.
  private static let patience: Int32 = 30_000

  let process: pid_t
  /// When it was started, just before the call that does.
  let started: Double
  private var input: Int32
  private var output: Int32
  private var pending: [UInt8] = []
  private var hasEnded = false

  /// Starts a program found in PATH; `input` leaves its standard input open for ``write(_:)``, and
  /// `output` lets its lines be read; otherwise both are /dev/null.
  ///
  /// - Parameter environment: that of this process when it is left out.
  init(
    _ words: [String], input isFed: Bool = false, output isRead: Bool = false,
    environment: [String: String]? = nil
  ) throws {
    var (inputs, outputs): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    if isFed { try Child.pipe(&inputs) }
    if isRead { try Child.pipe(&outputs) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if isFed {
      posix_spawn_file_actions_adddup2(&actions, inputs[0], 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    if isRead {
      posix_spawn_file_actions_adddup2(&actions, outputs[1], 1)
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    var arguments = words.map { strdup($0) } + [nil]
    var variables = (environment ?? [:]).map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    started = Clock.now
    let code =
      environment == nil
      ? posix_spawnp(&process, words[0], &actions, nil, &arguments, environ)
      : posix_spawnp(&process, words[0], &actions, nil, &arguments, &variables)
    self.process = process
    (input, output) = (inputs[1], outputs[0])
    for end in [inputs[0], outputs[1]] where end >= 0 { close(end) }
    guard code == 0 else { throw BenchmarkError("can't start \(words[0]): errno \(code)") }
  }

  deinit {
    finishInput()
    if output >= 0 { close(output) }
    guard !hasEnded, process > 0 else { return }
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  private static func pipe(_ ends: inout [Int32]) throws {
    guard Glibc.pipe(&ends) == 0 else { throw BenchmarkError("no pipe: errno \(errno)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  func write(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard Glibc.write(input, bytes, bytes.count) == bytes.count else {
      throw BenchmarkError("its input is closed: errno \(errno)")
    }
  }

  func finishInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// The time at which a line with this text had been written.
  @discardableResult
  func wait(for text: String) throws -> Double {
    let wanted = Array(text.utf8)
    while true {
      if let end = Child.end(of: wanted, in: pending) {
        pending.removeSubrange(..<end)
        return Clock.now
      }
      try more("it never said \(text)")
    }
  }

  /// The next line that it writes.
  func line() throws -> String {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        defer { pending.removeSubrange(...end) }
        return String(decoding: pending[..<end], as: UTF8.self)
      }
      try more("it said nothing more")
    }
  }

  private func more(_ complaint: String) throws {
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      let ready = poll(&entry, 1, Child.patience)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { throw BenchmarkError(complaint + said) }
      let count = read(output, &block, block.count)
      guard count > 0 else { throw BenchmarkError(complaint + said + " and ended") }
      pending += block[..<count]
      return
    }
  }

  /// The end of what it has written and nobody has read.
  private var said: String {
    let text = String(decoding: pending.suffix(800), as: UTF8.self)
    return "; it said " + text.split(separator: "\n").joined(separator: " ")
  }

  private static func end(of wanted: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= wanted.count else { return nil }
    return bytes.withUnsafeBufferPointer { place in
      (0...(place.count - wanted.count)).first { start in
        place[start] == wanted[0] && place[start..<(start + wanted.count)].elementsEqual(wanted)
      }
    }.map { $0 + wanted.count }
  }

  /// Reads what is left, waits for the end, and throws unless the exit status is `status`.
  func end(status expected: Int32 = 0) throws {
    finishInput()
    var block = [UInt8](repeating: 0, count: 65_536)
    if output >= 0 { while read(output, &block, block.count) > 0 {} }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    hasEnded = true
    guard status & 0x7F == 0, status >> 8 == expected else {
      throw BenchmarkError("it ended with \(status & 0x7F == 0 ? status >> 8 : -status)")
    }
  }

  /// Runs a program to its end and gives the seconds it took.
  @discardableResult
  static func run(_ words: [String]) throws -> Double {
    let child = try Child(words)
    try child.end()
    return Clock.now - child.started
  }

  /// A number of kilobytes in /proc/PID/status, in bytes.
  func memory(_ field: String) -> Int {
    let line = ProcessFile.read("/proc/\(process)/status").split(separator: "\n")
      .first { $0.hasPrefix(field + ":") }
    let number = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
    return number.flatMap { Int($0) }.map { $0 * 1024 } ?? 0
  }
}

/// Files that the kernel makes up while they are read.
enum ProcessFile {
  static func read(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 16_384)
    while case let count = Glibc.read(descriptor, &block, block.count), count > 0 {
      bytes += block[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The program that was built beside this one.
enum Program {
  static func path() throws -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let own = String(
      decoding: buffer.prefix(max(length, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard let slash = own.lastIndex(of: "/") else { throw BenchmarkError("no folder: \(own)") }
    let path = own[..<slash] + "/keydrag"
    guard access(String(path), X_OK) == 0 else { throw BenchmarkError("there is no \(path)") }
    return String(path)
  }
}
