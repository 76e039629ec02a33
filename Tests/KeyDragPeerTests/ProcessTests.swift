import Foundation
import Glibc
import KeyDragCore
import PeerBasket
import RealPrograms
import Testing

@testable import KeyDragPeer

/// Two real processes, one of which dies, stops, or is somebody else's.
@Suite(.realPrograms(by: .suite), .serialized, .timeLimit(.minutes(4))) struct ProcessTests {
  private let stage: PeerStage
  private let reports = ReportBox()

  init() throws { stage = try PeerStage() }

  private func look(_ patience: PeerPatience = .calm) throws -> PeerWorld {
    let world = try PeerWorld(in: stage.folder(), program: "test", patience: patience)
    world.observe { [reports] in reports.add($0) }
    return world
  }

  private func drop(_ world: PeerWorld, on listing: Listing, _ make: @escaping MadeItems.Maker) {
    let stop = DropStop(listing.dropPoints?.first?.id ?? DropPointID(0))
    let order = DeliveryOrder(items: [MadeItems.item(1)], stop: stop, operation: .copy)
    reports.deliver(DeliveryID(1), order, to: world, from: MadeItems(make))
  }

  /// Contents that never end.
  private static let endless: MadeItems.Maker = { _ in
    ItemStream(byteCount: nil) { [UInt8](repeating: 1, count: $0) }
  }

  @Test("A program killed while it takes something is gone, and nothing counts as delivered")
  func targetKilled() async throws {
    let probe = try ProbeRun(["take", stage.meeting])
    _ = await probe.line("ready")
    let world = try look()
    let listing = try #require(await reports.appearance())
    drop(world, on: listing, Self.endless)
    _ = await probe.line("taking")
    probe.signal(SIGKILL)
    let result = try #require(await reports.result())
    #expect(result.outcome == .failed)
    #expect(result.delivered == 0)
    #expect(result.failures.first?.reason == .gone)
    #expect(await reports.vanished() == listing.container.id)
    world.close()
    // Its socket is left behind; the next who looks removes it.
    #expect(stage.names.count == 1)
    let next = try PeerService(in: stage.folder(), program: "next", places: BasketWorld())
    let other = try look()
    #expect(await reports.appearance()?.container.app == "next")
    #expect(stage.names == [next.socketName])
    other.close()
    next.close()
  }

  @Test("A program stopped while it takes something leaves the outcome open, within the deadline")
  func targetStopped() async throws {
    let probe = try ProbeRun(["take", stage.meeting])
    _ = await probe.line("ready")
    let world = try look(.short)
    let listing = try #require(await reports.appearance())
    drop(world, on: listing, Self.endless)
    _ = await probe.line("taking")
    probe.signal(SIGSTOP)
    let result = try #require(await reports.result())
    #expect(result.outcome == .unconfirmed)
    #expect(result.delivered == 0)
    #expect(result.failures.first?.reason == .notResponding)
    world.close()
  }

  @Test("K06: a stopped program does not hold up a look, and is named by what the system calls it")
  func stoppedWhileLookedAt() async throws {
    let probe = try ProbeRun(["take", stage.meeting])
    _ = await probe.line("ready")
    probe.signal(SIGSTOP)
    let service = try PeerService(in: stage.folder(), program: "next", places: BasketWorld())
    var patience = PeerPatience.calm
    patience.look = 1_000
    let world = try look(patience)
    let sight = await world.look()
    #expect(sight.listings.map(\.container.app) == ["next"])
    // The system keeps fifteen letters of it.
    #expect(sight.silent == ["KeyDragPeerProb"])
    probe.signal(SIGCONT)
    var seen = sight
    while seen.listings.count < 2 { seen = await world.look() }
    #expect(seen.silent == [])
    world.close()
    service.close()
  }

  @Test("A stopped program does not hold up a question, and answers again when it goes on")
  func stoppedWhileAsked() async throws {
    let probe = try ProbeRun(["take", stage.meeting])
    _ = await probe.line("ready")
    var patience = PeerPatience.calm
    patience.answer = 2_000
    let world = try look(patience)
    let listing = try #require(await reports.appearance())
    probe.signal(SIGSTOP)
    let stop = DropStop(try #require(listing.dropPoints?.first?.id))
    let inquiry = ProposalRequest(items: [MadeItems.item(1)], wish: nil, stops: [stop])
    let items = MadeItems { _ in MadeItems.zeros(1) }
    let silent = await world.answers(to: inquiry, from: items)
    #expect(silent.first?.proposal == .refused(.notResponding))
    probe.signal(SIGCONT)
    // It is back when it says anything.
    probe.nudge()
    _ = await reports.next { report -> Bool? in
      if case .changed = report { true } else { nil }
    }
    let answers = await world.answers(to: inquiry, from: items)
    #expect(answers.first?.proposal.acceptance == .all)
    world.close()
  }

  @Test("A program killed while it gives something leaves nothing that counts as received")
  func sourceKilled() async throws {
    let begun = ReportBox()
    let ended = ReportBox()
    let basket = BasketWorld(keeps: false) { _ in begun.add(.changed([])) }
    basket.onEnd { ended.add(.delivery(DeliveryID(1), .finished($0))) }
    let service = try PeerService(
      in: stage.folder(), program: "test", places: basket, patience: .calm)
    let probe = try ProbeRun(["send", stage.meeting, "\(Int64.max / 2)"])
    _ = await begun.next { $0 }
    probe.signal(SIGKILL)
    let result = try #require(await ended.result())
    #expect(result.outcome == .failed)
    #expect(result.failures.first?.reason == .gone)
    #expect(basket.received.isEmpty)
    // The next one is served.
    let next = try ProbeRun(["send", stage.meeting, "100"])
    let sent = try #require(await next.line("sent"))
    #expect(sent.prefix(2) == ["delivered", "100"])
    #expect(basket.received.count == 1)
    service.close()
  }

  @Test("A program stopped while it gives something is given up")
  func sourceStopped() async throws {
    let begun = ReportBox()
    let ended = ReportBox()
    let basket = BasketWorld(keeps: false) { _ in begun.add(.changed([])) }
    basket.onEnd { ended.add(.delivery(DeliveryID(1), .finished($0))) }
    let service = try PeerService(
      in: stage.folder(), program: "test", places: basket, patience: .short)
    let probe = try ProbeRun(["send", stage.meeting, "\(Int64.max / 2)"])
    _ = await begun.next { $0 }
    probe.signal(SIGSTOP)
    let result = try #require(await ended.result())
    #expect(result.outcome == .failed)
    #expect(result.failures.first?.reason == .notResponding)
    #expect(basket.received.isEmpty)
    service.close()
  }

  @Test("A gibibyte goes from one program to another, and neither grows by it")
  func streaming() async throws {
    let taker = try ProbeRun(["take", stage.meeting])
    _ = await taker.line("ready")
    func send(_ bytes: Int64) async throws -> (giver: Int, taker: Int) {
      let probe = try ProbeRun(["send", stage.meeting, "\(bytes)"])
      let sent = try #require(await probe.line("sent"))
      #expect(sent.prefix(2) == ["delivered", "\(bytes)"])
      taker.nudge()
      let peak = try #require(await taker.line("peak"))
      return (try #require(Int(sent[2])), try #require(Int(peak[0])))
    }
    let little = try await send(1 << 20)
    let much = try await send(1 << 30)
    #expect(much.giver - little.giver < 16 << 10)
    #expect(much.taker - little.taker < 16 << 10)
  }

  @Test(
    "Another user is neither talked to nor listened to",
    .enabled(if: geteuid() == 0, "only root can be somebody else for a while"))
  func otherUser() async throws {
    mkdir(stage.meeting, 0o700)
    chmod(stage.base, 0o755)
    chown(stage.meeting, 65_534, 65_534)
    let probe = try ProbeRun(["nobody", stage.meeting])
    let name = try #require(await probe.line("ready")?.first)
    #expect(throws: PeerError.notPrivate(folder: stage.meeting)) { try stage.folder() }
    // Past the folder, as only root can: the other end still sees who it is.
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array((stage.meeting + "/" + name).utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isConnected)
    #expect(PeerSocket.user(of: descriptor) == 65_534)
    let hello = try #require(
      PeerCodec.bytes(.hello(PeerHello(version: PeerHello.version, program: "root"))))
    let frame = PeerFraming.bytes(message: hello)
    _ = send(descriptor, frame, frame.count, Int32(MSG_NOSIGNAL))
    var byte: UInt8 = 0
    #expect(recv(descriptor, &byte, 1, 0) <= 0, "it has answered somebody else")
    // Given to root, the folder is right, but the socket in it is not.
    chown(stage.meeting, 0, 0)
    let socket = try #require(PeerName(name))
    #expect(try PeerSocket.connect(to: socket, in: stage.folder()) == .failed(.notPermitted))
    let folder = try stage.folder()
    folder.remove(name)
    #expect(stage.names == [name], "nobody else's socket is removed")
  }
}
