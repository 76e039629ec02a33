import Glibc
import KeyDragCore

/// Writes one entry while it is being worked on.
///
/// When the journal fails, the work goes on without it: a person who wants a file moved has more
/// use for the file than for the note. Belongs to the thread that works on the entry.
///
/// Order of calls: ``intend(_:planned:)``, then ``redirect(_:)`` as needed, ``settle(_:)``, and so
/// on for each batch; ``finish(_:isUndone:isOver:)`` once, last. Everything blocks for one
/// transaction. Nothing throws.
final class JournalWriter {
  /// Steps that are written down in one transaction, before the first of them is taken.
  ///
  /// A kill costs at most as many looks at the disk by recovery.
  static let batch = 1000

  /// With its number after the first ``intend(_:planned:)`` that succeeds.
  private(set) var entry: EntryRecord
  private let journal: Journal
  /// Cleared by the first failure. Undo and redo stop there, deliveries go on.
  private(set) var isWorking = true
  /// The steps that a journal could not take while it was locked, for the end.
  private var unsettled: [StepRecord] = []

  /// A writer for a new entry, which gets its number with its first steps.
  init(_ journal: Journal, _ entry: EntryRecord) {
    self.journal = journal
    self.entry = entry
  }

  /// The journal's number, when it could be written down.
  ///
  /// `nil` before the first steps too.
  var number: Int64? { entry.number > 0 ? entry.number : nil }

  /// Writes down what is about to be done.
  ///
  /// Committed, and flushed, when this returns: only then may the first of them be taken. The first
  /// call makes the entry and takes hold of it for this run.
  ///
  /// - Parameter planned: how much the entry will hold, where that has turned out otherwise.
  func intend(_ steps: [StepRecord], planned: Int64? = nil) {
    let hasMore = planned.map { $0 != self.entry.planned } ?? false
    if let planned { self.entry.planned = planned }
    let entry = entry
    attempt { journal throws(Reason) in
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
    }
  }

  /// Writes down that a step goes another way than intended, before it does.
  ///
  /// A rename to another name, or a thing that gives way. Recovery looks where the journal says.
  func redirect(_ step: StepRecord) {
    guard let number else { return }
    attempt { journal throws(Reason) in
      try journal.write { try JournalEntries.update(step, of: number, $0) }
    }
  }

  /// Writes down the state that steps are in now.
  ///
  /// Only after they have ended: recovery looks at no step whose state stands. Flushed with the next
  /// intent: without it, recovery looks at the disk once more.
  func settle(_ steps: [StepRecord]) {
    guard let number else { return }
    attempt { journal throws(Reason) in
      try journal.write(isLasting: false) { try JournalEntries.update(steps, of: number, $0) }
    }
    // Kept for the end, when the lock may be free again.
    if !isWorking { unsettled += steps }
  }

  /// Writes down that a folder which had been removed was made anew.
  ///
  /// All older steps that were done in it are led to the new one.
  ///
  /// - Parameter isFirst: whether no other one was in this run.
  func remade(_ step: StepRecord, _ folder: RemadeFolder, isFirst: Bool) {
    guard let number else { return }
    attempt { journal throws(Reason) in
      try journal.write {
        try JournalEntries.remade(step, folder, of: number, isFirst: isFirst, $0)
      }
    }
  }

  /// Writes down all of steps that begin anew, and forgets how they went before.
  ///
  /// For undo and redo: the state under way, the time, and what is known of the thing.
  func rewrite(_ steps: [StepRecord]) {
    guard let number else { return }
    attempt { journal throws(Reason) in
      try journal.write { database in
        for step in steps { try JournalEntries.update(step, of: number, database) }
      }
    }
  }

  /// Lets go of the entry. What is still under way stays for recovery.
  ///
  /// - Parameters:
  ///   - isUndone: the entry's new state, where it changes.
  ///   - isOver: whether nothing of it is left for recovery; else it stays this run's.
  func finish(_ steps: [StepRecord] = [], isUndone: Bool? = nil, isOver: Bool = true) {
    guard let number else { return }
    // Tried even after a failure: a journal that was locked for a while may be free again.
    isWorking = true
    let steps = unsettled + steps
    attempt { journal throws(Reason) in
      try journal.write(isLasting: journal.waitsForDisk) { database in
        try JournalEntries.update(steps, of: number, database)
        if let isUndone { try JournalEntries.setUndone(isUndone, number, database) }
        if isOver { try JournalEntries.release(number, database) }
      }
    }
  }

  /// After one failure it does nothing more, so that each batch does not wait for the same lock
  /// again.
  private func attempt(_ body: (Journal) throws(Reason) -> Void) {
    guard isWorking else { return }
    do { try body(journal) } catch { isWorking = false }
  }
}

extension Journal {
  /// Takes hold of an entry again, for the rest of the same drop: one undo takes back all of it.
  ///
  /// Blocks for one transaction.
  ///
  /// - Returns: the entry and the index of its next step; `nil` where it can't be gone on with,
  ///   since somebody works on it or has undone it meanwhile.
  func reopen(_ number: Int64, for count: Int) -> (entry: EntryRecord, next: Int64)? {
    guard let run = knownRun else { return nil }
    return try? write { try JournalEntries.reopen(number, count, run, $0) }
  }

  /// Writes down what another program did to files, so that it can be taken back like our own work.
  ///
  /// The steps are over when they come here: intents and ends are written one after the other, only
  /// so that one table serves both.
  ///
  /// - Returns: the entry's number; `nil` when it could not be written down.
  func note(_ steps: [StepRecord], _ operation: DragOperation, in place: String) -> Int64? {
    let writer = JournalWriter(
      self,
      EntryRecord(
        operation: operation, permanently: false, place: place, time: Int64(time(nil)),
        token: RandomName.hexadecimal(16), planned: Int64(steps.count)))
    for start in stride(from: 0, to: steps.count, by: JournalWriter.batch) {
      writer.intend(Array(steps[start..<min(start + JournalWriter.batch, steps.count)]))
    }
    writer.finish(steps)
    return writer.number
  }
}
