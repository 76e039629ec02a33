import Dispatch
import KeyDragCore
import Synchronization

/// The windows of running programs beside the containers of an app, whose items are dropped on
/// them.
///
/// The desktop is looked at for the first time when something is picked up. Nothing is taken away
/// from the app: everything is a copy.
///
/// Calls return at once, but for ``close()``. Items are held under numbers of our own while
/// programs may take them.
package final class WindowsWorld: ItemTaking {
  package typealias Reply = @Sendable (WorldReport) -> Void

  /// A desktop, and the goods of its own in which it carries what others hold.
  package struct Parts: Sendable {
    package var desktop: DesktopWorld
    package var goods: any HeldGoods

    package init(desktop: DesktopWorld, goods: any HeldGoods) {
      self.desktop = desktop
      self.goods = goods
    }
  }

  /// Everything behind the lock.
  private struct Contents {
    /// `nil` until the desktop has been reached, and after the end.
    var parts: Parts?
    var isClosed = false
    var observer: Reply?
    /// The running deliveries, under the numbers of the goods.
    var running: [DeliveryID: [DragItem]] = [:]
    /// The drops from here that the history knows.
    var entries = OwnEntries()
  }

  /// Blocks; called on the queue.
  private let make: @Sendable () -> Parts?
  private let state = Mutex(Contents())
  /// How long the end is held up by a display that does not answer.
  private static let patience = DispatchTimeInterval.seconds(2)
  /// Serial: the desktop is reached here, which may block.
  private let queue = DispatchQueue(label: "keydrag.windows")

  /// - Parameters:
  ///   - make: reaches the desktop, once; may block, and gives `nil` where there is none.
  ///   - tidying: done at the start, with nobody waiting for it; may block.
  package init(
    make: @escaping @Sendable () -> Parts?, tidying: @escaping @Sendable () -> Void = {}
  ) {
    self.make = make
    queue.async(execute: tidying)
  }

  private var parts: Parts? { state.withLock { $0.parts } }

  package var owners: [IDOwner] { [.windows] }

  package func observe(_ observer: @escaping Reply) { state.withLock { $0.observer = observer } }

  /// Blocks for 2 s at most, and for what is lent.
  package func close() {
    let desktop = state.withLock { state in
      state.isClosed = true
      return state.parts?.desktop
    }
    let isDone = DispatchSemaphore(value: 0)
    // In its turn: what is only being reached is closed as well.
    queue.async { [self] in
      let (parts, running) = state.withLock { state in
        defer { state.parts = nil }
        return (state.parts, state.running.values)
      }
      // Nothing is written any more once the files are removed.
      for items in running { parts?.goods.close(items) }
      parts?.desktop.stop()
      parts?.goods.removeFiles()
      isDone.signal()
    }
    _ = isDone.wait(timeout: .now() + Self.patience)
    // In a time of its own; of what is only being reached nothing is lent yet.
    desktop?.settle()
  }

  package func handle(_ request: WorldRequest, id: RequestID, reply: @escaping Reply) {
    switch request {
    case .windows: look(id, reply)
    case .list, .openDropPoint, .show:
      guard let parts else { return reply(.unreadable(id, name: "", .noDisplay)) }
      parts.desktop.handle(request, id: id) { reply(Self.askedOnArrival($0)) }
    case .cancelDelivery(let delivery):
      guard let parts, let items = state.withLock({ $0.running[delivery] }) else { return }
      parts.goods.close(items)
      parts.desktop.handle(request, id: id) { _ in }
    case .undo(entry: nil): undo(id, reply)
    case .redo(entry: nil): redo(id, reply)
    // Nothing is picked up here, and every drop comes with something that loads it.
    case .ask(let inquiry): reply(.answered(id, Self.refusals(inquiry, .wrongType)))
    case .deliver(let delivery, let order):
      reply(.delivery(delivery, .finished(Delivering.failure(order, .refused, .wrongType))))
    case .prepare(let sources):
      let refused = sources.map { _ in DeliveryFailure(name: "", reason: .gone) }
      reply(.prepared(id, Preparation(items: [], refused: refused)))
    case .undo: reply(.undone(id, .nothing))
    case .redo: reply(.redone(id, .nothing))
    case .history: reply(.history(id, .success([])))
    case .reorder(let source, _): reply(.moved(id, source, .failure(.notOrdered)))
    case .close: break
    case .enter, .leave, .edit, .focus, .folders: reply(.unreadable(id, name: "", .nothingThere))
    }
  }

  /// A walk that begins in an app's own lists comes to windows at its end, and asks there.
  private static func askedOnArrival(_ report: WorldReport) -> WorldReport {
    func asked(_ container: ContainerDescriptor) -> ContainerDescriptor {
      var container = container
      container.isAskedOnArrival = true
      return container
    }
    func asked(_ listing: Listing) -> Listing {
      var listing = listing
      listing.container = asked(listing.container)
      return listing
    }
    return switch report {
    case .windows(let id, let windows): .windows(id, windows.map { asked($0) })
    case .listed(let id, let listing): .listed(id, asked(listing))
    case .changed(let changes):
      .changed(
        changes.map { change in
          switch change {
          case .containerAppeared(let listing): .containerAppeared(asked(listing))
          case .replaced(let listing): .replaced(asked(listing))
          default: change
          }
        })
    default: report
    }
  }

  private static func refusals(_ inquiry: Inquiry, _ reason: Reason) -> [Answer] {
    inquiry.stops.map { Answer($0, .refused(reason)) }
  }

  // MARK: Looking

  private func look(_ id: RequestID, _ reply: @escaping Reply) {
    queue.async { [self] in
      guard let parts = reached() else { return reply(.windows(id, [])) }
      parts.desktop.handle(.windows, id: id) { reply(Self.askedOnArrival($0)) }
    }
  }

  /// The desktop, reached now where it has not been.
  private func reached() -> Parts? {
    let (known, isClosed) = state.withLock { ($0.parts, $0.isClosed) }
    if known != nil || isClosed { return known }
    guard let parts = make() else { return nil }
    let observer = state.withLock { state in
      state.parts = parts
      return state.observer
    }
    parts.desktop.onEntry { [weak self] entry in
      self?.state.withLock { $0.entries.note(entry) }
    }
    parts.desktop.observe { [weak self] report in
      self?.state.withLock { $0.entries.noteLate(report) }
      observer?(Self.askedOnArrival(report))
    }
    return parts
  }

  // MARK: Items of others

  package func ask(
    _ inquiry: Inquiry, from loading: any ItemLoading, id: RequestID, reply: @escaping Reply
  ) {
    guard let parts else { return reply(.answered(id, Self.refusals(inquiry, .noDisplay))) }
    guard inquiry.wish == nil || inquiry.wish == .copy else {
      return reply(.answered(id, Self.refusals(inquiry, .operationNotOffered)))
    }
    let items = parts.goods.hold(inquiry.items, from: loading)
    // Items for this program alone are not even shown to others.
    guard !parts.goods.forms(of: items).isEmpty else {
      return reply(.answered(id, Self.refusals(inquiry, .wrongType)))
    }
    var question = inquiry
    question.items = items
    parts.desktop.handle(.ask(question), id: id, reply: reply)
  }

  /// Opens the items for programs first; where that fails nothing is dropped.
  package func take(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: any ItemLoading, reply: @escaping Reply
  ) {
    guard let parts, order.operation == .copy else {
      let reason: Reason = parts == nil ? .noDisplay : .operationNotOffered
      return reply(.delivery(id, .finished(Delivering.failure(order, .refused, reason))))
    }
    let items = parts.goods.hold(order.items, from: loading)
    state.withLock { $0.running[id] = items }
    let inside = DeliveryOrder(
      items: items, stop: order.stop, operation: .copy, clash: order.clash)
    Task { [self] in
      do throws(Reason) {
        try await parts.goods.open(items)
      } catch {
        finish(id)
        parts.goods.close(items)
        parts.goods.settle(items)
        let outcome: DeliveryOutcome = error == .interrupted ? .cancelled : .failed
        return reply(.delivery(id, .finished(Delivering.failure(inside, outcome, error))))
      }
      parts.desktop.handle(.deliver(id, inside), id: RequestID(0)) { [self] report in
        guard case .delivery(_, .finished(let result)) = report else { return reply(report) }
        ended(id, result, items, parts, reply)
      }
    }
  }

  /// It can't be cancelled any more.
  private func finish(_ id: DeliveryID) { state.withLock { $0.running[id] = nil } }

  /// The end; what the program could not be given is told as the reason.
  private func ended(
    _ id: DeliveryID, _ told: DeliveryResult, _ items: [DragItem], _ parts: Parts,
    _ reply: @escaping Reply
  ) {
    var result = told
    // Items that may still land keep their data.
    if result.outcome != .unconfirmed {
      finish(id)
      parts.goods.close(items)
      parts.goods.settle(items)
    }
    if result.hasLeftNothing, let trouble = parts.goods.trouble(with: items) {
      // The program could not take what it was not given.
      result.outcome = trouble == .interrupted ? .cancelled : .failed
      result.failures = items.map { DeliveryFailure(name: $0.name, reason: trouble) }
    }
    reply(.delivery(id, .finished(result)))
  }

  // MARK: History

  /// Takes back only what was dropped from here: the history is everyone's.
  private func undo(_ id: RequestID, _ reply: @escaping Reply) {
    guard let parts else { return reply(.undone(id, .nothing)) }
    guard !parts.desktop.isLastUnrecorded else {
      return parts.desktop.handle(.undo(entry: nil), id: id, reply: reply)
    }
    guard let entry = state.withLock({ $0.entries.newest }) else {
      return reply(.undone(id, .nothing))
    }
    parts.desktop.handle(.undo(entry: entry), id: id) { [self] report in
      if case .undone(_, let result) = report {
        state.withLock { $0.entries.undid(entry, result) }
      }
      reply(report)
    }
  }

  /// The same for what was undone last from here.
  private func redo(_ id: RequestID, _ reply: @escaping Reply) {
    guard let parts, let entry = state.withLock({ $0.entries.lastUndone }) else {
      return reply(.redone(id, .nothing))
    }
    parts.desktop.handle(.redo(entry: entry), id: id) { [self] report in
      guard case .redone(_, let result) = report else { return reply(report) }
      state.withLock { $0.entries.redid(entry, result) }
      // An entry that nobody can make again stands in no older one's way.
      if result == .nothing { redo(id, reply) } else { reply(report) }
    }
  }
}
