import Dispatch
import KeyDragCore
import Synchronization

/// Runs, undoes and redoes file deliveries on threads of its own; every call returns at once.
///
/// Owns the history queue and the cancellations. Thread-safe. Deliveries run concurrently; undo and
/// redo start one after the other.
package final class FileCourier: Sendable {
  private let journal: Journal
  private let trash: TrashCan
  private let running = Mutex<[DeliveryID: Cancellation]>([:])
  /// Serial: an entry must not be undone and redone at once. A hanging disk holds it up only until
  /// the stall timeout.
  private let past = DispatchQueue(label: "keydrag.history")
  /// All running work: deliveries, history queries, undo, redo and recovery.
  private let work = StallMonitor()
  /// Undo and redo, awaited separately from deliveries.
  private let changes = StallMonitor()
  private let mending = StallMonitor()
  /// Cancels undo and redo. Set only on shutdown, never reset.
  private let historyCancellation = Cancellation()

  /// Stall timeout after which queued work continues without an operation. That operation still
  /// owns the entry it has started on.
  private static let patience = DispatchTimeInterval.seconds(3)
  /// Stall timeout when the caller waits for the result: a slow device may write this long without
  /// progress.
  private static let longPatience = DispatchTimeInterval.seconds(30)

  /// Stall timeout after which undo and redo report that the disk does not respond.
  private let patience: DispatchTimeInterval

  private let flushesToDevice: Bool

  /// - Parameter flushesToDevice: whether copies are flushed to the device before they are reported.
  package convenience init(
    journal: Journal, trash: TrashCan = TrashCan(), flushesToDevice: Bool = true
  ) {
    self.init(
      journal: journal, trash: trash, flushesToDevice: flushesToDevice, patience: Self.longPatience)
  }

  init(
    journal: Journal, trash: TrashCan, flushesToDevice: Bool = true, patience: DispatchTimeInterval
  ) {
    self.journal = journal
    self.flushesToDevice = flushesToDevice
    self.trash = trash
    self.patience = patience
  }

  /// Starts a delivery. Events come on a thread of its own; `finished` is the last one and is sent
  /// once. Never throws: every failure is an event.
  package func deliver(
    _ order: FileOrder, id: DeliveryID, events: @escaping @Sendable (FileDeliveryEvent) -> Void
  ) {
    let cancellation = Cancellation()
    running.withLock { $0[id] = cancellation }
    work.enter()
    Disk.begin { [self] in
      let run = DeliveryRun(
        order: order, trash: trash, journal: journal, flushesToDevice: flushesToDevice,
        cancellation: cancellation
      ) { [self] event in
        // Removed before the event, since its receiver may reuse the id.
        if case .finished = event { running.withLock { $0[id] = nil } }
        events(event)
      } alive: { [work] in
        work.tick()
      }
      run.run()
      work.leave()
    }
  }

  /// Stops a delivery at the next safe point; it still finishes, as cancelled. No-op for an unknown
  /// or finished delivery.
  package func cancel(_ id: DeliveryID) {
    running.withLock { $0[id] }?.request()
  }

  /// Cancels all deliveries, and all current and future undo and redo.
  package func cancelAll() {
    historyCancellation.request()
    let all = running.withLock { Array($0.values) }
    for cancellation in all { cancellation.request() }
  }

  /// Waits until nothing runs and closes the journal. Blocks: up to 30 s without progress for each
  /// kind of work, and 3 s for recovery.
  ///
  /// Work stuck on a hanging disk is left to the next run's recovery.
  package func close() { close(after: nil) }

  /// Keeps the journal open while anything still runs, so that its records are not lost.
  ///
  /// - Parameters:
  ///   - items: other work that uses the journal.
  ///   - end: hard deadline, even with progress.
  func close(after items: StallMonitor?, until end: DispatchTime = .distantFuture) {
    let hasEnded = [items, work, changes].map { $0?.wait(Self.longPatience, until: end) ?? true }
    // Remaining work may still write its state.
    guard mending.wait(Self.patience, until: end), !hasEnded.contains(false) else { return }
    // Closing writes to the disk once more, which may hang.
    let closing = DispatchGroup()
    DispatchQueue(label: "keydrag.journal").async(group: closing) { [journal] in journal.close() }
    _ = closing.wait(timeout: end)
  }

  /// Undoes an entry; `nil` means the newest undoable one.
  ///
  /// Returns `unavailable(.notResponding)` after 30 s without progress.
  ///
  /// - Parameter late: receives the actual result if the disk responds after that.
  package func undo(
    entry: Int64?, late: @escaping @Sendable (HistoryResult) -> Void = { _ in }
  ) async -> HistoryResult {
    await answer { take(.undo, entry, late, $0) }
  }

  /// Redoes an entry; `nil` means the one undone last.
  ///
  /// - Parameter late: as for ``undo(entry:late:)``.
  package func redo(
    entry: Int64?, late: @escaping @Sendable (HistoryResult) -> Void = { _ in }
  ) async -> HistoryResult {
    await answer { take(.redo, entry, late, $0) }
  }

  /// Starts on the queue and works on a thread of its own, so that a hanging disk does not block
  /// the queue.
  private func take(
    _ direction: HistoryDirection, _ entry: Int64?,
    _ late: @escaping @Sendable (HistoryResult) -> Void,
    _ reply: @escaping @Sendable (HistoryResult) -> Void
  ) {
    changes.enter()
    // Both the worker and the timeout may reply.
    let answer = Once(reply)
    past.async { [self] in
      // An entry still in recovery is busy and can't be taken.
      mending.wait(Self.patience)
      let run = StallMonitor()
      run.enter()
      Disk.begin { [self] in
        let result = HistoryRun(
          journal: journal, trash: trash, flushesToDevice: flushesToDevice,
          cancellation: historyCancellation
        ) { [changes] in
          changes.tick()
          run.tick()
        }.run(direction, entry: entry)
        // The timeout has already replied: the actual result is reported in addition.
        if !answer.give(result), result != .nothing { late(result) }
        changes.leave()
        run.leave()
      }
      // The queue continues after the timeout; the worker keeps its entry and finishes when the
      // disk responds.
      if !run.wait(patience) { answer.give(.unavailable(.notResponding)) }
    }
  }

  /// The newest entries, newest first.
  ///
  /// - Throws: why the journal can't be read.
  package func history(limit: Int) async throws(Reason) -> [HistoryEntry] {
    try await answered { reply in
      work.enter()
      past.async { [self] in
        mending.wait(Self.patience)
        do throws(Reason) {
          reply(.success(try journal.history(limit: limit)))
        } catch { reply(.failure(error)) }
        work.leave()
      }
    }
  }

  /// Repairs what earlier runs left unfinished, then prunes entries older than 90 days. Returns at
  /// once. Undo, redo and history wait up to 3 s for it.
  ///
  /// - Parameters:
  ///   - tell: receives each run's result, or that it is still pending because a disk hangs.
  ///   - done: called once; `tell` may still be called afterwards.
  package func recover(
    tell: @escaping @Sendable (Recovery) -> Void, done: @escaping @Sendable () -> Void
  ) {
    mending.enter()
    // Entries of runs in recovery whose outcome is still unknown.
    let begun = Mutex<[String: HistoryEntry]>([:])
    Disk.begin { [self] in
      // One thread each, so that a hanging disk blocks no other run.
      for run in Recoverer.runs(in: journal) {
        mending.enter()
        Disk.begin { [self] in
          let recoverer = Recoverer(journal: journal) { [mending] in mending.tick() }
          recoverer.recover(run) { entry in
            begun.withLock { $0[run] = entry }
          } tell: { recovery in
            begun.withLock { begun in
              begun[run] = nil
              tell(recovery)
            }
          }
          mending.leave()
        }
      }
      if journal.exists { try? journal.prune() }
      mending.leave()
    }
    past.async { [self] in
      if !mending.wait(Self.patience) {
        // Under the lock, so that a run that ends now is reported either as waiting and then ended,
        // or only as ended.
        begun.withLock { begun in
          for entry in begun.values.sorted(by: { $0.number < $1.number }) {
            tell(Recovery(entry: entry, result: .waiting))
          }
        }
      }
      done()
    }
  }
}
