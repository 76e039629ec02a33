import GRDB

/// A database that somebody else works on.
final class HeldDatabase {
  private let queue: DatabaseQueue

  /// Holds the one lock for writing until this value is gone.
  init(locking path: String) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.inDatabase { try $0.execute(sql: "PRAGMA user_version = 1") }
    try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
  }

  /// Leaves the newest entry as a run that was killed would.
  static func interrupt(_ path: String) throws {
    let queue = try DatabaseQueue(path: path)
    let run = String(repeating: "a1", count: 16)
    try queue.write { try $0.execute(sql: "UPDATE entry SET busy = ?", arguments: [run]) }
    try queue.close()
  }

  /// Makes a database of a version.
  static func make(_ path: String, version: Int) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.inDatabase { try $0.execute(sql: "PRAGMA user_version = \(version)") }
    try queue.close()
  }
}
