import Glibc
import KeyDragCore
import Synchronization
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("Places: listing", .timeLimit(.minutes(5)))
struct PlacesListingTests {
  @Test("Folders come first, then names by case-folded bytes; the folder is its first drop point")
  func order() async throws {
    let scratch = try Scratch()
    for name in ["b.txt", "A.txt", "ä.txt", "a.txt", "Z"] { try scratch.file(name) }
    for name in ["zoo", "Attic"] { try scratch.folder(name) }
    try scratch.link("linked", to: "zoo")
    try scratch.link("broken", to: "nowhere")
    let stage = PlacesStage([scratch.path])
    let listing = try await stage.list()
    #expect(
      listing.names == [
        "Attic", "linked", "zoo", "A.txt", "a.txt", "b.txt", "broken", "Z", "ä.txt",
      ])
    #expect(listing.sources?.prefix(3).map(\.kind) == [.folder, .folderLink, .folder])
    #expect(try listing.source("broken").kind == .brokenLink)
    let root = stage.world.roots[0]
    #expect(listing.dropPoints?.map(\.name) == [root.name, "Attic", "linked", "zoo"])
    #expect(listing.dropPoints?.first?.leadsTo == root.id)
    #expect(listing.dropPoints?.map(\.canOpen) == [false, true, true, true])
    #expect(Set(listing.dropPoints?.map(\.id) ?? []).count == 4)
  }

  @Test("A folder that is stood on is looked into, and a link that leads nowhere is told apart")
  func preview() async throws {
    let scratch = try Scratch()
    let inner = try scratch.folder("inner")
    for name in ["b", "a", ".hidden"] {
      try scratch.check(inner.appending(name).withPlatformString { mkdir($0, 0o755) })
    }
    try scratch.file("plain")
    try scratch.link("there", to: "plain")
    try scratch.link("broken", to: "nowhere")
    let stage = PlacesStage([scratch.path])
    let listing = try await stage.list()
    let source = PreviewSubject.source(try listing.source("inner").id)
    let point = PreviewSubject.dropPoint(
      try #require(listing.dropPoints?.first { $0.name == "inner" }).id)
    for subject in [source, point] {
      let preview = await stage.world.preview(subject, includingHidden: false)
      #expect(preview?.names == ["a", "b"])
      #expect(preview?.counts == .success(ItemCounts(files: 0, folders: 2, hidden: 1)))
    }
    let plain = PreviewSubject.source(try listing.source("plain").id)
    #expect(
      await stage.world.preview(plain, includingHidden: false)?.counts == .failure(.notAFolder))
    #expect(
      await stage.world.preview(.dropPoint(PointID.trash.point), includingHidden: false) == nil)
    let names = ["plain", "there", "broken"]
    #expect(try names.map { try listing.source($0).kind } == [.file, .link, .brokenLink])
    try scratch.check(inner.appending("a").withPlatformString { rmdir($0) })
    try scratch.check(inner.appending("b").withPlatformString { rmdir($0) })
    try scratch.check(inner.appending(".hidden").withPlatformString { rmdir($0) })
    try scratch.check(inner.withPlatformString { rmdir($0) })
    #expect(await stage.world.preview(source, includingHidden: false)?.counts == .failure(.gone))
  }

  @Test("Counts are reported before the listing, links to folders among the folders")
  func counted() async throws {
    let scratch = try Scratch()
    try scratch.file("one")
    try scratch.folder("two")
    try scratch.link("three", to: "two")
    let stage = PlacesStage([scratch.path])
    let reports = Reports()
    stage.world.perform(
      .list(.container(stage.world.roots[0].id), includingHidden: false), id: RequestID(7)
    ) { reports.add($0) }
    let first = await reports.next()
    #expect(first == .counted(RequestID(7), stage.world.roots[0], ItemCounts(files: 1, folders: 2)))
    guard case .listed(RequestID(7), let listing) = await reports.next() else {
      Issue.record("no listing after the counts")
      return
    }
    #expect(listing.sources?.count == 3)
  }

  @Test("Hidden names are counted, shown when asked for, and half-delivered ones never are")
  func hidden() async throws {
    let scratch = try Scratch()
    for name in [".profile", "seen", ".keydrag-0a1b.part"] { try scratch.file(name) }
    let stage = PlacesStage([scratch.path])
    let listing = try await stage.list()
    #expect(listing.names == ["seen"])
    #expect(listing.hiddenCount == 1)
    #expect(try await stage.list(includingHidden: true).names == [".profile", "seen"])
  }

  @Test("A source keeps its number when its folder is listed again")
  func stableNumbers() async throws {
    let scratch = try Scratch()
    for name in ["b", "d"] { try scratch.file(name) }
    let stage = PlacesStage([scratch.path])
    let before = try await stage.list()
    for name in ["a", "c"] { try scratch.file(name) }
    let after = try await stage.list()
    #expect(after.names == ["a", "b", "c", "d"])
    #expect(try after.source("b").id == before.source("b").id)
    #expect(try after.source("d").id == before.source("d").id)
    #expect(Set(after.sources?.map(\.id) ?? []).count == 4)
  }

  static let evilNames: [(bytes: [UInt8], shown: String)] = [
    (Array("line\nbreak".utf8), "line\u{FFFD}break"),
    (Array("esc\u{1B}[31mred".utf8), "esc\u{FFFD}[31mred"),
    ([0x66, 0xFF, 0xFE, 0x67], "f\u{FFFD}FF\u{FFFD}FE g"),
    (Array("abc\u{202E}txt.exe".utf8), "abc\u{FFFD}txt.exe"),
    (Array(repeating: 0x6C, count: 255), String(repeating: "l", count: 255)),
    (Array("-rf".utf8), "-rf"),
    (Array(" ".utf8), "\u{FFFD}20"),
  ]

  @Test(
    "A name is data: it is shown safely, and its own bytes reach the file", arguments: evilNames)
  func evilName(bytes: [UInt8], shown: String) async throws {
    let scratch = try Scratch()
    let file = try scratch.file(bytes, "contents")
    let stage = PlacesStage([scratch.path])
    let listing = try await stage.list()
    #expect(listing.names == [shown])
    let preparation = try await stage.prepare(listing.sources ?? [])
    #expect(preparation.items.map(\.byteCount) == [8])
    let source = try #require(listing.sources?.first)
    #expect(stage.world.path(of: source.id) == file)
  }

  @Test("A FIFO and a socket are named and shown as special")
  func special() async throws {
    let scratch = try Scratch()
    try scratch.check(scratch.path.appending("pipe").withPlatformString { mkfifo($0, 0o600) })
    try scratch.check(
      scratch.path.appending("socket").withPlatformString { mknod($0, S_IFSOCK | 0o600, 0) })
    let listing = try await PlacesStage([scratch.path]).list()
    #expect(listing.names == ["pipe", "socket"])
    #expect(listing.sources?.map(\.kind) == [.special, .special])
  }

  @Test("What can't be listed says why, with its name")
  func unreadable() async throws {
    let scratch = try Scratch()
    let file = try scratch.file("file")
    try scratch.link("loop", to: "loop")
    try scratch.check(scratch.path.appending("pipe").withPlatformString { mkfifo($0, 0o600) })
    let names: [(String, Reason)] = [
      ("missing", .gone), ("loop", .linkLoop), ("pipe", .notAFolder), ("file", .notAFolder),
    ]
    #expect(file.lastComponent?.string == "file")
    for (name, reason) in names {
      let stage = PlacesStage([scratch.path.appending(name)])
      let answer = await stage.answer(
        .list(.container(stage.world.roots[0].id), includingHidden: false))
      #expect(answer == .unreadable(RequestID(1), name: name, reason))
    }
  }

  @Test("A folder is entered, and left again up to the folder that was given")
  func enterAndLeave() async throws {
    let scratch = try Scratch()
    try scratch.folder("inner")
    try scratch.file("inner/leaf")
    try scratch.file("file")
    let stage = PlacesStage([scratch.path])
    let outer = try await stage.list()
    let inner = try await stage.listing(
      .list(.inside(outer.source("inner").id), includingHidden: false))
    #expect(inner.names == ["leaf"])
    #expect(inner.container.name == "inner")
    #expect(inner.container.enclosing == outer.container.id)
    #expect(inner.container.tree == outer.container.id)
    let back = try await stage.listing(.list(.around(inner.container.id), includingHidden: false))
    #expect(back.container == outer.container)
    let above = try await stage.listing(.list(.around(outer.container.id), includingHidden: false))
    #expect(above.container.name == scratch.path.removingLastComponent().lastComponent?.string)
    let link = above.dropPoints?.first { $0.leadsTo == outer.container.id }
    #expect(link?.name == outer.container.name)
    await #expect(throws: Reason.notAFolder) {
      try await stage.listing(.list(.inside(outer.source("file").id), includingHidden: false))
    }
  }

  @Test("H10: a drop point is opened while carrying and shows the places in it")
  func openDropPoint() async throws {
    let scratch = try Scratch()
    try scratch.folder("shelf")
    try scratch.folder("shelf/upper")
    let stage = PlacesStage([scratch.path])
    let point = try await stage.list().point("shelf")
    let opened = try await stage.listing(.list(.opened(point.id), includingHidden: false))
    #expect(opened.dropPoints?.map(\.name) == ["shelf", "upper"])
    // One place has one id, wherever it is listed.
    #expect(opened.dropPoints?.first?.id == point.id)
    #expect(opened.dropPoints?.first?.leadsTo == opened.container.id)
  }

  @Test("Links that lead in a circle end with a reason, not with a hang")
  func circle() async throws {
    let scratch = try Scratch()
    try scratch.link("again", to: ".")
    let stage = PlacesStage([scratch.path])
    var listing = try await stage.list()
    await #expect(throws: Reason.linkLoop) {
      for _ in 0..<100 {
        listing = try await stage.listing(
          .list(.inside(listing.source("again").id), includingHidden: false))
      }
    }
  }

  @Test("A folder without permission to read says so")
  func notPermitted() async throws {
    await #expect(processExitsWith: .success) {
      try Scratch.bindPermissions()
      let scratch = try Scratch()
      let closed = try scratch.folder("closed")
      try scratch.check(closed.withPlatformString { chmod($0, 0) })
      let stage = PlacesStage([scratch.path])
      let listing = try await stage.list()
      await #expect(throws: Reason.notPermitted) {
        try await stage.listing(.list(.inside(listing.source("closed").id), includingHidden: false))
      }
    }
  }
}
