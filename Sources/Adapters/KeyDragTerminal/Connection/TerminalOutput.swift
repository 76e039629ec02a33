import CTerminalRestore
import Glibc
import KeyDragThreads
import Synchronization

/// Writes frames to a terminal without blocking: while it accepts no bytes, only the newest frame
/// is kept.
///
/// Frames that come by a scroll are written one by one, each when the terminal has shown the one before: of
/// several at once, a screen reader would be told that the last words are new.
final class TerminalOutput: Sendable {
  private enum Phase {
    /// In the foreground.
    case active
    /// In the background: nothing is written.
    case suspended
    /// The terminal is restored for good.
    case closed
  }

  private struct Painting {
    var phase = Phase.suspended
    var painter: FramePainter
    /// The unsent rest of a frame; less than one whole screen.
    var unsent: ArraySlice<UInt8> = []
    var frame: ScreenFrame?
    /// Frames come by a scroll here.
    var isPaced = false
    /// One of them has not been written yet.
    var scrolls = false
    /// The deadline for the terminal to have shown the last frame; `nil` where it has, or is silent.
    var statusDue: Milliseconds?
    /// A deadline has passed since, and nothing is asked until the answer comes.
    var isSilent = false
  }

  private let device: TerminalDevice
  private let style: ScreenStyle
  private let state: Mutex<Painting>

  /// Writes nothing before the first ``resume(_:)``.
  init(device: TerminalDevice, style: ScreenStyle) {
    (self.device, self.style) = (device, style)
    state = Mutex(Painting(painter: FramePainter(style: style)))
  }

  var isBlocked: Bool { state.withLock { !$0.unsent.isEmpty } }

  /// When ``flush()`` is due although the terminal has not answered; `nil` if nothing waits for that.
  var statusDue: Milliseconds? { state.withLock { $0.statusDue } }

  private static let statusPatience: Milliseconds = 2000

  /// Continues after the terminal's answer.
  func takeStatus() {
    state.withLock { state in
      (state.statusDue, state.isSilent) = (nil, false)
      pump(&state)
    }
  }

  /// Has a frame painted as soon as the terminal takes it.
  ///
  /// - Parameter keepsCursor: a line that the cursor comes to would be read.
  func show(_ frame: ScreenFrame, keepsCursor: Bool) {
    change { old in
      let frame = frame.marked(after: old)
      // A screen reader reads a line that the cursor moves to.
      let isThere = old.map { $0.isHeard && $0.size == frame.size } ?? false
      let row = old?.cursorRow ?? 0
      if isThere, keepsCursor, frame.comesByScroll, row > 0 {
        old = frame.withCursor(in: row)
        return
      }
      old = isThere ? frame : frame.comesByScroll ? frame.blank : frame.withoutCursorLine
    }
  }

  /// Clears the words at the cursor of a screen that is read; `false` if there are none, or `name` is among
  /// them.
  func clearCursorLine(except name: String?) -> Bool {
    guard let words = cursorWords, !words.isEmpty else { return false }
    if let name, !name.isEmpty, words.contains(name) { return false }
    change { $0 = $0?.withoutCursorLine }
    return true
  }

  /// Shows these words alone at the cursor of a screen that is read; `false` if they stand there.
  func showCursorLine(_ words: String) -> Bool {
    guard let shown = cursorWords, shown != words else { return false }
    change { $0 = $0?.withCursorLine(words) }
    return true
  }

