import KeyDragCore
import Synchronization

/// Carries out drops into running programs, and finds out what became of them.
///
/// Each drop goes through: a look at what is there, one route, a look at what has come. What is
/// told is what was seen; a program's own word counts for less, and its silence for nothing. Owned
/// by ``DesktopWorld``. Safe from any thread; each drop is a task of its own.
final class Delivering: Sendable {
  let desktop: Desktop
  let asking: Asking
  let routes: Routes
  let goods: CarriedGoods
  /// Follows what the program's own Undo would take back.
  private let undo: ProgramUndo
  /// Deliveries that may still be cancelled, or are at least asked to be.
  private let running = RunningDrops()
  /// By delivery; the newest only.
  private let landed = LandedDrops()
  /// The drop that was taken last: only that one's effect stands for the program's Undo.
  private let newest = Mutex<DeliveryID?>(nil)
  /// Of the newest drops, what may come after them.
  private let aftermaths = Mutex<[(id: DeliveryID, after: Aftermath)]>([])
  /// Older ones are forgotten: a late end is not told any more.
  private static let mostAftermaths = 16
  /// How many drops have had their turn.
  ///
  /// Drops of which the look began before another had its turn look again.
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

  /// The state before a drop, by which its effect is seen after it.
  struct Before: Sendable {
    /// How many drops had had their turn by then.
    var turn = 0
    /// `nil` where the place was gone by then.
    var spot: Desktop.Spot?
    /// `nil` where no folder can be looked into.
    var expected: (any ExpectedLanding)?
    /// The window's contents, where no folder on the disk decides.
    var view = ProgramUndo.View()
  }

  /// The outcome of a drop, as far as it is seen.
  struct Seen: Sendable {
    var end: End
    /// Whether it is certain that nothing of it is there.
    var isNothing = false
  }

  /// How a drop ended, and the history's number for it; `nil` where the history does not know of
  /// it.
  typealias End = (result: DeliveryResult, entry: Int64?)

  /// Returns at once. `tell` gets `started`, then progress, and one `finished`; a second one where
  /// the first was unconfirmed.
  ///
  /// - Parameter onEnd: called before the end is told, with what the place is called and whether no
  ///   other drop came after this one. Where the end is not known it is called again once it is.
  func take(
    _ id: DeliveryID, _ order: DeliveryOrder,
    onEnd: @escaping @Sendable (End, _ place: String, _ isNewest: Bool) -> Void,
    _ tell: @escaping DeliveryReceiver
  ) {
    running.begin(id) { tell(.goesOn) }
    newest.withLock { $0 = id }
    let bytes = order.items.map(\.byteCount).byteTotal
    tell(.started(DeliveryProgress(bytesTotal: bytes)))
    Task {
      let place = await desktop.target(of: order.stop.point)
      let end: @Sendable (End) -> Void = { [self] ended in
        running.end(id)
        onEnd(ended, place, newest.withLock { $0 == id })
        tell(.finished(ended.result))
      }
      let after = Aftermath { tell(.asks($0)) }
      keep(after, of: id)
      let (said, before) = await deliver(id, order, after) { bytes, total in
        let progress = DeliveryProgress(bytesDone: Int64(bytes), bytesTotal: Int64(total))
        tell(.progressed(progress))
      }
      let first = await told(said, order, before, after)
      landed.note(id, order, first.result, at: before.spot)
      end(first)
      guard first.result.outcome == .unconfirmed else { return }
      let mayAskYet = first.result.mayAskYet(wasAnswered: after.wasAnswered)
      if case .dialog = first.result.question, mayAskYet {
        after.asked()
      } else {
        _ = after.endsQuestion()
      }
      let again: @Sendable (DragOutcome) -> Void = { [self] outcome in
        after.inTurn { await self.tellAgain(id, outcome, order, before, after, end) }
      }
      after.open(again)
      guard mayAskYet, let spot = before.spot, let windows = after.start.windows else { return }
      await desktop.closing(of: spot.window, since: windows)
      again(.unknown)
    }
  }

