import CTerminalRestore
import Glibc

/// The two ends of a terminal, opened anew so that not blocking is our own affair: the shell shares
/// the open files of standard input and output.
///
/// A value without an owner: whoever made it closes it, once.
struct TerminalDevice: Sendable {
  /// Read from; the same as ``output`` where the terminal could be opened again.
  let input: Int32
  /// Written to.
  let output: Int32
  /// `false` when the terminal could not be opened again (it may belong to another user).
  let isNonBlocking: Bool

  /// `reopens` is false only to see what happens where opening again is refused.
  ///
  /// - Throws: ``TerminalError/notATerminal(_:)``, ``TerminalError/twoTerminals``, or an error of
  ///   the system.
  init(input: Int32, output: Int32, reopens: Bool = true) throws(TerminalError) {
    guard isatty(input) == 1 else { throw .notATerminal(.input) }
    guard isatty(output) == 1 else { throw .notATerminal(.output) }
    guard Self.device(input) == Self.device(output) else { throw .twoTerminals }
    let flags = O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    if reopens, let path = Self.path(output), case let opened = open(path, flags), opened >= 0 {
      // The path may lead to another device by now.
      if Self.device(opened) == Self.device(output) {
        self.init(opened: opened, opened, isNonBlocking: true)
        return
      }
      Glibc.close(opened)
    }
    let copies = (fcntl(input, F_DUPFD_CLOEXEC, 3), fcntl(output, F_DUPFD_CLOEXEC, 3))
    guard copies.0 >= 0, copies.1 >= 0 else { throw .system(call: "fcntl", code: errno) }
    self.init(opened: copies.0, copies.1, isNonBlocking: false)
  }

  /// Keeps two descriptors.
  private init(opened input: Int32, _ output: Int32, isNonBlocking: Bool) {
    self.input = input
    self.output = output
    self.isNonBlocking = isNonBlocking
  }

  /// Closes both ends, once each.
  func close() {
    Glibc.close(input)
    if output != input { Glibc.close(output) }
  }

  /// Its size in cells, 80 × 24 where the terminal does not know.
  var size: ScreenSize {
    var columns: CInt = 0
    var rows: CInt = 0
    guard ctr_size(output, &columns, &rows) else { return ScreenSize(columns: 80, rows: 24) }
    return ScreenSize(columns: Int(columns), rows: Int(rows))
  }

  /// The present modes, to be put back later.
  ///
  /// Stops the program first while it is behind its shell: the modes would be the shell's own.
  func modes() throws(TerminalError) -> termios {
    // Lets output go on that nobody has held: but the kernel asks first whose terminal it is, and stops
    // the whole group where it is the shell's.
    while Self.heedingShell({ tcflow(input, TCOON) != 0 && errno == EINTR }) {}
    var modes = termios()
    guard tcgetattr(input, &modes) == 0 else { throw .system(call: "tcgetattr", code: errno) }
    return modes
  }

  /// Sets modes at once, without waiting for output.
  ///
  /// The kernel stops the program instead while it is behind its shell.
  func set(_ modes: termios) throws(TerminalError) {
    var (modes, failure) = (modes, Int32(0))
    repeat {
      failure = Self.heedingShell { tcsetattr(input, TCSANOW, &modes) == 0 ? 0 : errno }
    } while failure == EINTR
    guard failure == 0 else { throw .system(call: "tcsetattr", code: failure) }
  }

  /// Whether the terminal is ours to use, and not its shell's or another program's.
  var isInFront: Bool {
    let front = tcgetpgrp(input)
    // None where it is not the terminal of this session.
    return front <= 0 || front == getpgrp()
  }

  /// Stops the program with its group, as the kernel does with those who use the terminal from behind
  /// its shell. Returns once it is continued.
  func stopBehindShell() { Self.heedingShell { _ = kill(0, SIGTTOU) } }

  /// Lets the calling thread be stopped for using a terminal that its shell has.
  ///
  /// On a thread that blocks this signal the kernel lets everything through, and the modes and the
  /// screen of whoever has the terminal are lost.
  private static func heedingShell<Result>(_ body: () -> Result) -> Result {
    var stop = sigset_t()
    var before = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTTOU)
    pthread_sigmask(SIG_UNBLOCK, &stop, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return body()
  }

  /// Writes as much as goes without waiting; `nil` when the terminal is gone.
  func write(_ bytes: ArraySlice<UInt8>) -> Int? {
    // A terminal that blocks takes a little at once whenever it is ready at all.
    let portion = isNonBlocking ? bytes : bytes.prefix(256)
    guard isNonBlocking || isWritable(within: 0) else { return 0 }
    while true {
      let written = portion.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
      if written >= 0 { return written }
      if errno == EAGAIN { return 0 }
      guard errno == EINTR else { return nil }
    }
  }

  /// Reads what is there; empty when nothing is, `nil` when the terminal is gone.
  ///
  /// At most 4096 bytes. A read of no bytes is the end of the terminal.
  func read() -> [UInt8]? {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      let read = Glibc.read(input, buffer.baseAddress, buffer.count)
      failure = read < 0 ? errno : read == 0 ? EIO : 0
      count = max(read, 0)
    }
    return failure == 0 || failure == EAGAIN || failure == EINTR ? bytes : nil
  }

  /// Whether it takes bytes, waiting so many milliseconds for that.
  func isWritable(within milliseconds: Int32) -> Bool {
    var ready = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
    return poll(&ready, 1, milliseconds) == 1 && ready.revents & Int16(POLLOUT) != 0
  }

  /// `nil` for a terminal without a name.
  private static func path(_ descriptor: Int32) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress, ttyname_r(descriptor, start, buffer.count) == 0 else {
        return nil
      }
      return String(cString: start)
    }
  }

  /// The number of the device that a descriptor is open on.
  private static func device(_ descriptor: Int32) -> UInt? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? UInt(status.st_rdev) : nil
  }
}
