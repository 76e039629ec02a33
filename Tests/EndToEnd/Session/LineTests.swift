import Testing

/// Filter, paths, names and new folders on the disk.
struct LineTests {
  @Test("H05, H08: F4 renames on the disk, one undo takes it back, redo does it again")
  func rename() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt")
    let run = try stage.files(
      "Inbox", keys: #""a.txt" f4 "c d.txt" enter ctrl+z ctrl+y"#)
    #expect(run.status == 0, "\(run)")
    #expect(stage.list("Inbox").sorted() == ["b.txt", "c d.txt"])
    #expect(stage.read("Inbox/c d.txt") == "Inbox/a.txt")
    #expect(run.first("renamed")?.text == "a.txt is now c d.txt.")
    #expect(run.first("undone")?.text == "Undone: renamed a.txt to c d.txt.", "\(run)")
    #expect(run.records.every("appeared").isEmpty, "\(run)")
    #expect(run.records.every("vanished").isEmpty, "\(run)")
  }

  @Test("K27 What is typed into a name is heard sign by sign, and lies on the disk as it was heard")
  func typing() throws {
    let stage = try Stage("Inbox/a.txt")
    let run = try stage.files(
      "Inbox", keys: "f4 shift+n o w x backspace . m d left left delete shift+t enter")
    #expect(stage.list("Inbox") == ["Now.Td"], "\(run)")
    let heard = run.records.every("echo").map { $0["spoken"]?.description ?? $0.text }
    #expect(
      heard == [
        "capital N", "o", "w", "x", "x", "full stop", "m", "d", "d", "m", "m", "capital T",
      ],
      "\(run)")
  }

  @Test("H05: a name that is taken is said, and nothing changes")
  func taken() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt")
    let run = try stage.files("Inbox", keys: #""a.txt" f4 "b.txt" enter escape"#)
    #expect(run.first("cannot-name")?.argument("reason") == "name-exists", "\(run)")
    #expect(stage.read("Inbox/a.txt") == "Inbox/a.txt")
    #expect(stage.read("Inbox/b.txt") == "Inbox/b.txt")
  }

  @Test("H13: a path that is typed while carrying becomes a place, with its verdict, and takes")
  func path() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/", "Far away/Deep/x", "Far off/y")
    let run = try stage.files(
      "Inbox", "Docs",
      keys: #"space ctrl+o "../Far a" tab "De" tab enter enter ctrl+z"#)
    #expect(run.status == 0, "\(run)")
    #expect(run.first("completed")?.text == "Far away.", "\(run)")
    #expect(run.records.every("drop-point").last?.text.hasPrefix("Deep: copy") == true, "\(run)")
    #expect(run.first("delivered")?.text.hasPrefix("Copied a.txt to Deep.") == true, "\(run)")
    #expect(stage.read("Far away/Deep/a.txt") == nil)
  }

  @Test("H10: Left goes above the folder that was given, and what is there can be dropped on it")
  func up() throws {
    let stage = try Stage("Base/Inbox/a.txt", "Base/top.txt")
    let run = try stage.files(
      "Base/Inbox", keys: #"left "top" space "inbox" enter"#)
    #expect(run.status == 0, "\(run)")
    #expect(run.first("opened")?.argument("name") == "Base", "\(run)")
    #expect(stage.read("Base/Inbox/top.txt") == "Base/top.txt", "\(stage.tree)")
  }

  @Test("K02: a filter narrows the walk, and a name it hides is not taken by Ctrl+A")
  func filter() throws {
    let stage = try Stage("Inbox/a1.txt", "Inbox/a2.txt", "Inbox/b.txt", "Docs/", "Dogs/")
    let run = try stage.files(
      "Inbox", "Docs", "Dogs", keys: #"/ "a" enter ctrl+a space / "dog" enter enter"#)
    #expect(run.status == 0, "\(run)")
    #expect(stage.list("Dogs").sorted() == ["a1.txt", "a2.txt"])
  }

  @Test("H08: a folder dropped where its name exists becomes one with it, and one undo parts them")
  func merge() throws {
    let stage = try Stage(
      "Inbox/Trip/a.txt", "Inbox/Trip/b.txt", "Docs/Trip/b.txt", "Docs/Trip/c.txt")
    let before = stage.tree
    let merged = try stage.files(
      "Inbox", "Docs", keys: #""trip" space f6 "docs" enter "merge" enter "replace" enter"#)
    #expect(merged.status == 0, "\(merged)")
    #expect(merged.records.every("confirm").map(\.text).last == "Both have b.txt.", "\(merged)")
    #expect(stage.list("Docs/Trip").sorted() == ["a.txt", "b.txt", "c.txt"])
    #expect(stage.read("Docs/Trip/b.txt") == "Inbox/Trip/b.txt")
    #expect(stage.list("Inbox").isEmpty)
    let undone = try stage.run("undo")
    #expect(undone.status == 0, "\(undone)")
    #expect(stage.tree == before)
    let command = try stage.run("copy", "Inbox/Trip", "--to", "Docs", "--clash", "merge")
    #expect(command.status == 0, "\(command)")
    #expect(stage.read("Docs/Trip/b (2).txt") == "Inbox/Trip/b.txt")
    #expect(stage.read("Docs/Trip/b.txt") == "Docs/Trip/b.txt")
  }

  @Test("H05, H08: what is dropped into a new folder makes it, and one undo takes back both")
  func dropIntoNew() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/")
    let before = stage.tree
    let run = try stage.files(
      "Inbox", "Docs",
      keys: #""a.txt" ctrl+t "b.txt" ctrl+t space f6 "new folder in docs" enter "Trip" enter"#)
    #expect(run.status == 0, "\(run)")
    #expect(run.first("delivered")?.argument("place") == "Trip", "\(run)")
    #expect(stage.list("Docs/Trip") == ["a.txt", "b.txt"])
    let undone = try stage.run("undo")
    #expect(undone.status == 0, "\(undone)")
    #expect(stage.tree == before)
    #expect(!stage.exists("Docs/Trip"))
    let redone = try stage.run("redo")
    #expect(redone.status == 0, "\(redone)")
    #expect(stage.list("Docs/Trip") == ["a.txt", "b.txt"])
    #expect(try stage.run("undo").status == 0)
    #expect(stage.tree == before)
    for name in ["a.txt", "b.txt"] { try stage.remove("Inbox/\(name)") }
    let refused = try stage.run("redo")
    #expect(refused.status == 1, "\(refused)")
    #expect(!stage.exists("Docs/Trip"))
    #expect(try stage.run("undo").first("nothing-to-undo") != nil)
  }

  @Test("H08: an item gets another name where its own is taken, and a free one only")
  func dropAs() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/a.txt", "Docs/b.txt")
    let run = try stage.files(
      "Inbox", "Docs", keys: #"space "docs" enter "rename" enter "b.txt" enter "c.txt" enter"#)
    #expect(run.first("cannot-name")?.argument("reason") == "name-exists", "\(run)")
    #expect(stage.list("Docs") == ["a.txt", "b.txt", "c.txt"])
    #expect(stage.read("Docs/c.txt") == "Inbox/a.txt")
    #expect(stage.read("Docs/a.txt") == "Docs/a.txt")
  }

  @Test("H13: bookmarks, one's own folders and recent targets are places at the end, once each")
  func shortcuts() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/", "Marked/", "Music/", "Target/")
    try stage.make(
      stage.base + "/config/gtk-3.0/bookmarks",
      "file://\(stage.work)/Marked Good place\nfile://\(stage.work)/gone\nsftp://x/y\n")
    try stage.make(
      stage.base + "/config/user-dirs.dirs",
      "XDG_MUSIC_DIR=\"\(stage.work)/Music\"\nXDG_VIDEOS_DIR=\"$HOME/\"\n")
    _ = try stage.run("copy", "Inbox/a.txt", "--to", "Target")
    let run = try stage.files("Inbox", "Docs", keys: "space tab tab tab tab tab tab tab escape")
    #expect(run.first("drop-point")?.argument("total") == 1, "\(run)")
    let texts = run.records.every("drop-point").map(\.text)
    for name in ["Good place", "Music", "Target"] {
      #expect(texts.count { $0.contains(name) } == 1, "\(run)")
    }
    #expect(texts.count { $0.contains("Other places.") } == 1, "\(run)")
    let used = try stage.files("Inbox", "Docs", keys: #"space "good" enter"#)
    #expect(stage.list("Marked") == ["a.txt"], "\(used)")
    try stage.configure("shortcuts: false\n")
    let without = try stage.files("Inbox", "Docs", keys: #"space tab tab tab tab tab tab escape"#)
    #expect(
      !without.records.every("drop-point").contains { $0.text.contains("Music") }, "\(without)")
  }

  @Test("H05: details of an item: what it is, its size, when it changed and where it is")
  func facts() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/box/x", "Inbox/box/y")
    stage.link("Inbox/link", to: "a.txt")
    let run = try stage.files("Inbox", keys: #""a.txt" ctrl+d "box" ctrl+d "link" ctrl+d"#)
    #expect(run.status == 0, "\(run)")
    let facts = run.records.every("facts")
    #expect(facts.count == 3, "\(run)")
    #expect(facts.first?.argument("bytes") == 11)
    #expect(facts.first?.text.hasPrefix("a.txt") == false)
    #expect(facts.first?.text.contains("11 bytes. Changed 20") == true, "\(run)")
    #expect(facts.first?.text.hasSuffix("\(stage.work)/Inbox/a.txt.") == true, "\(run)")
    #expect(facts.dropFirst().first?.argument("count") == 2)
    #expect(facts.last?.text.contains("Leads to a.txt.") == true, "\(run)")
  }

  @Test("K02, H05: a new folder in a place that was gone to by its path is made there")
  func newFolderElsewhere() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/", "Far/")
    let run = try stage.files(
      "Inbox", "Docs", keys: #"space ctrl+o "../Far" enter ctrl+k enter "Trip" enter"#)
    #expect(run.status == 0, "\(run)")
    #expect(stage.list("Far/Trip") == ["a.txt"], "\(run)")
  }

  @Test("H05, H08: a folder is made, one undo takes it back, and with something in it it stays")
  func newFolder() throws {
    let stage = try Stage("Inbox/a.txt")
    let made = try stage.files("Inbox", keys: #"ctrl+k "New one" enter"#)
    #expect(made.status == 0, "\(made)")
    #expect(made.first("made")?.text == "New folder New one in Inbox.")
    #expect(made.records.every("appeared").isEmpty, "\(made)")
    #expect(stage.isFolder("Inbox/New one"))
    let undone = try stage.files("Inbox", keys: "ctrl+z ctrl+y")
    #expect(undone.first("undone")?.text == "Undone: made New one in Inbox.", "\(undone)")
    #expect(undone.first("redone") != nil, "\(undone)")
    #expect(stage.isFolder("Inbox/New one"))
    let used = try stage.files("Inbox", keys: #""a.txt" space "new one" enter ctrl+z ctrl+z"#)
    #expect(used.status == 0 || used.status == 1, "\(used)")
    let taken = try stage.files("Inbox", keys: #"ctrl+k "a.txt" enter escape"#)
    #expect(taken.first("cannot-name")?.argument("reason") == "name-exists", "\(taken)")
  }
}
