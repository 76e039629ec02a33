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
    let share =
      switch turn {
      case .test: Turns.ofTest
      case .suite: Turns.ofSuite
      case .alone: Turns.all
      }
    await Turns.shared.take(share)
    await Pool.becomesFree()
    do {
      try await withTaskExecutorPreference(TestThreads.shared) { try await function() }
    } catch {
      await Turns.shared.giveBack(share)
      throw error
    }
    await Turns.shared.giveBack(share)
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

/// Who may run now, in the order in which they came.
private actor Turns {
  static let shared = Turns()
  /// A desktop has three programs at work, of which one is waited for most of the time, a command of
  /// its own only itself: three desktops run at a time, or four commands.
  static let all = 12
  static let ofSuite = 4
  static let ofTest = 3

  private var free = all
  private var waiting: [(share: Int, turn: CheckedContinuation<Void, Never>)] = []

  func take(_ share: Int) async {
    if waiting.isEmpty, free >= share {
      free -= share
    } else {
      await withCheckedContinuation { waiting.append((share, $0)) }
    }
  }

  func giveBack(_ share: Int) {
    free += share
    while let next = waiting.first, free >= next.share {
      free -= next.share
      waiting.removeFirst().turn.resume()
    }
  }
}
