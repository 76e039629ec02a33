import Dispatch
import KeyDragCore
import Synchronization

/// The windows of running programs as containers, and the places in them as drop points.
///
/// Carried items come from another world, which also keeps the history.
package final class DesktopWorld: World {
  /// The parts it is made of. A part that is missing is said when it is needed, and the rest goes
  /// on.
  package struct Parts: Sendable {
    /// Gives the items: real folders, or what is in focus.
    package var sources: any World
    package var goods: any DragGoods
    /// Finds the files that a file manager shows; `nil` where none are picked up from programs.
    package var finder: (any FileFinding)?
    /// Keeps a line of the history for what can't be undone from here; `nil` where none is kept.
    package var history: (any ForeignDropKeeping)?
    /// `nil` without an accessibility bus: windows are known by their titles only.
    package var programs: (any ProgramReading)?
    /// `nil` without an X server.
    package var windows: (any WindowReading)?
    package var drags: (any DragMaking)?
    /// Has programs carry out their own commands; `nil` where nothing can.
    package var commands: (any ProgramCommanding)?
    /// The clipboard, for programs to paste from and to copy into.
    package var lending: (any ClipboardLending)?
    package var borrowing: (any ClipboardBorrowing)?
    package var pointer: (any PointerDragging)?
    /// Presses the Copy key in windows that tell nothing of what is in them.
    package var keys: (any KeyPressing)?
    package var profiles: [ProgramProfile]
    /// The kinds of content types, for places that take some only.
    package var types: any ContentTypes
    /// The words that places are named in.
    package var phrases: Phrasebook
    /// Programs that are left out: our own windows.
    package var ownProcess: Int32
    /// The terminal that this runs in: what is dropped there would be typed here.
    package var ownWindow: WindowID?

    package init(
      sources: any World, goods: any DragGoods, finder: (any FileFinding)? = nil,
      programs: (any ProgramReading)?,
      windows: (any WindowReading)?, drags: (any DragMaking)?, profiles: [ProgramProfile],
      types: any ContentTypes, phrases: Phrasebook, ownProcess: Int32
    ) {
      self.sources = sources
      self.goods = goods
      self.finder = finder
      self.programs = programs
      self.windows = windows
      self.drags = drags
      self.profiles = profiles
      self.types = types
      self.phrases = phrases
      self.ownProcess = ownProcess
    }
  }

  let sources: any World
  private let lending: (any ClipboardLending)?
  private let finder: (any FileFinding)?
  private let desktop: Desktop
  let clippings = Clippings()
  private let picking: Picking
  private let asking: Asking
  private let delivering: Delivering
  private let unrecorded = Unrecorded()
  private let foreign: ForeignHistory
  private let programUndo: ProgramUndo
  private let goods: CarriedGoods
  private let observer = Mutex<(@Sendable (WorldReport) -> Void)?>(nil)
  private let followed = Mutex<[DragSourceID]>([])
  private let entryHandler = Mutex<(@Sendable (Int64) -> Void)?>(nil)

  package init(_ parts: Parts) {
    (sources, lending, finder) = (parts.sources, parts.lending, parts.finder)
    foreign = ForeignHistory(parts.history)
    desktop = Desktop(parts)
    let goods = CarriedGoods(clippings: clippings, files: parts.goods)
    self.goods = goods
    let origins = Origins()
    let routes = Routes(desktop: desktop, goods: goods, origins: origins, parts: parts)
    picking = Picking(desktop: desktop, parts: parts, clippings: clippings, origins: origins)
    asking = Asking(
      desktop: desktop, drags: parts.drags, goods: goods, types: parts.types, sources: sources,
      routes: routes, origins: origins)
    programUndo = ProgramUndo(desktop: desktop)
    delivering = Delivering(
      desktop: desktop, asking: asking, goods: goods, routes: routes, undo: programUndo)
  }

  /// Looks at the desktop now.
  ///
  /// - Throws: ``Reason/noDisplay`` when there is no window that could be reached.
  package func look() async throws(Reason) -> [ContainerDescriptor] { try await desktop.look() }

  /// Whether what windows show could be told at the last look; else they are known by their titles.
  package var isAccessible: Bool { get async { await desktop.isAccessible } }

  /// The places of a window, as ``look()`` has named it.
  package func places(of container: ContainerID) async -> Result<Listing, Reason> {
    await desktop.list(container, patience: Desktop.fullColumnPatience)
  }

  /// The names by which each window may be meant: its program's, its class's and its titles.
  package func names(of windows: [ContainerID]) async -> [[String]] {
    await desktop.names(of: windows)
  }

  /// The view of files in a window that tells nothing of what is in it, as it was when the window was
  /// read last.
  package func untoldView(of window: ContainerID) async -> Place? {
    await desktop.window(window)?.untold
  }

  /// The facts of a place; `nil` when it is none of ours.
  package func place(_ point: DropPointID) async -> Place? {
    await desktop.spot(point)?.place
  }

  /// The present answer to a drop of these items there.
  package func verdict(at stop: DropStop, for inquiry: Inquiry) async -> Proposal {
    await asking.locatedProposal(at: stop, inquiry)
  }

  /// The place's position on the screen when it was found; `nil` for one that is in no window.
  package func lastWhereabouts(of point: DropPointID) async -> Whereabouts? {
    await desktop.lastWhereabouts(of: point)
  }

  /// The place's present position on the screen, by its program; `nil` for one that is in no
  /// window.
  package func whereabouts(of point: DropPointID) async -> Whereabouts? {
    await desktop.whereabouts(of: point)
  }

  /// Whether the newest thing done can't be found in the history.
  package var isLastUnrecorded: Bool { unrecorded.last != nil }

  /// Calls the handler with the history's number for each drop into a program that it knows of, before
  /// the end is told.
  package func onEntry(_ handler: @escaping @Sendable (Int64) -> Void) {
    entryHandler.withLock { $0 = handler }
  }

  /// Calls the handler whenever something else has the focus: whether it is a password.
  package func onFocus(_ handler: @escaping @Sendable (_ isPassword: Bool) -> Void) {
    Task { await desktop.setFocusHandler(handler) }
  }

  // MARK: World

  package func observe(_ observer: @escaping @Sendable (WorldReport) -> Void) {
    self.observer.withLock { $0 = observer }
    sources.observe { [unrecorded] report in
      if case .redoneLate = report { unrecorded.note(report) }
      observer(report)
    }
    desktop.follow { changes in observer(.changed(changes)) }
  }

  package func handle(
    _ request: WorldRequest, id: RequestID, reply: @escaping @Sendable (WorldReport) -> Void
  ) {
    switch request {
    case .list(let container, _) where Desktop.isOurs(container):
      Task { reply(Self.report(await desktop.list(container), id, await desktop.name(container))) }
    case .leave(let container, _) where Desktop.isOurs(container):
      reply(.unreadable(id, name: "", .nothingThere))
    case .close(let container) where Desktop.isOurs(container): break
    case .openDropPoint(let point, _) where Desktop.isOurs(point):
      Task { [asking] in
        reply(
          Self.report(
            await asking.open(point), id, await desktop.spot(point)?.place.spokenName ?? ""))
      }
    case .ask(let inquiry) where inquiry.stops.contains { Desktop.isOurs($0.point) }:
      follow(inquiry.items)
      asking.take(inquiry, id, reply)
    case .deliver(let delivery, let order) where Desktop.isOurs(order.stop.point):
      finder?.give(order.items)
      delivering.take(
        delivery, order,
        onEnd: { [unrecorded, foreign, finder, weak self] end, place, isNewest in
          if end.entry != nil || end.result.hasLeftNothing {
            finder?.settle(order.items, haveLanded: end.entry != nil)
          }
          foreign.note(
            delivery, end.result, order, isRecorded: end.entry != nil, place: place,
            isNewest: isNewest)
          // Undo is about the newest drop.
          guard isNewest else { return }
          unrecorded.note(end.result, order, isRecorded: end.entry != nil, place: place)
          if let entry = end.entry { self?.entryHandler.withLock { $0 }?(entry) }
        },
        // Whoever looks into the history on hearing of the end finds it there.
        { [foreign] report in foreign.inTurn { reply(report) } })
    case .undo(let entry) where entry == nil || foreign.isNewest(entry):
      // An older entry in its place would undo something else than what was done last.
      if let last = unrecorded.last {
        Task { [programUndo, unrecorded, foreign] in
          let result = await programUndo.undo(last)
          if case .done = result {
            unrecorded.forget()
            foreign.undidNewest()
          }
          reply(.undone(id, result))
        }
      } else {
        sources.handle(request, id: id, reply: reply)
      }
    case .deliver, .redo:
      sources.handle(request, id: id) { [unrecorded] report in
        unrecorded.note(report)
        reply(report)
      }
    case .cancelDelivery(let delivery):
      if !delivering.cancel(delivery) { sources.handle(request, id: id, reply: reply) }
    case .focus:
      Task { [picking] in
        do throws(Reason) {
          reply(.focused(id, try await picking.focus()))
        } catch {
          reply(.unreadable(id, name: await picking.program(behind: error), error))
        }
      }
    case .show(let delivery): show(delivery, id, reply)
    case .windows:
      Task { [desktop] in reply(.windows(id, (try? await desktop.look()) ?? [])) }
    case .prepare(let sources) where sources.contains(where: Clippings.isOne):
      prepare(sources, id, reply)
    case .prepare:
      sources.handle(request, id: id) { [finder] report in
        reply(Self.keepingMembers(report, finder))
      }
    case .list, .enter, .leave, .close, .openDropPoint, .ask, .undo, .history, .reorder,
      .edit, .folders:
      sources.handle(request, id: id, reply: reply)
    }
  }

  /// Files taken out of an archive can only be copied: in the archive they stay.
  private static func keepingMembers(
    _ report: WorldReport, _ finder: (any FileFinding)?
  ) -> WorldReport {
    guard let finder, case .prepared(let id, var preparation) = report else { return report }
    for index in preparation.items.indices where finder.isMember(preparation.items[index].source) {
      preparation.items[index].allowed = .copy
    }
    return .prepared(id, preparation)
  }

  /// Prepares sources of one sort, as they are picked up together: files, or clippings of a text.
  private func prepare(
    _ sources: [DragSourceID], _ id: RequestID, _ reply: @escaping @Sendable (WorldReport) -> Void
  ) {
    reply(.prepared(id, clippings.prepare(sources)))
  }

  /// Brings the question of a program about a drop to the front, else what landed.
  private func show(
    _ delivery: DeliveryID, _ id: RequestID, _ reply: @escaping @Sendable (WorldReport) -> Void
  ) {
    let landing = delivering.landing(of: delivery)
    Task { [desktop, delivering] in
      if let window = delivering.questionWindow(of: delivery),
        let shown = await desktop.show(question: window)
      {
        return reply(.shown(id, shown))
      }
      guard let landing else { return reply(.unreadable(id, name: "", .gone)) }
      do throws(Reason) {
        reply(.shown(id, try await desktop.show(landing)))
      } catch {
        reply(.unreadable(id, name: landing.spot.place.spokenName, error))
      }
    }
  }

  /// Follows the items, any of which may be gone before it is dropped.
  private func follow(_ items: [DragItem]) {
    let sources = items.map(\.source)
    let isNew = followed.withLock { followed in
      defer { followed = sources }
      return followed != sources
    }
    guard isNew else { return }
    goods.follow(items) { [weak self] gone in
      let changes = gone.map { RegistryChange.sourceVanished($0.source, container: $0.container) }
      self?.observer.withLock { $0 }?(.changed(changes))
    }
  }

  package func close() {
    stop()
    settle()
  }

  /// Ends what is asked; what is lent stays so.
  func stop() {
    asking.close()
    sources.close()
  }

  /// Gives back what is lent; may block for a few seconds.
  func settle() {
    lending?.settle()
    finder?.removeFiles()
  }

  private static func report(
    _ result: Result<Listing, Reason>, _ id: RequestID, _ name: String
  ) -> WorldReport {
    switch result {
    case .success(let listing): .listed(id, listing)
    case .failure(let reason): .unreadable(id, name: name, reason)
    }
  }
}