  /// The oldest goes when there are too many.
  private func keep(_ after: Aftermath, of id: DeliveryID) {
    aftermaths.withLock { aftermaths in
      aftermaths.append((id, after))
      if aftermaths.count > Self.mostAftermaths { aftermaths.removeFirst() }
    }
  }

  /// The window in which a program asks about a drop; `nil` where it has not asked.
  func questionWindow(of id: DeliveryID) -> WindowID? {
    aftermaths.withLock { $0.last { $0.id == id } }?.after.questionWindow
  }

  /// Tells of the end that a drop has come to after all.
  private func tellAgain(
    _ id: DeliveryID, _ outcome: DragOutcome, _ order: DeliveryOrder, _ before: Before,
    _ after: Aftermath, _ tell: @Sendable (End) -> Void
  ) async {
    after.follow(desktop, before.spot?.window)
    let last = await told(
      await end(outcome, order, before, after, isLate: true), order, before, after)
    after.unfollow()
    // That nothing came of an answer is no end: it may come yet. But no question is left without
    // it.
    let isNew = last.result.outcome == .unconfirmed ? after.endsQuestion() : after.end()
    guard isNew else { return }
    if newest.withLock({ $0 == id }) {
      await noteView(of: order.stop.point, before, last)
    }
    tell(last)
  }

  /// The end as it is told. Where it is not known, whatever has left its place is told besides: the
  /// program may have moved it.
  private func told(
    _ end: End, _ order: DeliveryOrder, _ before: Before, _ after: Aftermath
  ) async -> End {
    var told = Self.believed(end, of: before.spot?.place, wasAsked: after.wasAsked)
    guard told.result.outcome == .unconfirmed, order.items.holdFiles else { return told }
    let gone = await goods.gone(of: order.items)
    let reason = told.result.failures.first?.reason ?? .unknown
    told.result.failures = order.items.map { item in
      DeliveryFailure(name: item.name, reason: gone.contains(item.source) ? .gone : reason)
    }
    return told
  }

  /// A program that says yes to everything has said nothing by taking the data.
  ///
  /// - Parameter wasAsked: whether it has asked the person about the drop: then its word is an
  ///   answer.
  static func believed(_ end: End, of place: Place?, wasAsked: Bool) -> End {
    guard end.result.effect == .taken, place?.traits.mayAccept == true, !wasAsked else {
      return end
    }
    var end = end
    end.result.effect = .ordered
    return end
  }

  /// `false` when it is none of ours. What a program has been given can't be taken out of its
  /// hands.
  func cancel(_ id: DeliveryID) -> Bool { running.cancel(id) }

  /// A drop that is not carried out here comes after all that are.
  func noteNewest(_ id: DeliveryID) { newest.withLock { $0 = id } }

  /// Notes where a drop has landed that was not carried out here.
  func noteLanding(_ id: DeliveryID, _ order: DeliveryOrder, _ result: DeliveryResult) async {
    landed.note(id, order, result, at: await desktop.spot(order.stop.point))
  }

  /// The place of a drop's effect, in the windows; `nil` where it has left none.
  func landing(of id: DeliveryID) -> LandedDrops.Landing? { landed[id] }

  /// - Throws: ``Reason/notResponding`` for a disk that hangs: what becomes of a drop could not be
  ///   seen, and a program that tried it would hang too.
  private func look(at order: DeliveryOrder) async throws(Reason) -> Before {
    let point = order.stop.point
    var before = Before(turn: turns.withLock(\.self))
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
    if before.expected?.isDecisive != true { before.view = await desktop.view(of: point) }
    return before
  }

