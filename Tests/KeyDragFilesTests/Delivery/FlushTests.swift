import Glibc
import KeyDragCore
import Synchronization
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("Names on the device before their sources go")
struct FlushTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  @Test(
    "H19: after a flush that failed no source of that folder goes, be it the first or the next",
    .enabled(if: Bench.hasOtherFileSystem))
  func failing() throws {
    let sources = try ["x", "y"].map { try (bench.a / $0).write($0) }
    let target = try OpenFolder(try #require(bench.elsewhere))
    let order = FileOrder(
      operation: .move, sources: sources, target: target.path, placeName: "B")
    let entry = EntryRecord(
      operation: .move, permanently: false, place: "B", time: 0, token: "0123456789abcdef",
      planned: 2)
    let runner = StepRunner(
      meter: ProgressMeter(), trash: bench.trash,
      writer: JournalWriter(Journal(folder: "/proc/none"), entry))
    var planner = try DeliveryPlanner(
      order: order, entry: entry, target: target, trash: bench.trash)
    while case .step(var step)? = try planner.next(ProgressMeter()) { try runner.take(&step) }
    // From here on the folder can't be flushed: fsync(2) takes no pipe.
    var ends: [CInt] = [0, 0]
    try FileCalls.checked { pipe(&ends) }
    try FileCalls.checked { dup2(ends[0], target.raw) }
    defer { for end in ends { _ = close(end) } }
    #expect(runner.removeSources().keys.sorted() == [0, 1])
    #expect(bench.a.names == ["x", "y"])
  }

  @Test(
    "H19: what neither stays where it landed nor can be removed there is left to recovery",
    .enabled(if: Bench.hasOtherFileSystem && Bench.canMount))
  func hidden() throws {
    let tree = try (bench.a / "tree").makeFolder()
    try (tree / "x").write("x")
    let target = try OpenFolder(try #require(bench.elsewhere))
    let order = FileOrder(operation: .move, sources: [tree], target: target.path, placeName: "B")
    let entry = EntryRecord(
      operation: .move, permanently: false, place: "B", time: 0, token: "0123456789abcdef",
      planned: 1)
    let runner = StepRunner(
      meter: ProgressMeter(), trash: bench.trash,
      writer: JournalWriter(Journal(folder: "/proc/none"), entry))
    var planner = try DeliveryPlanner(
      order: order, entry: entry, target: target, trash: bench.trash)
    guard case .step(var step)? = try planner.next(ProgressMeter()) else { throw Reason.gone }
    try runner.take(&step)
    // What something is mounted on can't be removed, and what is around it can be renamed.
    let held = [tree / "x", target.path / "tree" / "x"]
    for path in held {
      try FileCalls.checked { path.withPlatformString { mount($0, $0, nil, UInt(MS_BIND), nil) } }
    }
    let stays = runner.removeSources()
    let part = target.path.appending(step.part)
    for path in [held[0], part / "x"] {
      path.withPlatformString { _ = umount2($0, CInt(MNT_DETACH)) }
    }
    #expect(stays[0]?.isLeft == true && stays[0]?.reason == .otherDisk)
    #expect(target.path.names == [".keydrag-0123456789abcdef-0.part"])
    #expect((tree / "x").text == "x")
  }

  @Test(
    "H19: into a folder that may be written and not read, all things go and all are flushed",
    .enabled(if: Bench.hasOtherFileSystem && FileUser.isPossible))
  func writeOnly() throws {
    let sources = try ["x", "y"].map { try (bench.a / $0).write($0) }
    let other = try #require(bench.elsewhere)
    for folder in [bench.root, bench.a, other] {
      folder.withPlatformString { _ = chown($0, FileUser.number, FileUser.number) }
    }
    other.withPlatformString { _ = chmod($0, 0o300) }
    let ends = Mutex<[DeliveryResult]>([])
    let run = DeliveryRun(
      order: FileOrder(operation: .move, sources: sources, target: other, placeName: "B"),
      trash: bench.trash, journal: Journal(folder: "/proc/none"), cancellation: Cancellation()
    ) { event, _ in
      if case .finished(let result) = event { ends.withLock { $0.append(result) } }
    }
    FileUser.doing { run.run() }
    other.withPlatformString { _ = chmod($0, 0o700) }
    #expect(ends.withLock { $0.map(\.outcome) } == [.delivered])
    #expect(bench.a.names.isEmpty && other.names == ["x", "y"])
  }

  @Test("H19: where nobody waits for the disk, the next run finds in the log what was done")
  func log() async throws {
    let source = try (bench.a / "x").write("x")
    let courier = JournaledCourier(
      journal: Journal(folder: bench.state, flushesToDevice: false), trash: bench.trash)
    await confirmation { isDelivered in
      await withCheckedContinuation { done in
        let order = FileOrder(operation: .copy, sources: [source], target: bench.b, placeName: "B")
        courier.deliver(order, id: DeliveryID(1)) { event, _ in
          guard case .finished(let result) = event else { return }
          if result.outcome == .delivered { isDelivered() }
          done.resume()
        }
      }
    }
    courier.finish()
    // To write it into the database would take a flush of all that was copied.
    #expect(bench.state.names.contains("history.sqlite-wal"))
    #expect(await bench.undo().isDone)
    #expect(bench.b.names.isEmpty)
  }
}

/// Somebody whom permissions bind, for one thread and what it does with files.
enum FileUser {
  static let number: uid_t = 65534
  private typealias Call = @convention(c) (uid_t) -> CInt
  private static let call = dlsym(nil, "setfsuid").map { unsafeBitCast($0, to: Call.self) }

  static var isPossible: Bool { geteuid() == 0 && call != nil }

  /// Does something as that user; nothing in it may wait.
  static func doing(_ body: () -> Void) {
    _ = call?(number)
    defer { _ = call?(0) }
    body()
  }
}
