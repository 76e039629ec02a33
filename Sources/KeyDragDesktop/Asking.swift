import Dispatch
import KeyDragCore
import Synchronization

/// Asks programs about drops, one question at a time: a display has one drag.
///
/// A task drains ``Questions``, and ``AsyncMutex`` serialises questions, drops and openings. The drag
/// lives on between questions while the items stay the same, so programs see one drag that moves.
/// Owned by ``DesktopWorld``.
final class Asking: Sendable {
  private typealias Asker = CheckedContinuation<[Answer], Never>

  private struct Dialogue: Sendable {
    var questions = Questions<Asker>()
    /// A task is draining the questions.
    var isRunning = false
    var isClosed = false
    /// `nil` until the first question.
    var drag: (any OutgoingDrag)?
    /// The display that it is on.
    var display = ""
    /// The sources of the items in ``drag``.
    var carried: [DragSourceID] = []
    /// Whether it offers a direct save: a file written where the program says.
    var isDirect = false
    /// Whether the program at each place accepts a direct save of the single item carried.
    var saves: [DropPointID: (item: DragSourceID, isTaken: Bool)] = [:]
    /// Whether it offers files, whose text form is their paths.
    var hasPaths = false
    /// The subject of the last question; a place is opened with it.
    var last: Subject?
    /// The number of questions so far.
    var taken = 0
    /// The folders of rows that were last answered for by path.
    var folders: [DropPointID: DropPointID] = [:]
    /// The window that was asked last, before it showed anything of the drag.
    var sight: (window: WindowID, picture: WindowPicture?)?
    /// The last row that could not be hit because it keeps moving.
    var moving: DropPointID?
    /// Whether the last disk query timed out: further places then wait for it only briefly.
    var isDiskHung = false
  }

  struct Subject: Sendable {
    var items: [DragItem]
    var operation: DragOperation
  }

  let desktop: Desktop
  private let goods: PayloadCoordinator
  private let routes: Routes
  private let origins: PickUpOrigins
  private let state = Mutex(Dialogue())
  /// Held by one conversation at a time: a question, a drop or an opening.
  let turn = AsyncMutex()

  init(
    desktop: Desktop, goods: PayloadCoordinator, routes: Routes, origins: PickUpOrigins
  ) {
    self.desktop = desktop
    self.goods = goods
    self.routes = routes
    self.origins = origins
  }

  /// The answers to a question; empty if a newer one superseded it, or after ``close()``.
  func answers(to inquiry: ProposalRequest) async -> [Answer] {
    await withCheckedContinuation { asker in
      let (isFirst, left) = state.withLock { state -> (Bool, [Asker]) in
        state.taken += 1
        if state.isClosed { return (false, [asker]) }
        let left = state.questions.add(inquiry, asker)
        defer { state.isRunning = true }
        return (!state.isRunning, left)
      }
      for asker in left { asker.resume(returning: []) }
      if isFirst { Task { await run() } }
    }
  }

  /// Drains the questions; the next one restarts it.
  private func run() async {
    while let inquiry = next() {
      var answers: [Answer] = []
      for stop in inquiry.stops {
        answers.append(Answer(stop, await locatedProposal(at: stop, inquiry)))
      }
      for asker in state.withLock({ $0.questions.answered() }) {
        asker.resume(returning: answers)
      }
    }
    // Serialised: a drop or opening that has begun meanwhile must keep the drag.
    try? await turn.take { self.leave() }
    await forgetSight()
  }

  /// The time that a program may take to stop showing what is over it.
  private static let fading = Duration.seconds(1)

  /// Forgets what the window looked like, unless it is asked again meanwhile.
  private func forgetSight() async {
    let taken = state.withLock(\.taken)
    try? await desktop.clock.sleep(for: Self.fading)
    state.withLock { if $0.taken == taken, !$0.isRunning { $0.sight = nil } }
  }

  private func next() -> ProposalRequest? {
    state.withLock { state in
      if let inquiry = state.questions.next() { return inquiry }
      state.isRunning = false
      return nil
    }
  }

