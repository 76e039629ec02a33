import FoundationEssentials
import Glibc
import PrivateDesktop
import RealPrograms
import Testing

@Suite(
  "keydrag points and keydrag drop, into other KeyDrag programs", .realPrograms(by: .suite),
  .serialized, .timeLimit(.minutes(3)),
  .enabled(if: TerminalRun.isPossible, "tmux is not installed"))
struct PeerPointsTests {
  static let jane =
    "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Doe;Jane;;;\r\nFN:Jane Doe\r\nEND:VCARD\r\n"
  private static let noDesktop = "There is no desktop that can be reached."

  /// Starts a program on the library; returns once it answers keys.
  static func sample(_ stage: Stage, _ name: String) throws -> LiveRun {
    let run = LiveRun(
      try stage.start(
        ["sample", name, "--keys", "-", "--transcript", "-", "--speech", "off"], hasInput: true))
    run.type("f2")
    try run.wait("where it is") { $0.kind == "announcement" && $0.id == "item" }
    return run
  }

  /// Starts `keydrag files` in a real terminal, as a person does.
  private func files(_ stage: Stage, _ folder: String) throws -> TerminalRun {
    let terminal = try TerminalRun(stage)
    try terminal.enter("keydrag files \(folder) --speech off")
    try terminal.wait("the folder") { $0.contains("Space: pick up") }
    return terminal
  }

  private func points(_ stage: Stage, _ arguments: String...) throws -> [Record] {
    let run = try stage.run(["points", "--json"] + arguments, transcript: false)
    #expect(run.status == 0 && run.errors.contains(Self.noDesktop), "\(run)")
    return try run.output.split(separator: "\n").map { try Record(line: String($0)) }
  }

  private func bytes(_ stage: Stage, _ path: String) -> Data? {
    FileManager.default.contents(atPath: stage.path(path))
  }

  @Test(
    "H01, H13: without a display other programs' places are listed, and what is missing is said")
  func listed() throws {
    let stage = try Stage("Docs/Inner/", "new.txt")
    try stage.make("jane.vcf", Self.jane)
    let terminal = try files(stage, "Docs")
    let sample = try Self.sample(stage, "contacts")
    let run = try stage.run("points", transcript: false)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(run.status == 0 && lines.first?.hasPrefix(Self.noDesktop) == true, "\(run)")
    #expect(lines.first?.contains("There is no X server: DISPLAY is not set.") == true, "\(run)")
    let expected = [
      "Docs, keydrag files", "Inner, in Docs, keydrag files",
      "before Ada Lovelace, in Contacts, keydrag sample contacts",
      "Contacts, keydrag sample contacts", "Recipients, keydrag sample contacts",
    ]
    #expect(lines.filter(expected.contains).sorted() == expected.sorted(), "\(run)")

    let all = try points(stage)
    let inner = try #require(all.first { $0["name"] == "Inner" }, "\(all)")
    #expect(inner["app"] == "keydrag files" && inner["window"] == "Docs", "\(inner)")
    #expect(inner["index"] == 2 && inner["total"] == 2 && inner["verdict"] == nil, "\(inner)")
    let row = try #require(all.first { $0["name"] == "Ada Lovelace" }, "\(all)")
    #expect(row["position"] == "before" && row["window"] == "Contacts", "\(row)")

    let asked = try points(stage, "--app", "keydrag sample", "--carrying", "jane.vcf")
    #expect(asked.allSatisfy { $0["app"] == "keydrag sample contacts" }, "\(asked)")
    #expect(asked.allSatisfy { $0["verdict"] == "accept" && $0["operation"] == "copy" })
    // A folder's path is not told before it is dropped.
    let itself = try stage.run("drop", "Docs/Inner", "--onto", "Inner", "--speech", "off")
    #expect(itself.status == 1, "\(itself)")
    #expect(itself.last("failed")?.argument("reason") == "own-descendant", "\(itself)")
    #expect(stage.list("Docs/Inner") == [])
    #expect(try sample.finish().status == 0)
    _ = terminal
  }

