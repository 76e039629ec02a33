import Dispatch
import KeyDragCore
import Synchronization

/// Puts questions to programs, one after the other: there is one drag for a display.
///
/// A task works through ``Questions``, and ``Turn`` keeps questions, drops and openings from each
/// other. The drag lives on from one question to the next, as long as the same is carried; programs
/// see one drag that moves. Owned by ``DesktopWorld``.
final class Asking: Sendable {
  private typealias Asker = CheckedContinuation<[Answer], Never>

  /// Everything behind the lock.
  private struct Dialogue: Sendable {
    var questions = Questions<Asker>()
    /// A task works through the questions.
    var isRunning = false
    /// Nothing is asked any more.
    var isClosed = false
    /// The drag over the display; `nil` until something is asked.
    var drag: (any DragConversing)?
    /// The items that the drag was begun with.
    var carried: [DragSourceID] = []
    /// Whether it offers to write a file where the program says.
    var isDirect = false
    /// Whether the program at a place has such a file written; of the one thing carried.
    var saves: [DropPointID: (item: DragSourceID, isTaken: Bool)] = [:]
    /// Whether it offers files, whose text is their paths.
    var hasPaths = false
    /// The subject of the last question: a place is opened with it.
    var last: Subject?
    /// How many questions have come.
    var taken = 0
    /// The folders that rows stand for which are reached by their paths.
    var folders: [DropPointID: DropPointID] = [:]
    /// The last row that could not be hit: it does not stay where it is.
    var moving: DropPointID?
    /// Whether the disk has not answered the last look: not each place waits for it.
    var isDiskHung = false
  }

  /// The items carried, and the operation that is to be done with them.
  struct Subject: Sendable {
    var items: [DragItem]
    var operation: DragOperation
  }

  let desktop: Desktop
  /// `nil` without a display.
  private let drags: (any DragMaking)?
  private let goods: PayloadCoordinator
  private let types: any ContentTypes
  /// Answers for the places that are in no window, such as the trash.
  private let sources: any World
  private let routes: Routes
  private let origins: Origins
  private let state = Mutex(Dialogue())
  /// One conversation at a time: a question, a drop, or something that is being opened.
  let turn = Turn()

  init(
    desktop: Desktop, drags: (any DragMaking)?, goods: PayloadCoordinator, types: any ContentTypes,
    sources: any World, routes: Routes, origins: Origins
  ) {
    self.desktop = desktop
    self.drags = drags
    self.goods = goods
    self.types = types
    self.sources = sources
    self.routes = routes
    self.origins = origins
  }

  /// The answers to a question; none where it was overtaken, or nothing is asked any more.
  func answers(to inquiry: Inquiry) async -> [Answer] {
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

  /// Ends when no question is left; the next one starts it again.
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
    // In its turn: a drop or an opening that has begun meanwhile is not left under its hands.
    try? await turn.take { self.leave() }
  }

  private func next() -> Inquiry? {
    state.withLock { state in
      if let inquiry = state.questions.next() { return inquiry }
      state.isRunning = false
      return nil
    }
  }

  /// When there is no question, the program asked last is left.
  private func leave() {
    let drag = state.withLock { $0.isRunning ? nil : $0.drag }
    drag?.leave()
  }

  /// Ends the drag. Questions that wait have no answer.
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

  /// A place's answer, with the position in a text at which a drop would land.
  func locatedProposal(at stop: DropStop, _ inquiry: Inquiry) async -> DropProposal {
    let proposal = await proposal(at: stop, inquiry)
    let isText = state.withLock { !$0.hasPaths } || proposal.becomesPaths
    return await desktop.telling(proposal, at: stop.point, isText: isText)
  }

