import Dispatch
import KeyDragCore
import Synchronization

/// The windows of running programs as containers, and the places in them as drop points.
///
/// Another world supplies the items and keeps the history; whatever is not about windows is
/// forwarded to it.
package final class DesktopWorld: World {
  /// Supplies the items and keeps the history.
  let sources: any World
  private let displays: [any Display]
  private let finder: (any FileFinding)?
  private let desktop: Desktop
  let clippings = TextPayloads()
  private let picking: Picking
  private let asking: Asking
  private let delivering: DropExecutor
  private let ledger: DropLedger
  private let programUndo: ProgramUndo
  private let goods: PayloadCoordinator
  /// Called from any thread.
  private let observer = Mutex<(@Sendable (WorldReport) -> Void)?>(nil)
  /// Items watched for removal.
  private let followed = Mutex<[DragSourceID]>([])

  package init(_ parts: DesktopAdapters) {
    (sources, displays, finder) = (parts.sources, parts.displays, parts.finder)
    ledger = DropLedger(parts.history)
    desktop = Desktop(parts)
    let goods = PayloadCoordinator(clippings: clippings, files: parts.goods, clock: parts.clock)
    self.goods = goods
    let origins = PickUpOrigins()
    let routes = Routes(desktop: desktop, goods: goods, origins: origins)
    picking = Picking(desktop: desktop, clippings: clippings, origins: origins)
    asking = Asking(desktop: desktop, goods: goods, routes: routes, origins: origins)
    programUndo = ProgramUndo(desktop: desktop)
    delivering = DropExecutor(
      desktop: desktop, asking: asking, goods: goods, routes: routes, undo: programUndo)
  }

  /// Reads the desktop now.
  ///
  /// - Throws: ``Reason/noDisplay`` where windows can't be reached.
  package func look() async throws(Reason) -> [ContainerDescriptor] { try await desktop.look() }

  /// Whether the accessibility service answered the last query; otherwise only titles are known.
  package var isAccessible: Bool { get async { await desktop.isAccessible } }

  /// The places of a window returned by ``look()``.
  package func places(of container: ContainerID) async -> Result<Listing, Reason> {
    // No change will be reported later: wait for slow disks and busy programs now.
    await desktop.waitForAnswer {
      await self.desktop.list(container, patience: Desktop.dropPatience)
    }
  }

  /// The same, with every obstacle to walking the places by name.
  package func audit(_ window: WindowID) async -> Result<WindowAudit, Reason>? {
    guard let container = await desktop.numbers[window] else { return nil }
    do throws(Reason) {
      let listing = try await places(of: container).get()
      return .success(await desktop.audit(listing))
    } catch {
      return .failure(error)
    }
  }

  /// The names by which each window may be meant: its program's, its class's and its titles.
  package func names(of windows: [ContainerID]) async -> [[String]] {
    await desktop.names(of: windows)
  }

  /// The file view of a window that exposed no contents when the window was last read.
  package func untoldView(of window: ContainerID) async -> Place? {
    await desktop.window(window)?.untold
  }

  /// The facts of a place; `nil` for another world's.
  package func place(_ point: DropPointID) async -> Place? {
    await desktop.spot(point)?.place
  }

  /// The present answer to a drop of these items there.
  package func verdict(at stop: DropStop, for inquiry: ProposalRequest) async -> DropProposal {
    await asking.locatedProposal(at: stop, inquiry)
  }

  /// The place's position when it was found; `nil` outside of windows.
  package func lastLocation(of point: DropPointID) async -> PlaceLocation? {
    await desktop.lastLocation(of: point)
  }

  /// The place's present position, by its program; `nil` outside of windows.
  package func currentLocation(of point: DropPointID) async -> PlaceLocation? {
    await desktop.currentLocation(of: point)
  }

  /// Whether the newest action is missing from the history.
  package var isLastUnrecorded: Bool { ledger.last != nil }

  /// Calls the handler at each change of focus: whether it is a password field.
  package func onFocus(_ handler: @escaping @Sendable (_ isPassword: Bool) -> Void) {
    Task { await desktop.setFocusHandler(handler) }
  }

  // MARK: World

  package var owners: [IDOwner] { [.windows, .clippings] + sources.owners }
  package var base: (any World)? { sources }

  package func observe(_ observer: @escaping @Sendable (WorldReport) -> Void) {
    self.observer.withLock { $0 = observer }
    sources.observe { [ledger] report in
      ledger.note(report)
      observer(report)
    }
    desktop.follow(observer)
  }

  package func list(
    _ subject: ListingSubject, includingHidden: Bool,
    told: @escaping @Sendable (ListingEvent) -> Void
  ) async throws(ListingError) {
    switch subject {
    case .container(let container) where container.owner == .windows:
      switch await desktop.list(container) {
      case .success(let listing): told(.listed(listing))
      case .failure(let reason):
        throw ListingError(reason, name: await desktop.name(container))
      }
    case .around(let container) where container.owner == .windows:
      throw ListingError(.nothingThere)
    case .opened(let point) where point.owner == .windows:
      do throws(Reason) {
        told(.listed(try await asking.open(point)))
      } catch {
        throw ListingError(error, name: await desktop.spot(point)?.place.spokenName ?? "")
      }
    case .container, .inside, .around, .opened, .edited, .path:
      try await sources.list(subject, includingHidden: includingHidden, told: told)
    }
  }

  package func hide(_ container: ContainerID) {
    if container.owner != .windows { sources.hide(container) }
  }

  /// Sources are all files or all clippings, as they are picked up together.
  package func prepare(_ sources: [DragSourceID]) async -> PreparedItems {
    if sources.contains(where: TextPayloads.isOne) { return clippings.prepare(sources) }
    var preparation = await self.sources.prepare(sources)
    // Archive members can only be copied: they stay in the archive.
    for index in preparation.items.indices
    where finder?.isMember(preparation.items[index].source) == true {
      preparation.items[index].allowed = .copy
    }
    return preparation
  }

  package func answers(to inquiry: ProposalRequest, from loading: (any ItemLoading)?) async
    -> [Answer]
  {
    guard inquiry.stops.contains(where: { $0.point.owner == .windows }) else {
      return await sources.answers(to: inquiry, from: loading)
    }
    // Programs receive only what the sources here hold.
    guard loading == nil else { return inquiry.stops.map { Answer($0, .refused(.wrongType)) } }
    follow(inquiry.items)
    return await asking.answers(to: inquiry)
  }

  package func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: (any ItemLoading)?,
    told: @escaping DeliveryReceiver
  ) {
    let folder = asking.folder(of: order.stop.point)
    // Events are reported once the history is written, for callers that read it then.
    let drop = Drop(id, order) { [ledger] event in ledger.inTurn { told(event) } }
    guard order.stop.point.owner == .windows, folder == nil else {
      var inner = order
      if let folder {
        inner.stop = DropStop(folder)
        drop.close()
        delivering.drops.add(drop)
      }
      return sources.deliver(id, inner, from: loading) { [ledger, delivering, desktop] event in
        ledger.note(event)
        guard folder != nil, case .finished(var result) = event else { return told(event) }
        // Nobody walks the folder here: the landing is its window.
        result.landings = []
        let end = result
        Task {
          delivering.drops.note(end, of: drop, at: await desktop.spot(order.stop.point))
          told(.finished(end))
        }
      }
    }
    guard loading == nil else {
      return told(.finished(.failure(order, .refused, .wrongType)))
    }
    finder?.give(order.items)
    delivering.take(drop) { [ledger, finder] end, place, isNewest in
      if end.entry != nil || end.hasLeftNothing {
        finder?.settle(order.items, haveLanded: end.entry != nil)
      }
      ledger.note(end, of: drop, place: place, isNewest: isNewest)
    }
  }

  package func cancel(_ delivery: DeliveryID) {
    if delivering.drops[delivery]?.cancel() != true { sources.cancel(delivery) }
  }

  package func undo(entry: Int64?) async -> HistoryResult {
    // Undoing an older entry instead would take back something other than the newest action.
    guard entry == nil || ledger.isNewest(entry), let last = ledger.last else {
      return await sources.undo(entry: entry)
    }
    let result = await programUndo.undo(last)
    if case .done = result { ledger.undidNewest() }
    return result
  }

  package func redo(entry: Int64?) async -> HistoryResult {
    let result = await sources.redo(entry: entry)
    ledger.note(redone: result)
    return result
  }

  /// Takes back what this run has dropped last: other processes write into the same history.
  func undoOwn() async -> HistoryResult {
    guard ledger.last == nil else { return await undo(entry: nil) }
    guard let entry = ledger.run.newest else { return .nothing }
    let result = await undo(entry: entry)
    ledger.note(entry, result, isRedo: false)
    return result
  }

  /// The same for what was last undone from here.
  func redoOwn() async -> HistoryResult {
    while let entry = ledger.run.nextRedo {
      let result = await redo(entry: entry)
      ledger.note(entry, result, isRedo: true)
      // An entry that can't be redone does not block older ones.
      if result != .nothing { return result }
    }
    return .nothing
  }

  package func focus() async throws(ListingError) -> FocusReport {
    do throws(Reason) {
      return try await picking.focus()
    } catch {
      throw ListingError(error, name: await picking.program(behind: error))
    }
  }

  package func restoreKeyboard(_ wish: KeyboardReturn) async -> KeyboardLocation {
    await picking.restoreKeyboard(wish)
  }

  package func windows() async -> [ContainerDescriptor] { await desktop.tellWindows() }

  /// Brings a program's question about a drop to the front, else what landed.
  package func show(_ delivery: DeliveryID) async throws(ListingError) -> RevealedLanding {
    let landing = delivering.drops.landing(of: delivery)
    if let window = delivering.drops[delivery]?.questionWindow,
      let shown = await desktop.show(question: window)
    {
      return shown
    }
    guard let landing else { throw ListingError(.gone) }
    do throws(Reason) {
      return try await desktop.show(landing)
    } catch {
      throw ListingError(error, name: landing.spot.place.spokenName)
    }
  }

  /// Watches the items, any of which may vanish before the drop.
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

  /// Blocks for a few seconds at most.
  package func close() {
    stop()
    settle()
  }

  /// Ends all questions; what is lent stays lent.
  func stop() {
    asking.close()
    sources.close()
  }

  /// Takes back what is lent and removes temporary files; may block for a few seconds.
  func settle() {
    for display in displays { try? display.clipboard.settle() }
    finder?.removeFiles()
  }
}
