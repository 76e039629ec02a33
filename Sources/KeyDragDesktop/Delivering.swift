import KeyDragCore
import Synchronization

/// Carries out drops into running programs, and finds out what became of them.
final class Delivering: Sendable {
  let desktop: Desktop
  let asking: Asking
  let routes: Routes
  private let goods: CarriedGoods
  private let undo: ProgramUndo
  /// Deliveries that may still be cancelled, or are at least asked to be.
  private let running = RunningDrops()
  private let landed = LandedDrops()
  private let newest = Mutex<DeliveryID?>(nil)
  /// How many drops have had their turn.
  private let turns = Mutex(0)

  init(
    desktop: Desktop, asking: Asking, goods: CarriedGoods, routes: Routes, undo: ProgramUndo
  ) {
    self.desktop = desktop
    self.asking = asking
    self.routes = routes
    self.undo = undo
    self.goods = goods
  }

  /// What is known before a drop, by which its effect is seen after it.
  struct Before: Sendable {
    /// How many drops had had their turn by then.
    var turn = 0
    var spot: Desktop.Spot?
    /// `nil` where no folder can be looked into.
    var expected: (any ExpectedLanding)?
    var view = ProgramUndo.View()
  }

  /// What came of a drop by what is seen.
  private struct Seen: Sendable {
    var end: End
    /// Whether it is certain that nothing of it is there.
    var isNothing = false
  }

  /// How a drop ended, and the history's number for it; `nil` where the history does not know of it.
  typealias End = (result: DeliveryResult, entry: Int64?)

  /// - Parameter onEnd: called before the end is told, with what the place is called and whether no
  ///   other drop came after this one. Where the end is not known it is called again once it is.
  func take(
    _ id: DeliveryID, _ order: DeliveryOrder,
    onEnd: @escaping @Sendable (End, _ place: String, _ isNewest: Bool) -> Void,
    _ reply: @escaping @Sendable (WorldReport) -> Void
  ) {
    running.begin(id) { reply(.delivery(id, .goesOn)) }
    newest.withLock { $0 = id }
    let bytes = order.items.map(\.byteCount).byteTotal
    reply(.delivery(id, .started(DeliveryProgress(bytesTotal: bytes))))
    Task {
      let place = await desktop.target(of: order.stop.point)
      let tell: @Sendable (End) -> Void = { [self] end in
        running.end(id)
        onEnd(end, place, newest.withLock { $0 == id })
        reply(.delivery(id, .finished(end.result)))
      }
      let after = Aftermath { reply(.delivery(id, .asks($0))) }
      let (said, before) = await deliver(id, order, after) { bytes, total in
        let progress = DeliveryProgress(bytesDone: Int64(bytes), bytesTotal: Int64(total))
        reply(.delivery(id, .progressed(progress)))
      }
      let first = Self.believed(said, of: before.spot?.place, order, wasAsked: after.wasAsked)
      landed.note(id, order, first.result, at: before.spot)
      tell(first)
      guard first.result.outcome == .unconfirmed else { return }
      let mayAskYet = first.result.mayAskYet(wasAnswered: after.wasAnswered)
      if case .dialog = first.result.question, mayAskYet {
        after.asked()
      } else {
        _ = after.endsQuestion()
      }
      let again: @Sendable (DragOutcome) -> Void = { [self] outcome in
        after.inTurn { await self.tellAgain(id, outcome, order, before, after, tell) }
      }
      after.open(again)
      guard mayAskYet, let spot = before.spot, let windows = after.start.windows else { return }
      await desktop.closing(of: spot.window, since: windows)
      again(.unknown)
    }
  }

  /// Tells of the end that a drop has come to after all.
  private func tellAgain(
    _ id: DeliveryID, _ outcome: DragOutcome, _ order: DeliveryOrder, _ before: Before,
    _ after: Aftermath, _ tell: @Sendable (End) -> Void
  ) async {
    after.follow(desktop, before.spot?.window)
    let last = Self.believed(
      await end(outcome, order, before, after, isLate: true), of: before.spot?.place, order,
      wasAsked: after.wasAsked)
    after.unfollow()
    // That nothing came of an answer is no end: it may come yet. But no question is left without it.
    let isNew = last.result.outcome == .unconfirmed ? after.endsQuestion() : after.end()
    guard isNew else { return }
    if newest.withLock({ $0 == id }) {
      await noteView(of: order.stop.point, before, isRecorded: last.entry != nil)
    }
    tell(last)
  }

