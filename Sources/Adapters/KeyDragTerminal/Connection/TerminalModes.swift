import Glibc

/// The modes of a terminal while a screen is on it, and the sequences that enter and leave it.
///
/// Pure: nothing is set here.
enum TerminalModes {
  /// The alternate screen, no wrapping at the last column, bracketed paste (xterm ctlseqs).
  ///
  /// The cursor goes home at once: a screen reader that learns of that only after the first key
  /// would read an empty line.
  static func enter(_ style: ScreenStyle) -> [UInt8] {
    style == .lines ? [] : Array("\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[?25h\u{1B}[H".utf8)
  }

  /// Cleared before it is left: the Linux console has no other screen to leave.
  static func leave(_ style: ScreenStyle) -> [UInt8] {
    if style == .lines { return [] }
    return Array(
      "\u{1B}[0m\u{1B}[?2004l\u{1B}[?7h\u{1B}[H\u{1B}[2J\u{1B}[?1049l\u{1B}[?25h".utf8)
  }

  /// Asks whether the terminal is ready (DSR, ECMA-48 §8.3.35); it answers when it has come so far.
  static let statusRequest = Array("\u{1B}[5n".utf8)

  /// Raw input, byte by byte, including Ctrl+Z and Ctrl+C; no echo.
  ///
  /// Output processing stays, so that a stray line of a library does not run down like stairs.
  static func raw(_ modes: termios) -> termios {
    var modes = modes
    modes.c_iflag &= ~tcflag_t(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON)
    modes.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
    modes.c_cflag = modes.c_cflag & ~tcflag_t(CSIZE | PARENB) | tcflag_t(CS8)
    withUnsafeMutableBytes(of: &modes.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    return modes
  }
}
