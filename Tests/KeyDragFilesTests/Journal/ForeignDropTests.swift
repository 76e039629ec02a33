import GRDB
import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("H08: A drop that nobody can take back from outside stands in the history")
struct ForeignDropTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  private let drop = HistoryEntry(
    operation: .copy, names: ["notes.txt"], count: 1, place: "Body", wayBack: .programs)

  private func listed() throws -> [HistoryEntry] { try bench.journal.history(limit: 10) }

  /// Undoes in a run of its own, as the command does.
  private func undo(_ entry: Int64? = nil) async -> HistoryResult {
    let later = JournaledCourier(journal: Journal(folder: bench.state), trash: bench.trash)
    defer { later.finish() }
    return await later.undo(entry: entry)
  }

  @Test("another run lists it, refuses to undo it, and takes nothing older back in its place")
  func refused() async throws {
    try (bench.a / "x").write("x")
    let older = try #require(await bench.deliver(.copy, [bench.a / "x"]).entry)
    let number = try #require(bench.journal.note(drop, isNewest: true))
    let entry = try #require(try listed().first)
    #expect(entry.number == number && entry.names == ["notes.txt"] && entry.count == 1)
    #expect(entry.place == "Body" && entry.operation == .copy && entry.wayBack == .programs)
    #expect(try listed().map(\.number) == [number, older])
    for _ in 0..<2 {
      #expect(await undo() == .refused(entry, .leftToProgram))
    }
    #expect(await undo(number) == .refused(entry, .leftToProgram))
    #expect((bench.b / "x").text == "x")
    #expect(await undo(older).isDone)
    #expect(bench.b.names.isEmpty)
    // What was done again is the newest.
    #expect(await bench.redo().isDone)
    #expect(await undo().isDone)
    #expect(bench.b.names.isEmpty)
  }

  @Test("a newer delivery is undone before it, and then it is refused again")
  func newer() async throws {
    try (bench.a / "x").write("x")
    _ = bench.journal.note(drop, isNewest: true)
    _ = await bench.deliver(.copy, [bench.a / "x"])
    #expect(await undo().isDone)
    #expect(bench.b.names.isEmpty)
    #expect(await undo().refusal == .leftToProgram)
  }

  @Test("one that ended after a newer one is listed, and stands in nothing's way")
  func overtaken() async throws {
    try (bench.a / "x").write("x")
    _ = await bench.deliver(.copy, [bench.a / "x"])
    _ = bench.journal.note(drop, isNewest: false)
    #expect(try listed().count == 2)
    #expect(await undo().isDone)
  }

  @Test("its end may be known later, it may have left nothing, and its program may take it back")
  func ends() async throws {
    var open = drop
    open.wayBack = .unconfirmed
    let number = try #require(bench.journal.note(open, isNewest: true))
    #expect(try listed().map(\.wayBack) == [.unconfirmed])
    for wayBack in [WayBack.taken, .programs] {
      open.wayBack = wayBack
      bench.journal.update(number, to: open)
      #expect(try listed().map(\.wayBack) == [wayBack])
    }
    bench.journal.setUndone(number)
    #expect(try listed().map(\.isUndone) == [true])
    #expect(await undo() == .nothing)
    #expect(await undo(number) == .nothing)
    #expect(await bench.redo() == .nothing)
    bench.journal.withdraw(number)
    #expect(try listed().isEmpty)
  }

  @Test("what is delivered is never withdrawn as if it were one")
  func withdrawn() async throws {
    try (bench.a / "x").write("x")
    let number = try #require(await bench.deliver(.copy, [bench.a / "x"]).entry)
    bench.journal.withdraw(number)
    #expect(try listed().map(\.number) == [number])
  }

  @Test("names of many lines are one name each, and of many the first are kept")
  func names() throws {
    var many = drop
    many.names = ["a\nb"] + (1...40).map(String.init)
    many.count = 41
    _ = bench.journal.note(many, isNewest: true)
    let entry = try #require(try listed().first)
    #expect(entry.names.prefix(2) == ["a b", "1"] && entry.names.count == 20)
    #expect(entry.count == 41)
  }

  @Test("a history of an earlier version is kept and takes them")
  func earlier() async throws {
    try StandardFolders.make(bench.state)
    let queue = try DatabaseQueue(path: (bench.state / "history.sqlite").string)
    try await queue.writeWithoutTransaction { database in
      try database.execute(sql: JournalSchema.changes[0])
      try database.execute(sql: "PRAGMA user_version = 1")
      try database.execute(
        sql: """
          INSERT INTO entry(operation, permanently, place, time, token, planned)
          VALUES('copy', 0, 'Docs', 1, 't', 1);
          INSERT INTO step(entry, idx, state, source, target, before, crossed, begun)
          VALUES(1, 0, 1, '/a/x', '/b/x', zeroblob(40), 0, 1);
          """)
    }
    try queue.close()
    #expect(try listed().map(\.place) == ["Docs"])
    _ = try #require(bench.journal.note(drop, isNewest: true))
    #expect(try listed().map(\.place) == ["Body", "Docs"])
  }
}
