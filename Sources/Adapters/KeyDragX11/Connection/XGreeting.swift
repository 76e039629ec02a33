import CXCB
import Dispatch
import KeyDragThreads
import Synchronization

/// Connecting to an X server, with a bound: the library itself waits for a greeting without end.
enum XGreeting {
  /// A server that says nothing for so long is none.
  ///
  /// 3 s.
  static let patience = Duration.seconds(3)

  /// The library's own, to be closed by whoever gets it.
  typealias Connected = (connection: OpaquePointer, screen: Int32)

  /// State shared by the thread that connects and the one that waits for it.
  private final class Desk: Sendable {
    /// Each goes from waiting to one of the others, once.
    private enum State {
      case waiting
      case connected(Handover<Connected?>)
      case givenUp
    }

    private let state = Mutex(State.waiting)
    private let isDone = DispatchSemaphore(value: 0)

    /// Hands it over; `false` when nobody waits for it any more.
    ///
    /// The one that connects calls it once.
    func put(_ connected: Handover<Connected?>) -> Bool {
      let isWanted = state.withLock { state in
        guard case .waiting = state else { return false }
        state = .connected(connected)
        return true
      }
      isDone.signal()
      return isWanted
    }

    /// `nil` when nothing has come in time.
    ///
    /// Blocks for at most that long. Afterwards a connection that comes late is closed by whoever
    /// made it.
    func take(within patience: Duration) -> Handover<Connected?>? {
      _ = isDone.wait(timeout: .now() + .milliseconds(Int(patience / .milliseconds(1))))
      return state.withLock { state in
        if case .connected(let connected) = state { return connected }
        state = .givenUp
        return nil
      }
    }
  }

  /// Blocks for at most `patience`. The caller owns the connection.
  ///
  /// - Throws: ``XError/unreachable(display:)`` or ``XError/noAnswer``.
  static func connect(
    _ display: String?, within patience: Duration
  ) throws(XError) -> Connected {
    let desk = Desk()
    // A thread that is never answered stays behind, and ends with the program.
    let isStarted = BackgroundThread.start {
      var screen: Int32 = 0
      let connection = xcb_connect(display, &screen)
      let connected = Handover(connection.map { (connection: $0, screen: screen) })
      if !desk.put(connected), let connection { xcb_disconnect(connection) }
    }
    guard isStarted else { throw .unreachable(display: display) }
    guard let answer = desk.take(within: patience) else { throw .noAnswer }
    guard let connected = answer.value else { throw .unreachable(display: display) }
    return connected
  }
}
