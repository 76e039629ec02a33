import CXCB
import Dispatch
import KeyDragCore
import KeyDragThreads

/// Connects to an X server with a timeout: libxcb itself waits for the greeting forever.
enum XConnector {
  static let patience = Duration.seconds(3)

  /// libxcb's connection, to be closed by the receiver.
  typealias Connected = (connection: OpaquePointer, screen: Int32)

  /// Blocks for at most `patience`. The caller owns the connection.
  ///
  /// - Throws: ``Reason/noDisplay`` or ``Reason/notResponding``.
  static func connect(
    _ display: String?, within patience: Duration
  ) throws(Reason) -> Connected {
    let greeting = BlockingResult<ThreadConfined<Connected?>?>()
    let first = Once(greeting.give)
    // A thread that is never answered stays until the process exits.
    let isStarted = BackgroundThread.start {
      var screen: Int32 = 0
      let connection = xcb_connect(display, &screen)
      let connected = ThreadConfined(connection.map { (connection: $0, screen: screen) })
      // Too late: the caller has given up.
      if !first.give(connected), let connection { xcb_disconnect(connection) }
    }
    guard isStarted else { throw .noDisplay }
    let time = DispatchTimeInterval.milliseconds(Int(patience / .milliseconds(1)))
    if greeting.value(within: time) == nil { first.give(nil) }
    // An answer that raced with the timeout wins.
    guard let answer = greeting.value(until: .distantFuture) ?? nil else { throw .notResponding }
    guard let connected = answer.value else { throw .noDisplay }
    return connected
  }
}
