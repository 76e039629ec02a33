import Dispatch
import KeyDragCore
import Synchronization

/// Carries out drops of files, and takes them back: everything runs on threads of its own, and every
/// call returns at once.
package final class FileCourier: Sendable {
  private let journal: Journal
  private let trash: TrashCan
  private let running = Mutex<[DeliveryID: Cancellation]>([:])
  private let deliveries = DispatchQueue(label: "keydrag.deliveries", attributes: .concurrent)
  /// One after the other: what is undone must not be redone meanwhile.
  private let past = DispatchQueue(label: "keydrag.history")
  private let work = DispatchGroup()
  private let pastCancellation = Cancellation()

  package init(journal: Journal, trash: TrashCan = TrashCan()) {
    self.journal = journal
    self.trash = trash
  }

  /// Begins a delivery; its events come from a thread of its own, `finished` last and once.
  package func deliver(
    _ order: FileOrder, id: DeliveryID, events: @escaping @Sendable (FileDeliveryEvent) -> Void
  ) {
    let cancellation = Cancellation()
    running.withLock { $0[id] = cancellation }
    deliveries.async(group: work) { [self] in
      let run = DeliveryRun(
        order: order, trash: trash, journal: journal, cancellation: cancellation
      ) { [self] event in
        if case .finished = event { running.withLock { $0[id] = nil } }
        events(event)
      }
      run.run()
    }
  }

  /// Stops a delivery as soon as nothing is half done; it still finishes, as cancelled.
  package func cancel(_ id: DeliveryID) {
    running.withLock { $0[id] }?.request()
  }

  /// Stops everything that runs, as ``cancel(_:)`` does.
  package func cancelAll() {
    pastCancellation.request()
    let all = running.withLock { Array($0.values) }
    for cancellation in all { cancellation.request() }
  }

  /// Waits until nothing runs and closes the journal. Blocks: not for a thread that serves others.
  package func close() {
    work.wait()
    journal.close()
  }

  /// Takes an entry back; `nil` means the newest one that can be.
  package func undo(entry: Int64?, reply: @escaping @Sendable (HistoryResult) -> Void) {
    take(.undo, entry, reply)
  }

  /// Does an entry again; `nil` means the one undone last.
  package func redo(entry: Int64?, reply: @escaping @Sendable (HistoryResult) -> Void) {
    take(.redo, entry, reply)
  }

  private func take(
    _ direction: HistoryDirection, _ entry: Int64?,
    _ reply: @escaping @Sendable (HistoryResult) -> Void
  ) {
    past.async(group: work) { [self] in
      let run = HistoryRun(journal: journal, trash: trash, cancellation: pastCancellation)
      reply(run.run(direction, entry: entry))
    }
  }

  /// The newest entries, newest first, or why the journal can't be read.
  package func history(
    limit: Int, reply: @escaping @Sendable (Result<[HistoryEntry], Reason>) -> Void
  ) {
    past.async(group: work) { [journal] in
      do throws(Reason) {
        reply(.success(try journal.history(limit: limit)))
      } catch { reply(.failure(error)) }
    }
  }

  /// Puts right what earlier runs have left in the middle, then forgets what is older than 90 days.
  package func recover(reply: @escaping @Sendable ([Recovery]) -> Void) {
    past.async(group: work) { [journal] in
      reply(Recoverer(journal: journal).recover())
      if journal.exists { try? journal.prune() }
    }
  }
}
