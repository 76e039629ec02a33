import Glibc
import KeyDragCore
import RealPrograms
import Synchronization
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("Places: asking drop points", .realPrograms(by: .suite), .timeLimit(.minutes(5)))
struct PlacesAskingTests {
  @Test("H01, H02: files are taken by other folders, and not by the one they lie in")
  func plain() async throws {
    let scratch = try Scratch()
    try scratch.file("notes.txt", "text")
    try scratch.folder("box")
    let stage = PlacesStage([scratch.path])
    let listing = try await stage.list()
    let items = try await stage.prepare([listing.source("notes.txt")]).items
    let proposals = try await stage.ask(items, at: listing.dropPoints ?? [])
    #expect(proposals == [.refused(.samePlace), DropProposal(.all)])
    let copies = try await stage.ask(items, at: listing.dropPoints ?? [], wish: .copy)
    #expect(copies == [DropProposal(.all, offers: [.copy, .link]), DropProposal(.all)])
  }

  @Test("K10: a folder is not dropped into itself, also by way of symbolic links")
  func ownDescendant() async throws {
    let scratch = try Scratch()
    try scratch.folder("box")
    try scratch.folder("box/inner")
    try scratch.link("shortcut", to: "box/inner")
    try scratch.folder("other")
    let stage = PlacesStage([scratch.path])
    let listing = try await stage.list()
    let items = try await stage.prepare([listing.source("box")]).items
    let points = try ["box", "shortcut", "other"].map { try listing.point($0) }
    #expect(
      try await stage.ask(items, at: points)
        == [.refused(.ownDescendant), .refused(.ownDescendant), DropProposal(.all)])
    let link = try await stage.prepare([listing.source("shortcut")]).items
    #expect(
      try await stage.ask(link, at: [listing.point("shortcut"), listing.point("box")])
        == [
          .refused(.ownDescendant),
          DropProposal(.all, predictions: [.leadsNowhere(["shortcut"])]),
        ])
  }

  @Test("H27: what lies there already is refused, the others are taken")
  func partial() async throws {
    let scratch = try Scratch()
    try scratch.file("a.txt")
    try scratch.folder("box")
    try scratch.file("box/b.txt")
    let stage = PlacesStage([scratch.path])
    let outer = try await stage.list()
    let box = try await stage.listing(
      .list(.inside(outer.source("box").id), includingHidden: false))
    let items = try await stage.prepare([outer.source("a.txt"), box.source("b.txt")]).items
    let proposal = try await stage.ask(items, at: [outer.point("box")]).first
    #expect(proposal?.acceptance == .some(refused: [1: .samePlace]))
  }

  @Test("H12: names that exist at the target are predicted, those shared by two items too")
  func clashes() async throws {
    let scratch = try Scratch()
    for name in ["one", "two", "box"] { try scratch.folder(name) }
    for name in ["one/a\n.txt", "one/b.txt", "two/b.txt", "box/a\n.txt"] { try scratch.file(name) }
    let stage = PlacesStage([scratch.path])
    let outer = try await stage.list()
    let one = try await stage.listing(
      .list(.inside(outer.source("one").id), includingHidden: false))
    let two = try await stage.listing(
      .list(.inside(outer.source("two").id), includingHidden: false))
    let items = try await stage.prepare((one.sources ?? []) + (two.sources ?? [])).items
    #expect(items.count == 3)
    let proposal = try await stage.ask(items, at: [outer.point("box")]).first
    #expect(proposal?.predictions == [.nameClash(["a\u{FFFD}.txt", "b.txt"])])
  }

  @Test("K13: the last question before a drop looks at every name, an earlier one at a hundred")
  func finalQuestion() async throws {
    let scratch = try Scratch()
    for name in ["from", "to"] { try scratch.folder(name) }
    for number in 100..<250 {
      for name in ["from", "to"] { try scratch.file("\(name)/\(number)") }
    }
    let stage = PlacesStage([scratch.path])
    let outer = try await stage.list()
    let from = try await stage.listing(
      .list(.inside(outer.source("from").id), includingHidden: false))
    let items = try await stage.prepare(from.sources ?? []).items
    for (isFinal, count) in [(false, 100), (true, 150)] {
      let proposal = try await stage.ask(items, at: [outer.point("to")], isFinal: isFinal).first
      guard case .nameClash(let names)? = proposal?.predictions.first else {
        Issue.record("nothing predicted")
        continue
      }
      #expect(names.count == count)
    }
  }

  @Test("K13: a place or an item that is gone by now says so")
  func gone() async throws {
    let scratch = try Scratch()
    let file = try scratch.file("a.txt")
    let box = try scratch.folder("box")
    let stage = PlacesStage([scratch.path])
    let listing = try await stage.list()
    let items = try await stage.prepare([listing.source("a.txt")]).items
    try scratch.check(box.withPlatformString { rmdir($0) })
    let point = try listing.point("box")
    #expect(try await stage.ask(items, at: [point], isFinal: true) == [.refused(.gone)])
    try scratch.check(mkdir(box.string, 0o755))
    try scratch.check(file.withPlatformString { unlink($0) })
    #expect(try await stage.ask(items, at: [point], isFinal: true) == [.refused(.gone)])
    try scratch.check(box.withPlatformString { rmdir($0) })
    try scratch.file("box")
    #expect(try await stage.ask(items, at: [point], isFinal: true) == [.refused(.notAFolder)])
  }

  @Test("H08: a folder without permission refuses, one that can't be read takes what can be undone")
  func permissions() async {
    await #expect(processExitsWith: .success) {
      try Scratch.bindPermissions()
      let scratch = try Scratch()
      try scratch.file("a.txt")
      for (name, mode) in [("closed", 0o555), ("slot", 0o333)] as [(String, mode_t)] {
        let folder = try scratch.folder(name)
        try scratch.check(folder.withPlatformString { chmod($0, mode) })
      }
      let stage = PlacesStage([scratch.path])
      let listing = try await stage.list()
      let items = try await stage.prepare([listing.source("a.txt")]).items
      let points = [try listing.point("closed"), try listing.point("slot")]
      #expect(
        try await stage.ask(items, at: points)
          == [.refused(.notPermitted), DropProposal(.all)])
    }
  }

  @Test("A file larger than what is free is refused where it would be copied")
  func noSpace() async throws {
    let scratch = try Scratch()
    let huge = try scratch.file("huge.txt")
    // Sparse: as long as the largest disk, and as small as the smallest.
    try scratch.check(huge.withPlatformString { truncate($0, 1 << 43) })
    try scratch.folder("box")
    let stage = PlacesStage([scratch.path])
    let listing = try await stage.list()
    let items = try await stage.prepare([listing.source("huge.txt")]).items
    let point = try listing.point("box")
    #expect(try await stage.ask(items, at: [point], wish: .copy) == [.refused(.noSpace)])
    #expect(try await stage.ask(items, at: [point]) == [DropProposal(.all)])
  }

  @Test(
    "A read-only file system is told apart from a missing permission",
    .enabled(if: readOnlyFolder != nil, "nothing is mounted read-only here"))
  func readOnly() throws {
    let folder = try #require(Self.readOnlyFolder)
    var probe = PlaceProbe()
    #expect(try probe.target(folder, source: nil, tree: nil).get().refusal == .readOnly)
  }

  /// Where something is mounted that nobody may write to.
  private static let readOnlyFolder: FilePath? = {
    let candidates: [FilePath] = ["/sys/fs/cgroup", "/sys", "/proc/sys", "/boot/efi", "/snap/core"]
    return candidates.first { folder in
      var space = statvfs()
      return statvfs(folder.string, &space) == 0 && space.f_flag & UInt(ST_RDONLY) != 0
    }
  }()

  @Test("H27: a folder that nothing can be removed from holds back its own items alone")
  func trashOfSeveralFolders() async throws {
    let scratch = try Scratch()
    let (locked, open) = (try scratch.folder("locked"), try scratch.folder("open"))
    let files = [locked.appending("a"), open.appending("b"), locked.appending("c")]
    for file in files { try scratch.check(file.withPlatformString { creat($0, 0o644) }) }
    let stage = PlacesStage(
      [scratch.path], canTrash: { $0.removingLastComponent() == locked ? .notPermitted : nil })
    _ = try await stage.list()
    let preparation = await stage.world.take(files.map(\.string))
    let trash = try #require(preparation.taskPoints.first { $0.task == .trash })
    let answers = try await stage.ask(preparation.items, at: [trash])
    #expect(
      answers.map(\.acceptance) == [.some(refused: [0: .notPermitted, 2: .notPermitted])])
  }

  @Test("H08: what has no trash is asked about first, and deleted only after that")
  func noTrash() async throws {
    let scratch = try Scratch()
    try scratch.file("a.txt")
    let stage = PlacesStage([scratch.path], canTrash: { _ in .noTrash })
    let source = try await stage.list().source("a.txt")
    let preparation = try await stage.prepare([source])
    let trash = try #require(preparation.taskPoints.first)
    let order = DeliveryOrder(
      items: preparation.items, stop: DropStop(trash.id), operation: .remove)
    _ = try await stage.ask(preparation.items, at: [trash])
    _ = await stage.answer(.deliver(DeliveryID(1), order))
    let expected = DropProposal(.all, offers: [.remove], irreversible: .noTrash)
    #expect(
      try await stage.ask(preparation.items, at: [trash], isFinal: true) == [expected])
    _ = await stage.answer(.deliver(DeliveryID(2), order))
    #expect(stage.delivery.drops.withLock { $0.map(\.permanently) } == [false, true])
    // What was not asked about is not covered by the answer.
    try scratch.file("b.txt")
    let both = try await stage.prepare(try await stage.list().sources ?? [])
    _ = await stage.answer(
      .deliver(
        DeliveryID(3),
        DeliveryOrder(items: both.items, stop: DropStop(trash.id), operation: .remove)))
    let last = try #require(stage.delivery.drops.withLock { $0.last })
    #expect(!last.permanently)
  }

  @Test("A place that does not answer holds up no other and is answered for")
  func notResponding() async throws {
    let scratch = try Scratch()
    try scratch.file("a.txt")
    try scratch.folder("box")
    let hung = Gate()
    let begun = Atomic(0)
    let registry = PlaceRegistry(roots: RootPaths.roots([scratch.path]))
    let places = TaskPlaces(programs: OneProgram())
    let inquiry = PlaceInquiry(registry: registry, tasks: places, patience: .milliseconds(300)) {
      _ in
      begun.add(1, ordering: .relaxed)
      hung.wait()
      return nil
    }
    defer { hung.open() }
    let stage = PlacesStage([scratch.path])
    _ = try await stage.list()
    let lister = FolderLister(registry: registry)
    let listing = await withCheckedContinuation { continuation in
      lister.list(0, as: .browsed, includingHidden: false) { event in
        if case .listed(let listing) = event { continuation.resume(returning: listing) }
      }
    }
    let pickUp = PickUp(registry: registry, types: PlainTypes(), tasks: places)
    let items = await pickUp.prepare([try listing.source("a.txt").id]).items
    let stops = [PointID.trash.point, try listing.point("box").id].map { DropStop($0) }
    let question = ProposalRequest(items: items, wish: nil, stops: stops)
    var told: [Answer] = []
    let answers = await inquiry.answers(to: question) { told += $0 }
    #expect(answers.map(\.proposal) == [.refused(.notResponding), DropProposal(.all)])
    // The one that answers is told before the other is given up.
    #expect(told.map(\.stop) == [stops[1], stops[0]])
    for _ in 0..<20 { #expect(await inquiry.answers(to: question) == answers) }
    // One question to a disk that hangs, and so one thread.
    #expect(begun.load(ordering: .relaxed) == 1)
    hung.open()
    hung.open()
    while await inquiry.answers(to: question) == answers { await Task.yield() }
    #expect(begun.load(ordering: .relaxed) == 2)
  }

  /// A pick-up of everything in a folder, and an inquiry in which every disk is a FAT.
  private func askFAT(
    _ scratch: Scratch, type: Int64 = 0x4d44,
    _ body: (PlaceInquiry, (Bool) -> ProposalRequest) async throws -> Void
  ) async throws {
    let registry = PlaceRegistry(roots: RootPaths.roots([scratch.path]))
    let inquiry = PlaceInquiry(
      registry: registry, tasks: TaskPlaces(programs: OneProgram()), diskType: { _ in type },
      canTrash: { _ in nil })
    let lister = FolderLister(registry: registry)
    let listing = await withCheckedContinuation { continuation in
      lister.list(0, as: .browsed, includingHidden: false) { event in
        if case .listed(let listing) = event { continuation.resume(returning: listing) }
      }
    }
    let pickUp = PickUp(registry: registry, types: PlainTypes(), tasks: nil)
    let sources = (listing.sources ?? []).filter { $0.name != "stick" }.map(\.id)
    let items = await pickUp.prepare(sources).items
    let stop = DropStop(try listing.point("stick").id)
    try await body(inquiry) {
      ProposalRequest(items: items, wish: .copy, stops: [stop], isFinal: $0)
    }
  }

  @Test(
    "H06: what a FAT can't hold is said before the drop, by itself and in folders, and holds nothing up",
    arguments: [
      (0x4d44, ["big", "cut:name", "lane", "twin"]), (0x2011_bab0, ["cut:name", "lane", "twin"]),
      (0xef53, []),
    ] as [(Int64, [String])])
  func poorDisk(type: Int64, parts: [String]) async throws {
    let scratch = try Scratch()
    try scratch.folder("stick")
    try scratch.file("what?")
    try scratch.link("link", to: "what?")
    try scratch.folder("tree")
    try scratch.folder("tree/inner")
    for name in ["tree/fine", "tree/inner/Twin", "tree/inner/twin"] { try scratch.file(name) }
    try scratch.file("tree/cut:name")
    // They differ, whatever is shown for both.
    for byte: UInt8 in [0xFE, 0xFF] { try scratch.file(Array("tree/odd".utf8) + [byte]) }
    try scratch.link("tree/inner/lane", to: "Twin")
    let big = try scratch.file("tree/big")
    try scratch.check(big.withPlatformString { truncate($0, 5 << 30) })
    try await askFAT(scratch, type: type) { inquiry, question in
      let begun = Gate()
      inquiry.observe { begun.open() }
      let first = await inquiry.answers(to: question(false)).map(\.proposal)
      let isPoor = !parts.isEmpty
      // In the order of the listing: the folder, then link and what?.
      let acceptance: Acceptance =
        isPoor ? .some(refused: [1: .noLinks, 2: .nameRefused]) : .all
      #expect(first.map(\.acceptance) == [acceptance])
      // Whether it is known by then is chance; in the end it is.
      if isPoor { begun.wait() }
      for isFinal in [false, true] {
        let told = await inquiry.answers(to: question(isFinal)).flatMap(\.proposal.predictions)
        guard case .leavesOut(let names, let count, nil)? = told.first else {
          #expect(!isPoor && told.isEmpty)
          continue
        }
        #expect(count == parts.count && names.count == min(count, 3))
        #expect(Set(names).isSubset(of: parts + ["Twin"]))
      }
    }
  }

  @Test("K13: calls that hang are counted by the disk, whatever the folder")
  func byDisk() {
    #expect(Mounts.point(above: "/proc/self/fd") == "/proc")
    #expect(Mounts.point(above: "/proc") == "/proc")
    #expect(Mounts.point(above: "/process/1") == Mounts.point(above: "/"))
  }
}
