import KeyDragCore
import PeerBasket
import RealPrograms
import Testing

@testable import KeyDragPeer

@Suite(.realPrograms(by: .suite), .timeLimit(.minutes(2))) struct ExchangeTests {
  @Test("H01: another program's places come with its name, and go with it")
  func comeAndGo() async throws {
    let pair = try PeerPair()
    let listing = try #require(await pair.reports.appearance())
    #expect(listing.container.name == "Far")
    #expect(listing.container.app == "Samples\u{FFFD}[31m")
    #expect(listing.container.tree == nil, "what is not known is copied to")
    #expect(listing.sources == nil)
    #expect(listing.dropPoints?.map(\.name) == ["Basket", "Full"])
    #expect(listing.dropPoints?.first?.leadsTo == listing.container.id)
    #expect(listing.dropPoints?.last?.positions == .all)
    #expect(listing.dropPoints?.contains { $0.canOpen } == false)
    pair.service.close()
    #expect(await pair.reports.vanished() == listing.container.id)
    #expect(pair.stage.names == [])
    pair.end()
  }

  @Test("A program that comes later is found without looking for it")
  func later() async throws {
    let stage = try PeerStage()
    let world = try PeerWorld(in: stage.folder(), program: "first", patience: .calm)
    let reports = ReportBox()
    world.observe { reports.add($0) }
    let service = try PeerService(in: stage.folder(), program: "second", places: BasketWorld())
    #expect(await reports.appearance()?.container.app == "second")
    service.close()
    #expect(await reports.vanished() != nil)
    world.close()
  }

  @Test("H01: a look shows what is there at once, and what comes after it is told as it comes")
  func look() async throws {
    let stage = try PeerStage()
    let empty = try PeerWorld(in: stage.folder(), program: "alone", patience: .calm)
    #expect(await empty.look().listings == [])
    empty.close()
    #expect(await empty.look().listings == [], "after its end nobody waits")
    let services = try ["first", "second"].map {
      try PeerService(in: stage.folder(), program: $0, places: BasketWorld())
    }
    let world = try PeerWorld(in: stage.folder(), program: "third", patience: .calm)
    let sight = await world.look()
    #expect(Set(sight.listings.compactMap(\.container.app)) == ["first", "second"])
    #expect(sight.listings.allSatisfy { $0.dropPoints?.map(\.name) == ["Basket", "Full"] })
    #expect(sight.silent == [])
    let reports = ReportBox()
    world.observe { reports.add($0) }
    let gone = try #require(sight.listings.first { $0.container.app == "first" })
    services[0].close()
    #expect(await reports.vanished() == gone.container.id)
    #expect(await world.look().listings.map(\.container.app) == ["second"])
    world.close()
    services[1].close()
  }

  @Test("A program does not find itself")
  func itself() async throws {
    let stage = try PeerStage()
    let folder = try stage.folder()
    let own = try PeerService(in: folder, program: "own", places: BasketWorld())
    let other = try PeerService(in: stage.folder(), program: "other", places: BasketWorld())
    let world = try PeerWorld(in: folder, program: "own", patience: .calm)
    let reports = ReportBox()
    world.observe { reports.add($0) }
    #expect(await reports.appearance()?.container.app == "other")
    other.close()
    #expect(await reports.vanished() != nil)
    world.close()
    own.close()
  }

  @Test("K04: places that appear and vanish there do so here")
  func changes() async throws {
    let pair = try PeerPair()
    let first = try #require(await pair.reports.appearance())
    pair.basket.show([BasketWorld.listing(["Basket", "Full", "New"])])
    let appeared = await pair.reports.next { report -> DropPointDescriptor? in
      guard case .changed(let changes) = report, changes.count == 1,
        case .dropPointAppeared(let point, 2)? = changes.first
      else { return nil }
      return point
    }
    #expect(appeared?.name == "New")
    pair.basket.show([BasketWorld.listing(["Basket"])])
    let vanished = await pair.reports.next { report -> [RegistryChange]? in
      if case .changed(let changes) = report { changes } else { nil }
    }
    let full = try #require(first.dropPoints?.last?.id)
    #expect(vanished?.count == 2)
    #expect(vanished?.contains(.dropPointVanished(full, container: first.container.id)) == true)
    pair.basket.show([])
    #expect(await pair.reports.vanished() == first.container.id)
    pair.end()
  }

  @Test("A place that vanishes while it is asked is gone, and the others have their answers")
  func vanishesWhileAsked() async throws {
    let pair = try PeerPair()
    let listing = try #require(await pair.reports.appearance())
    let stops = try #require(listing.dropPoints).map { DropStop($0.id) }
    pair.basket.onAsk { [basket = pair.basket, reports = pair.reports] in
      basket.show([BasketWorld.listing(["Basket"])])
      _ = await reports.next { if case .changed = $0 { true } else { nil } }
    }
    let answers = await pair.world.answers(
      to: ProposalRequest(items: [MadeItems.item(1)], wish: nil, stops: stops),
      from: MadeItems { _ in MadeItems.zeros(1) })
    #expect(answers.map(\.stop) == stops)
    #expect(answers.first?.proposal.offers == .copy)
    #expect(answers.last?.proposal == .refused(.gone))
    pair.end()
  }

  @Test("H13: each place gives its own answer, and the items arrive as they are")
  func verdicts() async throws {
    let pair = try PeerPair()
    let listing = try #require(await pair.reports.appearance())
    let points = try #require(listing.dropPoints)
    let items = [MadeItems.item(1, "one"), MadeItems.item(2, "two")]
    let gone = DropStop(DropPointID(99))
    let stops = [DropStop(points[0].id), DropStop(points[1].id, .after), gone]
    let loading = MadeItems { _ in MadeItems.zeros(1) }
    let answers = await pair.world.answers(
      to: ProposalRequest(items: items, wish: .move, stops: stops, isFinal: true), from: loading)
    #expect(answers.map(\.stop) == stops)
    #expect(answers[0].proposal.offers == .copy)
    #expect(answers[0].proposal.predictions == [.nameClash(["old"])])
    #expect(answers[1].proposal == .refused(.noSpace))
    #expect(answers[2].proposal == .refused(.gone))
    let asked = try #require(pair.basket.inquiries.first)
    #expect(asked.items.map(\.name) == ["one", "two"])
    #expect(asked.items.map(\.types) == [["text/plain"], ["text/plain"]])
    #expect(asked.items.allSatisfy { $0.allowed == .copy })
    #expect(asked.items.allSatisfy { $0.source.owner == .visitors })
    #expect(asked.wish == .copy)
    #expect(asked.isFinal)
    #expect(asked.stops.map(\.point) == [BasketWorld.basket, BasketWorld.full])
    #expect(asked.stops.map(\.position) == [.on, .after])
    #expect(pair.basket.files == [Array("odd".utf8) + [0xFF]])
    pair.end()
  }

  @Test(
    "H07: contents arrive whole and in order, of 1, 2 and 1,000 items", arguments: [1, 2, 1_000])
  func deliveries(count: Int) async throws {
    let pair = try PeerPair()
    let listing = try #require(await pair.reports.appearance())
    let items = (1...count).map { MadeItems.item(UInt64($0), "item \($0)") }
    pair.deliver(items, to: listing) { ItemStream(Array("contents \($0.rawValue)".utf8)) }
    let result = try #require(await pair.reports.result())
    #expect(result.outcome == .delivered)
    #expect(result.route == .peer)
    #expect(result.delivered == count)
    let received = pair.basket.received
    #expect(received.count == count)
    #expect(received["item \(count)"] == Array("contents \(count)".utf8))
    pair.end()
  }

  @Test(
    "Contents of any length arrive byte for byte", arguments: [0, 1, 65_536, 65_537, 3_000_000])
  func lengths(count: Int) async throws {
    let pair = try PeerPair()
    let listing = try #require(await pair.reports.appearance())
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    pair.deliver([MadeItems.item(1)], to: listing) { _ in ItemStream(bytes) }
    #expect(await pair.reports.result()?.outcome == .delivered)
    #expect(pair.basket.received["note"] == bytes)
    pair.end()
  }

  @Test(
    "A source that fails, or gives more or less than it said, is never taken for delivered",
    arguments: [
      ("fails", Reason.deviceError), ("less", .changed), ("more", .changed), ("never", .gone),
    ])
  func badSources(how: String, reason: Reason) async throws {
    let pair = try PeerPair()
    let listing = try #require(await pair.reports.appearance())
    pair.deliver([MadeItems.item(1)], to: listing) { _ in
      switch how {
      case "fails": ItemStream(byteCount: 10) { _ in throw Reason.deviceError }
      case "less": ItemStream(byteCount: 10) { _ in [] }
      case "more": ItemStream(byteCount: 10) { [UInt8](repeating: 1, count: $0) }
      default: throw Reason.gone
      }
    }
    let result = try #require(await pair.reports.result())
    #expect(result.outcome == .failed)
    #expect(result.delivered == 0)
    #expect(result.failures.first?.reason == reason)
    #expect(pair.basket.received.isEmpty)
    pair.end()
  }

  @Test("H02: a move or a link to another program is refused, and nothing is given")
  func copyOnly() async throws {
    let pair = try PeerPair()
    let listing = try #require(await pair.reports.appearance())
    for operation in [DragOperation.move, .link, .remove] {
      pair.deliver([MadeItems.item(1)], to: listing, operation) { _ in MadeItems.zeros(1) }
      let result = try #require(await pair.reports.result())
      #expect(result.outcome == .refused)
      #expect(result.failures.first?.reason == .operationNotOffered)
    }
    #expect(pair.basket.received.isEmpty)
    pair.end()
  }

  @Test("H19: a delivery is cancelled by the one who dropped, in the middle of it")
  func cancelled() async throws {
    let begun = ReportBox()
    let basket = BasketWorld { _ in begun.add(.changed([])) }
    let pair = try PeerPair(basket)
    let listing = try #require(await pair.reports.appearance())
    pair.deliver([MadeItems.item(1)], to: listing) { _ in
      ItemStream(byteCount: nil) { [UInt8](repeating: 1, count: min($0, 1000)) }
    }
    _ = await begun.next { $0 }
    pair.world.cancel(DeliveryID(1))
    #expect(await pair.reports.result()?.outcome == .cancelled)
    #expect(basket.received.isEmpty)
    pair.end()
  }

  @Test("Only what is being delivered can be loaded, never while hovering")
  func loadingTooEarly() async throws {
    let stage = try PeerStage()
    let service = try PeerService(in: stage.folder(), program: "x", places: BasketWorld())
    let drag = Visitor.Drag(
      number: 1, firstSource: 0,
      items: [PeerItem(name: "a", kind: 0, types: ["a/b"], typeName: "a")])
    let items = VisitorItems(service, 1, "x", drag, delivery: nil)
    let source = DragSourceID(0, of: .visitors)
    await #expect(throws: Reason.notPermitted) {
      _ = try await items.open(source, as: "a/b", progress: LoadProgress())
    }
    await #expect(throws: Reason.notPermitted) { _ = try await items.openFile(source) }
    await #expect(throws: Reason.gone) {
      _ = try await items.open(DragSourceID(0), as: "a/b", progress: LoadProgress())
    }
    service.close()
  }

  @Test("The rest of what a session asks has an answer too")
  func otherRequests() async throws {
    let pair = try PeerPair()
    let listing = try #require(await pair.reports.appearance())
    let point = try #require(listing.dropPoints?.first?.id)
    let id = RequestID(5)
    let expected: [(WorldRequest, WorldReport)] = [
      (.list(.container(listing.container.id), includingHidden: false), .listed(id, listing)),
      (
        .list(.container(ContainerID(77)), includingHidden: false), .unreadable(id, name: "", .gone)
      ),
      (
        .list(.around(listing.container.id), includingHidden: false),
        .unreadable(id, name: "Far", .nothingThere)
      ),
      (.list(.inside(DragSourceID(1)), includingHidden: false), .unreadable(id, name: "", .gone)),
      (.list(.opened(point), includingHidden: false), .unreadable(id, name: "", .notAFolder)),
      (.undo(entry: nil), .undone(id, .nothing)), (.redo(entry: nil), .redone(id, .nothing)),
      (.history(limit: 20), .history(id, .success([]))),
      (
        .reorder(DragSourceID(1), toIndex: 0), .moved(id, DragSourceID(1), .failure(.notOrdered))
      ),
    ]
    for (request, report) in expected {
      pair.world.perform(request, id: id) { [reports = pair.reports] in reports.add($0) }
      #expect(await pair.reports.next { $0 } == report)
    }
    pair.end()
  }
}
