import CTerminalRestore
import Glibc
import KeyDragCore
import Synchronization

/// The thread that waits for keys, signals and room for output, and for nothing else: without one
/// of them it never wakes.
///
/// The handler is called on the thread, and nothing is read before it returns.
final class TerminalReader: Sendable {
  /// Everything behind the lock.
  private struct Watch {
    /// `nil` before it starts, and once somebody waits for its end.
    var thread: pthread_t?
    /// The thread is to end.
    var isStopped = false
    /// Whether the end of the terminal has been told.
    var hasToldClosed = false
    /// The size told last, or found when the signals were taken over.
    var size: ScreenSize?
  }

  /// The end that is read from.
  private let device: TerminalDevice
  /// Goes on writing when there is room.
  private let output: TerminalOutput
  /// The modes from before, put back at the end.
  private let saved: termios
  /// Told of every input.
  private let handler: Terminal.Handler
  /// Signals and other threads write into it.
  private let pipe: WakePipe
  /// Any thread may stop it.
  private let state = Mutex(Watch())

  /// - Throws: where no pipe can be made.
  init(
    device: TerminalDevice, output: TerminalOutput, saved: termios,
    handler: @escaping Terminal.Handler
  ) throws(TerminalError) {
    self.device = device
    self.output = output
    self.saved = saved
    self.handler = handler
    pipe = try WakePipe()
  }

  deinit { pipe.close() }

  /// Takes over the signals, then the terminal: from here on every way out puts it back.
  func takeTerminal() throws(TerminalError) {
    guard ctr_install(pipe.writing) else { throw .system(call: "sigaction", code: errno) }
    state.withLock { $0.size = device.size }
    try output.resume(enter)
  }

  /// Sets the modes, with those from before kept for a crash.
  private func enter() throws(TerminalError) {
    var modes = saved
    // Kept first: from the next line on somebody may have to put them back.
    let isKept = TerminalModes.leave.withUnsafeBytes { bytes in
      ctr_arm(
        device.output, &modes, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    guard isKept else { throw .system(call: "ctr_arm", code: E2BIG) }
    try device.set(TerminalModes.raw(saved))
  }

  /// Starts the thread; throws where the system gives none.
  func start(name: String) throws(TerminalError) {
    let start = ThreadStart(reader: self, name: name)
    let box = Unmanaged.passRetained(start)
    let address = UInt(bitPattern: box.toOpaque())
    // The thread finds itself in the state, however early it is asked to stop.
    let code = state.withLock { state in
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { box in
          guard let box else { return nil }
          let start = Unmanaged<ThreadStart>.fromOpaque(box).takeRetainedValue()
          start.reader.run(name: start.name)
          return nil
        }, UnsafeMutableRawPointer(bitPattern: address))
      if code == 0 { state.thread = thread }
      return code
    }
    guard code == 0 else {
      box.release()
      throw .system(call: "pthread_create", code: code)
    }
  }

  /// Handed to the thread, which lets go of it.
  private final class ThreadStart {
    let reader: TerminalReader
    /// The value of `TERM`.
    let name: String

    init(reader: TerminalReader, name: String) {
      self.reader = reader
      self.name = name
    }
  }

  /// Ends the thread; returns when it ended, or at once when it is the thread that asks.
  func stop() {
    let thread = state.withLock { state in
      state.isStopped = true
      defer { state.thread = nil }
      return state.thread
    }
    guard let thread else { return }
    if pthread_equal(thread, pthread_self()) != 0 {
      pthread_detach(thread)
    } else {
      ctr_wake()
      pthread_join(thread, nil)
    }
  }

  /// Whether the thread is to end.
  private var isStopped: Bool { state.withLock { $0.isStopped } }

  private func run(name: String) {
    // Without memory for a decoder there are no keys: that is as if the terminal were gone.
    guard var decoder = KeyDecoder(terminal: name) else { return send(.closed) }
    var isOpen = true
    var wait = ReaderWait()
    while !isStopped {
      let ready = wait.poll(
        input: isOpen ? device.input : -1, signals: pipe.reading,
        output: output.isBlocked ? device.output : -1)
      if ready.signals { takeSignals() }
      if isStopped { return }
      if ready.output { output.flush() }
      if ready.input { isOpen = read(&decoder) }
      if !ready.input, wait.isDue { decoder.force().forEach(deliver) }
      wait.update(needsForce: isOpen && decoder.needsForce, restarts: ready.input)
    }
  }

  /// `false` when the terminal is gone.
  private func read(_ decoder: inout KeyDecoder) -> Bool {
    guard let bytes = device.read() else {
      send(.closed)
      return false
    }
    decoder.decode(bytes).forEach(deliver)
    return true
  }

  /// Nothing is reported after a close, not even the rest of what was read at once.
  private func send(_ input: TerminalInput) {
    let isWanted = state.withLock { state in
      guard !state.isStopped else { return false }
      guard input == .closed else { return true }
      // A hang-up is noticed both by CONT and by reading.
      defer { state.hasToldClosed = true }
      return !state.hasToldClosed
    }
    if isWanted { handler(input) }
  }

  private func deliver(_ input: DecodedInput) {
    switch input {
    case .stroke(let stroke): send(.stroke(stroke))
    case .text(let text): send(.text(text))
    case .places(let places): send(.places(places))
    case .tooLongPaste: send(.tooLongPaste)
    }
  }

  private func takeSignals() {
    pipe.drain()
    let bits = ctr_take()
    func has(_ bit: Int) -> Bool { bits & UInt32(bit) != 0 }
    if has(CTR_SUSPEND) {
      output.suspend()
      // Stops every thread before it returns; what follows is told by CONT.
      raise(SIGSTOP)
    }
    if has(CTR_CONTINUED) { resume() }
    if has(CTR_RESIZED) { output.invalidate() }
    // While another program has the terminal, that one is told of a new size.
    if has(CTR_RESIZED) || has(CTR_CONTINUED) { tellSize(always: has(CTR_RESIZED)) }
    for (bit, signal) in [
      (CTR_TERM, SIGTERM), (CTR_HUP, SIGHUP), (CTR_INT, SIGINT), (CTR_QUIT, SIGQUIT),
    ] where has(bit) {
      send(.terminate(signal: signal))
    }
  }

  private func tellSize(always: Bool) {
    let size = device.size
    let isNew = state.withLock { state in
      defer { state.size = size }
      return state.size != size
    }
    if isNew || always { send(.resized(columns: size.columns, rows: size.rows)) }
  }

  private func resume() {
    do {
      try output.resume(enter)
      send(.resumed)
    } catch {
      send(.closed)
    }
  }
}
