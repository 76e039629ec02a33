import CLinux
import KeyDragCore
import Synchronization

/// Gives back the memory that an agent needs only while it starts, or while something is carried.
///
/// Most of what it has read of its own file is for its beginning: options, settings, history. The
/// system keeps pages of code longest of all where a program has them mapped, so that they would be in
/// the way of programs that do something.
final class RestingMemory: Sendable {
  /// The rest that lasts now; cancelled by whatever happens.
  private let resting = Mutex<Task<Void, Never>?>(nil)

  private let rest: Duration
  private let clock: any Clock<Duration>
  private let giveBack: @Sendable () -> Void

  /// Waits for the first rest.
  ///
  /// - Parameters:
  ///   - rest: so long that a person who picks up one thing after the other waits for no page.
  ///   - giveBack: called on another thread after each rest.
  init(
    after rest: Duration = .seconds(5),
    giveBack: @escaping @Sendable () -> Void = RestingMemory.giveBack,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    (self.rest, self.giveBack, self.clock) = (rest, giveBack, clock)
    wait()
  }

  deinit { resting.withLock { $0?.cancel() } }

  /// Gives back what nobody uses now. Everything comes back by itself.
  static func giveBack() {
    clinux_trim_heap()
    clinux_let_go_of_code()
  }

  /// Hears what the session does.
  func follow(_ phase: PhaseName) {
    if phase == .browsing { wait() } else { resting.withLock { $0?.cancel() } }
  }

  private func wait() {
    resting.withLock { resting in
      resting?.cancel()
      resting = Task(priority: .utility) { [clock, rest, giveBack] in
        try? await clock.sleep(for: rest)
        if !Task.isCancelled { giveBack() }
      }
    }
  }
}
