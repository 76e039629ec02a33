import KeyDragCore
import Testing

@testable import KeyDragPeer

/// Numbers that are the same in each run.
private struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}

@Suite struct MessageTests {
  static let stop = PeerStop(point: 1 << 60, position: 2)
  static let messages: [PeerMessage] = [
    .hello(PeerHello(version: 2, program: "Files, Łódź")), .sorry(PeerRejection(why: .unknownKind)),
    .leave, .list, .told,
    .items(
      PeerItems(
        drag: 1, first: 0,
        items: [
          PeerItem(
            name: "a \"b\" /c", kind: 0, types: ["text/plain"], typeName: "text", size: 1 << 40,
            file: "61ff")
        ])),
    .ask(PeerQuestion(question: 1, drag: 1, stops: [stop], wish: "copy", isFinal: true)),
    .deliver(
      PeerOrder(delivery: 1, drag: 1, stop: stop, operation: "copy", clash: "keep-both")),
    .cancel(PeerDelivery(delivery: 4)), .loading(PeerLoading(load: 1, size: nil)),
    .making(PeerLoadProgress(load: 1, done: 1000)),
    .loadFailed(PeerLoadFailure(load: 1, reason: .gone)),
    .places(
      PeerPlaces(
        container: 3, name: "Far", enclosing: nil, isOrdered: true,
        points: [PeerPoint(id: .max, name: "Basket", positions: 7, leadsTo: 3)])),
    .gone(PeerContainer(container: 3)),
    .answers(
      PeerAnswers(
        question: 1,
        answers: [
          PeerAnswer(
            stop: stop, verdict: .some, reason: nil, refused: [2: .wrongType], offers: 1,
            clashes: ["a"], becomes: [],
            steps: ["plain text"], files: [FileCount(ending: ".vcf", count: 3)],
            irreversible: nil)
        ])),
    .started(PeerProgress(delivery: 1, items: 0, bytes: 0, total: 9)),
    .progressed(PeerProgress(delivery: 1, items: 1, bytes: 3, total: nil)),
    .progressed(PeerProgress(delivery: 1, items: 0, bytes: 0, total: nil, share: 500)),
    .alive(PeerDelivery(delivery: 1)),
    .finished(
      PeerResult(
        delivery: 1, outcome: "partly", delivered: 1,
        failures: [DeliveryFailure(name: "b", reason: .noSpace)], bytes: 3, total: 9,
        verified: true, landed: ["a 2"], renamed: ["a 2"], lost: [])),
    .load(PeerLoad(load: 1, delivery: 1, item: 0, type: "text/plain")),
    .more(PeerMore(load: 1, most: PeerLimits.piece)), .endLoad(PeerLoadEnd(load: 1)),
  ]

  @Test("Every message is read as it was written", arguments: messages)
  func roundTrip(message: PeerMessage) throws {
    let bytes = try #require(PeerCodec.bytes(message))
    #expect(try PeerCodec.message(bytes) == message)
  }

  @Test("A message that is cut off anywhere is a mistake", arguments: messages)
  func cutOff(message: PeerMessage) throws {
    let bytes = try #require(PeerCodec.bytes(message))
    for count in 0..<bytes.count {
      #expect(throws: PeerCodec.Mistake.self) { try PeerCodec.message(Array(bytes[..<count])) }
    }
  }

