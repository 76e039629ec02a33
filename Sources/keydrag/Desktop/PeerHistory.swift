import Dispatch
import KeyDragCore
import KeyDragFiles
import KeyDragThreads
import Synchronization

/// Records in the history each drop that only another KeyDrag program can take back: the next
/// `keydrag undo` must not take back something older instead.
///
/// Those programs record their drops into folders themselves.
final class PeerHistory: Sendable {
  private let courier: JournaledCourier
  private let isRecorded = Mutex(false)
  /// Reading the history may block.
  private let queue = DispatchQueue(label: "keydrag.peers")

  private static let patience = DispatchTimeInterval.seconds(2)
  /// The most names in an entry of the history.
  private static let mostNames = 20

  init(in courier: JournaledCourier) { self.courier = courier }

  /// Whether the history can undo the newest drop.
  var isLastRecorded: Bool { isRecorded.withLock { $0 } }

  /// Compares the history before and after a drop.
  func record(
    _ order: DeliveryOrder, on place: String, _ told: @escaping DeliveryReceiver,
    _ drop: @escaping @Sendable (@escaping DeliveryReceiver) -> Void
  ) {
    queue.async { [self] in
      let before = newest()
      drop { [self] event in
        guard case .finished(let result) = event else { return told(event) }
        // Reported once the history is written, for callers that read it then.
        queue.async { [self] in
          if case .success(let before) = before {
            note(result, of: order, on: place, after: before)
          }
          told(event)
        }
      }
    }
  }

  private func note(
    _ result: DeliveryResult, of order: DeliveryOrder, on place: String, after before: Int64?
  ) {
    guard [.delivered, .partly, .unconfirmed].contains(result.outcome) else { return }
    // A disk that hangs now would delay the end as well.
    guard case .success(let after) = newest() else { return }
    let isRecorded = after.map { $0 > before ?? 0 } ?? false
    self.isRecorded.withLock { $0 = isRecorded }
    guard !isRecorded else { return }
    let isConfirmed = result.outcome != .unconfirmed
    let drop = HistoryEntry(
      operation: order.operation, names: order.items.prefix(Self.mostNames).map(\.name),
      count: isConfirmed ? result.delivered : order.items.count,
      place: place, wayBack: isConfirmed ? .programs : .unconfirmed)
    _ = courier.foreignDrops.note(drop, isNewest: true)
  }

  /// The number of the newest entry if that is a copy, else `nil`; fails on timeout.
  private func newest() -> Result<Int64?, Reason> {
    let answer = BlockingResult<Result<[HistoryEntry], Reason>>()
    Task { [courier] in
      answer.give(await Result { () async throws(Reason) in try await courier.history(limit: 1) })
    }
    let read = answer.value(within: Self.patience) ?? .failure(.notResponding)
    return read.map { entries in
      entries.first.flatMap { $0.operation == .copy && !$0.isUndone ? $0.number : nil }
    }
  }
}
