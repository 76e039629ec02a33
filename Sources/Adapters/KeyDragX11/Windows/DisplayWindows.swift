import KeyDragCore
import KeyDragThreads

/// Reads the windows of a display on a thread of its own.
package final class DisplayWindows: WindowReading {
  private let thread: XThread
  private let box: Handover<Desk>

  private struct Desk {
    let server: XServer
    let windows: DesktopWindows
  }

  /// - Parameter display: `nil` for the one that DISPLAY names.
  package init(display: String? = nil) throws(XError) {
    guard let thread = XThread() else { throw .unreachable(display: display) }
    let server = try XServer(display: display)
    let box = Handover(Desk(server: server, windows: DesktopWindows(server: server)))
    let isStarted = BackgroundThread.start {
      thread.run(reading: box.value.server.descriptor, deadline: { nil }) {
        // Nothing is asked for, but an unread event would wake the thread without end.
        while box.value.server.nextEvent() != nil {}
        return !box.value.server.isLost
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
}
