import Glibc
import KeyDrag
import KeyDragTypes
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("Real files as items of a program")
struct FileItemTests {
  private let bench: Bench
  private let types = SystemContentTypes()

  init() throws { bench = try Bench() }

  private func item(
    _ path: FilePath, _ access: FileItem.Access = .copied
  ) throws -> ItemProvider {
    try FileItem.provider(for: path, types: types, access: access)
      .opened(by: LoadGate(types: types))
  }

  @Test("A file's type is told by its name, and by its first bytes where the name says nothing")
  func type() throws {
    let png = try (bench.a / "scan").write(ItemFolderTests.png)
    #expect(try item(png).contentTypes == ["image/png"])
    let text = try (bench.a / "a.vcf").write("BEGIN:VCARD")
    #expect(try item(text).contentTypes == ["text/vcard"])
    #expect(try item(text).suggestedName == "a.vcf")
  }

  @Test("H24: text dropped onto a folder drops back as text")
  func clipping() async throws {
    let folder = ItemFolder(bench.b, types: types)
    let text = try ItemProvider("Dear Ada,\nhow are you?").opened(by: LoadGate(types: types))
    let file = try #require(folder.plan(for: text))
    let name = try await folder.write(file, from: text, progress: LoadProgress())
    #expect(name == "Dear Ada,.txt")
    let back = try item(bench.b / name)
    #expect(try await back.load(String.self) == "Dear Ada,\nhow are you?")
  }

  @Test("A file is read whole, in part and in pieces, and closed afterwards")
  func reading() async throws {
    let bytes = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let path = try (bench.a / "x.bin").write(bytes)
    let item = try item(path)
    let type = item.contentTypes[0]
    #expect(try await item.load(type) == bytes)
    #expect(try await item.load(type, range: 100_000..<100_003) == Array(bytes[100_000..<100_003]))
    var count = 0
    for try await piece in try item.chunks(of: type) { count += piece.count }
    #expect(count == bytes.count)
    let descriptors = try OpenFolder("/proc/self/fd")
    let isOpen = try FileCalls.names(in: descriptors.raw).contains { name in
      (try? FileCalls.linkText(descriptors.raw, name)) == path.rawBytes
    }
    #expect(!isOpen)
  }

  @Test("A file may be read in place only where that was said")
  func inPlace() throws {
    let path = try (bench.a / "x.txt").write("x")
    #expect(try item(path, .inPlace).filePath(of: "text/plain") == path.rawBytes)
    #expect(try item(path, .copied).filePath(of: "text/plain") == nil)
  }

  @Test("A file that changed or went away since the pick-up fails with that reason")
  func changed() async throws {
    let path = try (bench.a / "x.txt").write("before")
    let grown = try item(path)
    try path.write("before and after")
    await #expect(throws: Reason.changed) { try await grown.load(String.self) }
    let gone = try item(path)
    path.withPlatformString { _ = unlink($0) }
    await #expect(throws: Reason.gone) { try await gone.load(String.self) }
  }

  @Test("What is no file is no item, with the reason")
  func noFile() throws {
    let fifo = bench.a / "fifo"
    fifo.withPlatformString { _ = mkfifo($0, 0o600) }
    #expect(throws: Reason.specialFile) { try item(fifo) }
    #expect(throws: Reason.isAFolder) { try item(bench.b) }
    #expect(throws: Reason.gone) { try item(bench.a / "missing") }
  }
}