/// Files and what was taken out of texts, carried together.
final class CarriedGoods: Sendable {
  private let clippings: Clippings
  private let files: any DragGoods
  private let queue = DispatchQueue(label: "keydrag.goods", attributes: .concurrent)
  private let looks = Looks()
  private let savings = Mutex<[DragSourceID: any DirectSaving]>([:])

  init(clippings: Clippings, files: any DragGoods) {
    self.clippings = clippings
    self.files = files
  }

  /// Forms that all of it has.
  ///
  /// - Throws: ``Reason/wrongType`` for files and texts together, which have none in common;
  ///   ``Reason/gone`` when something of it is there no more; ``Reason/notResponding`` when its disk
  ///   hangs.
  func forms(of items: [DragItem]) async throws(Reason) -> [DragForm] {
    let texts = items.filter { Clippings.isOne($0.source) }
    if !texts.isEmpty {
      guard texts.count == items.count else { throw .wrongType }
      return try clippings.forms(of: texts)
    }
    guard let forms = await look({ $0.forms(of: items) }) else { throw .notResponding }
    guard !forms.isEmpty else { throw .gone }
    return forms
  }

  /// Has files looked at on a thread of its own; `nil` when their disk does not answer.
  private func look(_ body: @escaping @Sendable (any DragGoods) -> [DragForm]) async -> [DragForm]?
  {
    guard looks.begin() else { return nil }
    return await answer(within: Desktop.dropPatience, else: nil) { reply in
      queue.async { [files, looks] in
        let forms = body(files)
        looks.end()
        reply(forms)
      }
    }
  }

