import RealPrograms
import Testing

@Suite("Things of a program dropped onto a real folder", .realPrograms(by: .test))
struct ItemFileTests {
  private func sample(
    _ stage: Stage, _ arguments: String..., keys: String
  ) throws -> KeydragRun {
    try stage.run(["sample"] + arguments + ["--keys", keys, "--speech", "off"])
  }

  @Test("H24, H12: a contact becomes a .vcf that opens again; what it becomes is said before")
  func contact() throws {
    let stage = try Stage("Docs/")
    let run = try sample(stage, "contacts", "Docs", keys: #"space "docs" enter"#)
    #expect(run.status == 0, "\(run)")
    let place = try #require(run.last("drop-point"))
    #expect(place.text.contains("Docs: copy. Becomes Ada Lovelace.vcf."), "\(run)")
    #expect(place.argument("operation") == "copy")
    #expect(run.records.finished.last?["route"] == "files", "\(run)")
    #expect(run.records.finished.last?["verified"] == true)
    #expect(stage.list("Docs") == ["Ada Lovelace.vcf"])
    let again = try sample(stage, "contacts", "Docs/Ada Lovelace.vcf", keys: "f2 space escape")
    #expect(again.first("ready")?.argument("count") == 1, "\(again)")
    #expect(again.last("item")?.argument("name") == "Ada Lovelace", "\(again)")
  }

  @Test("H24, H08: undo takes the file back, in the same run, in another, and a changed one not")
  func undo() throws {
    let stage = try Stage("Docs/")
    let here = try sample(stage, "contacts", "Docs", keys: #"space "docs" enter ctrl+z"#)
    #expect(here.status == 0, "\(here)")
    #expect(here.last("undone")?.text == "Took back: Ada Lovelace.vcf out of Docs.")
    #expect(stage.list("Docs") == [])
    let kept = try sample(stage, "contacts", "Docs", keys: #"space "docs" enter"#)
    #expect(kept.status == 0)
    let later = try stage.run("undo", transcript: false)
    #expect(later.status == 0 && stage.list("Docs") == [], "\(later)")
    // The contact is nobody's any more: it can't come back by itself.
    let redo = try stage.run("redo", transcript: false)
    #expect(redo.output.contains("Nothing to redo.") && stage.list("Docs") == [], "\(redo)")
    _ = try sample(stage, "contacts", "Docs", keys: #"space "docs" enter"#)
    try stage.make("Docs/Ada Lovelace.vcf", "somebody else's words")
    let refused = try stage.run("undo", transcript: false)
    #expect(refused.status == 1, "\(refused)")
    #expect(stage.read("Docs/Ada Lovelace.vcf") == "somebody else's words")
  }

  @Test("H24: a taken name is kept, and the new one said")
  func takenName() throws {
    let stage = try Stage("Docs/")
    try stage.make("Docs/Ada Lovelace.vcf", "before")
    let run = try sample(stage, "contacts", "Docs", keys: #"space "docs" enter"#)
    #expect(
      run.last("delivered")?.text.contains("It is named Ada Lovelace (2).vcf there.") == true,
      "\(run)")
    #expect(stage.read("Docs/Ada Lovelace.vcf") == "before")
    #expect(stage.list("Docs") == ["Ada Lovelace (2).vcf", "Ada Lovelace.vcf"])
  }

  @Test("H24, H12: several contacts become several files, and the private one is told of")
  func several() throws {
    let stage = try Stage("Docs/")
    let run = try sample(
      stage, "contacts", "Docs", keys: #"ctrl+t down ctrl+t space "docs" enter"#)
    #expect(run.last("drop-point")?.text.contains("Becomes 2 .vcf files.") == true, "\(run)")
    #expect(stage.list("Docs") == ["Ada Lovelace.vcf", "Louis Braille.vcf"])
  }

  @Test("H24: a text becomes a .txt, and dropped back it is a text again")
  func text() throws {
    let stage = try Stage("Docs/")
    let out = try sample(stage, "places", "Docs", keys: #"space "docs" enter"#)
    #expect(out.status == 0, "\(out)")
    #expect(stage.read("Docs/Alhambra.txt") == "Alhambra")
    let back = try sample(
      stage, "places", "Docs", keys: #"tab tab space "journey" enter ctrl+g"#)
    #expect(back.status == 0, "\(back)")
    #expect(back.last("item")?.argument("name") == "Alhambra", "\(back)")
    #expect(back.last("delivered")?.argument("operation") == "copy")
  }

  @Test("H24: an image becomes a .png of its own name, byte for byte, that opens again")
  func image() throws {
    let stage = try Stage("Docs/")
    try stage.makePicture("dot.png")
    let run = try sample(stage, "image", "dot.png", "Docs", keys: #"space "docs" enter"#)
    #expect(run.status == 0, "\(run)")
    #expect(run.last("drop-point")?.text.contains("Becomes dot.png.") == true, "\(run)")
    #expect(stage.list("Docs") == ["dot.png"])
    #expect(try stage.isPicture("Docs/dot.png"))
    let again = try sample(stage, "image", "Docs/dot.png", keys: "f2")
    #expect(again.last("item")?.text.contains("PNG image, 1 by 1") == true, "\(again)")
  }

  @Test("H13, H24: a folder that can't be written to says so, and nothing arrives")
  func readOnly() throws {
    let stage = try Stage("Docs/", isOrdinary: true)
    stage.permit(0o555, "Docs")
    let run = try sample(stage, "contacts", "Docs", keys: #"space f8 "docs" enter escape"#)
    #expect(run.last("refused")?.argument("reason") == "not-permitted", "\(run)")
    #expect(stage.list("Docs") == [])
    stage.permit(0o755, "Docs")
  }

  @Test("S16: a place is moved to the position whose number is typed")
  func position() throws {
    let stage = try Stage()
    let run = try sample(stage, "places", keys: "ctrl+n 1 2 enter ctrl+n 3 enter f2")
    #expect(run.status == 0, "\(run)")
    #expect(
      run.records.every("moved").map(\.text) == [
        "Alhambra moved to 12 of 12.", "Alhambra moved to 3 of 12.",
      ])
    #expect(run.records.every("moved").last?.argument("index") == 3)
    #expect(run.records.every("moved").last?.argument("total") == 12)
  }
}