  /// What is told of an end: a program that says yes to everything has said nothing with that it took
  /// the data, where nothing of it is seen.
  ///
  /// - Parameter wasAsked: whether it has asked the person about the drop: then its word is an answer.
  static func believed(
    _ end: End, of place: Place?, _ order: DeliveryOrder, wasAsked: Bool
  ) -> End {
    guard end.result.outcome == .delivered, !end.result.verified else { return end }
    guard place?.traits.mayAccept == true, !wasAsked else {
      var told = end
      // Words and pictures are copied by being taken; a file may only be shown.
      told.result.isTakenAlone =
        !end.result.isPathsAlone && [.copy, .move, .link].contains(order.operation)
        && order.items.allSatisfy { [.file, .folder].contains($0.kind) }
      return told
    }
    var result = failure(order, .unconfirmed, .unknown)
    result.route = end.result.route
    return (result, end.entry)
  }

  /// `false` when it is none of ours. What a program has been given can't be taken out of its hands.
  func cancel(_ id: DeliveryID) -> Bool { running.cancel(id) }

  /// Where the effect of a drop is, in the windows; `nil` where it has left none.
  func landing(of id: DeliveryID) -> LandedDrops.Landing? { landed[id] }

  /// - Throws: ``Reason/notResponding`` for a disk that hangs: what becomes of a drop could not be
  ///   seen, and a program that tried it would hang too.
  private func look(at order: DeliveryOrder) async throws(Reason) -> Before {
    let point = order.stop.point
    var before = Before(turn: turns.withLock(\.self))
    before.spot = await desktop.spot(point)
    if let folder = await desktop.shownFolder(point) {
      before.expected = try await goods.expect(order.items, order.operation, in: folder)
    } else if let place = before.spot?.place, place.traits.destination == .trash,
      order.operation == .move
    {
      before.expected = try await goods.expectTrashed(order.items, in: place.name)
    }
    if before.expected == nil { before.view = await desktop.view(of: point) }
    return before
  }

  /// What there was when a drop had its turn: what others have brought since it was looked is not of
  /// this one.
  func atTurn(_ before: Before, _ order: DeliveryOrder) async throws(Reason) -> Before {
    let others = turns.withLock { count in
      defer { count += 1 }
      return count
    }
    var now = others == before.turn ? before : try await look(at: order)
    now.turn = others + 1
    return now
  }

