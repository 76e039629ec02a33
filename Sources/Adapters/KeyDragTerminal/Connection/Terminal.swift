import CTerminalRestore
import Glibc
import KeyDragCore
import Synchronization

/// The controlling terminal while a screen is on it: set up, read, and restored whatever happens.
///
/// Handles TERM, HUP, INT, QUIT, TSTP, CONT and WINCH while it is open. A crash, `exit` and a
/// repeated signal restore the terminal before the process ends.
///
/// One for each process. Safe from any thread; keys come from a thread of its own.
package final class Terminal: Sendable {
  /// Called on the reader's thread, serially, perhaps before ``open`` returns; must return soon,
  /// because nothing is read meanwhile.
  package typealias Handler = @Sendable (TerminalInput) -> Void

  /// The C signal handlers know only one terminal.
  private static let isOpen = Atomic(false)

  private let device: TerminalDevice
  let output: TerminalOutput
  private let reader: TerminalReader
  private let isClosed = Atomic(false)

  /// Opens the terminal of `input` and `output`, switches to its alternate screen and begins to
  /// read; `name` is the value of `TERM`.
  ///
  /// - Throws: why the terminal can't be used; it is unchanged then.
  package static func open(
    name: String, style: ScreenStyle, input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO,
    handler: @escaping Handler
  ) throws(TerminalError) -> Terminal {
    let device = try TerminalDevice(input: input, output: output)
    guard isOpen.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
    else {
      device.close()
      throw .alreadyOpen
    }
    do {
      return try Terminal(device: device, name: name, style: style, handler: handler)
    } catch {
      ctr_uninstall()
      ctr_restore()
      device.close()
      isOpen.store(false, ordering: .relaxed)
      throw error
    }
  }

  private init(
    device: TerminalDevice, name: String, style: ScreenStyle, handler: @escaping Handler
  ) throws(TerminalError) {
    TextWidth.prepare()
    self.device = device
    hasScreen = style != .lines
    output = TerminalOutput(device: device, style: style)
    reader = try TerminalReader(
      device: device, output: output, name: name, leave: TerminalModes.leave(style),
      handler: handler)
  }

  deinit { close(leaving: nil) }

  /// `false` where messages are written as lines instead.
  package let hasScreen: Bool

  /// The present size in cells.
  package var size: ScreenSize { device.size }

  /// Restores the main screen with `message` as a line of its own, and releases the signals;
  /// further calls are no-ops.
  ///
  /// Waits for the reader unless the reader calls it, and at most a second for the terminal.
  package func close(leaving message: String?) {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    // The reader first, so that nothing is read or painted afterwards.
    reader.stop()
    output.close(leaving: message)
    ctr_uninstall()
    device.close()
    Self.isOpen.store(false, ordering: .relaxed)
  }

  /// Writes a message as a line of its own, for a terminal without a screen.
  package func write(line: String) { output.write(line: line) }
}
