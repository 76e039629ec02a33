import Glibc
import RealPrograms
import Testing

@Suite(
  "Two programs of one person: picked up in one terminal, dropped in another",
  .realPrograms(by: .test))
struct PeerSampleTests {
  private func start(_ stage: Stage, _ arguments: String...) throws -> LiveRun {
    let all = arguments + ["--keys", "-", "--transcript", "-", "--speech", "off"]
    return LiveRun(try stage.start(all, hasInput: true))
  }

  @Test("H24, H02: a contact picked up in one terminal becomes a file in another's folder")
  func contactToFolder() throws {
    let stage = try Stage("Docs/")
    let giver = try start(stage, "sample", "contacts")
    giver.type("space")
    try giver.wait(for: "drop-point")
    let taker = try start(stage, "files", "Docs")
    try giver.wait("the folder in the other program") {
      $0.id == "appeared" && $0.argument("name") == "Docs"
    }
    giver.type(#""docs""#)
    let place = try giver.wait("the place") {
      $0.id == "drop-point" && $0.argument("name") == "Docs"
    }
    #expect(place.argument("app") == "keydrag files", "\(place)")
    #expect(place.argument("operation") == "copy")
    #expect(place.text.contains("Becomes Ada Lovelace.vcf."), "\(place)")
    giver.type("enter")
    try giver.wait(for: "delivered")
    let given = try giver.finish()
    #expect(given.status == 0, "\(given)")
    #expect(given.records.finished.last?["route"] == "peer", "\(given)")
    let shown = try Guide.lines(after: "<!-- what the giver says -->")
    #expect(given.records.atAnySpeed.map(\.text).contains(shown), "\(given)")
    try taker.wait("the file") { $0.id == "appeared" || $0.text.contains("Ada Lovelace.vcf") }
    // What came into its folder it can take back.
    taker.type("ctrl+z")
    try taker.wait(for: "undone")
    let taken = try taker.finish()
    #expect(taken.status == 0, "\(taken)")
    #expect(
      try Guide.lines(after: "<!-- what the taker says -->") == [taken.last("undone")?.text],
      "\(taken)")
    #expect(stage.list("Docs") == [])
  }

  @Test("H02: between two samples everything is copied, whatever is wished")
  func betweenSamples() throws {
    let stage = try Stage()
    let giver = try start(stage, "sample", "contacts")
    giver.type("space")
    try giver.wait(for: "picked-up")
    let taker = try start(stage, "sample", "contacts")
    try giver.wait("a table in the other program") {
      $0.id == "appeared" && $0.argument("name") == "Recipients"
    }
    // The first places are this program's own; the last ones are the other's.
    giver.type("shift+tab shift+tab")
    let place = try giver.wait("a place in the other program") {
      $0.id == "drop-point" && $0.argument("app") == "keydrag sample contacts"
        && $0.argument("name") == "Recipients"
    }
    #expect(place.argument("operation") == "copy", "\(place)")
    giver.type("f6 enter")
    let refused = try giver.wait(for: "refused")
    #expect(refused.argument("reason") == "operation-not-offered", "\(refused)")
    giver.type("f6 enter")
    let delivered = try giver.wait(for: "delivered")
    #expect(delivered.argument("operation") == "copy", "\(delivered)")
    let given = try giver.finish()
    // A refusal is a failure of the run, though the drop after it was none.
    #expect(given.status == 1, "\(given)")
    #expect(given.records.finished.last?["route"] == "peer")
    taker.type("tab tab f2")
    let row = try taker.wait("the recipient") {
      $0.id == "item" && $0.argument("name") == "Ada Lovelace <ada@example.org>"
    }
    #expect(row.argument("total") == 1)
    #expect(try taker.finish().status == 0)
  }

  @Test("S10: an image is copied from the sample in another terminal, and never moved")
  func imageBetweenSamples() throws {
    let stage = try Stage()
    try stage.makePicture("dot.png")
    let giver = try start(stage, "sample", "image", "dot.png")
    giver.type("space")
    try giver.wait(for: "picked-up")
    let taker = try start(stage, "sample", "image")
    try giver.wait("the frame in the other program") {
      $0.id == "appeared" && $0.argument("name") == "Image"
    }
    // The last place, past the source.
    giver.type("shift+tab shift+tab")
    let frame = try giver.wait("the frame") {
      $0.id == "drop-point" && $0.argument("app") == "keydrag sample image"
    }
    #expect(frame.argument("name") == "Image" && frame.argument("operation") == "copy", "\(frame)")
    giver.type("f6 enter")
    let refused = try giver.wait(for: "refused")
    #expect(refused.argument("reason") == "operation-not-offered", "\(refused)")
    giver.type("f6 enter")
    let delivered = try giver.wait(for: "delivered")
    #expect(delivered.argument("operation") == "copy", "\(delivered)")
    taker.type("f2")
    let shown = try taker.wait("the image") { $0.id == "item" }
    #expect(shown.text.contains("dot.png, PNG image, 1 by 1"), "\(shown)")
    giver.type("f2")
    let kept = try giver.wait("the image that stayed") { $0.id == "item" }
    #expect(kept.text.contains("dot.png, PNG image, 1 by 1"), "\(kept)")
    #expect(try giver.finish().records.finished.last?["route"] == "peer")
    #expect(try taker.finish().status == 0)
  }