  /// Also gives what there was before it.
  private func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder, _ after: Aftermath,
    _ progress: @escaping @Sendable (_ bytes: Int, _ total: Int) -> Void
  ) async -> (End, Before) {
    var before: Before
    do throws(Reason) { before = try await look(at: order) } catch {
      // Nothing has been sent, and nothing is.
      return ((Self.failure(order, .refused, error), nil), Before())
    }
    if running.isCancelled(id) {
      return ((Self.failure(order, .cancelled, .interrupted), nil), before)
    }
    var end = await byRoute(id, order, &before, after, progress)
    if running.isCancelled(id), [.refused, .failed].contains(end.result.outcome) {
      end.result = Self.failure(order, .cancelled, .interrupted)
    }
    // What was not taken leaves the last drop what it was.
    if ![.refused, .failed, .cancelled].contains(end.result.outcome) {
      await noteView(of: order.stop.point, before, isRecorded: end.entry != nil)
    }
    return (end, before)
  }

  private func byRoute(
    _ id: DeliveryID, _ order: DeliveryOrder, _ before: inout Before, _ after: Aftermath,
    _ progress: @escaping @Sendable (_ bytes: Int, _ total: Int) -> Void
  ) async -> End {
    guard let spot = before.spot else { return await byDrag(id, order, &before, after, progress) }
    switch routes.route(to: spot, order) {
    case .menu:
      running.give(id)
      return await byMenu(order, spot, &before)
    case .pointer:
      running.give(id)
      return (await byPointer(order, spot, &before), nil)
    case .files, .process, .peer, .xdnd: break
    }
    let end = await byDrag(id, order, &before, after, progress)
    // What took nothing may still have another way in. Into a folder it may be on its way yet, under
    // another name or after a question of the program's own; and what was answered stands.
    guard before.expected == nil || end.result.outcome != .unconfirmed, end.result.hasLeftNothing,
      !after.wasAsked, order.operation == .copy, !running.isCancelled(id),
      await routes.menu.canStandIn(at: spot)
    else { return end }
    return await byMenu(order, spot, &before)
  }

  private func noteView(of point: DropPointID, _ before: Before, isRecorded: Bool) async {
    guard let spot = before.spot, !isRecorded, await desktop.offers(.undo, in: spot.window) else {
      return undo.note(nil)
    }
    // Where nothing of it is seen, the program's Undo would take back something else.
    let after = await desktop.view(of: point)
    guard !before.view.shows(after) else { return undo.note(nil) }
    undo.note(
      ProgramUndo.Seen(point: point, window: spot.window, before: before.view, after: after))
  }

  private func byDrag(
    _ id: DeliveryID, _ order: DeliveryOrder, _ before: inout Before, _ after: Aftermath,
    _ progress: @escaping @Sendable (_ bytes: Int, _ total: Int) -> Void
  ) async -> End {
    defer { after.unfollow() }
    let first = before
    do throws(Reason) {
      let (outcome, start) = try await asking.drop(order) { () async throws(Reason) -> Before in
        let start = try await self.atTurn(first, order)
        // What opens before its turn is about another one.
        await after.begin(self.desktop, start.spot?.window)
        return start
      } send: { [running] drag in
        running.send(id, drag)
      } progress: {
        progress($0, $1)
      } late: {
        after.take($0)
      }
      running.give(id)
      before = start
      return await end(outcome, order, start, after, isLate: false)
    } catch {
      return (Self.failure(order, .refused, error), nil)
    }
  }

  /// What came of a drop, by what the program says and by what is seen.
  ///
  /// - Parameter isLate: whether an end has been told before.
  private func end(
    _ outcome: DragOutcome, _ order: DeliveryOrder, _ before: Before, _ after: Aftermath,
    isLate: Bool
  ) async -> End {
    while true {
      let seen = await seen(outcome, order, before, after)
      let end =
        after.wasAsked
        ? await answered(seen, outcome, order, before, after, isLate: isLate)
        : await withWindow(seen.end, order, before, after)
      // One answer may lead to the next question.
      guard end.result.outcome == .unconfirmed, after.isAsking else { return end }
    }
  }

  /// What came of a drop that the program has asked about.
  private func answered(
    _ seen: Seen, _ said: DragOutcome, _ order: DeliveryOrder, _ before: Before,
    _ after: Aftermath, isLate: Bool
  ) async -> End {
    guard seen.end.result.isOpen else { return seen.end }
    // What lies in a folder has been waited for.
    let spot = before.expected == nil ? before.spot : nil
    let wanted = await spot == nil ? [] : words(of: order.items)
    var isNothing = seen.isNothing
    var end = ContinuousClock.now + (spot == nil ? .zero : Self.patience.long)
    repeat {
      if let spot {
        let old = before.view.sight
        let now = await look(at: spot, order.stop.point, wanted: wanted, since: old)
        if now.effect == .landed { return (Self.result(.landed, said, order), nil) }
        // A file of text is in a document by its contents, which are not known here. Later on it may
        // be anyone's.
        if !isLate, let text = old.text, let new = now.sight.text, new != text {
          return (Self.success(order, order.items.count, isVerified: false), nil)
        }
        isNothing = now.isMissing(since: old, at: spot.place)
      }
      // It may have been opened instead, in a window of its own or in place of an empty document.
      let known = after.start.titles
      let titles = await desktop.titles(around: before.spot?.window)
      let opened = titles.first { title in
        !known.contains(title) && order.items.contains { title.contains($0.name) }
      }
      if let opened { return (Self.asked(.window(opened), order), nil) }
      try? await Task.sleep(for: Self.pause)
      if spot != nil, after.isAsking { end = .now + Self.patience.long }
    } while ContinuousClock.now < end
    let result = Self.answered(seen.end.result, said, isNothing: isNothing, order)
    return (result, seen.end.entry)
  }

  /// What is told of a drop whose question was answered, where nothing of it is seen.
  ///
  /// - Parameter isNothing: whether it would be seen if it were there. Where that is not known, nor is
  ///   what came of it: the program's word is from before the answer.
  static func answered(
    _ result: DeliveryResult, _ said: DragOutcome, isNothing: Bool, _ order: DeliveryOrder
  ) -> DeliveryResult {
    guard result.isOpen else { return result }
    switch said {
    // Where everything is what it was, the answer may have been no.
    case .delivered where isNothing, .unknown where isNothing: return asked(.answered, order)
    case .delivered, .unknown, .refused, .failed, .gone: break
    }
    return result.outcome == .unconfirmed ? result : failure(order, .unconfirmed, .unknown)
  }

  private static func asked(
    _ question: ProgramQuestion, _ order: DeliveryOrder
  ) -> DeliveryResult {
    var asked = failure(order, .unconfirmed, .unknown)
    asked.question = question
    return asked
  }

  /// A program that has opened a window may ask there what to do: that it has the data is no word
  /// about what came of it.
  private func withWindow(
    _ end: End, _ order: DeliveryOrder, _ before: Before, _ after: Aftermath
  ) async -> End {
    guard end.result.isOpen, let spot = before.spot, let windows = after.start.windows,
      let opened = await desktop.opened(by: spot.window, since: windows),
      // What bears the name of what was dropped shows it, unless it is waited for.
      opened.isAwaited || opened.isDialog
        || !opened.title.isEmpty && !order.items.contains(where: { opened.title.contains($0.name) })
    else { return end }
    let asks = opened.isAwaited || opened.isDialog
    return (Self.asked(asks ? .dialog(opened.title) : .window(opened.title), order), nil)
  }

  private func seen(
    _ outcome: DragOutcome, _ order: DeliveryOrder, _ before: Before, _ after: Aftermath
  ) async -> Seen {
    if let expected = before.expected { return await landed(outcome, order, expected, after) }
    switch outcome {
    case .refused, .failed, .gone: return Seen(end: (Self.result(.unseen, outcome, order), nil))
    case .delivered, .unknown: break
    }
    guard let spot = before.spot else {
      return Seen(end: (Self.result(.unseen, outcome, order), nil))
    }
    let effect = await effect(
      on: spot, order.stop.point, of: order, since: before.view.sight, after)
    return Seen(end: (Self.result(effect, outcome, order), nil))
  }

  // MARK: What is seen in the window

  /// How long a window is looked at after a drop where it should show, and where it need not.
  private static let patience = (long: Duration.seconds(2), short: Duration.milliseconds(400))
  private static let pause = Duration.milliseconds(100)

  func effect(
    on spot: Desktop.Spot, _ point: DropPointID, of order: DeliveryOrder,
    since before: DropEffect.Sight, _ after: Aftermath? = nil
  ) async -> DropEffect {
    let place = spot.place
    let wanted = await words(of: order.items)
    let isShown = DropEffect.canShow(before, at: place)
    var end = ContinuousClock.now + (isShown ? Self.patience.long : Self.patience.short)
    var effect = DropEffect.unseen
    repeat {
      try? await Task.sleep(for: Self.pause)
      if after?.isAsking == true {
        end = .now + Self.patience.long
        continue
      }
      let now = await look(at: spot, point, wanted: wanted, since: before)
      if !now.isThere { return now.effect }
      effect = now.effect
    } while effect != .landed && ContinuousClock.now < end
    return effect
  }

  /// What is seen of a drop at one moment.
  struct Look: Sendable {
    var effect: DropEffect
    var sight: DropEffect.Sight
    /// Whether the place is still there.
    var isThere: Bool

    /// Whether it would be seen if it were there: by what was seen before, and by what is seen now.
    func isMissing(since before: DropEffect.Sight, at place: Place) -> Bool {
      effect == .missing && isThere && DropEffect.canShow(before, at: place)
        && DropEffect.canShow(sight, at: place)
    }
  }

  private func look(
    at spot: Desktop.Spot, _ point: DropPointID, wanted: [String], since before: DropEffect.Sight
  ) async -> Look {
    let isThere = await desktop.spot(point) != nil
    let sight = await desktop.sight(of: spot)
    let effect = DropEffect(from: before, to: sight, at: spot.place, wanted: wanted)
    // A place that is gone was replaced by what was dropped, or its window was closed.
    let isKnown = isThere || [.landed, .missing].contains(effect)
    return Look(effect: isKnown ? effect : .unseen, sight: sight, isThere: isThere)
  }

  /// What of it could be read at the target: names, links, text.
  private func words(of items: [DragItem]) async -> [String] {
    var words = items.prefix(Self.mostNames).map(\.name)
    let forms = await goods.given(of: items)
    for form in forms where Self.readable.contains(form.contentType) {
      guard let bytes = await form.bytes() else { continue }
      let text = String(decoding: bytes.prefix(Self.mostBytes), as: UTF8.self)
      if form.contentType == Self.readable[0] {
        words += text.split(whereSeparator: \.isNewline).prefix(Self.mostNames).map(String.init)
      } else {
        words.append(text)
      }
    }
    return words
  }

  private static let readable = ["text/uri-list", "text/plain;charset=utf-8"]
  private static let mostBytes = 65_536
  /// Of more things than this the first are looked for.
  private static let mostNames = 100

  static func result(
    _ effect: DropEffect, _ said: DragOutcome, _ order: DeliveryOrder
  ) -> DeliveryResult {
    let (outcome, isVerified) = effect.outcome(after: said)
    if outcome == .delivered {
      var result = success(order, order.items.count, isVerified: isVerified)
      if case .delivered(_, asPaths: true) = said { result.isPathsAlone = true }
      return result
    }
    let reason: Reason =
      switch said {
      case .refused: .notTaken
      case .failed: .programFailed
      case .gone: .gone
      case .unknown: .notResponding
      case .delivered: .unknown
      }
    return failure(order, outcome, reason)
  }

  // MARK: What lies in the folder

  func result(
    of outcome: DragOutcome, _ order: DeliveryOrder, _ expected: any ExpectedLanding
  ) async -> End {
    await landed(outcome, order, expected).end
  }

  private func landed(
    _ outcome: DragOutcome, _ order: DeliveryOrder, _ expected: any ExpectedLanding,
    _ after: Aftermath? = nil
  ) async -> Seen {
    switch outcome {
    case .refused, .failed: return Seen(end: (Self.result(.unseen, outcome, order), nil))
    case .delivered, .unknown, .gone: break
    }
    // What lies in the folder counts, whatever the program says.
    guard let report = await expected.check(isAsking: { after?.isAsking == true }) else {
      return Seen(end: (Self.failure(order, .unconfirmed, .notResponding), nil))
    }
    return Seen(end: Self.result(of: report, order), isNothing: report.isCertainlyNothing)
  }

  private static func result(of report: LandingReport, _ order: DeliveryOrder) -> End {
    if report.landed == order.items.count {
      var result = success(order, report.landed, isVerified: report.isVerified)
      result.bytes = report.bytes
      result.totalBytes = report.bytes
      result.renamed = report.renamed
      return (result, report.entry)
    }
    if report.landed == 0 { return (failure(order, .unconfirmed, .unknown), nil) }
    let result = DeliveryResult(
      outcome: .partly, route: .xdnd, delivered: report.landed, failures: report.missing,
      bytes: report.bytes, verified: report.isVerified)
    return (result, report.entry)
  }

  private static func success(
    _ order: DeliveryOrder, _ count: Int, isVerified: Bool
  ) -> DeliveryResult {
    DeliveryResult(outcome: .delivered, route: .xdnd, delivered: count, verified: isVerified)
  }

  static func failure(
    _ order: DeliveryOrder, _ outcome: DeliveryOutcome, _ reason: Reason
  ) -> DeliveryResult {
    DeliveryResult(
      outcome: outcome, route: .xdnd, delivered: 0,
      failures: order.items.map { DeliveryFailure(name: $0.name, reason: reason) })
  }
}
