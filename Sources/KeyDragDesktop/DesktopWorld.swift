import KeyDragCore
import Synchronization

/// The windows of running programs as containers, and the places in them as drop points.
///
/// What is carried comes from another world, which also keeps the history.
package final class DesktopWorld: World {
  /// What it is made of. A part that is missing is said when it is needed, and the rest goes on.
  package struct Parts: Sendable {
    /// Gives the items: real folders, or what is in focus.
    package var sources: any World
    package var goods: any DragGoods
    /// `nil` without an accessibility bus: windows are known by their titles only.
    package var programs: (any ProgramReading)?
    /// `nil` without an X server.
    package var windows: (any WindowReading)?
    package var drags: (any DragMaking)?
    package var profiles: [ProgramProfile]
    /// The words that places are named in.
    package var phrases: Phrasebook
    /// Programs that are left out: our own windows.
    package var ownProcess: Int32

    package init(
      sources: any World, goods: any DragGoods, programs: (any ProgramReading)?,
      windows: (any WindowReading)?, drags: (any DragMaking)?, profiles: [ProgramProfile],
      phrases: Phrasebook, ownProcess: Int32
    ) {
      self.sources = sources
      self.goods = goods
      self.programs = programs
      self.windows = windows
      self.drags = drags
      self.profiles = profiles
      self.phrases = phrases
      self.ownProcess = ownProcess
    }
  }

  private let sources: any World
  private let desktop: Desktop
  private let asking: Asking
  private let delivering: Delivering
  private let observer = Mutex<(@Sendable (WorldReport) -> Void)?>(nil)

  package init(_ parts: Parts) {
    sources = parts.sources
    desktop = Desktop(parts)
    asking = Asking(desktop: desktop, drags: parts.drags, goods: parts.goods)
    delivering = Delivering(desktop: desktop, asking: asking, goods: parts.goods)
  }

  /// Looks at the desktop now.
  ///
  /// - Throws: ``Reason/noDisplay`` when there is no window that could be reached.
  package func look() async throws(Reason) -> [ContainerDescriptor] { try await desktop.look() }

  /// The places of a window, as ``look()`` has named it.
  package func places(of container: ContainerID) async -> Result<Listing, Reason> {
    await desktop.list(container)
  }

  /// The names by which each window may be meant: its program's, its class's and its titles.
  package func names(of windows: [ContainerID]) async -> [[String]] {
    await desktop.names(of: windows)
  }

  /// What is known of a place; `nil` when it is none of ours.
  package func place(_ point: DropPointID) async -> Place? {
    await desktop.spot(point)?.place
  }

  /// What a drop of these items there would be answered now.
  package func verdict(at stop: DropStop, for inquiry: Inquiry) async -> Proposal {
    await asking.proposal(at: stop, inquiry)
  }

  // MARK: World

  package func observe(_ observer: @escaping @Sendable (WorldReport) -> Void) {
    self.observer.withLock { $0 = observer }
    sources.observe(observer)
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
    case .ask(let inquiry): asking.take(inquiry, id, reply)
    case .deliver(let delivery, let order) where Desktop.isOurs(order.stop.point):
      delivering.take(delivery, order, reply)
    case .cancelDelivery(let delivery):
      if !delivering.cancel(delivery) { sources.handle(request, id: id, reply: reply) }
    case .list, .enter, .leave, .close, .openDropPoint, .prepare, .deliver, .undo, .redo, .reorder:
      sources.handle(request, id: id, reply: reply)
    }
  }

  package func close() {
    asking.close()
    sources.close()
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
