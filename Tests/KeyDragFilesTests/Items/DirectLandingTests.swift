import Dispatch
import Glibc
import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("A clipping that is written where its target says", .timeLimit(.minutes(2)))
struct DirectLandingTests {
  private let bench: Bench
  private let journal: Journal
  private let landing: DirectLanding

  init() throws {
    bench = try Bench()
    journal = Journal(folder: bench.state)
    landing = DirectLanding(
      "some words", as: "some words.txt",
      DragForm("text/plain", bytes: Array("some words to carry".utf8)), journal, FolderMemory(),
      DispatchQueue(label: "landing"))
  }

  private func write(_ address: String) async -> DirectSave.Answer {
    await write(bytes: Array(address.utf8))
  }

  private func write(bytes: [UInt8]) async -> DirectSave.Answer {
    await landing.save.write(bytes)
  }

  private var report: LandingReport {
    get async {
      await landing.check(isAsking: { false }, alive: {})
    }
  }

  private func address(_ name: String, on computer: String = "") -> String {
    "file://\(computer)\(bench.b.string)/\(name)"
  }

  private var computer: String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, 255)
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  @Test("H24, H08 It is there under the proposed name, told, and taken away by Undo")
  func saved() async throws {
    landing.begin(in: nil, place: "B")
    #expect(!landing.isDecisive)
    #expect(await write(address("some%20words.txt", on: computer)) == .saved)
    #expect(landing.isDecisive)
    #expect((bench.b / "some words.txt").text == "some words to carry")
    let report = await report
    #expect(report.landed == 1 && report.isVerified && report.entry != nil)
    #expect(report.renamed == ["some words.txt"])
    journal.close()
    let courier = FileCourier(journal: Journal(folder: bench.state), trash: bench.trash)
    defer { courier.close() }
    let undone = await courier.undo(entry: nil)
    #expect(undone.isDone)
    #expect(bench.b.names.isEmpty)
  }

  @Test(
    "H08 Nothing is replaced: what is there already stays, and the new one has a name beside it")
  func taken() async throws {
    try (bench.b / "some words.txt").write("older")
    landing.begin(in: nil, place: "B")
    #expect(await write(address("some%20words.txt")) == .saved)
    #expect((bench.b / "some words.txt").text == "older")
    let names = await report.renamed
    #expect(names.count == 1 && names != ["some words.txt"])
    #expect(names.first.map { bench.b / $0 }?.text == "some words to carry")
  }

  @Test("H24 An address may end with a zero, as PCManFM writes it")
  func zero() async {
    landing.begin(in: nil, place: "B")
    #expect(await write(bytes: Array(address("some%20words.txt").utf8) + [0]) == .saved)
    #expect(bench.b.names == ["some words.txt"])
  }

  @Test("A program's own name beside the proposed one is taken; another one is not")
  func names() async {
    for (name, answer) in [
      ("some%20words%20(2).txt", DirectSave.Answer.saved), (".bashrc", .failed),
      ("authorized_keys", .failed), (".some%20words.txt", .failed), ("some%20words.sh", .failed),
    ] {
      landing.begin(in: nil, place: "B")
      #expect(await write(address(name)) == answer, "\(name)")
    }
    #expect(bench.b.names == ["some words (2).txt"])
  }

  @Test(
    "An address that leads to another computer, or is none, is written by nobody",
    arguments: [
      "file://elsewhere.example/tmp/some%20words.txt", "sftp://localhost/tmp/some%20words.txt",
      "some words.txt", "", "file:///tmp/../etc/some%20words.txt",
      "file:///tmp/a%00/some words.txt",
      "file:some%20words.txt", "file:///", "/tmp/some words.txt",
    ])
  func elsewhere(address: String) async {
    landing.begin(in: nil, place: "B")
    #expect(await write(address) != .saved)
    #expect(!landing.isDecisive)
  }

  @Test("Bytes that are no text, and an address without end, are none")
  func bytes() async {
    landing.begin(in: nil, place: "B")
    #expect(await write(bytes: Array("file:///tmp/".utf8) + [0xFF, 0xFE]) == .elsewhere)
    let long = address(String(repeating: "a", count: 100_000))
    #expect(await write(long) == .elsewhere)
  }

  @Test("Where the folder that is shown is known, nothing is written into another one")
  func otherFolder() async throws {
    try (bench.a / "seen.txt").write("x")
    landing.begin(
      in: ShownFolder(title: bench.a.string, rows: ["seen.txt"]), place: "A")
    #expect(await write(address("some%20words.txt")) == .failed)
    #expect(bench.b.names.isEmpty)
    #expect(await write("file://\(bench.a.string)/some%20words.txt") == .saved)
  }

  @Test("A folder that is not there, or can't be written, is an honest no")
  func missing() async {
    landing.begin(in: nil, place: "B")
    #expect(await write(address("none/some%20words.txt")) == .failed)
    #expect(await write("file:///proc/some%20words.txt") == .failed)
  }

  @Test("T01 One drop is written once, and nothing before the drop has begun")
  func once() async {
    #expect(await write(address("some%20words.txt")) == .failed)
    landing.begin(in: nil, place: "B")
    #expect(await write(address("some%20words.txt")) == .saved)
    #expect(await write(address("some%20words%202.txt")) == .failed)
    #expect(bench.b.names == ["some words.txt"])
  }

  @Test("T02 What the program has taken away again has not landed")
  func gone() async throws {
    landing.begin(in: nil, place: "B")
    #expect(await write(address("some%20words.txt")) == .saved)
    #expect(unlink((bench.b / "some words.txt").string) == 0)
    #expect(await report.landed == 0)
  }
}
