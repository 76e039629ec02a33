import Dispatch
import Glibc
import KeyDragCore
import KeyDragThreads
import Synchronization
import SystemPackage

/// Runs, undoes and redoes deliveries for ``FilesWorld`` on threads of its own, and reports each
/// journal problem once.
///
/// Owns the journal, the trash, the history queue and the cancellations. One per process.
/// Thread-safe. Deliveries run concurrently; undo and redo start one after the other.
package final class JournaledCourier: FileDelivering {
  package typealias Observer = @Sendable (WorldReport) -> Void

  let journal: Journal
  let trash: TrashCan
  private let observer: EarlyReports
  /// Cancels each running delivery.
  private let running = Mutex<[DeliveryID: @Sendable () -> Void]>([:])
  /// Serial: an entry must not be undone and redone at once. A hanging disk holds it up only until
  /// the stall timeout.
  private let past = DispatchQueue(label: "keydrag.history")
  /// Deliveries and history queries.
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

  /// - Parameters:
  ///   - flushesToDevice: whether a copy is flushed to the device before it is reported.
  ///   - folder: holds a journal other than the user's own in the state folder.
  package convenience init(
    flushesToDevice: Bool = true, folder: FilePath? = nil, trash: TrashCan = TrashCan()
  ) {
    let observer = EarlyReports()
    let journal = Journal(folder: folder, flushesToDevice: flushesToDevice) {
      observer.tell(.problem($0))
    }
    self.init(journal: journal, trash: trash, observer: observer)
  }

  init(
    journal: Journal, trash: TrashCan, observer: EarlyReports = EarlyReports(),
    patience: DispatchTimeInterval = JournaledCourier.longPatience
  ) {
    self.journal = journal
    self.trash = trash
    self.observer = observer
    self.patience = patience
  }

  /// Why the path can't be trashed; may block.
  package func canTrash(_ path: FilePath) -> Reason? { trash.canTrash(path) }

  /// Delivers earlier reports synchronously on this thread.
  package func observe(_ observer: @escaping Observer) { self.observer.pass(to: observer) }

  // MARK: Deliveries

  /// Never throws: every failure is an event.
  package func deliver(_ order: FileOrder, id: DeliveryID, events: @escaping FileDeliveryReceiver) {
    let cancellation = Cancellation()
    running.withLock { $0[id] = { cancellation.request() } }
    work.enter()
    Disk.begin { [self] in
      let run = DeliveryRun(
        order: order, trash: trash, journal: journal, cancellation: cancellation
      ) { [self] event, landed in
        // Removed before the event, since its receiver may reuse the id.
        if case .finished = event { running.withLock { $0[id] = nil } }
        events(event, landed)
      } alive: { [work] in
        work.tick()
      }
      run.run()
      work.leave()
    }
  }

  /// May extend the entry of a ``deliver(_:id:events:)`` of the same drop. A task, not a thread: the
  /// bytes come from an app or another program at its own pace.
  package func write(_ drop: ItemDrop, id: DeliveryID, events: @escaping FileDeliveryReceiver) {
    work.enter()
    running.withLock { running in
      // Inside the lock, so that a delivery that finishes at once finds its entry to remove.
      let task = Task { [self] in
        let (result, landed) = await ItemRun(drop, journal) { [work] event in
          work.tick()
          events(event, [])
        }.run()
        self.running.withLock { $0[id] = nil }
        events(.finished(result), landed)
        work.leave()
      }
      running[id] = { task.cancel() }
    }
  }

  /// Stops a delivery at the next safe point; it still finishes, as cancelled. No-op for an unknown
  /// or finished delivery.
  package func cancel(_ id: DeliveryID) { running.withLock { $0[id] }?() }

  /// Cancels all deliveries, and all current and future undo and redo. Keeps the journal open while
  /// anything still runs, so that its records are not lost; the rest is left to the next run's
  /// recovery. Waits until `end`, at most 30 s without progress for each kind of work, and 3 s for
  /// recovery.
  package func close(until end: DispatchTime) {
    cancelHistory()
    for cancel in running.withLock({ Array($0.values) }) { cancel() }
    finish(until: end)
  }

  /// As ``close(until:)``, but cancels nothing: deliveries, undo and redo end by themselves.
  package func finish(until end: DispatchTime = .distantFuture) {
    let hasEnded = [work, changes].map { $0.wait(Self.longPatience, until: end) }
    // Remaining work may still write its state.
    guard mending.wait(Self.patience, until: end), !hasEnded.contains(false) else { return }
    // Closing writes to the disk once more, which may hang.
    let closing = DispatchGroup()
    DispatchQueue(label: "keydrag.journal").async(group: closing) { [journal] in journal.close() }
    _ = closing.wait(timeout: end)
  }

  // MARK: History

  package func cancelHistory() { historyCancellation.request() }

  package func undo(entry: Int64?) async -> HistoryResult {
    await answer { take(.undo, entry, late: WorldReport.undoneLate, $0) }
  }

  package func redo(entry: Int64?) async -> HistoryResult {
    await answer { take(.redo, entry, late: WorldReport.redoneLate, $0) }
  }

  /// Starts on the queue and works on a thread of its own, so that a hanging disk does not block
  /// the queue. Replies `unavailable(.notResponding)` after 30 s without progress.
  ///
  /// - Parameter late: reports the actual result if the disk responds after that.
  private func take(
    _ direction: HistoryDirection, _ entry: Int64?,
    late: @escaping @Sendable (HistoryResult) -> WorldReport,
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
          journal: journal, trash: trash, cancellation: historyCancellation
        ) { [changes] in
          changes.tick()
          run.tick()
        }.run(direction, entry: entry)
        // The timeout has already replied: the actual result is reported in addition.
        if !answer.give(result), result != .nothing { observer.tell(late(result)) }
        changes.leave()
        run.leave()
      }
      // The queue continues after the timeout; the worker keeps its entry and finishes when the
      // disk responds.
      if !run.wait(patience) { answer.give(.refused(nil, .notResponding)) }
    }
  }

  /// Newest first. Waits up to 3 s for recovery, and for the journal's lock.
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

  /// The journal, where each foreign drop is a history line without steps.
  package var foreignDrops: any ForeignDropHistory { journal }

  /// At most ten.
  package func recentTargets() -> [FilePath] { journal.recentTargets(most: 10) }

  /// The newest undoable entry before this one; blocks.
  package func previous(to number: Int64) -> Int64? { journal.previous(to: number) }

  // MARK: Recovery

  /// Repairs deliveries that earlier runs left unfinished and reports each, or that it is pending
  /// because a disk hangs; then prunes entries older than 90 days. Undo, redo and history wait up to
  /// 3 s for it.
  ///
  /// - Parameter waiting: whether to block until recovery finishes or stalls on a hanging disk;
  ///   otherwise it runs in the background.
  package func recover(waiting: Bool) {
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
              observer.tell(.recovered(recovery))
            }
          }
          mending.leave()
        }
      }
      if journal.exists { try? journal.prune() }
      mending.leave()
    }
    let done = BlockingResult<Void>()
    past.async { [self] in
      if !mending.wait(Self.patience) {
        // Under the lock, so that a run that ends now is reported either as waiting and then ended,
        // or only as ended.
        begun.withLock { begun in
          for entry in begun.values.sorted(by: { $0.number < $1.number }) {
            observer.tell(.recovered(Recovery(entry: entry, result: .waiting)))
          }
        }
      }
      done.give()
    }
    if waiting { done.wait() }
  }
}

/// Buffers the first 100 reports until an observer is set and drops the rest.
final class EarlyReports: Sendable {
  private struct Reports {
    var observer: JournaledCourier.Observer?
    var early: [WorldReport] = []
  }

  private let state = Mutex(Reports())

  /// Delivers buffered reports outside the lock, in order.
  func pass(to observer: @escaping JournaledCourier.Observer) {
    let early = state.withLock { state in
      state.observer = observer
      defer { state.early = [] }
      return state.early
    }
    early.forEach(observer)
  }

  func tell(_ report: WorldReport) {
    let observer = state.withLock { state in
      if state.observer == nil, state.early.count < 100 { state.early.append(report) }
      return state.observer
    }
    observer?(report)
  }
}
