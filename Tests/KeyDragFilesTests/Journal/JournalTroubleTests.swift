import GRDB
import Glibc
import KeyDragCore
import Synchronization
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("A journal that cannot be used", .timeLimit(.minutes(5)))
struct JournalTroubleTests {
  let bench: Bench
  let problems = Problems()
  init() throws { bench = try Bench() }

  /// Collects what a person would be told.
  final class Problems: Sendable {
    private let told = Mutex<[Problem]>([])
    var all: [Problem] { told.withLock { $0 } }
    func add(_ problem: Problem) { told.withLock { $0.append(problem) } }
  }

  private func courier() -> JournaledCourier {
    let problems = problems
    return JournaledCourier(
      journal: Journal(folder: bench.state) { problems.add($0) }, trash: bench.trash)
  }

  private func move(_ name: String, _ courier: JournaledCourier) async -> DeliveryOutcome {
    let order = FileOrder(
      operation: .move, sources: [bench.a / name], target: bench.b, placeName: "B")
    return await withCheckedContinuation { done in
      courier.deliver(order, id: DeliveryID(1)) { event, _ in
        if case .finished(let result) = event { done.resume(returning: result.outcome) }
      }
    }
  }

  private func undo(_ courier: JournaledCourier) async -> HistoryResult {
    await courier.undo(entry: nil)
  }

  private func checkTrouble(_ reason: Reason) async throws {
    let courier = courier()
    for name in ["x", "y"] {
      try (bench.a / name).write(name)
      #expect(await move(name, courier) == .delivered)
    }
    #expect(bench.b.names == ["x", "y"])
    #expect(problems.all == [.journal(reason)])
    #expect(await undo(courier) == .refused(nil, reason))
    courier.finish()
  }

  @Test("H19: before a lock that it can't have, SQLite naps for two seconds, and not for ten")
  func naps() {
    #expect(LockWait.isBounded)
    // As it asks for them where a log can't be read.
    let naps = (1...91).map { (CInt($0) * CInt($0) * 39) }
    #expect(naps.reduce(0, +) > 9_000_000)
    #expect(naps.map(LockWait.nap).reduce(0, +) < 2_000_000)
  }

  @Test("A damaged one is told once; deliveries go on and undo says that it cannot")
  func damaged() async throws {
    try bench.state.makeFolder()
    let bytes = [UInt8](repeating: 0x55, count: 8192)
    try (bench.state / "history.sqlite").write(bytes)
    try await checkTrouble(.journalUnavailable)
    #expect((bench.state / "history.sqlite").contents == bytes)
  }

  @Test("One that cannot be looked at is not an empty one")
  func unreadable() async throws {
    // A file stands where the folder should be.
    try bench.state.write("x")
    #expect(await bench.history() == .failure(.journalUnavailable))
    #expect(await bench.undo() == .refused(nil, .journalUnavailable))
  }

  @Test("A newer one is told once and not written to")
  func newer() async throws {
    _ = try bench.journal.write { _ in 0 }
    bench.journal.close()
    let queue = try DatabaseQueue(path: (bench.state / "history.sqlite").string)
    try await queue.write { try $0.execute(sql: "PRAGMA user_version = 99") }
    try queue.close()
    try await checkTrouble(.journalNewer)
  }

