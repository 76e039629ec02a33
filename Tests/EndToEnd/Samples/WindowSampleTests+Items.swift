import Glibc
import PrivateDesktop
import Testing

/// Pictures, several things at a time, and what is left of a run that was killed.
extension WindowSampleTests {
  private static let cards =
    card + card.replacing("ada@", with: "other@")
    + "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Louis Braille\r\nN:Braille;Louis;;;\r\n"
    + "EMAIL:louis@example.org\r\nEND:VCARD\r\n"

  @Test("H09 An image lands in a window that takes pictures, byte for byte")
  func picture() throws {
    let desktop = try desktop()
    try desktop.stage.makePicture("dot.png")
    let album = try desktop.window(taking: "image/png", "Album")
    let sample = try sample(desktop, ["image", "dot.png"])
    let point = try carry(sample, past: 1, to: "Area canvas")
    #expect(point.argument("operation") == "copy", "\(point)")
    sample.type("enter")
    // Of a picture in another window nothing can be seen from outside.
    try sample.wait(for: "unconfirmed", "confirmed", "by-program")
    #expect(try album.process.line() == "1 by 1 \(try desktop.stage.pictureInHexadecimal())")
    let run = try sample.finish()
    #expect(run.status == 1, "\(run)")
    #expect(run.records.finished.first?["route"] == "xdnd", "\(run)")
    #expect(desktop.stage.list("given") == [], "\(run)")
  }

  @Test("H24 An image becomes a file in the file manager's folder, byte for byte, and is undone")
  func pictureFile() throws {
    let desktop = try desktop("Inbox/Sorted/")
    try desktop.stage.makePicture("dot.png")
    let thunar = try desktop.thunar(("Inbox", "Sorted"))
    let sample = try sample(desktop, ["image", "dot.png"])
    try carry(sample, past: 1, to: "Inbox folder view")
    sample.type("enter")
    let delivered = try sample.wait(for: "delivered")
    #expect(delivered.argument("place") == "Inbox", "\(delivered)")
    #expect(desktop.stage.list("Inbox") == ["Sorted", "dot.png"])
    #expect(try desktop.stage.isPicture("Inbox/dot.png"))
    sample.type("ctrl+z")
    try sample.wait(for: "undone")
    #expect(desktop.stage.list("Inbox") == ["Sorted"])
    #expect(try sample.finish().status == 0)
    _ = thunar
  }

  @Test("H07, H24 Several contacts become files in a real folder view; one undo takes all back")
  func files() throws {
    let desktop = try desktop("Inbox/Sorted/")
    try desktop.stage.make("all.vcf", Self.cards)
    let thunar = try desktop.thunar(("Inbox", "Sorted"))
    let sample = try contacts(desktop, "all.vcf")
    sample.type("ctrl+a")
    try sample.wait(for: "selected")
    let point = try carry(sample, to: "Inbox folder view")
    #expect(point.argument("count") == 3, "\(point)")
    sample.type("enter")
    let delivered = try sample.wait(for: "delivered")
    #expect(delivered.argument("count") == 3, "\(delivered)")
    let names = ["Ada Lovelace (2).vcf", "Ada Lovelace.vcf", "Louis Braille.vcf"]
    #expect(desktop.stage.list("Inbox") == names + ["Sorted"])
    #expect(desktop.stage.read("Inbox/Ada Lovelace.vcf") == Self.card)
    let history = try desktop.stage.run("history", transcript: false)
    #expect(history.output.split(separator: "\n").count == 1, "\(history)")
    sample.type("ctrl+z")
    let undone = try sample.wait(for: "undone")
    #expect(undone.argument("count") == 3, "\(undone)")
    #expect(desktop.stage.list("Inbox") == ["Sorted"])
    sample.type("ctrl+z")
    try sample.wait(for: "nothing-to-undo")
    let run = try sample.finish()
    #expect(run.status == 0, "\(run)")
    #expect(run.records.finished.first?["delivered"] == 3, "\(run)")
    #expect(desktop.stage.list("given") == [], "\(run)")
    _ = thunar
  }

  @Test("H07, H21 Several contacts land in a window as their texts, a line each, in order")
  func texts() throws {
    let desktop = try desktop()
    try desktop.stage.make("all.vcf", Self.cards)
    let notes = try desktop.window(.gtk3, "Notes")
    let sample = try contacts(desktop, "all.vcf")
    sample.type("ctrl+a")
    try sample.wait(for: "selected")
    try carry(sample, to: "Body text field")
    sample.type("enter")
    let delivered = try sample.wait(for: "delivered")
    #expect(delivered.argument("count") == 3, "\(delivered)")
    let lines = try notes.lines(upTo: "Louis Braille <louis@example.org>")
    #expect(
      lines.suffix(3).dropLast() == [
        "body Ada Lovelace <ada@example.org>", "Ada Lovelace <other@example.org>",
      ])
    let run = try sample.finish()
    #expect(run.status == 0 && run.records.finished.first?["verified"] == true, "\(run)")
    #expect(desktop.stage.list("given") == [], "\(run)")
  }

  @Test("What a killed run has left of its files goes at the next start; a living one's stays")
  func killedInTheMiddle() throws {
    let desktop = try desktop()
    let tray = try desktop.window(taking: "text/uri-list", "Tray")
    let living = try contacts(desktop, "ada.vcf")
    try carry(living, to: "Area canvas")
    living.type("enter")
    try living.wait(for: "unconfirmed")
    let kept = try address(tray)
    #expect(desktop.stage.read(kept) == Self.card)
    tray.process.signal(SIGKILL)
    // The other run has no places of this one to walk past.
    desktop.stage.variables["XDG_RUNTIME_DIR"] = ""
    let album = try desktop.window(taking: "text/uri-list", "Album", stops: true)
    let killed = try contacts(desktop, "ada.vcf")
    try carry(killed, to: "Area canvas")
    killed.type("enter")
    let left = try address(album)
    #expect(desktop.stage.read(left) == Self.card)
    killed.signal(SIGKILL)
    #expect(try killed.ended().status == 256 + Int(SIGKILL))
    album.process.signal(SIGKILL)
    #expect(desktop.stage.list("given").count == 2)
    let next = try desktop.stage.run(
      "sample", "contacts", "--keys", "f2", "--speech", "off")
    #expect(next.status == 0, "\(next)")
    #expect(!desktop.stage.exists(left))
    #expect(desktop.stage.list("given").count == 1)
    #expect(desktop.stage.read(kept) == Self.card)
    // What became of its drop is not known, and its program may still read the file.
    #expect(try living.finish().status == 1)
    #expect(desktop.stage.read(kept) == Self.card)
  }

  /// Where the file is that a window was given.
  private func address(_ window: DropWindow) throws -> String {
    let line = try window.process.line()
    return try #require(line.split(separator: "file://").last.map(String.init))
      .replacing("%20", with: " ")
  }
}
