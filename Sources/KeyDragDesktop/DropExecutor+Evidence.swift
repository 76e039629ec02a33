import KeyDragCore

/// Gathers evidence of drops: on the disk, in the place, and in the windows of its program.
extension DropExecutor {
  /// Polling times for a window after a drop: where it should show, and where it need not. Later
  /// effects are left to ``follow(_:_:)``.
  private static let patience = (
    long: Duration.milliseconds(1_500), short: Duration.milliseconds(400)
  )
  /// The time that a title with a document must persist: a failed one shows its name for a moment.
  private static let steady = Duration.seconds(1)
  /// The time that a row or object must persist.
  private static let listed = Duration.milliseconds(300)
  /// The most time that a program is given to answer again.
  private static let silence = Duration.seconds(5)
  private static let pause = Duration.milliseconds(100)

  /// Waits for the effects of a drop, at least as long as its program asks something.
  func evidence(_ said: DragAnswer, of drop: Drop) async -> Evidence {
    let (order, before) = (drop.order, drop.before)
    var evidence = Evidence(said)
    guard !evidence.isConclusive else { return evidence }
    if let spot = before.spot, spot.isRow, before.expected?.isDecisive != true {
      evidence.window = await desktop.name(spot.window)
    }
    if let expected = before.expected {
      evidence.report = await expected.check(on: desktop.clock, isAsking: { drop.isAsking })
      evidence.wasAsked = drop.wasAsked
      if evidence.report == nil { evidence.add(.hungDisk) }
    }
    guard !evidence.isConclusive, let spot = before.spot else { return evidence }
    let wanted = await wanted(of: order.items)
    let seen = await seen(wanted, of: drop, at: spot)
    evidence.add(seen)
    if seen == .paths, await isNamed(drop, at: spot) { evidence.add(.title) }
    evidence.wasAsked = drop.wasAsked
    if order.items.containFiles { evidence.gone = await goods.gone(of: order.items) }
    evidence.program = await desktop.window(spot.window)?.descriptor.app ?? ""
    if seen == .rowBeside { evidence.window = await desktop.name(spot.window) }
    // A list beside a document is not part of it, and the window is named after the document.
    if evidence.window != nil, !evidence.program.isEmpty,
      [.row, .rowBeside, .longerList].contains(seen),
      await desktop.hasEditor(in: spot.window)
    {
      evidence.window = evidence.program
    }
    // Acceptance by a program that accepts everything proves nothing, unless it has asked first.
    if spot.place.traits.acceptsEverything, !drop.wasAsked {
      evidence.add(.unconditionalAcceptance)
    }
    guard !evidence.isConclusive else { return evidence }
    if await desktop.hasAlert(
      in: spot.window, since: drop.start, besides: before.view.sight.things)
    {
      evidence.add(.alert)
    } else if !DropEffect.isField(spot.place), await isModified(at: spot, drop) {
      // Of a document nobody knows which part of it was dropped on.
      if !DropEffect.drawn.contains(spot.place.role) {
        evidence.window = await desktop.name(spot.window)
      }
      evidence.add(wanted.mark(after: said))
    }
    guard !evidence.isConclusive else { return evidence }
    evidence.question = await question(at: spot, drop)
    // A program that has not answered yet may be busy with it.
    if said != .silent { await noteUnchanged(&evidence, drop, at: spot) }
    guard drop.wasAsked else { return evidence }
    if drop.isWordEarly { evidence.add(.prematureReceipt) }
    if await desktop.refreshFacts(of: spot.window) == nil { evidence.add(.ended) }
    return evidence
  }

  /// Notes that the window still looks as before the drop, where that is all that is known.
  func noteUnchanged(
    _ evidence: inout Evidence, _ drop: Drop, at spot: Desktop.PlaceRecord
  ) async {
    guard evidence.question == nil, !evidence.hasSigns, let before = drop.before.picture,
      let window = await desktop.window(spot.window),
      let now = await desktop.parts.displays.picture(of: window.facts.id), now.isSame(as: before)
    else { return }
    evidence.question = .unchanged
  }

  /// Whether a document is marked as changed, or its program has something to undo that had not.
  private func isModified(
    at spot: Desktop.PlaceRecord, _ drop: Drop
  ) async -> Bool {
    if await desktop.isMarked(around: spot.window, since: drop.start) { return true }
    return drop.before.hadNoUndo ? await desktop.canUse(.undo, in: spot.window) == true : false
  }

