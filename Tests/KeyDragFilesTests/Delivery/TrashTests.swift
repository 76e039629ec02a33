import Glibc
import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("The trash")
struct TrashTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  @Test("The note beside a trashed file holds its escaped path and the local time of its removal")
  func note() async throws {
    setenv("TZ", "UTC", 1)
    tzset()
    let text = TrashInfo.text(
      path: FilePath(rawBytes: Array("/a b/é%\n".utf8)), date: 1_000_000_000)
    #expect(
      String(decoding: text, as: UTF8.self)
        == "[Trash Info]\nPath=/a%20b/%C3%A9%25%0A\nDeletionDate=2001-09-09T01:46:40\n")
    try (bench.a / "x y").write("x")
    _ = await bench.deliver(.remove, [bench.a / "x y"])
    let written = (bench.home / "info" / "x y.trashinfo").text ?? ""
    #expect(written.contains("Path=\(TrashInfo.encoded((bench.a / "x y").rawBytes))\n"))
    #expect(try FileCalls.status(bench.home).mode == 0o700)
  }

  @Test("Things of one name lie side by side in the trash, and a name of 255 bytes still fits")
  func names() async throws {
    for _ in 1...3 {
      try (bench.a / "x.txt").write("x")
      #expect(await bench.deliver(.remove, [bench.a / "x.txt"]).outcome == .delivered)
    }
    #expect((bench.home / "files").names == ["x (2).txt", "x (3).txt", "x.txt"])
    let long = FileName(bytes: [UInt8](repeating: UInt8(ascii: "n"), count: 255))
    for text in ["first", "second", "third"] {
      try bench.a.appending(long).write(text)
      #expect(await bench.deliver(.remove, [bench.a.appending(long)]).outcome == .delivered)
    }
    #expect(await bench.undo().isDone)
    #expect(bench.a.appending(long).text == "third")
    try bench.b.appending(long).write("fourth")
    let replaced = await bench.deliver(
      .copy, [bench.b.appending(long)], to: bench.a, clash: .replace)
    #expect(replaced.outcome == .delivered)
    #expect((bench.home / "files").names.count == 6)
  }

  @Test("A thousand items go to the trash in one delivery")
  func many() async throws {
    let sources = try (0..<1000).map { try (bench.a / "f\($0)").write("") }
    #expect(await bench.deliver(.remove, sources).outcome == .delivered)
    #expect((bench.home / "info").names.count == 1000)
    #expect(await bench.undo().isDone)
    #expect(bench.a.names.count == 1000)
  }

  @Test(
    "On another file system its own trash is used, with a path from its top folder",
    .enabled(if: Bench.hasOtherFileSystem))
  func otherFileSystem() async throws {
    let bench = try Bench(isOnDisk: true)
    let other = try #require(bench.elsewhere)
    let name = "keydrag-\(RandomName.hexadecimal(8))"
    try (other / name).write("x")
    let result = await bench.deliver(.remove, [other / name])
    let trash = FilePath("/dev/shm/.Trash-\(geteuid())")
    // What others have in there keeps it from going.
    defer {
      for folder in [trash / "files", trash / "info", trash] {
        folder.withPlatformString { _ = rmdir($0) }
      }
    }
    #expect(result.landed == [trash / "files" / name])
    let info = (trash / "info" / "\(name).trashinfo").text ?? ""
    let folder = other.lastComponent?.string ?? ""
    #expect(info.contains("Path=\(folder)/\(name)\n"))
    #expect(await bench.undo().isDone)
    #expect((other / name).text == "x")
  }

  @Test(
    "Without a trash of its own the home trash takes a verified copy",
    .enabled(if: Bench.canMount))
  func homeFallback() async throws {
    let mountPoint = try (bench.root / "mount").makeFolder()
    let isMounted =
      mountPoint.withPlatformString { mount("none", $0, "tmpfs", 0, "size=1m") } == 0
    try #require(isMounted)
    defer { mountPoint.withPlatformString { _ = umount2($0, Int32(MNT_DETACH)) } }
    // A link where the trash would be must not be followed.
    try FileCalls.makeLink(
      AT_FDCWD, FileName(bytes: (mountPoint / ".Trash-\(geteuid())").rawBytes),
      to: bench.b.rawBytes)
    try (mountPoint / "x").write("x")
    let result = await bench.deliver(.remove, [mountPoint / "x"])
    #expect(result.landed == [bench.home / "files" / "x"])
    #expect((bench.home / "files" / "x").text == "x")
    #expect(!(mountPoint / "x").exists)
    #expect(bench.b.names.isEmpty)
    #expect(await bench.undo().isDone)
    #expect((mountPoint / "x").text == "x")
    #expect((bench.home / "files").names.isEmpty)
  }

  @Test(
    "H08: where no trash can be made nothing is removed, and that is known beforehand",
    .enabled(if: Bench.canMount))
  func noTrash() async throws {
    let mountPoint = try (bench.root / "mount").makeFolder()
    let isMounted =
      mountPoint.withPlatformString { mount("none", $0, "tmpfs", 0, "size=1m") } == 0
    try #require(isMounted)
    defer { mountPoint.withPlatformString { _ = umount2($0, Int32(MNT_DETACH)) } }
    try FileCalls.makeLink(
      AT_FDCWD, FileName(bytes: (mountPoint / ".Trash-\(geteuid())").rawBytes),
      to: bench.b.rawBytes)
    let source = try (mountPoint / "x").write("x")
    // Below a file no folder can be made.
    let trash = TrashCan(home: try (bench.root / "file").write("") / "Trash")
    #expect(trash.canTrash(source) == .noTrash)
    let courier = JournaledCourier(journal: bench.journal, trash: trash)
    let order = FileOrder(operation: .remove, sources: [source], target: "/", placeName: "")
    let result: DeliveryResult = await withCheckedContinuation { done in
      courier.deliver(order, id: DeliveryID(1)) { event, _ in
        if case .finished(let result) = event { done.resume(returning: result) }
      }
    }
    #expect(result.failures == [DeliveryFailure(source, .noTrash)])
    #expect(source.text == "x")
    #expect(bench.trash.canTrash(source) == nil)
    #expect(bench.trash.canTrash(mountPoint / "missing") == .gone)
  }
}
