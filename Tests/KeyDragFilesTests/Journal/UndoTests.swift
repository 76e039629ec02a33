import Glibc
import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("Undo and redo")
struct UndoTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  @Test("H08: a move comes back when it is undone, in a later run too, and the entry is named")
  func move() async throws {
    try (bench.a / "x").write("x")
    _ = await bench.deliver(.move, [bench.a / "x"])
    bench.courier.finish()
    let later = JournaledCourier(journal: Journal(folder: bench.state), trash: bench.trash)
    let result = await later.undo(entry: nil)
    guard case .done(let entry) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(entry.operation == .move && entry.names == ["x"] && entry.count == 1)
    #expect(entry.place == "B" && entry.isUndone)
    #expect((bench.a / "x").text == "x")
    #expect(bench.b.names.isEmpty)
    later.finish()
  }

  @Test("H08: what comes back from under another name is told by the name that it has again")
  func formerName() async throws {
    try (bench.a / "x").write("mine")
    try (bench.b / "x").write("another")
    _ = await bench.deliver(.move, [bench.a / "x"])
    #expect(bench.b.names == ["x", "x (2)"])
    guard case .done(let undone) = await bench.undo() else { throw Reason.unknown }
    #expect(undone.names == bench.a.names)
    guard case .done(let redone) = await bench.redo() else { throw Reason.unknown }
    #expect(redone.names == ["x (2)"])
  }

  @Test("H08: undo deletes our own copies only, whole folders too, and redo makes them again")
  func copies() async throws {
    let tree = try (bench.a / "tree").makeFolder()
    try (tree / "inner").makeFolder()
    try (tree / "inner" / "x").write("x")
    (tree / "inner").withPlatformString { _ = chmod($0, 0o500) }
    try (bench.a / "big").write([UInt8](repeating: 5, count: 1 << 20))
    _ = await bench.deliver(.copy, [tree, bench.a / "big"])
    #expect(await bench.undo().isDone)
    #expect(bench.b.names.isEmpty)
    #expect((tree / "inner" / "x").text == "x")
    #expect(await bench.redo().isDone)
    #expect((bench.b / "tree" / "inner" / "x").text == "x")
    #expect(await bench.undo().isDone)
    #expect(bench.b.names.isEmpty)
  }

  @Test(
    "A copy that was changed since is not deleted, even when length and time are as before",
    arguments: [DragOperation.copy, .move])
  func changed(operation: DragOperation) async throws {
    try (bench.a / "x").write("old")
    _ = await bench.deliver(operation, [bench.a / "x"])
    let stamp = try FileCalls.status(bench.b / "x")
    try (bench.b / "x").write("new")
    if operation == .copy {
      (bench.b / "x").setTimes(stamp.modificationTime.tv_sec, stamp.modificationTime.tv_nsec)
    }
    #expect(await bench.undo().refusal == .changed)
    #expect((bench.b / "x").text == "new")
  }

  @Test("A copied folder in which something was added is not deleted")
  func addedTo() async throws {
    try (bench.a / "tree").makeFolder()
    try (bench.a / "tree" / "x").write("x")
    _ = await bench.deliver(.copy, [bench.a / "tree"])
    try (bench.b / "tree" / "mine").write("mine")
    #expect(await bench.undo().stays == [DeliveryFailure(name: "mine", reason: .changed)])
    #expect((bench.b / "tree").names == ["mine", "x"])
    #expect(bench.b.names == ["tree"])
  }

  @Test("A copy whose permissions alone were changed is still known by its contents")
  func permissions() async throws {
    let sizes = [3, 1 << 20]
    for size in sizes { try (bench.a / "\(size)").write([UInt8](repeating: 9, count: size)) }
    _ = await bench.deliver(.copy, sizes.map { bench.a / "\($0)" })
    for size in sizes { (bench.b / "\(size)").withPlatformString { _ = chmod($0, 0o600) } }
    #expect(await bench.undo().isDone)
    #expect(bench.b.names.isEmpty)
  }

  @Test("A large copy that can no longer be compared with its original is not deleted")
  func unverifiable() async throws {
    try (bench.a / "big").write([UInt8](repeating: 9, count: 1 << 20))
    _ = await bench.deliver(.copy, [bench.a / "big"])
    (bench.b / "big").withPlatformString { _ = chmod($0, 0o600) }
    (bench.a / "big").withPlatformString { _ = unlink($0) }
    #expect(await bench.undo().refusal == .changed)
    #expect((bench.b / "big").exists)
  }

  @Test("H08: what undo leaves is named as it is named there")
  func remainingName() async throws {
    try (bench.b / "x").write("another")
    _ = await bench.deliver(.copy, try ["x", "y"].map { try (bench.a / $0).write($0) })
    try (bench.b / "x (2)").write("changed")
    guard case .partly(_, 1, let failures) = await bench.undo() else { throw Reason.unknown }
    #expect(failures == [DeliveryFailure(name: "x (2)", reason: .changed)])
  }

  @Test("H08: undo overwrites nothing at the old place and says how much came back")
  func partly() async throws {
    let sources = try ["x", "y", "z"].map { try (bench.a / $0).write($0) }
    _ = await bench.deliver(.move, sources)
    try (bench.a / "x").write("mine")
    (bench.b / "z").withPlatformString { _ = unlink($0) }
    let result = await bench.undo()
    guard case .partly(let entry, let done, let failures) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(entry.count == 3 && done == 1)
    #expect(
      failures == [
        DeliveryFailure(name: "x", reason: .nameExists),
        DeliveryFailure(name: "z", reason: .gone),
      ])
    #expect((bench.a / "x").text == "mine" && (bench.b / "x").text == "x")
    #expect((bench.a / "y").text == "y")
  }

  @Test("H08: of what was redone in part an undo tells only what it brought back")
  func redoneInPart() async throws {
    let sources = try ["x", "y", "z"].map { try (bench.a / $0).write($0) }
    _ = await bench.deliver(.move, sources)
    #expect(await bench.undo().isDone)
    try (bench.a / "y").write("changed")
    guard case .partly(_, 2, _) = await bench.redo() else { throw Reason.unknown }
    guard case .done(let undone) = await bench.undo() else { throw Reason.unknown }
    #expect(undone.names == ["x", "z"] && undone.count == 2)
    #expect(bench.a.names == ["x", "y", "z"] && bench.b.names.isEmpty)
  }

  @Test("H08: an undo tells that the folder went that was made for the items, if it did")
  func madeFolder() async throws {
    let sources = try ["x", "y"].map { try (bench.a / $0).write($0) }
    var order = FileOrder(operation: .move, sources: sources, target: bench.b, placeName: "New")
    order.newFolder = FileName("New")
    _ = await bench.deliver(order)
    guard case .done(let undone) = await bench.undo() else { throw Reason.unknown }
    #expect(undone.removedFolder == "New" && undone.count == 2 && bench.b.names.isEmpty)
    guard case .done(let redone) = await bench.redo() else { throw Reason.unknown }
    #expect(redone.removedFolder == nil && bench.b.names == ["New"])
    try (bench.b / "New" / "other").write("other")
    guard case .partly(let kept, 2, _) = await bench.undo() else { throw Reason.unknown }
    #expect(kept.removedFolder == nil && (bench.b / "New").names == ["other"])
  }

  @Test("H08: what was done in a folder, and to it, is redone in the folder that is made again")
  func madeAgain() async throws {
    try (bench.a / "x").write("x")
    let folder = bench.b / "New"
    var order = FileOrder(operation: .copy, sources: [folder], target: bench.b, placeName: "B")
    order.makesFolder = true
    _ = await bench.deliver(order)
    _ = await bench.deliver(.move, [bench.a / "x"], to: folder)
    var rename = FileOrder(operation: .move, sources: [folder], target: bench.b, placeName: "B")
    rename.newName = FileName("Old")
    _ = await bench.deliver(rename)
    #expect((bench.b / "Old" / "x").exists)
    for _ in 1...3 { #expect(await bench.undo().isDone) }
    #expect(bench.a.names == ["x"] && bench.b.names.isEmpty)
    // In the meantime another folder may have got its inode.
    try folder.makeFolder()
    folder.withPlatformString { _ = rmdir($0) }
    for _ in 1...3 { #expect(await bench.redo().isDone) }
    #expect((bench.b / "Old" / "x").text == "x" && bench.b.names == ["Old"])
    for _ in 1...3 { #expect(await bench.undo().isDone) }
    #expect(bench.a.names == ["x"] && bench.b.names.isEmpty)
  }

  @Test("H08: what an undo left comes back with the next one, before anything older")
  func rest() async throws {
    try (bench.a / "w").write("w")
    _ = await bench.deliver(.move, [bench.a / "w"])
    let sources = try ["x", "y"].map { try (bench.a / $0).write($0) }
    _ = await bench.deliver(.move, sources)
    try (bench.a / "x").write("mine")
    guard case .partly = await bench.undo() else {
      Issue.record("not in part")
      return
    }
    // Which of the two is wanted next is known by what is asked for.
    #expect(await bench.redo().isDone)
    #expect(bench.b.names == ["w", "x", "y"])
    _ = await bench.undo()
    #expect(await bench.undo().refusal == .nameExists)
    #expect((bench.b / "w").exists)
    (bench.a / "x").withPlatformString { _ = unlink($0) }
    #expect(await bench.undo().isDone)
    #expect((bench.a / "x").text == "x" && bench.b.names == ["w"])
    #expect(await bench.redo().isDone)
    #expect(bench.b.names == ["w", "x", "y"])
    #expect(await bench.undo().isDone)
    #expect(await bench.undo().isDone)
    #expect(bench.a.names == ["w", "x", "y"])
    #expect(await bench.undo() == .nothing)
  }

  @Test("Undo takes the newest entry, redo the one undone last, and both end with nothing")
  func order() async throws {
    for name in ["x", "y"] {
      try (bench.a / name).write(name)
      _ = await bench.deliver(.move, [bench.a / name])
    }
    #expect(await bench.undo().isDone)
    #expect(bench.a.names == ["y"])
    #expect(await bench.undo().isDone)
    #expect(await bench.undo() == .nothing)
    #expect(await bench.redo().isDone)
    #expect(bench.a.names == ["y"])
    #expect(await bench.redo().isDone)
    #expect(await bench.redo() == .nothing)
    #expect(try await bench.history().get().map(\.names) == [["y"], ["x"]])
  }

  @Test("What was done again last is undone first, and then what was done before it")
  func orderAfterRedo() async throws {
    for name in ["x", "y", "z"] {
      try (bench.a / name).write(name)
      _ = await bench.deliver(.copy, [bench.a / name])
    }
    let numbers = try await bench.history().get().map(\.number)
    // The two older ones, the oldest last.
    for number in numbers[1...] { #expect(await bench.undo(number).isDone) }
    for _ in numbers[1...] { #expect(await bench.redo().isDone) }
    #expect(bench.b.names == ["x", "y", "z"])
    #expect(await bench.undo().isDone)
    #expect(bench.b.names == ["x", "z"])
    #expect(await bench.redo().isDone)
    try (bench.a / "w").write("w")
    _ = await bench.deliver(.copy, [bench.a / "w"])
    // Something new is newer than all that was done again before it.
    for rest in [["x", "y", "z"], ["x", "z"], ["z"], []] {
      #expect(await bench.undo().isDone)
      #expect(bench.b.names == rest)
    }
    #expect(await bench.undo() == .nothing)
  }

  @Test("Beside what can't be undone there is what was done before it, unless nothing is left")
  func previous() async throws {
    for name in ["x", "y", "z"] {
      try (bench.a / name).write(name)
      _ = await bench.deliver(.copy, [bench.a / name])
    }
    let numbers = try await bench.history().get().map(\.number)
    try (bench.b / "z").write("changed")
    #expect(await bench.undo().refusal == .changed)
    #expect(bench.journal.previous(to: numbers[0]) == numbers[1])
    #expect(await bench.undo(numbers[1]).isDone)
    #expect(bench.journal.previous(to: numbers[0]) == numbers[2])
    #expect(await bench.undo(numbers[2]).isDone)
    #expect(bench.journal.previous(to: numbers[0]) == nil)
    #expect(await bench.redo(numbers[1]).isDone)
    #expect(bench.journal.previous(to: numbers[1]) == numbers[0])
  }

  @Test("A step that depends on a later one comes back once that one has")
  func dependent() async throws {
    let folder = try (bench.a / "folder").makeFolder()
    try (folder / "own").write("own")
    try (bench.a / "x").write("x")
    _ = await bench.deliver(.move, [folder])
    _ = await bench.deliver(.move, [bench.a / "x"], to: bench.b / "folder")
    #expect(await bench.undo().isDone)
    #expect(await bench.undo().isDone)
    #expect(bench.a.names == ["folder", "x"])
    #expect((bench.a / "folder").names == ["own"])
  }

  @Test("H20: what went to the trash comes back with undo, and its note goes")
  func trash() async throws {
    try (bench.a / "x").write("x")
    let result = await bench.deliver(.remove, [bench.a / "x"])
    #expect(result.outcome == .delivered)
    #expect((bench.home / "files" / "x").text == "x")
    #expect(await bench.undo().isDone)
    #expect((bench.a / "x").text == "x")
    #expect((bench.home / "info").names.isEmpty)
    #expect(await bench.redo().isDone)
    #expect((bench.home / "info").names == ["x.trashinfo"])
  }

  @Test("What was deleted for good is told in the history and cannot be undone")
  func permanently() async throws {
    try (bench.a / "tree").makeFolder()
    try (bench.a / "tree" / "x").write("x")
    let result = await bench.deliver(.remove, [bench.a / "tree"], permanently: true)
    #expect(result.outcome == .delivered && result.landed.isEmpty && result.delivered == 1)
    #expect(bench.a.names.isEmpty)
    #expect(await bench.undo() == .nothing)
    let entry = try #require(try await bench.history().get().first)
    #expect(entry.names == ["tree"])
    #expect(await bench.undo(entry.number).refusal == .gone)
  }
}
