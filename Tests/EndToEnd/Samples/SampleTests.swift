import RealPrograms
import Testing

@Suite("The samples, run as programs", .realPrograms(by: .test))
struct SampleTests {
  private func sample(
    _ stage: Stage, _ arguments: String..., keys: String
  ) throws -> KeydragRun {
    try stage.run(["sample"] + arguments + ["--keys", keys, "--speech", "off"])
  }

  private let contact = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:New One\r\nEND:VCARD\r\n"

  @Test("S16: places are reordered by key")
  func reorder() throws {
    let stage = try Stage()
    let run = try sample(stage, "places", keys: "alt+down alt+end alt+home alt+up")
    #expect(run.status == 0, "\(run)")
    #expect(
      run.records.every("moved").map(\.text) == [
        "Alhambra moved to 2 of 12.", "Alhambra moved to 12 of 12.", "Alhambra moved to 1 of 12.",
      ])
    #expect(run.ids.contains("edge"))
  }

  @Test("S16, H08: undo after a reorder takes that back, and no file of a folder beside it")
  func undo() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    _ = try stage.run(["copy", "Inbox/a.txt", "--to", "Docs"])
    let run = try sample(stage, "places", "Docs", keys: "alt+down ctrl+z f2 ctrl+y")
    #expect(run.status == 0, "\(run)")
    #expect(
      run.records.every("undone").map(\.text) == ["Undone: moved Alhambra to Places."], "\(run)")
    #expect(run.records.every("redone").count == 1, "\(run)")
    #expect(stage.list("Docs") == ["a.txt"])
  }

  @Test("S14, S17: places move inside their list once Edit is on")
  func edit() throws {
    let stage = try Stage()
    let off = try sample(stage, "places", keys: "space f8 tab tab escape")
    #expect(off.records.every("drop-point").contains { $0.argument("reason") == "edit-mode-off" })
    let on = try sample(stage, "places", keys: "ctrl+e space end enter")
    #expect(on.status == 0, "\(on)")
    #expect(on.first("mode")?.text == "Edit on.")
    #expect(on.last("delivered")?.argument("operation") == "move", "\(on)")
  }

  @Test("S14, S15: a text file is copied in, two only with --several, and a picture never")
  func texts() throws {
    let stage = try Stage("Notes/a.txt", "Notes/b.txt", "Out/")
    try stage.make("Notes/c.png", "no picture")
    let one = try sample(stage, "places", "Notes", keys: #"tab tab "a.t" space "journey" enter"#)
    #expect(one.status == 0, "\(one)")
    #expect(one.last("delivered")?.argument("operation") == "copy", "\(one)")
    let keys = #"tab tab ctrl+t down ctrl+t space f8 "journey" enter tab"#
    let two = try sample(stage, "places", "Notes", "Out", keys: keys)
    #expect(two.last("refused")?.argument("reason") == "too-many", "\(two)")
    let several = try sample(stage, "places", "Notes", "--several", keys: keys)
    #expect(several.status == 0, "\(several)")
    #expect(several.last("delivered")?.argument("count") == 2, "\(several)")
    let picture = try sample(
      stage, "places", "Notes", "Out", keys: #"tab tab "c.p" space f8 "journey" enter"#)
    #expect(picture.last("refused")?.argument("reason") == "wrong-type", "\(picture)")
    #expect(stage.list("Notes") == ["a.txt", "b.txt", "c.png"])
  }

  @Test(
    "S04: a vCard file is dropped into a table, and S06: a broken one changes nothing; a bad card is named"
  )
  func cards() throws {
    let stage = try Stage("Inbox/")
    try stage.make("Inbox/new.vcf", contact)
    try stage.make("Inbox/torn.vcf", "BEGIN:VCARD\r\nFN:Half")
    let good = try sample(
      stage, "contacts", "Inbox", keys: #"tab tab tab "new" space "team" enter ctrl+g"#)
    #expect(good.status == 0, "\(good)")
    #expect(good.last("item")?.argument("name") == "New One", "\(good)")
    let bad = try sample(
      stage, "contacts", "Inbox", keys: #"tab tab tab "torn.v" space "team" enter tab"#)
    #expect(bad.status == 1, "\(bad)")
    #expect(bad.last("failed")?.text.contains("torn.vcf") == true, "\(bad)")
    let own = try sample(stage, "contacts", "Inbox/new.vcf", keys: "space escape")
    #expect(own.first("ready")?.argument("count") == 1, "\(own)")
    try stage.make("Inbox/some.vcf", contact + "BEGIN:VCARD\r\nNOTE:x\r\nEND:VCARD\r\n")
    let some = try sample(stage, "contacts", "Inbox/some.vcf", keys: "")
    #expect(
      some.first("problem")?.text == "Left out: some.vcf (2). Its contents are damaged.", "\(some)")
    let none = try stage.run("sample", "contacts", "Inbox/torn.vcf", "--keys", "space")
    #expect(none.status != 0 && none.errors.contains("torn.vcf"), "\(none)")
  }

  @Test("S08, S09: an empty image has nothing to pick up, and a text is refused")
  func image() throws {
    let stage = try Stage("Inbox/notes.txt")
    try stage.make("Inbox/torn.png", "\u{89}PNG no picture")
    let empty = try sample(stage, "image", keys: "space")
    #expect(empty.ids.contains("nothing-to-pick-up"), "\(empty)")
    let text = try sample(
      stage, "image", "Inbox", keys: #"tab "notes" space f8 "image" enter escape"#)
    #expect(text.last("refused")?.argument("reason") == "wrong-type", "\(text)")
    let torn = try sample(stage, "image", "Inbox", keys: #"tab "torn" space "image" enter tab"#)
    #expect(torn.ids.contains("failed"), "\(torn)")
    #expect(torn.status == 1)
  }

  @Test(
    "S10: the frame copies from outside, refuses its own image, and outside of it is a cancel")
  func frame() throws {
    let stage = try Stage()
    try stage.makePicture("dot.png")
    try stage.makePicture("Inbox/new.png")
    let run = try sample(
      stage, "image", "dot.png", "Inbox",
      keys: #"space "outside" enter space "image" escape tab "new" space "image" enter ctrl+g"#)
    #expect(run.status == 0, "\(run)")
    let places = run.records.every("drop-point").map { place in
      [place.argument("name"), place.argument("verdict"), place.argument("operation")]
    }
    #expect(places.contains(["Outside the image", "cancel", nil]), "\(run)")
    #expect(places.contains(["Image", "refuse", nil]), "\(run)")
    #expect(places.last == ["Image", "accept", "copy"], "\(run)")
    #expect(run.records.every("cancelled").count == 2, "\(run)")
    #expect(run.records.every("delivered").map { $0.argument("operation") } == ["copy"], "\(run)")
    #expect(run.last("item")?.text.contains("new.png, PNG image, 1 by 1") == true, "\(run)")
    #expect(stage.list("Inbox") == ["new.png"])
  }
}
