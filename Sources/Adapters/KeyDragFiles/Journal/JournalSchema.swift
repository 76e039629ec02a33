import GRDB

/// The journal's schema as numbered migrations; `user_version` is the number applied. A higher
/// number means a newer program: the journal is read-only then.
enum JournalSchema {
  /// Append only; never edit.
  static let changes: [String] = [
    """
    CREATE TABLE entry(
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      busy TEXT,            -- the run that works on it now
      operation TEXT NOT NULL,
      permanently INTEGER NOT NULL,
      place TEXT NOT NULL,
      time INTEGER NOT NULL,
      token TEXT NOT NULL,
      planned INTEGER NOT NULL,
      undo_order INTEGER    -- the higher, the later it was undone
    );
    CREATE INDEX entry_busy ON entry(busy) WHERE busy IS NOT NULL;
    CREATE INDEX entry_undo ON entry(undo_order) WHERE undo_order IS NOT NULL;
    CREATE TABLE step(
      entry INTEGER NOT NULL REFERENCES entry(number) ON DELETE CASCADE,
      idx INTEGER NOT NULL,
      state INTEGER NOT NULL,
      source BLOB NOT NULL,
      target BLOB NOT NULL,
      replaced BLOB,
      before BLOB NOT NULL,
      after BLOB,
      untouched BLOB,
      contents BLOB,
      crossed INTEGER NOT NULL,
      begun INTEGER NOT NULL,
      PRIMARY KEY(entry, idx)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE foreign_drop(
      entry INTEGER PRIMARY KEY REFERENCES entry(number) ON DELETE CASCADE,
      names TEXT NOT NULL,  -- one a line
      count INTEGER NOT NULL,
      confirmed INTEGER NOT NULL,
      newest INTEGER NOT NULL  -- whether it stands in the way of what was done before it
    );
    """,
    """
    ALTER TABLE entry ADD COLUMN redone_after INTEGER;  -- the newest entry when it was done again
    ALTER TABLE entry ADD COLUMN redone_order INTEGER;  -- the higher, the later it was done again
    """,
    """
    ALTER TABLE step ADD COLUMN source_folder BLOB;  -- device and inode of the folder around it
    ALTER TABLE step ADD COLUMN target_folder BLOB;
    """,
    """
    ALTER TABLE step ADD COLUMN merged BLOB;  -- the folder that took the one it was part of
    ALTER TABLE step ADD COLUMN emptied INTEGER;  -- permissions of a folder removed when empty
    """,
    """
    ALTER TABLE step ADD COLUMN replaced_stamp BLOB;  -- what went to the trash, to know it again
    """,
    """
    ALTER TABLE entry ADD COLUMN visitor TEXT;  -- the program that dropped it here
    """,
  ]

  static var version: Int64 { Int64(changes.count) }

  /// 0 for a file without tables.
  static func version(of database: Database) throws -> Int64 {
    try Int64.fetchOne(database, sql: "PRAGMA user_version") ?? 0
  }

  /// Migrates in one transaction; safe against other runs doing the same.
  static func update(_ database: Database) throws {
    if try version(of: database) >= version { return }
    try database.inTransaction(.immediate) {
      // Checked again under the lock: another run may have migrated meanwhile.
      let made = try version(of: database)
      for (index, change) in changes.enumerated() where index >= made {
        try database.execute(sql: change)
      }
      if made < version { try database.execute(sql: "PRAGMA user_version = \(version)") }
      return .commit
    }
  }
}
