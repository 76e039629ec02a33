import CAtspi
import Testing

@testable import KeyDragAccessibility
@testable import KeyDragBus

@Suite("Messages of D-Bus")
struct BusMessageTests {
  /// An answer as the specification lays it out: little-endian, type 2, one text.
  private static let reply: [UInt8] = [
    0x6C, 2, 1, 1, 6, 0, 0, 0, 9, 0, 0, 0, 15, 0, 0, 0,
    5, 1, 0x75, 0, 7, 0, 0, 0, 8, 1, 0x67, 0, 1, 0x73, 0, 0,
    1, 0, 0, 0, 0x78, 0,
  ]

  private static func message(_ bytes: [UInt8]) -> BusMessage? {
    bytes.withUnsafeBytes {
      dbus_message_demarshal($0.bindMemory(to: CChar.self).baseAddress, Int32($0.count), nil)
    }.map(BusMessage.init(owning:))
  }

  @Test("An answer holds what was sent, and no more than may be")
  func answer() {
    #expect(Self.message(Self.reply)?.answer(limit: 10) == .values([.string("x")]))
    #expect(Self.message(Self.reply)?.answer(limit: 0) == .values([]))
  }

  @Test(
    "An error is one; that nothing came is silence only where the library itself says it",
    arguments: [
      ("org.freedesktop.DBus.Error.UnknownMethod", nil, BusCallOutcome.error),
      ("org.freedesktop.DBus.Error.NoReply", nil, .silence),
      ("org.freedesktop.DBus.Error.Disconnected", nil, .silence),
      // The bus knows that the program has left.
      ("org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus", .error),
    ] as [(String, String?, BusCallOutcome)])
  func error(name: String, sender: String?, answer: BusCallOutcome) throws {
    let pointer = try #require(dbus_message_new(DBUS_MESSAGE_TYPE_ERROR))
    let message = BusMessage(owning: pointer)
    dbus_message_set_error_name(pointer, name)
    if let sender { dbus_message_set_sender(pointer, sender) }
    #expect(message.answer(limit: 10) == answer)
  }

  @Test("The end of a connection is told by the library, and by nobody else")
  func disconnection() throws {
    let pointer = try #require(
      dbus_message_new_signal(
        "/org/freedesktop/DBus/Local", "org.freedesktop.DBus.Local", "Disconnected"))
    let message = BusMessage(owning: pointer)
    #expect(message.isDisconnection)
    dbus_message_set_sender(pointer, ":1.5")
    #expect(!message.isDisconnection)
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
    #expect(BusMessage(call, to: destination, startsService: false) == nil)
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
    guard case .values(let values)? = Self.message(bytes)?.answer(limit: 100) else {
      Issue.record("It is no answer.")
      return
    }
    var (inner, depthRead) = (values.first, 0)
    while let next = inner?.elements.first { (inner, depthRead) = (next, depthRead + 1) }
    #expect(inner == .other && depthRead < depth)
    #expect(Self.message(bytes)?.answer(limit: 0) == .values([]))
  }
}
