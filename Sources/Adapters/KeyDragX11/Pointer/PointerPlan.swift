import KeyDragCore
import KeyDragThreads

/// One pointer drag, step by step, without I/O.
///
/// Measured: programs recognise a drag only with at least two steps on its way and a rest at its
/// end.
///
/// Pure: the caller reports the pointer's position and carries out the actions. A pressed button is
/// always released, even when the drag is abandoned.
struct PointerPlan: Sendable {
  enum Action: Hashable, Sendable {
    case move(RootPoint)
    case press
    case release
    /// Read the cursor, and pass its sign to ``PointerPlan/saw(_:now:)``.
    case look
    /// The pointer returns `home` unless the user has moved it.
    case end(Result<DragAnswer, Reason>, home: RootPoint?)
  }

  /// In the order of a successful drag; `back` leads to a release at the start.
  private enum Phase: Hashable, Sendable {
    case letGo(InputReleaseWait)
    case atStart
    /// Pressed, with the number of steps made.
    case moving(Int)
    /// At the end, waiting for the cursor.
    case looking
    /// Number of steps made back; the reason is reported at the end.
    case back(Int, Reason)
    /// The result is reported after a pause.
    case released(Result<DragAnswer, Reason>)
    case over
  }

  /// In milliseconds.
  struct Timing: Hashable, Sendable {
    var pause: Milliseconds = 20
    /// At the end, before the cursor is read and the button released.
    var rest: Milliseconds = 150
    /// After the release: the program may query the pointer's position.
    var after: Milliseconds = 100
  }

  /// On the way there: programs need at least two.
  static let steps = 10
  static let stepsBack = 5

  private let start: RootPoint
  private let end: RootPoint
  private let timing: Timing
  private var phase: Phase
  /// The last point we moved the pointer to; `nil` before that, and once the user has taken it.
  private var place: RootPoint?
  private var home: RootPoint?
  /// When to call ``tick(_:held:now:)``, in milliseconds; `nil` when the drag is over.
  private(set) var deadline: Milliseconds?

  init(from start: RootPoint, to end: RootPoint, timing: Timing = Timing(), now: Milliseconds) {
    (self.start, self.end, self.timing) = (start, end, timing)
    (phase, deadline) = (.letGo(InputReleaseWait(since: now)), now)
  }

  /// Advances the drag; no-op before ``deadline``.
  mutating func tick(
    _ pointer: RootPoint, held: XServer.Held, now: Milliseconds
  ) -> [Action] {
    guard let deadline, now >= deadline else { return [] }
    // The user has moved the pointer: it must not drop at a place by chance.
    if let place, pointer != place { return disturbed(now) }
    switch phase {
    case .letGo(var hands):
      switch hands.look(held, now: now) {
      case .wait:
        (phase, self.deadline) = (.letGo(hands), hands.next)
        return []
      case .giveUp: return finish(.failure(.interrupted))
      case .goOn:
        // A modifier would change the drag's action.
        guard held.isEmpty else { return finish(.failure(.interrupted)) }
        home = pointer
        phase = .atStart
        return move(to: start, now)
      }
    case .atStart:
      phase = .moving(0)
      self.deadline = now + timing.pause
      return [.press]
    case .moving(let done):
      guard done < PointerPlan.steps else {
        phase = .looking
        return [.look]
      }
      phase = .moving(done + 1)
      let actions = move(to: between(start, end, done + 1, of: PointerPlan.steps), now)
      if done + 1 == PointerPlan.steps { self.deadline = now + timing.rest }
      return actions
    case .back(let done, let reason):
      guard done < PointerPlan.stepsBack else { return release(.failure(reason), now) }
      phase = .back(done + 1, reason)
      let actions = move(to: between(end, start, done + 1, of: PointerPlan.stepsBack), now)
      if done + 1 == PointerPlan.stepsBack { self.deadline = now + timing.rest }
      return actions
    case .released(let result): return finish(result)
    case .looking, .over: return []
    }
  }

  func isMoved(from pointer: RootPoint) -> Bool { place.map { $0 != pointer } ?? false }

  /// Takes the cursor's sign at the end. A refusal leads back to the start, where the release has
  /// no effect.
  mutating func saw(_ sign: DragAnswer, now: Milliseconds) -> [Action] {
    guard case .looking = phase else { return [] }
    guard sign == .refuses(.notTaken) else { return release(.success(sign), now) }
    phase = .back(0, .notTaken)
    deadline = now
    return []
  }

  /// Handles a pointer moved by the user. A press is never left without its release.
  private mutating func disturbed(_ now: Milliseconds) -> [Action] {
    switch phase {
    case .atStart: return finish(.failure(.interrupted))
    case .moving, .looking:
      place = nil
      phase = .back(PointerPlan.stepsBack - 1, .interrupted)
      deadline = now
      return []
    case .back(_, let reason):
      // The user keeps moving: release at the start, not wherever the pointer happens to be.
      place = start
      return [.move(start)] + release(.failure(reason), now)
    case .released(let result): return finish(result)
    case .letGo, .over: return []
    }
  }

  private mutating func move(to point: RootPoint, _ now: Milliseconds) -> [Action] {
    place = point
    deadline = now + timing.pause
    return [.move(point)]
  }

  /// The result is reported after a pause in which the program may query the pointer.
  private mutating func release(
    _ result: Result<DragAnswer, Reason>, _ now: Milliseconds
  ) -> [Action] {
    phase = .released(result)
    deadline = now + timing.after
    return [.release]
  }

  private mutating func finish(_ result: Result<DragAnswer, Reason>) -> [Action] {
    (phase, deadline) = (.over, nil)
    return [.end(result, home: home)]
  }

  /// Rounded towards zero, in whole pixels.
  private func between(
    _ one: RootPoint, _ other: RootPoint, _ step: Int, of steps: Int
  ) -> RootPoint {
    RootPoint(
      x: Int(one.x) + (Int(other.x) - Int(one.x)) * step / steps,
      y: Int(one.y) + (Int(other.y) - Int(one.y)) * step / steps)
  }
}
