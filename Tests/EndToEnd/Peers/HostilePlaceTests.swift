import Glibc
import HostilePrograms
import RealPrograms
import Testing

/// Another program that shows a place to `keydrag files`, listens to all that it is told, and lies.
@Suite(
  "A program with a place that listens and lies", .realPrograms(by: .suite),
  .timeLimit(.minutes(3)))
struct HostilePlaceTests {
  /// Answers the next question with yes.
  private func accept(_ peer: RawPeer, isFinal: Bool) throws {
    while true {
      let question = try peer.next("ask")
      peer.say(
        "answers",
        #"{"question":\#(question["question"]?.description ?? ""),"answers":[{"stop":"#
          + #"{"point":7,"position":1},"verdict":"all","refused":{},"offers":1,"clashes":[],"#
          + #""becomes":[],"steps":[],"files":[]}]}"#)
      if question["isFinal"] == .flag(isFinal) { return }
    }
  }

  /// Picks up a file, drops it at the place, and has the place say that it took it.
  private func carry(
    _ stage: Stage, to name: String
  ) throws -> (delivered: Record, place: Record) {
    let listener = try RawPeer.listen(in: stage)
    defer { close(listener) }
    let run = try stage.live("Private")
    let peer = try RawPeer.serve(listener, as: name, place: "Basket")
    try run.wait(for: "ready")
    run.type(#""secret" space"#)
    try accept(peer, isFinal: false)
    run.type(#""basket""#)
    let place = try run.wait("the place") {
      $0.id == "drop-point" && $0.argument("name") == "Basket"
    }
    try expect(.passed, peer, stage)
    run.type("enter")
    try accept(peer, isFinal: true)
    try expect(.asked, peer, stage)
    let order = try peer.next("deliver")
    peer.say(
      "finished",
      #"{"delivery":\#(order["delivery"]?.description ?? ""),"outcome":"delivered","delivered":1,"#
        + #""failures":[],"bytes":0,"total":0,"verified":true,"landed":[],"renamed":[],"lost":[]}"#)
    let delivered = try run.wait(for: "delivered")
    let end = try run.finish()
    #expect(end.status == 0, "\(end)")
    try expect(.dropped, peer, stage)
    return (delivered, place)
  }

  /// It has heard all that the guide's table says, but for what it has to ask for, and no more.
  private func expect(_ moment: Disclosed.Moment, _ peer: RawPeer, _ stage: Stage) throws {
    let heard = String(decoding: peer.heard, as: UTF8.self)
    var promised = try Disclosed.promised(by: "another KeyDrag program", moment)
    #expect((promised.remove(.contents) != nil) == (moment == .dropped), "\(moment)")
    #expect(
      Disclosed.all(in: heard, holding: "Private/secret.txt", in: stage) == promised,
      "\(moment): \(heard)")
  }

  @Test(
    "A place learns names and types while it is walked past, and no path at any time")
  func disclosed() throws {
    let stage = try Stage("Private/secret.txt")
    _ = try carry(stage, to: "Harmless")
  }

  @Test(
    "T13: what lands in a folder of this program tells a program that listens no more than before")
  func own() throws {
    let stage = try Stage("Private/secret.txt", "Docs/")
    let listener = try RawPeer.listen(in: stage)
    defer { close(listener) }
    let run = try stage.live("Private", "Docs")
    let peer = try RawPeer.serve(listener, as: "Harmless", place: "Basket")
    try run.wait(for: "ready")
    run.type(#""secret" space"#)
    try accept(peer, isFinal: false)
    run.type(#""docs" enter"#)
    try run.wait(for: "delivered")
    #expect(try run.finish().status == 0)
    while try peer.next() != nil {}
    #expect(stage.read("Docs/secret.txt") != nil)
    try expect(.passed, peer, stage)
  }

  @Test("T02: what a program says that it did is told as its word, with its name")
  func word() throws {
    let stage = try Stage("Private/secret.txt")
    let (delivered, place) = try carry(stage, to: "Harmless Name")
    #expect(place.argument("app") == "Harmless Name", "\(place)")
    #expect(
      delivered.text.hasPrefix("Harmless Name says: Copied secret.txt to Basket."), "\(delivered)")
    #expect(delivered.argument("app") == "Harmless Name", "\(delivered)")
  }

  @Test(
    "A program that calls itself as one of ours does is told apart",
    arguments: [
      "keydrag files", "KeyDrag Files", "keydrag", "kеydrag desktop", "keydrag\\u200b files",
      "ｋeydrag files", "𝗄𝖾𝗒𝖽𝗋𝖺𝗀 files",
    ])
  func impostor(name: String) throws {
    let stage = try Stage("Private/secret.txt")
    let (delivered, place) = try carry(stage, to: name)
    let app = place.argument("app")?.description ?? ""
    #expect(app.hasPrefix("a program that calls itself "), "\(place)")
    #expect(delivered.text.contains("a program that calls itself"), "\(delivered)")
  }

  @Test("What KeyDrag itself has taken is told as done, with the place and the program")
  func ours() throws {
    let stage = try Stage("Private/secret.txt", "Docs/")
    let taker = try stage.live("Docs")
    try taker.wait(for: "ready")
    let run = try stage.run("drop", "Private/secret.txt", "--onto", "Docs", "--speech", "off")
    #expect(run.last("delivered")?.text == "Copied secret.txt to Docs, in keydrag files.", "\(run)")
    #expect(run.last("delivered")?.argument("app") == "keydrag files", "\(run)")
    #expect(try taker.finish().status == 0)
  }

  @Test("A program of another version is named, with what to do")
  func version() throws {
    let stage = try Stage("Private/secret.txt")
    let listener = try RawPeer.listen(in: stage)
    defer { close(listener) }
    let run = try stage.live("Private")
    let peer = RawPeer(Glibc.accept(listener, nil, nil))
    _ = try peer.next("hello")
    peer.say("hello", #"{"version":1,"program":"Old \u001b[31mOne"}"#)
    let problem = try run.wait(for: "problem")
    #expect(problem.text.contains("Old") && problem.text.contains("version"), "\(problem)")
    #expect(try run.finish().status == 0)
  }
}
