import Foundation
import Glibc
import KeyDragCore
import PrivateDesktop
import Synchronization
import SystemPackage
import Testing

@testable import KeyDragFiles

extension PoorDisk {
  fileprivate static let canRun = Bench.canMount && obstacle == nil

  fileprivate convenience init(in bench: Bench, _ limits: [String]) throws {
    try self.init(
      of: try (bench.root / "behind").makeFolder().string,
      at: try (bench.root / "disk").makeFolder().string, limits, log: (bench.root / "log").string)
  }

  fileprivate var path: FilePath { FilePath(place) }
}

@Suite("Disks that can't hold everything", .enabled(if: PoorDisk.canRun))
struct PoorDiskTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  struct Limit: CustomTestStringConvertible, Sendable {
    var words: [String]
    /// The parts that don't go, and why.
    var leftOut: [String: Reason]

    var testDescription: String { words.joined(separator: " ") }
  }

  static let limits = [
    Limit(words: ["names"], leftOut: ["a:b": .nameRefused, "dir?": .nameRefused]),
    Limit(words: ["names=ENOENT"], leftOut: ["a:b": .nameRefused, "dir?": .nameRefused]),
    Limit(words: ["names=EILSEQ"], leftOut: ["a:b": .nameRefused, "dir?": .nameRefused]),
    Limit(words: ["no-links"], leftOut: ["link": .noLinks]),
    Limit(words: ["no-case"], leftOut: ["ONE": .nameExists, "one": .nameExists]),
    Limit(words: ["largest=100000"], leftOut: ["big": .tooLarge]),
    Limit(words: ["no-modes", "no-attributes", "no-hard-links"], leftOut: [:]),
  ]

  private func makeTree() throws -> FilePath {
    let tree = try (bench.a / "tree").makeFolder()
    for name in ["ONE", "one", "a:b", "two"] { try (tree / name).write(name) }
    try (tree / "big").write([UInt8](repeating: 7, count: 200_000))
    try ((tree / "dir?").makeFolder() / "in").write("in")
    try ((tree / "dir").makeFolder() / "in").write("in")
    try FileCalls.makeLink(
      AT_FDCWD, FileName(bytes: (tree / "link").rawBytes), to: Array("one".utf8))
    return tree
  }

  @Test(
    "What a disk does not take is left out and named, and the rest goes", arguments: limits,
    [DragOperation.copy, .move])
  func parts(limit: Limit, operation: DragOperation) async throws {
    let tree = try makeTree()
    let names = tree.names
    let disk = try PoorDisk(in: bench, limit.words)
    defer { disk.close() }
    let result = await bench.deliver(operation, [tree], to: disk.path)
    // Of two names that are one there, whichever comes second is left out.
    let isOneOfTwo = limit.words == ["no-case"]
    let left = result.leftOut.map(\.name)
    #expect(left.count == (isOneOfTwo ? 1 : limit.leftOut.count), "\(result)")
    for part in result.leftOut {
      #expect(limit.leftOut[part.name] == part.reason)
    }
    #expect((disk.path / "tree").names == names.filter { !left.contains($0) })
    #expect((disk.path / "tree" / "dir" / "in").text == "in")
    if operation == .move {
      #expect(left.isEmpty ? !tree.exists : tree.names == left.sorted())
      #expect(left.contains("dir?") ? (tree / "dir?" / "in").text == "in" : true)
    }
    let undone = await bench.undo()
    #expect(undone.isDone, "\(undone)")
    #expect(tree.names == names && !(disk.path / "tree").exists)
  }

  @Test(
    "What the disk can't read, and what goes meanwhile, is left out of a folder, and the rest goes",
    arguments: [
      ("bad=two", "two", Reason.readError), ("gone=two", "two", .gone), ("gone=dir", "dir", .gone),
      ("barred=dir", "dir", .readError),
    ], [DragOperation.copy, .move])
  func sources(part: (limit: String, name: String, reason: Reason), operation: DragOperation)
    async throws
  {
    let disk = try PoorDisk(in: bench, [part.limit])
    defer { disk.close() }
    let tree = try (bench.root / "behind" / "tree").makeFolder()
    for name in ["one", "two", "z"] { try (tree / name).write(name) }
    try ((tree / "dir").makeFolder() / "in").write("in")
    let result = await bench.deliver(operation, [disk.path / "tree"])
    #expect(
      result.leftOut
        == [DeliveryFailure(disk.path / "tree" / part.name, part.reason)], "\(result)")
    // Nobody knows how much there is in a folder that can't be read.
    #expect(result.outcome == .partly && result.others == (part.limit == "barred=dir" ? 0 : 3))
    #expect((bench.b / "tree").names == ["dir", "one", "two", "z"].filter { $0 != part.name })
    #expect(tree.names == (operation == .move ? [part.name] : ["dir", "one", "two", "z"]))
    #expect(part.name == "two" || (tree / "dir" / "in").text == "in")
    // What was left there is no part of it: it may be anything by now.
    if part.limit == "bad=two", operation == .move { try (tree / "two").write("later") }
    let undone = await bench.undo()
    #expect(undone.isDone, "\(undone)")
    #expect(tree.names == ["dir", "one", "two", "z"] && bench.b.names.isEmpty)
  }

  @Test("H14: what a disk refuses of an open file is told as that, and of what failed nothing more")
  func refusals() async throws {
    let file = try (bench.a / "a:b").write("x")
    let disk = try PoorDisk(in: bench, ["names", "no-modes"])
    let named = await bench.deliver(.copy, [file], to: disk.path)
    disk.close()
    #expect(named.failures.map(\.reason) == [.nameRefused] && named.lostAttributes.isEmpty)
    let other = try PoorDisk(in: bench, ["fail=write:EPERM"])
    defer { other.close() }
    let written = await bench.deliver(.copy, [file], to: other.path)
    #expect(written.failures.map(\.reason) == [.notSupported])
  }

  @Test(
    "H19 A disk from which nothing can be read any more ends the delivery, and all stays as it was",
    arguments: [DragOperation.copy, .move])
  func lostDisk(operation: DragOperation) async throws {
    let disk = try PoorDisk(in: bench, ["fail=read:EIO"])
    defer { disk.close() }
    let tree = try (bench.root / "behind" / "tree").makeFolder()
    let names = (1...9).map { "f\($0)" }
    for name in names { try (tree / name).write(name) }
    let result = await bench.deliver(operation, [disk.path / "tree"])
    #expect(result.failures.map(\.reason) == [.deviceError], "\(result)")
    #expect(tree.names == names && !(bench.b / "tree").exists)
  }

  @Test("A folder that can't be opened once it is made is left out, and nothing of it stays behind")
  func shutFolder() async throws {
    let tree = try makeTree()
    let disk = try PoorDisk(in: bench, ["shut=dir"])
    defer { disk.close() }
    let result = await bench.deliver(.copy, [tree], to: disk.path)
    #expect(result.leftOut.map(\.name) == ["dir"], "\(result)")
    #expect((bench.root / "behind" / "tree").names == tree.names.filter { $0 != "dir" })
  }

  @Test(
    "H08: what bears a hidden name beside its own on a disk that removes none has arrived, and is redone",
    .enabled(if: Bench.hasOtherFileSystem))
  func doubled() async throws {
    let disk = try PoorDisk(in: bench, ["fail=unlink:EACCES"])
    defer { disk.close() }
    let well = bench.root / "behind.well"
    func recover() async throws -> [Recovery.Result] {
      bench.journal.close()
      try well.write("")
      let journal = Journal(folder: bench.state)
      let recovered = await bench.recover(JournaledCourier(journal: journal, trash: bench.trash))
      journal.close()
      return recovered.map(\.result)
    }
    // Its fractions are lost on the way.
    try (bench.a / "x").write("x").setTimes(1_700_000_000, 123_456_789)
    #expect(await bench.deliver(.move, [bench.a / "x"], to: disk.path).outcome == .delivered)
    #expect(disk.path.names.count == 2 && bench.a.names.isEmpty)
    #expect(try await recover() == [.finished])
    #expect(disk.path.names == ["x"])
    #expect(await bench.undo().isDone)
    #expect((bench.a / "x").text == "x" && disk.path.names.isEmpty)
    unlink(well.string)
    (bench.a / "x").setTimes(1_700_000_000, 123_456_789)
    #expect(await bench.redo().isDone)
    #expect(disk.path.names.count == 2)
    #expect(try await recover() == [.finished])
    #expect(disk.path.names == ["x"])
  }

  @Test("H08: a full disk that has no trash yet is told as full where something would be replaced")
  func fullTrash() async throws {
    let disk = try PoorDisk(in: bench, ["fail=mkdir:ENOSPC"])
    defer { disk.close() }
    let old = try (bench.root / "behind" / "x").write("old")
    let new = try (bench.a / "x").write("new")
    let replacing = await bench.deliver(.copy, [new], to: disk.path, clash: .replace)
    #expect(replacing.failures.map(\.reason) == [.noSpace])
    #expect(old.text == "old")
    // Its own trash is not the only one for what is removed.
    #expect(await bench.deliver(.remove, [disk.path / "x"]).outcome == .delivered)
    #expect((bench.home / "files" / "x").text == "old")
  }

  static let failures: [(code: String, reason: Reason)] = [
    ("ENODEV", .deviceError), ("ENXIO", .deviceError), ("EIO", .deviceError),
    ("ENOTCONN", .notResponding), ("ETIMEDOUT", .notResponding),
  ]

  @Test(
    "H08: a disk that fails while its trash is made is told as one that fails, and nothing goes",
    arguments: failures, ["replace", "remove", "remove with its home"])
  func failingTrash(failure: (code: String, reason: Reason), way: String) async throws {
    let disk = try PoorDisk(in: bench, ["fail=mkdir:" + failure.code])
    defer { disk.close() }
    let old = try (bench.root / "behind" / "x").write("old")
    let new = try (bench.a / "x").write("new")
    var order = FileOrder(
      operation: .remove, sources: [disk.path / "x"], target: "/", clash: .replace, placeName: "")
    if way == "replace" {
      order = FileOrder(
        operation: .copy, sources: [new], target: disk.path, clash: .replace, placeName: "")
    }
    let home = way == "remove with its home" ? disk.path / "home" : bench.home
    let courier = JournaledCourier(journal: bench.journal, trash: TrashCan(home: home))
    let result: DeliveryResult = await withCheckedContinuation { done in
      courier.deliver(order, id: DeliveryID(1)) { event, _ in
        if case .finished(let result) = event { done.resume(returning: result) }
      }
    }
    #expect(result.failures.map(\.reason) == [failure.reason], "\(result)")
    #expect(old.text == "old" && new.text == "new")
  }

  @Test(
    "H14: what a failing disk answers when it is asked for rights is told as that",
    arguments: failures,
    ["file", "folder", "both"])
  func failingRights(failure: (code: String, reason: Reason), kind: String) async throws {
    let disk = try PoorDisk(in: bench, ["fail=access:" + failure.code])
    defer { disk.close() }
    let behind = bench.root / "behind"
    if kind == "file" {
      try (behind / "x").write("x")
    } else {
      try ((behind / "x").makeFolder() / "in").write("in")
    }
    // In a folder of that name what is in it is taken out by itself.
    if kind == "both" { try ((bench.b / "x").makeFolder() / "other").write("other") }
    let result = await bench.deliver(.move, [disk.path / "x"], clash: .merge)
    #expect(result.failures.map(\.reason) == [failure.reason], "\(result)")
    #expect((behind / "x").exists && bench.b.names == (kind == "both" ? ["x"] : []))
    let stage = PlacesStage([disk.path])
    let items = try await stage.prepare(try await stage.list().sources ?? []).items
    for operation in [DragOperation.copy, .move] {
      #expect(items.map { $0.disallowed[operation] } == [failure.reason])
    }
  }

  @Test(
    "H14: what a disk has under both names, as it removes neither, has arrived and is told as that")
  func bothNames() async throws {
    let disk = try PoorDisk(in: bench, ["fail=unlink:EIO"])
    defer { disk.close() }
    let behind = bench.root / "behind"
    let names = ["a", "b", "c", "d"]
    let files = try names.map { try (bench.a / $0).write($0) }
    let copied = await bench.deliver(.copy, files, to: disk.path)
    #expect(copied.outcome == .delivered && copied.delivered == 4, "\(copied)")
    #expect(names.allSatisfy { (behind / $0).text == $0 })
    let folder = try (behind / "folder").makeFolder()
    let moved = await bench.deliver(.move, [disk.path / "a"], to: disk.path / "folder")
    #expect(moved.failures.map(\.reason) == [.bothHold], "\(moved)")
    #expect((folder / "a").text == "a" && (behind / "a").text == "a")
    try (bench.root / "behind.well").write("")
    bench.courier.finish()
    let recovered = await bench.recover().map(\.result)
    #expect(recovered.contains(.finished), "\(recovered)")
    // The name that libfuse gives a file that is removed before the kernel has passed its closing on.
    let left = behind.names.filter { !$0.hasPrefix(".fuse_hidden") }
    #expect(left == names + ["folder"])
  }

  @Test(
    "A thing by itself that the disk does not take is refused for the reason that is so",
    arguments: [
      ("names", "a:b", Reason.nameRefused), ("names=ENOENT", "a:b", .nameRefused),
      ("names", "dir?", .nameRefused), ("no-links", "link", .noLinks),
      ("largest=100000", "big", .tooLarge), ("room=100000", "big", .noSpace),
    ])
  func alone(limit: String, name: String, reason: Reason) async throws {
    let tree = try makeTree()
    let disk = try PoorDisk(in: bench, [limit])
    defer { disk.close() }
    for operation in [DragOperation.copy, .move] {
      let result = await bench.deliver(operation, [tree / name], to: disk.path)
      #expect(result.failures.map(\.reason) == [reason], "\(operation)")
      #expect((tree / name).exists && disk.path.names.isEmpty)
    }
  }

  @Test(
    "H08: an undo to a disk that does not take the name says that, and not that something is gone",
    arguments: ["names=ENOENT", "names"])
  func undoRefused(limit: String) async throws {
    var disk = try PoorDisk(in: bench, [])
    let old = try (disk.path / "a:b").write("in")
    #expect(await bench.deliver(.move, [old], to: bench.b).outcome == .delivered)
    disk.close()
    disk = try PoorDisk(
      of: (bench.root / "behind").string, at: (bench.root / "disk").string, [limit],
      log: (bench.root / "log").string)
    defer { disk.close() }
    guard case .refused(_, let reason) = await bench.undo() else { throw Reason.unknown }
    #expect(reason == .nameRefused && (bench.b / "a:b").text == "in")
  }

  private func rename(_ path: FilePath, to name: String) async -> DeliveryResult {
    var order = FileOrder(
      operation: .move, sources: [path], target: path.folder, clash: .fail, placeName: name)
    order.newName = FileName(name)
    return await bench.deliver(order).result.result
  }

  @Test(
    "H05: a rename that changes the case alone is done on a disk without case, and undone",
    arguments: [["no-case"], ["no-case", "no-hard-links"], ["no-case", "spellings"]],
    ["file", "folder"])
  func caseAlone(limits: [String], kind: String) async throws {
    let disk = try PoorDisk(in: bench, limits)
    defer { disk.close() }
    let old = disk.path / "name"
    if kind == "file" { try old.write("in") } else { try (old.makeFolder() / "x").write("in") }
    func text() -> String? { (disk.path / "name").text ?? (disk.path / "name" / "x").text }
    let result = await rename(old, to: "Name")
    #expect(result.outcome == .delivered, "\(result)")
    #expect(disk.path.names == ["Name"] && text() == "in")
    #expect(await bench.undo().isDone)
    #expect(disk.path.names == ["name"] && text() == "in")
    #expect(await bench.redo().isDone)
    #expect(disk.path.names == ["Name"] && text() == "in")
    try (disk.path / "other").write("other")
    #expect(await rename(disk.path / "Name", to: "OTHER").outcome != .delivered)
    #expect(disk.path.names == ["Name", "other"] && (disk.path / "other").text == "other")
  }

  @Test(
    "H19: a run that ended while a name changed its case loses nothing",
    arguments: [".keydrag-0123456789abcdef-0.aside.part", "Name", "name"])
  func caseAloneCutOff(name: String) async throws {
    let disk = try PoorDisk(in: bench, ["no-case"])
    defer { disk.close() }
    let old = try (disk.path / "name").write("in")
    let folder = try OpenFolder(disk.path).stamp.identity
    let journal = Journal(folder: bench.state)
    JournalWriter(
      journal,
      EntryRecord(
        operation: .move, permanently: false, place: "Name", time: Int64(time(nil)),
        token: "0123456789abcdef", planned: 1)
    ).intend([
      StepRecord(
        index: 0, source: old, target: disk.path / "Name",
        before: try FileCalls.status(old).recorded, begun: timespec.now.nanoseconds,
        sourceFolder: folder, targetFolder: folder)
    ])
    journal.close()
    if name != "name" {
      let way = FileName(".keydrag-on-the-way")
      let place = try OpenedEntry(old)
      try FileCalls.rename(place.place, to: FolderEntry(place.folder, way))
      try FileCalls.rename(
        FolderEntry(place.folder, way), to: FolderEntry(place.folder, FileName(name)))
    }
    let recovered = await bench.recover().map(\.result)
    #expect(recovered == [name == "Name" ? .finished : .rolledBack])
    #expect(disk.path.names == [name == "Name" ? "Name" : "name"])
    #expect((disk.path / "name").text == "in")
  }

  @Test("A full disk ends a folder's copy, of which nothing is left")
  func full() async throws {
    let tree = try makeTree()
    let disk = try PoorDisk(in: bench, ["room=100000"])
    defer { disk.close() }
    let result = await bench.deliver(.copy, [tree], to: disk.path)
    #expect(result.failures.map(\.reason) == [.noSpace])
    #expect(disk.path.names == [] && tree.names.count == 8)
  }
}

