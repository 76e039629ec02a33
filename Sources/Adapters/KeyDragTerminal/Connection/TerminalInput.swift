import KeyDragCore

/// What a terminal and the signals around it report.
package enum TerminalInput: Hashable, Sendable {
  case stroke(KeyStroke)
  /// A paste, as one line; never empty.
  case text(String)
  /// The window has another size: what is shown has to be made anew.
  case resized(columns: Int, rows: Int)
  /// The process was stopped and goes on; the last frame has been painted again already.
  case resumed
  /// TERM, HUP, INT or QUIT arrived: end what runs, then close the terminal. The same signal once
  /// more ends the process at once.
  case terminate(signal: Int32)
  /// The terminal is gone; nothing more can be read.
  case closed
}

/// Why a terminal can't be used.
package enum TerminalError: Error, Hashable, Sendable {
  package enum Stream: String, Hashable, Sendable {
    case input = "standard input"
    case output = "standard output"
  }

  case notATerminal(Stream)
  /// Input and output are two different terminals.
  case twoTerminals
  /// Another ``Terminal`` is open in this process.
  case alreadyOpen
  /// A system call failed; `code` is its errno.
  case system(call: String, code: Int32)
}