  /// Leaves the program that was asked last, unless a question is running.
  private func leave() {
    let drag = state.withLock { $0.isRunning ? nil : $0.drag }
    drag?.leave()
  }

  /// Ends the drag; pending questions get no answers.
  func close() {
    let (drag, left) = state.withLock { state in
      state.isClosed = true
      defer { state.drag = nil }
      return (state.drag, state.questions.drop())
    }
    for asker in left { asker.resume(returning: []) }
    drag?.end()
  }

  // MARK: One question

  /// A place's answer, with the text position at which a drop would land.
  func locatedProposal(at stop: DropStop, _ inquiry: ProposalRequest) async -> DropProposal {
    let proposal = await proposal(at: stop, inquiry)
    let isText = state.withLock { !$0.hasPaths } || proposal.isOfPaths
    return await desktop.telling(proposal, at: stop.point, isText: isText)
  }

  /// The verdict of one place, from the disk, a profile, or the program itself.
  func proposal(at stop: DropStop, _ inquiry: ProposalRequest) async -> DropProposal {
    if stop.point.owner != .windows { return await elsewhere(stop, inquiry) }
    guard let spot = await desktop.spot(stop.point) else { return .refused(.gone) }
    // A program that accepts everything does not say whether the row takes the drop.
    let program = await desktop.window(spot.window)?.program
    let isDoubtful =
      program?.hasDoubtfulPlaces == true || state.withLock { $0.moving == stop.point }
    if spot.place.isOffscreen || spot.isRow && (isDoubtful || spot.place.traits.acceptsEverything) {
      if let answer = await byPath(stop, spot, inquiry) { return answer }
      if spot.place.isOffscreen { return .refused(.notShown) }
    }
    // Queries the disk while the program is asked, unless the disk decides what to ask.
    let look = Task { await self.outlook(stop.point, inquiry, spot) }
    let usual = mayMove(inquiry, to: spot) ? await soon(look).usual : nil
    let proposal = await proposal(at: stop, spot, inquiry, usual)
    // A row that can't be aimed at may still be reached by its path.
    if [.none(.notShown), .none(.placeUncertain)].contains(proposal.acceptance),
      let answer = await byPath(stop, spot, inquiry)
    {
      return answer
    }
    state.withLock { $0.folders[stop.point] = nil }
    // A slow disk may know the reason for a refusal.
    let isWaitedFor = proposal.isRefusal && !state.withLock { $0.isDiskHung }
    let outlook = isWaitedFor ? await look.value : await soon(look)
    let misfits = outlook.misfits
    if misfits.isEmpty { return outlook.told(with: proposal) }
    var fitting = inquiry
    fitting.items = inquiry.items.indices.filter { misfits[$0] == nil }.map { inquiry.items[$0] }
    guard !fitting.items.isEmpty else { return .refused(misfits[0] ?? .samePlace) }
    // Programs refuse all items because of one: ask about those that would be dropped.
    var rest = await self.proposal(at: stop, spot, fitting, usual)
    rest = outlook.told(with: rest)
    if !rest.isRefusal {
      rest.isUncertain = rest.acceptance == .maybe
      rest.acceptance = .some(refused: misfits)
    }
    return rest
  }

  /// Items that no route can put there, with the reasons: they are in it already, or contain it.
  /// Also which of their names exist there.
  private func outlook(
    _ point: DropPointID, _ inquiry: ProposalRequest, _ spot: Desktop.PlaceRecord
  ) async -> FolderDropPrecheck {
    let operation = Self.operation(inquiry, spot.place.traits)
    // Items from elsewhere are on no disk, before or after the drop.
    guard [.copy, .move, .link].contains(operation),
      !inquiry.items.allSatisfy(TextPayloads.isElsewhere),
      let folder = await desktop.shownFolder(point)
    else { return FolderDropPrecheck() }
    let found = await goods.outlook(for: inquiry.items, in: folder)
    state.withLock { $0.isDiskHung = found == nil }
    guard var outlook = found else { return FolderDropPrecheck() }
    // A link may lie beside its target, and inside it.
    if operation == .link { (outlook.misfits, outlook.existing) = ([:], []) }
    return outlook
  }

