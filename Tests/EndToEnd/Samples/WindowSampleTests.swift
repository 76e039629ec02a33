import Glibc
import PrivateDesktop
import RealPrograms
import Testing

/// What is picked up in a sample is dropped on the windows of programs that know nothing of KeyDrag.
@Suite(
  "The samples, beside running programs", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct WindowSampleTests {
  static let card =
    "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada Lovelace\r\nN:Lovelace;Ada;;;\r\n"
    + "EMAIL:ada@example.org\r\nEND:VCARD\r\n"

  /// A desktop, with a folder of its own for what becomes a file.
  func desktop(_ paths: String...) throws -> DesktopStage {
    let desktop = try DesktopStage()
    for path in paths + ["given/"] { try desktop.stage.make(path) }
    try desktop.stage.make("ada.vcf", Self.card)
    desktop.stage.variables["TMPDIR"] = desktop.stage.path("given")
    return desktop
  }

  /// The contacts, with a script that is given word by word.
  func contacts(_ desktop: DesktopStage, _ paths: String...) throws -> LiveRun {
    try sample(desktop, ["contacts"] + paths)
  }

  func sample(_ desktop: DesktopStage, _ arguments: [String]) throws -> LiveRun {
    let options = ["--keys", "-", "--transcript", "-", "--speech", "off"]
    return LiveRun(
      try desktop.stage.start(["sample"] + arguments + options, hasInput: true))
  }

  /// Picks up the first contact, or what is marked, and goes on to the first window; once more when the
  /// program took too long to say what is in it.
  ///
  /// - Parameter own: how many containers the sample has.
  @discardableResult
  func carry(
    _ sample: LiveRun, past own: Int = 3, to place: String, _ verdict: Value = "accept"
  ) throws -> Record {
    for _ in 0..<20 {
      sample.type("space")
      let picked = try sample.wait(for: "picked-up")
      // The sample's own places have said whether they accept; at the image's a drop cancels.
      #expect((picked.argument("points") == nil) == (own == 1), "\(picked)")
      sample.type(String(repeating: "page-down ", count: own))
      let answer = try sample.wait("an answer from a window") {
        let isThere = $0.id == "drop-point" && $0.argument("name") == .text(place)
        return isThere && $0.argument("verdict") != "asking"
          || ["edge", "refused", "back-at-source"].contains($0.id)
      }
      if answer.argument("verdict") == verdict { return answer }
      sample.type(":cancel")
      try sample.wait(for: "cancelled")
    }
    throw ChildProcess.Hung(description: "\(place) does not answer:\n\(sample.records)")
  }

  /// What the person does next works: a drop at home, and Escape.
  func expectUsable(_ sample: LiveRun) throws {
    sample.type("space :cancel")
    try sample.wait(for: "cancelled")
    sample.type(#"space "team" enter"#)
    let delivered = try sample.wait(for: "delivered")
    #expect(delivered.argument("place") == "Team", "\(delivered)")
  }

  @Test("H21 A contact lands in a window as the text that it has, and what can't be undone is said")
  func text() throws {
    let desktop = try desktop()
    let notes = try desktop.window(.gtk3, "Notes")
    let sample = try contacts(desktop)
    let point = try carry(sample, to: "Body text field")
    #expect(point.argument("container") == "Notes", "\(point)")
    #expect(point.argument("operation") == "copy", "\(point)")
    sample.type("enter")
    let delivered = try sample.wait(for: "delivered")
    #expect(delivered.argument("place") == "Body text field", "\(delivered)")
    try notes.lines(upTo: "body Ada Lovelace <ada@example.org>")
    sample.type("ctrl+z")
    let lasting = try sample.wait(for: "cannot-undo")
    #expect(lasting.text.contains("Ada Lovelace"), "\(lasting)")
    try expectUsable(sample)
    let run = try sample.finish()
    let delivery = try #require(run.records.finished.first, "\(run)")
    #expect(delivery["route"] == "xdnd" && delivery["verified"] == true, "\(delivery)")
    // Nobody asked for a file.
    #expect(desktop.stage.list("given") == [], "\(run)")
  }

  @Test("H24 A contact becomes a file in the file manager's folder, byte for byte, and is undone")
  func file() throws {
    let desktop = try desktop("Inbox/Sorted/", "Inbox/a.txt")
    let thunar = try desktop.thunar(("Inbox", "Sorted"))
    let sample = try contacts(desktop, "ada.vcf")
    try carry(sample, to: "Inbox folder view")
    // The program knows what the file will be called. There is none before the drop.
    let files = desktop.stage.tree.keys.filter { $0.hasPrefix("given/") }
    #expect(files.isEmpty, "\(files)")
    sample.type("enter")
    let delivered = try sample.wait(for: "delivered")
    #expect(delivered.argument("place") == "Inbox", "\(delivered)")
    #expect(desktop.stage.read("Inbox/Ada Lovelace.vcf") == Self.card)
    sample.type("ctrl+z")
    let undone = try sample.wait(for: "undone")
    #expect(undone.text.contains("Ada Lovelace"), "\(undone)")
    #expect(!desktop.stage.exists("Inbox/Ada Lovelace.vcf"))
    #expect(desktop.stage.list("Inbox") == ["Sorted", "a.txt"])
    try expectUsable(sample)
    let run = try sample.finish()
    #expect(run.status == 0, "\(run)")
    let delivery = try #require(run.records.finished.first, "\(run)")
    #expect(delivery["outcome"] == "delivered" && delivery["verified"] == true, "\(delivery)")
    // What was made for the program goes with the sample.
    #expect(desktop.stage.list("given") == [], "\(run)")
    _ = thunar
  }

  @Test("H08 Undo takes back what was dropped here, not what was moved elsewhere since")
  func own() throws {
    let desktop = try desktop("Inbox/Sorted/", "Inbox/a.txt", "Docs/")
    let thunar = try desktop.thunar(("Inbox", "Sorted"))
    let sample = try contacts(desktop, "ada.vcf")
    try carry(sample, to: "Inbox folder view")
    sample.type("enter")
    let delivered = try sample.wait(for: "delivered")
    #expect(delivered.argument("place") == "Inbox", "\(delivered)")
    let elsewhere = try desktop.stage.run("move", "Inbox/a.txt", "--to", "Docs")
    #expect(elsewhere.status == 0, "\(elsewhere)")
    sample.type("ctrl+z")
    let undone = try sample.wait(for: "undone")
    #expect(undone.text.contains("Ada Lovelace"), "\(undone)")
    #expect(desktop.stage.list("Inbox") == ["Sorted"])
    // What was made for the drop alone can't be made again.
    sample.type("ctrl+y")
    try sample.wait(for: "nothing-to-redo")
    sample.type("ctrl+z")
    try sample.wait(for: "nothing-to-undo")
    #expect(desktop.stage.list("Docs") == ["a.txt"])
    #expect(try sample.finish().status == 0)
    _ = thunar
  }

  @Test("K16 A window that takes no drops refuses with a reason, and everything is held still")
  func refusal() throws {
    let desktop = try desktop()
    let notes = try desktop.window(.gtk3, "Notes")
    notes.process.signal(SIGUSR1)
    try notes.lines(upTo: "closed")
    let sample = try contacts(desktop)
    let point = try carry(sample, to: "Body text field", "refuse")
    #expect(point.argument("reason") == "not-taken", "\(point)")
    sample.type("enter")
    try sample.wait(for: "refused")
    sample.type("f2")
    try sample.wait(for: "holding", "names", ["Ada Lovelace"])
    sample.type("page-up")
    let home = try sample.wait(for: "drop-point")
    #expect(home.argument("container") == nil && home.argument("name") == "Recipients", "\(home)")
    sample.type("escape")
    try sample.wait(for: "cancelled")
    try expectUsable(sample)
    #expect(try sample.finish().status == 1)
  }

  @Test("K06 A program that ends in the moment of the drop has not got it, and the sample goes on")
  func killed() throws {
    let desktop = try desktop()
    let notes = try desktop.window(.gtk3, "Notes", atDrop: .dies)
    let sample = try contacts(desktop)
    try carry(sample, to: "Body text field")
    sample.type("enter")
    let end = try sample.wait("the end of the delivery") { $0["stage"] == "finished" }
    #expect(end["outcome"] == "failed", "\(end)")
    try expectUsable(sample)
    #expect(try sample.finish().status == 1)
    _ = notes
  }

  @Test(
    "A program that stops in the moment of the drop has confirmed nothing, and may take it later")
  func stopped() throws {
    let desktop = try desktop()
    let notes = try desktop.window(.gtk3, "Notes", atDrop: .stops)
    let sample = try contacts(desktop)
    try carry(sample, to: "Body text field")
    sample.type("enter")
    let end = try sample.wait("the end of the delivery") { $0["stage"] == "finished" }
    #expect(end["outcome"] == "unconfirmed", "\(end)")
    notes.process.signal(SIGCONT)
    try notes.lines(upTo: "body Ada Lovelace <ada@example.org>")
    // Told, although nobody waits for it any more.
    let late = try sample.wait(for: "delivered")
    #expect(late.argument("place") == "Body text field", "\(late)")
    try expectUsable(sample)
  }

  @Test("A display that is not there changes nothing")
  func noDisplay() throws {
    let stage = try Stage()
    let keys = #"space page-down page-down tab escape space "team" enter"#
    let arguments = ["sample", "contacts", "--keys", keys, "--speech", "off"]
    let without = try stage.run(arguments)
    stage.variables["DISPLAY"] = "unix:/nowhere"
    let with = try stage.run(arguments)
    #expect(with.status == 0 && with.said == without.said, "\(with)")
    #expect(with.ids.contains("back-at-source"), "\(with)")
  }
}
