import CPseudoTerminal
import Glibc

/// The probe on a pseudo-terminal: keys go in, what it painted and what it tells come out.
final class ProbeRun {
  struct TimedOut: Error, CustomStringConvertible {
    let description: String
  }

  let child: pid_t
  private var isEnded = false
  private var primary: Int32
  private let secondary: Int32
  private let events: Int32
  private var told: [UInt8] = []
  private(set) var screen: VirtualScreen
  /// The modes before the probe began.
  let modesBefore: termios
  private(set) var modesWhileOpen = termios()
  /// How many bytes were painted since the last look.
  private(set) var painted = 0

  /// Long enough for a busy machine; a test that meets it has failed.
  private static let limit: Int32 = 20_000

  /// Starts it and waits until it has the terminal.
  ///
  /// - Parameter script: what a shell with job control does; it starts `"$PROBE"`. Then ``child`` is
  ///   the shell.
  /// - Parameter first: what is waited for; `nil` for the probe's first word.
  init(
    columns: Int = 40, rows: Int = 10, environment: [String: String] = [:], script: String? = nil,
    first: String? = nil
  ) throws {
    var (primary, secondary): (Int32, Int32) = (-1, -1)
    var ends: [Int32] = [-1, -1]
    guard cpt_open(CInt(columns), CInt(rows), &primary, &secondary) == 0, pipe(&ends) == 0 else {
      throw TimedOut(description: "no pseudo-terminal: errno \(errno)")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    self.primary = primary
    self.secondary = secondary
    events = ends[0]
    screen = VirtualScreen(columns: columns, rows: rows)
    var modes = termios()
    tcgetattr(secondary, &modes)
    modesBefore = modes
    let variables = ["TERM": "xterm-256color", "LANG": "C", "SWIFT_BACKTRACE": "enable=no"]
      .merging(environment) { $1 }
    let path = try Self.path()
    child = Self.spawn(
      script.map { ["/bin/sh", "-mc", $0] } ?? [path],
      variables.map { "\($0.key)=\($0.value)" } + ["PROBE=" + path], secondary, ends[1])
    close(ends[1])
    guard child > 0 else { throw TimedOut(description: "no probe: errno \(errno)") }
    try waitForEvent(first ?? "ready \(columns)x\(rows)")
    modesWhileOpen = self.modes
  }

  deinit {
    if !isEnded {
      kill(child, SIGKILL)
      _ = cpt_wait(child)
    }
    for descriptor in [primary, secondary, events] where descriptor >= 0 { close(descriptor) }
  }

  private static func path() throws -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let own = String(
      decoding: buffer.prefix(max(length, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    // Beside the tests, in the folder of what was built.
    guard let slash = own.lastIndex(of: "/") else {
      throw TimedOut(description: "no folder: \(own)")
    }
    return own[..<slash] + "/KeyDragTerminalProbe"
  }

  private static func spawn(
    _ words: [String], _ variables: [String], _ terminal: Int32, _ events: Int32
  ) -> pid_t {
    var arguments = words.map { strdup($0) } + [nil]
    var environment = variables.map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    return cpt_spawn(terminal, events, words[0], &arguments, &environment)
  }

  var modes: termios {
    var modes = termios()
    tcgetattr(secondary, &modes)
    return modes
  }

  /// Sends a signal to the program that has the terminal.
  func signalForeground(_ signal: Int32) { kill(-tcgetpgrp(primary), signal) }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { write(primary, $0.baseAddress, $0.count) }
  }

  func resize(columns: Int, rows: Int) {
    screen.resize(columns: columns, rows: rows)
    _ = cpt_resize(primary, CInt(columns), CInt(rows))
  }

  func hangUp() {
    close(primary)
    primary = -1
  }

  /// How it ended or stopped (see `cpt_wait`), after everything it painted has been read.
  func wait() -> Int {
    let status = waitWithoutReading()
    while primary >= 0, let bytes = read(from: primary, within: 0) { paint(bytes) }
    return status
  }

  /// How it ended, while nothing it paints is read.
  func waitWithoutReading() -> Int {
    let status = Int(cpt_wait(child))
    isEnded = status < 512
    return status
  }

  func forgetPainted() {
    painted = 0
    screen.forgetTouched()
  }

  /// Reads what is painted until the screen is as expected.
  func waitForScreen(_ isExpected: (VirtualScreen) -> Bool) throws {
    while !isExpected(screen) {
      guard let bytes = read(from: primary, within: Self.limit) else {
        throw TimedOut(description: "the screen stays:\n\(screen.text)")
      }
      paint(bytes)
    }
  }

  /// Reads what it tells until that line, and returns the lines before it.
  @discardableResult
  func waitForEvent(_ line: String) throws -> [String] {
    try waitForEvents([line])
  }

  /// Reads what it tells until all of those lines came, and returns the other ones before the last.
  @discardableResult
  func waitForEvents(_ lines: Set<String>) throws -> [String] {
    var missing = lines
    var before: [String] = []
    while true {
      while let end = told.firstIndex(of: 0x0A) {
        let next = String(decoding: told[..<end], as: UTF8.self)
        told.removeSubrange(...end)
        if missing.remove(next) == nil { before.append(next) }
        if missing.isEmpty { return before }
      }
      guard let bytes = read(from: events, within: Self.limit) else {
        throw TimedOut(description: "waited for \(missing), got \(before)")
      }
      told += bytes
    }
  }

  private func paint(_ bytes: [UInt8]) {
    painted += bytes.count
    screen.feed(bytes)
  }

  private func read(from descriptor: Int32, within milliseconds: Int32) -> [UInt8]? {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, milliseconds) == 1 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    return count > 0 ? Array(buffer.prefix(count)) : nil
  }
}

/// Whether two sets of modes treat keys and letters alike.
func areSame(_ one: termios, _ other: termios) -> Bool {
  one.c_iflag == other.c_iflag && one.c_oflag == other.c_oflag && one.c_lflag == other.c_lflag
    && one.c_cflag == other.c_cflag
}
