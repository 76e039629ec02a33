import RealPrograms
import Testing

@Suite("Undo and redo", .realPrograms(by: .test))
struct UndoTests {
  @Test("H08: in the same run a move comes back, goes again, and is named each time")
  func sameRun() throws {
    let stage = try Stage("Inbox/notes.txt", "Inbox/Sorted/")
    let run = try stage.files(
      "Inbox", keys: #""notes" space enter ctrl+z @undone ctrl+y @redone ctrl+z"#)
    #expect(run.status == 0, "\(run)")
    #expect(
      run.said.suffix(3) == [
        "notes.txt is back in Inbox.", "Moved again: notes.txt to Sorted.",
        "notes.txt is back in Inbox.",
      ])
    #expect(stage.tree == ["Inbox/notes.txt": "Inbox/notes.txt"])
  }

  @Test("H08: a later run undoes by the number that the history shows")
  func laterRun() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/")
    for name in ["a.txt", "b.txt"] {
      #expect(try stage.run("move", "Inbox/\(name)", "--to", "Docs").status == 0)
    }
    let history = try stage.run("history", transcript: false)
    let oldest = try #require(history.output.split(separator: "\n").last)
    #expect(oldest.hasSuffix("moved a.txt to Docs"))
    let number = try #require(oldest.split(separator: " ").first)
    let undo = try stage.run("undo", "--entry", String(number))
    #expect(undo.status == 0, "\(undo)")
    #expect(stage.tree == ["Inbox/a.txt": "Inbox/a.txt", "Docs/b.txt": "Inbox/b.txt"])
    let after = try stage.run("history", transcript: false)
    #expect(after.output.contains("moved a.txt to Docs, undone"))
    let redo = try stage.run("redo")
    #expect(redo.first("redone")?.text == "Moved again: a.txt to Docs.", "\(redo)")
    #expect(stage.list("Docs") == ["a.txt", "b.txt"])
  }

  @Test("H08: an undo that brings back only some says which did not, and why")
  func partial() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/")
    _ = try stage.run("copy", "Inbox/a.txt", "Inbox/b.txt", "--to", "Docs")
    try stage.make("Docs/b.txt", "edited since")
    let run = try stage.run("undo")
    #expect(run.status == 1, "\(run)")
    #expect(run.ids == ["undone", "cannot-undo"])
    #expect(run.first("undone")?.argument("count") == 1)
    let rest = try #require(run.last("cannot-undo"))
    #expect(rest.text.hasPrefix("Not undone: b.txt. It has changed."))
    #expect(rest.argument("reason") == "changed")
    #expect(stage.list("Docs") == ["b.txt"])
    #expect(stage.read("Docs/b.txt") == "edited since")
  }

  @Test("H08: what has changed since is refused and left alone", arguments: ["copy", "move"])
  func changed(operation: String) throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    _ = try stage.run(operation, "Inbox/a.txt", "--to", "Docs")
    try stage.make("Docs/a.txt", "edited since")
    let run = try stage.run("undo")
    #expect(run.status == 1, "\(run)")
    #expect(run.ids == ["cannot-undo"])
    #expect(run.first("cannot-undo")?.argument("reason") == "changed")
    #expect(stage.read("Docs/a.txt") == "edited since")
  }

  @Test(
    "H08: where the newest can't be undone, the number of an older one is said, if there is one")
  func older() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/")
    for name in ["a.txt", "b.txt"] {
      #expect(try stage.run("copy", "Inbox/\(name)", "--to", "Docs").status == 0)
    }
    try stage.make("Docs/b.txt", "edited since")
    let run = try stage.run("undo")
    #expect(run.status == 1 && run.ids == ["cannot-undo", "undo-older"], "\(run)")
    #expect(run.last("undo-older")?.text == "To undo an older one: keydrag undo --entry 1.")
    let shown = try stage.run("undo", transcript: false)
    #expect(shown.output.hasSuffix("\nTo undo an older one: keydrag undo --entry 1.\n"), "\(shown)")
    #expect(try stage.run("undo", "--entry", "2").ids == ["cannot-undo"])
    #expect(try stage.run("undo", "--entry", "1").status == 0)
    #expect(stage.list("Docs") == ["b.txt"])
    let last = try stage.run("undo")
    #expect(last.status == 1 && last.ids == ["cannot-undo"], "\(last)")
  }

  @Test("H08: what was redone last is undone first, before what is newer")
  func redone() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/")
    for name in ["a.txt", "b.txt"] {
      #expect(try stage.run("copy", "Inbox/\(name)", "--to", "Docs").status == 0)
    }
    #expect(try stage.run("undo", "--entry", "1").status == 0)
    #expect(try stage.run("redo").status == 0)
    #expect(try stage.run("undo").first("undone")?.text == "Took back: a.txt out of Docs.")
    #expect(stage.list("Docs") == ["b.txt"])
  }

  @Test("H08: what is replaced goes to the trash, and comes back when the drop is undone")
  func replaced() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/a.txt")
    let run = try stage.files("Inbox", "Docs", keys: "space enter down enter")
    #expect(run.status == 0, "\(run)")
    #expect(run.last("delivered")?.text.contains("Docs. Replaced a.txt.") == true, "\(run)")
    #expect(stage.read("Docs/a.txt") == "Inbox/a.txt")
    #expect(stage.trashed == ["a.txt"])
    #expect(try stage.run("undo").status == 0)
    #expect(stage.read("Docs/a.txt") == "Docs/a.txt")
    #expect(stage.trashed.isEmpty)
  }

  @Test("H08: what went to the trash comes back, with nothing left in the trash")
  func trash() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/Sorted/deep/b.txt", "Docs/")
    let before = stage.tree
    let run = try stage.files("Inbox", "Docs", keys: #"ctrl+a space "trash" enter ctrl+z"#)
    #expect(run.status == 0, "\(run)")
    #expect(run.last("undone")?.text == "2 items are back in Inbox.")
    #expect(stage.tree == before)
    #expect(stage.trashed.isEmpty)
    #expect(stage.list(stage.base + "/data/Trash/info").isEmpty)
  }

  @Test(
    "H08: what goes into a folder that can only be written is undone, and nothing else is said of it",
    .enabled(if: OrdinaryUser.isPossible, "root is bound by no permissions"),
    arguments: ["f5 ", "f6 "])
  func writeOnlyFolder(wish: String) throws {
    let stage = try Stage("Inbox/a.txt", "Docs/Letterbox/", isOrdinary: true)
    let before = stage.tree
    stage.permit(0o300, "Docs/Letterbox")
    let run = try stage.files(
      "Inbox", "Docs", keys: #"space "letterbox" \#(wish)enter ctrl+z"#)
    #expect(run.ids.contains("delivered") && run.ids.contains("undone"), "\(run)")
    #expect(!run.ids.contains("confirm") && !"\(run)".contains("Can't be undone"))
    stage.permit(0o700, "Docs/Letterbox")
    #expect(stage.tree == before)
  }

  @Test("H08: nothing to undo and nothing to redo are said", arguments: ["undo", "redo"])
  func nothing(direction: String) throws {
    let stage = try Stage("Inbox/a.txt")
    let run = try stage.run(direction)
    #expect(run.status == 0)
    #expect(run.ids == ["nothing-to-\(direction)"])
    let inside = try stage.files("Inbox", keys: ":\(direction)")
    #expect(inside.ids.last == "nothing-to-\(direction)")
  }

  @Test("H08: a move to another disk is undone without a question")
  func otherDisk() throws {
    let stage = try Stage("Inbox/a.txt")
    let other = try Stage("Far/", in: "/dev/shm")
    try #require(stage.device != other.device, "both are on one disk")
    let far = other.path("Far")
    let run = try stage.files("Inbox", far, keys: #"f6 "far" enter"#)
    #expect(run.status == 0, "\(run)")
    #expect(!run.ids.contains("confirm"))
    #expect(stage.tree.isEmpty)
    #expect(try stage.run("undo").status == 0)
    #expect(stage.tree == ["Inbox/a.txt": "Inbox/a.txt"])
    #expect(other.tree.isEmpty)
  }
}