  /// The result of a disk query, or an empty one on timeout.
  private func soon(_ look: Task<FolderDropPrecheck, Never>) async -> FolderDropPrecheck {
    await desktop.clock.wait(Desktop.diskPatience, else: FolderDropPrecheck()) { await look.value }
  }

  /// Whether a drop without an explicit wish may move: all items were picked up in the window in
  /// which the place is one folder among others. Whether they lie beside it the disk decides.
  private func mayMove(_ inquiry: ProposalRequest, to spot: Desktop.PlaceRecord) -> Bool {
    inquiry.wish == nil && spot.place.traits.operation == nil && spot.isRow && spot.isInFolder
      && inquiry.items.allSatisfy { $0.allowed.contains(.move) }
      && origins.are(inquiry.items.map(\.source), from: spot.window)
  }

  /// - Parameter usual: the default operation there, where the disk decides it.
  private func proposal(
    at stop: DropStop, _ spot: Desktop.PlaceRecord, _ inquiry: ProposalRequest,
    _ usual: DragOperation?
  ) async -> DropProposal {
    let operation = usual ?? Self.operation(inquiry, spot.place.traits)
    let traits = spot.place.traits
    guard DragOperations.transfer.contains(operation) || traits.destination == .trash,
      !traits.allowsOnlyDefaultOperation || operation == traits.operation
    else { return .refused(.operationNotOffered) }
    guard await takes(inquiry.items, spot.place.traits.accepts) else {
      return .refused(.wrongType)
    }
    if let named = await routes.named(at: spot, stop, inquiry, operation) { return named }
    // Nothing removes the original of a clipping, so it can't be moved; a file manager's item can,
    // since the receiver fetches it by its address.
    if operation == .move, !inquiry.items.allSatisfy(TextPayloads.isElsewhere),
      inquiry.items.contains(where: { TextPayloads.isOne($0.source) })
    {
      return .refused(.operationNotOffered)
    }
    // Concurrent with the question to the program, which takes its time.
    let undo = Task { [desktop] in await desktop.offers(.undo, in: spot.window) }
    do throws(Reason) {
      let (verdict, hasPaths, isDirect) = try await turn.take {
        () async throws(Reason) -> (DragAnswer, Bool, Bool) in
        var verdict = try await self.ask(stop.point, inquiry.items, operation)
        if verdict.isRefusal, operation == .copy, !spot.isInFolder,
          try await self.takesMove(of: inquiry.items, stop.point)
        {
          verdict = .refuses(.takesOnlyMove)
        }
        return self.state.withLock { (verdict, $0.hasPaths, $0.isDirect) }
      }
      let proposal = Self.proposal(
        verdict, operation, anything: spot.place.traits.acceptsEverything,
        isShown: await desktop.window(spot.window)?.facts.isMapped ?? false)
      _ = await undo.value
      let answer = await routes.instead(of: proposal, at: spot, stop, inquiry, operation)
      if isDirect, case .accepts = verdict {
        return FolderDropPrecheck(isFound: true).told(with: answer)
      }
      return hasPaths ? Self.telling(answer, ofPathsIn: spot.place, inquiry.items.count) : answer
    } catch {
      // A program that tells no position may still have its Paste command.
      guard error == .notShown else { return .refused(error) }
      return await routes.instead(
        of: .refused(error), at: spot, stop, inquiry, operation)
    }
  }

  /// Whether a place that refuses a copy accepts a move. It is not moved there unasked: nothing shows
  /// whether the program would remove the original.
  private func takesMove(
    of items: [DragItem], _ point: DropPointID
  ) async throws(Reason) -> Bool {
    guard items.containFiles, items.allSatisfy({ $0.allowed.contains(.move) }) else { return false }
    let drag = try await drag(of: items, .copy, to: point)
    let aim = try await desktop.locate(point)
    // At one point: every place that refuses is asked this before it is told.
    if case .accepts = await drag.ask(aim.window, at: aim.at, operation: .move) { return true }
    return false
  }

