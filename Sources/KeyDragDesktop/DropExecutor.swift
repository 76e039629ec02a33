import KeyDragCore
import Synchronization

/// Carries out drops into running programs, and finds out their outcome.
///
/// Each drop goes through a snapshot, one route and a comparison. The result is what was observed;
/// a program's own word counts for less, and its silence for nothing. Owned by ``DesktopWorld``.
/// Safe from any thread; each drop is a task of its own.
final class DropExecutor: Sendable {
  let desktop: Desktop
  let asking: Asking
  let routes: Routes
  let goods: PayloadCoordinator
  /// Tracks what the program's own Undo would take back.
  private let undo: ProgramUndo
  /// Deliveries that can still be cancelled, or at least be asked to stop.
  private let running = RunningDrops()
  private let landed = LandedDrops()
  /// The latest drop: the program's Undo applies to its effect only.
  private let newest = Mutex<DeliveryID?>(nil)
  /// The follow-ups of the newest drops, the oldest first.
  private let followUps = Mutex<[(id: DeliveryID, after: DropFollowUp)]>([])
  private static let mostAftermaths = 16
  /// The number of drops that have had their turn. A drop whose snapshot predates another's turn
  /// takes a new one.
  private let turns = Mutex(0)

  init(
    desktop: Desktop, asking: Asking, goods: PayloadCoordinator, routes: Routes, undo: ProgramUndo
  ) {
    self.desktop = desktop
    self.asking = asking
    self.routes = routes
    self.undo = undo
    self.goods = goods
  }

  /// The state before a drop, to compare with the one after it.
  struct Baseline: Sendable {
    /// The number of drops that had had their turn.
    var turn = 0
    /// `nil` where the place was already gone.
    var spot: Desktop.PlaceRecord?
    /// `nil` where no folder can be looked into.
    var expected: (any DropVerifier)?
    /// Whether its program had nothing to undo, where what is dropped shows in nothing else.
    var hadNoUndo = false
    /// The window's contents, where no folder on the disk decides.
    var view = ProgramUndo.View()
  }

  /// The result of a drop, and its entry in the history; `nil` where the history has none.
  typealias DropResult = (result: DeliveryResult, entry: Int64?)

  /// Starts a drop and returns at once. `tell` gets `started`, then progress, and one `finished`; a
  /// second one if the first was unconfirmed.
  ///
  /// - Parameter onEnd: called before the end is reported, with the name of the place and whether
  ///   no newer drop has come; once more if an unknown end becomes known.
  func take(
    _ id: DeliveryID, _ order: DeliveryOrder,
    onEnd: @escaping @Sendable (DropResult, _ place: String, _ isNewest: Bool) -> Void,
    _ tell: @escaping DeliveryReceiver
  ) {
    running.begin(id) { tell(.goesOn) }
    newest.withLock { $0 = id }
    let bytes = order.items.map(\.byteCount).byteTotal
    tell(.started(DeliveryProgress(bytesTotal: bytes)))
    Task {
      let place = await desktop.target(of: order.stop.point)
      let end: @Sendable (DropResult) -> Void = { [self] ended in
        running.end(id)
        onEnd(ended, ended.result.window ?? place, newest.withLock { $0 == id })
        tell(.finished(ended.result))
      }
      let after = DropFollowUp { tell(.asks($0)) }
      keep(after, of: id)
      let (first, before) = await deliver(id, order, after) { bytes, total in
        let progress = DeliveryProgress(bytesDone: Int64(bytes), bytesTotal: Int64(total))
        tell(.progressed(progress))
      }
      landed.note(id, order, first.result, at: before.spot)
      end(first)
      guard first.result.outcome == .unconfirmed else { return }
      let mayStillAsk = first.result.mayStillAsk(wasAnswered: after.wasAnswered)
      if case .dialog = first.result.question, mayStillAsk {
        after.asked()
      } else {
        _ = after.markQuestionReported()
      }
      let again: @Sendable (DragOutcome) -> Void = { [self] outcome in
        after.inTurn { await self.tellAgain(id, outcome, order, before, after, end) }
      }
      after.open(again)
      guard let spot = before.spot, let windows = after.start.windows else { return }
      if mayStillAsk {
        await desktop.closing(of: spot.window, since: windows)
        again(.unknown)
      } else {
        await follow(id, order, before, after, end)
      }
    }
  }

  private func keep(_ after: DropFollowUp, of id: DeliveryID) {
    followUps.withLock { followUps in
      followUps.append((id, after))
      if followUps.count > Self.mostAftermaths { followUps.removeFirst() }
    }
  }

  /// The window in which a program asks about a drop; `nil` if it has not asked.
  func questionWindow(of id: DeliveryID) -> WindowID? {
    followUps.withLock { $0.last { $0.id == id } }?.after.questionWindow
  }

