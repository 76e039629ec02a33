import GRDB
import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// The record of all deliveries of files, kept over runs so that they can be taken back and put
/// right.
///
/// Opened when it is first needed. What cannot be written down is said once, and deliveries go on.
///
/// SQLite in `history.sqlite`, in WAL mode, which several runs may use at once: every write is one
/// short transaction, and an entry belongs to the run named in its column `busy`. Safe from any
/// thread; calls block for as long as ``patience`` and the disk say. One object stands for one run
/// of the program.
package final class Journal: Sendable {
  /// How long another run may hold the journal before it counts as locked, in seconds.
  static let patience = 2.0

  /// Everything behind the lock.
  private struct Connection: ~Copyable {
    /// `nil` until it is needed and after an error that only a new connection mends.
    var queue: DatabaseQueue?
    /// Whether the tables are of a version that this program does not know: they are read and never
    /// written.
    var isNewer = false
    /// Held from the first entry that is written until ``close()``.
    var lock: RunLock?
    /// Whether ``problems`` has been called.
    var hasReported = false
  }

  /// Holds the database, its log and the lock files of runs.
  let folder: FilePath
  private let problems: @Sendable (Problem) -> Void
  /// Whether the end of what was done is on the device when it counts as written down.
  let waitsForDisk: Bool
  private let state = Mutex(Connection())

  /// - Parameters:
  ///   - folder: holds `history.sqlite`; by default `$XDG_STATE_HOME/keydrag`.
  ///   - waitsForDisk: with `false`, recovery may find after a power cut that something was begun and
  ///     not that it was finished, and looks at the disk for it.
  ///   - problems: called at most once, from any thread, when the journal can't be used.
  package init(
    folder: FilePath? = nil, waitsForDisk: Bool = true,
    problems: @escaping @Sendable (Problem) -> Void = { _ in }
  ) {
    self.waitsForDisk = waitsForDisk
    self.folder = folder ?? StandardFolders.state.appending("keydrag")
    self.problems = problems
  }

  /// Reads; throws the reason why the journal can't be used.
  ///
  /// Sees one state of the database, whatever other runs write meanwhile.
  func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws(Reason) -> Value {
    let (queue, isNewer) = try open()
    do { return try queue.read(body) } catch { throw reportable(isNewer, error) }
  }

  /// Writes in one short transaction; throws the reason why the journal can't be used.
  ///
  /// BEGIN IMMEDIATE: the lock for writing is taken first, so that no read in it has to be thrown
  /// away. Nothing is written where `body` throws. It may block for ``patience`` seconds, and then
  /// counts as unavailable.
  ///
  /// - Parameter isLasting: whether it is on the device when this returns. What is not, comes there
  ///   with the next write that is, and a program that is killed loses none of it.
  @discardableResult
  func write<Value: Sendable>(
    isLasting: Bool = true, _ body: @Sendable (Database) throws -> Value
  ) throws(Reason) -> Value {
    let (queue, isNewer) = try open()
    if isNewer { throw report(.journalNewer) }
    do {
      return try queue.writeWithoutTransaction { database in
        var value: Value?
        // NORMAL writes to the log and flushes nothing until a checkpoint. Set each time: were it to
        // be set back after the write and that failed, no intent would be flushed any more.
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

  /// The name of this run, whose lock is taken when it is first asked for.
  ///
  /// Opens the journal too.
  func run() throws(Reason) -> String {
    _ = try open()
    do {
      return try state.withLock { state in
        if state.lock == nil {
          _ = try OwnFolder.open(runs)
          state.lock = try RunLock.begin(in: runs)
        }
        return state.lock?.run ?? ""
      }
    } catch { throw report(.journalUnavailable, error) }
  }

  /// The name of this run if it has written anything yet.
  ///
  /// Opens nothing.
  var knownRun: String? { state.withLock { $0.lock?.run } }

  /// The folder in which runs keep their lock files.
  ///
  /// One file for each run that lives, see ``RunLock``.
  var runs: FilePath { folder.appending("runs") }

  /// Ends this run: the journal is closed and its lock let go.
  ///
  /// Harmless when called again. What is asked of the journal afterwards opens it anew.
  func close() {
    state.withLock { state in
      // SQLite would flush its log, and wait for all that was written beside it. Left open, the log
      // stays as it does after a kill, and the next run takes it in.
      if !waitsForDisk, let queue = state.queue { _ = Unmanaged.passRetained(queue) }
      state.queue = nil
      state.lock = nil
    }
  }

  /// Drops a connection that has failed for good, and tells the reason.
  private func reportable(_ isNewer: Bool, _ error: any Error) -> Reason {
    if let code = (error as? DatabaseError)?.resultCode,
      code == .SQLITE_IOERR || code == .SQLITE_PROTOCOL
    {
      // A lock that could not be let go has SQLite wait in vain at each access. It goes with the
      // connection.
      state.withLock { $0.queue = nil }
    }
    return report(isNewer ? .journalNewer : .journalUnavailable)
  }

  /// Tells a person of the first problem alone: the next hundred files have the same one.
  private func report(_ reason: Reason, _ error: (any Error)? = nil) -> Reason {
    let isFirst = state.withLock { state in
      defer { state.hasReported = true }
      return !state.hasReported
    }
    let path = (error as? OwnFolder.NotOwn).map { SpokenName.clean($0.path.string) }
    if isFirst { problems(.journal(reason, notOwn: path)) }
    return reason
  }

  /// Opens once; others wait meanwhile.
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

  /// - Returns: the connection, and whether its tables are newer than this program. Those are not
  ///   changed.
  private static func openDatabase(in folder: FilePath) throws -> (DatabaseQueue, Bool) {
    let own = try OwnFolder.open(folder)
    try checkFiles(in: own)
    let path = folder.appending("history.sqlite")
    // Made here, because SQLite would make it for everyone to read.
    _ = try OwnFolder.file(FileName("history.sqlite"), in: own, flags: O_RDWR | O_CREAT)
    var configuration = Configuration()
    configuration.busyMode = LockWait.patience(patience)
    // Steps go with their entry.
    configuration.foreignKeysEnabled = true
    let queue = try DatabaseQueue(path: path.string, configuration: configuration)
    let isNewer = try queue.writeWithoutTransaction { database in
      if try JournalSchema.version(of: database) > JournalSchema.version { return true }
      // One flush for a commit instead of three, and readers are not kept waiting.
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      try database.execute(sql: "PRAGMA synchronous = FULL")
      try JournalSchema.update(database)
      return false
    }
    return (queue, isNewer)
  }

  /// The folder, or one of the files, that is not the user's own; `nil` also
  /// where there is nothing. Changes nothing.
  static func obstacle(in folder: FilePath) -> FilePath? {
    do {
      try checkFiles(in: OwnFolder.open(folder, makes: false))
      return nil
    } catch { return (error as? OwnFolder.NotOwn)?.path }
  }

  /// SQLite opens its files by their names and follows links.
  ///
  /// - Throws: for one that is not the user's own.
  private static func checkFiles(in folder: OpenFolder) throws {
    for end in ["", "-wal", "-shm", "-journal"] {
      let name = FileName("history.sqlite" + end)
      if FileCalls.isFree(folder.raw, name) { continue }
      _ = try OwnFolder.file(name, in: folder, flags: O_RDONLY)
    }
  }
}