  @Test("What is undone after it was said that nothing answers is told as that")
  func late() async throws {
    let courier = JournaledCourier(
      journal: bench.journal, trash: bench.trash, patience: .milliseconds(100))
    try (bench.a / "x").write("x")
    #expect(await move("x", courier) == .delivered)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let queue = try DatabaseQueue(
      path: (bench.state / "history.sqlite").string, configuration: configuration)
    let (late, tell) = AsyncStream.makeStream(of: HistoryResult.self)
    var ends = late.makeAsyncIterator()
    var end: HistoryResult?
    // On a busy machine the journal may be given up before it is free again.
    repeat {
      try queue.inDatabase { try $0.execute(sql: "BEGIN EXCLUSIVE") }
      courier.observe { if case .undoneLate(let result) = $0 { tell.yield(result) } }
      let first = await courier.undo(entry: nil)
      try queue.inDatabase { try $0.execute(sql: "ROLLBACK") }
      end = first == .refused(nil, .notResponding) ? await ends.next() : first
    } while end == .refused(nil, .journalUnavailable)
    guard case .done(let entry)? = end else {
      Issue.record("told as \(String(describing: end))")
      return
    }
    #expect(entry.names == ["x"] && bench.a.names == ["x"])
    courier.finish()
  }

  @Test("A locked one is told once, and is written again when it is free")
  func locked() async throws {
    _ = try bench.journal.write { _ in 0 }
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let queue = try DatabaseQueue(
      path: (bench.state / "history.sqlite").string, configuration: configuration)
    try queue.inDatabase { try $0.execute(sql: "BEGIN EXCLUSIVE") }
    let courier = courier()
    try (bench.a / "x").write("x")
    #expect(await move("x", courier) == .delivered)
    #expect(problems.all == [.journal(.journalUnavailable)])
    try queue.inDatabase { try $0.execute(sql: "ROLLBACK") }
    try (bench.a / "y").write("y")
    #expect(await move("y", courier) == .delivered)
    #expect(await undo(courier).isDone)
    #expect((bench.a / "y").text == "y")
    courier.finish()
  }

  @Test("One on a read-only disk is told once", .enabled(if: Bench.canMount))
  func readOnly() async throws {
    try bench.state.makeFolder()
    let isMounted =
      bench.state.withPlatformString { mount("none", $0, "tmpfs", UInt(MS_RDONLY), "") } == 0
    try #require(isMounted)
    defer { bench.state.withPlatformString { _ = umount2($0, Int32(MNT_DETACH)) } }
    let courier = courier()
    try (bench.a / "x").write("x")
    #expect(await move("x", courier) == .delivered)
    #expect(problems.all == [.journal(.journalUnavailable)])
    courier.finish()
  }

  @Test("K19 A run's lock that is a file of others by another name is left alone, and named")
  func lockOfOthers() async throws {
    try (bench.a / "x").write("x")
    #expect(await bench.deliver(.move, [bench.a / "x"]).outcome == .delivered)
    _ = try bench.beginUndo()
    let run = try #require(Recoverer.runs(in: bench.journal).first)
    let lock = bench.state / "runs" / "\(run).lock"
    try (bench.a / "theirs").write("theirs")
    try FileCalls.checked {
      lock.withPlatformString { new in
        (bench.a / "theirs").withPlatformString { chmod($0, 0o644) + link($0, new) }
      }
    }
    let courier = courier()
    #expect(await bench.recover(courier).isEmpty)
    #expect(problems.all == [.journal(.journalUnavailable, notOwn: lock.string)])
    #expect(try FileCalls.status(bench.a / "theirs").mode == 0o644)
    #expect(JournalProbe.look(at: bench.state).unfinished == 1)
    try FileCalls.checked { lock.withPlatformString { unlink($0) } }
    #expect(await bench.recover(courier).map(\.stands) == [true])
    courier.finish()
  }

  @Test("It is for its owner alone")
  func permissions() async throws {
    try (bench.a / "x").write("x")
    _ = await bench.deliver(.move, [bench.a / "x"])
    #expect(try FileCalls.status(bench.state).mode == 0o700)
    for name in ["history.sqlite", "history.sqlite-wal", "history.sqlite-shm"] {
      #expect(try FileCalls.status(bench.state / name).mode == 0o600)
    }
  }

  @Test("Two runs at once share it, and each undoes what is newest")
  func shared() async throws {
    let others = [courier(), courier()]
    for number in 0..<40 { try (bench.a / "f\(number)").write("") }
    let tasks = (0..<40).map { number in
      Task { await move("f\(number)", others[number % 2]) }
    }
    for task in tasks { #expect(await task.value == .delivered) }
    #expect(try await bench.history().get().count == 40)
    #expect(problems.all.isEmpty)
    async let one = undo(others[0])
    async let two = undo(others[1])
    let results = await [one, two]
    #expect(results.allSatisfy { $0.isDone })
    #expect(bench.a.names.count == 2)
    for other in others { other.close() }
  }

  @Test("Entries older than 90 days are forgotten, younger ones stay")
  func pruned() async throws {
    for name in ["x", "y"] {
      try (bench.a / name).write(name)
      _ = await bench.deliver(.move, [bench.a / name])
    }
    try bench.journal.write { database in
      try database.execute(sql: "UPDATE entry SET time = time - 90 * 86400 - 10 WHERE number = 1")
      return 0
    }
    _ = await bench.recover()
    #expect(try await bench.history().get().map(\.names) == [["y"]])
    #expect(try bench.journal.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM step") } == 1)
  }
}