  /// Polls every 0.1 s for what was dropped: for 1.5 s where it would show, for 0.4 s elsewhere or
  /// where a disk was waited for, and once where the disk decides. A silent program gets this time
  /// from when it answers again, within ``silence``; each from the last question on.
  private func seen(
    _ wanted: DropEffect.ExpectedEffect, of drop: Drop, at spot: Desktop.PlaceRecord
  ) async -> Evidence.Kind? {
    let (order, before) = (drop.order, drop.before)
    let sight = before.view.sight
    let isOnDisk = before.expected?.isDecisive == true
    // A program takes its time to open a file.
    let isShown = DropEffect.canShow(sight, at: spot.place) || order.items.containFiles
    let isLong = isShown && before.expected == nil
    let patience = isOnDisk ? .zero : isLong ? Self.patience.long : Self.patience.short
    let time = desktop.clock.stopwatch()
    var end = patience
    var (title, row) = (SteadyName(), SteadyName())
    var kind: Evidence.Kind?
    var (begun, asked) = (Duration.zero, Duration.zero)
    var isSilent = false
    // The last look begins when the time is over, however long one takes on a busy machine.
    repeat {
      try? await desktop.clock.sleep(for: Self.pause)
      begun = time()
      guard !drop.isAsking else {
        (asked, isSilent) = (time(), false)
        end = asked + patience
        title.alert()
        continue
      }
      kind = nil
      var isHidden = false
      if !isOnDisk {
        let now = await desktop.sight(of: spot)
        isSilent = now.isUnanswered
        if isSilent { end = min(time(), asked + Self.silence) + patience }
        kind = DropEffect.evidence(from: sight, to: now, at: spot.place, wanted: wanted)
        isHidden = DropEffect.isHidden(spot.place, from: sight, to: now)
      }
      if kind != .tab, await isOpened(drop, kind, at: spot, isHidden: isHidden) { kind = .title }
      // A vanished place was replaced by what was dropped, or its window was closed.
      if [.sameText, .sameView].contains(kind), await desktop.spot(order.stop.point) == nil {
        kind = nil
      }
      // A program may show the name of what it can't show, but opens no tab for it.
      if wanted.isBroken, kind == .title { kind = nil }
      switch kind {
      case .files, .paths, .replacedText, .text, .wholeText, .order, .fileRow:
        return kind
      case .longerList:
        // Only if nothing better comes.
        if await desktop.hasAlert(in: spot.window, since: drop.start, besides: sight.things) {
          kind = nil
        }
      case .object, .row, .rowBeside:
        // A list may show a name until its program has looked into the file, and then says why not.
        let isSteady = row.isSteady(Self.listed, at: time())
        if await desktop.hasAlert(in: spot.window, since: drop.start, besides: sight.things) {
          row = SteadyName()
        } else if isSteady {
          return kind
        }
        if let start = row.start { end = max(end, start + Self.listed + Self.pause) }
        kind = nil
      case .tab, .title:
        let isSteady = title.isSteady(Self.steady, at: time())
        if await desktop.hasAlert(in: spot.window, since: drop.start, besides: sight.things) {
          title.alert()
        } else if isSteady {
          return kind
        }
        if let start = title.start { end = max(end, start + Self.steady + Self.pause) }
        kind = nil
      case .word, .modified, .changed, .sameText, .sameView, .prematureReceipt,
        .unconditionalAcceptance, .alert,
        .ended,
        .hungDisk, nil:
        (title, row) = (SteadyName(), SteadyName())
      }
    } while begun < (isSilent ? asked + Self.silence : end) || drop.isAsking
    return kind
  }

  /// Whether a window is named after the items whose path was written: a field that asks for a file
  /// opens what is dropped on it.
  private func isNamed(_ drop: Drop, at spot: Desktop.PlaceRecord) async -> Bool {
    let time = desktop.clock.stopwatch()
    repeat {
      if await desktop.hasDocument(
        called: drop.start.names, around: spot.window, since: drop.start, inNewWindow: false)
      {
        return true
      }
      try? await desktop.clock.sleep(for: Self.pause)
    } while time() < Self.patience.short
    return false
  }

  /// A name in a title or a list, and since when.
  private struct SteadyName {
    private(set) var start: Duration?
    private var hasAlert = false

    /// Something alerts or asks: the name may be that of a file that failed to open.
    mutating func alert() { hasAlert = start != nil }

    mutating func isSteady(_ duration: Duration, at time: Duration) -> Bool {
      let start = start ?? time
      self.start = start
      return !hasAlert && time - start >= duration
    }
  }

  /// Whether a window's title says that the items were opened. For a text field its own window's
  /// counts only where its text is known not to have changed, or another one is shown in its place:
  /// titles follow what is typed.
  private func isOpened(
    _ drop: Drop, _ kind: Evidence.Kind?, at spot: Desktop.PlaceRecord, isHidden: Bool
  ) async -> Bool {
    guard drop.order.items.containFiles, drop.order.items.count == drop.start.names.count,
      ![.paths, .replacedText, .text].contains(kind)
    else { return false }
    return await desktop.hasDocument(
      called: drop.start.names, around: spot.window, since: drop.start,
      inNewWindow: DropEffect.isField(spot.place) && !isHidden
        && ![.wholeText, .sameView].contains(kind))
  }

  /// The program's question or message about a drop; `nil` for none.
  private func question(
    at spot: Desktop.PlaceRecord, _ drop: Drop
  ) async -> ProgramQuestion? {
    let opened = await desktop.opened(by: spot.window, since: drop.start)
    if let opened, let question = opened.question {
      drop.note(dialog: opened.id)
      // Its words were told when it came.
      if opened.id == drop.message { return nil }
      return await desktop.withContents(question, of: opened.id, about: drop.start.names)
    }
    // A dialog without a choice has told the outcome.
    if drop.wasAsked { return drop.words.map { .tells($0, window: "") } }
    var title = opened?.title ?? ""
    if title.isEmpty {
      title = await desktop.newWindow(beside: spot.window, since: drop.start) ?? ""
    }
    let words = await desktop.words(
      beside: spot.window, since: drop.start, besides: drop.before.view.sight.things)
    return words.map { .tells($0, window: title) } ?? (title.isEmpty ? nil : .window(title))
  }

  /// Adds the text position at which the item was inserted, where that can be seen: programs do not
  /// always insert where they indicated.
  func located(_ result: DeliveryResult, since before: Drop.Baseline) async -> DeliveryResult {
    guard let spot = before.spot, result.outcome == .delivered, result.verified,
      spot.place.role == .textField,
      let old = before.view.sight.text, let new = await desktop.sight(of: spot).text,
      max(old.count, new.count) < DropEffect.maxTextLength,
      let position = TextPosition(insertedInto: old, giving: new), old.contains(where: \.isNewline)
    else { return result }
    var result = result
    result.textPosition = position
    return result
  }
}
