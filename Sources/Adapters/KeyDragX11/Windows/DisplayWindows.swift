import Dispatch
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
  private let thread: EventLoop
  private let box: Handover<Desk>
  /// For each question.
  private let patience: DispatchTimeInterval
  private let silence = Silence()
  /// Shared by all displays: it only looks at the clock.
  private static let queue = DispatchQueue(label: "keydrag.windows.patience")

  /// Whether the display left the last question unanswered.
  private final class Silence: Sendable {
    private let isNow = Atomic(false)

    var value: Bool { isNow.load(ordering: .relaxed) }

    func set(_ value: Bool) { isNow.store(value, ordering: .relaxed) }
  }

  /// One question: answered once, and not worth the work after that.
  ///
  /// Two race for it: the thread and the clock.
  private final class Question: Sendable {
    private let reply: Mutex<(@Sendable ([WindowFacts]?) -> Void)?>

    init(_ reply: @escaping @Sendable ([WindowFacts]?) -> Void) { self.reply = Mutex(reply) }

    var isOpen: Bool { reply.withLock { $0 != nil } }

    /// `false` when it has been answered before.
    @discardableResult
    func answer(_ windows: [WindowFacts]?) -> Bool {
      let waiting = reply.withLock { reply in
        defer { reply = nil }
        return reply
      }
      waiting?(windows)
      return waiting != nil
    }
  }

  /// For its thread alone.
  ///
  /// Not before the thread has begun, and on it only.
  private final class Desk {
    let server: XServer
    let windows: DesktopWindows
    /// Called on the thread.
    var handler: (@Sendable () -> Void)?

    init(_ server: XServer) {
      self.server = server
      windows = DesktopWindows(server: server)
    }

    /// `false` when the server is gone.
    ///
    /// Many events make one call of the handler.
    func takeEvents() -> Bool {
      var hasChanged = false
      while let event = server.nextEvent() {
        if windows.isChange(event) { hasChanged = true }
      }
      if hasChanged { handler?() }
      return !server.isLost
    }
  }

  /// Blocks for connecting. From then on the thread waits for the server without a bound.
  ///
  /// - Parameters:
  ///   - display: `nil` for the one that DISPLAY names.
  ///   - patience: how long the server may take to greet, and then to answer; `nil` for the usual
  ///     time.
  package init(display: String? = nil, within patience: Duration? = nil) throws(XError) {
    guard let thread = EventLoop() else { throw .unreachable(display: display) }
    let patience = patience ?? XServer.patience
    let server = try XServer(display: display, within: patience)
    let box = Handover(Desk(server))
    try box.value.windows.waitOn()
    let isStarted = BackgroundThread.start {
      let server = box.value.server
      thread.run(
        reading: server.descriptor, deadline: { nil }, hasMore: server.hasReadAhead,
        handle: box.value.takeEvents)
    }
    guard isStarted else { throw .unreachable(display: display) }
    (self.thread, self.box) = (thread, box)
    self.patience = .milliseconds(Int(patience / .milliseconds(1)))
  }

  deinit { thread.stop() }

  /// Whether the display did not answer when its windows were asked for last.
  package var isSilent: Bool { silence.value }

  /// `nil` where the display is gone, or does not answer in time.
  package func windows() async -> [WindowFacts]? { await ask { try? $0.all() } }

  package func menus() async -> [WindowFacts]? { await ask { try? $0.menus() } }

  /// `false` for a window that is gone, and where the display does not answer.
  package func activate(_ window: WindowID) async -> Bool {
    await ask { try? $0.activate(XWindow(rawValue: window.rawValue)) ? [] : nil } != nil
  }

  private func ask(
    _ read: @escaping @Sendable (DesktopWindows) -> [WindowFacts]?
  ) async -> [WindowFacts]? {
    await withCheckedContinuation { continuation in
      ask({ continuation.resume(returning: $0) }, read)
    }
  }

  /// Posts the question, and sets its clock.
  private func ask(
    _ reply: @escaping @Sendable ([WindowFacts]?) -> Void,
    _ read: @escaping @Sendable (DesktopWindows) -> [WindowFacts]?
  ) {
    let (box, silence) = (box, silence)
    let question = Question(reply)
    let isTaken = thread.post {
      // Nobody waits any more: a display that answers late is not asked everything that was asked
      // meanwhile.
      guard question.isOpen else { return }
      let windows = read(box.value.windows)
      silence.set(false)
      question.answer(windows)
    }
    guard isTaken else {
      question.answer(nil)
      return
    }
    Self.queue.asyncAfter(deadline: .now() + patience) {
      guard question.isOpen else { return }
      silence.set(true)
      question.answer(nil)
    }
  }

  /// Replaces the one before. Called on the thread of the display.
  package func onChange(_ handler: @escaping @Sendable () -> Void) {
    thread.post { [box] in
      box.value.handler = handler
      box.value.windows.watch()
    }
  }
}
