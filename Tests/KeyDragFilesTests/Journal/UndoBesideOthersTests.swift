import GRDB
import Glibc
import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("Undo while others work in the same folders")
struct UndoBesideOthersTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  private func makeTree() throws -> FilePath {
    let tree = try (bench.a / "tree").makeFolder()
    for name in ["x", "y", "z"] { try (tree / name).write(name) }
    return tree
  }

  @Test("A copy that a program has open for writing stays, alone or inside a folder, by its name")
  func open() async throws {
    try (bench.a / "x").write("x")
    for (source, inner) in [(bench.a / "x", "x"), (try makeTree(), "tree/y")] {
      _ = await bench.deliver(.copy, [source])
      let writer = try FileCalls.open(bench.b / inner, flags: O_WRONLY)
      let name = String(inner.suffix(1))
      #expect(await bench.undo().stays == [DeliveryFailure(name: name, reason: .inUse)])
      #expect(write(writer.raw, "late", 4) == 4)
      #expect((bench.b / inner).text == "late")
      #expect(!bench.b.names.contains { $0.hasPrefix(".") })
      try TreeRemover.remove(
        OpenedEntry(bench.b / (inner == "x" ? "x" : "tree")).place, isPermanentDeletion: true)
      _ = await bench.undo()
    }
  }

  @Test(
    "H08: a copy whose original is gone or has changed is not deleted by undo",
    arguments: ["gone", "changed", "another", "folder gone"])
  func lastCopy(what: String) async throws {
    try (bench.a / "x").write("x")
    _ = try makeTree()
    for (name, file) in [("x", FilePath("x")), ("tree", FilePath("tree/y"))] {
      _ = await bench.deliver(.copy, [bench.a / name])
      let (original, copy) = (bench.a.pushing(file), bench.b.pushing(file))
      let contents = try #require(copy.text)
      let was = bench.root / "was"
      switch what {
      case "gone": original.withPlatformString { _ = unlink($0) }
      case "changed": try original.write("longer")
      case "another": try original.write("?").setTimes(1)
      default: try FileCalls.rename(OpenedEntry(bench.a).place, to: OpenedEntry(was).place)
      }
      let result = await bench.undo()
      #expect(!result.isDone)
      #expect((result.refusal.map { [$0] } ?? result.stays.map(\.reason)) == [.lastCopy])
      #expect(copy.text == contents)
      #expect(!bench.b.names.contains { $0.hasPrefix(".") })
      if what == "folder gone" {
        try FileCalls.rename(OpenedEntry(was).place, to: OpenedEntry(bench.a).place)
      }
      try TreeRemover.remove(OpenedEntry(bench.b / name).place)
    }
  }

  @Test("H08: a copy whose original has another time and the same contents is taken back")
  func sameContents() async throws {
    let tree = try makeTree()
    _ = await bench.deliver(.copy, [tree])
    (tree / "y").setTimes(1)
    #expect(await bench.undo().isDone)
    #expect(bench.b.names.isEmpty && (tree / "y").text == "y")
  }

  @Test("A folder of which an undo could remove a part is known again: the rest can go later")
  func rest() async throws {
    _ = await bench.deliver(.copy, [try makeTree()])
    do {
      let writer = try FileCalls.open(bench.b / "tree" / "y", flags: O_WRONLY)
      #expect(await bench.undo().stays == [DeliveryFailure(name: "y", reason: .inUse)])
      #expect(writer.raw >= 0)
    }
    #expect((bench.b / "tree").names.contains("y"))
    #expect(await bench.undo().isDone)
    #expect(bench.b.names.isEmpty && bench.a.names == ["tree"])
  }

  /// An undo as it stands when its run is killed: claimed, with the copy under a hidden name.
  private func cutShort(under name: (EntryRecord) -> FileName) async throws -> FilePath {
    _ = await bench.deliver(.copy, [try makeTree()])
    let entry = try bench.beginUndo()
    let hidden = bench.b.appending(name(entry))
    try FileCalls.rename(OpenedEntry(bench.b / "tree").place, to: OpenedEntry(hidden).place)
    return hidden
  }

  @Test("A copy that was not proved to be ours yet when the run ended gets its name back")
  func aside() async throws {
    _ = try await cutShort { $0.asideName(0) }
    #expect(await bench.recover().map(\.result) == [.rolledBack])
    #expect(bench.b.names == ["tree"])
    #expect((bench.b / "tree").names == ["x", "y", "z"])
    #expect(await bench.undo().isDone)
    #expect(bench.b.names.isEmpty)
  }

  @Test("What was edited after the run ended comes to light again, the rest of the copy goes")
  func edited() async throws {
    let part = try await cutShort { $0.partName(0) }
    try (part / "y").write("edit").setTimes(Int(timespec.now.tv_sec) + 1)
    #expect(await bench.recover().count == 1)
    #expect(bench.b.names == ["tree"])
    #expect((bench.b / "tree" / "y").text == "edit")
    #expect(await bench.undo().stays.map(\.reason) == [.changed])
    #expect((bench.b / "tree" / "y").text == "edit")
  }

  @Test("A removal that was cut short goes on in the next run")
  func goesOn() async throws {
    let part = try await cutShort { $0.partName(0) }
    (part / "x").withPlatformString { _ = unlink($0) }
    #expect(await bench.recover().map(\.result) == [.finished])
    #expect(bench.b.names.isEmpty)
  }

  @Test("An undo that had only taken hold of its entry has changed nothing, and recovery says so")
  func claimed() async throws {
    _ = await bench.deliver(.copy, [try makeTree()])
    bench.journal.close()
    let journal = Journal(folder: bench.state)
    _ = try journal.claim(nil, .undo)
    journal.close()
    #expect(await bench.recover().map(\.result) == [.rolledBack])
    #expect(bench.b.names == ["tree"])
  }

  @Test("An undo that can't be written down is not begun")
  func unwritten() async throws {
    _ = await bench.deliver(.copy, [try makeTree()])
    try bench.journal.write { database in
      try database.execute(
        sql: """
          CREATE TRIGGER full BEFORE UPDATE ON step
            BEGIN SELECT RAISE(ABORT, 'no space'); END
          """)
    }
    #expect(await bench.undo().refusal == .journalUnavailable)
    #expect((bench.b / "tree").names == ["x", "y", "z"])
  }

  @Test("Undo follows no folder that was replaced, be it by a link or by another one")
  func replacedFolder() async throws {
    try (bench.a / "x").write("x")
    _ = await bench.deliver(.move, [bench.a / "x"])
    let other = try (bench.root / "other").makeFolder()
    try FileCalls.rename(OpenedEntry(bench.a).place, to: OpenedEntry(bench.root / "was").place)
    let around = try OpenFolder(bench.root)
    try FileCalls.makeLink(around.raw, FileName("A"), to: other.rawBytes)
    #expect(await bench.undo().refusal == .otherFolder)
    bench.a.withPlatformString { _ = unlink($0) }
    try bench.a.makeFolder()
    #expect(await bench.undo().refusal == .otherFolder)
    #expect(other.names.isEmpty && (bench.b / "x").text == "x")
    bench.a.withPlatformString { _ = rmdir($0) }
    try FileCalls.rename(OpenedEntry(bench.root / "was").place, to: OpenedEntry(bench.a).place)
    #expect(await bench.undo().isDone)
  }

  @Test(
    "What is mounted in a folder that is moved to another disk stays, by its name, and undo joins both",
    .enabled(if: Bench.hasOtherFileSystem && Bench.canMount))
  func mounted() async throws {
    let other = try #require(bench.elsewhere)
    let tree = try makeTree()
    let fixed = try (tree / "fixed").makeFolder()
    let isMounted = fixed.withPlatformString { mount("none", $0, "tmpfs", 0, "size=1m") } == 0
    try #require(isMounted)
    defer { fixed.withPlatformString { _ = umount2($0, CInt(MNT_DETACH)) } }
    try (fixed / "in").write("in")
    let result = await bench.deliver(.move, [tree], to: other)
    #expect(result.leftOut == [DeliveryFailure(fixed, .otherDisk)])
    #expect((fixed / "in").text == "in")
    #expect((other / "tree").names == ["x", "y", "z"] && tree.names == ["fixed"])
    // An undo that can't is none: another file has one of the names.
    try (tree / "x").write("another")
    try (tree / "y").write("y")
    #expect(await !bench.undo().isDone)
    #expect((other / "tree").names == ["x", "y", "z"])
    #expect(tree.names == ["fixed", "x", "y"] && (tree / "x").text == "another")
    (tree / "x").withPlatformString { _ = unlink($0) }
    #expect(await bench.undo().isDone)
    #expect(tree.names == ["fixed", "x", "y", "z"])
    #expect((fixed / "in").text == "in")
    #expect(other.names.isEmpty)
  }
}