  @Test(
    "H01, H03, H08: a file lands whole in keydrag files in a terminal, and is taken back by undo")
  func folder() throws {
    let stage = try Stage("Docs/Inner/")
    try stage.make("new.bin", String(repeating: "The same bytes on both sides. ", count: 20_000))
    let terminal = try files(stage, "Docs")
    let run = try stage.run("drop", "new.bin", "--onto", "inner", "--speech", "off")
    #expect(run.status == 0, "\(run)")
    let delivery = try #require(run.records.finished.first)
    #expect(delivery["route"] == "peer" && delivery["outcome"] == "delivered", "\(delivery)")
    #expect(delivery["verified"] == true && delivery["operation"] == "copy", "\(delivery)")
    #expect(run.last("delivered")?.text == "Copied new.bin to Inner, in keydrag files.", "\(run)")
    #expect(bytes(stage, "Docs/Inner/new.bin") == bytes(stage, "new.bin"))
    let undone = try stage.run("undo", "--speech", "off")
    #expect(undone.last("undone")?.text == "Took back: new.bin out of Inner.", "\(undone)")
    #expect(stage.list("Docs/Inner") == [] && stage.exists("new.bin"))

    let json = try stage.run("drop", "--json", "new.bin", "--onto", "Docs", transcript: false)
    let line = try Record(line: String(json.output.dropLast()))
    #expect(json.status == 0 && line["app"] == "keydrag files", "\(json)")
    #expect(line["verified"] == true && line["undoable"] == true, "\(line)")
    #expect(bytes(stage, "Docs/new.bin") == bytes(stage, "new.bin"))
    try terminal.wait("what came") { $0.contains("new.bin") }
    let move = try stage.run("drop", "--move", "new.bin", "--onto", "Inner", "--speech", "off")
    #expect(move.status == 1, "\(move)")
    #expect(move.last("refused")?.argument("reason") == "operation-not-offered", "\(move)")
    #expect(stage.list("Docs/Inner") == [] && stage.exists("new.bin"))
  }

