import Dispatch
import Glibc
import Synchronization

/// The end of waiting for a server that has greeted and says nothing any more: the library itself
/// waits for answers, and for room to write, without end.
///
/// A wait that lasts too long closes the connection to reading, which ends every wait in the
/// library at once, also those inside of cairo. The connection is lost from then on.
///
/// One for each connection. Cheap enough for every request: a wait is two locks, and at most one
/// look is on its way for all waits of a time.
final class XPatience: Sendable {
  /// Everything behind the lock.
  private struct Wait: Sendable {
    /// `-1` once the connection is closed.
    var descriptor: Int32
    /// Waits within waits.
    ///
    /// A request may wait within another one.
    var depth = 0
    /// When the innermost wait has lasted too long; `nil` where nothing waits.
    var deadline: ContinuousClock.Instant?
    /// The wait has been given its time twice.
    var isExtended = false
    /// Somebody looks when the time is up.
    var isWatched = false
    /// Nothing is bounded any more.
    var isOver = false
    var hasGivenUp = false
  }

  private let state: Mutex<Wait>
  /// How long one wait may last.
  let limit: Duration
  /// A queue of its own, and the time of the system: a wait inside of the library must end also while
  /// every other thread is held up.
  private static let queue = DispatchQueue(label: "keydrag.x.patience")

  /// - Parameter limit: how long one wait may last.
  init(descriptor: Int32, limit: Duration) {
    state = Mutex(Wait(descriptor: descriptor))
    self.limit = limit
  }

  /// Whether a wait lasted too long.
  ///
  /// The reason why a lost connection is told as not answering.
  var hasGivenUp: Bool { state.withLock { $0.hasGivenUp } }

  /// From here on waits last as long as they last.
  ///
  /// For good. A thread that nobody waits for needs no bound.
  func end() { state.withLock { $0.isOver = true } }

  /// The connection is about to be closed.
  ///
  /// The descriptor's number may be another file's afterwards.
  func forget() {
    state.withLock { state in
      state.descriptor = -1
      state.isOver = true
    }
  }

  /// Does what may wait for the server; belongs to the thread of the connection.
  ///
  /// Waits within waits count as one; each that ends gives the one around it its time again.
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
      // Whatever is around it has heard of the server as well.
      state.deadline = state.depth > 0 && !state.isOver ? .now + limit : nil
      state.isExtended = false
    }
  }

  /// Looks once, at a time, whatever is waited for by then.
  private func look(at time: ContinuousClock.Instant) {
    let rest = max(time - .now, .zero) / .milliseconds(1)
    Self.queue.asyncAfter(deadline: .now() + .milliseconds(Int(rest.rounded(.up)))) { [weak self] in
      self?.look()
    }
  }

  /// One look serves all waits of its time: none of them costs more than a look at the clock.
  private func look() {
    let next = state.withLock { state -> ContinuousClock.Instant? in
      guard let deadline = state.deadline, !state.isOver else {
        state.isWatched = false
        return nil
      }
      guard deadline <= .now else { return deadline }
      // The server has spoken: it is our own thread that had no turn.
      if !state.isExtended, Self.isReadable(state.descriptor) {
        let next = ContinuousClock.now + limit
        state.deadline = next
        state.isExtended = true
        return next
      }
      state.isWatched = false
      state.isOver = true
      state.hasGivenUp = true
      // Not to writing: what has been written already may be answered by a signal otherwise.
      shutdown(state.descriptor, Int32(SHUT_RD))
      return nil
    }
    if let next { look(at: next) }
  }

  /// Without blocking.
  private static func isReadable(_ descriptor: Int32) -> Bool {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, 0) > 0 && wait.revents & Int16(POLLIN) != 0
  }
}
