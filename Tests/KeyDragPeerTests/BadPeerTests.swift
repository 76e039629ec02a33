import Glibc
import KeyDragCore
import PeerBasket
import RealPrograms
import Testing

@testable import KeyDragPeer

/// A socket of the test's own, on which it says what it likes.
private final class RawPeer {
  let descriptor: Int32
  private var reader = PeerFrameReader()

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, 0)
    // A test that waits for ever says nothing.
    var time = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  static func connect(to service: PeerService, in stage: PeerStage) throws -> RawPeer {
    let name = try #require(PeerName(service.socketName))
    guard case .made(let descriptor) = PeerSocket.connect(to: name, in: try stage.folder()) else {
      throw Reason.gone
    }
    return RawPeer(descriptor)
  }

  func write(_ bytes: [UInt8]) { _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

  func say(_ message: PeerMessage) {
    if let body = PeerCodec.bytes(message) { write(PeerFraming.bytes(message: body)) }
  }

  /// The next message; `nil` when the other end has gone.
  func next() throws -> PeerMessage? {
    while true {
      if let frame = try reader.next() {
        guard case .message(let body) = frame else { continue }
        return try PeerCodec.message(body)
      }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0 { throw Reason.notResponding }
      if count == 0 { return nil }
      reader.append(buffer[..<count])
    }
  }

  /// Reads until the other end has gone.
  func drain() throws { while try next() != nil {} }
}

