import GRDB
import KeyDragCore

/// Drops that other programs accepted and that can't be undone from here: history lines without
/// steps.
extension Journal: ForeignDropHistory {
  /// Records such a drop.
  ///
  /// - Parameter isNewest: whether it blocks the undo of earlier entries.
  /// - Returns: the entry's number; `nil` if it could not be written.
  func note(_ drop: HistoryEntry, isNewest: Bool) -> Int64? {
    let entry = EntryRecord(
      operation: drop.operation, place: drop.place, planned: Int64(drop.count))
    return try? write { database in
      // No run owns it: there is nothing to recover.
      let number = try JournalEntries.insert(entry, run: "", database)
      try JournalEntries.release(number, database)
      try database.execute(
        sql: """
          INSERT INTO foreign_drop(entry, names, count, confirmed, newest) VALUES(?, ?, ?, ?, ?)
          """,
        arguments: [
          number, ForeignDropRows.line(drop.names), drop.count,
          ForeignDropRows.confirmation(drop.wayBack), isNewest,
        ])
      return number
    }
  }

  /// Updates a drop's outcome. No-op if it is unknown or the journal is not writable.
  func update(_ number: Int64, to drop: HistoryEntry) {
    try? write { database in
      try database.execute(
        sql: "UPDATE foreign_drop SET names = ?, count = ?, confirmed = ? WHERE entry = ?",
        arguments: [
          ForeignDropRows.line(drop.names), drop.count, ForeignDropRows.confirmation(drop.wayBack),
          number,
        ])
    }
  }

  /// Deletes a drop that left nothing, or that has an entry with steps.
  ///
  /// Only entries of this kind, so that a wrong number can't delete others. Its row of
  /// `foreign_drop` goes with it (ON DELETE CASCADE).
  func withdraw(_ number: Int64) {
    try? write { database in
      try database.execute(
        sql: """
          DELETE FROM entry WHERE number = ? AND EXISTS(
            SELECT 1 FROM foreign_drop WHERE entry = number)
          """, arguments: [number])
    }
  }

  /// Marks an entry as undone by its program, so that it no longer blocks undo.
  func setUndone(_ number: Int64) {
    try? write { try JournalEntries.setUndone(true, number, $0) }
  }
}

/// SQL statements for drops without steps. As ``JournalEntries``, for the second table.
enum ForeignDropRows {
  /// SQL condition on a row of `entry`: whether it is such a drop.
  static let condition = "EXISTS(SELECT 1 FROM foreign_drop WHERE entry = number)"

  /// SQL condition on a row of `entry`: whether it is such a drop and blocks the undo of earlier
  /// entries.
  static let blocking = "EXISTS(SELECT 1 FROM foreign_drop WHERE entry = number AND newest)"

  /// Encodes up to 20 speakable names, one per line; newlines in a name become spaces.
  static func line(_ names: [String]) -> String {
    names.prefix(20).map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
      .joined(separator: "\n")
  }

  /// The entry as presented to the user; `nil` if it is no such drop. An unknown confirmation value
  /// counts as `.programs`.
  static func described(
    _ entry: EntryRecord, _ database: Database
  ) throws -> HistoryEntry? {
    let row = try Row.fetchOne(
      database, sql: "SELECT * FROM foreign_drop WHERE entry = ?", arguments: [entry.number])
    guard let row else { return nil }
    let names: String = row["names"]
    var described = HistoryEntry(
      number: entry.number, operation: entry.operation,
      names: names.split(separator: "\n").map(String.init), count: row["count"],
      place: entry.place, time: entry.time, isUndone: entry.isUndone)
    let confirmation: Int = row["confirmed"]
    described.wayBack =
      confirmations.first { $0.stored == confirmation }?.wayBack ?? .programs
    return described
  }

  /// Stored values, which must never change.
  private static let confirmations: [(stored: Int, wayBack: WayBack)] = [
    (0, .unconfirmed), (1, .programs), (2, .taken),
  ]

  /// 1 for values that are not in the table.
  static func confirmation(_ wayBack: WayBack) -> Int {
    confirmations.first { $0.wayBack == wayBack }?.stored ?? 1
  }

  /// Unblocks undo after an older entry was redone, which is the newest action then.
  static func letPass(_ database: Database) throws {
    try database.execute(sql: "UPDATE foreign_drop SET newest = 0 WHERE newest")
  }
}
