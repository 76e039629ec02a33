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
    #expect(done == 1 && failures == [DeliveryFailure(name: "x", reason: .replacedGone)])
    #expect(bench.b.names.isEmpty && trashed.text == "stranger")
  }

  @Test("H08: while the trash can't be looked into nothing is taken back, and later it is")
  func noLook() async throws {
    try await replace()
    let (files, away) = (bench.home / "files", bench.home / "away")
    try FileCalls.rename(OpenedEntry(files).place, to: OpenedEntry(away).place)
    // As root everything can be read; a file where a folder should be can't be looked into by anyone.
    try files.write("no folder")
    #expect(await !bench.undo().isDone)
    #expect((bench.b / "x").text == "new")
    files.withPlatformString { _ = unlink($0) }
    try FileCalls.rename(OpenedEntry(away).place, to: OpenedEntry(files).place)
    #expect(await bench.undo().isDone)
    #expect((bench.b / "x").text == "old" && (bench.home / "info").names.isEmpty)
  }

  @Test("H08: what a journal of an earlier version says was replaced comes back as well")
  func earlier() async throws {
    try await replace()
    bench.journal.close()
    let queue = try DatabaseQueue(path: (bench.state / "history.sqlite").string)
    try await queue.write { database in
      try database.execute(
        sql: """
          ALTER TABLE step DROP COLUMN replaced_stamp; ALTER TABLE entry DROP COLUMN visitor;
          PRAGMA user_version = 5
          """)
    }
    try queue.close()
    #expect(await bench.undo().isDone)
    #expect((bench.b / "x").text == "old" && !trashed.exists)
    #expect(
      try bench.journal.read { try JournalSchema.version(of: $0) } == JournalSchema.version)
  }

  @Test("H08: an undo that ended when the old one was back is finished, and its note goes")
  func backAlready() async throws {
    try await replace()
    _ = try bench.beginUndo()
    (bench.b / "x").withPlatformString { _ = unlink($0) }
    try FileCalls.rename(OpenedEntry(trashed).place, to: OpenedEntry(bench.b / "x").place)
    #expect(await bench.recover().map(\.result) == [.finished])
    #expect((bench.b / "x").text == "old" && (bench.home / "info").names.isEmpty)
    #expect(await bench.undo() == .nothing)
  }

  @Test("A run that ended before the name was free leaves no note in the trash")
  func reserved() async throws {
    try (bench.a / "x").write("new")
    try (bench.b / "x").write("old")
    let journal = Journal(folder: bench.state)
    let entry = EntryRecord(
      operation: .copy, permanently: false, place: "B", time: Int64(time(nil)),
      token: "0123456789abcdef", planned: 1)
    var step = StepRecord(
      index: 0, source: bench.a / "x", target: bench.b / "x",
      before: try FileCalls.status(bench.a / "x").recorded,
      begun: timespec.now.nanoseconds + 1_000_000_000,
      sourceFolder: try FileCalls.status(bench.a).identity,
      targetFolder: try FileCalls.status(bench.b).identity)
    let writer = JournalWriter(journal, entry)
    writer.intend([step])
    step.replaced = trashed
    step.replacedStamp = try FileCalls.status(bench.b / "x").recorded
    writer.redirect(step)
    try bench.trash.homeSlot().reserve(FileName("x"), for: bench.b / "x")
    journal.close()
    #expect(await bench.recover().map(\.result) == [.rolledBack])
    #expect((bench.home / "info").names.isEmpty && (bench.b / "x").text == "old")
  }

  @Test("A note that can't be written leaves none", .enabled(if: Bench.canMount))
  func full() throws {
    try bench.home.makeFolder()
    let isMounted =
      bench.home.withPlatformString { mount("none", $0, "tmpfs", 0, "size=64k") } == 0
    try #require(isMounted)
    defer { bench.home.withPlatformString { _ = umount2($0, CInt(MNT_DETACH)) } }
    let slot = try bench.trash.homeSlot()
    let filler = try FileCalls.open(bench.home, flags: O_RDONLY | O_DIRECTORY)
    let file = try FileCalls.open(
      filler.raw, FileName("filler"), flags: O_CREAT | O_WRONLY, mode: 0o600)
    let block = [UInt8](repeating: 0, count: 4096)
    while write(file.raw, block, block.count) > 0 { continue }
    #expect(throws: Errno.noSpace) { try slot.reserve(FileName("x"), for: bench.a / "x") }
    #expect((bench.home / "info").names.isEmpty)
  }
}
