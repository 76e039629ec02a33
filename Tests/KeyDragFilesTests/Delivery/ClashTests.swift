import Glibc
import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("A name that exists at the target")
struct ClashTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  @Test(
    "Both are kept under different names, and the new name is told",
    arguments: [DragOperation.copy, .move, .link])
  func keepBoth(operation: DragOperation) async throws {
    try (bench.a / "notes.txt").write("new")
    try (bench.b / "notes.txt").write("old")
    let result = await bench.deliver(operation, [bench.a / "notes.txt"])
    #expect(result.outcome == .delivered)
    #expect(result.renamed == ["notes (2).txt"])
    #expect((bench.b / "notes.txt").text == "old")
    #expect((bench.b / "notes (2).txt").exists)
  }

  @Test(
    "H08: what is replaced goes to the trash, and comes back when the drop is undone",
    arguments: [DragOperation.copy, .move, .link])
  func replace(operation: DragOperation) async throws {
    try (bench.a / "notes.txt").write("new")
    try (bench.b / "notes.txt").write("old")
    let result = await bench.deliver(operation, [bench.a / "notes.txt"], clash: .replace)
    #expect(result.outcome == .delivered)
    #expect((bench.b / "notes.txt").text == "new")
    #expect((bench.home / "files" / "notes.txt").text == "old")
    #expect(await bench.undo().isDone)
    #expect((bench.b / "notes.txt").text == "old")
    #expect((bench.a / "notes.txt").text == "new")
    #expect((bench.home / "files").names.isEmpty && (bench.home / "info").names.isEmpty)
    #expect(await bench.redo().isDone)
    #expect((bench.b / "notes.txt").text == "new")
    #expect((bench.home / "files" / "notes.txt").text == "old")
  }

  @Test("What clashes is skipped and stays, the rest is delivered")
  func skip() async throws {
    try (bench.a / "x").write("new")
    try (bench.a / "y").write("y")
    try (bench.b / "x").write("old")
    let result = await bench.deliver(.move, [bench.a / "x", bench.a / "y"], clash: .skip)
    #expect(result.outcome == .partly)
    #expect(result.failures == [DeliveryFailure(bench.a / "x", .nameExists)])
    #expect((bench.b / "x").text == "old")
    #expect(bench.a.names == ["x"])
  }

  @Test("One clash fails the whole delivery before anything is touched")
  func fail() async throws {
    try (bench.a / "x").write("new")
    try (bench.a / "y").write("y")
    try (bench.b / "y").write("old")
    let result = await bench.deliver(.move, [bench.a / "x", bench.a / "y"], clash: .fail)
    #expect(result.outcome == .refused)
    #expect(result.failures == [DeliveryFailure(bench.a / "y", .nameExists)])
    #expect(bench.a.names == ["x", "y"])
    #expect(bench.b.names == ["y"])
  }

  @Test("Two items of one drop with the same name are both kept", arguments: ClashPolicy.kept)
  func twins(clash: ClashPolicy) async throws {
    try (bench.root / "A2").makeFolder()
    let sources = [bench.a / "x.tar.gz", bench.root / "A2" / "x.tar.gz"]
    try sources[0].write("one")
    try sources[1].write("two")
    let result = await bench.deliver(.move, sources, clash: clash)
    #expect(result.outcome == .delivered)
    #expect((bench.b / "x.tar.gz").text == "one")
    #expect((bench.b / "x (2).tar.gz").text == "two")
  }

  @Test(
    "What follows a dot in a folder's name is no extension", arguments: ["v1.2", "a.tar.gz", ".x"])
  func dottedFolder(name: String) async throws {
    for folder in [bench.a, bench.b] { try ((folder / name).makeFolder() / "in").write("in") }
    #expect(await bench.deliver(.move, [bench.a / name]).outcome == .delivered)
    #expect(bench.b.names.sorted() == [name, name + " (2)"])
  }

  @Test("A file does not replace itself")
  func itself() async throws {
    try (bench.a / "x").write("x")
    let result = await bench.deliver(.copy, [bench.a / "x"], to: bench.a, clash: .replace)
    #expect(result.failures.map(\.reason) == [.samePlace])
    #expect(bench.a.names == ["x"])
    #expect((bench.a / "x").text == "x")
  }

  @Test("H05: a rename replaces no second link to the same file, whatever its case")
  func links() async throws {
    let file = try (bench.a / "name").write("in")
    #expect(link(file.string, (bench.a / "Name").string) == 0)
    var order = FileOrder(
      operation: .move, sources: [file], target: bench.a, clash: .fail, placeName: "Name")
    order.newName = FileName("Name")
    #expect(await bench.deliver(order).result.failures.map(\.reason) == [.nameExists])
    #expect(bench.a.names == ["Name", "name"])
  }

  @Test(
    "A number goes before the extension and the name stays short enough",
    arguments: [
      ("notes.txt", "notes (2).txt"), ("notes", "notes (2)"), (".bashrc", ".bashrc (2)"),
      ("a.tar.gz", "a (2).tar.gz"), (".tar.gz", ".tar (2).gz"), ("Mr. Smith", "Mr. Smith (2)"),
      ("..x", "..x (2)"), ("end.", "end. (2)"), ("trip (2020).jpg", "trip (2020) (2).jpg"),
    ])
  func numbered(name: String, expected: String) {
    #expect(FreeName.numbered(FileName(name), 2) == FileName(expected))
  }

  @Test("A long name is cut between characters and keeps its extension", arguments: 240...255)
  func long(length: Int) throws {
    var bytes = Array(String(repeating: "é", count: 130).utf8.prefix(length - 4))
    if bytes.last == 0xC3 { bytes[bytes.count - 1] = UInt8(ascii: "e") }
    let name = FreeName.numbered(FileName(bytes: bytes + Array(".txt".utf8)), 12)
    #expect(name.count <= 255)
    let text = try #require(String(validating: name.bytes, as: UTF8.self))
    #expect(text.hasSuffix(" (12).txt"))
  }
}

extension ClashPolicy {
  static let kept: [ClashPolicy] = [.keepBoth, .replace]
}
