import CLinux
import KeyDragCore
import Synchronization

/// Releases memory that an agent needs only at its start, or while something is carried.
///
/// Most pages of its executable are for its start: options, settings, history. The kernel keeps
/// mapped code longest of all, at the expense of active programs.
final class IdleMemoryTrimmer: Sendable {
  /// The current rest; cancelled by any activity.
  private let resting = Mutex<Task<Void, Never>?>(nil)

  private let rest: Duration
  private let clock: any Clock<Duration>
  private let giveBack: @Sendable () -> Void

  /// Starts waiting for the first rest.
  ///
  /// - Parameters:
  ///   - rest: so long that a person who picks up one thing after the other waits for no page.
  ///   - giveBack: called on another thread after each rest.
  init(
    after rest: Duration = .seconds(5),
    giveBack: @escaping @Sendable () -> Void = IdleMemoryTrimmer.giveBack,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    (self.rest, self.giveBack, self.clock) = (rest, giveBack, clock)
    wait()
  }

  deinit { resting.withLock { $0?.cancel() } }

  /// Releases unused pages; they are loaded again on demand.
  static func giveBack() {
    clinux_trim_heap()
    clinux_let_go_of_code()
  }

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