  /// Predicts that files will be written into a text as paths, not copied.
  static func telling(_ proposal: DropProposal, ofPathsIn place: Place, _ count: Int)
    -> DropProposal
  {
    guard let writing = place.pathWriting, !proposal.isRefusal, !proposal.isPasted else {
      return proposal
    }
    var proposal = proposal
    proposal.predictions.insert(
      .becomesPaths(count: count, isCertain: writing == .certain), at: 0)
    return proposal
  }

  /// Whether a place that accepts only some types accepts these.
  private func takes(_ items: [DragItem], _ wanted: [String]) async -> Bool {
    if wanted.isEmpty || Self.fits(items, wanted, desktop.parts.types) { return true }
    // Files are offered as a list of links, whatever their contents.
    guard let forms = try? await goods.forms(of: items) else { return false }
    return Self.fits(forms.map(\.contentType), wanted, desktop.parts.types)
  }

  /// The person's wish, else the usual operation there if all items allow it, else a copy.
  static func operation(_ inquiry: ProposalRequest, _ traits: PlaceTraits) -> DragOperation {
    // A move to the trash is a removal.
    let wish = traits.destination == .trash && inquiry.wish == .move ? nil : inquiry.wish
    if let wish { return wish }
    guard let usual = traits.operation,
      inquiry.items.allSatisfy({ $0.allowed.contains(usual) })
    else { return .copy }
    return usual
  }

  /// The folder of a place that was last answered for by its path; `nil` for others.
  func folder(of point: DropPointID) -> DropPointID? { state.withLock { $0.folders[point] } }

  /// The answer of the folder that a row stands for; `nil` where that is unknown, and for items
  /// that are no files.
  private func byPath(
    _ stop: DropStop, _ spot: Desktop.PlaceRecord, _ inquiry: ProposalRequest
  ) async -> DropProposal? {
    // An archive member has no place of its own to which an undo could return it.
    guard
      !inquiry.items.contains(where: { item in
        TextPayloads.isOne(item.source) || desktop.parts.finder?.isMember(item.source) == true
      }), let folder = await desktop.folderPoint(ofRow: stop.point)
    else { return nil }
    let usual =
      mayMove(inquiry, to: spot)
      ? await soon(Task { await outlook(stop.point, inquiry, spot) }).usual : nil
    let operation = usual ?? Self.operation(inquiry, spot.place.traits)
    var question = inquiry
    question.wish = operation
    var answer = await elsewhere(DropStop(folder), question)
    if !answer.isRefusal { answer.offers = DragOperations(operation) }
    let known = state.withLock { state in
      if state.folders.count >= Self.mostFolders { state.folders = [:] }
      defer { state.folders[stop.point] = folder }
      return state.folders[stop.point]
    }
    // The window shows another folder by now, which has one of that name, too.
    if inquiry.isFinal, let known, known != folder { return .refused(.otherFolder) }
    return answer
  }

  private static let mostFolders = 4_096

  private func elsewhere(_ stop: DropStop, _ inquiry: ProposalRequest) async -> DropProposal {
    var question = inquiry
    question.stops = [stop]
    return await desktop.parts.sources.answers(to: question, from: nil).first?.proposal
      ?? .refused(.gone)
  }

  private func ask(
    _ point: DropPointID, _ items: [DragItem], _ operation: DragOperation
  ) async throws(Reason) -> DragAnswer {
    let drag = try await drag(of: items, operation, to: point)
    let aim = try await desktop.locate(point)
    if state.withLock(\.sight)?.window != aim.window {
      let picture = await desktop.parts.displays.picture(of: aim.window)
      state.withLock { $0.sight = (aim.window, picture) }
    }
    let verdict = await drag.ask(aim.window, at: aim.at, operation: operation)
    guard verdict.isRefusal else { return verdict }
    // A program that draws its contents itself may accept at some points only.
    for other in await desktop.otherAims(at: point, beside: aim) {
      let answer = await drag.ask(aim.window, at: other, operation: operation)
      if answer.isRefusal { continue }
      if case .accepts = answer { await desktop.remember(other, as: point, asked: aim) }
      return answer
    }
    return verdict
  }

  /// What a window looks like without this drag; `nil` where that can't be seen.
  func picture(of window: WindowID) async -> WindowPicture? {
    if let sight = state.withLock(\.sight), sight.window == window { return sight.picture }
    return await desktop.parts.displays.picture(of: window)
  }

