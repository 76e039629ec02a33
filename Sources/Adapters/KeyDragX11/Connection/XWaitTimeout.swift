import Dispatch
import Glibc
import Synchronization

/// Timeout for waits on a server that has greeted but stopped answering: libxcb itself waits for
/// replies, and for room to write, forever.
///
/// A wait beyond the limit shuts the connection down for reading, which ends every wait in the
/// library at once, including those inside cairo. The connection is lost from then on.
///
/// One per connection. Cheap enough for every request: a wait takes two locks, and at most one
/// timer is pending for all waits.
final class XWaitTimeout: Sendable {
  private struct Wait: Sendable {
    /// `-1` once the connection is closed.
    var descriptor: Int32
    var depth = 0
    /// Deadline of the innermost wait; `nil` when nothing waits.
    var deadline: ContinuousClock.Instant?
    /// The wait has been granted its time again.
    var isExtended = false
    /// A timer is pending.
    var isWatched = false
    /// Timeouts are disabled.
    var isOver = false
    var hasTimedOut = false
  }

  private let state: Mutex<Wait>
  let limit: Duration
  /// A dedicated queue with a system timer: a wait inside the library must end even while every
  /// other thread is blocked.
  private static let queue = DispatchQueue(label: "keydrag.x.patience")

  init(descriptor: Int32, limit: Duration) {
    state = Mutex(Wait(descriptor: descriptor))
    self.limit = limit
  }

  /// Whether a wait timed out; the lost connection is then reported as not answering.
  var hasTimedOut: Bool { state.withLock { $0.hasTimedOut } }

  /// Disables timeouts for good, for a thread that nobody waits for.
  func end() { state.withLock { $0.isOver = true } }

  /// Call before closing the connection: its descriptor number may be reused afterwards.
  func forget() {
    state.withLock { state in
      state.descriptor = -1
      state.isOver = true
    }
  }

  /// Runs a call that may block on the server, on the connection's thread. Nested waits count as
  /// one; each that ends restarts the limit of the enclosing one.
  func bound<Value>(_ body: () -> Value) -> Value {
    begin()
    defer { leave() }
    return body()
  }

  private func begin() {
    let isFirst = state.withLock { state in
      state.depth += 1
      guard !state.isOver else { return false }
      state.deadline = .now + limit
      state.isExtended = false
      defer { state.isWatched = true }
      return !state.isWatched
    }
    if isFirst { look(at: .now + limit) }
  }

  private func leave() {
    state.withLock { state in
      state.depth -= 1
      // The server has just answered, so the enclosing wait starts over.
      state.deadline = state.depth > 0 && !state.isOver ? .now + limit : nil
      state.isExtended = false
    }
  }

  private func look(at time: ContinuousClock.Instant) {
    let rest = max(time - .now, .zero) / .milliseconds(1)
    Self.queue.asyncAfter(deadline: .now() + .milliseconds(Int(rest.rounded(.up)))) { [weak self] in
      self?.look()
    }
  }

  /// One check serves all waits in progress, each at the cost of reading the clock.
  private func look() {
    let next = state.withLock { state -> ContinuousClock.Instant? in
      guard let deadline = state.deadline, !state.isOver else {
        state.isWatched = false
        return nil
      }
      guard deadline <= .now else { return deadline }
      // The server has answered: our own thread was not scheduled.
      if !state.isExtended, Self.isReadable(state.descriptor) {
        let next = ContinuousClock.now + limit
        state.deadline = next
        state.isExtended = true
        return next
      }
      state.isWatched = false
      state.isOver = true
      state.hasTimedOut = true
      // Not for writing: a later write would raise a signal.
      shutdown(state.descriptor, Int32(SHUT_RD))
      return nil
    }
    if let next { look(at: next) }
  }

  private static func isReadable(_ descriptor: Int32) -> Bool {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, 0) > 0 && wait.revents & Int16(POLLIN) != 0
  }
}
