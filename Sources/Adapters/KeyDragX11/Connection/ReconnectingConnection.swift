import Dispatch
import KeyDragCore
import Synchronization

/// A connection that is reopened on demand after it was lost: a display that failed to answer once
/// may answer again. Each request tries to reopen once, on a queue, without blocking its caller. A
/// lost connection is released when its replacement is open.
final class ReconnectingConnection<Connection: AnyObject & Sendable>: Sendable {
  private let line: Mutex<Connection>
  private let open: @Sendable () throws(XError) -> Connection
  /// Serial, so that two requests do not open two connections.
  private let queue = DispatchQueue(label: "keydrag.x.renewal")

  init(_ open: @escaping @Sendable () throws(XError) -> Connection) throws(XError) {
    line = Mutex(try open())
    self.open = open
  }

  var current: Connection { line.withLock { $0 } }

  /// Sends a request over the connection, or a new one, and waits for the answer.
  ///
  /// - Parameter ask: returns `false`, without calling back, when the connection is lost.
  /// - Throws: the answer's failure, or why no connection could be opened.
  func ask<Value: Sendable>(
    _ ask:
      @escaping @Sendable (
        Connection, @escaping @Sendable (Result<Value, Reason>) -> Void
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

  /// Passes a request to the connection, or to a new one.
  ///
  /// - Parameters:
  ///   - take: returns `false` when the connection is lost.
  ///   - fail: called instead when none can be opened.
  private func use(
    _ take: @escaping @Sendable (Connection) -> Bool,
    else fail: @escaping @Sendable (Reason) -> Void
  ) {
    let known = current
    guard !take(known) else { return }
    queue.async { [self] in
      let newest = current
      // Another request may have reopened it meanwhile.
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
