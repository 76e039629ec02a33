import FoundationEssentials
import GRDB
import Glibc
import KeyDragCore
import SystemPackage

/// Which way an entry is to be taken.
///
/// The one difference between undo and redo is in these states.
enum HistoryDirection: Sendable {
  /// Takes steps from `done` to `undone`.
  case undo
  /// Takes steps from `undone` to `done`.
  case redo

  /// The steps that can be taken this way, and the state they are in meanwhile.
  var from: StepState { self == .undo ? .done : .undone }
  var underWay: StepState { self == .undo ? .undoing : .redoing }
  var to: StepState { self == .undo ? .undone : .done }
}

/// A claim on the entry to undo or redo.
///
/// A claim is a column of the entry that holds the run's name; it lasts beyond the death of the
/// run.
enum HistoryClaim: Sendable {
  /// There is no entry for it.
  case nothing
  /// It can't be taken this way, or another run works on it.
  case refused(HistoryEntry, Reason)
  /// Held by this run until it is released; the steps in the order they were delivered.
  case claimed(EntryRecord, [StepRecord])
}

extension Journal {
  /// How long entries are kept, in seconds: 90 days.
  static let keeping: Int64 = 90 * 86_400

  /// Takes hold of the entry to undo or redo; `nil` means the one a person expects.
  ///
  /// Undo expects what was done last, redo what was undone last. A number is taken whatever else
  /// was done since; steps that can't be taken then say so.
  func claim(_ number: Int64?, _ direction: HistoryDirection) throws(Reason) -> HistoryClaim {
    let run = try run()
    // All in one transaction: what is found may not be claimed by another run in between.
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

  /// Which entries stand to be undone, for the state of the steps that can be: also what an undo
  /// has left of one.
  ///
  /// Takes one argument of SQL: the number of the state.
  private static let undoable = """
    busy IS NULL AND NOT permanently
      AND (EXISTS(SELECT 1 FROM step WHERE entry = number AND state = ?)
        OR undo_order IS NULL AND \(ForeignDrops.blocking))
    """

  /// The order of entries, the last done first, be it for the first time or again.
  ///
  /// An entry that was done again stands behind the newest one of that moment, in the order of
  /// doing again.
  private static let lastDone =
    "ORDER BY coalesce(redone_after, number) DESC, coalesce(redone_order, 0) DESC"

  /// The number of what was done before an entry and is neither undone nor left to a program; `nil`
  /// where there is nothing.
  ///
  /// Of the last 1000 only. `nil` also where the journal can't be read.
  func previous(to number: Int64) -> Int64? {
    guard exists else { return nil }
    return try? read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT number, \(ForeignDrops.condition) AS isForeign FROM entry
          WHERE number = ? OR \(Self.undoable) \(Self.lastDone) LIMIT 1000
          """, arguments: [number, StepState.done.rawValue])
      let before = rows.drop { $0["number"] as Int64 != number }.dropFirst()
      return before.first { !($0["isForeign"] as Bool) }?["number"]
    }
  }

  /// `nil` where there is none, or its row can't be read.
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
        // A file that was made of a thing has no other source than itself: nobody can make it
        // again. A folder that was made has none either, and can be.
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

  /// The newest entries, newest first.
  ///
  /// Without entries of which no step was done. Nothing is claimed; others may be at work on them.
  func history(limit: Int) throws(Reason) -> [HistoryEntry] {
    guard exists else { return [] }
    return try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM entry WHERE EXISTS(
            SELECT 1 FROM step WHERE entry = number AND state IN (1, 3, 4, 5))
            OR \(ForeignDrops.condition)
          ORDER BY number DESC LIMIT ?
          """, arguments: [limit]
      ).compactMap(EntryRecord.init(row:)).map { try JournalEntries.described($0, database) }
    }
  }

  /// The folders that something was delivered to, newest first, each once.
  ///
  /// Of the last 200 deliveries. Folders that are gone by now are among them. Empty where the
  /// journal can't be read.
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

  /// The entry as a person is told of it now.
  ///
  /// The entry as given where its row is gone.
  func described(_ entry: EntryRecord) throws(Reason) -> HistoryEntry {
    try read { database in
      let row = try Row.fetchOne(
        database, sql: "SELECT * FROM entry WHERE number = ?", arguments: [entry.number])
      return try JournalEntries.described(row.flatMap(EntryRecord.init(row:)) ?? entry, database)
    }
  }

  /// Forgets what is older than 90 days; what is being worked on stays.
  ///
  /// - Parameter now: seconds since 1970. A clock that was set back keeps entries longer, one that
  ///   was ahead forgets too early.
  func prune(now: Int64 = Int64(time(nil))) throws(Reason) {
    try write { database in
      try database.execute(
        sql: "DELETE FROM entry WHERE busy IS NULL AND time < ?", arguments: [now - Self.keeping])
    }
  }

  /// Whether anything was ever written down, or may have been: a history that can't be looked at, or
  /// that could not be begun, is no empty one.
  ///
  /// Opens and makes nothing.
  var exists: Bool {
    let path = folder.appending("history.sqlite")
    do {
      _ = try FileCalls.status(path)
      return true
    } catch {
      // Looked for in another way before it is told that there is none.
      return error != .noSuchFileOrDirectory
        || path.withPlatformString { access($0, F_OK) == 0 || errno != ENOENT }
        || Self.obstacle(in: folder) != nil || JournalProbe.obstacle(to: folder) != nil
    }
  }
}