  private func tellAgain(
    _ id: DeliveryID, _ outcome: DragOutcome, _ order: DeliveryOrder, _ before: Baseline,
    _ after: DropFollowUp, _ tell: @Sendable (DropResult) -> Void
  ) async {
    after.follow(desktop, before.spot?.window)
    let last = await end(outcome, order, before, after)
    after.unfollow()
    await tellLate(last, id, order, before, after, tell)
  }

  /// Duration and interval of polling after an unconfirmed drop.
  private static let following = (time: Duration.seconds(30), pause: Duration.seconds(1))

  /// Polls for effects that came too late for the first report. Gives up after half a minute, and
  /// when something else is dropped, whose effect would look the same.
  func follow(
    _ id: DeliveryID, _ order: DeliveryOrder, _ before: Baseline, _ after: DropFollowUp,
    _ tell: @escaping @Sendable (DropResult) -> Void
  ) async {
    let time = desktop.clock.stopwatch()
    while time() < Self.following.time, !after.isOver {
      try? await desktop.clock.sleep(for: Self.following.pause)
      guard turns.withLock({ $0 == before.turn }) else { return }
      await after.inTurn { [self] in
        let evidence = await evidence(.unknown, order, before, after)
        guard evidence.isConclusive else { return }
        await tellLate(await end(evidence, order, before), id, order, before, after, tell)
      }.value
    }
  }

  private func tellLate(
    _ last: DropResult, _ id: DeliveryID, _ order: DeliveryOrder, _ before: Baseline,
    _ after: DropFollowUp,
    _ tell: @Sendable (DropResult) -> Void
  ) async {
    // An unconfirmed result is not final, as the effect may come yet; but each question gets one.
    let isNew = last.result.outcome == .unconfirmed ? after.markQuestionReported() : after.end()
    guard isNew else { return }
    if newest.withLock({ $0 == id }) {
      await noteView(of: order.stop.point, before, last)
    }
    tell(last)
  }

  /// `false` for an unknown delivery. Data that a program already has can't be recalled.
  func cancel(_ id: DeliveryID) -> Bool { running.cancel(id) }

  /// Marks a drop that is carried out elsewhere as the newest.
  func noteNewest(_ id: DeliveryID) { newest.withLock { $0 = id } }

  /// Notes the landing of a drop that was carried out elsewhere.
  func noteLanding(_ id: DeliveryID, _ order: DeliveryOrder, _ result: DeliveryResult) async {
    landed.note(id, order, result, at: await desktop.spot(order.stop.point))
  }

  /// The place of a drop's effect in the windows; `nil` if it has left none.
  func landing(of id: DeliveryID) -> LandedDrops.Landing? { landed[id] }

  /// Takes the snapshot before a drop.
  ///
  /// - Throws: ``Reason/notResponding`` for a disk that hangs: the effect could not be observed,
  ///   and the program would hang, too.
  private func look(at order: DeliveryOrder) async throws(Reason) -> Baseline {
    let point = order.stop.point
    var before = Baseline(turn: turns.withLock(\.self))
    before.spot = await desktop.spot(point)
    if let folder = await desktop.shownFolder(point) {
      before.expected = try await goods.expect(order.items, order.operation, in: folder)
      // A window that moved or scrolled while it was read shows rows that no folder has.
      if before.expected == nil, let now = await desktop.shownFolderAnew(point), now != folder {
        before.expected = try await goods.expect(order.items, order.operation, in: now)
      }
    } else if let saving = goods.saving(of: order.items) {
      saving.begin(in: nil, place: "")
    } else if let place = before.spot?.place, place.traits.destination == .trash,
      order.operation == .remove
    {
      before.expected = try await goods.expectTrashed(order.items, in: place.name)
    } else if let folder = await desktop.folder(ofRow: point) {
      before.expected = try await goods.expect(order.items, order.operation, in: folder)
    }
    if before.expected == nil, order.items.containFiles,
      let shown = await desktop.listing(around: point)
    {
      before.expected = try await goods.expect(order.items, order.operation, in: shown)
    }
    if before.expected?.isDecisive != true { before.view = await desktop.view(of: point) }
    if let spot = before.spot, DropEffect.drawn.contains(spot.place.role) {
      before.hadNoUndo = await desktop.canUse(.undo, in: spot.window) == false
    }
    return before
  }

  /// The snapshot for a drop that has its turn, taken anew if other drops came in between: their
  /// effects are not its own.
  func atTurn(_ before: Baseline, _ order: DeliveryOrder) async throws(Reason) -> Baseline {
    let others = turns.withLock { count in
      defer { count += 1 }
      return count
    }
    var now = others == before.turn ? before : try await look(at: order)
    now.turn = others + 1
    return now
  }

