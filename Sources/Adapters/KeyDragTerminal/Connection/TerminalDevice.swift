import CTerminalRestore
import Glibc

/// The two ends of a terminal, opened anew to make them non-blocking for us alone: the shell shares
/// the open files of standard input and output.
///
/// A value without ownership: its creator closes it, once.
struct TerminalDevice: Sendable {
  /// The same as ``output`` if the terminal could be opened again.
  let input: Int32
  let output: Int32
  /// `false` if the terminal could not be opened again (it may belong to another user).
  let isNonBlocking: Bool

  /// - Parameter reopens: `false` only to test a refused reopening.
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

  var size: ScreenSize { TerminalProbe.size(output) }

  /// The present modes, to be restored later.
  ///
  /// Stops the program first while it is in the background: the modes would be the shell's own.
  func modes() throws(TerminalError) -> termios {
    // Resumes output that nobody has suspended: a no-op, except that the kernel stops a background
    // process group.
    while Self.allowingBackgroundStop({ tcflow(input, TCOON) != 0 && errno == EINTR }) {}
    var modes = termios()
    guard tcgetattr(input, &modes) == 0 else { throw .system(call: "tcgetattr", code: errno) }
    return modes
  }

  /// Sets modes at once, without draining output. In the background the kernel stops the program
  /// instead.
  func set(_ modes: termios) throws(TerminalError) {
    var (modes, failure) = (modes, Int32(0))
    repeat {
      failure = Self.allowingBackgroundStop { tcsetattr(input, TCSANOW, &modes) == 0 ? 0 : errno }
    } while failure == EINTR
    guard failure == 0 else { throw .system(call: "tcsetattr", code: failure) }
  }

  /// Whether the program is in the foreground of the terminal.
  var isInFront: Bool {
    let front = tcgetpgrp(input)
    // None if it is not the terminal of this session.
    return front <= 0 || front == getpgrp()
  }

  /// Stops the process group, as the kernel does with a background program that uses the terminal.
  /// Returns once it is continued.
  func stopBehindShell() { Self.allowingBackgroundStop { _ = kill(0, SIGTTOU) } }

  /// Lets the kernel stop the calling thread for using the terminal in the background.
  ///
  /// On a thread that blocks SIGTTOU the kernel allows everything, which would destroy the modes
  /// and the screen of the foreground program.
  private static func allowingBackgroundStop<Result>(_ body: () -> Result) -> Result {
    var stop = sigset_t()
    var before = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTTOU)
    pthread_sigmask(SIG_UNBLOCK, &stop, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return body()
  }

  /// Writes as much as possible without blocking; `nil` when the terminal is gone.
  func write(_ bytes: ArraySlice<UInt8>) -> Int? {
    // A blocking terminal accepts a small amount whenever it is ready at all.
    let portion = isNonBlocking ? bytes : bytes.prefix(256)
    guard isNonBlocking || isWritable(within: 0) else { return 0 }
    while true {
      let written = portion.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
      if written >= 0 { return written }
      if errno == EAGAIN { return 0 }
      guard errno == EINTR else { return nil }
    }
  }

  /// Reads available bytes, at most 4096; `nil` when the terminal is gone, which is also the
  /// meaning of a read of no bytes.
  func read() -> [UInt8]? {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      let read = Glibc.read(input, buffer.baseAddress, buffer.count)
      failure = read < 0 ? errno : read == 0 ? EIO : 0
      count = max(read, 0)
    }
    return failure == 0 || failure == EAGAIN || failure == EINTR ? bytes : nil
  }

  /// Reads and drops bytes until one of them is `last`, or for so many milliseconds nothing comes.
  func drop(through last: UInt8, within milliseconds: Int32) {
    var ready = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    while poll(&ready, 1, milliseconds) == 1, let bytes = read(), !bytes.isEmpty,
      !bytes.contains(last)
    {}
  }

  /// Whether it accepts bytes within a timeout.
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

  /// The device number of a descriptor.
  private static func device(_ descriptor: Int32) -> UInt? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? UInt(status.st_rdev) : nil
  }
}
