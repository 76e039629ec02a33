import GRDB
import Glibc
import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

/// A run that ended between two of its steps is made here by writing what it had intended, doing a
/// part of it, and letting its lock go.
@Suite("Recovery after a run that ended in the middle")
struct RecoveryTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  /// Writes down intents as a run of its own that then ends.
  private func intend(
    _ operation: DragOperation, _ names: [String], token: String = "0123456789abcdef",
    replacing: FilePath? = nil, to target: FilePath? = nil
  ) throws {
    let journal = Journal(folder: bench.state)
    let entry = EntryRecord(
      operation: operation, permanently: false, place: "B", time: Int64(time(nil)), token: token,
      planned: Int64(names.count))
    let folder = operation == .remove ? try bench.trash.homeSlot().files.path : target ?? bench.b
    let steps = try names.enumerated().map { index, name in
      let stamp = try FileCalls.status(bench.a / name)
      return StepRecord(
        index: Int64(index), source: bench.a / name, target: folder / name, replaced: replacing,
        before: stamp.recorded, begun: timespec.now.nanoseconds)
    }
    let writer = JournalWriter(journal, entry)
    writer.intend(steps)
    if replacing != nil { for step in steps { writer.redirect(step) } }
    try #require(writer.number != nil)
    journal.close()
  }

  @Test(
    "What had not begun is as before, and a half copy is removed",
    arguments: [DragOperation.copy, .move])
  func rolledBack(operation: DragOperation) async throws {
    try (bench.a / "x").write("x")
    try intend(operation, ["x"])
    try (bench.b / ".keydrag-0123456789abcdef-0.part").write("ha")
    let recovered = await bench.recover()
    #expect(recovered.map(\.result) == [.rolledBack])
    #expect(recovered.map(\.stands) == [false])
    #expect(recovered.first?.entry.names == ["x"])
    #expect(bench.b.names.isEmpty)
    #expect((bench.a / "x").text == "x")
    #expect(await bench.undo() == .nothing)
  }

  @Test(
    "What had been done counts as done and can be undone",
    arguments: [DragOperation.copy, .move, .link])
  func finished(operation: DragOperation) async throws {
    try (bench.a / "x").write("x")
    try intend(operation, ["x"])
    _ = await undocumented(operation, "x")
    #expect(await bench.recover().map(\.result) == [.finished])
    #expect(await bench.undo().isDone)
    #expect(bench.b.names.isEmpty)
    #expect((bench.a / "x").text == "x")
  }

  @Test("An undo that came to nothing is told apart from a move that did")
  func undoRolledBack() async throws {
    try (bench.a / "x").write("x")
    #expect(await bench.deliver(.move, [bench.a / "x"]).outcome == .delivered)
    _ = try bench.beginUndo()
    let recovered = await bench.recover()
    #expect(recovered.map(\.result) == [.rolledBack] && recovered.map(\.stands) == [true])
    #expect(bench.b.names == ["x"])
  }

  /// Does what an intent says without telling the journal.
  private func undocumented(_ operation: DragOperation, _ name: String) async -> Bool {
    let silent = JournaledCourier(journal: Journal(folder: "/proc/none"), trash: bench.trash)
    let order = FileOrder(
      operation: operation, sources: [bench.a / name], target: bench.b, placeName: "B")
    return await withCheckedContinuation { done in
      silent.deliver(order, id: DeliveryID(1)) { event, _ in
        if case .finished(let result) = event {
          done.resume(returning: result.outcome == .delivered)
        }
      }
    }
  }

  @Test("Some done and some not is told as partly")
  func partly() async throws {
    for name in ["x", "y"] { try (bench.a / name).write(name) }
    try intend(.move, ["x", "y"])
    #expect(await undocumented(.move, "x"))
    let recovered = await bench.recover()
    #expect(recovered.map(\.result) == [.partly])
    #expect(recovered.first?.entry.names == ["x"])
    #expect(await bench.undo().isDone)
    #expect(bench.a.names == ["x", "y"])
  }

  @Test("A copy that had landed while its source still stood is finished; a changed source stays")
  func landedNotRemoved() async throws {
    for name in ["x", "y"] { try (bench.a / name).write(name).setTimes(1_000_000_000) }
    try intend(.move, ["x", "y"])
    for name in ["x", "y"] {
      try (bench.b / name).write(name).setTimes(1_000_000_000)
    }
    try (bench.a / "y").write("later")
    #expect(await bench.recover().map(\.result) == [.partly])
    #expect(bench.a.names == ["y"])
    #expect((bench.a / "y").text == "later")
    #expect(bench.b.names == ["x", "y"])
  }

  @Test(
    "H08: A source that was hidden for its removal gets its name back, or is gone if all of it arrived"
  )
  func hiddenSource() async throws {
    let token = "0123456789abcdef"
    for name in ["x", "y", "z"] { try (bench.a / name).write(name).setTimes(1_000_000_000) }
    try intend(.move, ["x", "y", "z"], token: token)
    for (index, name) in ["x", "y", "z"].enumerated() {
      let hidden = try OpenedEntry(bench.a / name)
      try FileCalls.rename(
        hidden.place, to: FolderEntry(hidden.folder, EntryRecord.asideName(token, Int64(index))))
    }
    try (bench.b / "x").write("x").setTimes(1_000_000_000)
    try (bench.a / "z").write("new")
    #expect(await bench.recover().map(\.result) == [.partly])
    #expect(bench.a.names == ["y", "z", "z (2)"] && bench.b.names == ["x"])
    #expect((bench.a / "y").text == "y" && (bench.a / "z").text == "new")
    #expect((bench.a / "z (2)").text == "z")
  }

  @Test("What somebody has open for writing stays at the source, and all else that arrived goes")
  func openForWriting() async throws {
    try (bench.a / "tree").makeFolder()
    for name in ["one", "two", "log"] { try (bench.a / "tree" / name).write(name) }
    try intend(.move, ["tree"])
    #expect(await undocumented(.copy, "tree"))
    let log = open((bench.a / "tree" / "log").string, O_WRONLY | O_APPEND)
    try #require(log >= 0)
    defer { close(log) }
    #expect(await bench.recover().map(\.result) == [.partly])
    #expect((bench.a / "tree").names == ["log"])
    #expect(write(log, "!", 1) == 1)
    #expect((bench.a / "tree" / "log").text == "log!")
    #expect((bench.b / "tree").names.sorted() == ["log", "one", "two"])
    // It has arrived, and the history knows it.
    #expect(try await bench.history().get().map(\.isUndone) == [false])
  }

  @Test(
    "H08: a move to another disk that was cut off has arrived but for what can't go, and is undone",
    .enabled(if: Bench.canMount && Bench.hasOtherFileSystem),
    arguments: ["stick", "inner/pipe", "inner/x"], [false, true])
  func remainder(part: String, isBegun: Bool) async throws {
    let there = try #require(bench.elsewhere)
    let tree = try (bench.a / "tree").makeFolder()
    for name in ["inner", "stick"] { try (tree / name).makeFolder() }
    for name in ["one", "two", "inner/x"] { try tree.pushing(FilePath(name)).write(name) }
    if part == "stick" {
      try #require(mount("none", (tree / "stick").string, "tmpfs", 0, "size=1m") == 0)
      try (tree / "stick" / "in").write("in")
    }
    defer { _ = umount2((tree / "stick").string, CInt(MNT_DETACH)) }
    if part == "inner/pipe" { mkfifo((tree / "inner" / "pipe").string, 0o600) }
    try intend(.move, ["tree"], to: there)
    _ = try TreeCopier(meter: ProgressMeter()).copy(
      from: OpenedEntry(tree).place, to: OpenedEntry(there / "tree").place, lasting: true)
    if isBegun { unlink((tree / "one").string) }
    // Changed after it was copied.
    if part == "inner/x" { try (tree / "inner" / "x").write("later") }
    let recovered = await bench.recover()
    #expect(recovered.map(\.result) == [.partly] && recovered.map(\.stands) == [true])
    #expect((there / "tree" / "one").text == "one" && (there / "tree" / "inner" / "x").text != nil)
    #expect(tree.names == [String(part.prefix { $0 != "/" })])
    let undone = await bench.undo()
    if part == "inner/x" {
      // Two files of one name: neither is touched, and it is told which.
      guard case .partly(_, done: 0, let failures) = undone else {
        Issue.record("\(undone)")
        return
      }
      #expect(failures == [DeliveryFailure(name: "x", reason: .nameExists)])
      #expect(tree.names == ["inner"])
      #expect((tree / "inner" / "x").text == "later")
      #expect((there / "tree" / "inner" / "x").text == "inner/x")
      #expect((there / "tree").names.count == 4)
    } else {
      #expect(undone.isDone, "\(undone)")
      #expect(there.names.isEmpty && tree.names == ["inner", "one", "stick", "two"])
      #expect((tree / "inner" / "x").text == "inner/x")
      #expect(
        part == "stick" ? (tree / "stick" / "in").text == "in" : (tree / "inner").names.count == 2)
    }
  }

  @Test("What was to be replaced comes back when nothing came in its place")
  func replaced() async throws {
    try (bench.a / "x").write("new")
    let old = try bench.trash.homeSlot().files.path / "x"
    try old.write("old")
    try intend(.copy, ["x"], replacing: old)
    #expect(await bench.recover().map(\.result) == [.rolledBack])
    #expect((bench.b / "x").text == "old")
    #expect(!old.exists)
  }

  @Test("While a step replaces something, the journal never says that it is over")
  func replacing() async throws {
    try (bench.a / "first").write("1")
    _ = await bench.deliver(.move, [bench.a / "first"])
    try bench.journal.write { database in
      try database.execute(
        sql: """
          CREATE TABLE stored(state INTEGER);
          CREATE TRIGGER told AFTER UPDATE ON step
            BEGIN INSERT INTO stored VALUES(NEW.state); END
          """)
    }
    for name in ["x", "y"] {
      try (bench.a / name).write("new")
      try (bench.b / name).write("old")
    }
    _ = await bench.deliver(.move, [bench.a / "x", bench.a / "y"], clash: .replace)
    let stored = try bench.journal.read { database in
      try Int64.fetchAll(database, sql: "SELECT state FROM stored")
    }
    // One for each that gave way, then the ends of both.
    #expect(stored == [StepState.intended, .intended, .done, .done].map(\.rawValue))
  }

  @Test("What is neither at its source nor at its target is not told to be as before")
  func unproved() async throws {
    try (bench.a / "x").write("x")
    try intend(.move, ["x"])
    (bench.a / "x").withPlatformString { _ = unlink($0) }
    #expect(await bench.recover().map(\.result) == [.unproved])
  }

  @Test("A note in the trash without its file is removed")
  func trashNote() async throws {
    try (bench.a / "x").write("x")
    try intend(.remove, ["x"])
    let slot = try bench.trash.homeSlot()
    try slot.reserve(FileName("x"), for: bench.a / "x")
    #expect(await bench.recover().map(\.result) == [.rolledBack])
    #expect((bench.home / "info").names.isEmpty)
    #expect((bench.a / "x").text == "x")
  }

  @Test("A run that still lives is left alone")
  func alive() async throws {
    try (bench.a / "x").write("x")
    let journal = Journal(folder: bench.state)
    let entry = EntryRecord(
      operation: .move, permanently: false, place: "B", time: 0, token: "t", planned: 1)
    let writer = JournalWriter(journal, entry)
    let stamp = try FileCalls.status(bench.a / "x").recorded
    writer.intend([
      StepRecord(
        index: 0, source: bench.a / "x", target: bench.b / "x", before: stamp, begun: 0)
    ])
    #expect(await bench.recover().isEmpty)
    journal.close()
    #expect(await bench.recover().map(\.result) == [.rolledBack])
  }

  @Test("An undo that was cut short is finished or taken back too")
  func undoing() async throws {
    try (bench.a / "x").write("x")
    _ = await bench.deliver(.move, [bench.a / "x"])
    bench.journal.close()
    let journal = Journal(folder: bench.state)
    guard case .claimed(let entry, var steps) = try journal.claim(nil, .undo) else {
      Issue.record("nothing to undo")
      return
    }
    steps[0].state = .undoing
    JournalWriter(journal, entry).settle(steps)
    journal.close()
    try FileCalls.rename(OpenedEntry(bench.b / "x").place, to: OpenedEntry(bench.a / "x").place)
    let recovered = await bench.recover()
    #expect(recovered.map(\.result) == [.finished])
    #expect(await bench.redo().isDone)
    #expect((bench.b / "x").text == "x")
  }
}
