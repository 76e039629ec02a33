import Dispatch
import KeyDragCore
import Synchronization

/// A worker whose connection is opened with the first request, and again after it was lost: a display
/// that failed to answer once may answer again. Each request tries once, on a queue, without blocking
/// its caller.
/// A lost connection is released when its replacement is open.
final class ReconnectingConnection<Worker>: Sendable {
  /// `nil` before the first request.
  private let thread = Mutex<WorkerThread<Worker>?>(nil)
  private let open: @Sendable () throws(Reason) -> WorkerThread<Worker>
  /// Serial, so that two requests do not open two connections.
  private let queue = DispatchQueue(label: "keydrag.x.renewal")

  init(_ open: @escaping @Sendable () throws(Reason) -> WorkerThread<Worker>) { self.open = open }

  var current: WorkerThread<Worker>? { thread.withLock { $0 } }

  /// Sends a request to the worker, or to a new one, and waits for the answer.
  ///
  /// - Throws: the answer's failure, or why no connection could be opened.
  func ask<Value: Sendable>(
    _ ask: @escaping @Sendable (Worker, @escaping @Sendable (Result<Value, Reason>) -> Void) -> Void
  ) async throws(Reason) -> Value {
    try await answered { reply in
      let send: @Sendable (WorkerThread<Worker>?) -> Bool = {
        $0?.post { ask($0, reply) } == true
      }
      let known = current
      guard !send(known) else { return }
      queue.async { [self] in
        let newest = current
        // Another request may have opened it meanwhile.
        if newest !== known, send(newest) { return }
        do throws(Reason) {
          let new = try open()
          thread.withLock { $0 = new }
          if !send(new) { reply(.failure(.noDisplay)) }
        } catch {
          reply(.failure(error))
        }
      }
    }
  }
}
