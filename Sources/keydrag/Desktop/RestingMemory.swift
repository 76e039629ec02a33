import CLinux
import Dispatch
import KeyDragCore
import Synchronization

/// Gives back the memory that an agent needs only while it starts, or while something is carried.
///
/// Most of what it has read of its own file is for its beginning: options, settings, history. The
/// system keeps pages of code longest of all where a program has them mapped, so that they would be in
/// the way of programs that do something.
final class RestingMemory: Sendable {
  /// Counts what happened, so that only a rest that lasts gives anything back.
  private let events = Mutex(0)

  /// A person who picks up one thing after the other waits for no page.
  private static let rest = DispatchTimeInterval.seconds(5)

  /// Waits for the first rest.
  init() { wait() }

  /// Hears what the session does.
  func follow(_ phase: PhaseName) {
    if phase == .browsing { wait() } else { events.withLock { $0 += 1 } }
  }

  private func wait() {
    let number = events.withLock { events in
      events += 1
      return events
    }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.rest) { [weak self] in
      guard self?.events.withLock({ $0 == number }) == true else { return }
      clinux_trim_heap()
      clinux_let_go_of_code()
    }
  }
}
