import CTerminalRestore
import Glibc
import Synchronization

/// Brings frames to a terminal without ever waiting for it: while it does not take bytes, only the
/// newest frame is kept.
final class TerminalOutput: Sendable {
  /// Whether frames are written.
  private enum Phase {
    /// The terminal is ours.
    case active
    /// The shell has the terminal: nothing is written.
    case suspended
    /// The terminal is put back for good.
    case closed
  }

  /// Everything behind the lock.
  private struct Painting {
    var phase = Phase.suspended
    /// Knows what is on the terminal.
    var painter: FramePainter
    /// The rest of a frame that is half written; less than one whole screen.
    var unsent: ArraySlice<UInt8> = []
    /// The frame that should be on the terminal.
    var frame: ScreenFrame?
  }

  /// The end that is written to.
  private let device: TerminalDevice
  /// Any thread may show a frame.
  private let state: Mutex<Painting>

  /// Writes nothing before the first ``resume(_:)``.
  init(device: TerminalDevice, style: ScreenStyle) {
    self.device = device
    state = Mutex(Painting(painter: FramePainter(style: style)))
  }

  /// Whether bytes wait until the terminal takes more.
  var isBlocked: Bool { state.withLock { !$0.unsent.isEmpty } }

  /// Has a frame painted as soon as the terminal takes it.
  ///
  /// - Parameter keepsCursor: a line that the cursor comes to would be read.
  func show(_ frame: ScreenFrame, keepsCursor: Bool) {
    change { old in
      let frame = frame.marked(after: old)
      // A line that the cursor comes to is read.
      let isThere = old.map { $0.isHeard && $0.size == frame.size } ?? false
      let row = old?.cursorRow ?? 0
      if isThere, keepsCursor, frame.comesByScroll, row > 0 {
        old = frame.withCursor(in: row)
        return
      }
      old = isThere ? frame : frame.comesByScroll ? frame.blank : frame.withoutCursorLine
    }
  }

  /// Takes the words away that stand at the cursor of a screen that is read; `false` where none do.
  func clearCursorLine() -> Bool {
    let hasWords = state.withLock { $0.phase == .active && $0.frame?.hasCursorLine == true }
    if hasWords { change { $0 = $0?.withoutCursorLine } }
    return hasWords
  }

  /// Writes no words: what is shown takes the looks of `frame` where it has the same words, else
  /// becomes faint, and nothing stays nothing.
  ///
  /// - Parameter adds: where there is room for it, the line of the cursor is added to what is shown.
  func hold(_ frame: ScreenFrame, adds: Bool = false) {
    let size = device.size
    change { old in
      guard let shown = old, shown.size == size else {
        old = frame.blank
        return
      }
      let held = shown.looking(like: frame)
      let line = frame.lines[frame.cursorRow].text.reversed().drop { $0 == " " }.reversed()
      let added =
        adds && frame.comesByScroll ? held.adding(StyledLine(text: String(line))) : nil
      old = added ?? held
    }
  }

  /// Changes the frame that is to be shown, and writes as much of it as goes.
  private func change(_ change: (inout ScreenFrame?) -> Void) {
    let isBlocked = state.withLock { state in
      change(&state.frame)
      pump(&state)
      return !state.unsent.isEmpty
    }
    // The reader waits for input only, until it is told that output waits too.
    if isBlocked { ctr_wake() }
  }

  /// Writes the last frame again, whole: something else wrote over it.
  func repaint() {
    let isBlocked = state.withLock { state in
      state.painter.invalidate()
      pump(&state)
      return !state.unsent.isEmpty
    }
    if isBlocked { ctr_wake() }
  }

  /// Has the next frame written whole: the terminal moved its lines about, even if its size is
  /// back.
  func invalidate() { state.withLock { $0.painter.invalidate() } }

  /// Goes on where the terminal stopped taking bytes.
  func flush() { state.withLock { pump(&$0) } }

  /// Puts the terminal back and writes nothing more until ``resume(_:)``.
  func suspend() {
    state.withLock { state in
      guard state.phase == .active else { return }
      state.phase = .suspended
      leave(&state)
    }
  }

  /// Takes the terminal by `enter` and paints the last frame on it, if there is one that fits.
  func resume(_ enter: () throws(TerminalError) -> Void) throws(TerminalError) {
    try state.withLock { state throws(TerminalError) in
      guard state.phase != .closed else { return }
      try enter()
      state.phase = .active
      state.painter.invalidate()
      if state.frame?.size != device.size { state.frame = nil }
      // The last key was the shell's, after which a screen reader would read all of it.
      if state.frame?.isHeard == true { state.frame = .empty(device.size) }
      state.unsent = TerminalModes.enter[...]
      pump(&state)
    }
  }

  /// Puts the terminal back for good and leaves `message` on it as a line of its own.
  func close(leaving message: String?) {
    state.withLock { state in
      let wasActive = state.phase == .active
      state.phase = .closed
      leave(&state)
      guard wasActive, let message, !message.isEmpty else { return }
      let line = Array((ScreenText.clean(message, keepsIsolates: true) + "\r\n").utf8)
      writePatiently(line[...])
    }
  }

  /// Puts the terminal back; half a frame is left unfinished.
  private func leave(_ state: inout Painting) {
    state.unsent = []
    state.painter.invalidate()
    ctr_restore()
  }

  /// Writes a little after the end, half a second for each part at most.
  private func writePatiently(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty, device.isWritable(within: 500) {
      guard let written = device.write(rest) else { return }
      rest = rest.dropFirst(written)
    }
  }

  /// Writes what is left of the last frame, then the newest one, as far as the terminal takes it.
  private func pump(_ state: inout Painting) {
    // Put back by a crash or by exit(): what another thread paints must not follow.
    guard state.phase == .active, ctr_is_armed() else {
      state.unsent = []
      return
    }
    send(&state)
    guard state.unsent.isEmpty, let frame = state.frame else { return }
    state.unsent = state.painter.paint(frame)[...]
    send(&state)
  }

  /// Writes until the terminal takes no more.
  private func send(_ state: inout Painting) {
    while !state.unsent.isEmpty {
      guard let written = device.write(state.unsent) else {
        // The terminal is gone; the reader finds out by itself.
        state.phase = .closed
        state.unsent = []
        return
      }
      if written == 0 { return }
      state.unsent = state.unsent.dropFirst(written)
    }
  }
}