  /// The verdict of one place: the disk's, a profile's, or the program's own.
  func proposal(at stop: DropStop, _ inquiry: Inquiry) async -> DropProposal {
    if stop.point.owner != .windows { return await elsewhere(stop, inquiry) }
    guard let spot = await desktop.spot(stop.point) else { return .refused(.gone) }
    // A program that says yes to everything does not say whether it is the row that takes it.
    let program = await desktop.window(spot.window)?.program
    let isDoubtful =
      program?.hasDoubtfulPlaces == true || state.withLock { $0.moving == stop.point }
    if spot.place.isOutOfSight || spot.isRow && (isDoubtful || spot.place.traits.mayAccept) {
      if let answer = await byPath(stop, spot, inquiry) { return answer }
      if spot.place.isOutOfSight { return .refused(.notShown) }
    }
    // The disk is looked at while the program is asked, unless it has a say in what is asked.
    let look = Task { await self.outlook(stop.point, inquiry, spot) }
    let usual = mayMove(inquiry, to: spot) ? await soon(look).usual : nil
    let proposal = await proposal(at: stop, spot, inquiry, usual)
    // A row that can't be aimed at has its path left.
    if [.none(.notShown), .none(.placeUncertain)].contains(proposal.acceptance),
      let answer = await byPath(stop, spot, inquiry)
    {
      return answer
    }
    state.withLock { $0.folders[stop.point] = nil }
    // A busy disk may know what the program refuses for.
    let isWaitedFor = proposal.isRefusal && !state.withLock { $0.isDiskHung }
    let outlook = isWaitedFor ? await look.value : await soon(look)
    let misfits = outlook.misfits
    if misfits.isEmpty { return outlook.told(with: proposal) }
    var fitting = inquiry
    fitting.items = inquiry.items.indices.filter { misfits[$0] == nil }.map { inquiry.items[$0] }
    guard !fitting.items.isEmpty else { return .refused(misfits[0] ?? .samePlace) }
    // Programs refuse all of it for the sake of one: they are asked about what would be dropped.
    var rest = await self.proposal(at: stop, spot, fitting, usual)
    rest = outlook.told(with: rest)
    if !rest.isRefusal {
      rest.isUncertain = rest.acceptance == .maybe
      rest.acceptance = .some(refused: misfits)
    }
    return rest
  }

  /// The items that can't be put there by any route, with the reasons: they lie there already, or
  /// are around it. Also the names among theirs that exist there.
  private func outlook(
    _ point: DropPointID, _ inquiry: Inquiry, _ spot: Desktop.Spot
  ) async -> FolderDropPrecheck {
    let operation = Self.operation(inquiry, spot.place.traits)
    // Items from elsewhere are not on the disk, neither before the drop nor after it.
    guard [.copy, .move, .link].contains(operation),
      !inquiry.items.allSatisfy(TextPayloads.isElsewhere),
      let folder = await desktop.shownFolder(point)
    else { return FolderDropPrecheck() }
    let found = await goods.outlook(for: inquiry.items, in: folder)
    state.withLock { $0.isDiskHung = found == nil }
    guard var outlook = found else { return FolderDropPrecheck() }
    // A link may lie beside what it leads to, and in it.
    if operation == .link { (outlook.misfits, outlook.existing) = ([:], []) }
    return outlook
  }

  /// The result of a look at the disk; nothing is known where it takes its time.
  private func soon(_ look: Task<FolderDropPrecheck, Never>) async -> FolderDropPrecheck {
    await desktop.clock.wait(Desktop.diskPatience, else: FolderDropPrecheck()) { await look.value }
  }

  /// Whether a drop by nobody's wish may move: all of it was picked up in the window in which the
  /// place is a folder among others. Whether it lies beside that folder still the disk knows.
  private func mayMove(_ inquiry: Inquiry, to spot: Desktop.Spot) -> Bool {
    inquiry.wish == nil && spot.place.traits.operation == nil && spot.isRow && spot.isInFolder
      && inquiry.items.allSatisfy { $0.allowed.contains(.move) }
      && origins.are(inquiry.items.map(\.source), from: spot.window)
  }

  /// - Parameter usual: what is done there by nobody's wish, where the disk has a say in it.
  private func proposal(
    at stop: DropStop, _ spot: Desktop.Spot, _ inquiry: Inquiry, _ usual: DragOperation?
  ) async -> DropProposal {
    let operation = usual ?? Self.operation(inquiry, spot.place.traits)
    let traits = spot.place.traits
    guard DragOperations.transfer.contains(operation) || traits.destination == .trash,
      !traits.isOneOperation || operation == traits.operation
    else { return .refused(.operationNotOffered) }
    guard await takes(inquiry.items, spot.place.traits.accepts) else {
      return .refused(.wrongType)
    }
    if let named = await routes.named(at: spot, stop, inquiry, operation) { return named }
    // Nobody would take away what was picked out of a program, but for what a file manager shows:
    // who gets its address can fetch it from there.
    if operation == .move, !inquiry.items.allSatisfy(TextPayloads.isElsewhere),
      inquiry.items.contains(where: { TextPayloads.isOne($0.source) })
    {
      return .refused(.operationNotOffered)
    }
    // Found out while the program is asked, which takes its time.
    let undo = Task { [desktop] in await desktop.offers(.undo, in: spot.window) }
    do throws(Reason) {
      let (verdict, hasPaths, isDirect) = try await turn.take {
        () async throws(Reason) -> (DragVerdict, Bool, Bool) in
        let verdict = try await self.ask(stop.point, inquiry.items, operation)
        return self.state.withLock { (verdict, $0.hasPaths, $0.isDirect) }
      }
      let proposal = Self.proposal(
        verdict, operation, anything: spot.place.traits.mayAccept,
        isShown: await desktop.window(spot.window)?.facts.isMapped ?? false)
      _ = await undo.value
      let answer = await routes.instead(of: proposal, at: spot, stop, inquiry, operation)
      if isDirect, case .accepts = verdict {
        return FolderDropPrecheck(isFound: true).told(with: answer)
      }
      return hasPaths ? Self.telling(answer, ofPathsIn: spot.place, inquiry.items.count) : answer
    } catch {
      // A place whose program does not tell its position may have its Paste command left.
      guard error == .notShown else { return .refused(error) }
      return await routes.instead(
        of: .refused(error), at: spot, stop, inquiry, operation)
    }
  }

