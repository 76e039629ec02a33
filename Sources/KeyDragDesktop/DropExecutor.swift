import KeyDragCore

/// Carries out drops into running programs, and finds out their outcome.
///
/// Each drop goes through a snapshot, one route and a comparison. The result is what was observed;
/// a program's own word counts for less, and its silence for nothing. Owned by ``DesktopWorld``.
/// Safe from any thread; each drop is a task of its own.
struct DropExecutor: Sendable {
  let desktop: Desktop
  let asking: Asking
  let goods: PayloadCoordinator
  let routes: Routes
  /// Tracks what the program's own Undo would take back.
  let undo: ProgramUndo
  let drops = Drops()

  /// Starts a drop and returns at once. It is told of `started`, then of progress, and of one
  /// `finished`; a second one if the first was unconfirmed.
  ///
  /// - Parameter onEnd: called before the end is reported, with the name of the place and whether
  ///   no newer drop has come; once more if an unknown end becomes known.
  func take(
    _ drop: Drop,
    onEnd: @escaping @Sendable (DeliveryResult, _ place: String, _ isNewest: Bool) -> Void
  ) {
    let (order, tell) = (drop.order, drop.tell)
    drops.add(drop)
    let bytes = order.items.map(\.byteCount).byteTotal
    tell(.started(DeliveryProgress(bytesTotal: bytes)))
    Task {
      let place = await desktop.target(of: order.stop.point)
      let end: @Sendable (DeliveryResult) -> Void = { [drops] ended in
        drop.close()
        onEnd(ended, ended.window ?? place, drops.isNewest(drop))
        tell(.finished(ended))
      }
      let first = await deliver(drop)
      drop.before.picture = nil
      drops.note(first, of: drop, at: drop.before.spot)
      end(first)
      guard first.outcome == .unconfirmed else { return }
      let mayStillAsk = first.mayStillAsk(wasAnswered: drop.wasAnswered)
      if case .dialog = first.question, mayStillAsk {
        drop.asked()
      } else {
        _ = drop.markQuestionReported()
      }
      let again: @Sendable (DragAnswer) -> Void = { [self] outcome in
        drop.inTurn { await self.tellAgain(outcome, of: drop, end) }
      }
      drop.open(again)
      guard let spot = drop.before.spot, let windows = drop.start.windows else { return }
      if mayStillAsk {
        await desktop.closing(of: spot.window, since: windows)
        again(.silent)
      } else {
        await follow(drop, end)
      }
    }
  }

  private func tellAgain(
    _ outcome: DragAnswer, of drop: Drop, _ tell: @Sendable (DeliveryResult) -> Void
  ) async {
    drop.follow(desktop)
    let last = await end(outcome, of: drop)
    drop.unfollow()
    await tellLate(last, of: drop, tell)
  }

  /// Duration and interval of polling after an unconfirmed drop.
  private static let following = (time: Duration.seconds(30), pause: Duration.seconds(1))

  /// Polls for effects that came too late for the first report. Gives up after half a minute, and
  /// when something else is dropped, whose effect would look the same.
  func follow(_ drop: Drop, _ tell: @escaping @Sendable (DeliveryResult) -> Void) async {
    let time = desktop.clock.stopwatch()
    let turn = drop.before.turn
    while time() < Self.following.time, !drop.isOver {
      try? await desktop.clock.sleep(for: Self.following.pause)
      guard drops.turns == turn else { return }
      await drop.inTurn { [self] in
        let evidence = await evidence(.silent, of: drop)
        guard evidence.isConclusive else { return }
        await tellLate(await end(evidence, of: drop), of: drop, tell)
      }.value
    }
  }

  private func tellLate(
    _ last: DeliveryResult, of drop: Drop, _ tell: @Sendable (DeliveryResult) -> Void
  ) async {
    // An unconfirmed result is not final, as the effect may come yet; but each question gets one.
    let isNew = last.outcome == .unconfirmed ? drop.markQuestionReported() : drop.end()
    guard isNew else { return }
    if drops.isNewest(drop) { await noteView(of: drop, last) }
    tell(last)
  }

