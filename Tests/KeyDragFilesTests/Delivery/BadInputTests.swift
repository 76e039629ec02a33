import Glibc
import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("Deliveries that cannot be made whole")
struct BadInputTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  @Test("H14: what cannot be copied fails with its reason, the rest is delivered")
  func partly() async throws {
    let good = try (bench.a / "good").write("good")
    let fifo = bench.a / "fifo"
    fifo.withPlatformString { _ = mkfifo($0, 0o600) }
    let result = await bench.deliver(.copy, [fifo, bench.a / "missing", good])
    #expect(result.outcome == .partly)
    #expect(
      result.failures == [
        DeliveryFailure(fifo, .specialFile),
        DeliveryFailure(bench.a / "missing", .gone),
      ])
    #expect(bench.b.names == ["good"])
  }

  @Test("H14: a pipe in a folder is left out by name, and all else of the folder is copied")
  func pipeInFolder() async throws {
    let tree = try Self.treeWithPipe(in: bench.a)
    let result = await bench.deliver(.copy, [tree])
    #expect(result.outcome == .partly)
    #expect(result.delivered == 1)
    #expect(result.failures.isEmpty)
    #expect(
      result.leftOut == [DeliveryFailure(tree / "inner" / "pipe", .specialFile)])
    #expect((bench.b / "tree").names == ["inner", "x"])
    #expect((bench.b / "tree" / "inner").names == ["y"])
    #expect(await bench.undo().isDone)
    #expect(bench.b.names.isEmpty)
    #expect((tree / "inner").names == ["pipe", "y"])
    guard case .partly(let entry, done: 1, let failures) = await bench.redo() else {
      Issue.record("a redo that leaves something out says that all was done")
      return
    }
    #expect(entry.count == 1 && !entry.isUndone)
    #expect(failures == [DeliveryFailure(name: "pipe", reason: .specialFile)])
    #expect((bench.b / "tree" / "inner").names == ["y"])
  }

  @Test(
    "H08, H14: a move to another disk leaves a pipe in its folder, and undo joins them again",
    .enabled(if: Bench.hasOtherFileSystem))
  func pipeStays() async throws {
    let other = try #require(bench.elsewhere)
    let tree = try Self.treeWithPipe(in: bench.a)
    let result = await bench.deliver(.move, [tree], to: other)
    #expect(result.outcome == .partly)
    #expect(result.leftOut.map(\.name) == ["pipe"])
    #expect(tree.names == ["inner"])
    #expect((tree / "inner").names == ["pipe"])
    #expect((other / "tree").names == ["inner", "x"])
    #expect(await bench.undo().isDone)
    #expect(other.names.isEmpty)
    #expect(tree.names == ["inner", "x"])
    #expect((tree / "inner").names == ["pipe", "y"])
  }

  private static func treeWithPipe(in folder: FilePath) throws -> FilePath {
    let tree = try (folder / "tree").makeFolder()
    try (tree / "x").write("x")
    try (tree / "inner").makeFolder()
    try (tree / "inner" / "y").write("y")
    (tree / "inner" / "pipe").withPlatformString { _ = mkfifo($0, 0o600) }
    return tree
  }

  @Test("H14: what may not be read is left out of a folder by name, and named when it is alone")
  func unreadable() async {
    await #expect(processExitsWith: .success) {
      try Scratch.bindPermissions()
      let bench = try Bench()
      let tree = try (bench.a / "tree").makeFolder()
      try (tree / "x").write("x")
      try (tree / "closed").makeFolder()
      let secret = try (tree / "secret").write("s")
      for path in [tree / "closed", secret] { path.withPlatformString { _ = chmod($0, 0) } }
      let result = await bench.deliver(.copy, [tree])
      #expect(result.outcome == .partly)
      #expect(Set(result.leftOut.map(\.name)) == ["closed", secret.spokenName])
      #expect(result.leftOut.allSatisfy { $0.reason == .unreadable })
      #expect((bench.b / "tree").names == ["x"])
      let single = await bench.deliver(.copy, [secret])
      #expect(single.failures == [DeliveryFailure(secret, .unreadable)])
      let fixed = try (bench.a / "fixed").makeFolder()
      let kept = try (fixed / "kept").write("k")
      fixed.withPlatformString { _ = chmod($0, 0o555) }
      let moved = await bench.deliver(.move, [kept])
      #expect(moved.failures == [DeliveryFailure(kept, .notRemovable)])
      fixed.withPlatformString { _ = chmod($0, 0o755) }
    }
  }

  @Test("H14: a target that cannot take anything refuses, and every item keeps its place")
  func refused() async throws {
    let source = try (bench.a / "x").write("x")
    let gone = await bench.deliver(.move, [source], to: bench.root / "missing")
    #expect(gone.outcome == .refused)
    #expect(gone.failures.map(\.reason) == [.gone])
    let file = try (bench.root / "file").write("")
    let folderMiss = await bench.deliver(.move, [source], to: file)
    #expect(folderMiss.outcome == .refused)
    #expect(folderMiss.failures.map(\.reason) == [.notAFolder])
    #expect(source.text == "x")
  }

  @Test(
    "K10: a folder goes neither into itself nor into what is in it",
    arguments: [DragOperation.copy, .move, .link])
  func ownDescendant(operation: DragOperation) async throws {
    let tree = try (bench.a / "tree").makeFolder()
    let inner = try (tree / "inner").makeFolder()
    for target in [tree, inner] {
      let result = await bench.deliver(operation, [tree], to: target)
      #expect(result.outcome == .failed)
      #expect(result.failures.map(\.reason) == [.ownDescendant])
    }
    #expect(tree.names == ["inner"])
    #expect(inner.names.isEmpty)
  }

  @Test("K10: a move to where it is changes nothing and says so")
  func samePlace() async throws {
    let source = try (bench.a / "x").write("x")
    let result = await bench.deliver(.move, [source], to: bench.a)
    #expect(result.failures.map(\.reason) == [.samePlace])
    #expect(bench.a.names == ["x"])
  }

  @Test("A file that grew or shrank since it was looked at fails as changed", arguments: [1, -1])
  func changing(growth: Int) throws {
    let source = try (bench.a / "x").write([UInt8](repeating: 7, count: 3 << 20))
    let stamp = try FileCalls.status(source)
    let file = try FileCalls.open(source, flags: O_RDWR)
    let target = try (bench.b / "x").write("")
    let copy = try FileCalls.open(target, flags: O_RDWR)
    try FileCalls.checked { ftruncate(file.raw, off_t(Int(stamp.size) + growth * 1000)) }
    #expect(throws: Reason.changed) {
      _ = try ContentCopy(meter: ProgressMeter()).copy(
        from: file.raw, stamp, to: copy.raw, digesting: true)
    }
  }

  @Test("A file that vanishes between the drop and its turn fails as gone")
  func vanishing() throws {
    let journal = JournalWriter(
      bench.journal,
      EntryRecord(
        operation: .copy, permanently: false, place: "B", time: 0, token: "t", planned: 1))
    let source = try (bench.a / "x").write("x")
    let order = FileOrder(operation: .copy, sources: [source], target: bench.b, placeName: "B")
    var planner = try DeliveryPlanner(
      order: order, entry: journal.entry, target: OpenFolder(bench.b), trash: bench.trash)
    var step = try #require(try planner.step(0))
    source.withPlatformString { _ = unlink($0) }
    let runner = StepRunner(meter: ProgressMeter(), trash: bench.trash, writer: journal)
    let error = #expect(throws: (any Error).self) { try runner.take(&step) }
    #expect(error.map { Reason($0) } == .gone)
    #expect(bench.b.names.isEmpty)
  }

  @Test(
    "A full disk fails with no-space; the source stays and nothing half written is left",
    .enabled(if: Bench.canMount))
  func fullDisk() async throws {
    let small = bench.root / "small"
    try small.makeFolder()
    let isMounted = small.withPlatformString { mount("none", $0, "tmpfs", 0, "size=1m") } == 0
    try #require(isMounted)
    defer { small.withPlatformString { _ = umount2($0, Int32(MNT_DETACH)) } }
    for operation in [DragOperation.copy, .move] {
      let source = try (bench.a / "big").write([UInt8](repeating: 1, count: 3 << 20))
      let result = await bench.deliver(operation, [source], to: small)
      #expect(result.failures.map(\.reason) == [.noSpace])
      #expect(small.names.isEmpty)
      #expect(source.contents?.count == 3 << 20)
    }
  }

  @Test("A read-only file system refuses with its own reason", .enabled(if: Bench.canMount))
  func readOnly() async throws {
    let small = bench.root / "small"
    try small.makeFolder()
    let isMounted =
      small.withPlatformString { mount("none", $0, "tmpfs", UInt(MS_RDONLY), "size=1m") } == 0
    try #require(isMounted)
    defer { small.withPlatformString { _ = umount2($0, Int32(MNT_DETACH)) } }
    let source = try (bench.a / "x").write("x")
    let result = await bench.deliver(.move, [source], to: small)
    #expect(result.outcome == .refused)
    #expect(result.failures.map(\.reason) == [.readOnly])
    #expect(source.text == "x")
  }

  @Test(
    "Names are bytes: line breaks, escapes, broken UTF-8 and 255 bytes arrive as they are",
    arguments: [
      Array("a\nb".utf8), [0x1B, 0x5B, 0x32, 0x4A], [0xFF, 0xFE, 0x80],
      Array(repeating: UInt8(ascii: "n"), count: 255), Array("\u{202E}fdp".utf8),
    ])
  func names(bytes: [UInt8]) async throws {
    let name = FileName(bytes: bytes)
    let source = try bench.a.appending(name).write("x")
    for expected in [1, 2] {
      let result = await bench.deliver(.copy, [source])
      #expect(result.outcome == .delivered)
      #expect(bench.b.names.count == expected)
    }
    #expect(bench.b.appending(name).text == "x")
    let moved = await bench.deliver(.move, [bench.b.appending(name)], to: bench.root)
    #expect(moved.landed == [bench.root.appending(name)])
    let undone = await bench.undo()
    #expect(undone.isDone)
    #expect(bench.b.appending(name).text == "x")
  }
}

extension HistoryResult {
  var isDone: Bool {
    if case .done = self { true } else { false }
  }

  /// The reason of a refusal.
  var refusal: Reason? {
    if case .refused(_, let reason) = self { reason } else { nil }
  }

  /// What could not be taken back while others could, or what stays inside a folder.
  var stays: [DeliveryFailure] {
    if case .partly(_, _, let failures) = self { failures } else { [] }
  }
}