  @Test("H08, S02: what a program on the library took is told to stay, and nothing older is undone")
  func library() throws {
    let stage = try Stage("Docs/", "new.txt")
    try stage.make("jane.vcf", Self.jane)
    let terminal = try files(stage, "Docs")
    let sample = try Self.sample(stage, "contacts")
    #expect(try stage.run("drop", "new.txt", "--onto", "Docs", "--speech", "off").status == 0)
    let run = try stage.run("drop", "jane.vcf", "--onto", "contacts", "--speech", "off")
    #expect(run.status == 0, "\(run)")
    #expect(run.last("drop-point")?.text.contains("Can't be undone.") == true, "\(run)")
    #expect(run.records.finished.first?["route"] == "peer", "\(run)")
    try sample.wait("the contact") { $0.id == "appeared" && $0.argument("name") == "Jane Doe" }
    let undo = try stage.run("undo", "--speech", "off")
    #expect(undo.status == 1 && undo.ids == ["cannot-undo", "undo-older"], "\(undo)")
    #expect(stage.read("Docs/new.txt") == "new.txt")
    let history = try stage.run("history", transcript: false)
    #expect(
      history.output.contains("copied jane.vcf to Contacts, can't be undone here"), "\(history)")
    let json = try stage.run(
      "drop", "--json", "jane.vcf", "--onto",
      "before Ada Lovelace, in Contacts, keydrag sample contacts",
      transcript: false)
    let line = try Record(line: String(json.output.dropLast()))
    #expect(line["outcome"] == "delivered" && line["undoable"] == false, "\(json)")
    let refused = try stage.run("drop", "new.txt", "--onto", "Recipients", "--speech", "off")
    #expect(refused.status == 1 && refused.ids.last == "refused", "\(refused)")
    #expect(try sample.finish().status == 0)
    _ = terminal
  }

  @Test(
    "H13, H14: a name for several or for none is asked back with the nearest, twins have numbers")
  func mistakes() throws {
    let stage = try Stage("one/Docs/", "two/Docs/", "new.txt")
    let first = try files(stage, "one/Docs")
    let several = try stage.run("points", transcript: false)
    #expect(several.output.hasSuffix("\nDocs, keydrag files\n"), "\(several)")
    let second = LiveRun(
      try stage.start(
        ["files", "two/Docs", "--keys", "-", "--transcript", "-", "--speech", "off"],
        hasInput: true))
    try second.wait(for: "ready")
    func drop(_ arguments: String..., status: Int, says words: String...) throws {
      let run = try stage.run(["drop", "new.txt"] + arguments, transcript: false)
      #expect(run.status == status, "\(run)")
      for words in words { #expect(run.errors.contains(words), "\(run)") }
    }
    try drop(
      "--onto", "Doc", status: 64,
      says: "Doc may be Docs, keydrag files or Docs (2), keydrag files.")
    try drop("--onto", "Dosc", status: 69, says: "Did you mean Docs", Self.noDesktop)
    try drop("--onto", "Docs", "--app", "nosuch", status: 69, says: "keydrag files", Self.noDesktop)
    #expect(stage.list("one/Docs") + stage.list("two/Docs") == [])
    try drop("--onto", "docs (2)", status: 0)
    #expect(stage.list("one/Docs") + stage.list("two/Docs") == ["new.txt"])
    #expect(try second.finish().status == 0)
    _ = first
  }

  @Test("K06: a program that has stopped holds nobody up, and is named")
  func silent() throws {
    let stage = try Stage("Docs/", "new.txt")
    let terminal = try files(stage, "Docs")
    try terminal.signal(SIGSTOP)
    let start = ContinuousClock.now
    let points = try stage.run("points", transcript: false)
    #expect(points.status == 0, "\(points)")
    #expect(points.output.hasSuffix("\nkeydrag: refuses, it is not responding.\n"), "\(points)")
    let drop = try stage.run("drop", "new.txt", "--onto", "Docs", transcript: false)
    #expect(drop.status == 69 && drop.errors.contains("It is not responding."), "\(drop)")
    #expect(ContinuousClock.now - start < .seconds(30))
    // Its shell has the terminal: continued behind that, it would be stopped again at once.
    // Nothing has put the terminal back either: Enter ends no line there.
    try terminal.press("f", "g", "C-j")
    let again = try stage.run("drop", "new.txt", "--onto", "Docs", "--speech", "off")
    #expect(again.status == 0 && stage.read("Docs/new.txt") == "new.txt", "\(again)")
  }

  @Test("A meeting folder that is open to others is told of, and windows and lists go on")
  func openFolder() throws {
    let stage = try Stage("Docs/", "new.txt")
    try stage.make(stage.base + "/run/keydrag/")
    stage.permit(0o755, stage.base + "/run/keydrag")
    let run = try stage.run("points", transcript: false)
    // There is nothing else to be reached here.
    #expect(run.status == 69 && run.errors.contains(Self.noDesktop), "\(run)")
  }
}

@Suite(
  "keydrag points and keydrag drop, among windows and other KeyDrag programs",
  .realPrograms(by: .suite), .serialized, .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct MixedPointsTests {
  @Test("K02, H13: other programs stand behind the windows, and one name in both is asked back")
  func both() throws {
    let desktop = try DesktopStage("Docs/Inner/", "Work/Docs/", "new.txt")
    let thunar = try desktop.thunar(("Docs", "Inner"))
    let taker = try desktop.stage.live("Work/Docs")
    taker.type("f2")
    try taker.wait("where it is") { $0.kind == "announcement" }
    let all = try desktop.points("--carrying", "new.txt")
    let apps = all.map { $0["app"] }
    #expect(apps.first == "Thunar" && apps.last == "keydrag files", "\(all)")
    #expect(apps.count { $0 == "keydrag files" } == 1, "\(all)")
    #expect(all.last?["verdict"] == "accept" && all.last?["role"] == nil, "\(all)")
    let several = try desktop.run("drop", "new.txt", "--onto", "Docs", transcript: false)
    #expect(several.status == 64, "\(several)")
    for name in ["Docs folder view, Thunar", "Docs, keydrag files"] {
      #expect(several.errors.contains(name), "\(several)")
    }
    let run = try desktop.run("drop", "new.txt", "--onto", "Docs", "--app", "keydrag")
    #expect(run.status == 0, "\(run)")
    #expect(run.records.finished.first?["route"] == "peer", "\(run)")
    #expect(desktop.stage.read("Work/Docs/new.txt") == "new.txt")
    #expect(desktop.stage.list("Docs") == ["Inner"])
    #expect(try taker.finish().status == 0)
    _ = thunar
  }
}
