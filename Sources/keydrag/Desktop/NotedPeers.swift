import Dispatch
import KeyDragCore
import KeyDragFiles
import Synchronization

/// Other KeyDrag programs, and a line in the history for each drop that they alone can take back: the
/// next `keydrag undo` must not take back something older in its place.
///
/// What they put into folders is in the history already, by themselves.
final class NotedPeers: ItemTaking {
  private struct State {
    var place = ""
    var isLastRecorded = false
  }

  private let world: any ItemTaking
  private let courier: JournaledCourier
  private let state = Mutex(State())
  /// The history may have to be waited for.
  private let queue = DispatchQueue(label: "keydrag.peers")

  /// As many as an entry of the history has.
  private static let mostNames = 20

  init(_ world: any ItemTaking, in courier: JournaledCourier) {
    (self.world, self.courier) = (world, courier)
  }

  /// Whether the newest drop can be taken back with the history.
  var isLastRecorded: Bool { state.withLock { $0.isLastRecorded } }

  var keepsHistory: Bool { world.keepsHistory }

  /// - Parameter place: what is dropped on, by the name that the history tells.
  func expectDrop(on place: String) { state.withLock { $0.place = place } }

  func observe(_ observer: @escaping @Sendable (WorldReport) -> Void) { world.observe(observer) }

  func close() { world.close() }

  func handle(
    _ request: WorldRequest, id: RequestID, reply: @escaping @Sendable (WorldReport) -> Void
  ) {
    world.handle(request, id: id, reply: reply)
  }

  func ask(
    _ inquiry: Inquiry, from loading: any ItemLoading, id: RequestID,
    reply: @escaping @Sendable (WorldReport) -> Void
  ) {
    world.ask(inquiry, from: loading, id: id, reply: reply)
  }

  func take(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: any ItemLoading,
    reply: @escaping @Sendable (WorldReport) -> Void
  ) {
    queue.async { [self] in
      let before = newest()
      world.take(id, order, from: loading) { [self] report in
        guard case .delivery(_, .finished(let result)) = report else { return reply(report) }
        // Whoever looks into the history on hearing of the end finds it there.
        queue.async { [self] in
          note(result, of: order, after: before)
          reply(report)
        }
      }
    }
  }

  private func note(_ result: DeliveryResult, of order: DeliveryOrder, after before: Int64?) {
    guard [.delivered, .partly, .unconfirmed].contains(result.outcome) else { return }
    let isRecorded = newest().map { $0 > before ?? 0 } ?? false
    state.withLock { $0.isLastRecorded = isRecorded }
    guard !isRecorded else { return }
    let isConfirmed = result.outcome != .unconfirmed
    let drop = ForeignDrop(
      operation: order.operation, names: order.items.prefix(Self.mostNames).map(\.name),
      count: isConfirmed ? result.delivered : order.items.count,
      place: state.withLock { $0.place }, isConfirmed: isConfirmed)
    _ = courier.note(drop, isNewest: true)
  }

  /// The number of the newest copy in the history.
  private func newest() -> Int64? {
    guard case .success(let entries) = courier.history(limit: 1), let entry = entries.first,
      entry.operation == .copy, !entry.isUndone
    else { return nil }
    return entry.number
  }
}
