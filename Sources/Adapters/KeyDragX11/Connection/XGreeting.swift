import CXCB
import Dispatch
import KeyDragCore
import KeyDragThreads

/// Connecting to an X server, with a bound: the library itself waits for a greeting without end.
enum XGreeting {
  /// A server that says nothing for so long is none.
  ///
  /// 3 s.
  static let patience = Duration.seconds(3)

  /// The library's own, to be closed by whoever gets it.
  typealias Connected = (connection: OpaquePointer, screen: Int32)

  /// Blocks for at most `patience`. The caller owns the connection.
  ///
  /// - Throws: ``XError/unreachable(display:)`` or ``XError/noAnswer``.
  static func connect(
    _ display: String?, within patience: Duration
  ) throws(XError) -> Connected {
    let greeting = LateAnswer<ThreadConfined<Connected?>?>()
    let first = Once(greeting.give)
    // A thread that is never answered stays behind, and ends with the program.
    let isStarted = BackgroundThread.start {
      var screen: Int32 = 0
      let connection = xcb_connect(display, &screen)
      let connected = ThreadConfined(connection.map { (connection: $0, screen: screen) })
      // Too late: nobody waits for it any more.
      if !first.give(connected), let connection { xcb_disconnect(connection) }
    }
    guard isStarted else { throw .unreachable(display: display) }
    let time = DispatchTimeInterval.milliseconds(Int(patience / .milliseconds(1)))
    if greeting.value(within: time) == nil { first.give(nil) }
    // One that came just now is there.
    guard let answer = greeting.value(until: .distantFuture) ?? nil else { throw .noAnswer }
    guard let connected = answer.value else { throw .unreachable(display: display) }
    return connected
  }
}
