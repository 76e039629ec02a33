import KeyDragCore
import KeyDragThreads

/// One drag by the pointer, step by step and with its own clock, without a connection.
///
/// Measured: programs take a drag for one only when it has at least two steps on its way and a rest
/// at its end.
///
/// Pure: the caller tells where the pointer is, and does what comes back. A button that was pressed
/// is always released, also when the drag is given up.
package struct PointerPlan: Sendable {
  enum Action: Hashable, Sendable {
    case move(RootPoint)
    case press
    case release
    /// Look at the pointer's picture, and hand it to ``PointerPlan/saw(_:now:)``.
    case look
    /// The pointer goes back to where it was, unless a hand has moved it.
    case end(Result<PointerSign, Reason>, home: RootPoint?)
  }

  /// In the order of a drag that succeeds; `back` leads to a release where it began.
  private enum Phase: Hashable, Sendable {
    /// Waits until nobody holds a key or button.
    case letGo(InputReleaseWait)
    /// The pointer is at the start, and not pressed.
    case atStart
    /// Pressed; so many steps have been made.
    case moving(Int)
    /// At the end; the picture is being looked at.
    case looking
    /// On the way back, so many steps done; the reason is told at the end.
    case back(Int, Reason)
    /// The result is told after a pause.
    case released(Result<PointerSign, Reason>)
    case over
  }

  /// How long things take; milliseconds.
  package struct Timing: Hashable, Sendable {
    /// Between two steps.
    package var pause: Milliseconds = 20
    /// At the end, before the picture counts and the button is released.
    package var rest: Milliseconds = 150
    /// After the release: the program may ask where the pointer is.
    package var after: Milliseconds = 100

    package init() {}
  }

  /// On the way there: programs want at least two.
  static let steps = 10
  /// On the way back.
  static let stepsBack = 5

  private let start: RootPoint
  private let end: RootPoint
  private let timing: Timing
  private var phase: Phase
  /// The point to which we moved the pointer last; `nil` before that, and when a hand has it.
  private var place: RootPoint?
  /// The position before the drag.
  private var home: RootPoint?
  /// When ``tick(_:held:now:)`` is to be called; `nil` when it is over.
  ///
  /// Milliseconds.
  private(set) var deadline: Milliseconds?

  init(from start: RootPoint, to end: RootPoint, timing: Timing = Timing(), now: Milliseconds) {
    (self.start, self.end, self.timing) = (start, end, timing)
    (phase, deadline) = (.letGo(InputReleaseWait(since: now)), now)
  }

  /// Time has passed, and the pointer is where it is.
  ///
  /// Does nothing before ``deadline``.
  mutating func tick(
    _ pointer: RootPoint, held: XServer.Held, now: Milliseconds
  ) -> [Action] {
    guard let deadline, now >= deadline else { return [] }
    // A hand on the pointer: it is not to end somewhere by chance.
    if let place, pointer != place { return disturbed(now) }
    switch phase {
    case .letGo(var hands):
      switch hands.look(held, now: now) {
      case .wait:
        (phase, self.deadline) = (.letGo(hands), hands.next)
        return []
      case .giveUp: return finish(.failure(.interrupted))
      case .goOn:
        // A modifier would change what the drag does.
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

  /// Whether a hand has moved the pointer away from where it was put.
  func isMoved(from pointer: RootPoint) -> Bool { place.map { $0 != pointer } ?? false }

  /// Takes in the sign that the pointer's picture gives at the end.
  ///
  /// Refusal leads back to the start, so that the release lands where nothing comes of it.
  mutating func saw(_ sign: PointerSign, now: Milliseconds) -> [Action] {
    guard case .looking = phase else { return [] }
    guard sign == .refuses else { return release(.success(sign), now) }
    phase = .back(0, .notTaken)
    deadline = now
    return []
  }

  /// The pointer is elsewhere than it was put.
  ///
  /// A press is never left without its release.
  private mutating func disturbed(_ now: Milliseconds) -> [Action] {
    switch phase {
    case .atStart: return finish(.failure(.interrupted))
    case .moving, .looking:
      place = nil
      phase = .back(PointerPlan.stepsBack - 1, .interrupted)
      deadline = now
      return []
    case .back(_, let reason):
      // The hand goes on: not to where it happens to be.
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

  /// The result is told after a pause in which the program may look.
  private mutating func release(
    _ result: Result<PointerSign, Reason>, _ now: Milliseconds
  ) -> [Action] {
    phase = .released(result)
    deadline = now + timing.after
    return [.release]
  }

  private mutating func finish(_ result: Result<PointerSign, Reason>) -> [Action] {
    (phase, deadline) = (.over, nil)
    return [.end(result, home: home)]
  }

  /// Rounded towards zero; a whole number of pixels.
  private func between(
    _ one: RootPoint, _ other: RootPoint, _ step: Int, of steps: Int
  ) -> RootPoint {
    RootPoint(
      x: Int(one.x) + (Int(other.x) - Int(one.x)) * step / steps,
      y: Int(one.y) + (Int(other.y) - Int(one.y)) * step / steps)
  }
}
