import KeyDragCore
import Synchronization

extension DropVerifier {
  /// `nil` for a disk that hangs: the outcome is unknown.
  ///
  /// - Parameter isAsking: whether the program waits for the person, so that nothing need happen
  ///   yet.
  func check(
    on clock: any Clock<Duration>, isAsking: @escaping @Sendable () -> Bool = { false }
  ) async -> DeliveryResult? {
    await clock.wait(silence: Desktop.landingPatience, else: nil) { alive in
      await self.check(isAsking: isAsking, alive: alive)
    }
  }
}

extension Desktop {
  /// Total wait for programs that do not answer, where no later change would be reported.
  private static let answerPatience = Duration.seconds(2)
  private static let answerPause = Duration.milliseconds(100)

  /// Lists something again until its program answers, within ``answerPatience``.
  func waitForAnswer(
    _ list: @Sendable () async -> Result<Listing, Reason>
  ) async -> Result<Listing, Reason> {
    while true {
      let found = await list()
      guard found == .failure(.notResponding), waited < Self.answerPatience else { return found }
      try? await clock.sleep(for: Self.answerPause)
      waited += Self.answerPause
      _ = try? await look()
    }
  }
}

/// Timeouts on the desktop's clock.
extension Clock<Duration> {
  /// Waits for something that may never end, such as a folder on a vanished server.
  ///
  /// - Parameters:
  ///   - limit: the timeout.
  ///   - late: returned on timeout; a later result is dropped.
  func wait<Value: Sendable>(
    _ limit: Duration, else late: Value, _ work: @escaping @Sendable () async -> Value
  ) async -> Value {
    await wait(silence: limit, else: late) { _ in await work() }
  }

  /// The same for work that fails.
  ///
  /// - Throws: ``Reason/notResponding`` on timeout.
  func wait<Value: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async throws(Reason) -> Value
  ) async throws(Reason) -> Value {
    try await wait(limit, else: .failure(.notResponding)) { await Result(work) }.get()
  }

  /// The same for work that may take long while it reports progress.
  ///
  /// - Parameter limit: the timeout since the last sign of life.
  func wait<Value: Sendable>(
    silence limit: Duration, else late: Value,
    _ work: @escaping @Sendable (_ alive: @escaping @Sendable () -> Void) async -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      let once = Once { continuation.resume(returning: $0) }
      let pulse = Pulse(on: self)
      let deadline = Task {
        while !Task.isCancelled {
          let end = pulse.last.advanced(by: limit)
          if end <= now {
            once.give(late)
            return
          }
          try? await sleep(until: end, tolerance: nil)
        }
      }
      // Not a child task: nothing waits for work that hangs.
      Task.immediate {
        let value = await work(pulse.beat)
        deadline.cancel()
        once.give(value)
      }
    }
  }
}

/// The time of the last sign of life. Safe from any thread.
private final class Pulse<Time: Clock>: Sendable {
  private let clock: Time
  private let time: Mutex<Time.Instant>

  init(on clock: Time) {
    self.clock = clock
    time = Mutex(clock.now)
  }

  var last: Time.Instant { time.withLock { $0 } }

  @Sendable func beat() { time.withLock { $0 = clock.now } }
}
