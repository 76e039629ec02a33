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

  private let rest: DispatchTimeInterval
  private let giveBack: @Sendable () -> Void

  /// Waits for the first rest.
  ///
  /// - Parameters:
  ///   - rest: so long that a person who picks up one thing after the other waits for no page.
  ///   - giveBack: called on a queue after each rest.
  init(
    after rest: DispatchTimeInterval = .seconds(5),
    giveBack: @escaping @Sendable () -> Void = RestingMemory.giveBack
  ) {
    (self.rest, self.giveBack) = (rest, giveBack)
    wait()
  }

  /// Gives back what nobody uses now. Everything comes back by itself.
  static func giveBack() {
    clinux_trim_heap()
    clinux_let_go_of_code()
  }

  /// Hears what the session does.
  func follow(_ phase: PhaseName) {
    if phase == .browsing { wait() } else { events.withLock { $0 += 1 } }
  }

  private func wait() {
    let number = events.withLock { events in
      events += 1
      return events
    }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + rest) { [weak self] in
      guard let self, events.withLock({ $0 == number }) else { return }
      giveBack()
    }
  }
}
