import Glibc
import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("Moving files")
struct MoveTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  @Test("H07: 4,500 items move in order within one file system, each by one rename")
  func many() async throws {
    let sources = try (0..<4500).map { try (bench.a / "f\($0)").write("\($0)") }
    let inodes = try sources.map { try FileCalls.status($0).identity.inode }
    let result = await bench.deliver(.move, sources)
    #expect(result.outcome == .delivered)
    #expect(try result.landed.map { try FileCalls.status($0).identity.inode } == inodes)
    #expect(bench.a.names.isEmpty)
  }

  @Test(
    "A move to another file system arrives whole and leaves nothing behind",
    .enabled(if: Bench.hasOtherFileSystem))
  func across() async throws {
    let other = try #require(bench.elsewhere)
    let tree = try (bench.a / "tree").makeFolder()
    try (tree / "inner").makeFolder()
    try (tree / "inner" / "x").write("x").setTimes(1_000_000_000, 7)
    let single = try (bench.a / "single").write([UInt8](repeating: 3, count: 2 << 20))
    try FileCalls.makeLink(
      AT_FDCWD, FileName(bytes: (bench.a / "link").rawBytes), to: Array("tree".utf8))
    let result = await bench.deliver(.move, [tree, single, bench.a / "link"], to: other)
    #expect(result.outcome == .delivered)
    #expect(result.verified)
    #expect(bench.a.names.isEmpty)
    #expect(other.names == ["link", "single", "tree"])
    #expect((other / "tree" / "inner" / "x").text == "x")
    #expect(
      try FileCalls.status(other / "tree" / "inner" / "x").modified == 1_000_000_000_000_000_007)
    #expect((other / "single").contents?.count == 2 << 20)
  }

  @Test(
    "H08: a move to another disk comes back when it is undone, and goes again when redone",
    .enabled(if: Bench.hasOtherFileSystem))
  func undoAcross() async throws {
    let other = try #require(bench.elsewhere)
    let tree = try (bench.a / "tree").makeFolder()
    try (tree / "x").write("x")
    try (bench.a / "y").write("y")
    _ = await bench.deliver(.move, [tree, bench.a / "y"], to: other)
    #expect(await bench.undo().isDone)
    #expect(other.names.isEmpty)
    #expect((tree / "x").text == "x")
    #expect((bench.a / "y").text == "y")
    #expect(await bench.redo().isDone)
    #expect(other.names == ["tree", "y"])
    #expect(bench.a.names.isEmpty)
    #expect(await bench.undo().isDone)
    #expect(bench.a.names == ["tree", "y"])
  }

  @Test(
    "A copy on another file system is not taken for the original once it has been changed",
    .enabled(if: Bench.hasOtherFileSystem))
  func changedAcross() async throws {
    let other = try #require(bench.elsewhere)
    try (bench.a / "x").write("old")
    _ = await bench.deliver(.move, [bench.a / "x"], to: other)
    let stamp = try FileCalls.status(other / "x")
    try (other / "x").write("new")
    (other / "x").setTimes(stamp.modificationTime.tv_sec, stamp.modificationTime.tv_nsec)
    #expect(await bench.undo().refusal == .changed)
    #expect((other / "x").text == "new")
  }

  @Test(
    "A file that a program has open for writing is not moved to another disk, alone or in a folder",
    .enabled(if: Bench.hasOtherFileSystem))
  func openForWriting() async throws {
    let other = try #require(bench.elsewhere)
    let tree = try (bench.a / "tree").makeFolder()
    try (tree / "x").write("x")
    for (source, inner) in [(try (bench.a / "y").write("y"), "y"), (tree, "tree/x")] {
      let writer = try FileCalls.open(bench.a / inner, flags: O_WRONLY)
      let result = await bench.deliver(.move, [source], to: other)
      #expect(result.failures.map(\.reason) == [.inUse])
      #expect(write(writer.raw, "late", 4) == 4)
      #expect((bench.a / inner).text == "late")
      #expect(other.names.isEmpty)
    }
    #expect(await bench.deliver(.move, [tree, bench.a / "y"], to: other).outcome == .delivered)
    #expect((other / "tree" / "x").text == "late")
  }

  @Test("A source that changed while it was copied to another file system is not removed")
  func rehearsal() throws {
    let tree = try (bench.a / "tree").makeFolder()
    try (tree / "x").write("x")
    let copier = TreeCopier(meter: ProgressMeter())
    let place = try OpenedEntry(tree).place
    let copied = try copier.copy(
      from: place, to: OpenedEntry(bench.b / "tree").place, lasting: true)
    try TreeRemover.rehearse(place, marks: copied.marks)
    try (tree / "late").write("late")
    #expect(throws: Reason.changed) { try TreeRemover.rehearse(place, marks: copied.marks) }
    #expect(throws: Reason.changed) { try TreeRemover.remove(place, marks: copied.marks) }
    #expect((tree / "late").text == "late")
  }

  @Test(
    "H08: A source has no name by which others open it while it is removed, and what stays gets it back"
  )
  func hidden() throws {
    let tree = try (bench.a / "tree").makeFolder()
    for name in ["x", "y"] { try (tree / name).write(name) }
    let place = try OpenedEntry(tree).place
    let marks = try TreeCopier(meter: ProgressMeter())
      .copy(from: place, to: OpenedEntry(bench.b / "tree").place, lasting: true).marks
    let aside = FileName("aside")
    let log = open((tree / "y").string, O_WRONLY | O_APPEND)
    try #require(log >= 0)
    var seen: [[String]] = []
    func remove() throws {
      try TreeRemover.removeHidden(place, as: aside) {
        try TreeRemover.remove($0, marks: marks, beat: { seen.append(bench.a.names) })
      }
    }
    #expect(throws: Reason.inUse) { try remove() }
    #expect(bench.a.names == ["tree"] && (tree / "y").text == "y")
    close(log)
    // Somebody takes the name meanwhile.
    #expect(throws: Reason.changed) {
      try TreeRemover.removeHidden(place, as: aside) { _ in
        try (bench.a / "tree").write("new")
        throw Reason.changed
      }
    }
    #expect(bench.a.names == ["tree", "tree (2)"] && (bench.a / "tree").text == "new")
    #expect((bench.a / "tree (2)" / "y").text == "y")
    #expect(!seen.isEmpty && seen.allSatisfy { $0 == ["aside"] })
  }

  @Test("H19: a delivery tells its size first and its result last, and can be stopped")
  func cancelled() async throws {
    let sources = try (0..<50).map {
      try (bench.a / "f\($0)").write([UInt8](repeating: 1, count: 1 << 20))
    }
    let order = FileOrder(operation: .copy, sources: sources, target: bench.b, placeName: "B")
    let id = DeliveryID(77)
    let (stream, continuation) = AsyncStream<DeliveryEvent>.makeStream()
    let courier = bench.courier
    courier.deliver(order, id: id) { event, _ in
      if case .started = event { courier.cancel(id) }
      continuation.yield(event)
      if case .finished = event { continuation.finish() }
    }
    var events: [DeliveryEvent] = []
    for await event in stream { events.append(event) }
    #expect(events.first == .started(DeliveryProgress(bytesTotal: 50 << 20)))
    guard case .finished(let result) = events.last else {
      Issue.record("no result")
      return
    }
    #expect(result.outcome == .cancelled)
    #expect(result.delivered < 50)
    #expect(bench.b.names.count == result.delivered)
    #expect(bench.a.names.count == 50)
  }

  @Test("H31: deliveries run side by side, each with its own result")
  func sideBySide() async throws {
    let tasks = try (0..<6).map { number in
      let source = try (bench.a / "f\(number)").write("\(number)")
      return Task { [bench] in await bench.deliver(.move, [source]).outcome }
    }
    for task in tasks { #expect(await task.value == .delivered) }
    #expect(bench.b.names.count == 6)
  }
}
