import CTerminalRestore
import Glibc
import KeyDragCore
import KeyDragThreads

/// Waits for keys, signals and room for output; its thread wakes for nothing else.
///
/// An actor on a loop of its own, so that nothing can delay a key. The handler is called on the
/// loop's thread, and nothing is read before it returns.
actor TerminalReader: EventSource {
  private let loop: EventLoop
  private let device: TerminalDevice
  /// Flushed when there is room.
  private let output: TerminalOutput
  /// The original modes, restored at the end.
  private let saved: termios
  /// The bytes that put the terminal's screen back.
  private let leave: [UInt8]
  private let handler: Terminal.Handler
  private var decoder: KeyDecoder
  /// The deadline of a pending Escape; `nil` without one.
  private var escapeDue: Milliseconds?
  /// The deadline at which a program continued in the background stops again: a shell also
  /// continues what it ends, and the signal for that may arrive a moment later. `nil` in the
  /// foreground.
  private var stopDue: Milliseconds?
  /// The timeout for that signal.
  private static let signalPatience: Milliseconds = 100
  private var isOpen = true
  private var isStopped = false
  /// Whether the end of the terminal has been reported.
  private var hasToldClosed = false
  /// The size last reported, or found when the signals were taken over.
  private var size: ScreenSize

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Takes over the signals, then the terminal: from here on every exit restores it.
  ///
  /// - Parameters:
  ///   - name: the value of `TERM`.
  ///   - leave: the bytes that put the terminal's screen back.
  /// - Throws: where the terminal can't be set, or there is no memory, descriptor or thread left.
  init(
    device: TerminalDevice, output: TerminalOutput, name: String, leave: [UInt8],
    handler: @escaping Terminal.Handler
  ) throws(TerminalError) {
    saved = try device.modes()
    self.leave = leave
    guard let decoder = KeyDecoder(terminal: name) else {
      throw .system(call: "termkey_new_abstract", code: ENOMEM)
    }
    guard let loop = EventLoop() else { throw .system(call: "socketpair", code: EMFILE) }
    self.loop = loop
    self.device = device
    self.output = output
    self.handler = handler
    self.decoder = decoder
    guard ctr_install(loop.wakeDescriptor) else { throw .system(call: "sigaction", code: errno) }
    size = device.size
    try output.resume(enter)
    guard loop.start() else { throw .system(call: "pthread_create", code: EAGAIN) }
    loop.attach(self)
  }

  /// Sets the modes, and keeps the previous ones for a crash.
  private nonisolated func enter() throws(TerminalError) {
    var modes = saved
    // Kept first: from the next line on somebody may have to put them back.
    let isKept = leave.withUnsafeBytes { bytes in
      ctr_arm(
        device.output, &modes, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    guard isKept else { throw .system(call: "ctr_arm", code: E2BIG) }
    try device.set(TerminalModes.raw(saved))
  }

  /// Stops reading; returns when it has stopped, or at once if the reader calls it.
  nonisolated func stop() {
    loop.detach(self)
    if loop.isCurrent {
      assumeIsolated { $0.isStopped = true }
    } else {
      loop.post { self.assumeIsolated { $0.isStopped = true } }
    }
    loop.finish()
  }

  nonisolated func waits() -> EventWait { assumeIsolated { $0.wait() } }

  nonisolated func ready(_ descriptors: [pollfd]) {
    assumeIsolated { $0.advance(descriptors) }
  }

  /// Without a deadline if nothing is pending.
  func wait() -> EventWait {
    var descriptors: [pollfd] = []
    if isOpen, stopDue == nil {
      descriptors.append(pollfd(fd: device.input, events: Int16(POLLIN), revents: 0))
    }
    if output.isBlocked {
      descriptors.append(pollfd(fd: device.output, events: Int16(POLLOUT), revents: 0))
    }
    let deadline = [escapeDue, stopDue, output.statusDue].compactMap(\.self).min()
    return EventWait(descriptors: descriptors, deadline: deadline)
  }

  private func advance(_ ready: [pollfd]) {
    takeSignals()
    guard !isStopped else { return }
    if let stopDue, stopDue <= MonotonicClock.now { resume() }
    // Input and output are mostly one descriptor.
    func has(_ event: Int32) -> Bool { ready.contains { $0.events == Int16(event) } }
    if has(POLLOUT) || output.statusDue.map({ $0 <= MonotonicClock.now }) ?? false {
      output.flush()
    }
    if has(POLLIN) {
      read()
    } else if let escapeDue, escapeDue <= MonotonicClock.now {
      decoder.force().forEach(deliver)
    }
    // New bytes restart the timeout; a signal does not.
    if !isOpen || !decoder.needsForce {
      escapeDue = nil
    } else if has(POLLIN) || escapeDue == nil {
      escapeDue = MonotonicClock.now + Milliseconds(KeyDecoder.patience)
    }
  }

  private func read() {
    guard let bytes = device.read() else {
      isOpen = false
      return send(.closed)
    }
    decoder.decode(bytes).forEach(deliver)
  }

  /// Reports nothing after a close, not even the rest of what was read at once.
  private func send(_ input: TerminalInput) {
    guard !isStopped else { return }
    if input == .closed {
      // Both CONT and a read notice a hang-up.
      guard !hasToldClosed else { return }
      hasToldClosed = true
    }
    handler(input)
  }

  private func deliver(_ input: DecodedInput) {
    switch input {
    case .stroke(let stroke): send(.stroke(stroke))
    case .text(let text): send(.text(text))
    case .places(let places): send(.places(places))
    case .tooLongPaste: send(.tooLongPaste)
    case .status: output.takeStatus()
    }
  }

  private func takeSignals() {
    let bits = ctr_take()
    func has(_ bit: Int) -> Bool { bits & UInt32(bit) != 0 }
    if has(CTR_SUSPEND) {
      output.suspend()
      // Stops every thread before it returns; CONT follows.
      raise(SIGSTOP)
    }
    let ends = [
      (CTR_TERM, SIGTERM), (CTR_HUP, SIGHUP), (CTR_INT, SIGINT), (CTR_QUIT, SIGQUIT),
    ].filter { has($0.0) }
    // A shell continues what it ends: no reason to take the terminal.
    if has(CTR_CONTINUED), ends.isEmpty { goOn() }
    if has(CTR_RESIZED) { output.invalidate() }
    // While another program is in the foreground, that one handles a new size.
    if has(CTR_RESIZED) || has(CTR_CONTINUED) { tellSize(always: has(CTR_RESIZED)) }
    if !ends.isEmpty { stopDue = nil }
    for (_, signal) in ends { send(.terminate(signal: signal)) }
  }

  private func tellSize(always: Bool) {
    let isNew = size != device.size
    size = device.size
    if isNew || always { send(.resized(columns: size.columns, rows: size.rows)) }
  }

  /// Takes the terminal again, or waits a little for a signal in the background.
  private func goOn() {
    if device.isInFront { resume() } else { stopDue = MonotonicClock.now + Self.signalPatience }
  }

  private func resume() {
    stopDue = nil
    // Nothing is armed in the background, so that nothing is restored onto the shell's screen. The
    // next CONT comes here again.
    guard device.isInFront else { return device.stopBehindShell() }
    do {
      try output.resume(enter)
      send(.resumed)
    } catch {
      send(.closed)
    }
  }
}
