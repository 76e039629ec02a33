import KeyDragCore
import KeyDragThreads

/// Reads the windows of a display on a thread of its own.
package final class DisplayWindows: WindowReading {
  private let thread: XThread
  private let box: Handover<Desk>

  /// For its thread alone.
  private final class Desk {
    let server: XServer
    let windows: DesktopWindows
    var handler: (@Sendable () -> Void)?

    init(_ server: XServer) {
      self.server = server
      windows = DesktopWindows(server: server)
    }

    /// `false` when the server is gone.
    func takeEvents() -> Bool {
      var hasChanged = false
      while let event = server.nextEvent() {
        if windows.isChange(event) { hasChanged = true }
      }
      if hasChanged { handler?() }
      return !server.isLost
    }
  }

  /// - Parameters:
  ///   - display: `nil` for the one that DISPLAY names.
  ///   - patience: how long the server may take to greet; `nil` for the usual time.
  package init(display: String? = nil, within patience: Duration? = nil) throws(XError) {
    guard let thread = XThread() else { throw .unreachable(display: display) }
    let server = try XServer(display: display, within: patience ?? XGreeting.patience)
    let box = Handover(Desk(server))
    let isStarted = BackgroundThread.start {
      thread.run(reading: box.value.server.descriptor, deadline: { nil }) {
        box.value.takeEvents()
      }
    }
    guard isStarted else { throw .unreachable(display: display) }
    (self.thread, self.box) = (thread, box)
  }

  deinit { thread.end() }

  package func windows(_ reply: @escaping @Sendable ([WindowFacts]?) -> Void) {
    let box = box
    let isTaken = thread.post {
      guard let windows = try? box.value.windows.all() else { return reply(nil) }
      reply(windows)
    }
    if !isTaken { reply(nil) }
  }

  package func onChange(_ handler: @escaping @Sendable () -> Void) {
    thread.post { [box] in
      box.value.handler = handler
      box.value.windows.watch()
    }
  }
}