  @Test("S10, S09: an image file is copied from keydrag files into the frame, a text is refused")
  func imageFromFiles() throws {
    // A second folder takes the image too, so that it can be held before the frame is there.
    let stage = try Stage("Pictures/notes.txt", "Docs/")
    try stage.makePicture("Pictures/dot.png")
    let giver = try start(stage, "files", "Pictures", "Docs")
    giver.type(#""dot" space"#)
    try giver.wait(for: "picked-up")
    let taker = try start(stage, "sample", "image")
    try giver.wait("the frame") { $0.id == "appeared" && $0.argument("name") == "Image" }
    giver.type(#""image""#)
    let frame = try giver.wait("the place") {
      $0.id == "drop-point" && $0.argument("name") == "Image"
    }
    #expect(frame.argument("app") == "keydrag sample image", "\(frame)")
    #expect(frame.argument("operation") == "copy", "\(frame)")
    giver.type("enter")
    try giver.wait(for: "delivered")
    taker.type("f2")
    let shown = try taker.wait("the image") { $0.id == "item" }
    #expect(shown.text.contains("dot.png, PNG image, 1 by 1"), "\(shown)")
    giver.type(#""notes" space f8 "image" enter"#)
    let refused = try giver.wait(for: "refused")
    #expect(refused.argument("reason") == "wrong-type", "\(refused)")
    giver.type("escape")
    try giver.wait(for: "cancelled")
    // A refusal is a failure of the run.
    let given = try giver.finish()
    #expect(given.status == 1, "\(given)")
    #expect(try taker.finish().status == 0)
    #expect(stage.list("Pictures") == ["dot.png", "notes.txt"])
    #expect(try stage.isPicture("Pictures/dot.png"))
  }

  @Test("H24: an event of somebody's own program becomes an .ics in keydrag files, which undoes it")
  func event() throws {
    let stage = try Stage("Docs/")
    let keys = #"space @appeared "docs" enter @delivered :quit"#
    let calendar = try ChildProcess(
      [try Program.path("KeyDragEventProbe"), keys], environment: stage.environment,
      folder: stage.work)
    while !String(decoding: calendar.output, as: UTF8.self).contains("Picked up Lunch with Ada.") {
      try #require(try calendar.readMore(waitingFor: "the event to be picked up"))
    }
    let taker = try start(stage, "files", "Docs")
    #expect(try calendar.finish() == 0)
    let said = String(decoding: calendar.output, as: UTF8.self)
    // A program that its user can change is not taken for ours by the other one.
    var status = Glibc.stat()
    try #require(stat(try Program.path("keydrag"), &status) == 0)
    let isOurs = status.st_uid == 0 && status.st_mode & 0o022 == 0
    let files = isOurs ? "keydrag files" : "a program that calls itself keydrag files"
    let copied =
      isOurs
      ? "Copied Lunch with Ada to Docs, in \(files)."
      : "\(files) says: Copied Lunch with Ada to Docs."
    #expect(
      said.contains("Docs, \(files): copy. Becomes Lunch with Ada.ics. 2 of 2"), "\(said)")
    #expect(said.contains(copied + " It is named Lunch with Ada.ics there."), "\(said)")
    #expect(stage.list("Docs") == ["Lunch with Ada.ics"])
    #expect(
      stage.read("Docs/Lunch with Ada.ics")?.hasPrefix("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n") == true
    )
    taker.type("ctrl+z")
    let undone = try taker.wait(for: "undone")
    #expect(undone.text == "Took back: Lunch with Ada.ics out of Docs.")
    #expect(try taker.finish().status == 0)
    #expect(stage.list("Docs") == [])
  }

  @Test("K06: the other program ends while its place is stood on: that is said, nothing is lost")
  func otherEnds() throws {
    let stage = try Stage("Docs/")
    let giver = try start(stage, "sample", "contacts")
    giver.type("space")
    try giver.wait(for: "picked-up")
    let taker = try start(stage, "files", "Docs")
    try giver.wait("the folder") { $0.id == "appeared" && $0.argument("name") == "Docs" }
    giver.type(#""docs""#)
    try giver.wait("the place") { $0.id == "drop-point" && $0.argument("name") == "Docs" }
    #expect(try taker.finish().status == 0)
    try giver.wait("the loss") { $0.id == "vanished" && $0.argument("name") == "Docs" }
    giver.type("escape")
    try giver.wait(for: "cancelled")
    #expect(try giver.finish().status == 0)
    #expect(stage.list("Docs") == [])
  }

  @Test(
    "A meeting folder that is open to others is told of once, and everything else goes on",
    arguments: ["files", "sample"])
  func openFolder(command: String) throws {
    let stage = try Stage("Docs/a.txt")
    let meeting = stage.base + "/run/keydrag"
    try stage.make(meeting + "/")
    stage.permit(0o755, meeting)
    let arguments = command == "files" ? ["files", "Docs"] : ["sample", "places"]
    let run = try stage.run(arguments + ["--keys", "down space escape", "--speech", "off"])
    #expect(run.status == 0, "\(run)")
    let problems = run.records.every("problem")
    #expect(problems.count == 1, "\(run)")
    #expect(
      problems.first?.text.hasSuffix("must be your own folder and closed to others. Remove it.")
        == true, "\(run)")
  }

  @Test("Without a session to meet in, nothing is said of other programs")
  func folderMiss() throws {
    let stage = try Stage("Docs/a.txt")
    stage.variables["XDG_RUNTIME_DIR"] = ""
    let run = try stage.files("Docs", keys: "space escape")
    #expect(run.status == 0 && !run.ids.contains("problem"), "\(run)")
  }
}
