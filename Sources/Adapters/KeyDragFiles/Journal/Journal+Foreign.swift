import GRDB
import Glibc
import KeyDragCore

/// The drops that programs took and that nobody can take back from outside: a line in the history
/// each, without steps.
///
/// Apart from entries with steps, because these can be told but not undone.
extension Journal {
  /// Writes down such a drop.
  ///
  /// - Parameter isNewest: whether it stands in the way of what was done before it.
  /// - Returns: the entry's number; `nil` when it could not be written down.
  func note(_ drop: ForeignDrop, isNewest: Bool) -> Int64? {
    let entry = EntryRecord(
      operation: drop.operation, permanently: false, place: drop.place, time: Int64(time(nil)),
      token: RandomName.hexadecimal(16), planned: Int64(drop.count))
    return try? write { database in
      // Nobody works on it: there is nothing to recover.
      let number = try JournalEntries.insert(entry, run: "", database)
      try JournalEntries.release(number, database)
      try database.execute(
        sql: """
          INSERT INTO foreign_drop(entry, names, count, confirmed, newest) VALUES(?, ?, ?, ?, ?)
          """,
        arguments: [
          number, ForeignDrops.line(drop.names), drop.count,
          ForeignDrops.confirmation(drop.wayBack), isNewest,
        ])
      return number
    }
  }

  /// Takes the end that a drop has come to after all.
  ///
  /// Does nothing where the journal can't be written to, or knows no such drop.
  func update(_ number: Int64, to drop: ForeignDrop) {
    try? write { database in
      try database.execute(
        sql: "UPDATE foreign_drop SET names = ?, count = ?, confirmed = ? WHERE entry = ?",
        arguments: [
          ForeignDrops.line(drop.names), drop.count, ForeignDrops.confirmation(drop.wayBack),
          number,
        ])
    }
  }

  /// Forgets a drop that has left nothing, or is in the history with what it has left.
  ///
  /// Only entries of this kind: one with steps can't be removed by a wrong number. The row of
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

  /// Takes that the program itself has taken a drop back.
  ///
  /// The entry leaves the way of the next undo.
  func setUndone(_ number: Int64) {
    try? write { try JournalEntries.setUndone(true, number, $0) }
  }
}

/// Statements about drops without steps, inside a transaction.
///
/// As ``JournalEntries``, for the second table.
enum ForeignDrops {
  /// Which entries are such drops.
  ///
  /// A condition of SQL on a row of `entry`.
  static let condition = "EXISTS(SELECT 1 FROM foreign_drop WHERE entry = number)"

  /// Which of them stand in the way of what was done before.
  ///
  /// A condition of SQL on a row of `entry`.
  static let blocking = "EXISTS(SELECT 1 FROM foreign_drop WHERE entry = number AND newest)"

  /// The names as they are stored; they are safe to speak, and a line each.
  ///
  /// At most 20. Line breaks within a name become spaces.
  static func line(_ names: [String]) -> String {
    names.prefix(20).map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
      .joined(separator: "\n")
  }

  /// The entry as a person is told of it; `nil` where it is no such drop.
  ///
  /// A number of certainty that is not known here counts as confirmed by the program.
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

  /// The certainty about such a drop, as it is stored.
  ///
  /// The numbers are stored and may never change.
  private static let confirmations: [(stored: Int, wayBack: WayBack)] = [
    (0, .unconfirmed), (1, .programs), (2, .taken),
  ]

  /// A way back that is not in the table is stored as 1.
  static func confirmation(_ wayBack: WayBack) -> Int {
    confirmations.first { $0.wayBack == wayBack }?.stored ?? 1
  }

  /// Something older has been done again: that is what was done last.
  ///
  /// The next undo is not held up by these drops any more.
  static func letPass(_ database: Database) throws {
    try database.execute(sql: "UPDATE foreign_drop SET newest = 0 WHERE newest")
  }
}
