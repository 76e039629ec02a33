import Glibc
import KeyDragCore
import RealPrograms
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("Places: picking up", .realPrograms(by: .suite), .timeLimit(.minutes(5)))
struct PlacesPickUpTests {
  @Test("H12: what is picked up has its type, its name in words and its size")
  func items() async throws {
    let scratch = try Scratch()
    try scratch.file("notes.txt", "hello")
    try scratch.file("letter", "hello you")
    try scratch.folder("box")
    try scratch.link("short", to: "notes.txt")
    let stage = PlacesStage([scratch.path])
    let listing = try await stage.list()
    let preparation = try await stage.prepare(listing.sources ?? [])
    #expect(preparation.refused.isEmpty)
    #expect(preparation.items.map(\.name) == ["box", "letter", "notes.txt", "short"])
    #expect(
      preparation.items.map(\.types) == [
        ["inode/directory"], ["text/plain"], ["text/plain"], ["text/plain"],
      ])
    #expect(preparation.items.map(\.byteCount) == [nil, 9, 5, nil])
    #expect(preparation.items[2].typeName == "text document")
    #expect(preparation.items.allSatisfy { $0.folder == listing.container.name })
    #expect(preparation.items.allSatisfy { $0.tree == listing.container.tree })
    #expect(preparation.items.allSatisfy { $0.allowed == .all })
  }

  @Test("Files named by a path or an address are prepared, listed or not; one that is not is named")
  func named() async throws {
    let scratch = try Scratch()
    let path = try scratch.file("a b.txt", "hello").string
    try scratch.folder("shown")
    let stage = PlacesStage([scratch.path.appending("shown")])
    let address = "file://" + path.replacing(" ", with: "%20")
    for place in [path, address] {
      let report = await stage.answer(
        .folders(.take([place, scratch.path.appending("none").string], from: nil)))
      guard case .prepared(_, let preparation) = report else { throw Reason.unknown }
      #expect(preparation.items.map(\.name) == ["a b.txt"], "\(place)")
      #expect(preparation.items.first?.byteCount == 5)
      #expect(preparation.refused == [DeliveryFailure(name: "none", reason: .nothingThere)])
    }
  }

  @Test("A FIFO is refused and never opened; what is gone is refused by its name")
  func refused() async throws {
    let scratch = try Scratch()
    try scratch.check(scratch.path.appending("pipe").withPlatformString { mkfifo($0, 0o600) })
    let file = try scratch.file("brief.txt")
    let stage = PlacesStage([scratch.path])
    let listing = try await stage.list()
    try scratch.check(file.withPlatformString { unlink($0) })
    let preparation = try await stage.prepare(listing.sources ?? [])
    #expect(preparation.items.isEmpty)
    #expect(
      preparation.refused == [
        DeliveryFailure(name: "brief.txt", reason: .gone),
        DeliveryFailure(name: "pipe", reason: .specialFile),
      ])
  }

  @Test("K11: a marked item inside a marked folder is not taken twice")
  func nested() async throws {
    let scratch = try Scratch()
    try scratch.folder("box")
    try scratch.folder("box/deep")
    try scratch.file("box/deep/leaf.txt")
    try scratch.file("boxer.txt")
    let stage = PlacesStage([scratch.path])
    let outer = try await stage.list()
    let box = try await stage.listing(
      .list(.inside(outer.source("box").id), includingHidden: false))
    let deep = try await stage.listing(
      .list(.inside(box.source("deep").id), includingHidden: false))
    let preparation = try await stage.prepare([
      deep.source("leaf.txt"), outer.source("box"), outer.source("boxer.txt"),
    ])
    #expect(preparation.items.map(\.name) == ["box", "boxer.txt"])
    #expect(preparation.refused == [DeliveryFailure(name: "leaf.txt", reason: .heldWithFolder)])
  }

  @Test("K12: a read-only folder lets its files be copied, an unreadable file be moved")
  func permissions() async {
    await #expect(processExitsWith: .success) {
      try Scratch.bindPermissions()
      let scratch = try Scratch()
      try scratch.folder("fixed")
      try scratch.file("fixed/kept.txt")
      let secret = try scratch.file("secret.txt")
      try scratch.check(scratch.path.appending("fixed").withPlatformString { chmod($0, 0o555) })
      try scratch.check(secret.withPlatformString { chmod($0, 0) })
      let stage = PlacesStage([scratch.path])
      let outer = try await stage.list()
      let fixed = try await stage.listing(
        .list(.inside(outer.source("fixed").id), includingHidden: false))
      let kept = try await stage.prepare([fixed.source("kept.txt")])
      #expect(kept.items.map(\.allowed) == [[.copy, .link, .open]])
      #expect(!kept.taskPoints.contains { $0.task == .trash })
      let hidden = try await stage.prepare([outer.source("secret.txt")])
      #expect(hidden.items.map(\.allowed) == [[.move, .link, .remove]])
      #expect(hidden.taskPoints.map(\.task) == [.trash])
    }
  }

  @Test(
    "K12: a folder of somebody else can't be moved, whatever its parent allows",
    .enabled(if: geteuid() == 0))
  func foreign() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      try scratch.folder("theirs")
      try scratch.check(scratch.path.withPlatformString { chown($0, 65_534, 65_534) })
      try Scratch.bindPermissions()
      let stage = PlacesStage([scratch.path])
      let theirs = try await stage.prepare([stage.list().source("theirs")])
      #expect(theirs.items.map(\.allowed) == [[.copy, .link, .open]])
    }
  }

  @Test("K12: out of a sticky folder only owners take things")
  func sticky() {
    var status = stat()
    status.st_uid = 7
    let facts = FileStamp(status)
    let sticky = FolderPermissions(removal: nil, stickyOwner: 5)
    #expect(sticky.removal(of: facts, by: 9) == .notPermitted)
    for user in [0, 5, 7] as [UInt32] { #expect(sticky.removal(of: facts, by: user) == nil) }
    #expect(FolderPermissions(removal: .readOnly).removal(of: facts, by: 0) == .readOnly)
  }

  @Test("H20, H30: trash, print and the default program are offered for exactly what fits")
  func taskPoints() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      for name in ["a.txt", "b.txt", "c.png"] { try scratch.file(name) }
      try scratch.folder("box")
      setenv("PATH", "\(scratch.path.string)/bin", 1)
      let stage = PlacesStage([scratch.path])
      let listing = try await stage.list()
      let texts = [try listing.source("a.txt"), try listing.source("b.txt")]
      #expect(try await stage.prepare(texts).taskPoints.map(\.task) == [.trash, .openWith])
      try scratch.folder("bin")
      let lp = try scratch.file("bin/lp", "#!/bin/sh\n")
      try scratch.check(lp.withPlatformString { chmod($0, 0o755) })
      let both = try await stage.prepare(texts).taskPoints
      #expect(both.map(\.task) == [.trash, .print, .openWith])
      #expect(both.last?.name == "Reader")
      let mixed = try await stage.prepare([listing.source("a.txt"), listing.source("c.png")])
      #expect(mixed.taskPoints.map(\.task) == [.trash, .print])
      let folder = try await stage.prepare([listing.source("box")])
      #expect(folder.taskPoints.map(\.task) == [.trash])
    }
  }

  @Test("The trash bears the name that is shown, so that it is found by typing it")
  func taskNames() {
    struct Other: Catalogue {
      let language = "de"
      func sentence(_ source: String, context: String?) -> String {
        source == "Trash" ? "Papierkorb" : source
      }
      func sentence(one: String, other: String, count: Int) -> String { other }
    }
    let places = TaskPlaces(
      programs: OneProgram(), phrases: Phrasebook(catalogue: Other()))
    let item = DragItem(
      source: DragSourceID(1), name: "a", kind: .folder, types: ["inode/directory"],
      typeName: "folder", container: ContainerID(1), tree: nil, allowed: [.move, .remove])
    #expect(places.places(for: [item]).map(\.name) == ["Papierkorb"])
  }
}
