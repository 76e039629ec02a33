import KeyDragCore
import KeyDragThreads

/// One drag's conversation with its targets, one after the other (XDND specification, "Example
/// Walk-Through"), without a connection and with its own clock of quiet.
///
/// Measured habits of targets are kept here: the first position is often refused and the second
/// accepted; of several statuses the last counts; some need a pause between position and drop.
///
/// Pure. Inputs are what the person does, messages of targets, windows that vanish, and time;
/// outputs are messages to send and answers to tell. The caller owns the clock and calls
/// ``tick(now:)`` at ``deadline``.
package struct Handshake: Sendable {
  /// How long things take; milliseconds.
  package struct Timing: Hashable, Sendable {
    /// After the last status, before it is taken for the answer.
    package var quiet: Milliseconds = 100
    /// After the first status, before the place is asked again: Chromium answers at once with what
    /// its page said last, and asks the page meanwhile.
    package var breath: Milliseconds = 25
    /// The same for a place that has answered before and is only rested on.
    package var rest: Milliseconds = 50
    /// Without any status, before a target counts as not answering: one on a busy machine is slow, and
    /// takes it all the same.
    package var silence: Milliseconds = 3_000
    /// The same while it works on data that it has asked for: a file manager that looks at each of
    /// thousands of files says nothing meanwhile.
    package var work: Milliseconds = 4_000
    /// Without a status to the last position, before the one to an earlier position is the answer.
    package var pause: Milliseconds = 500
    /// After the first status to a position: a target that never stops talking has answered by
    /// then.
    package var longest: Milliseconds = 1_000
    /// Between the last position and the drop.
    package var dwell: Milliseconds = 150
    /// Without a sign of life after the drop, before its outcome counts as unknown.
    package var patience: Milliseconds = 10_000

    package init() {}
  }

  /// The receiver of messages: the target window, and the window that receives for it (XdndProxy).
  package struct Target: Hashable, Sendable {
    /// The one that has XdndAware, or whose proxy has; named in every message.
    package var window: XWindow
    /// The one that messages are sent to.
    package var receiver: XWindow
    /// 3 to 5: the newest that both speak.
    package var version: UInt8

    package init(window: XWindow, receiver: XWindow? = nil, version: UInt8) {
      self.window = window
      self.receiver = receiver ?? window
      self.version = version
    }
  }

  /// A step that the caller is to take.
  package enum Action: Hashable, Sendable {
    case send(XdndMessage, to: Target)
    /// An answer that comes after ``DragVerdict/silent`` is told all the same.
    case tell(DragVerdict)
    /// An outcome after ``DragOutcome/unknown``, of a drop that may still land, is the late answer
    /// to it. ``DragOutcome/failed`` is the target's own word alone.
    case end(DragOutcome)
    /// Find out whether the place is still at the point, and call ``placeChecked(isThere:now:)``.
    case checkPlace
  }

  /// The check of the place that comes between the last position and the drop.
  private enum PlaceCheck: Hashable, Sendable {
    case unneeded
    case needed
    case asked
    case isThere
  }

  /// One place that is asked, from its first position on.
  private struct Hover: Hashable, Sendable {
    var point: RootPoint
    var operation: DragOperation
    /// How many positions were sent.
    var sent = 0
    /// To this place; begun again by ``stay(now:)``.
    var firstSent: Milliseconds
    var lastSent: Milliseconds
    /// `nil` where none came to any position here.
    var lastStatus: Milliseconds?
    /// To the last position.
    var firstStatus: Milliseconds?
    /// How many came to the positions here.
    var statuses = 0
    /// Of the last status; not told before it has settled.
    var answer: DragVerdict?
    /// `nil` where nothing was told since the place was reached, or rested on.
    var told: DragVerdict?
    var isDropWanted = false
    var placeCheck = PlaceCheck.unneeded
    /// The target has refused and was entered anew: its next refusal is believed, at each place
    /// until another window is entered, but for the first one of a drop.
    var isAnew = false
    /// A status came since the last position.
    var isAnswered = false
    /// It has answered here, and is asked once more.
    var isResting = false
    /// Data was asked for since the last position: what it says next may differ.
    var hasRead = false
    /// It has data, and has said nothing since.
    var isAtWork = false
    /// The bytes that it was given.
    var given = 0
  }

  /// A target that refuses is asked again after each look at the data, at most this many times.
  /// With the two that are always sent.
  private static let mostPositions = 4

  /// A target that was given more than `plenty` bytes refuses until it has looked at all of them,
  /// file by file: it is allowed a millisecond for every `pace` bytes, and never more than
  /// `longestLook`. In bytes, and bytes a millisecond.
  private static let (plenty, pace) = (8_192, 20)
  private static let longestLook: Milliseconds = 8_000
  /// The time limit for a target that says nothing at all meanwhile: Thunar takes 2 ms a file, and
  /// looks at a list once when it is asked and once when it is dropped on.
  private static let longestSilence: Milliseconds = 60_000

  private enum Phase: Hashable, Sendable {
    /// No target is entered: XdndEnter was not sent, or XdndLeave was.
    case outside
    /// XdndEnter and at least one XdndPosition were sent.
    case hovering(Target, Hover)
    /// XdndDrop was sent; the time is that of the last sign of the target, milliseconds.
    case dropped(Target, lastSign: Milliseconds, isTold: Bool)
  }

  private let source: XWindow
  private let types: [XAtom]
  private let timing: Timing
  private var phase = Phase.outside
  /// The server's time of the last key or property change, sent with positions and drops.
  ///
  /// In milliseconds of the server, which wrap after 49 days. Targets ask for data by it.
  package var serverTime: UInt32 = 0
  /// Data that was asked for is not given yet.
  private var isOwing = false

  /// - Parameters:
  ///   - source: the window that owns XdndSelection.
  ///   - types: what is offered, best first.
  package init(source: XWindow, types: [XAtom], timing: Timing = Timing()) {
    self.source = source
    self.types = types
    self.timing = timing
  }

  /// The target of the moment; selections are served to its program only.
  package var target: Target? {
    switch phase {
    case .outside: nil
    case .hovering(let target, _), .dropped(let target, _, _): target
    }
  }

  /// Whether a drop was sent and its end is not known.
  package var isWaitingForEnd: Bool {
    if case .dropped = phase { true } else { false }
  }

  /// Whether a drop is wanted that was not sent yet.
  package var isDropWanted: Bool {
    if case .hovering(_, let hover) = phase { hover.isDropWanted } else { false }
  }

  // MARK: What the person does

  /// Goes to a point of a target and asks it; leaves another target first.
  ///
  /// Does nothing while a drop is on its way. XdndEnter is sent once a target, before its first
  /// position.
  package mutating func hover(
    over target: Target, at point: RootPoint, operation: DragOperation, now: Milliseconds
  ) -> [Action] {
    var actions: [Action] = []
    switch phase {
    case .dropped: return []
    case .hovering(let old, let hover) where old == target:
      var next = Hover(point: point, operation: operation, firstSent: now, lastSent: now)
      (next.given, next.isAnew) = (hover.given, hover.isAnew)
      // The drop was wanted elsewhere.
      if hover.isDropWanted { actions.append(.end(.refused(.interrupted))) }
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

  /// Stays where it is and says so again, as a pointer that rests on a tab to open it; what the
  /// target says to that is told, also when it is nothing new.
  ///
  /// Nothing without a target.
  package mutating func stay(now: Milliseconds) -> [Action] {
    guard case .hovering(let target, var hover) = phase else { return [] }
    if !hover.isDropWanted {
      hover.isResting = hover.isResting || hover.told != nil
      hover.firstSent = now
      (hover.told, hover.answer, hover.lastStatus) = (nil, nil, nil)
    }
    let action = position(&hover, target, now)
    phase = .hovering(target, hover)
    return [action]
  }

  /// Goes away from the target without dropping; a drop that was wanted there is interrupted.
  ///
  /// A drop that was sent can't be taken back: nothing happens then.
  package mutating func leave() -> [Action] {
    guard case .hovering(let target, let hover) = phase else { return [] }
    phase = .outside
    return [.send(.leave(source: source), to: target)]
      + (hover.isDropWanted ? [.end(.refused(.interrupted))] : [])
  }

  /// Drops at the point of the moment, as soon as the target has answered and had its pause.
  ///
  /// Sent by a later ``tick(now:)``, or refused by it.
  ///
  /// - Parameter checksPlace: whether ``Action/checkPlace`` comes before it, after each position that is sent.
  package mutating func drop(checksPlace: Bool = false, now: Milliseconds) -> [Action] {
    guard case .hovering(let target, var hover) = phase else { return [] }
    (hover.isDropWanted, hover.isAnew) = (true, false)
    hover.placeCheck = checksPlace ? .needed : .unneeded
    phase = .hovering(target, hover)
    return tick(now: now)
  }

  /// Takes the result of the check: the drop is sent, or given up with ``Reason/placeMoves``.
  package mutating func placeChecked(isThere: Bool, now: Milliseconds) -> [Action] {
    guard case .hovering(let target, var hover) = phase, hover.placeCheck == .asked else {
      return []
    }
    guard isThere else { return refuseDrop(target, .placeMoves) }
    hover.placeCheck = .isThere
    phase = .hovering(target, hover)
    return tick(now: now)
  }

  /// Gives up a drop that was sent; what its target still says is of no account.
  package mutating func abandon() {
    if case .dropped = phase { phase = .outside }
  }

  // MARK: What happens

  /// Takes a message that came for the source's window.
  ///
  /// Messages of another window, or of an earlier phase, are dropped.
  package mutating func receive(_ message: XdndMessage, now: Milliseconds) -> [Action] {
    switch (message, phase) {
    // The last status counts, and a target may send several.
    case (.status(let window, let verdict), .hovering(let target, var hover))
    where window == target.window:
      hover.lastStatus = now
      // The answer may be about data that the target had not looked at yet.
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

  /// The target asked for data or took a part of it: it lives, and may think of it what it did not
  /// know before.
  package mutating func dataMoved(now: Milliseconds) {
    switch phase {
    case .outside: break
    case .hovering(let target, var hover):
      (hover.hasRead, hover.isAtWork) = (true, true)
      phase = .hovering(target, hover)
    case .dropped(let target, _, let isTold):
      phase = .dropped(target, lastSign: now, isTold: isTold)
    }
  }

  /// Notes whether data that was asked for is still to be given: until it is, a refusal is no answer,
  /// and after it the target knows what it did not know before.
  package mutating func owes(_ isOwing: Bool) {
    defer { self.isOwing = isOwing }
    guard self.isOwing, !isOwing, case .hovering(let target, var hover) = phase else { return }
    hover.hasRead = true
    phase = .hovering(target, hover)
  }

  /// Notes that this many more bytes were given to the target.
  package mutating func dataGiven(_ bytes: Int) {
    guard case .hovering(let target, var hover) = phase else { return }
    hover.given += bytes
    phase = .hovering(target, hover)
  }

  /// A window is no more.
  ///
  /// The target's own window or that of its proxy.
  package mutating func windowVanished(_ window: XWindow) -> [Action] {
    guard let target, window == target.window || window == target.receiver else { return [] }
    defer { phase = .outside }
    switch phase {
    case .outside: return []
    case .hovering(_, let hover): return hover.isDropWanted ? [.end(.gone)] : [.tell(.gone)]
    case .dropped: return [.end(.gone)]
    }
  }

  /// Time has passed; to be called at ``deadline``.
  ///
  /// Harmless when it is called too early or too often.
  package mutating func tick(now: Milliseconds) -> [Action] {
    switch phase {
    case .outside: return []
    case .hovering(let target, var hover):
      let actions = tick(target, &hover, now)
      if case .hovering = phase { phase = .hovering(target, hover) }
      return actions
    case .dropped(let target, let lastSign, let isTold):
      guard !isTold, now >= lastSign + timing.patience else { return [] }
      phase = .dropped(target, lastSign: lastSign, isTold: true)
      return [.end(.unknown)]
    }
  }

  /// When something is to be done though nothing happens; `nil` when nothing is waited for.
  ///
  /// In milliseconds of the caller's clock.
  package var deadline: Milliseconds? {
    switch phase {
    case .outside: return nil
    case .hovering(_, let hover):
      if hover.sent < 2 { return repetition(of: hover) }
      guard let last = hover.lastStatus else {
        return hover.told == nil || hover.isDropWanted ? hover.firstSent + silence(of: hover) : nil
      }
      let quiet = settled(hover, since: last)
      if hover.placeCheck == .asked { return nil }
      if hover.isDropWanted { return max(quiet, hover.lastSent + timing.dwell) }
      return hover.told == hover.answer ? nil : quiet
    case .dropped(_, let lastSign, let isTold):
      return isTold ? nil : lastSign + timing.patience
    }
  }

  /// The first position is always repeated; then the answer is waited for until it has settled, and
  /// the drop until its pause is over.
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
        + (hover.isDropWanted ? refuseDrop(target, .notResponding) : tell(.silent, &hover))
    }
    guard now >= settled(hover, since: last), let answer = hover.answer else { return actions }
    // The refusal is one of the first position, or dates from before the target had the data.
    if !hover.isAnswered || isOwing, !hasOneAnswer(hover), case .refuses = answer {
      hover.answer = .silent
      return actions
        + (hover.isDropWanted ? refuseDrop(target, .notResponding) : tell(.silent, &hover))
    }
    // A busy Qt answers two positions at once, as it answers the first alone: with a no.
    let isHalfAsked = hover.hasRead || hover.statuses < 2 && hover.isAnswered
    if case .refuses = answer, hover.told == nil,
      isHalfAsked && hover.sent < Handshake.mostPositions || isLooking(hover, now)
    {
      return actions + [position(&hover, target, now)]
    }
    if case .refuses = answer, isDoubtful(hover) {
      return actions + enterAnew(target, &hover, now)
    }
    if hover.isDropWanted {
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

  /// When a place is asked for the second time.
  private func repetition(of hover: Hover) -> Milliseconds {
    let silent = hover.lastSent + timing.quiet
    guard hover.isAnswered, let status = hover.firstStatus else { return silent }
    return min(silent, status + timing.breath)
  }

  /// When the last status is the answer: after some quiet, or when nothing more comes to the last
  /// position.
  private func settled(_ hover: Hover, since status: Milliseconds) -> Milliseconds {
    if !hover.isAnswered || isOwing, !hasOneAnswer(hover), case .refuses? = hover.answer {
      return hover.lastSent + max(timing.work, pause(of: hover))
    }
    guard hover.isAnswered else { return hover.lastSent + pause(of: hover) }
    let quiet = max(status, hover.lastSent) + (hover.isResting ? timing.rest : timing.quiet)
    return min(quiet, (hover.firstStatus ?? status) + timing.longest)
  }

  /// Whether it was asked a third time because it answered two positions at once, and says no more.
  private func hasOneAnswer(_ hover: Hover) -> Bool {
    hover.sent > 2 && hover.statuses == 1 && !isOwing && !hover.isAtWork
  }

  /// Whether its no may be about a list that it has not looked at to its end.
  private func isLooking(_ hover: Hover, _ now: Milliseconds) -> Bool {
    guard hover.given > Handshake.plenty else { return false }
    let long = Milliseconds(hover.given / Handshake.pace)
    return now < hover.firstSent + min(long, Handshake.longestLook)
  }

  /// Whether its no is asked about once more, by entering anew: one to a drop, since the person has
  /// heard a yes, and its first one after it has looked at the data. A busy LibreOffice and a busy
  /// Thunar were seen to say a no that they did not mean; who means it says it again.
  ///
  /// Not where it would look at a long list once more, nor where it is rested on, since leaving
  /// ends what it opens by that.
  private func isDoubtful(_ hover: Hover) -> Bool {
    if hover.isAnew { return false }
    return hover.isDropWanted
      || hover.told == nil && !hover.isResting && (1...Handshake.plenty).contains(hover.given)
  }

  /// Without a status, before it counts as not answering.
  private func silence(of hover: Hover) -> Milliseconds { max(timing.silence, pause(of: hover)) }

  /// Without a status to the last position, before one that came to an earlier one counts.
  private func pause(of hover: Hover) -> Milliseconds {
    guard hover.given > Handshake.plenty else {
      return hover.isAtWork ? timing.work : timing.pause
    }
    let long = Milliseconds(hover.given / Handshake.pace)
    return max(timing.work, min(long, Handshake.longestSilence))
  }

  /// Tells each verdict once.
  private func tell(_ verdict: DragVerdict, _ hover: inout Hover) -> [Action] {
    guard hover.told != verdict else { return [] }
    hover.told = verdict
    return [.tell(verdict)]
  }

  /// XdndLeave, since the target is not dropped on.
  private mutating func refuseDrop(_ target: Target, _ reason: Reason) -> [Action] {
    phase = .outside
    return [.send(.leave(source: source), to: target), .end(.refused(reason))]
  }

  /// XdndLeave and XdndEnter at the same place.
  private func enterAnew(
    _ target: Target, _ hover: inout Hover, _ now: Milliseconds
  ) -> [Action] {
    let old = hover
    hover = Hover(point: old.point, operation: old.operation, firstSent: now, lastSent: now)
    (hover.given, hover.isAnew) = (old.given, true)
    (hover.isDropWanted, hover.placeCheck) = (old.isDropWanted, old.placeCheck)
    return [.send(.leave(source: source), to: target)] + enter(target, &hover, now)
  }

  /// XdndEnter and the first position.
  private func enter(_ target: Target, _ hover: inout Hover, _ now: Milliseconds) -> [Action] {
    [
      .send(.enter(source: source, version: target.version, types: types), to: target),
      position(&hover, target, now),
    ]
  }

  /// Counts the position; what came before it is no answer to it.
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
