import KeyDragCore
import KeyDragThreads

/// One drag's conversation with its targets, one after the other (XDND specification, "Example
/// Walk-Through"), without I/O.
///
/// Built on measured habits of targets: the first position is often refused and the second
/// accepted; of several statuses the last counts; some need a pause between position and drop.
///
/// Pure. Takes the user's actions, target messages, destroyed windows and time; returns messages to
/// send and answers to report. The caller owns the clock and calls ``tick(now:)`` at ``deadline``.
package struct XdndHandshake: Sendable {
  /// Timeouts and pauses, in milliseconds.
  package struct Timing: Hashable, Sendable {
    /// After the last status, before it counts as the answer.
    package var quiet: Milliseconds = 100
    /// After the first status, before the position is repeated: Chromium answers at once with its
    /// page's last answer, and asks the page meanwhile.
    package var breath: Milliseconds = 25
    /// In place of `quiet` for a place that has answered before and is only rested on.
    package var rest: Milliseconds = 50
    /// Without any status, before a target counts as not responding: on a busy machine it is slow,
    /// yet accepts.
    package var silence: Milliseconds = 3_000
    /// Without a status while the target works on requested data: a file manager that examines
    /// thousands of files is silent meanwhile.
    package var work: Milliseconds = 4_000
    /// Without a status to the last position, before the one to an earlier position counts.
    package var pause: Milliseconds = 500
    /// After the first status to a position: a target that never stops sending has answered by
    /// then.
    package var longest: Milliseconds = 1_000
    /// Between the last position and the drop.
    package var dwell: Milliseconds = 150
    /// Without progress after the drop, before its outcome counts as unknown.
    package var patience: Milliseconds = 10_000

    package init() {}
  }

  /// A target window, and the window that receives its messages (XdndProxy).
  struct Target: Hashable, Sendable {
    /// Has XdndAware itself or by its proxy; named in every message.
    var window: XWindow
    var receiver: XWindow
    /// 3 to 5: the newest that both sides support.
    var version: UInt8

    init(window: XWindow, receiver: XWindow? = nil, version: UInt8) {
      self.window = window
      self.receiver = receiver ?? window
      self.version = version
    }
  }

  enum Action: Hashable, Sendable {
    case send(XdndMessage, to: Target)
    /// Reported even after ``DragAnswer/silent``.
    case tell(DragAnswer)
    /// After ``DragAnswer/silent``, the late outcome of a drop that may still have landed. Only
    /// the target itself reports ``DragAnswer/failed(_:)``.
    case end(DragAnswer)
    /// Check whether the place is still at the point, then call ``placeChecked(isThere:now:)``.
    case checkPlace
  }

  /// The place check between the last position and the drop.
  private enum PlaceCheck: Hashable, Sendable {
    case unneeded
    case needed
    case asked
    case isThere
  }

  private struct Hover: Hashable, Sendable {
    var point: RootPoint
    var operation: DragOperation
    var sent = 0
    /// First position here; restarted by ``stay(now:)``.
    var firstSent: Milliseconds
    var lastSent: Milliseconds
    /// `nil` without a status to any position here.
    var lastStatus: Milliseconds?
    /// To the last position.
    var firstStatus: Milliseconds?
    var statuses = 0
    /// Of the last status; reported once settled.
    var answer: DragAnswer?
    /// Last reported verdict; `nil` for none since the place was reached or rested on.
    var told: DragAnswer?
    var isDropPending = false
    var placeCheck = PlaceCheck.unneeded
    /// The target has refused and was entered anew: its next refusal is believed, at every place
    /// until another window is entered, except the first one of a drop.
    var isAnew = false
    /// A status arrived since the last position.
    var isAnswered = false
    /// It has answered here, and is asked again.
    var isResting = false
    /// Data was requested since the last position: the next status may differ.
    var hasRead = false
    /// It has data, and has sent no status since.
    var isAtWork = false
    var given = 0
  }

  /// Most positions sent to a target that refuses, including the two that are always sent: one more
  /// after each look at the data.
  private static let mostPositions = 4

  /// A target given more than `plenty` bytes refuses until it has examined all of them, file by
  /// file: it is allowed a millisecond per `pace` bytes, and at most `longestLook`.
  private static let (plenty, pace) = (8_192, 20)
  private static let longestLook: Milliseconds = 8_000
  /// Limit for a target that is silent meanwhile: Thunar takes 2 ms a file, and examines a list
  /// once when asked and once on the drop.
  private static let longestSilence: Milliseconds = 60_000

  private enum Phase: Hashable, Sendable {
    /// No target is entered: XdndEnter was not sent, or XdndLeave was.
    case outside
    /// XdndEnter and at least one XdndPosition were sent.
    case hovering(Target, Hover)
    /// XdndDrop was sent; the time is that of the target's last sign of life, in milliseconds.
    case dropped(Target, lastSign: Milliseconds, isTold: Bool)
  }

  private let source: XWindow
  private let types: [XAtom]
  private let timing: Timing
  private var phase = Phase.outside
  /// Server time of the last key or property change, sent with positions and drops; targets request
  /// data with it. In milliseconds, which wrap after 49 days.
  var serverTime: UInt32 = 0
  /// Requested data has not been given yet.
  private var isTransferPending = false

  /// - Parameters:
  ///   - source: owns XdndSelection.
  ///   - types: in order of preference.
  init(source: XWindow, types: [XAtom], timing: Timing = Timing()) {
    self.source = source
    self.types = types
    self.timing = timing
  }

  /// The current target; only its program is served.
  var target: Target? {
    switch phase {
    case .outside: nil
    case .hovering(let target, _), .dropped(let target, _, _): target
    }
  }

  var isDropInFlight: Bool {
    if case .dropped = phase { true } else { false }
  }

  /// Whether a requested drop has not been sent yet.
  var isDropPending: Bool {
    if case .hovering(_, let hover) = phase { hover.isDropPending } else { false }
  }

  // MARK: User actions

  /// Moves to a point of a target and asks it, after leaving another target. No-op while a drop is
  /// in flight. XdndEnter is sent once per target, before its first position.
  mutating func hover(
    over target: Target, at point: RootPoint, operation: DragOperation, now: Milliseconds
  ) -> [Action] {
    var actions: [Action] = []
    switch phase {
    case .dropped: return []
    case .hovering(let old, let hover) where old == target:
      var next = Hover(point: point, operation: operation, firstSent: now, lastSent: now)
      (next.given, next.isAnew) = (hover.given, hover.isAnew)
      // The pending drop was for another place.
      if hover.isDropPending { actions.append(.end(.refuses(.interrupted))) }
      actions.append(position(&next, target, now))
      phase = .hovering(target, next)
      return actions
    case .hovering: actions = leave()
    case .outside: break
    }
    var hover = Hover(point: point, operation: operation, firstSent: now, lastSent: now)
    actions += enter(target, &hover, now)
    phase = .hovering(target, hover)
    return actions
  }

  /// Repeats the last position, like a pointer resting on a tab to open it; the answer is reported
  /// even if unchanged. No-op without a target.
  mutating func stay(now: Milliseconds) -> [Action] {
    guard case .hovering(let target, var hover) = phase else { return [] }
    if !hover.isDropPending {
      hover.isResting = hover.isResting || hover.told != nil
      hover.firstSent = now
      (hover.told, hover.answer, hover.lastStatus) = (nil, nil, nil)
    }
    let action = position(&hover, target, now)
    phase = .hovering(target, hover)
    return [action]
  }

  /// Leaves the target; a pending drop there is interrupted. No-op for a drop already sent, which
  /// can't be taken back.
  mutating func leave() -> [Action] {
    guard case .hovering(let target, let hover) = phase else { return [] }
    phase = .outside
    return [.send(.leave(source: source), to: target)]
      + (hover.isDropPending ? [.end(.refuses(.interrupted))] : [])
  }

  /// Drops at the current point once the target has answered and had its pause: a later
  /// ``tick(now:)`` sends or refuses it.
  ///
  /// - Parameter checksPlace: whether ``Action/checkPlace`` precedes it, after each position sent.
  mutating func drop(checksPlace: Bool = false, now: Milliseconds) -> [Action] {
    guard case .hovering(let target, var hover) = phase else { return [] }
    (hover.isDropPending, hover.isAnew) = (true, false)
    hover.placeCheck = checksPlace ? .needed : .unneeded
    phase = .hovering(target, hover)
    return tick(now: now)
  }

  /// Takes the check's result: the drop is sent, or refused with ``Reason/placeMoves``.
  mutating func placeChecked(isThere: Bool, now: Milliseconds) -> [Action] {
    guard case .hovering(let target, var hover) = phase, hover.placeCheck == .asked else {
      return []
    }
    guard isThere else { return refuseDrop(target, .placeMoves) }
    hover.placeCheck = .isThere
    phase = .hovering(target, hover)
    return tick(now: now)
  }

  /// Abandons a drop that was sent; its target's later messages are ignored.
  mutating func abandon() {
    if case .dropped = phase { phase = .outside }
  }

  // MARK: Events

  /// Handles a message to the source's window; those of another window or an earlier phase are
  /// ignored.
  mutating func receive(_ message: XdndMessage, now: Milliseconds) -> [Action] {
    switch (message, phase) {
    // The last of several statuses counts.
    case (.status(let window, let verdict), .hovering(let target, var hover))
    where window == target.window:
      hover.lastStatus = now
      // The answer may date from before the target examined the data.
      if hover.isAtWork, now > hover.lastSent + timing.quiet { hover.hasRead = true }
      hover.isAtWork = false
      if !hover.isAnswered { hover.firstStatus = now }
      hover.isAnswered = true
      hover.statuses += 1
      hover.answer = verdict
      phase = .hovering(target, hover)
      return tick(now: now)
    case (.finished(let window, let outcome), .dropped(let target, _, _))
    where window == target.window:
      phase = .outside
      return [.end(outcome)]
    default: return []
    }
  }

  /// The target requested data or took a part: it is alive, and its answer may change.
  mutating func dataRequested(now: Milliseconds) {
    switch phase {
    case .outside: break
    case .hovering(let target, var hover):
      (hover.hasRead, hover.isAtWork) = (true, true)
      phase = .hovering(target, hover)
    case .dropped(let target, _, let isTold):
      phase = .dropped(target, lastSign: now, isTold: isTold)
    }
  }

  /// Records whether requested data is outstanding: until it is given a refusal does not count, and
  /// afterwards the answer may change.
  mutating func owes(_ isTransferPending: Bool) {
    defer { self.isTransferPending = isTransferPending }
    guard self.isTransferPending, !isTransferPending, case .hovering(let target, var hover) = phase
    else { return }
    hover.hasRead = true
    phase = .hovering(target, hover)
  }

  mutating func dataGiven(_ bytes: Int) {
    guard case .hovering(let target, var hover) = phase else { return }
    hover.given += bytes
    phase = .hovering(target, hover)
  }

  /// The target's window, or its proxy's, was destroyed.
  mutating func windowVanished(_ window: XWindow) -> [Action] {
    guard let target, window == target.window || window == target.receiver else { return [] }
    defer { phase = .outside }
    switch phase {
    case .outside: return []
    case .hovering(_, let hover):
      return hover.isDropPending ? [.end(.failed(.programEnded))] : [.tell(.refuses(.gone))]
    case .dropped: return [.end(.failed(.programEnded))]
    }
  }

  /// Advances the clock. Call at ``deadline``; harmless when too early or too often.
  mutating func tick(now: Milliseconds) -> [Action] {
    switch phase {
    case .outside: return []
    case .hovering(let target, var hover):
      let actions = tick(target, &hover, now)
      if case .hovering = phase { phase = .hovering(target, hover) }
      return actions
    case .dropped(let target, let lastSign, let isTold):
      guard !isTold, now >= lastSign + timing.patience else { return [] }
      phase = .dropped(target, lastSign: lastSign, isTold: true)
      return [.end(.silent)]
    }
  }

  /// When to call ``tick(now:)`` next, in milliseconds of the caller's clock; `nil` when nothing is
  /// pending.
  var deadline: Milliseconds? {
    switch phase {
    case .outside: return nil
    case .hovering(_, let hover):
      if hover.sent < 2 { return repetition(of: hover) }
      guard let last = hover.lastStatus else {
        return hover.told == nil || hover.isDropPending ? hover.firstSent + silence(of: hover) : nil
      }
      let quiet = settled(hover, since: last)
      if hover.placeCheck == .asked { return nil }
      if hover.isDropPending { return max(quiet, hover.lastSent + timing.dwell) }
      return hover.told == hover.answer ? nil : quiet
    case .dropped(_, let lastSign, let isTold):
      return isTold ? nil : lastSign + timing.patience
    }
  }

  /// The first position is always repeated; then the answer must settle, and a drop have its pause.
  private mutating func tick(
    _ target: Target, _ hover: inout Hover, _ now: Milliseconds
  ) -> [Action] {
    var actions: [Action] = []
    if hover.sent < 2 {
      guard now >= repetition(of: hover) else { return [] }
      actions.append(position(&hover, target, now))
    }
    guard let last = hover.lastStatus else {
      guard now >= hover.firstSent + silence(of: hover) else { return actions }
      return actions
        + (hover.isDropPending ? refuseDrop(target, .notResponding) : tell(.silent, &hover))
    }
    guard now >= settled(hover, since: last), let answer = hover.answer else { return actions }
    // The refusal answers the first position, or predates the data.
    if !hover.isAnswered || isTransferPending, !hasOneAnswer(hover), case .refuses = answer {
      hover.answer = .silent
      return actions
        + (hover.isDropPending ? refuseDrop(target, .notResponding) : tell(.silent, &hover))
    }
    // A busy Qt answers two positions at once, the way it answers the first alone: with a refusal.
    let isHalfAsked = hover.hasRead || hover.statuses < 2 && hover.isAnswered
    if case .refuses = answer, hover.told == nil,
      isHalfAsked && hover.sent < XdndHandshake.mostPositions || isLooking(hover, now)
    {
      return actions + [position(&hover, target, now)]
    }
    if case .refuses = answer, isDoubtful(hover) {
      return actions + enterAnew(target, &hover, now)
    }
    if hover.isDropPending {
      guard case .accepts = answer else { return actions + refuseDrop(target, .notTaken) }
      guard now >= hover.lastSent + timing.dwell, hover.placeCheck != .asked else { return actions }
      if hover.placeCheck == .needed {
        hover.placeCheck = .asked
        return actions + [.checkPlace]
      }
      phase = .dropped(target, lastSign: now, isTold: false)
      return actions + [.send(.drop(source: source, time: serverTime), to: target)]
    }
    return actions + tell(answer, &hover)
  }

  private func repetition(of hover: Hover) -> Milliseconds {
    let silent = hover.lastSent + timing.quiet
    guard hover.isAnswered, let status = hover.firstStatus else { return silent }
    return min(silent, status + timing.breath)
  }

  /// When the last status counts as the answer: after some quiet, or once none is expected for the
  /// last position.
  private func settled(_ hover: Hover, since status: Milliseconds) -> Milliseconds {
    if !hover.isAnswered || isTransferPending, !hasOneAnswer(hover), case .refuses? = hover.answer {
      return hover.lastSent + max(timing.work, pause(of: hover))
    }
    guard hover.isAnswered else { return hover.lastSent + pause(of: hover) }
    let quiet = max(status, hover.lastSent) + (hover.isResting ? timing.rest : timing.quiet)
    return min(quiet, (hover.firstStatus ?? status) + timing.longest)
  }

  /// Whether it was asked a third time after a single status to two positions, and stays silent.
  private func hasOneAnswer(_ hover: Hover) -> Bool {
    hover.sent > 2 && hover.statuses == 1 && !isTransferPending && !hover.isAtWork
  }

  /// Whether its refusal may be about a list that it has not fully examined.
  private func isLooking(_ hover: Hover, _ now: Milliseconds) -> Bool {
    guard hover.given > XdndHandshake.plenty else { return false }
    let long = Milliseconds(hover.given / XdndHandshake.pace)
    return now < hover.firstSent + min(long, XdndHandshake.longestLook)
  }

  /// Whether a refusal is verified by entering anew: one to a drop, since the user has heard an
  /// acceptance, and the first one after the target has read the data. A busy LibreOffice and a
  /// busy Thunar were seen to refuse by mistake; a real refusal is repeated.
  ///
  /// Not for a long list, which it would examine again, nor at rest, since leaving closes what
  /// resting opens.
  private func isDoubtful(_ hover: Hover) -> Bool {
    if hover.isAnew { return false }
    return hover.isDropPending
      || hover.told == nil && !hover.isResting && (1...XdndHandshake.plenty).contains(hover.given)
  }

  private func silence(of hover: Hover) -> Milliseconds { max(timing.silence, pause(of: hover)) }

  /// Without a status to the last position, before an earlier one counts.
  private func pause(of hover: Hover) -> Milliseconds {
    guard hover.given > XdndHandshake.plenty else {
      return hover.isAtWork ? timing.work : timing.pause
    }
    let long = Milliseconds(hover.given / XdndHandshake.pace)
    return max(timing.work, min(long, XdndHandshake.longestSilence))
  }

  private func tell(_ verdict: DragAnswer, _ hover: inout Hover) -> [Action] {
    guard hover.told != verdict else { return [] }
    hover.told = verdict
    return [.tell(verdict)]
  }

  /// Sends XdndLeave instead of the drop.
  private mutating func refuseDrop(_ target: Target, _ reason: Reason) -> [Action] {
    phase = .outside
    return [.send(.leave(source: source), to: target), .end(.refuses(reason))]
  }

  /// XdndLeave and XdndEnter at the same place.
  private func enterAnew(
    _ target: Target, _ hover: inout Hover, _ now: Milliseconds
  ) -> [Action] {
    let old = hover
    hover = Hover(point: old.point, operation: old.operation, firstSent: now, lastSent: now)
    (hover.given, hover.isAnew) = (old.given, true)
    (hover.isDropPending, hover.placeCheck) = (old.isDropPending, old.placeCheck)
    return [.send(.leave(source: source), to: target)] + enter(target, &hover, now)
  }

  /// XdndEnter and the first position.
  private func enter(_ target: Target, _ hover: inout Hover, _ now: Milliseconds) -> [Action] {
    [
      .send(.enter(source: source, version: target.version, types: types), to: target),
      position(&hover, target, now),
    ]
  }

  /// Counts the position; earlier statuses do not answer it.
  private func position(
    _ hover: inout Hover, _ target: Target, _ now: Milliseconds
  ) -> Action {
    hover.sent += 1
    hover.lastSent = now
    hover.isAnswered = false
    hover.hasRead = false
    if hover.placeCheck != .unneeded { hover.placeCheck = .needed }
    return .send(
      .position(source: source, point: hover.point, time: serverTime, operation: hover.operation),
      to: target)
  }
}
