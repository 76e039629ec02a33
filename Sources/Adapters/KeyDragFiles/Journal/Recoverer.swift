import GRDB
import Glibc
import KeyDragCore
import SystemPackage

/// Puts right what runs that ended in the middle have left.
///
/// One object for one dead run, on a thread of its own. Only entries whose run's lock is free are
/// touched; the lock is held meanwhile, so that two new runs never mend the same.
final class Recoverer {
  private let journal: Journal
  private let mender: StepMender
  /// For ``Headway``.
  private let alive: () -> Void

  /// - Parameter alive: called whenever anything was got on with.
  init(journal: Journal, alive: @escaping () -> Void) {
    self.journal = journal
    self.alive = alive
    mender = StepMender(meter: Meter(alive: alive))
  }

  /// The other runs that have something under way, and may have ended.
  ///
  /// Oldest first. Whether they live shows when their lock is tried. Empty where the journal can't
  /// be read.
  static func runs(in journal: Journal) -> [String] {
    guard journal.exists else { return [] }
    let own = journal.knownRun ?? ""
    // A journal that can't be used says so itself.
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

  /// Looks after a run, unless it lives.
  ///
  /// Blocks as long as the disks need. What could not be looked at stays the dead run's, and the
  /// next recovery tries again.
  ///
  /// - Parameters:
  ///   - beginning: called with an entry before its files are touched.
  ///   - tell: called with what became of it.
  func recover(_ run: String, beginning: (HistoryEntry) -> Void, tell: (Recovery) -> Void) {
    do {
      _ = try OwnFolder.open(journal.runs)
      // `nil`: it lives, or somebody else is mending it.
      guard let lock = try RunLock.take(run, in: journal.runs) else { return }
      try recover(lock, beginning, tell)
    } catch {
      // The journal can't be used: it has said so itself.
    }
  }

  /// The lock file goes when this returns (see ``RunLock``).
  private func recover(
    _ lock: borrowing RunLock, _ beginning: (HistoryEntry) -> Void, _ tell: (Recovery) -> Void
  ) throws {
    let run = lock.run
    // Read under the lock: the run may have ended its entries just before it died.
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

  /// The result to tell: finished, or as before, only where no step has left anything else.
  ///
  /// - Parameters:
  ///   - isIdle: whether nothing had been begun.
  ///   - reached: how many steps are in the state that the run was going to.
  ///   - missing: how many are not.
  private static func result(
    _ trace: StepMender.Trace, isIdle: Bool, reached: Int, missing: Int
  ) -> Recovery.Result {
    switch trace {
    case .missing: .unproved
    case .none where isIdle || reached == 0 && missing > 0: .rolledBack
    case .none where missing <= 0: .finished
    case .none, .partly: .partly
    }
  }

  /// Folders that an undo was about to make anew, and has: the other steps look for these.
  ///
  /// Nothing is changed on the disk.
  private func findRemade(_ steps: inout [StepRecord]) -> [(index: Int, folder: RemadeFolder)] {
    var found: [(index: Int, folder: RemadeFolder)] = []
    for index in steps.indices where steps[index].emptied != nil && steps[index].state == .undoing {
      guard let place = try? OpenPlace(steps[index].source, in: steps[index].sourceFolder),
        let folder = RemadeFolder.found(&steps[index], in: place.folder, place.name)
      else { continue }
      found.append((index, folder))
    }
    let remade = Dictionary(
      found.map { ($0.folder.old, $0.folder.new) }, uniquingKeysWith: { first, _ in first })
    for index in steps.indices { steps[index].lead(to: remade) }
    return found
  }

  /// Mends the steps of one entry, and writes down at once how all of them stand.
  private func recover(_ entry: EntryRecord) throws -> Recovery {
    var known = try journal.read { database in
      try JournalEntries.steps(
        of: entry.number, in: [.intended, .undoing, .redoing, .done, .undone, .failed], database)
    }
    let remade = findRemade(&known)
    let steps = known
    // Between two batches of a long one no step is under way.
    let isLong = steps.count > JournalWriter.batch && !steps.contains { $0.state.isUnderWay }
    let isUndo =
      steps.contains { $0.state == .undoing }
      || isLong && !entry.isUndone && steps.contains { $0.state == .undone }
    let isRedo =
      steps.contains { $0.state == .redoing }
      || isLong && entry.isUndone && steps.contains { $0.state == .done }
    // After 90 days it is given up: a disk that long away would keep the entry for ever.
    let isOld = Int64(time(nil)) - entry.time >= Journal.keeping
    var found = StepMender.Trace.none
    var isLeft = false
    // Nothing is said of these for good before all of it can be looked at.
    var doubtful: [Int] = []
    // `isLeft` wins over everything: an entry is told as ended once, and only when all of it is
    // known.
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
      } catch is DiskAway where !isOld {
        // The next run looks again: the disk may be back.
        isLeft = true
        return step
      } catch {
        // It can't be mended: the state before the run is written, and told as unproved.
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
    // An undo or redo that had taken hold of it and begun with nothing.
    let isIdle =
      !isUndo && !isRedo && steps.count == Int(entry.planned)
      && !steps.contains { $0.state.isUnderWay } && (done == 0 || undone == 0)
    // Folders that were only made again, for what has not come back, undo nothing.
    let hasUndone = mended.contains { $0.state == .undone && $0.emptied == nil }
    let isEmptied = mended.allSatisfy { $0.emptied != nil }
    if isUndo, !hasUndone, !isEmptied {
      for index in mended.indices where mended[index].state == .undone {
        mended[index].state = .done
      }
    }
    // An entry is undone where any step is: the next undo takes the rest.
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
