import Testing

@testable import KeyDragAccessibility

@Suite("Messages that come straight from a program")
struct BusWireTests {
  /// A reply, or an error, as a program would write it.
  private static func reply(
    to call: UInt32, _ values: [BusValue], signature: String? = nil, kind: UInt8 = 2
  ) -> [UInt8] {
    var body = BusWireWriter()
    for value in values { body.add(value) }
    var fields = BusWireWriter()
    fields.bytes.append(5)
    fields.add(.variant(.uint32(call)))
    // Fields that nobody looks at.
    fields.field(7, "s", ":1.77")
    let types = signature ?? values.map(BusWireWriter.signature).joined()
    if !types.isEmpty { fields.field(signature: types) }
    var message = BusWireWriter()
    message.bytes = [UInt8(ascii: "l"), kind, 1, 1]
    message.add(UInt32(body.bytes.count))
    message.add(77 as UInt32)
    message.add(UInt32(fields.bytes.count))
    message.bytes += fields.bytes
    message.align(8)
    return message.bytes + body.bytes
  }

  private static func read(_ bytes: [UInt8], limit: Int = 1_000) throws -> BusWire.Message? {
    guard let length = try BusWire.length(of: bytes, from: 0), length <= bytes.count else {
      return nil
    }
    return try BusWire.message(bytes, from: 0, length: length) { _ in limit }
  }

  static let values: [[BusValue]] = [
    [], [.bool(true), .int32(-7), .uint32(7), .double(0.5)],
    [.string("Zażółć"), .path("/org/a11y/atspi/accessible/root"), .path("/")],
    [.tuple([.int32(1), .int32(2), .int32(3), .int32(4)])],
    [.words([1 << 25, 0])], [.strings([])], [.texts(["a": "b", "c": "d"])],
    [.variant(.tuple([.string(":1.5"), .path("/a/b_1")]))],
    [.array(of: "(so)", (0..<40).map { .tuple([.string(":1.\($0)"), .path("/p/\($0)")]) })],
    [.array(of: "{sv}", [.entry(.string("x"), .variant(.array(of: "i", [.int32(1)])))])],
    [.array(of: "(so)", [])], [.array(of: "d", []), .string("behind it")],
  ]

  @Test("What was written is read again", arguments: values)
  func roundTrip(values: [BusValue]) throws {
    let message = try #require(try Self.read(Self.reply(to: 12, values)))
    #expect(message.kind == .reply && message.answers == 12)
    #expect(message.values == values)
  }

  @Test("An error is told from a reply, and what answers nothing is left alone")
  func kinds() throws {
    let error = Self.reply(to: 3, [.string("no such thing")], kind: 3)
    #expect(try Self.read(error) == BusWire.Message(kind: .error, answers: 3))
    let signal = Self.reply(to: 3, [.string("focused")], kind: 4)
    #expect(try Self.read(signal)?.kind == .other)
  }

  @Test("A message that has not come as a whole is waited for, wherever it breaks off")
  func parts() throws {
    let whole = Self.reply(to: 12, Self.values[8])
    for count in whole.indices {
      #expect(try Self.read(Array(whole[..<count])) == nil, "\(count)")
    }
  }

  @Test("More values than are asked for are left out, and what is behind them is read")
  func limit() throws {
    let list = BusValue.array(of: "(so)", Self.values[8][0].elements)
    let message = try #require(try Self.read(Self.reply(to: 1, [list]), limit: 10))
    #expect((1..<10).contains(message.values[0].elements.count))
    let both = Self.reply(to: 1, [list, .string("behind")])
    #expect(try Self.read(both, limit: 10)?.values.last == .string("behind"))
  }

  @Test("Whatever bytes a program sends are read or refused, whichever of them is wrong")
  func anyByte() throws {
    var refused = 0
    for values in Self.values {
      let whole = Self.reply(to: 12, values)
      for place in whole.indices {
        for byte: UInt8 in [0, 1, 0x7f, 0xff, UInt8(ascii: "("), UInt8(ascii: "a")] {
          var bytes = whole
          bytes[place] = byte
          do { _ = try Self.read(bytes) } catch { refused += 1 }
        }
      }
    }
    #expect(refused > 100)
  }

  @Test(
    "What is not of this protocol is refused",
    arguments: [
      // A path that could not be asked, and one that could be taken for another.
      reply(to: 1, [.path("no path")]), reply(to: 1, [.path("/a//b")]),
      reply(to: 1, [.path("/a/")]),
      // Nothing as often as one likes, types that end too early, types within types without end.
      reply(to: 1, [.uint32(8)], signature: "a()"), reply(to: 1, [.uint32(8)], signature: "(i"),
      reply(to: 1, [.uint32(8)], signature: "a"), reply(to: 1, [.uint32(8)], signature: "z"),
      reply(
        to: 1, [(0..<40).reduce(.int32(1)) { inner, _ in .variant(inner) }]),
      // More or less than it says.
      reply(to: 1, [.uint32(8)], signature: "uu"), reply(to: 1, [.uint32(800)], signature: "s"),
      // Another version, and a length that nobody has room for.
      [UInt8(ascii: "l"), 2, 1, 2] + [UInt8](repeating: 0, count: 12),
      [UInt8(ascii: "l"), 2, 1, 1] + [UInt8](repeating: 0xff, count: 12),
    ])
  func refused(bytes: [UInt8]) {
    #expect(throws: BusWire.Malformed.self) { try Self.read(bytes) }
  }

  @Test(
    "The socket of a line is found in its address",
    arguments: [
      ("unix:path=/run/at-spi%20x/socket,guid=12", Array("/run/at-spi x/socket".utf8)),
      ("unix:guid=1,abstract=/tmp/x", [0] + Array("/tmp/x".utf8)), ("unix:guid=1", nil),
      ("unix:path=/a%0", nil), ("unix:path=/a%00b", nil), ("tcp:host=localhost,port=1", nil),
    ])
  func socket(address: String, path: [UInt8]?) {
    #expect(BusLine.path(in: address) == path)
  }
}
