import CTerminalRestore
import Glibc
import KeyDragCore
import Synchronization

/// The controlling terminal while a screen is on it: set up, read, and put back whatever happens.
///
/// TERM, HUP, INT, QUIT, TSTP, CONT and WINCH are taken over while it is open. A crash, `exit` and
/// a signal sent twice put the terminal back before the process ends.
///
/// One for a process. Safe from any thread; keys come from a thread of its own.
package final class Terminal: Sendable {
  /// Called from the reader's thread, one input after the other, the first perhaps before ``open``
  /// returns; it returns soon, because nothing is read before it does.
  package typealias Handler = @Sendable (TerminalInput) -> Void

  /// The C library's handlers keep one terminal.
  private static let isOpen = Atomic(false)

  /// The two ends of the terminal.
  private let device: TerminalDevice
  /// Writes frames.
  private let output: TerminalOutput
  /// Reads keys and signals.
  private let reader: TerminalReader
  /// Set by the first close.
  private let isClosed = Atomic(false)

  /// Opens the terminal that `input` and `output` belong to, shows its other screen and begins to
  /// read; `name` is the value of `TERM`.
  ///
  /// - Throws: why there is no terminal to be had; it is as before then.
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
    output = TerminalOutput(device: device, style: style)
    reader = try TerminalReader(device: device, output: output, name: name, handler: handler)
  }

  deinit { close(leaving: nil) }

  /// Its size in cells now.
  package var size: ScreenSize { device.size }

  /// Shows the main screen as it was, with `message` as a line of its own on it, and gives the
  /// signals back; called again it does nothing.
  ///
  /// Waits for the reader unless the reader calls it, and at most a second for the terminal.
  package func close(leaving message: String?) {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    // The reader first, so that nothing is read or painted behind the end.
    reader.stop()
    output.close(leaving: message)
    ctr_uninstall()
    device.close()
    Self.isOpen.store(false, ordering: .relaxed)
  }

  /// Paints a frame when the terminal takes it.
  func show(_ frame: ScreenFrame, keepsCursor: Bool) {
    output.show(frame, keepsCursor: keepsCursor)
  }

  /// Paints no words of a frame.
  func hold(_ frame: ScreenFrame, adds: Bool) { output.hold(frame, adds: adds) }

  /// `false` where nothing stands at the cursor.
  func clearCursorLine() -> Bool { output.clearCursorLine() }

  /// Paints the last frame anew.
  func repaint() { output.repaint() }
}