  /// Says beforehand that files are not copied into a text: their paths are written there.
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

  /// Whether a place that takes some types only takes these.
  private func takes(_ items: [DragItem], _ wanted: [String]) async -> Bool {
    if wanted.isEmpty || Self.fits(items, wanted, types) { return true }
    // Files are offered as a list of links, whatever is in them.
    guard let forms = try? await goods.forms(of: items) else { return false }
    return Self.fits(forms.map(\.contentType), wanted, types)
  }

  /// The operation that the person wishes, else the usual one there, as far as everything carried
  /// allows it.
  static func operation(_ inquiry: Inquiry, _ traits: PlaceTraits) -> DragOperation {
    // A move to the trash is a removal.
    let wish = traits.destination == .trash && inquiry.wish == .move ? nil : inquiry.wish
    if let wish { return wish }
    guard let usual = traits.operation,
      inquiry.items.allSatisfy({ $0.allowed.contains(usual) })
    else { return .copy }
    return usual
  }

  /// The folder that a place stands for which was last answered for by its path; `nil` for others.
  func folder(of point: DropPointID) -> DropPointID? { state.withLock { $0.folders[point] } }

  /// The answer of the folder that a row stands for; `nil` where that is not known, and for what is
  /// no file.
  private func byPath(
    _ stop: DropStop, _ spot: Desktop.Spot, _ inquiry: Inquiry
  ) async -> DropProposal? {
    // A file out of an archive has no place of its own that an undo could ask for.
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
    // The window shows another folder by now, which has one of that name as well.
    if inquiry.isFinal, let known, known != folder { return .refused(.otherFolder) }
    return answer
  }

  private static let mostFolders = 4_096

  /// Asks the world that owns the place.
  private func elsewhere(_ stop: DropStop, _ inquiry: Inquiry) async -> DropProposal {
    var question = inquiry
    question.stops = [stop]
    return await sources.answers(to: question, from: nil).first?.proposal ?? .refused(.gone)
  }

  /// Asks the program at the place as it is now.
  private func ask(
    _ point: DropPointID, _ items: [DragItem], _ operation: DragOperation
  ) async throws(Reason) -> DragVerdict {
    let drag = try await drag(of: items, operation, to: point)
    let aim = try await desktop.locate(point)
    let verdict = await drag.ask(aim.window, at: aim.at, operation: operation)
    guard [.refuses, .noTarget].contains(verdict) else { return verdict }
    // What a program draws itself may be taken at some points of it only.
    for other in await desktop.otherAims(at: point, beside: aim) {
      let answer = await drag.ask(aim.window, at: other, operation: operation)
      switch answer {
      case .refuses, .noTarget: continue
      case .accepts:
        await desktop.remember(other, as: point, asked: aim)
        return answer
      case .silent, .gone, .over: return answer
      }
    }
    return verdict
  }

  /// The drag that carries these items to a place, which is the subject from here on.
  private func drag(
    of items: [DragItem], _ operation: DragOperation, to point: DropPointID
  ) async throws(Reason) -> any DragConversing {
    let drag = try await drag(with: items, isDirect: saves(items, operation, at: point))
    state.withLock { $0.last = Subject(items: items, operation: operation) }
    return drag
  }

