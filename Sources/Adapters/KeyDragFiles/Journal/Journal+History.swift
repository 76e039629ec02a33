import FoundationEssentials
import GRDB
import Glibc
import KeyDragCore
import SystemPackage

/// Direction of a history operation, which decides the step states involved.
enum HistoryDirection: Sendable {
  case undo
  case redo

  /// The state of eligible steps.
  var from: StepState { self == .undo ? .done : .undone }
  var to: StepState { self == .undo ? .undone : .done }
}

/// The result of claiming an entry for undo or redo. A claim is a column with the run's name, which
/// outlives the run.
enum HistoryClaim: Sendable {
  case nothing
  /// The entry can't be undone or redone, or another run owns it.
  case refused(HistoryEntry, Reason)
  /// Owned by this run until released; steps in delivery order.
  case claimed(EntryRecord, [StepRecord])
}

extension Journal {
  /// Retention of entries, in seconds: 90 days.
  static let keeping: Int64 = 90 * 86_400

  /// Claims the entry to undo or redo; `nil` means the latest done or the latest undone. A given
  /// number is taken regardless of newer entries; steps that can't be reverted fail individually.
  func claim(_ number: Int64?, _ direction: HistoryDirection) throws(Reason) -> HistoryClaim {
    let run = try run()
    // In one transaction, so that no other run can claim the entry in between.
    return try write { database in
      guard let entry = try Self.find(number, direction, database) else { return .nothing }
      let described = try JournalEntries.described(entry, database)
      if described.wayBack != .here {
        return direction == .redo || entry.isUndone
          ? .nothing : .refused(described, .leftToProgram)
      }
      let steps = try JournalEntries.steps(of: entry.number, in: [direction.from], database)
      if entry.permanently { return .refused(described, .gone) }
      if direction == .redo, entry.visitor != nil { return .nothing }
      if steps.isEmpty { return .nothing }
      if direction == .redo, steps.allSatisfy({ $0.isWithoutOriginal(by: entry.operation) }) {
        return .nothing
      }
      guard try JournalEntries.claim(entry.number, for: run, database) else {
        return .refused(described, .interrupted)
      }
      return .claimed(entry, steps)
    }
  }

  /// SQL condition for undoable entries, including the rest of a partial undo. Takes the state's
  /// raw value as its argument.
  private static let undoable = """
    busy IS NULL AND NOT permanently
      AND (EXISTS(SELECT 1 FROM step WHERE entry = number AND state = ?)
        OR undo_order IS NULL AND \(ForeignDropRows.blocking))
    """

  /// SQL order by the latest action, including redo: a redone entry comes after the newest entry of
  /// that time, in redo order.
  private static let lastDone =
    "ORDER BY coalesce(redone_after, number) DESC, coalesce(redone_order, 0) DESC"

  /// The undoable entry before another one, skipping those left to programs. Searches the last
  /// 1000; `nil` also if the journal can't be read.
  func previous(to number: Int64) -> Int64? {
    guard exists else { return nil }
    return try? read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT number, \(ForeignDropRows.condition) AS isForeign FROM entry
          WHERE number = ? OR \(Self.undoable) \(Self.lastDone) LIMIT 1000
          """, arguments: [number, StepState.done.rawValue])
      let before = rows.drop { $0["number"] as Int64 != number }.dropFirst()
      return before.first { !($0["isForeign"] as Bool) }?["number"]
    }
  }

  /// `nil` if there is none or its row is unreadable.
  private static func find(
    _ number: Int64?, _ direction: HistoryDirection, _ database: Database
  ) throws -> EntryRecord? {
    let row =
      switch (number, direction) {
      case (let number?, _):
        try Row.fetchOne(
          database, sql: "SELECT * FROM entry WHERE number = ?", arguments: [number])
      case (nil, .undo):
        try Row.fetchOne(
          database, sql: "SELECT * FROM entry WHERE \(undoable) \(lastDone) LIMIT 1",
          arguments: [direction.from.rawValue])
      case (nil, .redo):
        // A file made from an item is its own source and can't be made again; a created folder can.
        try Row.fetchOne(
          database,
          sql: """
            SELECT * FROM entry WHERE busy IS NULL AND undo_order IS NOT NULL AND visitor IS NULL
              AND EXISTS(
                SELECT 1 FROM step WHERE entry = number AND state = ?
                  AND (source <> target OR substr(before, 1, 8) = ?))
              ORDER BY undo_order DESC LIMIT 1
            """, arguments: [direction.from.rawValue, RecordedStamp.folderKind])
      }
    return row.flatMap(EntryRecord.init(row:))
  }

  /// The newest entries with any completed step, newest first. Claims nothing; other runs may be
  /// working on them.
  func history(limit: Int) throws(Reason) -> [HistoryEntry] {
    guard exists else { return [] }
    return try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM entry WHERE EXISTS(
            SELECT 1 FROM step WHERE entry = number AND state IN (1, 3, 4, 5))
            OR \(ForeignDropRows.condition)
          ORDER BY number DESC LIMIT ?
          """, arguments: [limit]
      ).compactMap(EntryRecord.init(row:)).map { try JournalEntries.described($0, database) }
    }
  }

  /// Distinct target folders of the last 200 deliveries, newest first. Some may be gone. Empty if
  /// the journal can't be read.
  func recentTargets(most: Int) -> [FilePath] {
    guard exists else { return [] }
    let targets = try? read { database in
      try Data.fetchAll(
        database,
        sql: """
          SELECT coalesce(merged, target) FROM step JOIN (
            SELECT number, max(idx) AS last FROM entry JOIN step ON entry = number
            WHERE operation IN ('copy', 'move', 'link') AND undo_order IS NULL AND state = ?
              AND source <> target
            GROUP BY number ORDER BY number DESC LIMIT 200)
          ON entry = number AND idx = last ORDER BY number DESC
          """, arguments: [StepState.done.rawValue])
    }
    var folders: [FilePath] = []
    for target in targets ?? [] {
      let folder = FilePath(rawBytes: target).folder
      if folders.count < most, !folders.contains(folder) { folders.append(folder) }
    }
    return folders
  }

  /// The entry as presented to the user, from its current row if that still exists.
  ///
  /// - Parameter steps: the steps to tell of; `nil` for all.
  func described(
    _ entry: EntryRecord, only steps: [Int64]? = nil
  ) throws(Reason) -> HistoryEntry {
    try read { database in
      let row = try Row.fetchOne(
        database, sql: "SELECT * FROM entry WHERE number = ?", arguments: [entry.number])
      return try JournalEntries.described(
        row.flatMap(EntryRecord.init(row:)) ?? entry, only: steps, database)
    }
  }

  /// Deletes entries older than 90 days unless a run owns them.
  ///
  /// - Parameter now: seconds since 1970. A clock set back keeps entries longer, a clock set ahead
  ///   deletes too early.
  func prune(now: Int64 = Int64(time(nil))) throws(Reason) {
    try write { database in
      try database.execute(
        sql: "DELETE FROM entry WHERE busy IS NULL AND time < ?", arguments: [now - Self.keeping])
    }
  }

  /// Whether anything was or may have been recorded: a history that can't be read or created does
  /// not count as empty. Opens and creates nothing.
  var exists: Bool {
    let path = folder.appending("history.sqlite")
    do {
      _ = try FileCalls.status(path)
      return true
    } catch {
      // Double-checked before the history counts as empty.
      return error != .noSuchFileOrDirectory
        || path.withPlatformString { access($0, F_OK) == 0 || errno != ENOENT }
        || Self.obstacle(in: folder) != nil || JournalProbe.obstacle(to: folder) != nil
    }
  }
}