  @Test("Whatever the bytes are, reading them ends, and what is read keeps to the bounds")
  func fuzz() throws {
    var random = Seeded(state: 42)
    var understood = 0
    for message in Self.messages {
      let bytes = try #require(PeerCodec.bytes(message))
      for _ in 0..<150 {
        var broken = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let index = Int.random(in: 0..<broken.count, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: broken[index] = UInt8.random(in: 0...255, using: &random)
          case 1: broken.insert(UInt8.random(in: 0x20...0x7E, using: &random), at: index)
          default: if broken.count > 1 { broken.remove(at: index) }
          }
        }
        guard let read = try? PeerCodec.message(broken) else { continue }
        understood += 1
        #expect(read.checked == read)
      }
    }
    #expect(understood > 0, "nothing that was changed could still be read")
  }

  @Test("An unknown kind is told from a mistake, so that a newer program is answered politely")
  func unknownKind() {
    func read(_ text: String) throws { _ = try PeerCodec.message(Array(text.utf8)) }
    #expect(throws: PeerCodec.Mistake.unknownKind) { try read("{\"kind\":\"dance\",\"body\":{}}") }
    #expect(throws: PeerCodec.Mistake.malformed) { try read("{\"kind\":\"hello\"}") }
    #expect(throws: PeerCodec.Mistake.malformed) { try read("{\"kind\":7}") }
    #expect(throws: PeerCodec.Mistake.malformed) { try read("[]") }
    #expect(throws: PeerCodec.Mistake.malformed) {
      try read(String(repeating: "[", count: 100_000))
    }
    #expect(throws: PeerCodec.Mistake.malformed) {
      _ = try PeerCodec.message(Array("{\"kind\":\"leave\",\"x\":\"".utf8) + [0xFF, 0x22, 0x7D])
    }
  }

  @Test("Names are safe to speak once they are read")
  func names() throws {
    let hello = PeerMessage.hello(PeerHello(version: 2, program: "a\u{1B}[2J\u{202E}b"))
    let bytes = try #require(PeerCodec.bytes(hello))
    let read = try PeerCodec.message(bytes)
    #expect(read == .hello(PeerHello(version: 2, program: "a\u{FFFD}[2J\u{FFFD}b")))
  }

  static let excesses: [PeerMessage] = [
    .hello(PeerHello(version: 0, program: "a")),
    .hello(PeerHello(version: 2, program: String(repeating: "x", count: 5_000))),
    .items(PeerItems(drag: 1, first: -1, items: [])),
    .items(PeerItems(drag: 1, first: PeerLimits.items, items: [])),
    item { $0.types = [] }, item { $0.types = [String(repeating: "x", count: 200)] },
    item { $0.types = ["text/plain\u{1B}"] }, item { $0.kind = 99 }, item { $0.size = -1 },
    item { $0.file = "" }, item { $0.file = "6" }, item { $0.file = "6100" },
    item { $0.file = "2f" }, item { $0.file = "612f62" }, item { $0.file = "2e" },
    item { $0.file = "2e2e" }, item { $0.file = "zz" },
    item { $0.file = String(repeating: "61", count: 256) },
    item { $0.types = Array(repeating: "a/b", count: 33) },
    .items(
      PeerItems(
        drag: 1, first: 0, items: Array(repeating: sample, count: PeerLimits.itemsAtOnce + 1))),
    .ask(
      PeerQuestion(
        question: 1, drag: 1, stops: Array(repeating: stop, count: PeerLimits.stops + 1),
        isFinal: false)),
    .ask(
      PeerQuestion(
        question: 1, drag: 1, stops: [PeerStop(point: 1, position: 3)], isFinal: false)),
    .loading(PeerLoading(load: 1, size: -1)), .making(PeerLoadProgress(load: 1, done: 1001)),
    .places(
      PeerPlaces(
        container: 1, name: "x", isOrdered: false,
        points: [PeerPoint(id: 1, name: "a", positions: 0)])),
    .places(
      PeerPlaces(
        container: 1, name: "x", isOrdered: false,
        points: [
          PeerPoint(id: 1, name: "a", positions: 1), PeerPoint(id: 1, name: "b", positions: 1),
        ])),
    .places(
      PeerPlaces(
        container: 1, name: "x", isOrdered: false,
        points: (0...PeerLimits.points).map {
          PeerPoint(id: UInt64($0), name: "a", positions: 1)
        })),
    .progressed(PeerProgress(delivery: 1, items: -1, bytes: 0)),
    .progressed(PeerProgress(delivery: 1, items: 1, bytes: -1)),
    .progressed(PeerProgress(delivery: 1, items: 1, bytes: 0, share: 1001)),
    .load(PeerLoad(load: 1, delivery: 1, item: -1, type: "a/b")),
    .load(PeerLoad(load: 1, delivery: 1, item: 0, type: "")),
    .more(PeerMore(load: 1, most: 0)), .more(PeerMore(load: 1, most: PeerLimits.piece + 1)),
    .finished(
      PeerResult(
        delivery: 1, outcome: "splendid", delivered: 1, failures: [], bytes: 0, total: 0,
        verified: true, landed: [], renamed: [], lost: [])),
  ]

  private static let sample = PeerItem(name: "a", kind: 0, types: ["a/b"], typeName: "a")

  private static func item(_ change: (inout PeerItem) -> Void) -> PeerMessage {
    var item = sample
    change(&item)
    return .items(PeerItems(drag: 1, first: 0, items: [item]))
  }

  @Test("What goes beyond a bound is refused as a whole", arguments: excesses)
  func excess(message: PeerMessage) throws {
    let bytes = try #require(PeerCodec.bytes(message))
    #expect(throws: PeerCodec.Mistake.malformed) { try PeerCodec.message(bytes) }
  }
}
