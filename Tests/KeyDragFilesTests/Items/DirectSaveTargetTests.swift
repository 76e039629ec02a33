import Dispatch
import Glibc
import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("A clipping that is written where its target says", .timeLimit(.minutes(2)))
struct DirectSaveTargetTests {
  private let bench: Bench
  private let journal: Journal
  private let landing: DirectSaveTarget

  init() throws {
    bench = try Bench()
    journal = Journal(folder: bench.state)
    landing = DirectSaveTarget(
      "some words", as: "some words.txt",
      DragForm("text/plain", bytes: Array("some words to carry".utf8)), journal, FolderCache(),
      DispatchQueue(label: "landing"))
    try (bench.b / "old.txt").write("old")
  }

  private func write(_ address: String) async -> DirectSave.Answer {
    await write(bytes: Array(address.utf8))
  }

  private func write(bytes: [UInt8]) async -> DirectSave.Answer {
    await landing.save.write(bytes)
  }

  private var report: DeliveryResult {
    get async {
      await landing.check(isAsking: { false }, alive: {})
    }
  }

  /// A window that shows B.
  private var shown: DisplayedFolder {
    var shown = DisplayedFolder(title: "Files", rows: ["old.txt"])
    shown.addresses = [bench.b.string]
    return shown
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
    landing.begin(in: shown, place: "B")
    #expect(!landing.isDecisive)
    #expect(await write(address("some%20words.txt", on: computer)) == .saved)
    #expect(landing.isDecisive)
    #expect((bench.b / "some words.txt").text == "some words to carry")
    let report = await report
    #expect(report.delivered == 1 && report.verified && report.entry != nil)
    #expect(report.renamed == ["some words.txt"])
    journal.close()
    let courier = JournaledCourier(journal: Journal(folder: bench.state), trash: bench.trash)
    defer { courier.finish() }
    let undone = await courier.undo(entry: nil)
    #expect(undone.isDone)
    #expect(bench.b.names == ["old.txt"])
  }

  @Test(
    "H08 Nothing is replaced: what is there already stays, and the new one has a name beside it")
  func taken() async throws {
    try (bench.b / "some words.txt").write("older")
    landing.begin(in: shown, place: "B")
    #expect(await write(address("some%20words.txt")) == .saved)
    #expect((bench.b / "some words.txt").text == "older")
    let names = await report.renamed
    #expect(names.count == 1 && names != ["some words.txt"])
    #expect(names.first.map { bench.b / $0 }?.text == "some words to carry")
  }

  @Test("H24 An address may end with a zero, as PCManFM writes it")
  func zero() async {
    landing.begin(in: shown, place: "B")
    #expect(await write(bytes: Array(address("some%20words.txt").utf8) + [0]) == .saved)
    #expect(bench.b.names == ["old.txt", "some words.txt"])
  }

  @Test("A program's own name beside the proposed one is taken; another one is not")
  func names() async {
    for (name, answer) in [
      ("some%20words%20(2).txt", DirectSave.Answer.saved), (".bashrc", .elsewhere),
      ("authorized_keys", .elsewhere), (".some%20words.txt", .elsewhere),
      ("some%20words.sh", .elsewhere),
    ] {
      landing.begin(in: shown, place: "B")
      #expect(await write(address(name)) == answer, "\(name)")
    }
    #expect(bench.b.names == ["old.txt", "some words (2).txt"])
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
    landing.begin(in: shown, place: "B")
    #expect(await write(address) != .saved)
    #expect(!landing.isDecisive)
  }

  @Test("Bytes that are no text, and an address without end, are none")
  func bytes() async {
    landing.begin(in: shown, place: "B")
    #expect(await write(bytes: Array("file:///tmp/".utf8) + [0xFF, 0xFE]) == .elsewhere)
    let long = address(String(repeating: "a", count: 100_000))
    #expect(await write(long) == .elsewhere)
  }

  @Test(
    "T13 Nothing is written but in the folder that is shown by its name", arguments: [true, false])
  func otherFolder(isShown: Bool) async throws {
    try (bench.a / "seen.txt").write("x")
    landing.begin(
      in: isShown ? DisplayedFolder(title: bench.a.string, rows: ["seen.txt"]) : nil, place: "A")
    #expect(await write(address("some%20words.txt")) == .elsewhere)
    #expect(bench.b.names == ["old.txt"])
    let answer = await write("file://\(bench.a.string)/some%20words.txt")
    #expect(answer == (isShown ? .saved : .elsewhere))
  }

  @Test("T13 A folder under another name than its own, and a hidden one, take nothing")
  func disguised() async throws {
    let hidden = bench.b / ".ssh"
    for folder in [hidden, hidden / "inner"] {
      #expect(mkdir(folder.string, 0o755) == 0)
      try (folder / "key").write("k")
    }
    #expect(symlink(hidden.string, (bench.b / "way").string) == 0)
    let before = bench.b.names
    for (folder, title) in [
      (bench.b, "Harmless"), (hidden, ".ssh"), (hidden / "inner", "inner"),
      (bench.b / "way", "way"),
    ] {
      let row = folder == bench.b ? "old.txt" : "key"
      var shown = DisplayedFolder(
        title: title, trail: folder.components.map(\.string), rows: [row])
      landing.begin(in: shown, place: title)
      #expect(await write("file://\(folder.string)/some%20words.txt") == .elsewhere, "\(title)")
      // A row that leads there.
      shown = self.shown
      shown.row = title
      landing.begin(in: shown, place: title)
      #expect(await write("file://\(folder.string)/some%20words.txt") == .elsewhere, "\(title)")
    }
    #expect(bench.b.names == before && hidden.names == ["inner", "key"])
  }

  @Test("A folder that is not there, or can't be written, is an honest no")
  func missing() async {
    landing.begin(in: shown, place: "B")
    #expect(await write(address("none/some%20words.txt")) == .elsewhere)
    #expect(chmod(bench.b.string, 0o555) == 0)
    #expect(await write(address("some%20words.txt")) == (geteuid() == 0 ? .saved : .failed))
  }

  @Test("T01 One drop is written once, and nothing before the drop has begun")
  func once() async {
    #expect(await write(address("some%20words.txt")) == .elsewhere)
    landing.begin(in: shown, place: "B")
    #expect(await write(address("some%20words.txt")) == .saved)
    #expect(await write(address("some%20words%202.txt")) == .failed)
    #expect(bench.b.names == ["old.txt", "some words.txt"])
  }

  @Test("T02 What the program has taken away again has not landed")
  func gone() async throws {
    landing.begin(in: shown, place: "B")
    #expect(await write(address("some%20words.txt")) == .saved)
    #expect(unlink((bench.b / "some words.txt").string) == 0)
    #expect(await report.delivered == 0)
  }
}