  /// The state when a drop had its turn: effects of other drops that came after the first look are
  /// not of this one.
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
    // A drop that was not taken leaves the last one in force.
    if ![.refused, .failed, .cancelled].contains(end.result.outcome) {
      await noteView(of: order.stop.point, before, end)
    }
    return (end, before)
  }

  /// Takes the one route that is meant for the place: what was given to a program can't be called
  /// back.
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
    var end = await byDrag(id, order, &before, after, progress)
    // One drop takes one route: another one is offered, and needs a drop of its own.
    if end.result.isUntouchedRefusal, order.operation == .copy, !after.wasAsked,
      await routes.offerMenu(at: spot, order)
    {
      end.result.failures = order.items.map { DeliveryFailure(name: $0.name, reason: .pasteLeft) }
    }
    return end
  }

  /// Notes what the program's own Undo would take back from now on, if that can be told.
  private func noteView(of point: DropPointID, _ before: Before, _ end: End) async {
    // No program's Undo closes what was opened: it would take back something else.
    let isUndoable = end.entry == nil && end.result.effect.operation != .open
    guard let spot = before.spot, isUndoable, await desktop.offers(.undo, in: spot.window) else {
      return undo.note(nil)
    }
    // A drop of which nothing is seen: the program's Undo would take back something else.
    let after = await desktop.view(of: point)
    guard !before.view.shows(after) else { return undo.note(nil) }
    undo.note(
      ProgramUndo.Seen(point: point, window: spot.window, before: before.view, after: after))
  }

  /// By XDND. What throws before the drop is a refusal: nothing was sent.
  private func byDrag(
    _ id: DeliveryID, _ order: DeliveryOrder, _ before: inout Before, _ after: Aftermath,
    _ progress: @escaping @Sendable (_ bytes: Int, _ total: Int) -> Void
  ) async -> End {
    defer { after.unfollow() }
    let first = before
    do throws(Reason) {
      let (outcome, start) = try await asking.drop(order) { () async throws(Reason) -> Before in
        let start = try await self.atTurn(first, order)
        // A window that opens before its turn is about another drop.
        await after.begin(
          self.desktop, start.spot?.window, order.items.prefix(DropEffect.mostItems).map(\.name))
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
      return await end(outcome, order, start, after, isLate: false)
    } catch {
      return (Self.failure(order, .refused, error), nil)
    }
  }

  /// The end of a drop, by the program's word and by the effects that are seen.
  ///
  /// - Parameter isLate: whether an end has been told before.
  private func end(
    _ outcome: DragOutcome, _ order: DeliveryOrder, _ before: Before, _ after: Aftermath,
    isLate: Bool
  ) async -> End {
    while true {
      let seen = await seen(outcome, order, before, after)
      var end = seen.end
      if end.result.outcome == .unconfirmed {
        end =
          after.wasAsked
          ? await answered(seen, outcome, order, before, after, isLate: isLate)
          : await withWindow(end, order, before, after)
      }
      // One answer may lead to the next question.
      guard end.result.outcome == .unconfirmed, after.isAsking else { return end }
    }
  }

  /// The end of a drop that the program has asked about.
  private func answered(
    _ seen: Seen, _ said: DragOutcome, _ order: DeliveryOrder, _ before: Before,
    _ after: Aftermath, isLate: Bool
  ) async -> End {
    // Files in a folder have been waited for.
    let spot = before.expected?.isDecisive == true ? nil : before.spot
    let wanted = await spot == nil ? DropEffect.Wanted() : wanted(of: order.items)
    var isNothing = seen.isNothing
    let time = desktop.clock.stopwatch()
    var end = spot == nil ? .zero : Self.patience.long
    repeat {
      // It may have been opened instead, in a window of its own or in place of an empty document.
      if let opened = await opened(order, before, after) { return (opened, nil) }
      if let spot {
        let old = before.view.sight
        let now = await look(at: spot, order.stop.point, wanted: wanted, since: old)
        if case .landed = now.effect {
          let result = await result(now.effect, said, order, at: spot)
          return (await located(result, at: spot, since: before), nil)
        }
        isNothing = now.isMissing(since: old, at: spot.place)
      }
      try? await desktop.clock.sleep(for: Self.pause)
      if spot != nil, after.isAsking { end = time() + Self.patience.long }
    } while time() < end
    // It may ask once more, in a window for which none of its others waits.
    if let asked = await asked(order, before, after) { return (asked, nil) }
    // A program that is gone was answered by nobody.
    if let window = before.spot?.window, await desktop.refreshFacts(of: window) == nil {
      return (Self.failure(order, .unconfirmed, .programEnded), seen.end.entry)
    }
    var result = Self.answered(seen.end.result, said, isNothing: isNothing, order)
    if after.isWordEarly, result.effect == .taken { result.effect = .ordered }
    // A dialog that leaves no choice has told what came of it.
    if result.question == nil, let words = after.words {
      return (Self.asked(.tells(words, window: ""), order), nil)
    }
    return (result, seen.end.entry)
  }

  /// The result that is told of a drop whose question was answered, where nothing of it is seen.
  ///
  /// - Parameter isNothing: whether it would be seen if it were there. Where that is not known, nor
  ///   is what came of it: the program's word is from before the answer.
  static func answered(
    _ result: DeliveryResult, _ said: DragOutcome, isNothing: Bool, _ order: DeliveryOrder
  ) -> DeliveryResult {
    guard result.outcome == .unconfirmed else { return result }
    switch said {
    // Everything is as it was, and the answer may have been no.
    case .delivered where isNothing, .unknown where isNothing: return asked(.answered, order)
    case .delivered, .unknown, .refused, .failed, .doubtful, .gone: return result
    }
  }

  /// An unconfirmed end, with the question that is open.
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
    if let opened = await opened(order, before, after) { return (opened, nil) }
    if let asked = await asked(order, before, after) { return (asked, nil) }
    guard let spot = before.spot else { return end }
    let opened = await desktop.opened(by: spot.window, since: after.start)?.title ?? ""
    let title =
      opened.isEmpty
      ? await desktop.newWindow(beside: spot.window, since: after.start) ?? "" : opened
    if let words = await desktop.words(
      beside: spot.window, since: after.start, besides: before.view.sight.things)
    {
      return (Self.asked(.tells(words, window: title), order), nil)
    }
    return title.isEmpty ? end : (Self.asked(.window(title), order), nil)
  }

  /// The end of a drop about which a program asks in a dialog; `nil` where it has none open.
  private func asked(
    _ order: DeliveryOrder, _ before: Before, _ after: Aftermath
  ) async -> DeliveryResult? {
    guard let spot = before.spot,
      let opened = await desktop.opened(by: spot.window, since: after.start),
      opened.isAwaited || opened.isDialog
    else { return nil }
    after.note(dialog: opened.id)
    return Self.asked(.dialog(opened.title, hasKeyboard: opened.hasKeyboard), order)
  }

  /// The end of a drop that a program has opened as a document; `nil` where none bears its name.
  private func opened(
    _ order: DeliveryOrder, _ before: Before, _ after: Aftermath
  ) async -> DeliveryResult? {
    guard let spot = before.spot, order.items.holdFiles,
      order.items.count == after.start.names.count,
      await desktop.hasDocument(
        called: after.start.names, around: spot.window, since: after.start)
    else { return nil }
    return await result(.landed(.document), .unknown, order, at: spot)
  }

  /// The end by what is seen, without windows that the program may have opened.
  private func seen(
    _ outcome: DragOutcome, _ order: DeliveryOrder, _ before: Before, _ after: Aftermath
  ) async -> Seen {
    switch outcome {
    case .refused, .failed, .gone:
      return Seen(end: (await result(.unseen, outcome, order, at: before.spot), nil))
    case .delivered, .doubtful, .unknown: break
    }
    if let expected = before.expected {
      let seen = await landed(outcome, order, expected, after)
      if expected.isDecisive || seen.end.result.delivered > 0 { return seen }
    }
    guard let spot = before.spot else {
      return Seen(end: (await result(.unseen, outcome, order, at: nil), nil))
    }
    let effect = await effect(
      on: spot, order.stop.point, of: order, since: before, after)
    let result = await result(effect, outcome, order, at: spot)
    return Seen(end: (await located(result, at: spot, since: before), nil))
  }

  // MARK: What is seen in the window

  /// How long a window is looked at after a drop where it should show, and where it need not.
  private static let patience = (long: Duration.seconds(2), short: Duration.milliseconds(400))
  private static let pause = Duration.milliseconds(100)

  /// Looks each 0.1 s: for 2 s where it would show, for 0.4 s elsewhere, and as long as the program
  /// asks something.
  func effect(
    on spot: Desktop.Spot, _ point: DropPointID, of order: DeliveryOrder,
    since before: Before, _ after: Aftermath? = nil
  ) async -> DropEffect {
    let sight = before.view.sight
    let wanted = await wanted(of: order.items)
    // A program takes its time to open a file.
    let isShown = DropEffect.canShow(sight, at: spot.place) || order.items.holdFiles
    let time = desktop.clock.stopwatch()
    var end = isShown ? Self.patience.long : Self.patience.short
    var effect = DropEffect.unseen
    repeat {
      try? await desktop.clock.sleep(for: Self.pause)
      if after?.isAsking == true {
        end = time() + Self.patience.long
        continue
      }
      if let after, await opened(order, before, after) != nil { return .landed(.document) }
      let now = await look(at: spot, point, wanted: wanted, since: sight)
      if !now.isThere, after == nil { return now.effect }
      effect = now.effect
      if effect == .landed(.document),
        await desktop.hasNotice(about: wanted.names, in: spot.window)
      {
        effect = .changed
      }
      if case .landed = effect { return effect }
    } while time() < end
    return effect
  }

  /// A snapshot of the visible effects of a drop.
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

  /// One look at the place, compared with the one before the drop.
  private func look(
    at spot: Desktop.Spot, _ point: DropPointID, wanted: DropEffect.Wanted,
    since before: DropEffect.Sight
  ) async -> Look {
    let isThere = await desktop.spot(point) != nil
    let sight = await desktop.sight(of: spot)
    var effect = DropEffect(from: before, to: sight, at: spot.place, wanted: wanted)
    // A place that is gone was replaced by what was dropped, or its window was closed.
    if !isThere, effect == .changed { effect = .unseen }
    return Look(effect: effect, sight: sight, isThere: isThere)
  }

  /// - Parameter spot: where the drop was; `nil` where that is not known.
  func result(
    _ effect: DropEffect, _ said: DragOutcome, _ order: DeliveryOrder, at spot: Desktop.Spot?
  ) async -> DeliveryResult {
    guard case .landed = effect, let spot else { return Self.result(effect, said, order) }
    let isSourceThere = await goods.gone(of: order.items).isEmpty
    let program = await desktop.window(spot.window)?.descriptor.app ?? ""
    return Self.result(effect, said, order, program: program, isSourceThere: isSourceThere)
  }

  /// The result by the word of the program and by the effect that is seen.
  ///
  /// - Parameters:
  ///   - program: the name of the program, safe to speak.
  ///   - isSourceThere: whether what was carried is still where it was.
  static func result(
    _ effect: DropEffect, _ said: DragOutcome, _ order: DeliveryOrder, program: String = "",
    isSourceThere: Bool = true
  ) -> DeliveryResult {
    switch (effect.outcome(after: said), effect) {
    case (.delivered, .landed(let form)):
      var result = success(order, order.items.count, isVerified: true)
      switch form {
      case .item: result.effect = transferred(order, said, isSourceThere: isSourceThere)
      case .path: result.effect = .pathsWritten
      case .document: result.effect = .opened(program: program)
      }
      return result.effect == .taken ? taken(order) : result
    case (.unconfirmed, .changed), (.unconfirmed, .unseen):
      if case .delivered = said { return taken(order) }
    default: break
    }
    let reason: Reason =
      switch said {
      case .refused(let reason), .doubtful(let reason): reason
      case .failed: .programFailed
      case .gone: .programEnded
      case .unknown: .notResponding
      case .delivered: .unknown
      }
    return failure(order, effect.outcome(after: said), reason)
  }

  /// The operation performed on items of which only names are seen at the target: files that are
  /// gone were moved, those that are there were not. A link looks like a copy.
  private static func transferred(
    _ order: DeliveryOrder, _ said: DragOutcome, isSourceThere: Bool
  ) -> DeliveryEffect {
    guard order.items.holdFiles else { return .ordered }
    switch order.operation {
    case .copy: return isSourceThere ? .ordered : .performed(.move)
    case .move: return isSourceThere ? .performed(.copy) : .ordered
    case .link: return said == .delivered(.link) && isSourceThere ? .ordered : .taken
    case .open, .remove: return .ordered
    }
  }

  /// The program has the data; nothing is seen of it.
  private static func taken(_ order: DeliveryOrder) -> DeliveryResult {
    var result = failure(order, .unconfirmed, .unknown)
    result.effect = .taken
    return result
  }
}
