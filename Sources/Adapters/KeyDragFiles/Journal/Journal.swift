import GRDB
import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// The record of all deliveries of files, kept over runs so that they can be taken back and put
/// right.
///
/// Opened when it is first needed. What cannot be written down is said once, and deliveries go on.
package final class Journal: Sendable {
  /// How long another run may hold the journal before it counts as locked, in seconds.
  static let patience = 2.0

  private struct Connection: ~Copyable {
    var queue: DatabaseQueue?
    var isNewer = false
    var lock: RunLock?
    var hasReported = false
  }

  let folder: FilePath
  private let problems: @Sendable (Problem) -> Void
  private let state = Mutex(Connection())

  /// - Parameters:
  ///   - folder: holds `history.sqlite`; by default `$XDG_STATE_HOME/keydrag`.
  ///   - problems: called at most once, from any thread, when the journal can't be used.
  package init(
    folder: FilePath? = nil, problems: @escaping @Sendable (Problem) -> Void = { _ in }
  ) {
    self.folder = folder ?? StandardFolders.state.appending("keydrag")
    self.problems = problems
  }

  /// Reads; throws the reason why the journal can't be used.
  func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws(Reason) -> Value {
    let (queue, isNewer) = try open()
    do { return try queue.read(body) } catch { throw reportable(isNewer, error) }
  }

  /// Writes in one short transaction; throws the reason why the journal can't be used.
  @discardableResult
  func write<Value: Sendable>(
    _ body: @Sendable (Database) throws -> Value
  ) throws(Reason) -> Value {
    let (queue, isNewer) = try open()
    if isNewer { throw report(.journalNewer) }
    do {
      return try queue.writeWithoutTransaction { database in
        var value: Value?
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
  func run() throws(Reason) -> String {
    _ = try open()
    do {
      return try state.withLock { state in
        if state.lock == nil {
          try StandardFolders.make(runs)
          state.lock = try RunLock.begin(in: runs)
        }
        return state.lock?.run ?? ""
      }
    } catch { throw report(.journalUnavailable) }
  }

  /// The name of this run if it has written anything yet.
  var knownRun: String? { state.withLock { $0.lock?.run } }

  /// The folder in which runs keep their lock files.
  var runs: FilePath { folder.appending("runs") }

  /// Ends this run: the journal is closed and its lock let go.
  func close() {
    state.withLock { state in
      state.queue = nil
      state.lock = nil
    }
  }

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

  private func report(_ reason: Reason) -> Reason {
    let isFirst = state.withLock { state in
      defer { state.hasReported = true }
      return !state.hasReported
    }
    if isFirst { problems(.journal(reason)) }
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
    } catch { throw report(.journalUnavailable) }
  }

  private static func openDatabase(in folder: FilePath) throws -> (DatabaseQueue, Bool) {
    try StandardFolders.make(folder)
    folder.withPlatformString { _ = chmod($0, 0o700) }
    let path = folder.appending("history.sqlite")
    // Made here, because SQLite would make it for everyone to read.
    _ = try FileCalls.checked {
      path.withPlatformString { Glibc.open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
    }.closed()
    path.withPlatformString { _ = chmod($0, 0o600) }
    var configuration = Configuration()
    configuration.busyMode = LockWait.patience(patience)
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
}

extension CInt {
  fileprivate func closed() { _ = Glibc.close(self) }
}
