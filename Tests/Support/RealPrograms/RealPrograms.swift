import Testing

/// What runs real programs: a few at a time, on threads of its own, once all else is through.
///
/// Every test is started at once, as many as there are. Programs that a person waits for are made
/// to answer at once, and tests of them expect it: with a thousand others beside them they could
/// not.
public struct RealPrograms: SuiteTrait, TestTrait, TestScoping {
  /// Who waits for a turn.
  public enum Turn: Sendable {
    /// Each test of the suite.
    case test
    /// The suite as a whole, so that its tests' time limits begin after the wait. They should be
    /// few or serialized.
    case suite
    /// The suite as a whole, which takes no room from the others: most of its time it waits for what
    /// does not come, and needs a fifth of a processor at the most. One at a time.
    case waiting
    /// The suite as a whole, and no other real program beside it: it is about which of two programs
    /// comes first, which others on the same processors would decide.
    case alone
  }

  private let turn: Turn

  public var isRecursive: Bool { turn == .test }

  fileprivate init(by turn: Turn) { self.turn = turn }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await Turns.shared.take(turn)
    await Pool.becomesFree()
    do {
      try await withTaskExecutorPreference(TestThreads.shared) { try await function() }
    } catch {
      await Turns.shared.giveBack(turn)
      throw error
    }
    await Turns.shared.giveBack(turn)
  }
}

extension Trait where Self == RealPrograms {
  /// The suite runs real programs.
  public static func realPrograms(by turn: RealPrograms.Turn) -> Self { Self(by: turn) }
}

/// Swift's own threads, one a processor, on which the tests that need nothing else are run.
private enum Pool {
  /// Returns when what is given to the pool is done at once: it takes the first that came first, so
  /// that at the start of a run whoever wants it waits for more than a thousand tests.
  static func becomesFree() async {
    let clock = ContinuousClock()
    var inARow = 0
    // A machine that is busy with something else is not waited for for ever.
    for _ in 0..<200 where inARow < 5 {
      let wait = await clock.measure { await Task.detached {}.value }
      inARow = wait < .milliseconds(20) ? inARow + 1 : 0
    }
  }
}

/// Who may run now: of each kind in the order in which they came.
private actor Turns {
  static let shared = Turns()
  /// A desktop has three programs at work, of which one is waited for most of the time.
  private var suites = 3
  /// A command has only itself to wait for. One of them fills the time that three desktops leave, and a
  /// fourth desktop once none is left.
  private static let tests = 4

  private var running: [RealPrograms.Turn: Int] = [:]
  private var waiting: [RealPrograms.Turn: [CheckedContinuation<Void, Never>]] = [:]

  func take(_ turn: RealPrograms.Turn) async {
    if waiting[turn, default: []].isEmpty, mayRun(turn) {
      running[turn, default: 0] += 1
    } else {
      await withCheckedContinuation { waiting[turn, default: []].append($0) }
    }
  }

  func giveBack(_ turn: RealPrograms.Turn) {
    running[turn, default: 0] -= 1
    if turn == .test, waiting[.test, default: []].isEmpty { suites = Self.tests }
    // Who must be alone comes last: once one of the others is there, some always are.
    for turn in [RealPrograms.Turn.suite, .test, .waiting, .alone] {
      while let next = waiting[turn]?.first, mayRun(turn) {
        running[turn, default: 0] += 1
        waiting[turn]?.removeFirst()
        next.resume()
      }
    }
  }

  private func mayRun(_ turn: RealPrograms.Turn) -> Bool {
    let (desktops, commands) = (running[.suite, default: 0], running[.test, default: 0])
    let patient = running[.waiting, default: 0]
    guard running[.alone, default: 0] == 0 else { return false }
    return switch turn {
    case .suite: desktops < suites
    case .test: commands < max(1, Self.tests - desktops)
    case .waiting: patient == 0
    case .alone: desktops + commands + patient == 0
    }
  }
}
