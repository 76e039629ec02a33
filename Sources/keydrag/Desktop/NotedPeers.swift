import Dispatch
import KeyDragCore
import KeyDragFiles
import Synchronization

/// Other KeyDrag programs, and a line in the history for each drop that they alone can take back: the
/// next `keydrag undo` must not take back something older in its place.
///
/// Drops that they put into folders are in the history already, by themselves.
final class NotedPeers: ItemTaking {
  private struct State {
    /// The places that the programs show, as far as they were told since this is observed.
    var registry = Registry()
    /// The name of the place that is dropped on next, for one that was there before this was
    /// observed.
    var expected = ""
    var isLastRecorded = false
  }

  private let world: any ItemTaking
  private let courier: JournaledCourier
  private let state = Mutex(State())
  /// The history may have to be waited for.
  private let queue = DispatchQueue(label: "keydrag.peers")

  private static let patience = DispatchTimeInterval.seconds(2)
  /// As many as an entry of the history has.
  private static let mostNames = 20

  init(_ world: any ItemTaking, in courier: JournaledCourier) {
    (self.world, self.courier) = (world, courier)
  }

  /// Whether the newest drop can be taken back with the history.
  var isLastRecorded: Bool { state.withLock { $0.isLastRecorded } }

  var keepsHistory: Bool { world.keepsHistory }

  /// - Parameter place: what is dropped on next, by the name that the history tells: places that were
  ///   there before this was observed are not known here.
  func expectDrop(on place: String) { state.withLock { $0.expected = place } }

  func observe(_ observer: @escaping @Sendable (WorldReport) -> Void) {
    world.observe { [self] report in
      if case .changed(let changes) = report { learn(changes) }
      observer(report)
    }
  }

  private func learn(_ changes: [RegistryChange]) {
    state.withLock { state in
      for change in changes {
        switch change {
        case .containerAppeared(let listing), .replaced(let listing):
          state.registry.insert(listing)
        case .dropPointAppeared, .dropPointVanished, .containerVanished, .sourceAppeared,
          .sourceVanished:
          _ = state.registry.apply(change)
        }
      }
    }
  }

  /// The name of the thing that contains a drop made there.
  private func name(of stop: DropStop) -> String {
    state.withLock { state in
      for entry in state.registry.entries.values {
        guard let point = entry.dropPoints?.first(where: { $0.id == stop.point }) else { continue }
        return stop.position == .on ? point.name : entry.container.name
      }
      return state.expected
    }
  }

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
      let place = name(of: order.stop)
      let before = newest()
      world.take(id, order, from: loading) { [self] report in
        guard case .delivery(_, .finished(let result)) = report else { return reply(report) }
        // Whoever looks into the history on hearing of the end finds it there.
        queue.async { [self] in
          if case .success(let before) = before {
            note(result, of: order, on: place, after: before)
          }
          reply(report)
        }
      }
    }
  }

  private func note(
    _ result: DeliveryResult, of order: DeliveryOrder, on place: String, after before: Int64?
  ) {
    guard [.delivered, .partly, .unconfirmed].contains(result.outcome) else { return }
    // A disk that hangs now would hold up the end as well.
    guard case .success(let after) = newest() else { return }
    let isRecorded = after.map { $0 > before ?? 0 } ?? false
    state.withLock { $0.isLastRecorded = isRecorded }
    guard !isRecorded else { return }
    let isConfirmed = result.outcome != .unconfirmed
    let drop = ForeignDrop(
      operation: order.operation, names: order.items.prefix(Self.mostNames).map(\.name),
      count: isConfirmed ? result.delivered : order.items.count,
      place: place, wayBack: isConfirmed ? .programs : .unconfirmed)
    _ = courier.note(drop, isNewest: true)
  }

  /// The number of the newest copy in the history; `nil` where the newest entry is none. A history that
  /// does not answer is not waited for.
  private func newest() -> Result<Int64?, Reason> {
    let answer = HistoryAnswer()
    courier.history(limit: 1) { answer.take($0) }
    return answer.value(within: Self.patience).map { entries in
      entries.first.flatMap { $0.operation == .copy && !$0.isUndone ? $0.number : nil }
    }
  }
}

/// The newest entries of the history, once they have been read.
private final class HistoryAnswer: Sendable {
  private let entries = Mutex<Result<[HistoryEntry], Reason>>(.failure(.notResponding))
  private let isRead = DispatchSemaphore(value: 0)

  func take(_ value: Result<[HistoryEntry], Reason>) {
    entries.withLock { $0 = value }
    isRead.signal()
  }

  func value(within patience: DispatchTimeInterval) -> Result<[HistoryEntry], Reason> {
    _ = isRead.wait(timeout: .now() + patience)
    return entries.withLock { $0 }
  }
}