  /// Whether what has no file is written where the program at a place says: into the folder that it
  /// shows, where that is found. It is asked with nothing else first: by the words themselves it might
  /// make a file of its own, which nobody here could take back.
  private func saves(
    _ items: [DragItem], _ operation: DragOperation, at point: DropPointID
  ) async throws(Reason) -> Bool {
    guard operation == .copy, let saving = goods.saving(of: items), let item = items.first?.source,
      let folder = await desktop.shownFolder(point), await goods.canSave(in: folder)
    else { return false }
    if let known = state.withLock({ $0.saves[point] }), known.item == item { return known.isTaken }
    let drag = try await begin([DragForm(saving.save)])
    let aim = try await desktop.locate(point)
    let verdict = await drag.ask(aim.window, at: aim.at, operation: .copy)
    let isTaken = if case .accepts = verdict { true } else { false }
    // A silent program is asked again; what was carried before is forgotten.
    guard isTaken || verdict == .refuses else { return false }
    state.withLock { state in
      state.saves = state.saves.filter { $0.value.item == item }
      state.saves[point] = (item, isTaken)
    }
    return isTaken
  }

  /// Serial: drags are begun here, which blocks.
  private static let queue = DispatchQueue(label: "keydrag.drags")

  /// The drag that carries exactly these items.
  ///
  /// - Parameter isDirect: whether it offers to write what has no file where the program says;
  ///   `nil` for the drag that there is.
  /// - Throws: `noDisplay` without a display, and why nothing is offered of the items.
  func drag(with items: [DragItem], isDirect: Bool? = nil) async throws(Reason)
    -> any DragConversing
  {
    let carried = items.map(\.source)
    // The display may answer again, another drag than the one that it has left unanswered; and one
    // that a drag of another program has ended would refuse everything for ever.
    let saving = goods.saving(of: items)
    let drag = state.withLock { state in
      let isSame =
        state.carried == carried
        && (saving == nil || isDirect == nil || isDirect == state.isDirect)
      return isSame ? state.drag : nil
    }
    if let drag, !drag.isLost { return drag }
    var forms = try await goods.forms(of: items)
    if let saving, isDirect == true { forms.append(DragForm(saving.save)) }
    let new = try await begin(forms)
    state.withLock { state in
      state.carried = carried
      state.isDirect = isDirect == true
      state.hasPaths = forms.contains(where: \.isPaths)
    }
    return new
  }

  /// Begins a drag in place of the one that there is.
  private func begin(_ forms: [DragForm]) async throws(Reason) -> any DragConversing {
    guard let drags else { throw .noDisplay }
    // The program would take the next drag for the one that it has not been told to forget.
    await state.withLock { $0.drag.take() }?.finish()
    let new: any DragConversing = try await answered { reply in
      // It waits for the display, which nobody else is to wait for.
      Self.queue.async {
        do throws(Reason) {
          reply(.success(try drags.begin(forms)))
        } catch {
          reply(.failure(error))
        }
      }
    }
    // Until it is known what it carries it is nobody's.
    state.withLock { ($0.drag, $0.carried) = (new, []) }
    return new
  }

  /// The verdict as an answer.
  ///
  /// - Parameters:
  ///   - anything: whether the program says yes to everything.
  ///   - isShown: whether the window is on the screen; a hidden one can't say why.
  static func proposal(
    _ verdict: DragVerdict, _ operation: DragOperation, anything: Bool, isShown: Bool
  ) -> DropProposal {
    switch verdict {
    case .accepts: DropProposal(anything ? .maybe : .all, offers: DragOperations(operation))
    case .refuses: .refused(isShown ? .notTaken : .notShown)
    case .silent: .refused(.notResponding)
    case .noTarget: .refused(isShown ? .notTaken : .notShown)
    case .gone: .refused(.gone)
    case .over: .refused(.interrupted)
    }
  }

  /// Whether each item has a type that is wanted.
  ///
  /// - Parameter wanted: content types, or "image/*" for all of a kind.
  static func fits(
    _ items: [DragItem], _ wanted: [String], _ types: any ContentTypes
  ) -> Bool {
    items.allSatisfy { fits($0.types, wanted, types) }
  }

  /// Whether one of these is wanted, where "image/*" stands for every image.
  static func fits(
    _ offered: [String], _ wanted: [String], _ types: any ContentTypes
  ) -> Bool {
    offered.contains { name in
      // The part after the type names the encoding.
      let type = String(name.prefix { $0 != ";" && $0 != " " })
      return wanted.contains {
        $0 == type || $0.hasSuffix("/*") && type.hasPrefix($0.dropLast())
          || types.conforms(type, to: $0)
      }
    }
  }

  // MARK: Dropping

