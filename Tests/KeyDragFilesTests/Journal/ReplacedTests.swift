import GRDB
import Glibc
import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("What was replaced, in the trash")
struct ReplacedTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  private var trashed: FilePath { bench.home / "files" / "x" }

  private func replace() async throws {
    try (bench.a / "x").write("new")
    try (bench.b / "x").write("old")
    #expect(await bench.deliver(.copy, [bench.a / "x"], clash: .replace).outcome == .delivered)
    #expect(trashed.text == "old")
  }

  @Test("H08: another thing that bears its name there by now is not taken for it")
  func stranger() async throws {
    try await replace()
    trashed.withPlatformString { _ = unlink($0) }
    try trashed.write("stranger")
    let result = await bench.undo()
    guard case .partly(_, let done, let failures) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(done == 1 && failures == [DeliveryFailure(name: "x", reason: .gone)])
    #expect(bench.b.names.isEmpty && trashed.text == "stranger")
  }

  @Test("H08: what a journal of an earlier version says was replaced comes back as well")
  func earlier() async throws {
    try await replace()
    bench.journal.close()
    let queue = try DatabaseQueue(path: (bench.state / "history.sqlite").string)
    try await queue.write { database in
      try database.execute(
        sql: "ALTER TABLE step DROP COLUMN replaced_stamp; PRAGMA user_version = 5")
    }
    try queue.close()
    #expect(await bench.undo().isDone)
    #expect((bench.b / "x").text == "old" && !trashed.exists)
    #expect(
      try bench.journal.read { try JournalSchema.version(of: $0) } == JournalSchema.version)
  }
}
