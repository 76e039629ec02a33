import Dispatch
import KeyDragCore
import Synchronization

/// A connection that is opened anew with the next need once it has ended: a display that has left
/// something without an answer may answer again.
///
/// Each need tries it once, and whoever has it is not held up.
///
/// Opening runs on a queue of its own; a connection that has ended is let go of when its
/// replacement is there.
final class ReconnectingConnection<Line: AnyObject & Sendable>: Sendable {
  private let line: Mutex<Line>
  private let open: @Sendable () throws(XError) -> Line
  /// Serial: two needs do not open two connections.
  private let queue = DispatchQueue(label: "keydrag.x.renewal")

  /// - Parameter open: opens a connection; may block as long as a greeting takes.
  init(_ open: @escaping @Sendable () throws(XError) -> Line) throws(XError) {
    line = Mutex(try open())
    self.open = open
  }

  /// The newest connection, which may have ended.
  var current: Line { line.withLock { $0 } }

  /// Asks the connection, or a new one, and waits for the answer.
  ///
  /// - Parameter ask: `false` where the connection has ended; it has not answered then.
  /// - Throws: what the answer says, or why there is no connection to be had.
  func ask<Value: Sendable>(
    _ ask:
      @escaping @Sendable (
        Line, @escaping @Sendable (Result<Value, Reason>) -> Void
      ) -> Bool
  ) async throws(Reason) -> Value {
    try await answered { reply in
      use {
        ask($0, reply)
      } else: {
        reply(.failure($0))
      }
    }
  }

  /// Hands a need to the connection, or to a new one.
  ///
  /// - Parameters:
  ///   - take: `false` where the connection has ended.
  ///   - fail: called instead where there is none to be had.
  private func use(
    _ take: @escaping @Sendable (Line) -> Bool, else fail: @escaping @Sendable (Reason) -> Void
  ) {
    let known = current
    guard !take(known) else { return }
    queue.async { [self] in
      let newest = current
      // Another need may have opened one meanwhile.
      if newest !== known, take(newest) { return }
      do throws(XError) {
        let new = try open()
        line.withLock { $0 = new }
        if !take(new) { fail(.noDisplay) }
      } catch {
        fail(error.reason)
      }
    }
  }
}
