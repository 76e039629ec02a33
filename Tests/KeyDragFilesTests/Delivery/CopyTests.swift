import CLinux
import Foundation
import Glibc
import KeyDragCore
import Synchronization
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("Copying files")
struct CopyTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  @Test(
    "Into a shared folder, copies have the group and the access list that cp -r gives them",
    .enabled(if: geteuid() == 0), arguments: [nil, 5, 0])
  func shared(othersByList: UInt16?) async throws {
    let shared = try (bench.root / "shared").makeFolder()
    let twin = try (bench.root / "twin").makeFolder()
    let tree = try (bench.a / "tree").makeFolder()
    try ((tree / "inner").makeFolder() / "x").write("x")
    try (bench.a / "y").write("y")
    try FileCalls.makeLink(
      AT_FDCWD, FileName(bytes: (tree / "link").rawBytes), to: Array("y".utf8))
    for folder in [shared, twin] {
      folder.withPlatformString {
        _ = chown($0, 0, 12_345)
        _ = chmod($0, 0o2775)
      }
      guard let othersByList else { continue }
      // Version 2; then tag, rights and number of owner, a group, own group, mask and others (acl(5)).
      let entries: [(UInt16, UInt16, UInt32)] = [
        (1, 7, .max), (4, 5, .max), (8, 7, 54_321), (16, 7, .max), (32, othersByList, .max),
      ]
      var list: [UInt8] = [2, 0, 0, 0]
      for (tag, rights, number) in entries {
        withUnsafeBytes(of: tag.littleEndian) { list += $0 }
        withUnsafeBytes(of: rights.littleEndian) { list += $0 }
        withUnsafeBytes(of: number.littleEndian) { list += $0 }
      }
      let open = try OpenFolder(folder)
      let isSet =
        clinux_set_attribute(open.raw, "system.posix_acl_default", list, list.count) == 0
      try #require(isSet)
    }
    #expect(await bench.deliver(.copy, [tree, bench.a / "y"], to: shared).outcome == .delivered)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/cp")
    process.arguments = ["-r", tree.string, (bench.a / "y").string, twin.string]
    try process.run()
    process.waitUntilExit()
    for name in ["tree", "tree/inner", "tree/inner/x", "tree/link", "y"] {
      let (own, theirs) = (shared.pushing(FilePath(name)), twin.pushing(FilePath(name)))
      let (one, other) = (try FileCalls.status(own), try FileCalls.status(theirs))
      #expect(one.group == 12_345 && one.group == other.group, "\(name)")
      #expect(one.mode & mode_t(S_ISGID) == other.mode & mode_t(S_ISGID), "\(name)")
      if one.kind == .link { continue }
      for list in ["system.posix_acl_access", "system.posix_acl_default"] {
        func value(_ path: FilePath) throws -> [UInt8] {
          let file = try FileCalls.open(path, flags: O_RDONLY)
          var bytes = [UInt8](repeating: 0, count: 1_000)
          let count = clinux_get_attribute(file.raw, list, &bytes, bytes.count)
          return Array(bytes.prefix(max(count, 0)))
        }
        #expect(try value(own) == value(theirs), "\(name) \(list)")
      }
    }
  }

  @Test("H07: several items arrive in order, and their sources stay")
  func several() async throws {
    let sources = try (1...5).map { try (bench.a / "file \($0)").write("contents \($0)") }
    let result = await bench.deliver(.copy, sources)
    #expect(result.outcome == .delivered)
    #expect(result.landed == (1...5).map { bench.b / "file \($0)" })
    #expect((1...5).allSatisfy { (bench.b / "file \($0)").text == "contents \($0)" })
    #expect(sources.allSatisfy { $0.exists })
    #expect(result.verified)
    #expect(result.bytes == 50 && result.totalBytes == 50)
  }

  @Test("What another delivery has not finished in a folder is not copied with it")
  func unfinished() async throws {
    let tree = try (bench.a / "tree").makeFolder()
    for name in ["x", ".keydrag-0123456789abcdef-0.part", ".keydrag-notes"] {
      try (tree / name).write(name)
    }
    let result = await bench.deliver(.copy, [tree])
    #expect(result.outcome == .delivered && result.failures.isEmpty)
    #expect((bench.b / "tree").names.sorted() == [".keydrag-notes", "x"])
    #expect(await bench.undo().isDone)
    #expect(bench.b.names.isEmpty)
  }

  @Test("H08: a folder is copied beside itself while another of its name becomes one with it")
  func besideItself() async throws {
    let own = try (bench.b / "sub").makeFolder()
    let other = try (bench.a / "sub").makeFolder()
    try (own / "x").write("own")
    try (other / "x").write("other")
    _ = await bench.deliver(.copy, [other, own], clash: .merge)
    for name in bench.b.names {
      #expect(!(bench.b / name).names.contains { $0.hasPrefix(".") }, "\(name)")
    }
  }

  @Test("A copy keeps mode, times to the nanosecond and extended attributes")
  func attributes() async throws {
    let source = try (bench.a / "script.sh").write("echo")
    let value = Array("blue".utf8)
    let file = try FileCalls.open(source, flags: O_RDWR)
    let canKeep = clinux_set_attribute(file.raw, "user.colour", value, value.count) == 0
    source.withPlatformString { _ = chmod($0, 0o751) }
    source.setTimes(1_000_000_000, 123_456_789)
    let result = await bench.deliver(.copy, [source])
    let copy = try FileCalls.status(bench.b / "script.sh")
    #expect(copy.mode == 0o751)
    #expect(copy.modified == 1_000_000_000_123_456_789)
    #expect(result.lostAttributes.isEmpty)
    if canKeep {
      let kept = try FileCalls.open(bench.b / "script.sh", flags: O_RDONLY)
      var read = [UInt8](repeating: 0, count: 10)
      #expect(clinux_get_attribute(kept.raw, "user.colour", &read, 10) == 4)
      #expect(Array(read.prefix(4)) == value)
    }
  }

  @Test("A file that is moved to another disk keeps the time at which it was read last")
  func accessTime() async throws {
    let other = try #require(bench.elsewhere)
    let source = try (bench.a / "x").write("x")
    source.setTimes(1_000_000_000, 123_456_789)
    let before = try FileCalls.status(source).accessTime
    #expect(await bench.deliver(.move, [source], to: other).outcome == .delivered)
    let after = try FileCalls.status(other / "x").accessTime
    #expect(after.nanoseconds == before.nanoseconds)
  }

  @Test(
    "A file in a copied folder keeps its mode, also where it was made with it",
    arguments: [0o400, 0o444, 0o600, 0o640, 0o644, 0o666, 0o751, 0o4755, 0o2711] as [mode_t])
  func modes(mode: mode_t) async throws {
    let folder = try (bench.a / "folder").makeFolder()
    let file = try (folder / "file").write("x")
    file.withPlatformString { _ = chmod($0, mode) }
    #expect(await bench.deliver(.copy, [folder]).outcome == .delivered)
    #expect(try FileCalls.status(bench.b / "folder" / "file").mode == mode)
    #expect((bench.b / "folder" / "file").text == "x")
  }

  @Test("Attributes that the target cannot keep are named once, and are no failure")
  func lostAttributes() async throws {
    let other = try #require(bench.elsewhere)
    let sources = try (1...3).map { try (bench.a / "\($0)").write("x") }
    for source in sources {
      let file = try FileCalls.open(source, flags: O_RDWR)
      let value = [UInt8](repeating: 1, count: 2)
      try #require(clinux_set_attribute(file.raw, "user.colour", value, 2) == 0)
    }
    let copied = await bench.deliver(.copy, sources, to: other)
    #expect(copied.outcome == .delivered)
    let probe = try FileCalls.open(other / "1", flags: O_RDWR)
    let value: [UInt8] = [1]
    // Whether memory file systems know this attribute depends on the kernel.
    let isKnown = clinux_set_attribute(probe.raw, "user.probe", value, 1) == 0
    #expect(copied.lostAttributes == (isKnown ? [] : ["user.colour"]))
  }

  @Test("Holes of a sparse file stay holes", arguments: [true, false])
  func holes(digesting: Bool) throws {
    let source = bench.a / "sparse"
    try source.write("start")
    let file = try FileCalls.open(source, flags: O_RDWR)
    try FileCalls.checked { ftruncate(file.raw, 64 << 20) }
    try FileCalls.checked { pwrite(file.raw, "end", 3, off_t(32 << 20)) }
    let stamp = try FileCalls.status(source)
    try #require(stamp.stored < 1 << 20)
    let copier = TreeCopier(meter: ProgressMeter())
    _ = try copier.copy(
      from: OpenedEntry(source).place, to: OpenedEntry(bench.b / "sparse").place, lasting: digesting
    )
    let copy = try FileCalls.status(bench.b / "sparse")
    #expect(copy.size == 64 << 20)
    #expect(copy.stored < 1 << 20)
    #expect(
      try copier.contents(of: OpenedEntry(source).place)
        == copier.contents(of: OpenedEntry(bench.b / "sparse").place))
  }

  @Test("Folders go with all that is in them, links as links, times and modes of folders too")
  func trees() async throws {
    let tree = try (bench.a / "tree").makeFolder()
    let inner = try (tree / "inner").makeFolder()
    try (inner / "deep.txt").write("deep")
    try FileCalls.makeLink(
      AT_FDCWD, FileName(bytes: (tree / "link").rawBytes), to: Array("nowhere".utf8))
    inner.withPlatformString { _ = chmod($0, 0o550) }
    inner.setTimes(1_111_111_111)
    let result = await bench.deliver(.copy, [tree])
    #expect(result.outcome == .delivered)
    let copy = bench.b / "tree"
    #expect((copy / "inner" / "deep.txt").text == "deep")
    let link = FileName(bytes: (copy / "link").rawBytes)
    #expect(try FileCalls.linkText(AT_FDCWD, link) == Array("nowhere".utf8))
    let kept = try FileCalls.status(copy / "inner")
    #expect(kept.mode == 0o550)
    #expect(kept.modified == 1_111_111_111_000_000_000)
  }

  @Test("A tree of 3,000 levels is copied and removed without running out of anything")
  func deep() throws {
    var folder = try OwnedDescriptor(
      owning: FileCalls.checked { bench.a.withPlatformString { open($0, O_RDONLY) } })
    for _ in 0..<3000 {
      try FileCalls.makeFolder(folder.raw, FileName("d"))
      folder = try FileCalls.open(folder.raw, FileName("d"), flags: O_RDONLY | O_DIRECTORY)
    }
    let copier = TreeCopier(meter: ProgressMeter())
    _ = try copier.copy(
      from: OpenedEntry(bench.a / "d").place, to: OpenedEntry(bench.b / "d").place, lasting: false)
    #expect(
      try copier.contents(of: OpenedEntry(bench.a / "d").place)
        == copier.contents(of: OpenedEntry(bench.b / "d").place))
    try TreeRemover.remove(OpenedEntry(bench.b / "d").place)
    #expect(bench.b.names.isEmpty)
  }

  @Test("A large file arrives byte for byte on the same and on another file system")
  func large() async throws {
    let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 11) }
    let source = try (bench.a / "large").write(bytes)
    for target in [bench.b, bench.elsewhere].compactMap({ $0 }) {
      let result = await bench.deliver(.copy, [source], to: target)
      #expect(result.outcome == .delivered)
      #expect((target / "large").contents == bytes)
    }
  }

  @Test("Links lead to the absolute path of what was dropped")
  func link() async throws {
    let source = try (bench.a / "x").write("x")
    let result = await bench.deliver(.link, [bench.a.appending("../A/x")])
    #expect(result.outcome == .delivered)
    let link = FileName(bytes: (bench.b / "x").rawBytes)
    #expect(try FileCalls.linkText(AT_FDCWD, link).starts(with: Array("/".utf8)))
    #expect((bench.b / "x").text == source.text)
  }

  @Test("A copy has its name only once its contents are on the device, unless speed was chosen")
  func flushedBeforeNamed() throws {
    for (name, waits) in [("x", true), ("y", false)] {
      try (bench.a / name).write(name)
      let entry = EntryRecord(
        operation: .copy, permanently: false, place: "B", time: 0, token: name, planned: 1)
      let order = FileOrder(
        operation: .copy, sources: [bench.a / name], target: bench.b, placeName: "B")
      var planner = try DeliveryPlanner(
        order: order, entry: entry, target: OpenFolder(bench.b), trash: bench.trash)
      var step = try #require(try planner.step(0))
      let runner = StepRunner(
        meter: ProgressMeter(), trash: bench.trash,
        writer: JournalWriter(Journal(folder: bench.state, flushesToDevice: waits), entry))
      try runner.take(&step)
      #expect(FileCalls.exists(step.targetFolder.raw, FileName(name)) == !waits)
      guard waits else { continue }
      #expect(runner.flush([step], at: [0]) == nil)
      try runner.land(&step)
      #expect((bench.b / name).text == name)
    }
    #expect(bench.b.names == ["x", "y"])
  }
  @Test(
    "A file that another program hands over is opened once: what was measured is what is copied")
  func handedOver() async throws {
    let loading = Handing(try (bench.root / "outside").write("outside"))
    var order = FileOrder(
      operation: .copy, sources: ["/x"], target: bench.b, placeName: "B")
    order.handed = [0: try #require(PassedFile(DragSourceID(1, of: .visitors), from: loading))]
    let result = await bench.deliver(order).result
    #expect(result.outcome == .delivered && result.totalBytes == 7, "\(result)")
    #expect((bench.b / "x").text == "outside")
    #expect(loading.count.load(ordering: .relaxed) == 1)
  }
}

/// Hands over a file, and counts how often.
private final class Handing: ItemLoading {
  private let file: FilePath
  let count = Atomic(0)

  init(_ file: FilePath) { self.file = file }

  func open(
    _ source: DragSourceID, as contentType: String, progress: LoadProgress
  ) async throws -> ItemStream { throw Reason.gone }

  func filePath(of source: DragSourceID) -> [UInt8]? { nil }

  func fileName(of source: DragSourceID) -> [UInt8]? { Array("x".utf8) }

  func openFile(_ source: DragSourceID) async throws -> Int32 {
    count.add(1, ordering: .relaxed)
    return file.withPlatformString { Glibc.open($0, O_RDONLY | O_CLOEXEC) }
  }
}