  /// The forms that a program may have been given.
  func given(of items: [DragItem]) async -> [DragForm] {
    let isOfFiles = !items.contains { Clippings.isOne($0.source) }
    if isOfFiles { return await look { $0.given(of: items) } ?? [] }
    return (try? await forms(of: items)) ?? []
  }

  /// - Throws: ``Reason/notResponding`` for a disk that hangs.
  func expect(
    _ items: [DragItem], _ operation: DragOperation, in folder: ShownFolder
  ) async throws(Reason) -> (any ExpectedLanding)? {
    if items.contains(where: { Clippings.isOne($0.source) }) {
      guard operation == .copy, let saving = saving(of: items) else { return nil }
      saving.begin(in: folder, place: folder.spokenName)
      return saving
    }
    return try await files.expect(items, operation, in: folder)
  }

  /// Has what is carried written as a file to where it is dropped; `nil` for files, for several things,
  /// and for addresses, which programs fetch by themselves.
  func saving(of items: [DragItem]) -> (any DirectSaving)? {
    guard let item = items.first, items.count == 1, Clippings.isOne(item.source),
      !item.types.contains(Clippings.list), let clipping = clippings[item.source]
    else { return nil }
    return savings.withLock { savings in
      if let known = savings[item.source] { return known }
      let form = clipping.forms.first { form in item.types.contains(form.contentType) }
      guard let form = form ?? clipping.forms.first, let new = files.saving(item, as: form) else {
        return nil
      }
      if savings.count >= Clippings.most { savings = [:] }
      savings[item.source] = new
      return new
    }
  }

  /// The same for the person's trash.
  ///
  /// - Throws: ``Reason/notResponding`` for a disk that hangs.
  func expectTrashed(
    _ items: [DragItem], in place: String
  ) async throws(Reason) -> (any ExpectedLanding)? {
    if items.contains(where: { Clippings.isOne($0.source) }) { return nil }
    return try await files.expectTrashed(items, in: place)
  }

  /// Calls the handler when files among these are gone, in the place of all that were followed before.
  func follow(_ items: [DragItem], _ gone: @escaping @Sendable ([DragItem]) -> Void) {
    let files = items.filter { !Clippings.isOne($0.source) }
    // The queue spares the caller a wait for the disk.
    queue.async { [self] in self.files.follow(files, gone) }
  }

  /// The outlook for the items in a folder before its program is asked.
  func outlook(for items: [DragItem], in folder: ShownFolder) async -> FolderOutlook {
    if items.contains(where: { Clippings.isOne($0.source) }) { return FolderOutlook() }
    return await files.outlook(for: items, in: folder)
  }
}
