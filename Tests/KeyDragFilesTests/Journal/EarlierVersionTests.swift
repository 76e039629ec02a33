import GRDB
import Glibc
import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("A history of an earlier version")
struct EarlierVersionTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  private var file: FilePath { bench.state / "history.sqlite" }

  /// Writes the same history as a program did that knew the first changes to the tables only.
  private func makeEarlier(_ version: Int) throws {
    bench.journal.close()
    let old = bench.state / "old.sqlite"
    let queue = try DatabaseQueue(path: old.string)
    try queue.writeWithoutTransaction { database in
      for change in JournalSchema.changes.prefix(version) { try database.execute(sql: change) }
      try database.execute(sql: "PRAGMA user_version = \(version); PRAGMA foreign_keys = OFF")
      try database.execute(sql: "ATTACH ? AS later", arguments: [file.string])
      for table in ["entry", "step"] {
        let columns = try database.columns(in: table).map(\.name).joined(separator: ", ")
        try database.execute(
          sql: "INSERT INTO \(table)(\(columns)) SELECT \(columns) FROM later.\(table)")
      }
    }
    try queue.close()
    for end in ["", "-wal", "-shm"] {
      FilePath(file.string + end).withPlatformString { _ = unlink($0) }
    }
    try FileCalls.rename(OpenedEntry(old).place, to: OpenedEntry(file).place)
  }

  private var there: [[String]] {
    [bench.a, bench.b].map { $0.names.sorted() }
  }

  private func version() throws -> Int64 {
    try bench.journal.read { try JournalSchema.version(of: $0) }
  }

  @Test(
    "H08: all that a history of an earlier version holds can be done again and taken back",
    arguments: 1..<JournalSchema.changes.count)
  func takenBack(version: Int) async throws {
    try (bench.a / "copied").write("1")
    try (bench.a / "moved").write("2")
    try (bench.a / "new").write("3")
    try (bench.b / "new").write("old")
    let before = there
    #expect(await bench.deliver(.copy, [bench.a / "copied"]).outcome == .delivered)
    #expect(await bench.deliver(.move, [bench.a / "moved"]).outcome == .delivered)
    #expect(
      await bench.deliver(.copy, [bench.a / "new"], clash: .replace).outcome == .delivered)
    let after = there
    #expect(await bench.undo().isDone)
    #expect((bench.b / "new").text == "old")

    try makeEarlier(version)
    let listed = try bench.journal.history(limit: 10)
    #expect(listed.map(\.names) == [["new"], ["moved"], ["copied"]])
    #expect(listed.map(\.isUndone) == [true, false, false])
    #expect(await bench.redo().isDone)
    #expect(there == after && (bench.b / "new").text == "3")
    for _ in 0..<3 { #expect(await bench.undo().isDone) }
    #expect(there == before && (bench.b / "new").text == "old")
    #expect(await bench.undo() == .nothing)
    #expect(try self.version() == JournalSchema.version)
  }
}
