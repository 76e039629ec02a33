import Glibc
import KeyDragCore
import KeyDragThreads
import Synchronization

/// Reads the windows of a display on a thread of its own.
///
/// A display that does not answer is waited for by nobody but that thread, which goes on when the
/// display does.
///
/// One thread and one connection. Every question is answered once: by the thread, or with `nil`
/// when the patience is over. Safe from any thread.
package final class DisplayWindows: WindowReading {
  private let desk: Desk
  /// For each question.
  private let patience: Duration
  private let clock: any Clock<Duration>

  /// Owns the connection, and takes what the display tells by itself.
  private actor Desk: EventSource {
    private let loop: EventLoop
    private let server: XServer
    private let windows: DesktopWindows
    /// Called on the thread.
    private var handler: (@Sendable () -> Void)?
    /// Whether the last question was left unanswered.
    nonisolated let isSilent = Atomic(false)

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(display: String?, within patience: Duration) throws(XError) {
      guard let loop = EventLoop() else { throw .unreachable(display: display) }
      self.loop = loop
      server = try XServer(display: display, within: patience)
      windows = DesktopWindows(server: server)
      try windows.waitOn()
      guard loop.start() else { throw .unreachable(display: display) }
      loop.attach(self)
    }

    /// `nil` where nobody waits any more: a display that answers late is not asked everything that
    /// was asked meanwhile.
    func read<Value: Sendable>(_ read: @Sendable (DesktopWindows) -> Value?) -> Value? {
      guard !Task.isCancelled else { return nil }
      defer { isSilent.store(false, ordering: .relaxed) }
      return read(windows)
    }

    /// Replaces the handler before.
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

    /// For nothing once the display is gone; questions are answered still.
    private func wait() -> EventWait {
      guard !server.isLost else { return EventWait() }
      return EventWait(
        descriptors: [pollfd(fd: server.descriptor, events: Int16(POLLIN), revents: 0)],
        deadline: server.hasReadAhead() ? 0 : nil)
    }

    /// Many events make one call of the handler.
    private func takeEvents() {
      var hasChanged = false
      while let event = server.nextEvent() {
        if windows.isChange(event) { hasChanged = true }
      }
      if hasChanged { handler?() }
    }
  }

  /// Blocks for connecting. From then on the thread waits for the server without a bound.
  ///
  /// - Parameters:
  ///   - display: `nil` for the one that DISPLAY names.
  ///   - patience: how long the server may take to greet, and then to answer; `nil` for the usual
  ///     time.
  ///   - clock: by which answers are waited for. The greeting keeps the time of the system.
  package init(
    display: String? = nil, within patience: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) throws(XError) {
    (self.patience, self.clock) = (patience ?? XServer.patience, clock)
    desk = try Desk(display: display, within: self.patience)
  }

  deinit { desk.stop() }

  /// Whether the display did not answer when its windows were asked for last.
  package var isSilent: Bool { desk.isSilent.load(ordering: .relaxed) }

  /// `nil` where the display is gone, or does not answer in time.
  package func windows() async -> [WindowFacts]? { await ask { try? $0.all() } }

  package func menus() async -> [WindowFacts]? { await ask { try? $0.menus() } }

  /// `false` for a window that is gone, and where the display does not answer.
  package func activate(_ window: WindowID) async -> Bool {
    await ask { try? $0.activate(XWindow(rawValue: window.rawValue)) } ?? false
  }

  /// Takes the first that comes: the answer, or the end of the patience. Whether whoever asks has
  /// been cancelled changes nothing: that is no display without windows.
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

  /// Replaces the one before. Called on the thread of the display.
  package func onChange(_ handler: @escaping @Sendable () -> Void) { desk.onChange(handler) }
}
