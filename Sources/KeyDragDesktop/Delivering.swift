import KeyDragCore
import Synchronization

/// Carries out drops into running programs, and finds out what became of them.
final class Delivering: Sendable {
  let desktop: Desktop
  let asking: Asking
  let routes: Routes
  private let goods: CarriedGoods
  private let undo: ProgramUndo
  /// Deliveries that may still be cancelled.
  private let running = Mutex<[DeliveryID: Bool]>([:])
  private let newest = Mutex<DeliveryID?>(nil)

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
  private struct Before: Sendable {
    var spot: Desktop.Spot?
    /// `nil` where no folder can be looked into.
    var expected: (any ExpectedLanding)?
    var view = ProgramUndo.View()
    /// The windows that there were; `nil` where they are not known.
    var windows: Set<WindowID>?
    /// What the windows of the program were called.
    var titles: [String] = []
  }

  /// How a drop ended, and the history's number for it; `nil` where the history does not know of it.
  typealias End = (result: DeliveryResult, entry: Int64?)

  /// - Parameter onEnd: called before the end is told, with the history's number for it and what the
  ///   place is called. Where the end is not known it is called again once it is.
  func take(
    _ id: DeliveryID, _ order: DeliveryOrder,
    onEnd: @escaping @Sendable (DeliveryResult, _ entry: Int64?, _ place: String) -> Void,
    _ reply: @escaping @Sendable (WorldReport) -> Void
  ) {
    running.withLock { $0[id] = false }
    newest.withLock { $0 = id }
    let bytes = order.items.map(\.byteCount).byteTotal
    reply(.delivery(id, .started(DeliveryProgress(bytesTotal: bytes))))
    Task {
      let place = await desktop.target(of: order.stop.point)
      let tell: @Sendable (End) -> Void = { [self] end in
        running.withLock { $0[id] = nil }
        // Undo is about the newest drop, which this is not where another came between.
        if newest.withLock({ $0 == id }) { onEnd(end.result, end.entry, place) }
        reply(.delivery(id, .finished(end.result)))
      }
      let after = Aftermath { reply(.delivery(id, .asks($0))) }
      let before: Before
      let first: End
      do throws(Reason) {
        before = try await look(at: order)
        first = await deliver(id, order, before, after)
      } catch {
        // Nothing has been sent, and nothing is.
        before = Before()
        first = (Self.failure(order, .refused, error), nil)
      }
      tell(first)
      guard first.result.outcome == .unconfirmed else { return }
      let again: @Sendable (DragOutcome) -> Void = { [self] outcome in
        Task { await tellAgain(id, outcome, order, before, after, tell) }
      }
      after.open(again)
      guard case .window = first.result.question, let spot = before.spot,
        let windows = before.windows
      else { return }
      await desktop.closing(of: spot.window, since: windows)
      again(.unknown)
    }
  }

  /// Tells of the end that a drop has come to after all.
  private func tellAgain(
    _ id: DeliveryID, _ outcome: DragOutcome, _ order: DeliveryOrder, _ before: Before,
    _ after: Aftermath, _ tell: @Sendable (End) -> Void
  ) async {
    let questions = follow(after, before)
    let last = await end(outcome, order, before, after)
    questions?.cancel()
    guard last.result.outcome != .unconfirmed || last.result.question == .answered, after.end()
    else { return }
    if newest.withLock({ $0 == id }) {
      await noteView(of: order.stop.point, before, isRecorded: last.entry != nil)
    }
    tell(last)
  }

  /// `false` when it is none of ours. What a program has been given can't be taken out of its hands.
  func cancel(_ id: DeliveryID) -> Bool {
    running.withLock { running in
      guard running[id] != nil else { return false }
      running[id] = true
      return true
    }
  }

  private func isCancelled(_ id: DeliveryID) -> Bool { running.withLock { $0[id] == true } }

  /// - Throws: ``Reason/notResponding`` for a disk that hangs: what becomes of a drop could not be
  ///   seen, and a program that tried it would hang too.
  private func look(at order: DeliveryOrder) async throws(Reason) -> Before {
    let point = order.stop.point
    var before = Before(spot: await desktop.spot(point), windows: await desktop.windowsNow())
    before.titles = await desktop.titles(around: before.spot?.window)
    if let folder = await desktop.shownFolder(point) {
      before.expected = try await goods.expect(order.items, order.operation, in: folder)
    }
    if before.expected == nil { before.view = await desktop.view(of: point) }
    return before
  }

