import GRDB
import GRDBSQLite
import SystemPackage

/// A statement run for thousands of steps. Binds values to SQLite directly, since GRDB would
/// allocate several objects for each.
///
/// Bind all values in the order of the question marks before each run.
struct RepeatedStatement {
  private let statement: Statement
  private let database: Database
  private var count: CInt = 0
  private var failure: CInt?

  init(_ database: Database, sql: String) throws {
    statement = try database.cachedStatement(sql: sql)
    self.database = database
  }

  mutating func bind(_ number: Int64?) {
    count += 1
    check(
      number.map { sqlite3_bind_int64(statement.sqliteStatement, count, $0) }
        ?? sqlite3_bind_null(statement.sqliteStatement, count))
  }

  mutating func bind(_ path: FilePath?) {
    guard let path else { return bind(nil as Int64?) }
    path.withPlatformString { bind(UnsafeRawBufferPointer(start: $0, count: path.length)) }
  }

  mutating func bind(_ stamp: RecordedStamp?) {
    guard let stamp else { return bind(nil as Int64?) }
    stamp.withBytes { bind($0) }
  }

  mutating func bind(_ identity: FileIdentity?) {
    guard let identity else { return bind(nil as Int64?) }
    identity.withBytes { bind($0) }
  }

  mutating func bind(_ fingerprint: Fingerprint?) {
    guard let fingerprint else { return bind(nil as Int64?) }
    fingerprint.bytes.withUnsafeBytes { bind($0) }
  }

  /// Copies the bytes.
  private mutating func bind(_ bytes: UnsafeRawBufferPointer) {
    count += 1
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    check(
      sqlite3_bind_blob(
        statement.sqliteStatement, count, bytes.baseAddress, CInt(bytes.count), copied))
  }

  private mutating func check(_ code: CInt) {
    if code != SQLITE_OK { failure = failure ?? code }
  }

  /// Throws earlier binding errors too.
  mutating func run() throws {
    defer { (count, failure) = (0, nil) }
    let code = failure ?? sqlite3_step(statement.sqliteStatement)
    let message = code == SQLITE_DONE ? nil : database.lastErrorMessage
    sqlite3_reset(statement.sqliteStatement)
    guard code == SQLITE_DONE else {
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }
  }
}
