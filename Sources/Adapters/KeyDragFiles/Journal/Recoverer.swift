import GRDB
import Glibc
import KeyDragCore
import SystemPackage

/// Repairs what an interrupted run left.
///
/// One instance per dead run, on a thread of its own. Only touches entries whose run's lock is
/// free, and holds that lock meanwhile, so that two new runs never repair the same one.
final class Recoverer {
  private let journal: Journal
  private let mender: StepRecovery
  private let alive: () -> Void

  init(journal: Journal, alive: @escaping () -> Void) {
    self.journal = journal
    self.alive = alive
    mender = StepRecovery(meter: ProgressMeter(alive: alive))
  }

  /// Other runs with unfinished entries, oldest first. Whether they are alive shows when their lock
  /// is tried. Empty if the journal can't be read.
  static func runs(in journal: Journal) -> [String] {
    guard journal.exists else { return [] }
    let own = journal.knownRun ?? ""
    // The journal reports its own problems.
    return
      (try? journal.read { database in
        try String.fetchAll(
          database,
          sql: """
            SELECT busy FROM entry WHERE busy IS NOT NULL AND busy != ?
            GROUP BY busy ORDER BY min(number)
            """,
          arguments: [own])
      }) ?? []
  }

  /// Recovers a run unless it is alive. Blocks on disk I/O. What can't be checked stays the dead
  /// run's, for the next recovery.
  ///
  /// - Parameters:
  ///   - beginning: called with an entry before its files are touched.
  ///   - tell: called with an entry's result.
  func recover(_ run: String, beginning: (HistoryEntry) -> Void, tell: (Recovery) -> Void) {
    do {
      // `nil`: it is alive, or another run is recovering it.
      guard let lock = try journal.lock(of: run) else { return }
      try recover(lock, beginning, tell)
    } catch {
      // The journal reports its own problems.
    }
  }

