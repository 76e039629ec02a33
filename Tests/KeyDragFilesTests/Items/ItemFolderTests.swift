import Glibc
import KeyDrag
import KeyDragTypes
import Synchronization
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("Items of a program dropped onto a real folder")
struct ItemFolderTests {
  private let bench: Bench
  private let types = SystemContentTypes()
  private var folder: ItemFolder { ItemFolder(bench.b, types: types) }

  init() throws { bench = try Bench() }

  private func item(_ name: String, _ forms: Representation...) throws -> ItemProvider {
    try ItemProvider(suggestedName: name, representations: forms)
      .opened(by: LoadGate(types: types))
  }

  private func write(_ item: ItemProvider) async throws -> String {
    let file = try #require(folder.plan(for: item))
    return try await folder.write(file, from: item, progress: LoadProgress())
  }

  static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]

  @Test(
    "H24: a contact, an event, text, styled text and an image become files that open again",
    arguments: [
      ("Ada", "text/vcard", "Ada.vcf", Array("BEGIN:VCARD\nEND:VCARD\n".utf8)),
      ("Lunch", "text/calendar", "Lunch.ics", Array("BEGIN:VCALENDAR\nEND:VCALENDAR\n".utf8)),
      ("Dear Ada", "text/plain", "Dear Ada.txt", Array("Dear Ada".utf8)),
      ("Dear Ada", "text/html", "Dear Ada.html", Array("<b>Dear</b> Ada".utf8)),
      ("Photo", "image/png", "Photo.png", png), ("Empty", "text/plain", "Empty.txt", []),
    ])
  func files(name: String, type: String, file: String, bytes: [UInt8]) async throws {
    let item = try item(
      name, Representation(type, bytes: bytes),
      Representation("application/x-poorer", bytes: [0]))
    #expect(try await write(item) == file)
    #expect(bench.b.names == [file])
    #expect((bench.b / file).contents == bytes)
    #expect(types.type(forName: file, head: bytes) == type)
  }

  @Test("H24: text dropped onto a folder drops back as text")
  func clipping() async throws {
    let name = try await write(try item("Dear Ada", Representation("text/plain", bytes: [65, 66])))
    let world = PlacesStage([bench.b]).world
    let source = try #require(world.source(at: bench.b / name))
    let item = try #require(await world.prepare([source]).items.first)
    let back = try #require(ItemProvider(carried: item, as: item.types, from: world))
    #expect(try await back.opened(by: LoadGate(types: types)).load(String.self) == "AB")
  }

  @Test("H24: the best form that has files is written, and a private form never is")
  func choice() async throws {
    let item = try item(
      "Ada", Representation("text/vcard", visibility: .thisProgram, bytes: [1]),
      Representation("application/x-inner", bytes: [2]), Representation("text/plain", bytes: [3]))
    #expect(try await write(item) == "Ada.txt")
    #expect((bench.b / "Ada.txt").contents == [3])
    let hidden = try self.item(
      "x", Representation("text/plain", visibility: .thisProgram, bytes: [1]))
    #expect(folder.plan(for: hidden) == nil)
  }

  @Test("H08: an existing file is never replaced")
  func unusedName() async throws {
    let item = try item("Ada", Representation("text/plain", bytes: [65]))
    #expect(try await write(item) == "Ada.txt")
    #expect(try await write(item) == "Ada (2).txt")
    #expect(try await write(item) == "Ada (3).txt")
    #expect(bench.b.names == ["Ada (2).txt", "Ada (3).txt", "Ada.txt"])
  }

  @Test("H19: a cancelled file leaves nothing behind")
  func cancelled() async throws {
    let (started, starting) = AsyncStream.makeStream(of: Void.self)
    let endless = try item(
      "log",
      Representation("text/plain", byteCount: nil) {
        { offset, count in
          if offset == 1 << 20 { starting.yield() }
          return [UInt8](repeating: 65, count: count)
        }
      })
    let writing = Task { try await write(endless) }
    for await _ in started { break }
    #expect(bench.b.names.allSatisfy { $0.hasPrefix(".keydrag-") })
    writing.cancel()
    await #expect(throws: CancellationError.self) { try await writing.value }
    #expect(bench.b.names == [])
  }

  @Test("H14: a loader that fails in the middle leaves nothing behind, and says why")
  func failing() async throws {
    let broken = try item(
      "log",
      Representation("text/plain", byteCount: 200_000) {
        { offset, count in
          if offset > 100_000 { throw Reason.deviceError }
          return [UInt8](repeating: 65, count: count)
        }
      })
    await #expect(throws: Reason.deviceError) { try await write(broken) }
    let short = try item("log", Representation("text/plain", byteCount: 5) { _ in [1] })
    await #expect(throws: Reason.changed) { try await write(short) }
    #expect(bench.b.names == [])
  }

  @Test("H13: a folder that can't take anything says why beforehand")
  func refusals() throws {
    #expect(folder.refusal() == nil)
    #expect(ItemFolder(bench.root / "missing", types: types).refusal() == .gone)
    let file = try (bench.root / "file").write("")
    #expect(ItemFolder(file, types: types).refusal() == .notAFolder)
  }

  @Test("A full disk fails with its reason and keeps no part", .enabled(if: Bench.canMount))
  func fullDisk() async throws {
    let small = try (bench.root / "small").makeFolder()
    let isMounted = small.withPlatformString { mount("none", $0, "tmpfs", 0, "size=64k") } == 0
    try #require(isMounted)
    defer { small.withPlatformString { _ = umount2($0, Int32(MNT_DETACH)) } }
    let target = ItemFolder(small, types: types)
    let item = try item(
      "big", Representation("text/plain", bytes: Array(repeating: 65, count: 1 << 20)))
    let file = try #require(target.plan(for: item))
    await #expect(throws: Reason.noSpace) {
      try await target.write(file, from: item, progress: LoadProgress())
    }
    #expect(small.names == [])
  }

  // MARK: Through a session

  /// Three contacts, and a folder to drop them on; the one named "Bad" can't be loaded.
  private func session(
    _ names: [String], _ body: (DragController, Heard) async -> Void
  ) async {
    let host = DragHost(types: types)
    let list = host.addContainer("Contacts")
    for name in names {
      host.register(
        DragHost.Source(name) {
          try ItemProvider(
            suggestedName: name,
            representations: [
              Representation("text/vcard") { _ in
                if name == "Bad" { throw Reason.gone }
                return Array("BEGIN:VCARD\nFN:\(name)\nEND:VCARD\n".utf8)
              }
            ])
        }, in: list)
    }
    host.register(
      DragHost.DropPoint("Docs", writingTo: folder), in: host.addContainer("Places"))
    let heard = Heard()
    let controller = host.begin { heard.hear($0) }
    _ = await heard.next("ready")
    controller.perform(.selectAll)
    controller.perform(.pickUp)
    await body(controller, heard)
    await controller.end()
  }

  @Test("H12, H24: what several contacts become is said before the drop, then they are files")
  func several() async {
    await session(["Ada", "Grace", "Mary"]) { controller, heard in
      let point = await heard.next("drop-point")
      #expect(point == "Docs, in Places: copy. Becomes 3 .vcf files. 1 of 1")
      controller.perform(.drop)
      #expect(await heard.next("delivered") == "Copied 3 items to Docs.")
    }
    #expect(bench.b.names == ["Ada.vcf", "Grace.vcf", "Mary.vcf"])
    #expect((bench.b / "Ada.vcf").text == "BEGIN:VCARD\nFN:Ada\nEND:VCARD\n")
  }

  @Test("H12, H24: one contact becomes a file of its name, and a taken name is said")
  func one() async throws {
    try (bench.b / "Ada.vcf").write("before")
    await session(["Ada"]) { controller, heard in
      let point = await heard.next("drop-point")
      #expect(point == "Docs, in Places: copy. Becomes Ada.vcf. 1 of 1")
      controller.perform(.drop)
      let delivered = await heard.next("delivered")
      #expect(delivered == "Copied Ada to Docs. It is named Ada (2).vcf there.")
    }
    #expect((bench.b / "Ada.vcf").text == "before")
  }

  @Test("H14: one bad contact among three fails by name, the others arrive")
  func partly() async {
    await session(["Ada", "Bad", "Mary"]) { controller, heard in
      _ = await heard.next("drop-point")
      controller.perform(.drop)
      #expect(await heard.next("partly-delivered") == "Copied 2 of 3 to Docs. Bad: it is gone.")
    }
    #expect(bench.b.names == ["Ada.vcf", "Mary.vcf"])
  }

  private final class Heard: Sendable {
    private let stream: AsyncStream<SpokenAnnouncement>
    private let speaker: AsyncStream<SpokenAnnouncement>.Continuation

    init() { (stream, speaker) = AsyncStream.makeStream() }

    func hear(_ announcement: SpokenAnnouncement) { speaker.yield(announcement) }

    /// The words of the next announcement with this id; those before it are passed over.
    func next(_ id: String) async -> String {
      for await announcement in stream where announcement.id == id { return announcement.text }
      return ""
    }
  }
}
