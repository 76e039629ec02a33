import GRDB
import KeyDragCore

/// Writes one entry during a delivery, undo or redo, on its thread.
///
/// If the journal fails, deliveries continue without it: the user cares more about the file than
/// about its history.
///
/// Call ``intend(_:planned:)``, then ``redirect(_:)`` as needed and ``settle(_:)`` for each batch;
/// ``finish(_:isUndone:isOver:)`` once, last. Each call blocks for one transaction and never
/// throws.
final class JournalWriter {
  /// Steps per transaction. A kill costs recovery at most this many checks.
  static let batch = 1000

  /// Has a number after the first successful ``intend(_:planned:)``.
  private(set) var entry: EntryRecord
  private let journal: Journal
  /// Whether copies are flushed to the device before they get their names. Otherwise a power cut may
  /// leave an incomplete file under a final name.
  var flushesToDevice: Bool { journal.flushesToDevice }
  /// Cleared by the first failure. Undo and redo stop then, deliveries continue.
  private(set) var isWorking = true
  /// Steps that could not be written while the journal was locked.
  private var unsettled: [StepRecord] = []

  /// For a new entry, which gets its number with its first steps.
  init(_ journal: Journal, _ entry: EntryRecord) {
    self.journal = journal
    self.entry = entry
  }

  /// `nil` before the first steps, or if they could not be written.
  var number: Int64? { entry.number > 0 ? entry.number : nil }

  /// Journals intents. They are committed and flushed on return; only then may they run. The first
  /// call creates the entry and claims it for this run.
  ///
  /// - Parameter planned: corrected number of steps.
  func intend(_ steps: [StepRecord], planned: Int64? = nil) {
    let hasMore = planned.map { $0 != self.entry.planned } ?? false
    if let planned { self.entry.planned = planned }
    let entry = entry
    guard isWorking else { return }
    do throws(Reason) {
      let run = try journal.run()
      let number = try journal.write { database in
        let number =
          entry.number > 0 ? entry.number : try JournalEntries.insert(entry, run: run, database)
        if hasMore, entry.number > 0 {
          try JournalEntries.plan(entry.planned, of: number, database)
        }
        try JournalEntries.insert(steps, of: number, database)
        return number
      }
      self.entry.number = number
    } catch {
      isWorking = false
    }
  }

  /// As ``intend(_:planned:)``, in batches.
  func intendAll(_ steps: [StepRecord]) {
    for start in stride(from: 0, to: steps.count, by: Self.batch) {
      intend(Array(steps[start...].prefix(Self.batch)))
    }
  }

  /// Journals a deviation from the intent before it happens, such as another name or a replaced
  /// file. Recovery looks where the journal says.
  func redirect(_ step: StepRecord) {
    write { try JournalEntries.update(step, of: $0, $1) }
  }

  /// Journals the states of completed steps, which recovery no longer checks. Flushed with the next
  /// intent: until then, recovery may check the disk once more.
  func settle(_ steps: [StepRecord]) {
    write(isLasting: false) { try JournalEntries.update(steps, of: $0, $1) }
    // Retried in ``finish(_:isUndone:isOver:)``, when the lock may be free.
    if !isWorking, number != nil { unsettled += steps }
  }

  /// Redirects older steps from a removed folder to its replacement.
  ///
  /// - Parameter isFirst: whether it is the first one of this run.
  func remade(_ step: StepRecord, _ folder: RecreatedFolder, isFirst: Bool) {
    write { try JournalEntries.remade(step, folder, of: $0, isFirst: isFirst, $1) }
  }

  /// Rewrites steps that start again, for undo and redo, discarding their previous outcome.
  func rewrite(_ steps: [StepRecord]) {
    write { number, database in
      for step in steps { try JournalEntries.update(step, of: number, database) }
    }
  }

  /// Releases the entry. Steps still under way are left to recovery.
  ///
  /// - Parameters:
  ///   - isUndone: the entry's new state; `nil` if unchanged.
  ///   - isOver: whether nothing is left for recovery; otherwise this run keeps the entry.
  func finish(_ steps: [StepRecord] = [], isUndone: Bool? = nil, isOver: Bool = true) {
    guard number != nil else { return }
    // Retried even after a failure: the lock may be free by now.
    isWorking = true
    let steps = unsettled + steps
    write(isLasting: journal.flushesToDevice) { number, database in
      try JournalEntries.update(steps, of: number, database)
      if let isUndone { try JournalEntries.setUndone(isUndone, number, database) }
      if isOver { try JournalEntries.release(number, database) }
    }
  }

  /// Gives up after the first failure, so that not every batch waits for the same lock.
  private func write(
    isLasting: Bool = true, _ body: @Sendable (Int64, Database) throws -> Void
  ) {
    guard let number, isWorking else { return }
    do {
      try journal.write(isLasting: isLasting) { try body(number, $0) }
    } catch {
      isWorking = false
    }
  }
}

extension Journal {
  /// Reclaims an entry to append the rest of the same drop, so that one undo reverts both. Blocks
  /// for one transaction.
  ///
  /// - Returns: the entry and its next step's index; `nil` if it is owned by a run or has been
  ///   undone.
  func reopen(_ number: Int64, for count: Int) -> (entry: EntryRecord, next: Int64)? {
    guard let run = knownRun else { return nil }
    return try? write { try JournalEntries.reopen(number, count, run, $0) }
  }

  /// Journals another program's file operations, so that they can be undone like our own.
  ///
  /// The steps are already done: intents and states are written in sequence only to share the
  /// table.
  ///
  /// - Returns: the entry's number; `nil` if it could not be written.
  func note(_ steps: [StepRecord], _ operation: DragOperation, in place: String) -> Int64? {
    let writer = JournalWriter(
      self,
      EntryRecord(
        operation: operation, place: place, planned: Int64(steps.count)))
    writer.intendAll(steps)
    writer.finish(steps)
    return writer.number
  }
}