  /// The lock file is removed on return (see ``RunLock``).
  private func recover(
    _ lock: borrowing RunLock, _ beginning: (HistoryEntry) -> Void, _ tell: (Recovery) -> Void
  ) throws {
    let run = lock.run
    // Read under the lock: the run may have finished entries just before it died.
    let entries = try journal.read { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM entry WHERE busy = ? ORDER BY number", arguments: [run]
      ).compactMap(EntryRecord.init(row:))
    }
    for entry in entries {
      beginning(try journal.read { try JournalEntries.described(entry, ordered: true, $0) })
      tell(try recover(entry))
    }
  }

  /// `finished` and `rolledBack` only if no step has left any trace.
  ///
  /// - Parameters:
  ///   - isIdle: whether nothing had been started.
  ///   - reached: number of steps in the state that the run was heading for.
  ///   - missing: number of the others.
  private static func result(
    _ trace: StepRecovery.Trace, isIdle: Bool, reached: Int, missing: Int
  ) -> Recovery.Result {
    switch trace {
    case .missing: .unproved
    case .none where isIdle || reached == 0 && missing > 0: .rolledBack
    case .none where missing <= 0: .finished
    case .none, .partly: .partly
    }
  }

  /// Folders that an undo has already recreated, with the other steps redirected to them. Changes
  /// nothing on disk.
  private func findRemade(_ steps: inout [StepRecord]) -> [(index: Int, folder: RecreatedFolder)] {
    var found: [(index: Int, folder: RecreatedFolder)] = []
    for index in steps.indices where steps[index].emptied != nil && steps[index].state == .undoing {
      guard let place = try? OpenedEntry(steps[index].source, in: steps[index].sourceFolder),
        let folder = RecreatedFolder.found(&steps[index], in: place.folder, place.name)
      else { continue }
      found.append((index, folder))
    }
    let remade = Dictionary(
      found.map { ($0.folder.old, $0.folder.new) }, uniquingKeysWith: { first, _ in first })
    for index in steps.indices { steps[index].lead(to: remade) }
    return found
  }

  /// Repairs the steps of one entry, and journals all their states at once.
  private func recover(_ entry: EntryRecord) throws -> Recovery {
    var known = try journal.read { database in
      try JournalEntries.steps(
        of: entry.number, in: [.intended, .undoing, .redoing, .done, .undone, .failed], database)
    }
    let remade = findRemade(&known)
    let steps = known
    // A long entry may be between two batches, with no step under way.
    let isLong = steps.count > JournalWriter.batch && !steps.contains { $0.state.isUnderWay }
    let isUndo =
      steps.contains { $0.state == .undoing }
      || isLong && !entry.isUndone && steps.contains { $0.state == .undone }
    let isRedo =
      steps.contains { $0.state == .redoing }
      || isLong && entry.isUndone && steps.contains { $0.state == .done }
    // Gives up after 90 days, otherwise a missing disk would keep the entry for ever.
    let isOld = Int64(time(nil)) - entry.time >= Journal.keeping
    var found = StepRecovery.Trace.none
    var isLeft = false
    // Steps whose outcome is journaled only if everything could be checked.
    var doubtful: [Int] = []
    // `isLeft` takes precedence: an entry's result is reported once, when all of it is known.
    var mended = steps.indices.map { index in
      let step = steps[index]
      guard step.state.isUnderWay else { return step }
      defer { alive() }
      do {
        let mended = try mender.mend(step, entry)
        if mender.isLeft(step, entry) {
          isLeft = true
          return step
        }
        if mended.trace != .none { doubtful.append(index) }
        found = max(found, mended.trace)
        return mended.step
      } catch is DiskUnavailable where !isOld {
        // Left to the next run: the disk may be back.
        isLeft = true
        return step
      } catch {
        // Can't be repaired: restores the previous state, and reports it as unproved.
        doubtful.append(index)
        var given = step
        given.state = step.state == .undoing ? .done : step.state == .redoing ? .undone : .failed
        found = .missing
        return given
      }
    }
    if isLeft { for index in doubtful { mended[index] = steps[index] } }
    let (hasLeft, trace) = (isLeft, found)
    let done = mended.count { $0.state == .done }
    let undone = mended.count { $0.state == .undone }
    // An undo or redo that was claimed but not started.
    let isIdle =
      !isUndo && !isRedo && steps.count == Int(entry.planned)
      && !steps.contains { $0.state.isUnderWay } && (done == 0 || undone == 0)
    // Folders recreated for items that did not come back undo nothing.
    let hasUndone = mended.contains { $0.state == .undone && $0.emptied == nil }
    let isEmptied = mended.allSatisfy { $0.emptied != nil }
    if isUndo, !hasUndone, !isEmptied {
      for index in mended.indices where mended[index].state == .undone {
        mended[index].state = .done
      }
    }
    // An entry counts as undone if any step is: the next undo takes the rest.
    let isUndone = isUndo ? hasUndone || isEmptied && undone > 0 : done == 0
    let changed = zip(steps, mended).filter { $0.state != $1.state }.map(\.1)
    // One transaction: states, whether it is undone, and the claim.
    return try journal.write { database in
      for (index, folder) in remade {
        try JournalEntries.remade(steps[index], folder, of: entry.number, database)
      }
      for step in changed { try JournalEntries.update(step, of: entry.number, database) }
      if isUndo || isRedo {
        try JournalEntries.setUndone(isUndone, entry.number, database)
      }
      if !hasLeft { try JournalEntries.release(entry.number, database) }
      let (reached, missing) =
        isUndo ? (undone, done) : (done, isRedo ? undone : Int(entry.planned) - done)
      return Recovery(
        entry: try JournalEntries.described(entry, ordered: done + undone == 0, database),
        result: hasLeft
          ? .waiting : Self.result(trace, isIdle: isIdle, reached: reached, missing: missing),
        stands: done > 0)
    }
  }
}
