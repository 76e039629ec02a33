import Glibc
import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("Places: links that lead nowhere", .timeLimit(.minutes(5)))
struct LinkTests {
  struct Kind: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// Beside a.txt, dir/x, tree/i, box, deep/box, and lane, which leads to deep/box.
    var links: [(String, to: String)]
    var carried: [String]
    var target = "box"
    /// Files added at the target.
    var beside: [String] = []
    var operation = DragOperation.move
    /// What leads nowhere at the target, by path below it.
    var broken: [String] = []
  }

  static let kinds = [
    Kind(
      testDescription: "what it leads to stays behind", links: [("l", to: "a.txt")],
      carried: ["l"], broken: ["l"]),
    Kind(
      testDescription: "a copy as well", links: [("l", to: "a.txt")], carried: ["l"],
      operation: .copy, broken: ["l"]),
    Kind(
      testDescription: "what it leads to goes along", links: [("l", to: "a.txt")],
      carried: ["l", "a.txt"]),
    Kind(
      testDescription: "something has that name there", links: [("l", to: "a.txt")],
      carried: ["l"], beside: ["a.txt"]),
    Kind(
      testDescription: "out of a carried folder", links: [("tree/up", to: "../a.txt")],
      carried: ["tree"], broken: ["tree/up"]),
    Kind(
      testDescription: "out of a carried folder, to what is there",
      links: [("tree/up", to: "../a.txt")], carried: ["tree"], beside: ["a.txt"]),
    Kind(
      testDescription: "within a carried folder",
      links: [("tree/in", to: "i"), ("tree/self", to: "../tree/i")], carried: ["tree"]),
    Kind(testDescription: "absolute", links: [("l", to: "/a.txt")], carried: ["l"]),
    Kind(
      testDescription: "absolute, into what is moved", links: [("l", to: "/dir/x")],
      carried: ["dir", "l"], broken: ["l"]),
    Kind(
      testDescription: "absolute, into what is copied", links: [("l", to: "/dir/x")],
      carried: ["dir", "l"], operation: .copy),
    Kind(
      testDescription: "to itself", links: [("l", to: "l")], carried: ["l"], broken: ["l"]),
    Kind(
      testDescription: "to a link that leads out", links: [("l", to: "m"), ("m", to: "a.txt")],
      carried: ["l", "m"], broken: ["l", "m"]),
    Kind(
      testDescription: "broken already", links: [("l", to: "none")], carried: ["l"],
      broken: ["l"]),
    Kind(
      testDescription: "mended there", links: [("l", to: "none")], carried: ["l"],
      beside: ["none"]),
    Kind(
      testDescription: "the target is reached by a link", links: [("l", to: "../a.txt")],
      carried: ["l"], target: "lane", broken: ["l"]),
  ]

  @Test(
    "H12: a link that will lead nowhere is said before the drop and after it, as the disk has it",
    arguments: kinds)
  func leadsNowhere(kind: Kind) async throws {
    let scratch = try Scratch()
    for name in ["dir", "tree", "box", "deep", "deep/box"] { try scratch.folder(name) }
    try scratch.link("lane", to: "deep/box")
    for name in ["a.txt", "dir/x", "tree/i"] { try scratch.file(name) }
    for name in kind.beside { try scratch.file(kind.target + "/" + name) }
    func text(_ link: (String, to: String)) -> String {
      link.to.hasPrefix("/") ? scratch.path.string + link.to : link.to
    }
    for link in kind.links { try scratch.link(link.0, to: text(link)) }
    func leads(_ path: String) -> Bool {
      var status = stat()
      return stat(scratch.path.string + "/" + path, &status) == 0
    }
    let before = kind.links.map { leads($0.0) }
    let stage = PlacesStage(
      [scratch.path], delivering: JournaledCourier(folder: try scratch.folder(".state")))
    let listing = try await stage.list()
    let items = try await stage.prepare(kind.carried.map { try listing.source($0) }).items
    let stop = DropStop(try listing.point(kind.target).id)
    let question = ProposalRequest(items: items, wish: kind.operation, stops: [stop], isFinal: true)
    func names(_ paths: [String]) -> Set<String> {
      Set(paths.map { String($0.split(separator: "/").last ?? "") })
    }
    // A link that is broken where it is is not told of again at each place.
    let foretold = names(kind.broken.filter(leads))
    func predicted() async -> Set<String> {
      for answer in await stage.world.answers(to: question, told: { _ in }) {
        for case .leadsNowhere(let names) in answer.proposal.predictions { return Set(names) }
      }
      return []
    }
    // Folders are read in the background.
    while await predicted() != foretold { await Task.yield() }
    let order = DeliveryOrder(items: items, stop: stop, operation: kind.operation)
    guard
      case .delivery(_, .finished(let result)) = await stage.answer(.deliver(DeliveryID(1), order))
    else { throw Reason.unknown }
    #expect(result.outcome == .delivered && Set(result.leadNowhere) == names(kind.broken))
    for link in kind.links {
      let path = kind.target + "/" + link.0
      #expect(leads(path) == !kind.broken.contains(link.0))
      var bytes = [CChar](repeating: 0, count: 4096)
      let count = readlink(scratch.path.string + "/" + path, &bytes, bytes.count)
      #expect(bytes.prefix(max(count, 0)).map { UInt8(bitPattern: $0) } == Array(text(link).utf8))
    }
    guard case .done = await stage.world.undo(entry: nil) else { throw Reason.unknown }
    #expect(kind.links.map { leads($0.0) } == before)
  }

  /// Answers at the folders of these names, once all that is carried has been read.
  private func predictions(
    _ scratch: Scratch, carrying carried: [String], at names: [String]
  ) async throws -> [[Prediction]] {
    let stage = PlacesStage([scratch.path])
    let listing = try await stage.list()
    let items = try await stage.prepare(carried.map { try listing.source($0) }).items
    let stops = try names.map { DropStop(try listing.point($0).id) }
    let question = ProposalRequest(items: items, wish: .copy, stops: stops)
    _ = await stage.world.answers(to: question, told: { _ in })
    while true { if case .predictionsImproved = await stage.reports.next() { break } }
    // A busy machine may be given up at some of them, and is asked again.
    while true {
      let answers = await stage.world.answers(to: question, told: { _ in })
      if !answers.contains(where: { $0.proposal.acceptance == .none(.notResponding) }) {
        return answers.map(\.proposal.predictions)
      }
    }
  }

  @Test("K13: carried folders that are places too are read once for all, whatever their names")
  func shared() async throws {
    let scratch = try Scratch()
    let names = (0..<9).map { "d\($0)" }
    try scratch.file("beside")
    for name in names {
      try scratch.folder(name)
      // A FAT refuses that name, and no other disk.
      try scratch.folder(name + "/a:b")
      try scratch.link(name + "/a:b/" + name, to: "../../beside")
    }
    let told = try await predictions(scratch, carrying: names, at: names)
    #expect(told == names.map { name in [.leadsNowhere(names.filter { $0 != name })] })
  }

  @Test("K13: links that are looked at take nothing from the names that are looked up")
  func budgets() async throws {
    let scratch = try Scratch()
    let (files, boxes) = ((0..<100).map { "f\($0)" }, (0..<30).map { "box\($0)" })
    try scratch.folder("tree")
    for number in 0..<1000 { try scratch.link("tree/\(number)", to: "/") }
    for box in boxes { try scratch.folder(box) }
    for name in files + boxes.map({ $0 + "/f0" }) { try scratch.file(name) }
    let told = try await predictions(scratch, carrying: files + ["tree"], at: boxes)
    #expect(told == boxes.map { _ in [.nameClash(["f0"])] })
  }

  @Test("H08: a rename and a new folder are undone as what was just done, without a question")
  func named() async throws {
    let scratch = try Scratch()
    try scratch.file("a.txt")
    let stage = PlacesStage(
      [scratch.path], delivering: JournaledCourier(folder: try scratch.folder(".state")))
    let listing = try await stage.list()
    _ = try await stage.world.rename(
      listing.source("a.txt").id, to: "b.txt", as: DeliveryID(1)
    ).get()
    _ = try await stage.world.make("new", in: listing.container.id, as: DeliveryID(2)).get()
    let history = try await stage.world.history(limit: 9).get()
    #expect(history.count == 2 && history.allSatisfy { !$0.isOlder })
  }
}
