import GRDB
import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// The persistent record of all file deliveries, for undo and recovery.
///
/// Opened lazily. A failure is reported once, and deliveries continue without it.
///
/// SQLite database `history.sqlite` in WAL mode, shared by concurrent runs: every write is one
/// short transaction, and an entry belongs to the run in its column `busy`. Thread-safe; calls
/// block for up to ``patience`` and on disk I/O. One instance per run of the program.
final class Journal: Sendable {
  /// Lock timeout, in seconds.
  static let patience = 2.0

  private struct Connection: ~Copyable {
    /// `nil` until needed, and after an error that requires a new connection.
    var queue: DatabaseQueue?
    /// Whether the schema is newer than this program's: read-only then.
    var isNewer = false
    /// Held from the first written entry until ``close()``.
    var lock: RunLock?
    var hasReported = false
  }

  /// Contains the database, its log and the runs' lock files.
  let folder: FilePath
  private let problems: @Sendable (Problem) -> Void
  /// Whether states are flushed to the device before they count as written.
  let flushesToDevice: Bool
  private let state = Mutex(Connection())

  /// - Parameters:
  ///   - folder: by default `$XDG_STATE_HOME/keydrag`.
  ///   - flushesToDevice: if `false`, a power cut may lose that steps were finished, which recovery
  ///     then checks on the disk.
  ///   - problems: called at most once, on any thread, if the journal can't be used.
  init(
    folder: FilePath? = nil, flushesToDevice: Bool = true,
    problems: @escaping @Sendable (Problem) -> Void = { _ in }
  ) {
    self.flushesToDevice = flushesToDevice
    self.folder = folder ?? StandardFolders.state.appending("keydrag")
    self.problems = problems
  }

  /// Reads a consistent snapshot; throws why the journal can't be used.
  func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws(Reason) -> Value {
    let (queue, isNewer) = try open()
    do { return try queue.read(body) } catch { throw reportable(isNewer, error) }
  }

  /// Writes in one short transaction; throws why the journal can't be used.
  ///
  /// BEGIN IMMEDIATE acquires the write lock first. Rolls back if `body` throws. Fails after
  /// ``patience`` seconds.
  ///
  /// - Parameter isLasting: whether the transaction is flushed to the device. Otherwise the next
  ///   flushed one covers it, and a killed program loses nothing.
  @discardableResult
  func write<Value: Sendable>(
    isLasting: Bool = true, _ body: @Sendable (Database) throws -> Value
  ) throws(Reason) -> Value {
    let (queue, isNewer) = try open()
    if isNewer { throw report(.journalNewer) }
    do {
      return try queue.writeWithoutTransaction { database in
        var value: Value?
        // NORMAL does not flush until a checkpoint. Set each time: a failed reset after the write
        // would leave intents unflushed.
        try database.execute(sql: "PRAGMA synchronous = \(isLasting ? "FULL" : "NORMAL")")
        try database.inTransaction(.immediate) {
          value = try body(database)
          return .commit
        }
        guard let value else { throw Reason.journalUnavailable }
        return value
      }
    } catch { throw reportable(isNewer, error) }
  }

  /// The name of this run, whose lock is acquired on first use. Opens the journal.
  func run() throws(Reason) -> String {
    _ = try open()
    do {
      return try state.withLock { state in
        if state.lock == nil { state.lock = try RunLock.begin(in: runs) }
        return state.lock?.run ?? ""
      }
    } catch { throw report(.journalUnavailable, error) }
  }

  /// The lock of an ended run; see ``RunLock/take(_:in:)``. Reports what is not the user's own.
  func lock(of run: String) throws -> RunLock? {
    do { return try RunLock.take(run, in: runs) } catch let error as OwnFolder.NotOwn {
      throw report(.journalUnavailable, error)
    }
  }

  /// The name of this run if it has written anything. Opens nothing.
  var knownRun: String? { state.withLock { $0.lock?.run } }

  /// Folder of the lock files, one for each live run, see ``RunLock``.
  var runs: FilePath { folder.appending("runs") }

  /// Ends this run: closes the journal and releases its lock. Idempotent. Later calls reopen the
  /// journal.
  func close() {
    state.withLock { state in
      // Closing would make SQLite flush its log. Left open, the log is recovered by the next run,
      // as after a kill.
      if !flushesToDevice, let queue = state.queue { _ = Unmanaged.passRetained(queue) }
      state.queue = nil
      state.lock = nil
    }
  }

  /// Drops a connection that has failed for good, and reports the reason.
  private func reportable(_ isNewer: Bool, _ error: any Error) -> Reason {
    if let code = (error as? DatabaseError)?.resultCode,
      code == .SQLITE_IOERR || code == .SQLITE_PROTOCOL
    {
      // A lock that could not be released would delay every access; it ends with the connection.
      state.withLock { $0.queue = nil }
    }
    return report(isNewer ? .journalNewer : .journalUnavailable)
  }

  /// Reports only the first problem: the next hundred files have the same one.
  private func report(_ reason: Reason, _ error: (any Error)? = nil) -> Reason {
    let isFirst = state.withLock { state in
      defer { state.hasReported = true }
      return !state.hasReported
    }
    let path = (error as? OwnFolder.NotOwn).map { SpokenName.clean($0.path.string) }
    if isFirst { problems(.journal(reason, notOwn: path)) }
    return reason
  }

  private func open() throws(Reason) -> (DatabaseQueue, isNewer: Bool) {
    do {
      return try state.withLock { state in
        if let queue = state.queue { return (queue, state.isNewer) }
        let (queue, isNewer) = try Self.openDatabase(in: folder)
        state.queue = queue
        state.isNewer = isNewer
        return (queue, isNewer)
      }
    } catch { throw report(.journalUnavailable, error) }
  }

  /// - Returns: the connection, and whether its schema is newer than this program's, which leaves
  ///   it unchanged.
  private static func openDatabase(in folder: FilePath) throws -> (DatabaseQueue, Bool) {
    let own = try OwnFolder.open(folder)
    try checkFiles(in: own)
    let path = folder.appending("history.sqlite")
    // Created here, because SQLite would make it readable for everyone.
    _ = try OwnFolder.file(FileName("history.sqlite"), in: own, flags: O_RDWR | O_CREAT)
    var configuration = Configuration()
    configuration.busyMode = LockWait.patience(patience)
    // Deleting an entry deletes its steps.
    configuration.foreignKeysEnabled = true
    let queue = try DatabaseQueue(path: path.string, configuration: configuration)
    let isNewer = try queue.writeWithoutTransaction { database in
      if try JournalSchema.version(of: database) > JournalSchema.version { return true }
      // WAL: one flush per commit instead of three, and readers are not blocked.
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      try database.execute(sql: "PRAGMA synchronous = FULL")
      try JournalSchema.update(database)
      return false
    }
    return (queue, isNewer)
  }

  /// The folder or file that is not the user's own; `nil` also if nothing exists. Changes nothing.
  static func obstacle(in folder: FilePath) -> FilePath? {
    do {
      try checkFiles(in: OwnFolder.open(folder, makes: false))
      return nil
    } catch { return (error as? OwnFolder.NotOwn)?.path }
  }

  /// SQLite opens its files by name and follows links.
  ///
  /// - Throws: for a file that is not the user's own.
  private static func checkFiles(in folder: OpenFolder) throws {
    for end in ["", "-wal", "-shm", "-journal"] {
      let name = FileName("history.sqlite" + end)
      if FileCalls.isFree(folder.raw, name) { continue }
      _ = try OwnFolder.file(name, in: folder, flags: O_RDONLY)
    }
  }
}