  private func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder, _ before: Before, _ after: Aftermath
  ) async -> End {
    if isCancelled(id) { return (Self.failure(order, .cancelled, .interrupted), nil) }
    let end = await byRoute(order, before, after)
    // What was not taken leaves the last drop what it was.
    if ![.refused, .failed, .cancelled].contains(end.result.outcome) {
      await noteView(of: order.stop.point, before, isRecorded: end.entry != nil)
    }
    return end
  }

  private func byRoute(
    _ order: DeliveryOrder, _ before: Before, _ after: Aftermath
  ) async -> End {
    guard let spot = before.spot else { return await byDrag(order, before, after) }
    switch routes.route(to: spot, order) {
    case .menu: return await byMenu(order, spot, before: before.view.sight, before.expected)
    case .pointer: return (await byPointer(order, spot, before: before.view), nil)
    case .files, .process, .peer, .xdnd: break
    }
    let end = await byDrag(order, before, after)
    // What took nothing may still have another way in. Into a folder it may be on its way yet, under
    // another name or after a question of the program's own.
    guard before.expected == nil || end.result.outcome != .unconfirmed, end.result.hasLeftNothing,
      order.operation == .copy,
      await routes.menu.canStandIn(at: spot)
    else { return end }
    return await byMenu(order, spot, before: before.view.sight, before.expected)
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
    _ order: DeliveryOrder, _ before: Before, _ after: Aftermath
  ) async -> End {
    do throws(Reason) {
      let questions = follow(after, before)
      defer { questions?.cancel() }
      let outcome = try await asking.drop(order) { after.take($0) }
      return await end(outcome, order, before, after)
    } catch {
      return (Self.failure(order, .refused, error), nil)
    }
  }

  /// What came of a drop, by what the program says and by what is seen.
  private func end(
    _ outcome: DragOutcome, _ order: DeliveryOrder, _ before: Before, _ after: Aftermath
  ) async -> End {
    let end = await seen(outcome, order, before, after)
    if after.wasAsked, end.result.outcome == .unconfirmed || !end.result.verified {
      return (await answered(order, before), nil)
    }
    return await withWindow(end, order, before)
  }

  /// What came of a drop that the program has asked about, where it is not seen itself.
  private func answered(_ order: DeliveryOrder, _ before: Before) async -> DeliveryResult {
    // What lies in a folder has been waited for.
    let end = ContinuousClock.now + (before.expected == nil ? Self.patience.long : .zero)
    repeat {
      // A file of text is in a document by its contents, which are not known here.
      if await hasNewText(before) {
        return Self.success(order, order.items.count, isVerified: false)
      }
      // It may have been opened instead, in a window of its own or in place of an empty document.
      let titles = await desktop.titles(around: before.spot?.window)
      let opened = titles.first { title in
        !before.titles.contains(title) && order.items.contains { title.contains($0.name) }
      }
      if let opened { return Self.asked(.window(opened), order) }
      try? await Task.sleep(for: Self.pause)
    } while ContinuousClock.now < end
    // Where everything is what it was, the answer may have been no.
    return Self.asked(.answered, order)
  }

  private func hasNewText(_ before: Before) async -> Bool {
    guard let spot = before.spot, let text = before.view.sight.text else { return false }
    return await desktop.sight(of: spot).text.map { $0 != text } ?? false
  }

  private func follow(_ after: Aftermath, _ before: Before) -> Task<Void, Never>? {
    guard let spot = before.spot, let windows = before.windows else { return nil }
    return Task { [desktop] in await after.follow(desktop, spot.window, since: windows) }
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
  private func withWindow(_ end: End, _ order: DeliveryOrder, _ before: Before) async -> End {
    let result = end.result
    guard result.outcome == .unconfirmed || result.outcome == .delivered && !result.verified,
      let spot = before.spot, let windows = before.windows,
      let opened = await desktop.opened(by: spot.window, since: windows),
      // What bears the name of what was dropped shows it, unless it is waited for.
      opened.isAwaited || !order.items.contains(where: { opened.title.contains($0.name) })
    else { return end }
    return (Self.asked(.window(opened.title), order), nil)
  }

  private func seen(
    _ outcome: DragOutcome, _ order: DeliveryOrder, _ before: Before, _ after: Aftermath
  ) async -> End {
    if let expected = before.expected { return await result(of: outcome, order, expected, after) }
    switch outcome {
    case .refused, .failed, .gone: return (Self.result(.unseen, outcome, order), nil)
    case .delivered, .unknown: break
    }
    guard let spot = before.spot else {
      return (Self.result(.unseen, outcome, order), nil)
    }
    let effect = await effect(
      on: spot, order.stop.point, of: order, since: before.view.sight, after)
    return (Self.result(effect, outcome, order), nil)
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
      let isThere = await desktop.spot(point) != nil
      effect = DropEffect(
        from: before, to: await desktop.sight(of: spot), at: place,
        wanted: wanted)
      // A place that is gone was replaced by what was dropped, or its window was closed.
      if !isThere { return [.landed, .missing].contains(effect) ? effect : .unseen }
    } while effect != .landed && ContinuousClock.now < end
    return effect
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
    if outcome == .delivered { return success(order, order.items.count, isVerified: isVerified) }
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
    of outcome: DragOutcome, _ order: DeliveryOrder, _ expected: any ExpectedLanding,
    _ after: Aftermath? = nil
  ) async -> End {
    switch outcome {
    case .refused, .failed: return (Self.result(.unseen, outcome, order), nil)
    case .delivered, .unknown, .gone: break
    }
    // What lies in the folder counts, whatever the program says.
    guard let report = await expected.check(isAsking: { after?.isAsking == true }) else {
      return (Self.failure(order, .unconfirmed, .notResponding), nil)
    }
    if report.landed == order.items.count {
      var result = Self.success(order, report.landed, isVerified: report.isVerified)
      result.bytes = report.bytes
      result.totalBytes = report.bytes
      result.renamed = report.renamed
      return (result, report.entry)
    }
    if report.landed == 0 { return (Self.failure(order, .unconfirmed, .unknown), nil) }
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
