import CLinux
import GRDB
import Glibc
import KeyDragCore
import SystemPackage

/// Results of ``JournalProbe``, for `keydrag doctor`.
package struct JournalFacts: Hashable, Sendable {
  /// Why the journal can't be used: the first problem among folder, file, lock and contents.
  package enum Trouble: Hashable, Sendable {
    /// Access denied by the folder or file at the path.
    case refused(FilePath, Reason)
    /// The path is a link or not the user's own.
    case notOwn(FilePath)
    /// Another program holds the lock and does not release it.
    case locked
    /// Not an SQLite database, or its integrity check fails.
    case damaged
    /// Written by a newer version, with an unknown schema.
    case newer
    case unknown
  }

  /// The outermost folder on the way to a path that root has created in the user's home; `nil` if
  /// there is none.
  package static func leftByRoot(on path: FilePath) -> FilePath? {
    guard geteuid() != 0 else { return nil }
    var (found, current) = (nil as FilePath?, path)
    repeat {
      guard let stamp = try? FileCalls.status(current) else { continue }
      if stamp.owner == geteuid() { return found }
      found = stamp.owner == 0 ? current : nil
    } while current.goUp()
    return nil
  }

  /// Need not exist.
  package var folder: FilePath
  /// `false` before the first delivery.
  package var exists = false
  /// `nil` if it can be used or created.
  package var trouble: Trouble?
  /// Whether group or others have any permission, which they should not.
  package var isOpenToOthers = false
  /// Schema version; 0 without tables or if it could not be opened. See ``JournalSchema``.
  package var schema: Int64 = 0
  /// Size of the database and its log.
  package var bytes: Int64 = 0
  /// Including foreign drops.
  package var entries = 0
  /// Interrupted runs, which the next command recovers.
  package var unfinished = 0
  package var running = 0

  package var file: FilePath { folder.appending("history.sqlite") }
}

/// Checks a journal as a run would use it, but without its side effects: opens the file as it is
/// and rolls back.
package enum JournalProbe {
  /// Lock timeout, in seconds.
  private static let patience = 0.2

  /// Checks the journal in a folder, by default the user's own. Blocks for at most 0.2 s for the
  /// lock, and for the integrity check.
  package static func look(at folder: FilePath? = nil) -> JournalFacts {
    var facts = JournalFacts(folder: folder ?? StandardFolders.state.appending("keydrag"))
    if let path = Journal.obstacle(in: facts.folder), JournalFacts.leftByRoot(on: path) == nil {
      facts.trouble = .notOwn(path)
      return facts
    }
    do {
      let stamp = try FileCalls.status(facts.file)
      facts.exists = true
      facts.isOpenToOthers = stamp.mode & 0o077 != 0
      facts.bytes = stamp.size + logSize(facts.folder)
    } catch .noSuchFileOrDirectory {
      facts.trouble = obstacle(to: facts.folder)
      return facts
    } catch {
      facts.trouble = .refused(facts.folder, Reason(error))
      return facts
    }
    facts.trouble = refusal(facts.folder, R_OK | W_OK | X_OK) ?? refusal(facts.file, R_OK | W_OK)
    if facts.trouble == nil { open(&facts) }
    return facts
  }

  /// In bytes; 0 without a log.
  private static func logSize(_ folder: FilePath) -> Int64 {
    (try? FileCalls.status(folder.appending("history.sqlite-wal")).size) ?? 0
  }

  /// By access(2), which uses the real user id.
  private static func refusal(_ path: FilePath, _ mode: CInt) -> JournalFacts.Trouble? {
    path.withPlatformString { access($0, mode) } == 0
      ? nil : .refused(path, Reason(Errno(rawValue: errno)))
  }

  /// Why the folder could not be created; `nil` if its nearest existing ancestor allows it.
  static func obstacle(to folder: FilePath) -> JournalFacts.Trouble? {
    var nearest = folder
    while (try? FileCalls.status(nearest)) == nil, nearest.goUp() {}
    do {
      let refusal = try OpenFolder(nearest).refusesChanges()
      return refusal.map { .refused(nearest, $0) }
    } catch { return .refused(nearest, Reason(error)) }
  }

  /// Fills in what requires opening the database. Errors become ``JournalFacts/trouble``.
  private static func open(_ facts: inout JournalFacts) {
    do {
      var configuration = Configuration()
      configuration.busyMode = LockWait.patience(patience)
      let queue = try DatabaseQueue(path: facts.file.string, configuration: configuration)
      let found = facts
      facts = try queue.writeWithoutTransaction { try read(found, $0) }
      try queue.close()
    } catch let error as DatabaseError {
      facts.trouble = trouble(error)
    } catch {
      facts.trouble = .unknown
    }
  }

  private static func read(_ found: JournalFacts, _ database: Database) throws -> JournalFacts {
    var facts = found
    facts.schema = try JournalSchema.version(of: database)
    if facts.schema > JournalSchema.version {
      facts.trouble = .newer
      return facts
    }
    // The lock of a delivery, released with nothing written.
    try database.inTransaction(.immediate) {
      guard facts.schema > 0 else { return .rollback }
      let check = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
      if check != "ok" { facts.trouble = .damaged }
      facts.entries = try Int.fetchOne(database, sql: "SELECT count(*) FROM entry") ?? 0
      let runs = try String.fetchAll(
        database, sql: "SELECT DISTINCT busy FROM entry WHERE busy IS NOT NULL")
      facts.running = runs.count { isAlive($0, in: facts.folder.appending("runs")) }
      facts.unfinished = runs.count - facts.running
      return .rollback
    }
    return facts
  }

  /// Whether a run's lock is held. Rejects names with a "/", which would lead out of the folder.
  private static func isAlive(_ run: String, in folder: FilePath) -> Bool {
    guard run.utf8.allSatisfy({ $0 != UInt8(ascii: "/") }) else { return false }
    guard let own = try? OwnFolder.open(folder, makes: false),
      let file = try? OwnFolder.file(FileName("\(run).lock"), in: own, flags: O_RDWR)
    else { return false }
    // 1: held by another process (see CLinux). A lock acquired here is released with the
    // descriptor.
    return clinux_try_lock(file.raw) == 1
  }

  private static func trouble(_ error: DatabaseError) -> JournalFacts.Trouble {
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: .locked
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged
    default: .unknown
    }
  }
}