@Suite("Mounts and links on the way of a delivery")
struct MountTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  private func mounted(_ folder: FilePath) throws {
    let isMounted = folder.withPlatformString { mount("none", $0, "tmpfs", 0, "size=1m") } == 0
    try #require(isMounted)
  }

  private func unmount(_ folder: FilePath) {
    folder.withPlatformString { _ = umount2($0, CInt(MNT_DETACH)) }
  }

  @Test(
    "A folder with a disk mounted in it is neither trashed nor deleted, and the disk is not emptied",
    .enabled(if: Bench.canMount), arguments: [false, true], ["stick", "my stick", "öäü"])
  func removal(isPermanentDeletion: Bool, name: String) async throws {
    let tree = try (bench.a / "tree").makeFolder()
    let stick = try (tree / name).makeFolder()
    try mounted(stick)
    defer { unmount(stick) }
    try (stick / "in").write("in")
    for item in [tree, stick] {
      let result = await bench.deliver(.remove, [item], permanently: isPermanentDeletion)
      #expect(result.failures.map(\.reason) == [.otherDisk])
      #expect((stick / "in").text == "in")
    }
    // One that is replaced would go to the trash as well.
    try (bench.b / "tree").write("x")
    let replacing = await bench.deliver(.copy, [bench.b / "tree"], to: bench.a, clash: .replace)
    #expect(replacing.failures.map(\.reason) == [.otherDisk])
    #expect((stick / "in").text == "in")
    let moved = await bench.deliver(.move, [stick])
    #expect(moved.failures.map(\.reason) == [.otherDisk])
    #expect((stick / "in").text == "in")
  }

  @Test(
    "H14: what is mounted in the way of a drop, or of its undo, is told as that, by its name",
    .enabled(if: Bench.canMount))
  func inTheWay() async throws {
    let file = try (bench.b / "file").write("old")
    let mounted = mount(
      (try (bench.root / "other").write("other")).string, file.string, nil, 4096, nil)
    try #require(mounted == 0)
    defer { unmount(file) }
    try (bench.a / "file").write("new")
    let replacing = await bench.deliver(.copy, [bench.a / "file"], clash: .replace)
    #expect(replacing.failures.map(\.reason) == [.otherDisk])
    // A folder that all has gone out of, and that is a mount point.
    let inner = try ((bench.a / "tree").makeFolder() / "inner").makeFolder()
    try self.mounted(inner)
    try (inner / "x").write("x")
    try ((bench.b / "tree").makeFolder() / "inner").makeFolder()
    let merged = await bench.deliver(.move, [bench.a / "tree"], clash: .merge)
    #expect(merged.leftOut.map(\.reason).contains(.otherDisk), "\(merged)")
    #expect(!merged.leftOut.map(\.reason).contains(.busy))
    unmount(inner)
    let whole = try (bench.a / "whole").makeFolder()
    try (whole / "x").write("x")
    try (whole / "stick").makeFolder()
    #expect(await bench.deliver(.copy, [whole]).outcome == .delivered)
    let stick = bench.b / "whole" / "stick"
    try self.mounted(stick)
    defer { unmount(stick) }
    try (stick / "in").write("in")
    guard case .partly(_, _, let failures) = await bench.undo() else {
      Issue.record("not refused")
      return
    }
    #expect(failures.map(\.name) == ["stick"] && failures.map(\.reason) == [.otherDisk])
    #expect((bench.b / "whole").names == ["stick", "x"] && (stick / "in").text == "in")
  }

  @Test(
    "What is in a subvolume of Btrfs goes to a trash that other programs show, and comes back",
    .enabled(if: Subvolume.isPossible))
  func subvolume() async throws {
    let disk = try Subvolume(in: bench.root)
    let file = try (disk.path / "x").write("x")
    let result = await bench.deliver(.remove, [file])
    #expect(result.landed == [bench.home / "files" / "x"])
    #expect(await bench.undo().isDone)
    #expect(file.text == "x")
    // What is replaced is renamed, not copied, and undo finds it.
    try (bench.a / "x").write("new")
    #expect(
      await bench.deliver(.copy, [bench.a / "x"], to: disk.path, clash: .replace).outcome
        == .delivered)
    #expect(await bench.undo().isDone)
    #expect(file.text == "x")
  }

  @Test(
    "A table of mounts that can't be read, or a folder that can't be reached, is no folder without any"
  )
  func unknownMounts() {
    #expect(throws: Errno.self) { try Mounts.points(in: bench.a / "none", with: [" /"], most: 1) }
    #expect(throws: Errno.self) { try Mounts.points(in: bench.a, with: [" /"], most: 1) }
    #expect(throws: Errno.self) { try Mounts.areIn(bench.a / "none" / "folder", of: []) }
    #expect(throws: Never.self) { try Mounts.areIn(bench.a, of: Mounts.all) }
  }

  @Test(
    "A folder that a link on another disk leads to has the trash of that disk's top folder",
    .enabled(if: Bench.canMount))
  func linkedTrash() async throws {
    let disk = try (bench.root / "disk").makeFolder()
    try mounted(disk)
    defer { unmount(disk) }
    let inner = try ((disk / "inner").makeFolder() / "deep").makeFolder()
    try (inner / "x").write("x")
    let link = bench.a / "link"
    try FileCalls.makeLink(AT_FDCWD, FileName(bytes: link.rawBytes), to: inner.rawBytes)
    let result = await bench.deliver(.remove, [link / "x"])
    let trash = disk / ".Trash-\(geteuid())"
    #expect(result.landed == [trash / "files" / "x"])
    #expect((trash / "info" / "x.trashinfo").text?.contains("Path=inner/deep/x\n") == true)
    #expect(disk.names.sorted() == [".Trash-\(geteuid())", "inner"] && inner.names.isEmpty)
    #expect(await bench.undo().isDone)
    #expect((inner / "x").text == "x")
  }

  @Test(
    "A link does not replace what it leads to, nor a folder around that",
    arguments: [DragOperation.copy, .move], ["docs", "docs/inner", "docs/inner/x"])
  func linkReplacing(operation: DragOperation, end: String) async throws {
    let docs = try (bench.b / "docs").makeFolder()
    try ((docs / "inner").makeFolder() / "x").write("x")
    let link = bench.a / "docs"
    let text = (bench.b.pushing(FilePath(end))).rawBytes
    try FileCalls.makeLink(AT_FDCWD, FileName(bytes: link.rawBytes), to: text)
    let result = await bench.deliver(operation, [link], clash: .replace)
    #expect(result.failures.map(\.reason) == [.samePlace])
    #expect((docs / "inner" / "x").text == "x" && bench.a.names == ["docs"])
  }

  @Test("A file that grows while its folder is copied is left out, and the others go")
  func growing() async throws {
    let tree = try (bench.a / "tree").makeFolder()
    for name in ["a", "z"] { try (tree / name).write(name) }
    try (tree / "log").write([UInt8](repeating: 7, count: 4_000_000))
    let log = open((tree / "log").string, O_WRONLY | O_APPEND)
    try #require(log >= 0)
    let isOver = Mutex(false)
    // On a thread of its own: it never waits, and Swift has one a processor.
    async let written: Void = withCheckedContinuation { done in
      Thread.detachNewThread {
        while !isOver.withLock({ $0 }) { _ = write(log, "!", 1) }
        done.resume()
      }
    }
    var result = await bench.deliver(.copy, [tree])
    // The writer may have had no turn while it was read.
    for _ in 0..<20 where result.leftOut.isEmpty { result = await bench.deliver(.copy, [tree]) }
    isOver.withLock { $0 = true }
    await written
    close(log)
    #expect(result.leftOut == [DeliveryFailure(tree / "log", .changed)])
    #expect(result.landed.map(\.names) == [["a", "z"]])
  }
}
