import Glibc
import KeyDragCore
import KeyDragThreads
import Synchronization

/// Reads a display's windows on its own thread, the only one that waits for a display that does not
/// answer. Every question is answered once: by the thread, or with `nil` on timeout. Safe from any
/// thread.
final class DisplayWindows: WindowReading {
  private let desk: Desk
  private let patience: Duration
  private let clock: any Clock<Duration>

  private actor Desk: EventSource {
    private let loop: EventLoop
    private let server: XServer
    private let windows: DesktopWindows
    private var handler: (@Sendable () -> Void)?
    /// Whether the last question timed out.
    nonisolated let isSilent = Atomic(false)

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(display: String?, within patience: Duration) throws(Reason) {
      guard let loop = EventLoop() else { throw .noDisplay }
      self.loop = loop
      server = try XServer(display: display, within: patience)
      windows = DesktopWindows(server: server)
      try windows.disableTimeout()
      guard loop.start() else { throw .noDisplay }
      loop.attach(self)
    }

    /// `nil` when the caller has given up: a slow display is not asked stale questions.
    func read<Value: Sendable>(_ read: @Sendable (DesktopWindows) -> Value?) -> Value? {
      guard !Task.isCancelled else { return nil }
      defer { isSilent.store(false, ordering: .relaxed) }
      return read(windows)
    }

    nonisolated func onChange(_ handler: @escaping @Sendable () -> Void) {
      loop.post {
        self.assumeIsolated { desk in
          desk.handler = handler
          desk.windows.watch()
        }
      }
    }

    nonisolated func stop() {
      loop.detach(self)
      loop.stop()
    }

    nonisolated func waits() -> EventWait { assumeIsolated { $0.wait() } }

    nonisolated func ready(_ descriptors: [pollfd]) { assumeIsolated { $0.takeEvents() } }

    /// Waits for nothing once the display is lost; questions are still answered.
    private func wait() -> EventWait {
      guard !server.isLost else { return EventWait() }
      return EventWait(
        descriptors: [pollfd(fd: server.descriptor, events: Int16(POLLIN), revents: 0)],
        deadline: server.hasQueuedEvent() ? 0 : nil)
    }

    /// Calls the handler once per batch of events.
    private func takeEvents() {
      var hasChanged = false
      while let event = server.nextEvent() {
        if windows.isChange(event) { hasChanged = true }
      }
      if hasChanged { handler?() }
    }
  }

  /// Blocks while connecting. From then on the thread waits for the server without a timeout.
  ///
  /// - Parameters:
  ///   - patience: timeout for the greeting, then for each answer; `nil` for the default.
  ///   - clock: for answers; the greeting uses the system's time.
  init(
    display: String? = nil, within patience: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) throws(Reason) {
    (self.patience, self.clock) = (patience ?? XServer.patience, clock)
    desk = try Desk(display: display, within: self.patience)
  }

  deinit { desk.stop() }

  /// Whether the last question to the display timed out.
  var isSilent: Bool { desk.isSilent.load(ordering: .relaxed) }

  /// `nil` when the display is lost, or does not answer in time.
  func windows() async -> [WindowFacts]? { await ask { try? $0.all() } }

  func menus() async -> [WindowFacts]? { await ask { try? $0.menus() } }

  /// `false` for a destroyed window, and when the display does not answer.
  func activate(_ window: WindowID) async -> Bool {
    await ask { try? $0.activate(XWindow(rawValue: window.rawValue)) } ?? false
  }

  func picture(of window: WindowID) async -> WindowPicture? {
    await ask { $0.picture(of: XWindow(rawValue: window.rawValue)) }
  }

  /// Returns the answer, or `nil` on timeout. The caller's cancellation is ignored: it does not
  /// mean a display without windows.
  private func ask<Value: Sendable>(
    _ read: @escaping @Sendable (DesktopWindows) -> Value?
  ) async -> Value? {
    let (answers, answer) = AsyncStream.makeStream(of: Value?.self)
    let reading = Task { [desk] in answer.yield(await desk.read(read)) }
    let waiting = Task { [desk, clock, patience] in
      try await clock.sleep(for: patience)
      desk.isSilent.store(true, ordering: .relaxed)
      answer.yield(nil)
    }
    defer {
      reading.cancel()
      waiting.cancel()
    }
    return await Task { await answers.first { _ in true } ?? nil }.value
  }

  /// Replaces the previous one. Called on the display's thread.
  func onChange(_ handler: @escaping @Sendable () -> Void) { desk.onChange(handler) }
}
