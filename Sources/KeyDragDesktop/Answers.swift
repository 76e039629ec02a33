import KeyDragCore
import Synchronization

/// These adapters answer by callback, from any thread; what waits for several of them is easier to
/// read as one line after the other.
extension DragConversing {
  func ask(
    _ window: WindowID, at point: ScreenPoint, operation: DragOperation
  ) async -> DragVerdict {
    await answer { ask(window, at: point, operation: operation, $0) }
  }

  func stay() async -> DragVerdict { await answer { stay($0) } }

}

extension DragForm {
  func bytes() async -> [UInt8]? { await answer { load($0) } }
}

extension DragGoods {
  /// - Throws: ``Reason/notResponding`` for a disk that hangs.
  func expect(
    _ items: [DragItem], _ operation: DragOperation, in folder: ShownFolder,
    on clock: any Clock<Duration>
  ) async throws(Reason) -> (any ExpectedLanding)? {
    let found: Result<(any ExpectedLanding)?, Reason> = await clock.answer(
      withinSilence: Desktop.dropPatience, else: .failure(.notResponding)
    ) { alive, reply in
      expect(items, operation, in: folder, alive: alive) { reply(.success($0)) }
    }
    return try found.get()
  }

  /// - Throws: ``Reason/notResponding`` for a disk that hangs.
  func expectTrashed(
    _ items: [DragItem], in place: String, on clock: any Clock<Duration>
  ) async throws(Reason) -> (any ExpectedLanding)? {
    let found: Result<(any ExpectedLanding)?, Reason> = await clock.answer(
      withinSilence: Desktop.dropPatience, else: .failure(.notResponding)
    ) { alive, reply in
      expectTrashed(items, in: place, alive: alive) { reply(.success($0)) }
    }
    return try found.get()
  }

  func outlook(
    for items: [DragItem], in folder: ShownFolder, on clock: any Clock<Duration>
  ) async -> FolderOutlook {
    await clock.answer(within: Desktop.diskPatience, else: FolderOutlook()) {
      outlook(for: items, in: folder, $0)
    }
  }
}

extension ExpectedLanding {
  /// `nil` for a disk that hangs: what comes of it is not known.
  ///
  /// - Parameter isAsking: whether the program waits for the person, and nothing need happen yet.
  func check(
    on clock: any Clock<Duration>, isAsking: @escaping @Sendable () -> Bool = { false }
  ) async -> LandingReport? {
    await clock.answer(withinSilence: Desktop.landingPatience, else: nil) { alive, reply in
      check(isAsking: isAsking, alive: alive) { reply($0) }
    }
  }
}

/// Waits for one answer, without a bound. A second answer is dropped.
func answer<Value: Sendable>(
  _ ask: (@escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
  await withCheckedContinuation { continuation in
    let once = Once(continuation)
    ask { once.resume($0) }
  }
}

/// Waiting for answers on the one clock that a desktop is given.
extension Clock<Duration> {
  /// Waits for one answer, where what is asked may never give it: a folder on a server that is gone.
  ///
  /// - Parameter late: given when the limit is over; an answer that comes afterwards is dropped.
  func answer<Value: Sendable>(
    within limit: Duration, else late: Value, _ ask: (@escaping @Sendable (Value) -> Void) -> Void
  ) async -> Value {
    await answer(withinSilence: limit, else: late) { _, reply in ask(reply) }
  }

  /// The same where the answer may take its time, as long as what is asked says that it gets on.
  ///
  /// - Parameter limit: since the last sign of life.
  func answer<Value: Sendable>(
    withinSilence limit: Duration, else late: Value,
    _ ask: (_ alive: @escaping @Sendable () -> Void, @escaping @Sendable (Value) -> Void) -> Void
  ) async -> Value {
    await withCheckedContinuation { continuation in
      let once = Once(continuation)
      let pulse = Pulse(on: self)
      let deadline = Task {
        while !Task.isCancelled {
          let end = pulse.last.advanced(by: limit)
          if end <= now { return once.resume(late) }
          try? await sleep(until: end, tolerance: nil)
        }
      }
      ask(pulse.beat) {
        deadline.cancel()
        once.resume($0)
      }
    }
  }
}

/// When something was heard of last.
///
/// Beats may come from any thread.
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

/// Lets the first answer through; one that comes twice must not end the program.
private final class Once<Value: Sendable>: Sendable {
  private let waiting: Mutex<CheckedContinuation<Value, Never>?>

  init(_ continuation: CheckedContinuation<Value, Never>) { waiting = Mutex(continuation) }

  func resume(_ value: Value) {
    let continuation = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    continuation?.resume(returning: value)
  }
}

extension Result where Failure == Reason, Success: Sendable {
  /// Catches the result that an asynchronous call gives, or the reason that it throws.
  init(_ body: @Sendable () async throws(Reason) -> Success) async {
    do throws(Reason) { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