  /// `nil` where nothing is shown, or the screen is not read.
  private var cursorWords: Substring? {
    let frame = state.withLock { $0.phase == .active ? $0.frame : nil }
    return frame.flatMap { $0.isHeard ? $0.lines[$0.cursorRow].words : nil }
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

  private func change(_ change: (inout ScreenFrame?) -> Void) {
    paint { state in
      change(&state.frame)
      state.scrolls = state.scrolls || state.frame?.comesByScroll ?? false
    }
  }

  private func paint(_ change: (inout Painting) -> Void) {
    let waits = state.withLock { state in
      change(&state)
      pump(&state)
      return !state.unsent.isEmpty || state.statusDue != nil
    }
    // The reader polls for input only, until it is told what output waits for.
    if waits { ctr_wake() }
  }

  /// Writes the last frame again in full: something else has overwritten it.
  func repaint() { paint { $0.painter.invalidate() } }

  /// Has the next frame written in full: the terminal has moved its lines, even if its size is
  /// unchanged now.
  func invalidate() { state.withLock { $0.painter.invalidate() } }

  /// Continues once the terminal accepts bytes again.
  func flush() { state.withLock { pump(&$0) } }

  /// Restores the terminal, and writes nothing more until ``resume(_:)``.
  func suspend() {
    state.withLock { state in
      guard state.phase == .active else { return }
      state.phase = .suspended
      leave(&state)
    }
  }

  /// Takes the terminal by `enter`, and paints the last frame if its size still fits.
  func resume(_ enter: () throws(TerminalError) -> Void) throws(TerminalError) {
    try state.withLock { state throws(TerminalError) in
      guard state.phase != .closed else { return }
      try enter()
      state.phase = .active
      state.painter.invalidate()
      if state.frame?.size != device.size { state.frame = nil }
      // The last key was the shell's, so a screen reader would read all of the frame.
      if state.frame?.isHeard == true { state.frame = .empty(device.size) }
      state.unsent = TerminalModes.enter(style)[...]
      pump(&state)
    }
  }

  /// Writes a message on a terminal without a screen; nothing where it has long taken no bytes.
  func write(line: String) {
    let text = ScreenText.clean(line, keepsIsolates: false) + "\n"
    paint { state in
      guard state.phase == .active, state.unsent.count < Self.mostUnsent else { return }
      state.unsent += text.utf8
    }
  }

  /// In bytes.
  private static let mostUnsent = 1 << 16

  /// Restores the terminal for good, and leaves `message` on it as a line of its own.
  func close(leaving message: String?) {
    state.withLock { state in
      let wasActive = state.phase == .active
      state.phase = .closed
      leave(&state)
      guard wasActive, style != .lines, let message, !message.isEmpty else { return }
      let line = Array((ScreenText.clean(message, keepsIsolates: true) + "\r\n").utf8)
      writePatiently(line[...])
    }
  }

  /// Restores the terminal; a frame in progress is dropped.
  private func leave(_ state: inout Painting) {
    state.unsent = []
    state.painter.invalidate()
    // An answer that came later would be typed to the shell.
    if state.statusDue != nil || state.isSilent {
      device.drop(through: UInt8(ascii: "n"), within: 300)
    }
    (state.statusDue, state.isSilent) = (nil, false)
    ctr_restore()
  }

  /// Writes a little after the end, with a timeout of half a second for each part.
  private func writePatiently(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty, device.isWritable(within: 500) {
      guard let written = device.write(rest) else { return }
      rest = rest.dropFirst(written)
    }
  }

  /// Writes the rest of the last frame, then the newest one, as far as the terminal accepts them.
  private func pump(_ state: inout Painting) {
    // A crash or exit() has restored the terminal: other threads must not paint after that.
    guard state.phase == .active, ctr_is_armed() else {
      state.unsent = []
      return
    }
    send(&state)
    if let due = state.statusDue {
      if MonotonicClock.now < due { return }
      (state.statusDue, state.isSilent) = (nil, true)
    }
    guard state.unsent.isEmpty, var frame = state.frame else { return }
    // Where it holds the words of another that was never written, they come by a scroll all the same.
    frame.comesByScroll = frame.comesByScroll || state.scrolls
    state.isPaced = state.isPaced || frame.comesByScroll
    state.scrolls = false
    state.unsent = state.painter.paint(frame)[...]
    if state.isPaced, !state.isSilent, !state.unsent.isEmpty {
      state.unsent += TerminalModes.statusRequest
      state.statusDue = MonotonicClock.now + Self.statusPatience
    }
    send(&state)
  }

  /// Writes until the terminal accepts no more.
  private func send(_ state: inout Painting) {
    while !state.unsent.isEmpty {
      guard let written = device.write(state.unsent) else {
        // The terminal is gone; the reader notices by itself.
        state.phase = .closed
        state.unsent = []
        return
      }
      if written == 0 { return }
      state.unsent = state.unsent.dropFirst(written)
    }
  }
}
