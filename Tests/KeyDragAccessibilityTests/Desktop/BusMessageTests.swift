import Testing

@testable import KeyDragAccessibility

@Suite("Messages that come without a bus between")
struct BusMessageTests {
  /// A call, which answers nothing.
  private static var call: [UInt8] {
    var bytes: [UInt8] = []
    let call = BusCall(path: "/a", interface: "a.b", member: "C", arguments: [.string("\u{e9}")])
    #expect(BusMessage.add(call, to: ":1.1", serial: 7, &bytes))
    return bytes
  }

  /// An answer as the specification lays it out: little-endian, type 2, one text.
  private static let reply: [UInt8] = [
    0x6C, 2, 1, 1, 6, 0, 0, 0, 9, 0, 0, 0, 15, 0, 0, 0,
    5, 1, 0x75, 0, 7, 0, 0, 0, 8, 1, 0x67, 0, 1, 0x73, 0, 0,
    1, 0, 0, 0, 0x78, 0,
  ]

  @Test("An answer is read once all of it has come, and no further")
  func answer() {
    let reply = Self.reply
    for count in 0..<reply.count {
      #expect(BusMessage.next(in: reply[..<count]) { _ in 10 } == .incomplete)
    }
    let both = reply + Self.call
    #expect(
      BusMessage.next(in: both[...]) { $0 == 7 ? 10 : nil }
        == .message(reply.count, 7, .values([.string("x")])))
    #expect(
      BusMessage.next(in: both[reply.count...]) { _ in 10 }
        == .message(Self.call.count, 0, nil))
    #expect(BusMessage.next(in: reply[...]) { _ in nil } == .message(reply.count, 7, nil))
  }

  @Test("An error is one, and what nobody would send is malformed")
  func malformed() {
    var error = Self.reply
    error[1] = 3
    // An error has a name, which is missing.
    #expect(BusMessage.next(in: error[...]) { _ in 10 } == .malformed)
    #expect(BusMessage.next(in: [UInt8](repeating: 0x41, count: 64)[...]) { _ in 10 } == .malformed)
    var long = Self.reply
    (long[4], long[5], long[6], long[7]) = (0, 0, 0, 4)
    #expect(BusMessage.next(in: long[...]) { _ in 10 } == .malformed)
    var cut = Self.reply
    cut[32] = 200
    #expect(BusMessage.next(in: cut[...]) { _ in 10 } == .malformed)
  }

  @Test(
    "A call that no bus would carry is not made",
    arguments: [
      (":1.1", BusCall(path: "a", interface: "a.b", member: "C")),
      (":1.1", BusCall(path: "/a/", interface: "a.b", member: "C")),
      (":1.1", BusCall(path: "/a", interface: "b", member: "C")),
      (":1.1", BusCall(path: "/a", interface: "a.b", member: "C.d")),
      ("no one", BusCall(path: "/a", interface: "a.b", member: "C")),
      (":1.1", BusCall(path: "/a", interface: "a.b", member: "C", arguments: [.path("")])),
      (
        ":1.1",
        BusCall(
          path: "/a", interface: "a.b", member: "C", arguments: [.array(of: "o", [.path("b")])])
      ),
    ])
  func impossible(destination: String, call: BusCall) {
    var bytes: [UInt8] = []
    #expect(!BusMessage.add(call, to: destination, serial: 1, &bytes))
    #expect(bytes.isEmpty)
  }

  @Test(
    "What is nested deeper than anything that is asked for is left out, and so is what is too much")
  func tooMuch() {
    // The specification allows 32 arrays in each other; this is an answer of 12 with a number.
    let depth = 12
    let signature = [UInt8](repeating: 0x61, count: depth) + [0x75]
    var fields: [UInt8] = [5, 1, 0x75, 0, 7, 0, 0, 0, 8, 1, 0x67, 0, UInt8(signature.count)]
    fields += signature + [0]
    let length = fields.count
    while fields.count % 8 != 0 { fields.append(0) }
    var body: [UInt8] = []
    for level in (1...depth).reversed() { body += [UInt8(4 * level), 0, 0, 0] }
    body += [9, 0, 0, 0]
    let bytes: [UInt8] =
      [0x6C, 2, 1, 1, UInt8(body.count), 0, 0, 0, 9, 0, 0, 0, UInt8(length), 0, 0, 0]
      + fields + body
    guard
      case .message(_, 7, .values(let values)?) = BusMessage.next(
        in: bytes[...], limit: { _ in 100 })
    else {
      Issue.record("\(BusMessage.next(in: bytes[...], limit: { _ in 100 }))")
      return
    }
    var (inner, depthRead) = (values.first, 0)
    while let next = inner?.elements.first { (inner, depthRead) = (next, depthRead + 1) }
    #expect(inner == .other && depthRead < depth)
    #expect(
      BusMessage.next(in: bytes[...]) { _ in 0 } == .message(bytes.count, 7, .values([])))
  }
}