@Suite(.realPrograms(by: .suite), .timeLimit(.minutes(2))) struct BadPeerTests {
  private static let hello = PeerMessage.hello(
    PeerHello(version: PeerHello.version, program: "raw"))

  private func serve(_ body: (PeerStage, PeerService, BasketWorld) async throws -> Void)
    async throws
  {
    let stage = try PeerStage()
    let basket = BasketWorld()
    let service = try PeerService(
      in: stage.folder(), program: "served", places: basket, patience: .calm)
    try await body(stage, service, basket)
    service.close()
  }

  @Test(
    "Garbage ends a connection, and nobody else's",
    arguments: [
      Array("GET / HTTP/1.1\r\n\r\n".utf8), [0xFF, 0xFF, 0xFF, 0xFF, 1],
      [UInt8](repeating: 0, count: 64),
    ] as [[UInt8]])
  func garbage(bytes: [UInt8]) async throws {
    try await serve { stage, service, _ in
      let good = try RawPeer.connect(to: service, in: stage)
      good.say(Self.hello)
      let bad = try RawPeer.connect(to: service, in: stage)
      bad.write(bytes)
      try bad.drain()
      good.say(.list)
      #expect(try good.next() == .hello(PeerHello(version: PeerHello.version, program: "served")))
      guard case .places? = try good.next() else {
        Issue.record("the other connection has ended too")
        return
      }
    }
  }

  @Test("An unknown kind is answered politely, and the next message is understood")
  func unknownKind() async throws {
    try await serve { stage, service, _ in
      let peer = try RawPeer.connect(to: service, in: stage)
      peer.say(Self.hello)
      peer.write(PeerFraming.bytes(message: Array("{\"kind\":\"dance\",\"body\":{}}".utf8)))
      peer.say(.list)
      #expect(try peer.next() == .hello(PeerHello(version: PeerHello.version, program: "served")))
      #expect(try peer.next() == .sorry(PeerRejection(why: .unknownKind)))
      guard case .places? = try peer.next() else {
        Issue.record("what came behind was not understood")
        return
      }
      // Who goes on like that is not listened to any more.
      for _ in 0...PeerLimits.mistakes {
        peer.write(PeerFraming.bytes(message: Array("{\"kind\":\"dance\"}".utf8)))
      }
      try peer.drain()
    }
  }

  @Test("A newer version is told so, and let go")
  func newer() async throws {
    try await serve { stage, service, _ in
      let peer = try RawPeer.connect(to: service, in: stage)
      peer.say(.hello(PeerHello(version: 3, program: "newer")))
      #expect(try peer.next() == .hello(PeerHello(version: PeerHello.version, program: "served")))
      #expect(try peer.next() == .sorry(PeerRejection(why: .version)))
      #expect(try peer.next() == nil)
    }
  }

  @Test("Nothing is done for one who has not greeted, or who takes the other part")
  func wrongPart() async throws {
    try await serve { stage, service, basket in
      let silent = try RawPeer.connect(to: service, in: stage)
      for _ in 0...PeerLimits.mistakes { silent.say(.list) }
      #expect(try silent.next() == nil)
      let wrong = try RawPeer.connect(to: service, in: stage)
      wrong.say(Self.hello)
      for _ in 0...PeerLimits.mistakes { wrong.say(.gone(PeerContainer(container: 1))) }
      try wrong.drain()
      #expect(basket.inquiries.isEmpty)
    }
  }

  @Test("A flood of connections leaves room for one that comes, and takes nothing from who is busy")
  func connections() async throws {
    let stage = try PeerStage()
    let basket = BasketWorld(answers: false)
    let service = try PeerService(
      in: stage.folder(), program: "served", places: basket, patience: .calm)
    var peers: [RawPeer] = []
    for _ in 0..<PeerLimits.programs {
      let peer = try RawPeer.connect(to: service, in: stage)
      peer.say(Self.hello)
      #expect(try peer.next() != nil)
      peers.append(peer)
    }
    // It stands at a place that is being asked.
    peers[0].say(.items(PeerItems(drag: 1, first: 0, items: [BadPeerTests.item])))
    peers[0].say(
      .ask(
        PeerQuestion(
          question: 1, drag: 1, stops: [PeerStop(point: 7, position: 1)], wish: nil,
          isFinal: false)))
    peers[0].say(.list)
    guard case .places? = try peers[0].next() else {
      Issue.record("it shows nothing")
      return
    }
    #expect(try peers[0].next() == .told)
    var late: [RawPeer] = []
    for _ in 0..<PeerLimits.programs {
      let peer = try RawPeer.connect(to: service, in: stage)
      peer.say(Self.hello)
      #expect(try peer.next() == .hello(PeerHello(version: PeerHello.version, program: "served")))
      late.append(peer)
    }
    // The longest idle has gone, and so have all but the busy one.
    for peer in peers.dropFirst() { #expect(try peer.next() == nil) }
    basket.show([BasketWorld.listing(["Other"])])
    guard case .places? = try peers[0].next() else {
      Issue.record("the busy one has gone")
      return
    }
    service.close()
  }

  private static let item = PeerItem(
    name: "a", kind: 5, types: ["text/plain"], typeName: "text")

  @Test("A program that shows places and says nothing else refuses, each time that it is asked")
  func mute() async throws {
    let pair = try PeerPair(BasketWorld(answers: false), patience: .short)
    let listing = try #require(await pair.reports.appearance())
    let stop = DropStop(try #require(listing.dropPoints?.first?.id))
    let inquiry = ProposalRequest(items: [MadeItems.item(1)], wish: nil, stops: [stop])
    for _ in 1...2 {
      let items = MadeItems { _ in MadeItems.zeros(1) }
      let answers = await pair.world.answers(to: inquiry, from: items)
      #expect(answers == [Answer(stop, .refused(.notResponding))])
    }
    pair.end()
  }

  @Test("A program that lies about its places, or floods with them, is not shown any more")
  func lyingPlaces() async throws {
    let stage = try PeerStage()
    let folder = try stage.folder()
    let name = PeerName(process: getpid(), random: 5)
    let listener = try PeerSocket.listen(in: folder, as: name)
    // On a busy machine a flood takes its time.
    var patience = PeerPatience.calm
    patience.changes = 60_000
    let world = try PeerWorld(in: folder, program: "looks", patience: patience)
    let reports = ReportBox()
    world.observe { reports.add($0) }
    _ = fcntl(listener, F_SETFL, 0)
    let peer = RawPeer(accept(listener, nil, nil))
    #expect(try peer.next() == .hello(PeerHello(version: PeerHello.version, program: "looks")))
    peer.say(Self.hello)
    let places = PeerPlaces(
      container: 1, name: "x", isOrdered: false,
      points: [PeerPoint(id: 1, name: "a", positions: 2, leadsTo: 99)])
    peer.say(.places(places))
    let shown = try #require(await reports.appearance())
    #expect(shown.dropPoints?.first?.leadsTo == nil)
    for number in 0...PeerLimits.changes {
      var more = places
      more.points[0].name = "a \(number)"
      peer.say(.places(more))
    }
    #expect(await reports.vanished() == shown.container.id)
    world.close()
    close(listener)
  }
}
