import Glibc
import HostilePrograms
import RealPrograms
import Testing

/// Another program that drops things into `keydrag files`, and keeps to no rule.
@Suite(
  "A visitor at keydrag files that lies", .realPrograms(by: .suite), .timeLimit(.minutes(3)))
struct HostileVisitorTests {
  /// Starts a session on "Docs"; returns once it answers.
  private func session(_ stage: Stage) throws -> LiveRun {
    let run = try stage.live("Docs")
    try run.wait(for: "ready")
    return run
  }

  @Test(
    "H08: a visitor's wish to replace is not the person's: what is there stays, and that is said")
  func replace() throws {
    let stage = try Stage("Docs/notes.txt", "Away/notes.txt")
    let run = try session(stage)
    let visitor = try RawPeer.visit(stage, as: "Harmless")
    let docs = try visitor.place("Docs")
    for clash in ["replace", "merge-replace"] {
      let result = try visitor.drop(stage.path("Away/notes.txt"), on: docs, clash: clash)
      #expect(result["outcome"] == "refused", "\(result)")
      let said = try run.wait(for: "failed")
      #expect(
        said.text.contains("Harmless") && said.text.contains("The name already exists."), "\(said)")
    }
    #expect(stage.read("Docs/notes.txt") == "Docs/notes.txt")
    #expect(stage.trashed == [])
    #expect(try run.finish().status == 0)
  }

  @Test(
    "H13, K19: what a visitor does is said where it lands, with its name, and so is it in the history",
    arguments: ["a.txt", "Folder"])
  func announced(name: String) throws {
    let stage = try Stage("Docs/", "Away/a.txt", "Away/Folder/inner.txt")
    stage.link("Away/Folder/out", to: "/etc")
    let run = try session(stage)
    let visitor = try RawPeer.visit(stage, as: "Harm\\u001b[31mless")
    let docs = try visitor.place("Docs")
    let result = try visitor.drop(
      stage.path("Away/" + name), kind: name == "a.txt" ? 0 : 1, on: docs)
    #expect(result["outcome"] == "delivered", "\(result)")
    let said = try run.wait(for: "delivered")
    #expect(said.argument("visitor")?.description.hasPrefix("Harm") == true, "\(said)")
    #expect(said.text.contains("Harm") && said.text.contains("Copied \(name) to Docs."), "\(said)")
    #expect(!said.line.contains("\\u001b"), "\(said)")
    if name == "a.txt" {
      #expect(stage.read("Docs/a.txt") == "Away/a.txt")
    } else {
      #expect(stage.read("Docs/Folder/inner.txt") == "Away/Folder/inner.txt")
      #expect(stage.tree["Docs/Folder/out"] == "-> /etc")
    }
    let history = try stage.run("history", transcript: false)
    #expect(history.output.contains("copied \(name) to Docs"), "\(history)")
    #expect(history.output.contains("Harm"), "\(history)")
    run.type("ctrl+z")
    try run.wait(for: "undone")
    #expect(stage.list("Docs") == [])
    // It can't be done again by a path that a visitor has chosen.
    run.type("ctrl+y")
    try run.wait(for: "nothing-to-redo")
    #expect(try run.finish().status == 0)
  }

  @Test(
    "What is no file or folder, or can't be read by who offers it, is not taken", arguments: 0..<6)
  func descriptors(which: Int) throws {
    let stage = try Stage("Docs/", "Away/secret.txt")
    let run = try session(stage)
    let visitor = try RawPeer.visit(stage, as: "Harmless")
    let docs = try visitor.place("Docs")
    let path = stage.path("Away/secret.txt")
    mkfifo(stage.path("Away/pipe"), 0o600)
    let handed: [Int32] =
      switch which {
      case 0: []
      case 1: [open("/dev/zero", O_RDONLY)]
      case 2: [open(stage.path("Away/pipe"), O_RDONLY | O_NONBLOCK)]
      // For writing alone; O_PATH, which needs no right to read; a socket.
      case 3: [open(path, O_WRONLY)]
      case 4: [open(path, 0o10_000_000)]
      default: [socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)]
      }
    defer { for file in handed { close(file) } }
    // The path is told all the same, to a file that this session may read.
    let result = try visitor.drop(path, on: docs, files: handed)
    #expect(result["outcome"] != "delivered", "\(result)")
    #expect(stage.list("Docs") == [], "\(result)")
    #expect(try run.finish().status == 0)
  }

  @Test("A name with slashes or control characters leads nowhere and is never shown raw")
  func names() throws {
    let stage = try Stage("Docs/", "Away/a.txt")
    let run = try session(stage)
    for name in ["../escaped", "/etc/escaped", "..", ".", ""] {
      let visitor = try RawPeer.visit(stage, as: "Harmless")
      let docs = try visitor.place("Docs")
      _ = try? visitor.drop(stage.path("Away/a.txt"), on: docs, name: name)
    }
    #expect(!stage.exists("escaped") && !stage.exists("/etc/escaped"))
    #expect(try run.finish().status == 0)
  }

  @Test("K13: a position that is refused when asked is refused when dropped, asked or not")
  func position() throws {
    let stage = try Stage("Docs/", "Away/a.txt")
    let run = try session(stage)
    let visitor = try RawPeer.visit(stage, as: "Harmless")
    let docs = try visitor.place("Docs")
    // Before, and after: a folder has no order.
    for position in [0, 2] {
      let result = try visitor.drop(stage.path("Away/a.txt"), on: docs, position: position)
      #expect(result["outcome"] == "refused", "\(result)")
    }
    for point in [0, 9_999_999_999] {
      let result = try visitor.drop(stage.path("Away/a.txt"), on: point)
      #expect(result["outcome"] == "refused", "\(result)")
    }
    #expect(stage.list("Docs") == [])
    #expect(try run.finish().status == 0)
  }

  @Test("Huge lengths, half messages and floods of words end their sender's connection alone")
  func garbage() throws {
    let stage = try Stage("Docs/", "new.txt")
    let run = try session(stage)
    let huge = try RawPeer.visit(stage, as: "huge")
    huge.send(huge.frame(1, [], count: 0x7FFF_FFFF))
    #expect(try huge.next() == nil)
    let flood = try RawPeer.visit(stage, as: "flood")
    for _ in 0..<20_000 { flood.say("list") }
    while try flood.next() != nil {}
    let half = try RawPeer.visit(stage, as: "half")
    half.send(Array(half.frame(1, Array(#"{"kind":"list"}"#.utf8)).dropLast(3)))
    #expect(try stage.run("drop", "new.txt", "--onto", "Docs", "--speech", "off").status == 0)
    #expect(stage.read("Docs/new.txt") == "new.txt")
    #expect(try run.finish().status == 0)
  }

  @Test("A session that had to give way to a crowd finds the places again, without a key")
  func crowdedOut() throws {
    let stage = try Stage("Docs/", "Away/a.txt", "Away/Sub/")
    let run = try session(stage)
    let socket = stage.list(stage.base + "/run/keydrag").first { $0.hasSuffix(".sock") }
    let giver = try stage.live("Away")
    try giver.wait(for: "ready")
    giver.type(#""a.txt" space"#)
    try giver.wait(for: "picked-up")
    giver.type(#""docs""#)
    try giver.wait("the place") { $0.id == "drop-point" && $0.argument("name") == "Docs" }
    // All that have never asked anything go before one that has: this one asks for the first time.
    let crowd = try (0..<70).map { number in
      let peer = try RawPeer.visit(stage, as: "busy \(number)", at: socket)
      peer.say(
        "items",
        #"{"drag":1,"first":0,"items":[{"name":"a","kind":5,"types":["a/b"],"typeName":"a"}]}"#)
      peer.say(
        "ask", #"{"question":1,"drag":1,"stops":[{"point":1,"position":1}],"isFinal":false}"#)
      _ = try peer.next("answers")
      return peer
    }
    try giver.wait("the loss") { $0.id == "vanished" && $0.argument("name") == "Docs" }
    try giver.wait("the places again") { $0.id == "appeared" && $0.argument("name") == "Docs" }
    giver.type(#""docs" enter"#)
    try giver.wait(for: "delivered")
    #expect(stage.read("Docs/a.txt") == "Away/a.txt")
    #expect(try giver.finish().status == 0)
    #expect(try run.finish().status == 0)
    _ = crowd
  }

  @Test("Visitors that do nothing give way at once to one that comes, however many there are")
  func idle() throws {
    let stage = try Stage("Docs/", "new.txt")
    let run = try session(stage)
    var crowd: [RawPeer] = []
    for number in 0..<40 {
      let peer =
        try number.isMultiple(of: 4)
        ? RawPeer.connect(in: stage) : RawPeer.visit(stage, as: "idle \(number)")
      if number.isMultiple(of: 3) { peer.say("list") }
      crowd.append(peer)
    }
    let start = ContinuousClock.now
    let drop = try stage.run("drop", "new.txt", "--onto", "Docs", "--speech", "off")
    #expect(drop.status == 0, "\(drop)")
    #expect(ContinuousClock.now - start < .seconds(8))
    #expect(stage.read("Docs/new.txt") == "new.txt")
    #expect(try run.finish().status == 0)
    _ = crowd
  }
}