  /// The drag that carries these items to a place; makes them the current subject.
  private func drag(
    of items: [DragItem], _ operation: DragOperation, to point: DropPointID
  ) async throws(Reason) -> any OutgoingDrag {
    let drag = try await drag(
      with: items, to: point, isDirect: saves(items, operation, at: point))
    state.withLock { $0.last = Subject(items: items, operation: operation) }
    return drag
  }

  /// Whether an item without a file is written where the program at a place says: only into a
  /// folder that it shows and that is found. Offered alone first: given the text itself, the
  /// program might create a file of its own, which nothing here could undo.
  private func saves(
    _ items: [DragItem], _ operation: DragOperation, at point: DropPointID
  ) async throws(Reason) -> Bool {
    guard operation == .copy, let saving = goods.saving(of: items), let item = items.first?.source,
      let folder = await desktop.shownFolder(point), await goods.canSave(in: folder)
    else { return false }
    if let known = state.withLock({ $0.saves[point] }), known.item == item { return known.isTaken }
    let drag = try await begin([DragForm(saving.save)], on: display(of: point))
    let aim = try await desktop.locate(point)
    let verdict = await drag.ask(aim.window, at: aim.at, operation: .copy)
    let isTaken = if case .accepts = verdict { true } else { false }
    // A silent program is asked again; entries of other items are evicted.
    guard isTaken || verdict == .refuses(.notTaken) else { return false }
    state.withLock { state in
      state.saves = state.saves.filter { $0.value.item == item }
      state.saves[point] = (item, isTaken)
    }
    return isTaken
  }

  /// Serial: beginning a drag blocks.
  private static let queue = DispatchQueue(label: "keydrag.drags")

  /// The drag that carries exactly these items.
  ///
  /// - Parameters:
  ///   - point: another display than the current drag's needs a new one.
  ///   - isDirect: whether to offer a direct save; `nil` keeps the current drag's choice.
  /// - Throws: `noDisplay` without a display, or why nothing is offered of the items.
  func drag(
    with items: [DragItem], to point: DropPointID, isDirect: Bool? = nil
  ) async throws(Reason) -> any OutgoingDrag {
    let display = try await display(of: point)
    let carried = items.map(\.source)
    // A lost drag is replaced: the display may answer a new one, and a drag ended by that of
    // another program would refuse everything for ever.
    let saving = goods.saving(of: items)
    let drag = state.withLock { state in
      let isSame =
        state.carried == carried && state.display == display.name
        && (saving == nil || isDirect == nil || isDirect == state.isDirect)
      return isSame ? state.drag : nil
    }
    if let drag, !drag.isLost { return drag }
    var forms = try await goods.forms(of: items)
    if let saving, isDirect == true { forms.append(DragForm(saving.save)) }
    let new = try await begin(forms, on: display)
    state.withLock { state in
      state.carried = carried
      state.isDirect = isDirect == true
      state.hasPaths = forms.contains(where: \.isPaths)
    }
    return new
  }

  private func display(of point: DropPointID) async throws(Reason) -> any Display {
    guard let spot = await desktop.spot(point) else { throw .gone }
    return try await desktop.display(of: spot.window)
  }

  private func begin(
    _ forms: [DragForm], on display: any Display
  ) async throws(Reason) -> any OutgoingDrag {
    // Unless told of the end, the program would mistake the next drag for this one.
    await state.withLock { $0.drag.take() }?.finish()
    let new: any OutgoingDrag = try await answered { reply in
      // On a queue, since it blocks on the display.
      Self.queue.async {
        reply(Result { () throws(Reason) in try display.beginDrag(forms) })
      }
    }
    let isClosed = state.withLock { state in
      // The caller sets the items; until then they are unknown.
      if !state.isClosed { (state.drag, state.display, state.carried) = (new, display.name, []) }
      state.sight = nil
      return state.isClosed
    }
    guard !isClosed else {
      new.end()
      throw .interrupted
    }
    return new
  }

  // MARK: Dropping

