import Dispatch
import KeyDragCore
import Synchronization

/// The windows of running programs as containers, and the places in them as drop points.
///
/// Carried items come from another world, which also keeps the history.
///
/// Requests about windows are answered here, all others go to that world. Returns at once; replies
/// come from tasks and queues.
package final class DesktopWorld: World {
  /// Gives the items and keeps the history.
  let sources: any World
  private let lending: (any ClipboardLending)?
  private let finder: (any FileFinding)?
  private let desktop: Desktop
  let clippings = Clippings()
  private let picking: Picking
  private let asking: Asking
  private let delivering: Delivering
  /// The last drop that the history can't undo.
  private let unrecorded = Unrecorded()
  private let foreign: ForeignHistory
  private let programUndo: ProgramUndo
  private let goods: CarriedGoods
  /// Called from any thread.
  private let observer = Mutex<(@Sendable (WorldReport) -> Void)?>(nil)
  /// The items that are followed now.
  private let followed = Mutex<[DragSourceID]>([])
  /// `nil` until somebody wants to hear of entries.
  private let entryHandler = Mutex<(@Sendable (Int64) -> Void)?>(nil)

  package init(_ parts: DesktopAdapters) {
    (sources, lending, finder) = (parts.sources, parts.lending, parts.finder)
    foreign = ForeignHistory(parts.history)
    desktop = Desktop(parts)
    let goods = CarriedGoods(clippings: clippings, files: parts.goods, clock: parts.clock)
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

  /// The view of files in a window that tells nothing of what is in it, as it was when the window
  /// was read last.
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

  /// Calls the handler with the history's number for each drop into a program that it knows of,
  /// before the end is told.
  package func onEntry(_ handler: @escaping @Sendable (Int64) -> Void) {
    entryHandler.withLock { $0 = handler }
  }

  /// Calls the handler whenever something else has the focus: whether it is a password.
  package func onFocus(_ handler: @escaping @Sendable (_ isPassword: Bool) -> Void) {
    Task { await desktop.setFocusHandler(handler) }
  }

  // MARK: World

  package var owners: [IDOwner] { [.windows, .clippings] + sources.owners }

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
    case .list(let container, _) where container.owner == .windows:
      Task { reply(Self.report(await desktop.list(container), id, await desktop.name(container))) }
    case .leave(let container, _) where container.owner == .windows:
      reply(.unreadable(id, name: "", .nothingThere))
    case .close(let container) where container.owner == .windows: break
    case .openDropPoint(let point, _) where point.owner == .windows:
      Task { [asking] in
        reply(
          Self.report(
            await asking.open(point), id, await desktop.spot(point)?.place.spokenName ?? ""))
      }
    case .ask(let inquiry) where inquiry.stops.contains { $0.point.owner == .windows }:
      follow(inquiry.items)
      asking.take(inquiry, id, reply)
    case .deliver(let delivery, let order) where order.stop.point.owner == .windows:
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

  /// Blocks for a few seconds at most.
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
