import FoundationEssentials
import GRDB
import KeyDragCore
import SystemPackage

/// SQL statements for entries and their steps. Call inside a transaction. Throws GRDB's errors,
/// which ``Journal`` maps to reasons. Does not touch the recorded files.
enum JournalEntries {
  /// - Parameter run: owner of the entry, empty for none.
  /// - Returns: the new entry's number, never reused (AUTOINCREMENT).
  static func insert(_ entry: EntryRecord, run: String, _ database: Database) throws -> Int64 {
    try database.cachedStatement(
      sql: """
        INSERT INTO entry(busy, operation, permanently, place, time, token, planned, visitor)
        VALUES(?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      run, entry.operation.rawValue, entry.permanently, entry.place, entry.time, entry.token,
      entry.planned, entry.visitor,
    ])
    return database.lastInsertedRowID
  }

  /// Inserts intents. Unnamed columns stay NULL until the step is done.
  static func insert(_ steps: [StepRecord], of entry: Int64, _ database: Database) throws {
    var statement = try RepeatedStatement(
      database,
      sql: """
        INSERT INTO step(
          entry, idx, state, source, target, before, crossed, begun, source_folder, target_folder,
          merged, emptied)
        VALUES(?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?)
        """)
    for step in steps {
      statement.bind(entry)
      statement.bind(step.index)
      statement.bind(step.state.rawValue)
      statement.bind(step.source)
      statement.bind(step.target)
      statement.bind(step.before)
      statement.bind(step.begun)
      statement.bind(step.sourceFolder)
      statement.bind(step.targetFolder)
      statement.bind(step.merged)
      statement.bind(step.emptied.map { Int64($0) })
      try statement.run()
    }
  }

  /// Updates everything that may change while a step runs. Source and `before` change only in
  /// ``remade(_:_:of:isFirst:_:)``.
  static func update(_ step: StepRecord, of entry: Int64, _ database: Database) throws {
    var statement = try RepeatedStatement(
      database,
      sql: """
        UPDATE step SET state = ?, target = ?, replaced = ?, after = ?, untouched = ?,
          contents = ?, crossed = ?, begun = ?, target_folder = ?, replaced_stamp = ?
        WHERE entry = ? AND idx = ?
        """)
    statement.bind(step.state.rawValue)
    statement.bind(step.target)
    statement.bind(step.replaced)
    statement.bind(step.after)
    statement.bind(step.untouched)
    statement.bind(step.contents)
    statement.bind(step.crossed ? 1 : 0)
    statement.bind(step.begun)
    statement.bind(step.targetFolder)
    statement.bind(step.replacedStamp)
    statement.bind(entry)
    statement.bind(step.index)
    try statement.run()
  }

  /// Stores the planned number of steps, which recovery compares with the existing ones.
  static func plan(_ count: Int64, of entry: Int64, _ database: Database) throws {
    try database.cachedStatement(sql: "UPDATE entry SET planned = ? WHERE number = ?")
      .execute(arguments: [count, entry])
  }

  /// Redirects older steps from a removed folder to the one recreated in its place, and those that
  /// were undone before it was removed: they can be redone after it.
  ///
  /// Inodes are reused: redirected columns get a marker byte, so that a later folder with the same
  /// inode does not claim them.
  ///
  /// - Parameter isFirst: whether it is the first recreated folder of this run.
  static func remade(
    _ step: StepRecord, _ folder: RecreatedFolder, of entry: Int64, isFirst: Bool = false,
    _ database: Database
  ) throws {
    try database.execute(
      sql: "UPDATE step SET before = ? WHERE entry = ? AND idx = ?",
      arguments: [step.before.data, entry, step.index])
    // The raw value of ``StepState/undone``. What was not undone by then refers to another folder.
    let undone = """
      state = 4 AND entry IN (
        SELECT number FROM entry
        WHERE undo_order < (SELECT undo_order FROM entry WHERE number = \(entry)))
      """
    // Renamed, or carried elsewhere itself.
    try database.execute(
      sql: """
        UPDATE step SET before = CAST(substr(before, 1, 8) || ? || substr(before, 17) AS BLOB)
        WHERE substr(before, 1, 8) = ? AND substr(before, 9, 8) = ?
          AND substr(source_folder, 1, 8) = ? AND \(undone)
        """,
      arguments: [
        folder.new.data.dropFirst(8), RecordedStamp.folderKind, folder.old.data.dropFirst(8),
        folder.old.data.prefix(8),
      ])
    for column in ["source_folder", "target_folder"] {
      if isFirst {
        try database.execute(
          sql: "UPDATE step SET \(column) = substr(\(column), 1, 16) WHERE length(\(column)) > 16")
      }
      try database.execute(
        sql: """
          UPDATE step SET \(column) = ? WHERE \(column) = ? AND (entry <= ? OR \(undone))
          """,
        arguments: [folder.new.data + [1], folder.old.data, entry])
    }
  }

  /// Claims an entry for a run; `false` if a run owns it. A single statement, so that two runs
  /// can't both succeed.
  static func claim(_ entry: Int64, for run: String, _ database: Database) throws -> Bool {
    try database.execute(
      sql: "UPDATE entry SET busy = ? WHERE number = ? AND busy IS NULL", arguments: [run, entry])
    return database.changesCount == 1
  }

  /// Claims a finished entry to append steps; `nil` if that is not possible. Not for an undone
  /// entry: another undo would revert only half of it.
  static func reopen(
    _ entry: Int64, _ count: Int, _ run: String, _ database: Database
  ) throws -> (entry: EntryRecord, next: Int64)? {
    try database.execute(
      sql: """
        UPDATE entry SET busy = ?, planned = planned + ?
        WHERE number = ? AND busy IS NULL AND undo_order IS NULL
        """, arguments: [run, count, entry])
    guard database.changesCount == 1,
      let row = try Row.fetchOne(
        database, sql: "SELECT * FROM entry WHERE number = ?", arguments: [entry]),
      let record = EntryRecord(row: row)
    else { return nil }
    let last = try Int64.fetchOne(
      database, sql: "SELECT max(idx) FROM step WHERE entry = ?", arguments: [entry])
    return (record, (last ?? -1) + 1)
  }

  /// Updates steps. Consecutive ones that change only their state are updated as a range, which is
  /// several times faster; pass them in ascending order.
  static func update(_ steps: [StepRecord], of entry: Int64, _ database: Database) throws {
    var range: (state: StepState, indices: ClosedRange<Int64>)?
    func write() throws {
      guard let done = range else { return }
      range = nil
      try database.cachedStatement(
        // The default OR ABORT makes SQLite journal each changed page to roll back this statement
        // alone; here a failure rolls back the transaction.
        sql: "UPDATE OR FAIL step SET state = ? WHERE entry = ? AND idx BETWEEN ? AND ?"
      ).execute(arguments: [
        done.state.rawValue, entry, done.indices.lowerBound, done.indices.upperBound,
      ])
    }
    for step in steps {
      guard step.after == nil, step.replaced == nil, step.untouched == nil, !step.crossed else {
        try update(step, of: entry, database)
        continue
      }
      if let open = range, open.state == step.state, open.indices.upperBound + 1 == step.index {
        range?.indices = open.indices.lowerBound...step.index
      } else {
        try write()
        range = (step.state, step.index...step.index)
      }
    }
    try write()
  }

  /// In index order. Skips unreadable rows.
  static func steps(
    of entry: Int64, in states: [StepState], _ database: Database
  ) throws -> [StepRecord] {
    let list = states.map { String($0.rawValue) }.joined(separator: ",")
    return try Row.fetchAll(
      database, sql: "SELECT * FROM step WHERE entry = ? AND state IN (\(list)) ORDER BY idx",
      arguments: [entry]
    ).compactMap(StepRecord.init(row:))
  }

  /// Releases an entry; no-op if no run owns it.
  static func release(_ entry: Int64, _ database: Database) throws {
    try database.execute(sql: "UPDATE entry SET busy = NULL WHERE number = ?", arguments: [entry])
  }

  /// A redone entry counts as newer than everything before it, so that the next undo takes it.
  static func setUndone(_ isUndone: Bool, _ entry: Int64, _ database: Database) throws {
    try database.execute(
      sql: isUndone
        ? """
        UPDATE entry SET undo_order = 1 + (SELECT coalesce(max(undo_order), 0) FROM entry)
        WHERE number = ?
        """
        : """
        UPDATE entry SET undo_order = NULL,
          redone_after = (SELECT max(number) FROM entry),
          redone_order = 1 + (SELECT coalesce(max(redone_order), 0) FROM entry)
        WHERE number = ?
        """,
      arguments: [entry])
    if !isUndone { try ForeignDropRows.letPass(database) }
  }

  /// SQL condition for steps that made a folder. `before` starts with the kind, 8 bytes
  /// little-endian; 2 is a folder.
  private static let made =
    "(source = target AND emptied IS NULL AND hex(substr(before, 1, 8)) = '0200000000000000')"

  /// The entry as presented to the user.
  ///
  /// - Parameters:
  ///   - ordered: whether to count ordered instead of delivered steps.
  ///   - steps: the steps to tell of; `nil` for all.
  static func described(
    _ entry: EntryRecord, ordered: Bool = false, only steps: [Int64]? = nil, _ database: Database
  ) throws -> HistoryEntry {
    if let foreign = try ForeignDropRows.described(entry, database) { return foreign }
    // Raw values of ``StepState``: done, undoing, undone, redoing.
    var delivered = ordered ? "entry = ?" : "entry = ? AND state IN (1, 3, 4, 5)"
    if let steps {
      delivered += " AND idx IN (\(steps.map(String.init).joined(separator: ",")))"
    }
    // A folder made for the delivery is its destination.
    if entry.planned > 1 { delivered += " AND NOT \(made)" }
    // Merged folders are presented as folders; an undone move has its original name again.
    let isBack = entry.isUndone && entry.operation == .move
    let column =
      entry.operation == .remove ? "source" : "coalesce(merged, \(isBack ? "source" : "target"))"
    let names = try Data.fetchAll(
      database,
      sql: """
        SELECT \(column) FROM step WHERE \(delivered)
        GROUP BY coalesce(merged, idx) ORDER BY min(idx) LIMIT 20
        """, arguments: [entry.number])
    let count = try Int.fetchOne(
      database,
      sql: "SELECT count(DISTINCT coalesce(merged, idx)) FROM step WHERE \(delivered)",
      arguments: [entry.number])
    var described = HistoryEntry(
      number: entry.number, operation: entry.operation,
      names: names.map { FilePath(rawBytes: $0).spokenName }, count: count ?? 0,
      place: entry.operation == .remove ? "" : entry.place, time: entry.time,
      isUndone: entry.isUndone)
    if entry.isUndone, !ordered {
      described.isPartlyUndone =
        try Bool.fetchOne(
          database, sql: "SELECT EXISTS(SELECT 1 FROM step WHERE entry = ? AND state = 1)",
          arguments: [entry.number]) ?? false
    }
    described.visitor = entry.visitor
    try tellReplaced(&described, delivered, database)
    try tellOrigin(&described, delivered, database)
    if count == 1 { try tellNaming(&described, delivered, database) }
    if entry.planned > 1 {
      described.removedFolder = try Data.fetchOne(
        database,
        sql: """
          SELECT target FROM step WHERE entry = ? AND state = 4 AND merged IS NULL AND \(made)
          """, arguments: [entry.number]
      ).map { FilePath(rawBytes: $0).spokenName }
    }
    return described
  }

  private static func tellReplaced(
    _ entry: inout HistoryEntry, _ delivered: String, _ database: Database
  ) throws {
    let replaced = "\(delivered) AND replaced IS NOT NULL"
    let names = try Data.fetchAll(
      database, sql: "SELECT target FROM step WHERE \(replaced) ORDER BY idx LIMIT 20",
      arguments: [entry.number])
    entry.replaced = names.map { FilePath(rawBytes: $0).spokenName }
    entry.replacedCount =
      try Int.fetchOne(
        database, sql: "SELECT count(*) FROM step WHERE \(replaced)", arguments: [entry.number])
      ?? 0
  }

  /// Adds whether all items are files or folders, and the folder they all came from; neither if
  /// they are mixed.
  private static func tellOrigin(
    _ entry: inout HistoryEntry, _ delivered: String, _ database: Database
  ) throws {
    let isFolder = "merged IS NOT NULL OR hex(substr(before, 1, 8)) = '0200000000000000'"
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT count(DISTINCT \(isFolder)) AS kinds, max(\(isFolder)) AS folders,
          count(DISTINCT source_folder) AS origins, count(source_folder) = count(*) AS known,
          count(merged) AS merged, count(*) AS steps
        FROM step WHERE \(delivered)
        """, arguments: [entry.number])
    guard let row else { return }
    entry.isMerge = row["merged"] as Int > 0 && row["merged"] as Int == row["steps"]
    if row["kinds"] as Int == 1 { entry.things = row["folders"] as Bool ? .folders : .files }
    let isOne = row["origins"] as Int == 1 && row["known"] as Bool && row["merged"] as Int == 0
    guard isOne || row["merged"] as Int > 0 && entry.count == 1,
      let first = try Row.fetchOne(
        database,
        sql: "SELECT * FROM step WHERE \(delivered) AND emptied IS NULL ORDER BY idx LIMIT 1",
        arguments: [entry.number]
      ).flatMap(StepRecord.init(row:))
    else { return }
    // An item is as deep in the merged source folder as in the target.
    var folder = first.source.folder
    let depth = first.merged.map { first.target.components.count - $0.components.count } ?? 0
    for _ in 0..<max(depth, 0) { folder.goUp() }
    entry.origin = folder.spokenName
  }

  /// Marks a single item that was renamed in place or created.
  private static func tellNaming(
    _ entry: inout HistoryEntry, _ delivered: String, _ database: Database
  ) throws {
    let row = try Row.fetchOne(
      database, sql: "SELECT * FROM step WHERE \(delivered) ORDER BY idx LIMIT 1",
      arguments: [entry.number])
    guard let step = row.flatMap(StepRecord.init(row:)), step.merged == nil else { return }
    entry.isFolderCreation = step.makesFolder(by: entry.operation)
    let isInPlace = step.source.folder == step.target.folder
    if entry.operation == .move, isInPlace {
      entry.formerName = step.source.spokenName
      entry.names = [step.target.spokenName]
    }
  }
}
