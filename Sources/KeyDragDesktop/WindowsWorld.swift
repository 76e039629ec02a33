import Dispatch
import KeyDragCore
import Synchronization

/// The windows of running programs beside the containers of an app, whose items are dropped on
/// them.
///
/// The desktop is first read at a pick-up. Everything is a copy: nothing is taken from the app.
/// Items have numbers of their own while programs may take them.
package final class WindowsWorld: World {
  /// A desktop, and the payloads in which it carries items of other worlds.
  package struct Parts: Sendable {
    package var desktop: DesktopWorld
    package var goods: any HeldPayload

    package init(desktop: DesktopWorld, goods: any HeldPayload) {
      self.desktop = desktop
      self.goods = goods
    }
  }

  private struct Contents {
    /// `nil` until the desktop has been reached, and after ``close()``.
    var parts: Parts?
    var isClosed = false
    var observer: (@Sendable (WorldReport) -> Void)?
    /// Deliveries in progress, with their held items.
    var running: [DeliveryID: [DragItem]] = [:]
  }

  /// Blocks; called on the queue.
  private let make: @Sendable () -> Parts?
  private let state = Mutex(Contents())
  /// The longest wait at the end for a display that does not answer.
  private static let patience = DispatchTimeInterval.seconds(2)
  /// Serial: reaching the desktop may block.
  private let queue = DispatchQueue(label: "keydrag.windows")

  /// - Parameters:
  ///   - make: reaches the desktop, once; may block, and returns `nil` if there is none.
  ///   - tidying: runs in the background at the start; may block.
  package init(
    make: @escaping @Sendable () -> Parts?, tidying: @escaping @Sendable () -> Void = {}
  ) {
    self.make = make
    queue.async(execute: tidying)
  }

  private var parts: Parts? { state.withLock { $0.parts } }

  package var owners: [IDOwner] { [.windows] }

  package func observe(_ observer: @escaping @Sendable (WorldReport) -> Void) {
    state.withLock { $0.observer = observer }
  }

  /// Blocks for 2 s at most, and until what is lent has been given back.
  package func close() {
    let desktop = state.withLock { state in
      state.isClosed = true
      return state.parts?.desktop
    }
    let isDone = DispatchSemaphore(value: 0)
    // On the queue, so that a desktop still being reached is closed as well.
    queue.async { [self] in
      let (parts, running) = state.withLock { state in
        defer { state.parts = nil }
        return (state.parts, state.running.values)
      }
      // Nothing may be written once the files are removed.
      for items in running { parts?.goods.close(items) }
      parts?.desktop.stop()
      parts?.goods.removeFiles()
      isDone.signal()
    }
    _ = isDone.wait(timeout: .now() + Self.patience)
    // Has a timeout of its own; a desktop still being reached has lent nothing.
    desktop?.settle()
  }

  package func list(
    _ subject: ListingSubject, includingHidden: Bool,
    told: @escaping @Sendable (ListingEvent) -> Void
  ) async throws(ListingError) {
    switch subject {
    case .container, .opened:
      guard let parts else { throw ListingError(.noDisplay) }
      try await parts.desktop.list(subject, includingHidden: includingHidden) { event in
        guard case .listed(let listing) = event else { return told(event) }
        told(.listed(Self.askedOnArrival(listing)))
      }
    case .inside, .around, .edited, .path: throw ListingError(.nothingThere)
    }
  }

  package func show(_ delivery: DeliveryID) async throws(ListingError) -> RevealedLanding {
    guard let parts else { throw ListingError(.noDisplay) }
    return try await parts.desktop.show(delivery)
  }

  package func windows() async -> [ContainerDescriptor] {
    let parts: Parts? = await withCheckedContinuation { continuation in
      queue.async { [self] in continuation.resume(returning: reached()) }
    }
    return await parts?.desktop.windows().map { Self.askedOnArrival($0) } ?? []
  }

  /// Has windows asked on arrival only: a walk begins in an app's own lists.
  private static func askedOnArrival(_ container: ContainerDescriptor) -> ContainerDescriptor {
    var container = container
    container.isAskedOnArrival = true
    return container
  }

  private static func askedOnArrival(_ listing: Listing) -> Listing {
    var listing = listing
    listing.container = askedOnArrival(listing.container)
    return listing
  }

  private static func askedOnArrival(_ report: WorldReport) -> WorldReport {
    guard case .changed(let changes) = report else { return report }
    return .changed(
      changes.map { change in
        switch change {
        case .containerAppeared(let listing): .containerAppeared(askedOnArrival(listing))
        case .replaced(let listing): .replaced(askedOnArrival(listing))
        default: change
        }
      })
  }

  private static func refusals(_ inquiry: ProposalRequest, _ reason: Reason) -> [Answer] {
    inquiry.stops.map { Answer($0, .refused(reason)) }
  }

  /// The desktop, reached now if need be.
  private func reached() -> Parts? {
    let (known, isClosed) = state.withLock { ($0.parts, $0.isClosed) }
    if known != nil || isClosed { return known }
    guard let parts = make() else { return nil }
    let observer = state.withLock { state in
      state.parts = parts
      return state.observer
    }
    parts.desktop.observe { report in observer?(Self.askedOnArrival(report)) }
    return parts
  }

  // MARK: Items of others

  package func answers(to inquiry: ProposalRequest, from loading: (any ItemLoading)?) async
    -> [Answer]
  {
    guard let parts else { return Self.refusals(inquiry, .noDisplay) }
    // Nothing is picked up here: every drop comes with a loader for its items.
    guard let loading else { return Self.refusals(inquiry, .wrongType) }
    guard inquiry.wish == nil || inquiry.wish == .copy else {
      return Self.refusals(inquiry, .operationNotOffered)
    }
    let items = parts.goods.hold(inquiry.items, from: loading)
    // Items for this program alone are not even offered to others.
    guard !parts.goods.forms(of: items).isEmpty else { return Self.refusals(inquiry, .wrongType) }
    var question = inquiry
    question.items = items
    return await parts.desktop.answers(to: question, from: nil)
  }

  /// Opens the items first; if that fails nothing is dropped.
  package func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: (any ItemLoading)?,
    told: @escaping DeliveryReceiver
  ) {
    func refuse(_ reason: Reason) {
      told(.finished(.failure(order, .refused, reason)))
    }
    guard let parts else { return refuse(.noDisplay) }
    guard let loading else { return refuse(.wrongType) }
    guard order.operation == .copy else { return refuse(.operationNotOffered) }
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
        return told(.finished(.failure(inside, outcome, error)))
      }
      parts.desktop.deliver(id, inside, from: nil) { [self] event in
        guard case .finished(let result) = event else { return told(event) }
        told(.finished(ended(id, result, items, parts)))
      }
    }
  }

  package func cancel(_ delivery: DeliveryID) {
    guard let parts, let items = state.withLock({ $0.running[delivery] }) else { return }
    parts.goods.close(items)
    parts.desktop.cancel(delivery)
  }

  /// Makes a delivery uncancellable.
  private func finish(_ id: DeliveryID) { state.withLock { $0.running[id] = nil } }

  /// The result, with the reason why the program could not be given the items.
  private func ended(
    _ id: DeliveryID, _ told: DeliveryResult, _ items: [DragItem], _ parts: Parts
  ) -> DeliveryResult {
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
    return result
  }

  // MARK: History

  /// Takes back only what was dropped from here: the history is shared.
  package func undo(entry: Int64?) async -> HistoryResult {
    guard entry == nil, let parts else { return .nothing }
    return await parts.desktop.undoOwn()
  }

  /// The same for what was last undone from here.
  package func redo(entry: Int64?) async -> HistoryResult {
    guard entry == nil, let parts else { return .nothing }
    return await parts.desktop.redoOwn()
  }
}