  /// Asks once more at the present position of the place, and drops there.
  ///
  /// - Parameters:
  ///   - begin: called with ``turn`` held, before the program hears of the drop.
  ///   - beforeSending: called when the program has accepted, before it gets the data.
  /// - Throws: why there is no drop; nothing has changed.
  func drop(
    _ drop: Drop, begin: @Sendable () async throws(Reason) -> Void,
    beforeSending: @escaping @Sendable () async -> Void
  ) async throws(Reason) -> DragAnswer {
    let (drag, transfer) = try await turn.take {
      () async throws(Reason) -> (any OutgoingDrag, DropTransfer) in
      try await begin()
      // Files may be gone since the offer; the program would show a dialog of its own.
      _ = try await self.goods.forms(of: drop.order.items)
      let sent = try await self.aimed(drop, beforeSending)
      // Items that may still land keep their data; whatever follows is a new drag.
      self.state.withLock { state in
        state.drag = nil
        state.carried = []
        state.last = nil
        state.sight = nil
      }
      return sent
    }
    let outcome = await transfer.outcome()
    drag.end()
    return outcome
  }

  /// Does something else on the display while no program is entered, serialised with questions and
  /// drops.
  func alone<Value: Sendable>(
    _ body: @Sendable () async throws(Reason) -> Value
  ) async throws(Reason) -> Value {
    try await turn.take { () async throws(Reason) -> Value in
      self.state.withLock { $0.drag }?.leave()
      return try await body()
    }
  }

  private static let maxAimAttempts = 3

  /// Drops where the place is now. Aims again at a list that has scrolled under the drag, and asks
  /// again after a refusal, since the person has just heard a yes.
  ///
  /// - Throws: why nothing was sent.
  private func aimed(
    _ drop: Drop, _ beforeSending: @escaping @Sendable () async -> Void
  ) async throws(Reason) -> (any OutgoingDrag, DropTransfer) {
    let (order, point) = (drop.order, drop.order.stop.point)
    let name = await desktop.spot(point)?.place.name
    var (aims, hasAskedAgain) = (0, false)
    while true {
      aims += 1
      let drag = try await drag(of: order.items, order.operation, to: point)
      let aim = try await desktop.locateAgain(point)
      // It may have become something else since the person heard its name.
      guard await desktop.spot(point)?.place.name == name else { throw .placeMoves }
      guard drop.send(drag) else {
        drag.leave()
        throw .interrupted
      }
      let transfer = DropTransfer(
        on: desktop.clock,
        { [desktop] progress in
          await drag.drop(
            on: aim.window, at: aim.at, operation: order.operation,
            isThere: {
              await beforeSending()
              return await desktop.isThere(point, aim)
            }, progress: progress, late: { drop.take($0) })
        },
        { bytes, total in
          drop.tell(.progressed(.init(bytesDone: Int64(bytes), bytesTotal: Int64(total))))
        })
      // A program that is slow with what it has begun to take blocks no other drag.
      guard case .refuses(let reason)? = await transfer.isHandedOver() else {
        return (drag, transfer)
      }
      switch reason {
      case .placeMoves where aims < Self.maxAimAttempts: break
      case .placeMoves:
        state.withLock { $0.moving = point }
        throw reason
      case .notTaken where !hasAskedAgain: hasAskedAgain = true
      case .notTaken:
        throw await isMapped(point) ? .notTaken : .notShown
      default: throw reason
      }
      // A busy LibreOffice 7.4 was seen to refuse in between; a program that means it refuses a new
      // drag, too, at a freshly read position.
      if let window = await desktop.spot(point)?.window { _ = await desktop.list(window) }
    }
  }

  private func isMapped(_ point: DropPointID) async -> Bool {
    guard let spot = await desktop.spot(point) else { return false }
    return await desktop.window(spot.window)?.facts.isMapped ?? false
  }

  // MARK: Opening

  var current: (subject: Subject?, taken: Int) { state.withLock { ($0.last, $0.taken) } }

  /// Whether a newer question has come, or ``close()`` was called.
  func isOvertaken(since taken: Int) -> Bool {
    state.withLock { $0.taken != taken || $0.isClosed }
  }
}