  /// Asks once more at the place as it is now, and drops there.
  ///
  /// - Parameters:
  ///   - begin: called when it has its turn, before the program is told of it.
  ///   - send: called with the drag right before the drop; `false` where it is not wanted any more.
  ///   - progress: called whenever the program has taken a part of what is long, with the bytes.
  ///   - late: called when an end that was unknown is known after all.
  /// - Returns: how it ended, and what `begin` has given.
  /// - Throws: why there is no drop; everything is as it was.
  func drop<Start: Sendable>(
    _ order: DeliveryOrder, begin: @Sendable () async throws(Reason) -> Start,
    send: @Sendable (any DragConversing) -> Bool,
    progress: @escaping @Sendable (_ bytes: Int, _ total: Int) -> Void,
    late: @escaping @Sendable (DragOutcome) -> Void
  ) async throws(Reason) -> (DragOutcome, Start) {
    typealias Sent = (
      drag: any DragConversing, course: DropCourse, start: Start
    )
    let sent = try await turn.take { () async throws(Reason) -> Sent in
      let start = try await begin()
      // Files may be gone since they were offered: a program would say so in a dialog of its own.
      _ = try await self.goods.forms(of: order.items)
      let (drag, course) = try await self.aimed(order, send: send, progress: progress, late: late)
      // Items that may still land keep their data; everything after it is a drag of its own.
      self.state.withLock { state in
        state.drag = nil
        state.carried = []
        state.last = nil
      }
      return (drag, course, start)
    }
    let outcome = await sent.course.outcome()
    if outcome != .unknown { sent.drag.end() }
    return (outcome, sent.start)
  }

  /// Does something else on the display, with no program entered.
  ///
  /// In its turn, like questions and drops.
  func alone<Value: Sendable>(
    _ body: @Sendable () async throws(Reason) -> Value
  ) async throws(Reason) -> Value {
    try await turn.take { () async throws(Reason) -> Value in
      self.state.withLock { $0.drag }?.leave()
      return try await body()
    }
  }

  /// How often a place that moves is aimed at.
  private static let mostAims = 3

  /// Drops where the place is now. A list that has moved on under the drag is aimed at anew, and a
  /// refusal is asked about once more: the person has just heard a yes.
  ///
  /// - Throws: why nothing was sent.
  private func aimed(
    _ order: DeliveryOrder, send: @Sendable (any DragConversing) -> Bool,
    progress: @escaping @Sendable (_ bytes: Int, _ total: Int) -> Void,
    late: @escaping @Sendable (DragOutcome) -> Void
  ) async throws(Reason) -> (any DragConversing, DropCourse) {
    let point = order.stop.point
    let name = await desktop.spot(point)?.place.name
    var (aims, hasAskedAgain) = (0, false)
    while true {
      aims += 1
      let drag = try await drag(of: order.items, order.operation, to: point)
      let aim = try await desktop.locateAgain(point)
      // It may have become something else since the person heard of it.
      guard await desktop.spot(point)?.place.name == name else { throw .placeMoves }
      guard send(drag) else {
        drag.leave()
        throw .interrupted
      }
      drag.onLateEnd(late)
      let course = DropCourse(
        on: desktop.clock,
        { [desktop] progress in
          await drag.drop(
            on: aim.window, at: aim.at, operation: order.operation,
            isThere: { await desktop.isThere(point, aim) }, progress)
        }, progress)
      // A program that takes its time with what it has begun to take holds up nobody else.
      guard case .refused(let reason)? = await course.isHandedOver() else { return (drag, course) }
      switch reason {
      case .placeMoves where aims < Self.mostAims: break
      case .placeMoves:
        state.withLock { $0.moving = point }
        throw reason
      case .notTaken where !hasAskedAgain: hasAskedAgain = true
      case .notTaken:
        throw await isMapped(point) ? .notTaken : .notShown
      default: throw reason
      }
      // A busy LibreOffice 7.4 was seen to say no in between: whoever means it says it to one that
      // enters anew, too, where the place is by a look of now.
      if let window = await desktop.spot(point)?.window {
        _ = await desktop.list(window)
      }
    }
  }

  /// Whether the window of a place is on the screen.
  private func isMapped(_ point: DropPointID) async -> Bool {
    guard let spot = await desktop.spot(point) else { return false }
    return await desktop.window(spot.window)?.facts.isMapped ?? false
  }

  // MARK: Opening

  /// The subject of the last question, with how many questions had come by then.
  var current: (subject: Subject?, taken: Int) { state.withLock { ($0.last, $0.taken) } }

  /// Whether a question has come since, or none is answered any more.
  func isOvertaken(since taken: Int) -> Bool {
    state.withLock { $0.taken != taken || $0.isClosed }
  }
}
