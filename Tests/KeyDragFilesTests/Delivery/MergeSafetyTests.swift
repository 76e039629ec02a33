import Foundation
import Glibc
import KeyDragCore
import Synchronization
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("Folders that become one when something is in the way")
struct MergeSafetyTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  /// Every file below a folder with its contents, and every folder as "/".
  private func tree(_ folder: FilePath) -> [String: String] {
    var all: [String: String] = [:]
    let walk = FileManager.default.enumerator(atPath: folder.string)
    for case let path as String in walk ?? .init() {
      let isFolder = walk?.fileAttributes?[.type] as? FileAttributeType == .typeDirectory
      all[path] = isFolder ? "/" : (folder / path).text
    }
    return all
  }

  /// Carries out an order that is cancelled as soon as a condition holds.
  private func deliver(
    _ operation: DragOperation, _ clash: ClashPolicy,
    stoppedWhen isTime: @escaping @Sendable () -> Bool
  ) -> DeliveryResult {
    let order = FileOrder(
      operation: operation, sources: [bench.a / "Docs"], target: bench.b, clash: clash,
      placeName: "B")
    let cancellation = Cancellation()
    let ended = Mutex(DeliveryResult(outcome: .unconfirmed, route: .files, delivered: 0))
    let run = DeliveryRun(
      order: order, trash: bench.trash, journal: bench.journal, cancellation: cancellation
    ) { event, _ in
      if case .finished(let result) = event { ended.withLock { $0 = result } }
    } alive: {
      if isTime() { cancellation.request() }
    }
    run.run()
    return ended.withLock { $0 }
  }

  @Test(
    "K14: a merge that is stopped tells what it has done and left, and that is taken back",
    arguments: [ClashPolicy.merge, .mergeSkipping])
  func stopped(clash: ClashPolicy) async throws {
    for folder in [bench.a, bench.b] { try (folder / "Docs").makeFolder() }
    for number in 0..<40 {
      try (bench.a / "Docs/f\(number)").write("new \(number)")
      if clash == .merge { try (bench.b / "Docs/f\(number)").write("old \(number)") }
    }
    if clash == .mergeSkipping {
      for folder in [bench.a, bench.b] { try (folder / "Docs/both").write("\(folder)") }
    }
    let before = (tree(bench.a), tree(bench.b))
    let (source, left) = (bench.a / "Docs", before.0.count - 10)
    let result = deliver(.move, clash) { source.names.count < left }
    #expect(result.outcome == .cancelled && result.delivered == 0)
    let pieces = try #require(result.pieces)
    #expect(pieces >= 10 && pieces < 40)
    #expect(result.renamed.count == (clash == .merge ? pieces : 0))
    #expect(
      result.leftOut
        == (clash == .merge ? [] : [DeliveryFailure(source / "both", .nameExists)]))
    let entry = try #require(result.entry)
    #expect(await bench.undo(entry).isDone)
    #expect((tree(bench.a), tree(bench.b)) == before)
  }

  @Test("Planning a merge of many folders is stopped before anything is changed")
  func stoppedPlanning() async throws {
    for number in 0..<100 {
      for folder in [bench.a, bench.b] { try (folder / "Docs/f\(number)").makeFolder() }
    }
    let before = tree(bench.a)
    let calls = Mutex(0)
    let result = deliver(.move, .merge) {
      calls.withLock {
        $0 += 1
        return $0 >= 5
      }
    }
    #expect(result.outcome == .cancelled && result.delivered == 0 && result.pieces == 0)
    #expect(tree(bench.a) == before)
    #expect(await bench.undo() == .nothing)
  }

  @Test(
    "A folder does not become one with a folder around it, nor takes its place",
    arguments: [DragOperation.copy, .move],
    [ClashPolicy.merge, .mergeReplacing, .mergeSkipping, .replace])
  func around(operation: DragOperation, clash: ClashPolicy) async throws {
    let source = bench.b / "Docs/Docs"
    try (source / "Docs").makeFolder()
    for name in ["x", "y", "Docs/x"] { try (source / name).write("inner \(name)") }
    for name in ["x", "z"] { try (bench.b / "Docs" / name).write("outer \(name)") }
    let before = tree(bench.b)
    let held = tree(source)
    let result = await bench.deliver(operation, [source], clash: clash)
    #expect((bench.home / "files").names.isEmpty)
    if clash == .merge {
      #expect(result.outcome == .delivered && result.renamed == ["Docs (2)"])
      #expect(tree(bench.b / "Docs (2)") == held)
      #expect(source.exists == (operation == .copy))
      #expect(await bench.undo().isDone)
    } else {
      #expect(result.outcome == .failed)
      #expect(
        result.failures.map(\.reason) == [clash == .mergeSkipping ? .nameExists : .samePlace])
    }
    #expect(tree(bench.b) == before)
  }

  @Test("Folders that are to become one with the folder around them are not offered to")
  func notOffered() throws {
    try (bench.b / "Docs/Docs/x").makeFolder()
    #expect(MergeProbe.merger(of: [bench.b / "Docs/Docs"], in: bench.b) == nil)
    try (bench.a / "Docs").makeFolder()
    let merger = MergeProbe.merger(of: [bench.b / "Docs/Docs", bench.a / "Docs"], in: bench.b)
    #expect(merger?.names == ["Docs"])
  }

  @Test("A folder that was exchanged since it was looked at takes nothing")
  func exchanged() throws {
    for folder in [bench.a, bench.b] { try (folder / "Docs").makeFolder() }
    try (bench.a / "Docs/x").write("x")
    let there = try (bench.b / "Docs/y").write("y")
    let order = FileOrder(
      operation: .copy, sources: [bench.a / "Docs", there], target: bench.b, clash: .merge,
      placeName: "B")
    let entry = EntryRecord(
      operation: .copy, permanently: false, place: "B", time: 0, token: "t", planned: 2)
    var planner = try DeliveryPlanner(
      order: order, entry: entry, target: OpenFolder(bench.b), trash: bench.trash)
    // Opens the folder, which is another one when the first item comes to its turn.
    _ = try planner.measure(ProgressMeter())
    #expect(rename((bench.b / "Docs").string, (bench.root / "aside").string) == 0)
    try (bench.b / "Docs").makeFolder()
    #expect(throws: Reason.changed) { try planner.step(0) }
  }

  @Test("H08: an undo of a merge that finds nothing leaves nothing behind, and can be tried again")
  func nothingBack() async throws {
    for name in ["inner/deep", "empty"] {
      for folder in [bench.a, bench.b] { try (folder / "Docs" / name).makeFolder() }
    }
    for name in ["x", "inner/deep/y"] { try (bench.a / "Docs" / name).write("a \(name)") }
    let before = (tree(bench.a), tree(bench.b))
    try (bench.root / "older").write("older")
    #expect(await bench.deliver(.move, [bench.root / "older"]).outcome == .delivered)
    #expect(await bench.deliver(.move, [bench.a / "Docs"], clash: .merge).outcome == .delivered)
    let away = bench.root / "away"
    #expect(rename(bench.b.string, away.string) == 0)
    for _ in 0..<2 {
      guard case .refused(let entry?, .gone) = await bench.undo() else {
        Issue.record("The undo was not refused")
        return
      }
      #expect(entry.names == ["Docs"])
      #expect(bench.a.names.isEmpty)
    }
    #expect(rename(away.string, bench.b.string) == 0)
    #expect(await bench.undo().isDone)
    #expect(tree(bench.a) == before.0)
    #expect(await bench.undo().isDone)
    #expect(tree(bench.b) == before.1)
  }

  @Test("H08: folders of which nothing comes back are not made again, and those of others are")
  func partlyBack() async throws {
    for name in ["inner/deep", "empty"] {
      for folder in [bench.a, bench.b] { try (folder / "Docs" / name).makeFolder() }
    }
    for name in ["x", "inner/deep/y"] { try (bench.a / "Docs" / name).write("a \(name)") }
    #expect(await bench.deliver(.move, [bench.a / "Docs"], clash: .merge).outcome == .delivered)
    #expect(unlink((bench.b / "Docs/inner/deep/y").string) == 0)
    guard case .partly(_, _, let failures) = await bench.undo() else {
      Issue.record("The undo was not taken in part")
      return
    }
    #expect(failures == [DeliveryFailure(name: "y", reason: .gone)])
    #expect(tree(bench.a) == ["Docs": "/", "Docs/x": "a x", "Docs/empty": "/"])
    #expect(await bench.redo().isDone)
    #expect(bench.a.names.isEmpty && (bench.b / "Docs/x").text == "a x")
  }

  @Test("H08: an undo of a merge that ended when it had made only folders is taken up again")
  func undoEnded() async throws {
    try (bench.b / "Docs").makeFolder()
    try (bench.a / "Docs").makeFolder()
    try (bench.a / "Docs/x").write("x")
    try (bench.root / "older").write("older")
    #expect(await bench.deliver(.move, [bench.root / "older"]).outcome == .delivered)
    #expect(await bench.deliver(.move, [bench.a / "Docs"], clash: .merge).outcome == .delivered)
    let ended = Journal(folder: bench.state)
    guard case .claimed(let entry, var steps) = try ended.claim(nil, .undo) else {
      Issue.record("There is nothing to undo")
      return
    }
    for index in steps.indices { steps[index].state = .undoing }
    JournalWriter(ended, entry).rewrite(steps)
    ended.close()
    try (bench.a / "Docs").makeFolder()
    #expect(await bench.recover().map(\.result) == [.partly])
    #expect(await bench.undo().isDone)
    #expect((bench.a / "Docs/x").text == "x")
    #expect((bench.b / "older").exists)
    #expect(await bench.undo().isDone)
    #expect((bench.root / "older").exists)
  }

  @Test("Folders that are made again with each other's numbers are not taken for each other")
  func numbers() throws {
    let source = try FileCalls.status(bench.a)
    let entry = EntryRecord(
      operation: .move, permanently: false, place: "B", time: 0, token: "t", planned: 2)
    let (one, two) = (FileIdentity(device: 1, inode: 5), FileIdentity(device: 1, inode: 6))
    let steps = [one, two].enumerated().map { index, folder in
      StepRecord(
        index: Int64(index), state: .done, source: bench.a / "x", target: bench.b / "x",
        before: source.recorded, begun: 0, sourceFolder: folder)
    }
    let writer = JournalWriter(bench.journal, entry)
    writer.intend(steps)
    for _ in 0..<2 {
      writer.remade(steps[0], RecreatedFolder(old: one, new: two), isFirst: true)
      writer.remade(steps[1], RecreatedFolder(old: two, new: one), isFirst: false)
      writer.remade(steps[0], RecreatedFolder(old: two, new: one), isFirst: true)
      writer.remade(steps[1], RecreatedFolder(old: one, new: two), isFirst: false)
    }
    let number = try #require(writer.number)
    let found = try bench.journal.read { database in
      try JournalEntries.steps(of: number, in: [.done], database)
    }
    #expect(found.map(\.sourceFolder) == [one, two])
  }

  @Test("A copy of a folder that has nothing to give is not told as copied")
  func nothingToCopy() async throws {
    for folder in [bench.a, bench.b] { try (folder / "Docs/inner").makeFolder() }
    try (bench.a / "x").write("x")
    #expect(await bench.deliver(.copy, [bench.a / "x"]).outcome == .delivered)
    let result = await bench.deliver(.copy, [bench.a / "Docs"], clash: .merge)
    #expect(result.outcome == .failed && result.delivered == 0 && result.entry == nil)
    #expect(result.failures == [DeliveryFailure(bench.a / "Docs", .samePlace)])
    #expect(await bench.undo().isDone)
    #expect(bench.b.names == ["Docs"])
  }

  @Test(
    "What has arrived is not replaced under another name that leads to it",
    .enabled(if: Bench.canMount))
  func twoNames() async throws {
    for folder in [bench.a, bench.b] {
      for name in ["one", "two"] { try (folder / "Docs" / name).makeFolder() }
    }
    for name in ["one", "two"] { try (bench.a / "Docs" / name / "x").write(name) }
    let (one, two) = (bench.b / "Docs/one", bench.b / "Docs/two")
    try #require(mount(one.string, two.string, nil, UInt(MS_BIND), nil) == 0)
    defer { umount2(two.string, Int32(MNT_DETACH)) }
    let result = await bench.deliver(.copy, [bench.a / "Docs"], clash: .mergeReplacing)
    #expect(result.outcome == .delivered && result.pieces == 2)
    #expect(one.names == ["x", "x (2)"])
    #expect(Set(one.names.map { (one / $0).text }) == ["one", "two"])
    #expect((bench.home / "files").names.isEmpty)
  }
}
