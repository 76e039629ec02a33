import GRDB
import Glibc
import KeyDragCore
import Synchronization
import SystemPackage
import Testing

@testable import KeyDragFiles

/// A run that ended in the middle is made here by writing what it had intended and doing a part of it.
@Suite("As before is said only where it is proved")
struct ProofTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  private static let token = "0123456789abcdef"

  /// Writes down one intent as a run of its own that then ends.
  private func intend(
    _ operation: DragOperation, _ source: FilePath, to target: FilePath,
    permanently: Bool = false, change: (inout StepRecord) -> Void = { _ in }
  ) throws {
    let journal = Journal(folder: bench.state)
    let entry = EntryRecord(
      operation: operation, permanently: permanently, place: "B", time: Int64(time(nil)),
      token: Self.token, planned: 1)
    var step = StepRecord(
      index: 0, source: source, target: target,
      before: try FileCalls.status(source).recorded, begun: timespec.now.nanoseconds,
      sourceFolder: try FileCalls.status(source.removingLastComponent()).identity,
      targetFolder: try FileCalls.status(target.removingLastComponent()).identity)
    change(&step)
    let writer = JournalWriter(journal, entry)
    writer.intend([step])
    writer.redirect(step)
    try #require(writer.number != nil)
    journal.close()
  }

  /// Puts the times of a folder and of all in it before anything that a test does.
  private func age(_ folder: FilePath) {
    for name in folder.names { (folder / name).setTimes(1_000_000_000) }
    folder.setTimes(1_000_000_000)
  }

  @Test(
    "A move whose disk is away is kept until the disk is back, and then finished",
    .enabled(if: Bench.hasOtherFileSystem && Bench.canMount), arguments: ["", "/in"])
  func away(below: String) async throws {
    let other = try #require(bench.elsewhere)
    let disk = try (bench.root / "disk").makeFolder()
    func attach() throws {
      try FileCalls.checked {
        other.withPlatformString { other in
          disk.withPlatformString { mount(other, $0, nil, UInt(MS_BIND), nil) }
        }
      }
    }
    func detach() { disk.withPlatformString { _ = umount2($0, CInt(MNT_DETACH)) } }
    try attach()
    defer { detach() }
    let target = try FilePath(disk.string + below).makeFolder()
    let tree = try (bench.a / "tree").makeFolder()
    for name in ["x", "y"] { try (tree / name).write(name).setTimes(1_000_000_000) }
    tree.setTimes(1_000_000_000)
    try intend(.move, tree, to: target / "tree")
    try (target / "tree").makeFolder()
    for name in ["x", "y"] {
      try (target / "tree" / name).write(name).setTimes(1_000_000_000)
    }
    (target / "tree").setTimes(1_000_000_000)
    (tree / "x").withPlatformString { _ = unlink($0) }
    detach()
    #expect(await bench.recover().map(\.result) == [.waiting])
    #expect(tree.names == ["y"])
    try attach()
    #expect(await bench.recover().map(\.result) == [.finished])
    #expect(bench.a.names.isEmpty && (target / "tree").names == ["x", "y"])
    #expect(await bench.undo().isDone)
    #expect(tree.names == ["x", "y"])
  }

  @Test("An entry whose disk has been away for 90 days is let go of, and told as not found")
  func awayForLong() async throws {
    let tree = try (bench.a / "tree").makeFolder()
    try intend(.move, tree, to: bench.b / "tree") {
      $0.targetFolder = FileIdentity(device: 1, inode: 1)
    }
    bench.b.withPlatformString { _ = rmdir($0) }
    #expect(await bench.recover().map(\.result) == [.waiting])
    try bench.journal.write { database in
      try database.execute(sql: "UPDATE entry SET time = time - 90 * 86400 - 10")
    }
    #expect(await bench.recover().map(\.result) == [.unproved])
    #expect(await bench.recover().isEmpty)
  }

  @Test("A move into a folder that was removed since is as before")
  func removedFolder() async throws {
    try (bench.a / "x").write("x")
    try intend(.move, bench.a / "x", to: bench.b / "x")
    bench.b.withPlatformString { _ = rmdir($0) }
    #expect(await bench.recover().map(\.result) == [.rolledBack])
  }

  @Test(
    "What gave way and can't come back, since its name is taken, is not as before",
    arguments: [true, false])
  func replacedStays(isInTrash: Bool) async throws {
    try (bench.a / "x").write("new")
    let old = try bench.trash.homeSlot().files.path / "x"
    if isInTrash { try old.write("old") }
    try intend(.copy, bench.a / "x", to: bench.b / "x") { $0.replaced = old }
    if isInTrash { try (bench.b / "x").write("stranger") }
    #expect(await bench.recover().map(\.result) == [isInTrash ? .partly : .unproved])
    #expect((bench.a / "x").text == "new")
    #expect(old.text == (isInTrash ? "old" : nil))
  }

  @Test("A folder that was being deleted for good is as before only while nothing of it is gone")
  func deleting() async throws {
    let tree = try (bench.a / "tree").makeFolder()
    for name in ["x", "y"] { try (tree / name).write(name) }
    for isBegun in [false, true] {
      age(tree)
      try intend(.remove, tree, to: tree, permanently: true)
      if isBegun { (tree / "x").withPlatformString { _ = unlink($0) } }
      #expect(await bench.recover().map(\.result) == [isBegun ? .unproved : .rolledBack])
    }
  }

  @Test("Deleting for good that is stopped inside a folder tells that a part is done")
  func stoppedDeleting() throws {
    let tree = try (bench.a / "tree").makeFolder()
    for number in 0..<100 { try (tree / "f\(number)").write("") }
    let cancellation = Cancellation()
    let ends = Mutex<[DeliveryResult]>([])
    let run = DeliveryRun(
      order: FileOrder(
        operation: .remove, sources: [tree], target: "/", placeName: "", permanently: true),
      trash: bench.trash, journal: Journal(folder: "/proc/none"), cancellation: cancellation,
      events: { event, _ in
        if case .finished(let result) = event { ends.withLock { $0.append(result) } }
      },
      alive: { if tree.names.count <= 50 { cancellation.request() } })
    run.run()
    let result = try #require(ends.withLock { $0.first })
    #expect(result.outcome == .cancelled && result.delivered == 0)
    #expect(tree.names.count == 50 && result.pieces == 1)
  }

  @Test("An undo of a copied folder that went on and could not end is told as done in part")
  func undoInPart() async throws {
    let tree = try (bench.a / "tree").makeFolder()
    for name in ["x", "y", "z"] { try (tree / name).write(name) }
    _ = await bench.deliver(.copy, [tree])
    let entry = try bench.beginUndo()
    let part = bench.b.appending(entry.partName(0))
    try FileCalls.rename(OpenedEntry(bench.b / "tree").place, to: OpenedEntry(part).place)
    for name in ["x", "z"] { (part / name).withPlatformString { _ = unlink($0) } }
    try (part / "y").write("edit").setTimes(Int(timespec.now.tv_sec) + 1)
    #expect(await bench.recover().map(\.result) == [.partly])
    #expect((bench.b / "tree").names == ["y"])
    // The rest of it can be taken back once it is as it was, and nothing else is taken instead.
    #expect(await bench.undo().stays.map(\.reason) == [.changed])
  }
}
