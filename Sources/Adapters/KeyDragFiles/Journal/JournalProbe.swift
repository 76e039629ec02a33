import CLinux
import GRDB
import Glibc
import KeyDragCore
import SystemPackage

/// Facts about a journal that can be found out without changing it.
///
/// For `keydrag doctor`: see ``JournalProbe``.
package struct JournalFacts: Hashable, Sendable {
  /// Why it can't be used.
  ///
  /// The first that is found: the folder, the file, the lock, then the contents.
  package enum Trouble: Hashable, Sendable {
    /// The folder or the file lets nobody like us in; the path is the one that refuses.
    case refused(FilePath, Reason)
    /// Something stands there that is not the person's own, or is a link.
    case notOwn(FilePath)
    /// Another program holds it and does not let go.
    case locked
    /// SQLite says that the file is none of its own, or the check of its pages finds fault.
    case damaged
    /// Written by a version whose tables are not known here.
    case newer
    /// SQLite answers with anything else.
    case unknown
  }

  /// The outermost folder that root has made in the person's home on the way to a path; `nil` where
  /// root has left nothing there.
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

  /// Given, or the person's own, whether it exists or not.
  package var folder: FilePath
  /// `false` before the first delivery.
  package var exists = false
  /// `nil` where it can be used, or could be made.
  package var trouble: Trouble?
  /// Whether others may read it, which they should not.
  ///
  /// Any permission of group or others counts.
  package var isOpenToOthers = false
  /// Number of the tables' version. 0 where there are none, or where it could not be opened. See
  /// ``JournalSchema``.
  package var schema: Int64 = 0
  /// Size of the database and its log on disk.
  package var bytes: Int64 = 0
  /// Foreign drops among them.
  package var entries = 0
  /// Runs that ended in the middle and are put right by the next command.
  package var unfinished = 0
  /// Other runs at work now.
  package var running = 0

  /// The database itself.
  package var file: FilePath { folder.appending("history.sqlite") }
}

/// Looks at a journal as a run would use it.
///
/// ``Journal`` itself would make the folder, bring the tables up to date and take a lock. This
/// opens the file as it is and rolls back.
package enum JournalProbe {
  /// How long a lock held by somebody else is waited for, in seconds.
  private static let patience = 0.2

  /// Looks at the journal in a folder, by default the person's own; may block.
  ///
  /// At most 0.2 s for the lock, and as long as the check of all pages takes.
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

  /// In bytes; 0 where there is no log.
  private static func logSize(_ folder: FilePath) -> Int64 {
    (try? FileCalls.status(folder.appending("history.sqlite-wal")).size) ?? 0
  }

  /// By access(2), which asks for the real user.
  private static func refusal(_ path: FilePath, _ mode: CInt) -> JournalFacts.Trouble? {
    path.withPlatformString { access($0, mode) } == 0
      ? nil : .refused(path, Reason(Errno(rawValue: errno)))
  }

  /// Why the folder could not be made.
  ///
  /// `nil` where the nearest folder that is there lets us make what is missing.
  static func obstacle(to folder: FilePath) -> JournalFacts.Trouble? {
    var nearest = folder
    while (try? FileCalls.status(nearest)) == nil, nearest.goUp() {}
    do {
      let refusal = try OpenFolder(nearest).refusesChanges()
      return refusal.map { .refused(nearest, $0) }
    } catch { return .refused(nearest, Reason(error)) }
  }

  /// Fills in what only the database knows. Never throws: an error is the trouble that is told.
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

  /// Rolls back always.
  private static func read(_ found: JournalFacts, _ database: Database) throws -> JournalFacts {
    var facts = found
    facts.schema = try JournalSchema.version(of: database)
    if facts.schema > JournalSchema.version {
      facts.trouble = .newer
      return facts
    }
    // The lock that a delivery takes, let go again with nothing written.
    try database.inTransaction(.immediate) {
      guard facts.schema > 0 else { return .rollback }
      // At most one finding: whether there is any is enough.
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

  /// Whether somebody holds the lock of a run.
  ///
  /// A name with a "/" is none of ours, and would lead out of the folder.
  private static func isAlive(_ run: String, in folder: FilePath) -> Bool {
    guard run.utf8.allSatisfy({ $0 != UInt8(ascii: "/") }) else { return false }
    let flags = O_RDWR | O_NOFOLLOW
    guard let file = try? FileCalls.open(folder.appending("\(run).lock"), flags: flags) else {
      return false
    }
    // 1: somebody else holds it (see CLinux). A lock that we got goes with the descriptor.
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