  /// Also returns the snapshot from before.
  private func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder, _ after: DropFollowUp,
    _ progress: @escaping @Sendable (_ bytes: Int, _ total: Int) -> Void
  ) async -> (DropResult, Baseline) {
    var before: Baseline
    do throws(Reason) { before = try await look(at: order) } catch {
      // Nothing has been sent.
      return ((DeliveryResult.failure(order, .refused, error), nil), Baseline())
    }
    if running.isCancelled(id) {
      return ((DeliveryResult.failure(order, .cancelled, .interrupted), nil), before)
    }
    var end = await byRoute(id, order, &before, after, progress)
    if running.isCancelled(id), [.refused, .failed].contains(end.result.outcome) {
      end.result = .failure(order, .cancelled, .interrupted)
    }
    // A drop that was not accepted leaves the previous one in force.
    if ![.refused, .failed, .cancelled].contains(end.result.outcome) {
      await noteView(of: order.stop.point, before, end)
    }
    return (end, before)
  }

  /// Takes the one route meant for the place: data given to a program can't be recalled.
  private func byRoute(
    _ id: DeliveryID, _ order: DeliveryOrder, _ before: inout Baseline, _ after: DropFollowUp,
    _ progress: @escaping @Sendable (_ bytes: Int, _ total: Int) -> Void
  ) async -> DropResult {
    guard let spot = before.spot else { return await byDrag(id, order, &before, after, progress) }
    switch routes.route(to: spot, order) {
    case .menu:
      running.give(id)
      return await byMenu(order, spot, &before, after)
    case .pointer:
      running.give(id)
      return (await dragWithPointer(order, spot, &before), nil)
    case .files, .process, .peer, .xdnd: break
    }
    var end = await byDrag(id, order, &before, after, progress)
    // One drop takes one route: another one is offered, and needs a drop of its own.
    if end.result.isRefusalBeforeTransfer, order.operation == .copy, !after.wasAsked,
      await routes.offerMenu(at: spot, order)
    {
      end.result.failures = order.items.map { DeliveryFailure(name: $0.name, reason: .pasteLeft) }
    }
    return end
  }

  /// Notes what the program's own Undo would take back from now on, if that can be told.
  private func noteView(of point: DropPointID, _ before: Baseline, _ end: DropResult) async {
    // No program's Undo closes a document that it opened; it would take back something else.
    let isUndoable = end.entry == nil && end.result.effect.operation != .open
    guard let spot = before.spot, isUndoable, await desktop.offers(.undo, in: spot.window) else {
      return undo.note(nil)
    }
    // Without a visible effect the program's Undo would take back something else.
    let after = await desktop.view(of: point)
    guard !before.view.shows(after) else { return undo.note(nil) }
    undo.note(
      ProgramUndo.Observation(point: point, window: spot.window, before: before.view, after: after))
  }

  /// By XDND. Errors before the drop are refusals: nothing was sent.
  private func byDrag(
    _ id: DeliveryID, _ order: DeliveryOrder, _ before: inout Baseline, _ after: DropFollowUp,
    _ progress: @escaping @Sendable (_ bytes: Int, _ total: Int) -> Void
  ) async -> DropResult {
    defer { after.unfollow() }
    let first = before
    do throws(Reason) {
      let (outcome, start) = try await asking.drop(order) { () async throws(Reason) -> Baseline in
        let start = try await self.atTurn(first, order)
        await self.begin(after, order, start)
        return start
      } send: { [running] drag in
        running.send(id, drag)
      } progress: {
        progress($0, $1)
      } late: {
        after.take($0)
      }
      running.give(id)
      if case .delivered = outcome { after.saidEnd() }
      before = start
      return await end(outcome, order, start, after)
    } catch {
      return (DeliveryResult.failure(order, .refused, error), nil)
    }
  }

  /// Starts the follow-up: a window that opens earlier is about another drop.
  func begin(_ after: DropFollowUp, _ order: DeliveryOrder, _ start: Baseline) async {
    await after.begin(
      desktop, start.spot?.window, order.items.prefix(DropEffect.mostItems).map(\.name))
  }

  func end(
    _ said: DragOutcome, _ order: DeliveryOrder, _ before: Baseline, _ after: DropFollowUp
  ) async -> DropResult {
    while true {
      let evidence = await evidence(said, order, before, after)
      let end = await end(evidence, order, before)
      // One answer may lead to the next question.
      guard end.result.outcome == .unconfirmed, after.isAsking else { return end }
    }
  }

  func end(_ evidence: Evidence, _ order: DeliveryOrder, _ before: Baseline) async -> DropResult {
    let result = evidence.result(of: order)
    return (await located(result, at: before.spot, since: before), evidence.report?.entry)
  }
}
