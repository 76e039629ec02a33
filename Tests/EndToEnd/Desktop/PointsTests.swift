import Glibc
import PrivateDesktop
import RealPrograms
import Testing
import Thorough

@Suite(
  "keydrag points and keydrag drop, on a desktop", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct PointsTests {
  /// What a named place says.
  private func verdict(_ name: String, _ points: [Record]) -> Value? {
    points.first { $0["name"] == .text(name) }?["verdict"]
  }

  @Test("H01, H13, K10 Every place is listed with its window and program, and says what it takes")
  func listed() throws {
    let desktop = try DesktopStage("Docs/Inner/", "Docs/old.txt", "Docs/run.sh", "new.txt")
    desktop.stage.permit(0o755, "Docs/run.sh")
    let thunar = try desktop.thunar(("Docs", "Inner"))
    let notes = try desktop.window(.gtk3, "Notes")
    let all = try desktop.points()
    // What is dropped on a file that takes nothing goes into the folder, which stands there once.
    #expect(!all.contains { $0["name"] == "old.txt" }, "\(all)")
    for name in ["Docs folder view", "Inner", "run.sh"] {
      let point = try #require(all.first { $0["name"] == .text(name) }, "\(all)")
      #expect(point["app"] == "Thunar" && point["window"] == "Docs", "\(point)")
      #expect(point["verdict"] == nil && point["x"] != nil && point["height"] != nil, "\(point)")
    }
    let body = try #require(all.first { $0["name"] == "Body text field" }, "\(all)")
    #expect(body["window"] == "Notes" && body["role"] == "text-field")
    #expect(!all.contains { $0["name"]?.description.contains("Secret") == true }, "\(all)")
    let words = try desktop.run("points", "--app", "Notes", transcript: false)
    #expect(words.output.hasPrefix("Body text field, in Notes"), "\(words)")
    let views = try desktop.run("points", "--app", "Thunar", transcript: false)
    #expect(views.output.hasPrefix("Docs folder view, Thunar\n"), "\(views)")
    // One name, whether a place is asked or only told.
    let answers = try desktop.run(
      "points", "--app", "Thunar", "--carrying", "new.txt", transcript: false)
    let told = views.output.split(separator: "\n")
    let heard = answers.output.split(separator: "\n")
    #expect(told.count == heard.count, "\(answers)")
    for (told, heard) in zip(told, heard) { #expect(heard.hasPrefix(told + ": "), "\(answers)") }

    let asked = try desktop.points("--app", "thunar", "--carrying", "new.txt")
    #expect(asked.allSatisfy { $0["app"] == "Thunar" })
    for name in ["Docs folder view", "Inner", "Trash folder"] {
      let point = try #require(asked.first { $0["name"] == .text(name) }, "\(asked)")
      #expect(point["verdict"] == "accept", "\(point)")
      // Nothing is copied into the trash.
      #expect(point["operation"] == (name == "Trash folder" ? "remove" : "copy"), "\(point)")
    }
    // The headings of the side pane take nothing, and are no places.
    for heading in ["Places folder", "Devices folder"] {
      #expect(!asked.contains { $0["name"] == .text(heading) }, "\(asked)")
    }
    let computer = try #require(asked.first { $0["name"] == "Computer folder" }, "\(asked)")
    #expect(computer["verdict"] == "refuse" && computer["reason"] == "not-taken", "\(computer)")
    let there = try desktop.points("--app", "thunar", "--carrying", "Docs/old.txt")
    let view = try #require(there.first { $0["name"] == "Docs folder view" }, "\(there)")
    #expect(view["verdict"] == "refuse" && view["reason"] == "same-place", "\(view)")
    #expect(verdict("Inner", there) == "accept", "\(there)")
    let itself = try desktop.points("--app", "thunar", "--carrying", "Docs/Inner")
    let inner = try #require(itself.first { $0["name"] == "Inner" }, "\(itself)")
    #expect(inner["verdict"] == "refuse" && inner["reason"] == "own-descendant", "\(inner)")
    let both = try desktop.points("--app", "thunar", "--carrying", "Docs/old.txt", "new.txt")
    #expect(verdict("Docs folder view", both) == "partial", "\(both)")
    let unknown = try desktop.run("points", "--app", "nosuch", transcript: false)
    #expect(unknown.status == 66, "\(unknown)")
    #expect(unknown.errors.contains("Thunar"), "\(unknown)")
    _ = (thunar, notes)
  }

  @Test(
    "H13 A folder on a slow disk tells which of the files it takes, and why it takes none",
    .enabled("needs FUSE and a user who may mount") { getuid() == 0 && PoorDisk.obstacle == nil })
  func slowDisk() throws {
    let desktop = try DesktopStage(
      "behind/Inner/", "behind/old.txt", "behind.fast", "Docs/", "new.txt")
    let disk = try PoorDisk(
      of: desktop.stage.path("behind"), at: desktop.stage.path("Docs"), ["slow=100"],
      log: desktop.stage.base + "/disk-log")
    defer { disk.close() }
    let thunar = try desktop.thunar(("Docs", "Inner"))
    unlink(desktop.stage.path("behind.fast"))
    let both = try desktop.points("--app", "thunar", "--carrying", "Docs/old.txt", "new.txt")
    #expect(verdict("Docs folder view", both) == "partial", "\(both)")
    let there = try desktop.points("--app", "thunar", "--carrying", "Docs/old.txt")
    let view = try #require(there.first { $0["name"] == "Docs folder view" }, "\(there)")
    #expect(view["verdict"] == "refuse" && view["reason"] == "same-place", "\(view)")
    _ = thunar
  }

  @Test("H03, H08 A file is copied onto a folder, moved into the open one, and undone")
  func folder() throws {
    let desktop = try DesktopStage("Docs/Inner/", "Docs/old.txt", "new.txt", "other.txt")
    let thunar = try desktop.thunar(("Docs", "Inner"))
    let before = desktop.stage.tree
    let copied = try desktop.run("drop", "new.txt", "--onto", "Inner")
    #expect(copied.status == 0, "\(copied)")
    #expect(desktop.stage.tree == before.merging(["Docs/Inner/new.txt": "new.txt"]) { $1 })
    let delivery = try #require(copied.records.finished.first)
    #expect(delivery["outcome"] == "delivered" && delivery["operation"] == "copy", "\(delivery)")
    #expect(delivery["route"] == "xdnd" && delivery["verified"] == true, "\(delivery)")
    #expect(copied.last("delivered")?.argument("place") == "Inner", "\(copied)")
    let undone = try desktop.run("undo")
    #expect(undone.ids == ["undone"], "\(undone)")
    #expect(desktop.stage.tree == before)

    let moved = try desktop.run("drop", "other.txt", "--onto", "Docs", "--move")
    #expect(moved.status == 0, "\(moved)")
    #expect(moved.records.finished.first?["operation"] == "move", "\(moved)")
    #expect(moved.last("delivered")?.text == "Moved other.txt to Docs, in Thunar.", "\(moved)")
    #expect(desktop.stage.read("Docs/other.txt") == "other.txt")
    #expect(!desktop.stage.exists("other.txt"))
    #expect(try desktop.run("undo").status == 0)
    #expect(desktop.stage.tree == before)
    _ = thunar
  }

  @Test("H13, H14 What can't be meant is asked back, and what refuses is left as it is")
  func mistakes() throws {
    let desktop = try DesktopStage("Docs/Report one/", "Docs/Report two/", "new.txt")
    let thunar = try desktop.thunar(("Docs", "Report one"))
    let before = desktop.stage.tree
    func drop(_ name: String, status: Int, says words: String..., file: String = "new.txt") throws {
      let run = try desktop.run("drop", file, "--onto", name, transcript: false)
      #expect(run.status == status, "\(run)")
      for words in words { #expect((run.output + run.errors).contains(words), "\(run)") }
    }
    try drop("Reprot one", status: 66, says: "Report one")
    try drop("report", status: 64, says: "Report one", "Report two")
    try drop("Computer", status: 1, says: "does not take it")
    try drop("Places folder", status: 66, says: "There is no place Places folder")
    try drop("Report one", status: 66, says: "gone.txt", file: "gone.txt")
    // What is like nothing there is answered by what there is.
    try drop(
      "xyzzy", status: 66,
      says: "There is no place xyzzy in a window. There are: Docs folder view, ")
    try drop("report number three", status: 66, says: "There are: Report one, Report two, ")
    // Nothing is no name.
    try drop(" ", status: 64, says: "Say where with --onto")
    for command in [["points"], ["audit"], ["drop", "new.txt", "--onto", "Docs"]] {
      let run = try desktop.stage.run(command + ["--app", ""], transcript: false)
      #expect(run.status == 64 && run.errors.contains("--app needs the name"), "\(run)")
    }
    let misspelt = try desktop.run("points", "--app", "Thunr", transcript: false)
    #expect(misspelt.status == 66, "\(misspelt)")
    #expect(misspelt.errors.contains("Did you mean Thunar?"), "\(misspelt)")
    #expect(desktop.stage.tree == before)
    _ = thunar
  }

  @Test(
    "H13, H14 Places of one name in two windows are told with these, and taken as they are told")
  func twins() throws {
    let desktop = try DesktopStage("Docs/Inner/", "Other/Deeper/", "new.txt")
    let thunar = try desktop.thunar(("Docs", "Inner"), ("Other", "Deeper"))
    func drop(_ name: String) throws -> KeydragRun {
      try desktop.run("drop", "new.txt", "--onto", name, transcript: false)
    }
    let several = try drop("computer")
    #expect(several.status == 64, "\(several)")
    let names = ["Docs", "Other"].map { "Computer folder, in " + $0 }
    #expect(
      [names, names.reversed()].contains {
        several.errors.contains("computer may be \($0[0]) or \($0[1]). Give more of the name.")
      }, "\(several)")
    let unlike = try drop("xyzzy")
    #expect(unlike.status == 66, "\(unlike)")
    // Where the names have commas in them, something else is between them.
    #expect(unlike.errors.contains(" folder view, Thunar; "), "\(unlike)")
    for name in ["computer folder, in other", "computer, in docs"] {
      let refused = try drop(name)
      #expect(refused.status == 1, "\(refused)")
      #expect((refused.output + refused.errors).contains("does not take it"), "\(refused)")
    }
    _ = thunar
  }

  @Test("K06 A program that has stopped or ended holds nobody up, and is named")
  func silent() throws {
    let desktop = try DesktopStage("Docs/Inner/", "new.txt")
    let thunar = try desktop.thunar(("Docs", "Inner"))
    thunar.signal(SIGSTOP)
    let clock = ContinuousClock()
    let listing = try clock.measure {
      let all = try desktop.points("--carrying", "new.txt")
      let window = try #require(all.first { $0["app"] == "Thunar" }, "\(all)")
      #expect(window["verdict"] == "refuse" && window["reason"] == "not-responding", "\(window)")
    }
    let dropping = try clock.measure {
      let run = try desktop.run("drop", "new.txt", "--onto", "Docs", transcript: false)
      #expect(run.status == 69 && run.errors.contains("Docs"), "\(run)")
    }
    #expect(max(listing, dropping) < .seconds(15))
    thunar.signal(SIGCONT)
    try desktop.wait(for: "Inner", in: "Docs")
    #expect(try desktop.run("drop", "new.txt", "--onto", "Inner").status == 0)
    #expect(desktop.stage.read("Docs/Inner/new.txt") == "new.txt")
    thunar.signal(SIGKILL)
    thunar.end()
    let run = try desktop.run("drop", "new.txt", "--onto", "Inner", transcript: false)
    #expect(run.status == 66, "\(run)")
  }

  @Test(
    "H01, H16 A file lands in a text of every toolkit as its path",
    arguments: Thorough.cases(ordinarily: 2, of: TextWindow.Kind.allCases))
  func text(kind: TextWindow.Kind) throws {
    let desktop = try DesktopStage("new.txt")
    let window = try desktop.window(kind, "Notes")
    let run = try desktop.run("drop", "new.txt", "--onto", "Body", "--app", "Notes")
    #expect(run.status == 0, "\(run)")
    #expect(run.records.finished.first?["outcome"] == "delivered", "\(run)")
    #expect(run.records.finished.first?["route"] == "xdnd", "\(run)")
    try window.lines(upTo: "body " + desktop.stage.path("new.txt"))
  }

  @Test("H12 What is dropped on Thunar's trash is moved there, and no copy is promised")
  func trash() throws {
    let desktop = try DesktopStage("Docs/Inner/", "new.txt", "old.txt")
    let thunar = try desktop.thunar(("Docs", "Inner"))
    let copy = try desktop.run("drop", "old.txt", "--onto", "Trash folder", "--copy")
    #expect(copy.status == 1 && copy.ids == ["operation-unavailable"], "\(copy)")
    let told = copy.last("operation-unavailable")?.argument("reason")
    #expect(told == "operation-not-offered", "\(copy)")
    #expect(desktop.stage.tree["old.txt"] != nil)
    let run = try desktop.run("drop", "new.txt", "--onto", "Trash folder")
    #expect(run.records.finished.first?["operation"] == "remove", "\(run)")
    #expect(run.records.finished.first?["outcome"] != "failed", "\(run)")
    #expect(desktop.stage.tree["new.txt"] == nil)
    _ = thunar
  }

  @Test("H01 What came of a drop is one object of JSON, also of one that is refused")
  func json() throws {
    let desktop = try DesktopStage("Docs/Inner/", "Docs/old.txt", "new.txt")
    let thunar = try desktop.thunar(("Docs", "Inner"))
    func drop(_ arguments: String..., status: Int32) throws -> Record {
      let run = try desktop.stage.run(["drop", "--json"] + arguments, transcript: false)
      let lines = run.output.split(separator: "\n")
      #expect(run.status == status && lines.count == 1, "\(run)")
      return try Record(line: String(lines.first ?? "{}"))
    }
    let copied = try drop("new.txt", "--onto", "Inner", status: 0)
    #expect(copied["items"] == .list(["new.txt"]), "\(copied)")
    #expect(copied["place"] == "Inner" && copied["container"] == "Docs", "\(copied)")
    #expect(copied["app"] == "Thunar" && copied["operation"] == "copy", "\(copied)")
    #expect(copied["outcome"] == "delivered" && copied["verified"] == true, "\(copied)")
    #expect(copied["undoable"] == true && copied["reason"] == nil, "\(copied)")
    let refused = try drop("Docs/old.txt", "--onto", "Docs folder view", status: 1)
    #expect(refused["outcome"] == "refused" && refused["reason"] == "same-place", "\(refused)")
    #expect(refused["undoable"] == false && refused["operation"] == nil, "\(refused)")
    let window = try desktop.window(.gtk3, "Notes")
    let text = try drop("new.txt", "--onto", "Body", "--app", "Notes", status: 0)
    #expect(text["outcome"] == "delivered" && text["undoable"] == false, "\(text)")
    _ = (thunar, window)
  }

  @Test("H13 A place that was told apart is taken by the name that it was told by")
  func toldApart() throws {
    let desktop = try DesktopStage("Docs/Inner/", "Work/Inner/", "new.txt")
    let thunar = try desktop.thunar(("Docs", "Inner"), ("Work", "Inner"))
    let several = try desktop.run("drop", "new.txt", "--onto", "Inner", transcript: false)
    #expect(several.status == 64, "\(several)")
    for name in ["Inner, in Docs, Thunar", "Inner, in Work, Thunar"] {
      #expect(several.errors.contains(name), "\(several)")
    }
    let run = try desktop.run("drop", "new.txt", "--onto", "inner, in work, Thunar")
    #expect(run.status == 0, "\(run)")
    #expect(desktop.stage.tree["Work/Inner/new.txt"] == "new.txt")
    let near = try desktop.run("drop", "new.txt", "--onto", "Docks", transcript: false)
    #expect(near.status == 66 && near.errors.contains("Docs"), "\(near)")
    _ = thunar
  }

  @Test("Without windows the lists say that there are none")
  func noWindows() throws {
    let desktop = try DesktopStage()
    for command in ["points", "audit"] {
      let run = try desktop.run(command, transcript: false)
      #expect(run.status == 0 && run.output == "0 windows can be reached.\n", "\(run)")
    }
    #expect(try desktop.points().isEmpty)
  }

  @Test("H08 What its program alone can undo is listed, and nothing older is undone in its place")
  func programsOwn() throws {
    let desktop = try DesktopStage("Docs/Inner/", "new.txt", "notes.txt")
    let thunar = try desktop.thunar(("Docs", "Inner"))
    #expect(try desktop.run("drop", "new.txt", "--onto", "Inner").status == 0)
    let window = try desktop.window(.gtk3, "Notes")
    let run = try desktop.run("drop", "notes.txt", "--onto", "Body", "--app", "Notes")
    #expect(run.status == 0, "\(run)")
    let said = run.last("drop-point")?["text"]?.description ?? ""
    #expect(said.contains("Can't be undone."), "\(run)")
    let undo = try desktop.run("undo")
    // How the older one is undone is said beside it.
    #expect(undo.status == 1 && undo.ids == ["cannot-undo", "undo-older"], "\(undo)")
    #expect(undo.last("cannot-undo")?.argument("reason") == "left-to-program", "\(undo)")
    #expect(desktop.stage.tree["Docs/Inner/new.txt"] == "new.txt")
    let history = try desktop.run("history", transcript: false)
    let lines = history.output.split(separator: "\n")
    let line = "Body text field took notes.txt, can't be undone here"
    #expect(lines.count == 2 && lines[0].hasSuffix(line), "\(history)")
    let number = try #require(lines.last?.split(separator: " ").first)
    #expect(try desktop.run("undo", "--entry", String(number)).status == 0)
    #expect(desktop.stage.tree["Docs/Inner/new.txt"] == nil)
    _ = (thunar, window)
  }

  @Test(
    "Without a display every command of the desktop says so at once",
    arguments: [
      ["points"], ["points", "--json"], ["points", "--carrying", "new.txt"],
      ["drop", "new.txt", "--onto", "Docs"], ["desktop"], ["desktop", "--keys", "-"], ["audit"],
    ],
    [
      [:], ["DISPLAY": ""], ["WAYLAND_DISPLAY": "wayland-0"], ["DISPLAY": ":4711"],
      ["DISPLAY": "no display"], ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"],
    ])
  func noDisplay(command: [String], variables: [String: String]) throws {
    let stage = try Stage("new.txt")
    stage.variables = variables
    let run = try stage.run(command, transcript: false)
    #expect(run.status == 69, "\(run)")
    let display = variables["DISPLAY"] ?? ""
    let said = [
      "There is no desktop that can be reached.",
      display.isEmpty
        ? "There is no X server: DISPLAY is not set." : "There is no X server at \(display).",
      // At WAYLAND_DISPLAY nobody listens.
      "keydrag files works all the same.",
    ].joined(separator: " ")
    #expect(run.errors.contains(said), "\(run)")
  }

  @Test(
    "K10 A view that tells nothing is named, with the key of the one that does; its folders are reached by their paths",
    arguments: [PrivateDesktop.ThunarView.icons, .compact])
  func silentView(view: PrivateDesktop.ThunarView) throws {
    let desktop = try DesktopStage("Docs/Projects/", "Empty/", "new.txt")
    try desktop.desktop.chooseThunarView(view)
    let thunar = try desktop.desktop.start(["/usr/bin/thunar", desktop.stage.path("Docs")])
    try desktop.activate("Docs")
    let said =
      "Docs folder view, Thunar does not tell what is in it. "
      + "Press Ctrl+2 there for the details view, which does."
    let lost = try desktop.run("drop", "new.txt", "--onto", "Elsewhere", transcript: false)
    #expect(lost.status == 66 && lost.errors.contains(said), "\(lost)")
    let audit = try desktop.run("audit", "--app", "Thunar", transcript: false)
    #expect(audit.status == 0, "\(audit)")
    #expect(
      audit.output.contains(
        "Docs folder view does not tell what is in it. Press Ctrl+2 there"), "\(audit)")
    // The disk tells of its folders.
    let found = try desktop.run("drop", "new.txt", "--onto", "Projects", transcript: false)
    #expect(found.status == 0, "\(found)")
    #expect(desktop.stage.read("Docs/Projects/new.txt") == "new.txt")
    try desktop.press("ctrl+2")
    try desktop.wait(for: "Projects", in: "Docs")
    // The list of an empty folder tells all that there is.
    let empty = try desktop.desktop.start(["/usr/bin/thunar", desktop.stage.path("Empty")])
    try desktop.activate("Empty")
    try desktop.press("ctrl+2")
    try desktop.wait(for: "Details view", in: "Empty")
    let nothing = try desktop.run("audit", "--app", "Thunar", transcript: false)
    #expect(nothing.output.contains("Empty"), "\(nothing)")
    #expect(!nothing.output.contains("does not tell"), "\(nothing)")
    _ = (thunar, empty)
  }

  @Test("A display that takes connections and says nothing is said not to answer, within bounds")
  func muteDisplay() throws {
    let desktop = try DesktopStage("new.txt")
    let number = 40_000 + Int(getpid()) % 10_000
    let socket = "/tmp/.X11-unix/X\(number)"
    let server = try MuteSocket.listen(at: socket, on: desktop.desktop)
    defer { unlink(socket) }
    desktop.stage.variables["DISPLAY"] = ":\(number)"
    let commands = [
      ["points"], ["points", "--json"], ["drop", "new.txt", "--onto", "Docs"], ["desktop"],
      ["audit"],
    ]
    try desktop.expectSilence(of: ":\(number)", in: commands, within: .seconds(60))
    let doctor = try desktop.stage.run(["doctor"], transcript: false)
    #expect(doctor.output.contains("No answer from :\(number)."), "\(doctor)")
    _ = server
  }

  @Test("W01 Where nobody listens at WAYLAND_DISPLAY the doctor speaks of no Wayland session")
  func wayland() throws {
    let stage = try Stage()
    stage.variables["WAYLAND_DISPLAY"] = "wayland-0"
    stage.variables["XDG_SESSION_TYPE"] = "wayland"
    let run = try stage.run(["doctor"], transcript: false)
    #expect(run.status == 0, "\(run)")
    for words in ["There is no X server", "keydrag files works all the same."] {
      #expect(run.output.contains(words), "\(run)")
    }
    #expect(!run.output.contains("XWayland"), "\(run)")
  }

  @Test(
    "H13, H27 Where one file lies already, a place that says yes to everything may take the rest"
  )
  func maybeSome() throws {
    let desktop = try DesktopStage("Docs/Inner/", "Docs/old.txt", "new.txt", "other.txt")
    try desktop.describeThunar("may-accept: true")
    let thunar = try desktop.thunar(("Docs", "Inner"))
    // Its row tells which folder is shown: without it all three are asked about at once.
    try desktop.wait(for: "old.txt", in: "Docs")
    let carrying = ["--app", "Thunar", "--carrying", "new.txt", "Docs/old.txt", "other.txt"]
    let run = try desktop.stage.run(["points", "--json"] + carrying, transcript: false)
    let points = try run.output.split(separator: "\n").map { try Record(line: String($0)) }
    #expect(verdict("Docs folder view", points) == "maybe", "\(points)")
    let words = try desktop.stage.run(["points"] + carrying, transcript: false)
    #expect(words.output.contains("may accept only 2 of 3"), "\(words)")
    _ = thunar
  }
}