  /// Takes the snapshot before a drop.
  ///
  /// - Throws: ``Reason/notResponding`` for a disk that hangs: the effect could not be observed,
  ///   and the program would hang, too.
  private func look(at order: DeliveryOrder) async throws(Reason) -> Drop.Baseline {
    let point = order.stop.point
    var before = Drop.Baseline(turn: drops.turns)
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
    } else if let folder = await desktop.folder(namedBy: point) {
      before.expected = try await goods.expect(order.items, order.operation, in: folder)
    }
    if before.expected == nil, order.items.containFiles,
      let shown = await desktop.listing(around: point)
    {
      // A guess: one that comes too late is no reason to refuse.
      before.expected = try? await goods.expect(order.items, order.operation, in: shown)
    }
    if before.expected?.isDecisive != true { before.view = await desktop.view(of: point) }
    if let spot = before.spot, DropEffect.drawn.contains(spot.place.role) {
      before.hadNoUndo = await desktop.canUse(.undo, in: spot.window) == false
    }
    if let spot = before.spot, before.expected?.isDecisive != true,
      let window = await desktop.window(spot.window)?.facts.id
    {
      before.picture = await asking.picture(of: window)
    }
    return before
  }

  /// Gives a drop its turn. Its snapshot is taken anew if other drops came in between: their effects
  /// are not its own.
  func takeTurn(_ drop: Drop) async throws(Reason) {
    let others = drops.takeTurn()
    var before = drop.before
    if others != before.turn { before = try await look(at: drop.order) }
    before.turn = others + 1
    drop.before = before
  }

  private func deliver(_ drop: Drop) async -> DeliveryResult {
    let order = drop.order
    do throws(Reason) { drop.before = try await look(at: order) } catch {
      // Nothing has been sent.
      return .failure(order, .refused, error)
    }
    let isSent = !drop.isCancelled
    var end = isSent ? await byRoute(drop) : .failure(order, .cancelled, .interrupted)
    if drop.isCancelled, [.refused, .failed].contains(end.outcome) {
      end = .failure(order, .cancelled, .interrupted)
    }
    // A drop that was not accepted leaves the previous one in force.
    if ![.refused, .failed, .cancelled].contains(end.outcome) {
      await noteView(of: drop, end)
    }
    return end
  }

  /// Takes the one route meant for the place: data given to a program can't be recalled.
  private func byRoute(_ drop: Drop) async -> DeliveryResult {
    guard let spot = drop.before.spot else { return await byDrag(drop) }
    let order = drop.order
    switch routes.route(to: spot, order) {
    case .menu:
      drop.give()
      return await byMenu(drop, spot)
    case .pointer:
      drop.give()
      return await dragWithPointer(drop, spot)
    case .files, .process, .peer, .xdnd: break
    }
    var end = await byDrag(drop)
    // One drop takes one route: another one is offered, and needs a drop of its own.
    if end.isRefusalBeforeTransfer, order.operation == .copy, !drop.wasAsked,
      await routes.offerMenu(at: spot, order)
    {
      end.failures = order.items.map { DeliveryFailure(name: $0.name, reason: .pasteLeft) }
    }
    return end
  }

  /// Notes what the program's own Undo would take back from now on, if that can be told.
  private func noteView(of drop: Drop, _ end: DeliveryResult) async {
    let (point, before) = (drop.order.stop.point, drop.before)
    // No program's Undo closes a document that it opened; it would take back something else.
    let isUndoable = end.entry == nil && end.effect.operation != .open
    guard let spot = before.spot, isUndoable, await desktop.offers(.undo, in: spot.window) else {
      return undo.note(nil)
    }
    // Without a visible effect the program's Undo would take back something else.
    let after = await desktop.view(of: point)
    guard !before.view.shows(after) else { return undo.note(nil) }
    undo.note(
      ProgramUndo.Observation(point: point, window: spot.window, before: before.view, after: after))
  }

  /// How long, and how often, a program that has answered a drag is asked for its contents.
  private static let waking = (time: Duration.seconds(1), pause: Duration.milliseconds(100))

  /// Takes the snapshot again if the program was silent then. It has answered the drag since.
  private func completeBaseline(of drop: Drop) async {
    let time = desktop.clock.stopwatch()
    while drop.before.view.sight.isUnanswered, time() < Self.waking.time {
      try? await desktop.clock.sleep(for: Self.waking.pause)
      guard var before = try? await look(at: drop.order) else { return }
      before.turn = drop.before.turn
      drop.before = before
    }
  }

  /// By XDND. Errors before the drop are refusals: nothing was sent.
  private func byDrag(_ drop: Drop) async -> DeliveryResult {
    defer { drop.unfollow() }
    do throws(Reason) {
      let outcome = try await asking.drop(drop) { () async throws(Reason) in
        try await self.takeTurn(drop)
        await drop.begin(self.desktop)
      } beforeSending: {
        await self.completeBaseline(of: drop)
      }
      drop.give()
      if case .accepts = outcome { drop.saidEnd() }
      return await end(outcome, of: drop)
    } catch {
      return .failure(drop.order, .refused, error)
    }
  }

  private func end(_ said: DragAnswer, of drop: Drop) async -> DeliveryResult {
    while true {
      let end = await end(await evidence(said, of: drop), of: drop)
      // One answer may lead to the next question.
      guard end.outcome == .unconfirmed, drop.isAsking else { return end }
    }
  }

  func end(_ evidence: Evidence, of drop: Drop) async -> DeliveryResult {
    await located(evidence.result(of: drop.order), since: drop.before)
  }
}
