import Foundation
import Glibc
import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("Folders of one name that become one")
struct MergeTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  /// Two trees that share folders and some names of files.
  private func fill(in from: FilePath, _ to: FilePath) throws {
    try (from / "Docs" / "inner" / "deep").makeFolder()
    try (from / "Docs" / "only here").makeFolder()
    try (to / "Docs" / "inner" / "deep").makeFolder()
    for name in ["both", "new", "inner/both", "inner/deep/new", "only here/x"] {
      try (from / "Docs/\(name)").write("from \(name)")
    }
    for name in ["both", "old", "inner/both", "inner/old"] {
      try (to / "Docs/\(name)").write("to \(name)")
    }
  }

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

  @Test(
    "H08: both keep what they have, names that both have are both kept, and one undo takes it back",
    arguments: [DragOperation.copy, .move])
  func keepBoth(operation: DragOperation) async throws {
    try fill(in: bench.a, bench.b)
    let before = (tree(bench.a), tree(bench.b))
    let result = await bench.deliver(operation, [bench.a / "Docs"], clash: .merge)
    #expect(result.outcome == .delivered)
    #expect(result.delivered == 1)
    #expect(result.landed == [bench.b / "Docs"])
    #expect(result.renamed.sorted() == ["both (2)", "both (2)"])
    let merged = tree(bench.b / "Docs")
    #expect(merged["both"] == "to both" && merged["both (2)"] == "from both")
    #expect(merged["inner/both (2)"] == "from inner/both" && merged["inner/old"] == "to inner/old")
    #expect(merged["inner/deep/new"] == "from inner/deep/new")
    #expect(merged["only here/x"] == "from only here/x" && merged["old"] == "to old")
    #expect((bench.a / "Docs").exists == (operation == .copy))
    let after = (tree(bench.a), tree(bench.b))
    #expect(try await bench.history().get().first?.names == ["Docs"])
    #expect(try await bench.history().get().first?.count == 1)
    #expect(try await bench.history().get().first?.isMerge == true)
    #expect(await bench.undo().isDone)
    #expect((tree(bench.a), tree(bench.b)) == before)
    #expect(await bench.redo().isDone)
    #expect((tree(bench.a), tree(bench.b)) == after)
    #expect(await bench.undo().isDone)
    #expect((tree(bench.a), tree(bench.b)) == before)
  }

  @Test(
    "H08: what is replaced inside goes to the trash and comes back",
    arguments: [DragOperation.copy, .move])
  func replace(operation: DragOperation) async throws {
    try fill(in: bench.a, bench.b)
    let before = (tree(bench.a), tree(bench.b))
    let result = await bench.deliver(operation, [bench.a / "Docs"], clash: .mergeReplacing)
    #expect(result.outcome == .delivered)
    #expect((bench.b / "Docs/both").text == "from both")
    #expect((bench.b / "Docs/inner/both").text == "from inner/both")
    #expect((bench.b / "Docs/old").text == "to old")
    #expect(
      (bench.home / "files").names == ["both", "both.2"] || (bench.home / "files").names.count == 2)
    #expect(await bench.undo().isDone)
    #expect((tree(bench.a), tree(bench.b)) == before)
    #expect((bench.home / "files").names.isEmpty)
  }

  @Test("What is skipped inside stays with the folders around it, and is told by name")
  func skip() async throws {
    try fill(in: bench.a, bench.b)
    let before = (tree(bench.a), tree(bench.b))
    let result = await bench.deliver(.move, [bench.a / "Docs"], clash: .mergeSkipping)
    #expect(result.outcome == .partly)
    #expect(result.failures.isEmpty && result.delivered == 1)
    #expect(
      Set(result.leftOut) == [
        DeliveryFailure(bench.a / "Docs/both", .nameExists),
        DeliveryFailure(bench.a / "Docs/inner/both", .nameExists),
      ])
    #expect(
      tree(bench.a) == [
        "Docs": "/", "Docs/both": "from both", "Docs/inner": "/",
        "Docs/inner/both": "from inner/both",
      ])
    #expect((bench.b / "Docs/both").text == "to both")
    #expect((bench.b / "Docs/inner/deep/new").text == "from inner/deep/new")
    #expect(await bench.undo().isDone)
    #expect((tree(bench.a), tree(bench.b)) == before)
  }

  @Test("Where all inside is skipped, nothing has been delivered, and it is said why")
  func allSkipped() async throws {
    for folder in [bench.a, bench.b] {
      try (folder / "Docs").makeFolder()
      try (folder / "Docs/x").write("\(folder)")
    }
    let result = await bench.deliver(.move, [bench.a / "Docs"], clash: .mergeSkipping)
    #expect(result.outcome == .failed)
    #expect(result.failures.map(\.reason) == [.nameExists])
    #expect((bench.a / "Docs/x").exists)
    #expect(await bench.undo() == .nothing)
  }

  @Test("An empty folder is gone after it was merged, and back with its permissions after an undo")
  func empty() async throws {
    for folder in [bench.a, bench.b] { try (folder / "Docs").makeFolder() }
    (bench.a / "Docs").withPlatformString { _ = chmod($0, 0o751) }
    #expect(await bench.deliver(.move, [bench.a / "Docs"], clash: .merge).outcome == .delivered)
    #expect(!(bench.a / "Docs").exists)
    #expect(await bench.undo().isDone)
    #expect(try FileCalls.status(bench.a / "Docs").mode == 0o751)
  }

  @Test("Files beside the folder are delivered with it, by the same answer")
  func beside() async throws {
    try fill(in: bench.a, bench.b)
    try (bench.a / "x").write("new")
    try (bench.b / "x").write("old")
    let result = await bench.deliver(
      .move, [bench.a / "Docs", bench.a / "x"], clash: .mergeReplacing)
    #expect(result.delivered == 2)
    #expect((bench.b / "x").text == "new")
    #expect(bench.a.names.isEmpty)
    let undone = await bench.undo()
    guard case .done(let entry) = undone else {
      Issue.record("\(undone)")
      return
    }
    #expect(entry.count == 2 && entry.names == ["Docs", "x"] && !entry.isMerge)
  }

  @Test("A folder does not become one with itself, nor with a link of its name")
  func itself() async throws {
    try (bench.a / "Docs").makeFolder()
    try (bench.a / "Docs/x").write("x")
    let copied = await bench.deliver(.copy, [bench.a / "Docs"], to: bench.a, clash: .merge)
    #expect(copied.outcome == .delivered)
    #expect((bench.a / "Docs (2)/x").text == "x")
    symlink((bench.a / "Docs (2)").string, (bench.b / "Docs").string)
    let moved = await bench.deliver(.move, [bench.a / "Docs"], clash: .merge)
    #expect(moved.renamed == ["Docs (2)"])
    #expect((bench.b / "Docs (2)/x").text == "x")
    #expect((bench.a / "Docs (2)").names == ["x"])
  }

  @Test("An earlier drop into a folder that was merged away is taken back after the merge is")
  func earlier() async throws {
    try fill(in: bench.a, bench.b)
    try (bench.root / "note").write("note")
    _ = await bench.deliver(.move, [bench.root / "note"], to: bench.a / "Docs")
    #expect(await bench.deliver(.move, [bench.a / "Docs"], clash: .merge).outcome == .delivered)
    #expect(await bench.undo().isDone)
    #expect(await bench.undo().isDone)
    #expect((bench.root / "note").text == "note")
  }

  @Test("Across file systems all goes over, and comes back", .enabled(if: Bench.hasOtherFileSystem))
  func across() async throws {
    let other = try #require(bench.elsewhere)
    try fill(in: bench.a, other)
    let before = (tree(bench.a), tree(other))
    let result = await bench.deliver(.move, [bench.a / "Docs"], to: other, clash: .merge)
    #expect(result.outcome == .delivered)
    #expect(!(bench.a / "Docs").exists)
    #expect((other / "Docs/inner/both (2)").text == "from inner/both")
    #expect(await bench.undo().isDone)
    #expect((tree(bench.a), tree(other)) == before)
  }

  @Test("More things than one batch holds become one, with all their folders")
  func many() async throws {
    for number in 0..<140 {
      try (bench.b / "Docs/f\(number)").makeFolder()
      try (bench.a / "Docs/f\(number)").makeFolder()
      for name in 0..<30 { try (bench.a / "Docs/f\(number)/\(name)").write("\(number) \(name)") }
    }
    let before = tree(bench.a)
    let result = await bench.deliver(.move, [bench.a / "Docs"], clash: .merge)
    #expect(result.outcome == .delivered && result.pieces == 4200)
    #expect(bench.a.names.isEmpty)
    #expect(tree(bench.b) == before)
    #expect(await bench.undo().isDone)
    #expect(tree(bench.a) == before)
  }

  @Test("K22: a merge that is killed anywhere loses nothing, and what was done is taken back")
  func killed() async throws {
    var full = 400.0
    for round in 0..<4 {
      let bench = try Bench()
      for number in 0..<20 {
        try (bench.b / "Docs/f\(number)").makeFolder()
        try (bench.a / "Docs/f\(number)").makeFolder()
        for name in 0..<30 { try (bench.a / "Docs/f\(number)/\(name)").write("\(number) \(name)") }
      }
      let all = tree(bench.a).filter { $0.value != "/" }
      let before = tree(bench.a)
      let begun = timespec.now.nanoseconds
      let run = try ProbeRun(
        [
          "move", bench.state.string, bench.home.string, bench.b.string,
          (bench.a / "Docs").string, "--clash", "merge",
        ])
      let wasKilled = run.end(after: round == 0 ? 60_000 : Double.random(in: 0...(full * 1.1)))
      if round == 0 { full = Double(timespec.now.nanoseconds - begun) / 1_000_000 }
      let recovered = await bench.recover()
      let (left, arrived) = (tree(bench.a), tree(bench.b))
      let files = (left.filter { $0.value != "/" }, arrived.filter { $0.value != "/" })
      #expect(files.0.merging(files.1) { one, _ in one } == all, "round \(round)")
      #expect(Set(files.0.keys).isDisjoint(with: files.1.keys), "round \(round)")
      if !wasKilled { #expect(left.isEmpty, "round \(round)") }
      if let recovery = recovered.first?.result {
        let expected: Recovery.Result =
          left.isEmpty ? .finished : files.1.isEmpty ? .rolledBack : .partly
        #expect(recovery == expected, "round \(round)")
      }
      if !files.1.isEmpty {
        #expect(await bench.undo().isDone, "round \(round)")
        #expect(tree(bench.a) == before, "round \(round)")
      }
    }
  }
}
