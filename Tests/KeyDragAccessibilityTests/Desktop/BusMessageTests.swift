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
}
