import Glibc
import RealPrograms
import Testing

extension Stage {
  /// A printer that waits for leave, so that a job runs as long as the test wants.
  func printer(waits: Bool = false, status: Int = 0) throws {
    let wait = waits ? "read leave < '\(base)/leave'\n" : ""
    if waits { mkfifo(base + "/leave", 0o600) }
    try program(
      "lp", "\(wait)for file; do echo \"$file\" >> '\(base)/printed'; done\nexit \(status)\n")
  }

  /// A program that opens plain text, and a display it could be shown on.
  func reader() throws {
    variables["DISPLAY"] = ":77"
    try program(
      "reader",
      "for file; do echo \"$file\"; done > '\(base)/opening' && mv '\(base)/opening' '\(base)/opened'\n"
    )
    try make(
      base + "/data/applications/reader.desktop",
      """
      [Desktop Entry]
      Type=Application
      Name=Reader
      Exec=\(base)/bin/reader %F
      MimeType=text/plain;

      """)
    try make(base + "/config/mimeapps.list", "[Default Applications]\ntext/plain=reader.desktop\n")
  }
}

@Suite("Places that start a task", .realPrograms(by: .test))
struct TaskTests {
  @Test("H20: a drop on the trash is heard, and undone by name")
  func trash() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: #"space "trash" enter"#)
    #expect(run.status == 0, "\(run)")
    #expect(run.last("drop-point")?.text == "Trash: move to the trash.")
    // Whether the folder is seen to be empty before the end of the keys is the disk's matter.
    #expect(run.said.last { $0 != "Inbox is empty." } == "Moved a.txt to the trash.")
    #expect(run.records.finished.first?["operation"] == "remove")
    #expect(stage.trashed == ["a.txt"])
    #expect(stage.tree.isEmpty)
  }

  @Test("H20: a print job is heard to start and to end, and lp gets the file")
  func print() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    try stage.printer()
    let run = try stage.files("Inbox", "Docs", keys: #"space "print" enter"#)
    #expect(run.status == 0, "\(run)")
    #expect(run.records.every("task").map { $0.argument("stage") } == ["started", "finished"])
    #expect(run.said.contains("Sent a.txt to the printer."))
    #expect(stage.read(stage.base + "/printed")?.contains("/Inbox/a.txt\n") == true)
  }

  @Test("H20 H14: a print job that fails says so, and the file is where it was")
  func printFails() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    try stage.printer(status: 3)
    let run = try stage.files("Inbox", "Docs", keys: #"space "print" enter"#)
    #expect(run.status == 1, "\(run)")
    #expect(run.first("failed")?.argument("reason") == "program-failed")
    #expect(stage.exists("Inbox/a.txt"))
  }

  @Test("H20 H30: a file opens with the default program, found near the end by the program's name")
  func open() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    try stage.reader()
    let run = try stage.files(
      "Inbox", "Docs", keys: "space tab tab tab tab tab tab shift+tab shift+tab enter")
    #expect(run.status == 0, "\(run)")
    let names = run.records.every("drop-point").compactMap { $0.argument("name")?.description }
    let walked = [
      "Docs", "New folder in Inbox…", "New folder in Docs…", "Trash", "Reader", "Clipboard",
      "Clipboard", "Reader",
    ]
    #expect(names == walked, "\(run)")
    #expect(run.ids.contains("back-at-source"))
    #expect(run.last("drop-point")?.text.contains("Open with Reader") == true)
    #expect(run.said.contains("Opened a.txt with Reader."))
  }

  @Test("T13, K19 A program that opens a file, and a printer, learn its path, and not before Enter")
  func disclosed() throws {
    let way = "a program that a file is opened with"
    for place in ["reader", "print"] {
      let stage = try Stage("Private/secret.txt", "Docs/")
      try stage.reader()
      // Whoever is started says so, and what with.
      let heard = stage.base + "/heard"
      mkfifo(heard, 0o600)
      for name in ["reader", "lp"] { try stage.program(name, "echo \"$@\" > '\(heard)'\n") }
      let listener = Glibc.open(heard, O_RDWR | O_NONBLOCK | O_CLOEXEC)
      defer { close(listener) }
      let run = try stage.live("Private", "Docs")
      try run.wait(for: "ready")
      run.type("space \"\(place)\" f2")
      try run.wait(for: "holding")
      var event = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      #expect(poll(&event, 1, 0) == 0)
      #expect(try Disclosed.promised(by: way, .asked).isEmpty)
      run.type("enter")
      #expect(poll(&event, 1, 30_000) == 1)
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = max(read(listener, &bytes, bytes.count), 0)
      let words = String(decoding: bytes[..<count], as: UTF8.self)
      let facts = Disclosed.all(in: words, holding: "Private/secret.txt\n\n", in: stage)
      #expect(facts.contains(.path), "\(words)")
      #expect(try facts.isSubset(of: Disclosed.promised(by: way, .dropped)), "\(words)")
      #expect(try run.finish().status == 0)
    }
  }

  @Test("H30: no display, no Open with")
  func noDisplay() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    try stage.reader()
    stage.variables["DISPLAY"] = nil
    let run = try stage.files("Inbox", "Docs", keys: #"space "reader" escape"#)
    #expect(run.ids.contains("no-match"), "\(run)")
  }

  @Test(
    "H31: one picks up and drops again while an earlier delivery runs; it is listed and cancelled by name"
  )
  func besides() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/")
    try stage.printer(waits: true)
    let run = try stage.live("Inbox", "Docs")
    run.type(#"space "print" enter"#)
    try run.wait(for: "task")
    run.type("!space")
    try run.wait("the next item held") {
      $0.id == "picked-up" && $0.argument("names") == ["b.txt"]
    }
    run.type("!enter")
    #expect(try run.wait(for: "delivered").text.hasPrefix("Copied b.txt to Docs.") == true)
    run.type("!ctrl+r")
    #expect(try run.wait(for: "confirm").text == "1 delivery runs.")
    #expect(try run.wait(for: "choice").text.hasPrefix("Opening a.txt") == true)
    run.type("!delete")
    try run.wait(for: "delivery-cancelled")
    let ended = try run.finish()
    #expect(ended.status == 1)
    #expect(stage.list("Docs") == ["b.txt"])
    #expect(!stage.exists(stage.base + "/printed"))
  }

  @Test("H31: two deliveries that run are both listed, by their names")
  func twoRun() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt", "Docs/")
    try stage.printer(waits: true)
    let run = try stage.live("Inbox", "Docs")
    run.type(#"space "print" enter"#)
    try run.wait(for: "task")
    run.type("!space")
    try run.wait("the next item held") { $0.id == "picked-up" }
    run.type("!shift+tab")
    try run.wait(for: "back-at-source")
    run.type("!shift+tab")
    try run.wait("print") { $0.id == "drop-point" && $0.argument("name") == "Print" }
    run.type("!enter")
    try run.wait(for: "task")
    run.type("!ctrl+r")
    #expect(try run.wait(for: "confirm").text == "2 deliveries run.")
    #expect(try run.wait(for: "choice").text.contains("a.txt"))
    run.type("!down")
    #expect(try run.wait(for: "choice").text.contains("b.txt"))
    run.type("!delete")
    try run.wait("b.txt cancelled") { $0["outcome"] == "cancelled" }
    run.signal(SIGTERM)
    #expect(try run.ended().status == 130)
  }
}
