import KeyDragCore

/// An input from a terminal, or from the signals around it.
package enum TerminalInput: Hashable, Sendable {
  case stroke(KeyStroke)
  /// A paste, as one line; never empty.
  case text(String)
  /// A paste of nothing but absolute paths and "file:" addresses; never empty.
  case places([String])
  /// A paste over the length limit.
  case tooLongPaste
  /// The window was resized: the frame has to be laid out again.
  case resized(columns: Int, rows: Int)
  /// The process was stopped and continued; the last frame has been painted again already.
  case resumed
  /// TERM, HUP, INT or QUIT arrived: end what runs, then close the terminal. A second one ends the
  /// process at once.
  case terminate(signal: Int32)
  /// The terminal is gone; nothing more can be read.
  case closed
}

/// The reason why a terminal can't be used.
package enum TerminalError: Error, Hashable, Sendable {
  package enum Stream: Hashable, Sendable {
    case input, output
  }

  /// A file, a pipe, or nothing.
  case notATerminal(Stream)
  /// Input and output are two different terminals.
  case twoTerminals
  /// Another ``Terminal`` is open in this process.
  case alreadyOpen
  /// A system call failed; `code` is its errno.
  case system(call: String, code: Int32)
}

extension TerminalError {
  /// Why no session can be shown here, and what to do.
  package func words(in phrases: Phrasebook) -> String {
    switch self {
    case .notATerminal(.input):
      // Nothing can be shown or typed, because the program was started with its input from a file
      // or from another program.
      phrases.phrase("The input is not a terminal. Start keydrag from a terminal.")
    case .notATerminal(.output):
      // Nothing can be shown or typed, because the program was started with its output to a file or
      // to another program.
      phrases.phrase("The output is not a terminal. Start keydrag from a terminal.")
    case .twoTerminals:
      // The program can work in one terminal only.
      phrases.phrase("Input and output are two terminals. Start keydrag from one terminal.")
    // The program can show one session at a time.
    case .alreadyOpen: phrases.phrase("The terminal is in use already. End the other session.")
    case .system(_, let code):
      phrases.phrase(
        // The system refuses to set up the terminal. %1$@ is the number of an error.
        "The terminal can't be used, error %1$@. Try another terminal.",
        phrases.number(Int(code)))
    }
  }
}
