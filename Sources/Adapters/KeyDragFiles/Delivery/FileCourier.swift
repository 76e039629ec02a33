import Dispatch
import KeyDragCore
import Synchronization

/// Carries out drops of files, and takes them back: everything runs on threads of its own, and
/// every call returns at once.
///
/// Owns the queue for undo and redo and the cancellations of what runs; the journal and the trash
/// are given to it. Safe to call from any thread. Deliveries run side by side; undo and redo begin
/// one after the other.
package final class FileCourier: Sendable {
  private let journal: Journal
  private let trash: TrashCan
  /// The deliveries that have not finished yet.
  private let running = Mutex<[DeliveryID: Cancellation]>([:])
  /// One after the other: what is undone must not be redone meanwhile. Nothing waits here for what
  /// a disk holds.
  private let past = DispatchQueue(label: "keydrag.history")
  /// The running work: deliveries and looks into the journal, undo and redo, and the mending of
  /// earlier runs.
  private let work = Headway()
  /// Undo and redo, waited for apart from deliveries.
  private let changes = Headway()
  /// Recovery of earlier runs.
  private let mending = Headway()
  /// Stops undo and redo. Never taken back: set only where the program ends.
  private let pastCancellation = Cancellation()

  /// How long something may stand still until those behind it go on without it. An entry that it
  /// has begun with is its own: nothing else is done to that one.
  private static let patience = DispatchTimeInterval.seconds(3)
  /// The same where somebody waits for the end of it: a slow device may write for this long without
  /// a sign.
  private static let longPatience = DispatchTimeInterval.seconds(30)

  /// How long undo and redo may stand still until they are said not to be answered.
  private let patience: DispatchTimeInterval

  private let waitsForDisk: Bool

  /// - Parameter waitsForDisk: whether a copy is on the device before it is said to be there.
  package convenience init(
    journal: Journal, trash: TrashCan = TrashCan(), waitsForDisk: Bool = true
  ) {
    self.init(
      journal: journal, trash: trash, waitsForDisk: waitsForDisk, patience: Self.longPatience)
  }

  /// - Parameter patience: shorter in tests.
  init(
    journal: Journal, trash: TrashCan, waitsForDisk: Bool = true, patience: DispatchTimeInterval
  ) {
    self.journal = journal
    self.waitsForDisk = waitsForDisk
    self.trash = trash
    self.patience = patience
  }

  /// Begins a delivery; its events come from a thread of its own, `finished` last and once.
  ///
  /// Every failure comes as an event; nothing is thrown.
  package func deliver(
    _ order: FileOrder, id: DeliveryID, events: @escaping @Sendable (FileDeliveryEvent) -> Void
  ) {
    let cancellation = Cancellation()
    running.withLock { $0[id] = cancellation }
    work.enter()
    LongWork.begin { [self] in
      let run = DeliveryRun(
        order: order, trash: trash, journal: journal, waitsForDisk: waitsForDisk,
        cancellation: cancellation
      ) { [self] event in
        // Forgotten before it is told: whoever hears of the end may reuse the id.
        if case .finished = event { running.withLock { $0[id] = nil } }
        events(event)
      } alive: { [work] in
        work.tick()
      }
      run.run()
      work.leave()
    }
  }

  /// Stops a delivery as soon as nothing is half done; it still finishes, as cancelled.
  ///
  /// Does nothing for a delivery that has finished or was never begun.
  package func cancel(_ id: DeliveryID) {
    running.withLock { $0[id] }?.request()
  }

  /// Stops everything that runs, as ``cancel(_:)`` does.
  ///
  /// Undo and redo that run are stopped too, and so are those that are asked for from now on.
  package func cancelAll() {
    pastCancellation.request()
    let all = running.withLock { Array($0.values) }
    for cancellation in all { cancellation.request() }
  }

  /// Waits until nothing runs and closes the journal. What a disk holds that does not answer is
  /// left: the next run puts it right. Blocks: not for a thread that serves others.
  ///
  /// At most 30 s without a sign for each kind of work, 3 s for recovery.
  package func close() { close(after: nil) }

  /// The journal stays open where anything still runs: closing it would lose what that has to
  /// write.
  ///
  /// - Parameters:
  ///   - items: what else uses the journal.
  ///   - end: when nothing is waited for any more, even where it gets on.
  func close(after items: Headway?, until end: DispatchTime = .distantFuture) {
    let hasEnded = [items, work, changes].map { $0?.wait(Self.longPatience, until: end) ?? true }
    // Work that is left may still write down where it has got to.
    guard mending.wait(Self.patience, until: end), !hasEnded.contains(false) else { return }
    // It writes to the disk once more, which may not answer.
    let closing = DispatchGroup()
    DispatchQueue(label: "keydrag.journal").async(group: closing) { [journal] in journal.close() }
    _ = closing.wait(timeout: end)
  }

  /// Takes an entry back; `nil` means the newest one that can be.
  ///
  /// Where the disk gives no sign for 30 s it is `unavailable(.notResponding)`, and the disk's answer
  /// comes to `late`.
  ///
  /// - Parameter late: what became of it all the same, after the reply that a disk does not answer.
  package func undo(
    entry: Int64?, late: @escaping @Sendable (HistoryResult) -> Void = { _ in }
  ) async -> HistoryResult {
    await answer { take(.undo, entry, late, $0) }
  }

  /// Does an entry again; `nil` means the one undone last.
  ///
  /// - Parameter late: what became of it all the same, after the reply that a disk does not answer.
  package func redo(
    entry: Int64?, late: @escaping @Sendable (HistoryResult) -> Void = { _ in }
  ) async -> HistoryResult {
    await answer { take(.redo, entry, late, $0) }
  }

  /// Begins on the queue and works on a thread beside it, so that a disk that hangs holds the
  /// thread and not the queue.
  private func take(
    _ direction: HistoryDirection, _ entry: Int64?,
    _ late: @escaping @Sendable (HistoryResult) -> Void,
    _ reply: @escaping @Sendable (HistoryResult) -> Void
  ) {
    changes.enter()
    // Two threads race for it: the one that works, and the one that has waited long enough.
    let answer = Once(reply)
    past.async { [self] in
      // An entry that recovery still works on is busy and could not be taken.
      mending.wait(Self.patience)
      let run = Headway()
      run.enter()
      LongWork.begin { [self] in
        let result = HistoryRun(
          journal: journal, trash: trash, waitsForDisk: waitsForDisk,
          cancellation: pastCancellation
        ) { [changes] in
          changes.tick()
          run.tick()
        }.run(direction, entry: entry)
        // The person has been told that a disk does not answer: the true end is told in addition.
        if !answer.give(result), result != .nothing { late(result) }
        changes.leave()
        run.leave()
      }
      // Those behind it go on. What it has begun with is its own, and done when the disk answers.
      if !run.wait(patience) { answer.give(.unavailable(.notResponding)) }
    }
  }

  /// The newest entries, newest first.
  ///
  /// - Parameter limit: how many entries at most.
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

  /// Puts right what earlier runs have left in the middle, then forgets what is older than 90 days.
  /// Returns at once. Undo, redo and history that are asked for meanwhile wait up to 3 s for it.
  ///
  /// - Parameter tell: what became of a run, as soon as it is known; also that it is not known yet,
  ///   where a disk does not answer.
  /// - Parameter done: called once; `tell` may still be called afterwards for a disk that answers
  ///   late.
  package func recover(
    tell: @escaping @Sendable (Recovery) -> Void, done: @escaping @Sendable () -> Void
  ) {
    mending.enter()
    // Of each run that is looked after now: the entry that nobody knows the end of yet.
    let begun = Mutex<[String: HistoryEntry]>([:])
    LongWork.begin { [self] in
      // Each on a thread of its own: a disk that holds one of them holds no other.
      for run in Recoverer.runs(in: journal) {
        mending.enter()
        LongWork.begin { [self] in
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
        // Under the lock: a run that ends just now is told either as waiting or as ended first, in
        // order.
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
