import Glibc
import KeyDragCore

/// A bus spoken to with nothing between: messages are written, and answers counted. The least that
/// asking a program can cost.
final class BareBus {
  private let socket: Int32
  private var unread: [UInt8] = []
  private var serial: UInt32 = 0

  /// An argument of a call.
  enum Value {
    case text(String)
    case number(UInt32)
    /// A rule of `org.a11y.atspi.Collection` for what has all of these states.
    case rule(states: UInt32)

    var signature: String {
      switch self {
      case .text: "s"
      case .number: "u"
      case .rule: "(aiia{ss}iaiiasib)uib"
      }
    }
  }

  struct Call {
    var program: String
    var path: String
    var interface: String
    var member: String
    var values: [Value] = []
  }

  init(_ address: String) throws {
    guard let part = address.split(separator: ";").first?.dropFirst("unix:".count) else {
      throw BenchmarkError("no bus at \(address)")
    }
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    let fields = part.split(separator: ",").map { $0.split(separator: "=", maxSplits: 1) }
    let named = fields.first { $0.count == 2 && ($0[0] == "path" || $0[0] == "abstract") }
    guard let named else { throw BenchmarkError("no socket in \(address)") }
    let name = (named[0] == "abstract" ? [0] : []) + Array(named[1].utf8)
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: name.prefix($0.count - 1)) }
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let isAbstract = named[0] == "abstract"
    let length = socklen_t(
      MemoryLayout<sa_family_t>.size + name.count + (isAbstract ? 0 : 1))
    let status = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, length) }
    }
    guard status == 0 else { throw BenchmarkError("no bus at \(address): errno \(errno)") }
    let user = String(getuid()).utf8.map { String($0, radix: 16) }.joined()
    try send([0] + Array("AUTH EXTERNAL \(user)\r\n".utf8))
    while !unread.contains(UInt8(ascii: "\n")) { try receive() }
    guard unread.starts(with: Array("OK".utf8)) else { throw BenchmarkError("the bus says no") }
    unread = []
    try send(Array("BEGIN\r\n".utf8))
    let bus = "org.freedesktop.DBus"
    _ = try ask([
      Call(program: bus, path: "/org/freedesktop/DBus", interface: bus, member: "Hello")
    ])
  }

  deinit { close(socket) }

  /// The accessibility bus of a session.
  static func accessibility(session: String) throws -> BareBus {
    let answer = try BareBus(session).ask([
      Call(
        program: "org.a11y.Bus", path: "/org/a11y/bus", interface: "org.a11y.Bus",
        member: "GetAddress")
    ])
    guard let text = answer.first, text.count > 5 else {
      throw BenchmarkError("no accessibility bus")
    }
    return try BareBus(String(decoding: text[4..<(text.count - 1)], as: UTF8.self))
  }

  /// Sends all, then reads all answers; gives what is in each. Answers of one program come in order.
  func ask(_ calls: [Call]) throws -> [[UInt8]] {
    var bytes: [UInt8] = []
    for call in calls {
      serial += 1
      bytes += Self.encoded(call, serial)
    }
    try send(bytes)
    var answers: [[UInt8]] = []
    while answers.count < calls.count {
      let (kind, body) = try message()
      if kind == 2 || kind == 3 { answers.append(kind == 2 ? body : []) }
    }
    return answers
  }

  // MARK: The wire

  private func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      // Answers come while questions are still going out.
      var entry = pollfd(fd: socket, events: Int16(POLLIN | POLLOUT), revents: 0)
      _ = poll(&entry, 1, 30_000)
      if entry.revents & Int16(POLLIN) != 0 { try receive() }
      guard entry.revents & Int16(POLLOUT) != 0 else { continue }
      let count = rest.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
      }
      if count < 0, errno == EAGAIN { continue }
      guard count > 0 else { throw BenchmarkError("the bus is gone: errno \(errno)") }
      rest = rest.dropFirst(count)
    }
  }

  private func receive() throws {
    var block = [UInt8](repeating: 0, count: 262_144)
    let count = read(socket, &block, block.count)
    guard count > 0 else { throw BenchmarkError("the bus is gone") }
    unread += block[..<count]
  }

  private func message() throws -> (kind: UInt8, body: [UInt8]) {
    while unread.count < 16 { try receive() }
    let (body, fields) = (Int(number(at: 4)), Int(number(at: 12)))
    let start = (16 + fields + 7) / 8 * 8
    while unread.count < start + body { try receive() }
    defer { unread.removeFirst(start + body) }
    return (unread[1], Array(unread[start..<(start + body)]))
  }

  private func number(at place: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(unread[place + $1]) << (8 * UInt32($1)) }
  }

  private static func encoded(_ call: Call, _ serial: UInt32) -> [UInt8] {
    var body = Wire()
    for value in call.values { body.add(value) }
    var head = Wire()
    // Little-endian, a call, that starts nothing, version 1.
    head.bytes = [UInt8(ascii: "l"), 1, 2, 1]
    head.add(UInt32(body.bytes.count))
    head.add(serial)
    var fields = Wire()
    fields.field(1, "o", call.path)
    fields.field(2, "s", call.interface)
    fields.field(3, "s", call.member)
    fields.field(6, "s", call.program)
    let signature = call.values.map(\.signature).joined()
    if !signature.isEmpty {
      fields.align(8)
      fields.bytes += [8, 1, UInt8(ascii: "g"), 0, UInt8(signature.utf8.count)]
      fields.bytes += Array(signature.utf8) + [0]
    }
    head.add(UInt32(fields.bytes.count))
    head.bytes += fields.bytes
    head.align(8)
    return head.bytes + body.bytes
  }

  /// Values as they go over the bus.
  private struct Wire {
    var bytes: [UInt8] = []

    mutating func align(_ size: Int) {
      while !bytes.count.isMultiple(of: size) { bytes.append(0) }
    }

    mutating func add(_ number: UInt32) {
      align(4)
      for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt32(shift)))) }
    }

    mutating func add(_ text: String) {
      add(UInt32(text.utf8.count))
      bytes += Array(text.utf8) + [0]
    }

    mutating func field(_ code: UInt8, _ type: String, _ text: String) {
      align(8)
      bytes += [code, 1] + Array(type.utf8) + [0]
      add(text)
    }

    mutating func add(_ value: Value) {
      switch value {
      case .text(let text): add(text)
      case .number(let number): add(number)
      case .rule(let states):
        align(8)
        for number in [8, states, 0, 1] { add(number) }
        // No attributes; the elements of a dictionary begin at a multiple of 8.
        add(0 as UInt32)
        align(8)
        for number: UInt32 in [1, 0, 1, 0, 1, 0] { add(number) }
        // In the order of the tree, all of them, and what is within them.
        for number: UInt32 in [1, 100_000, 1] { add(number) }
      }
    }
  }
}

extension BareBus {
  /// The bulk call of a toolkit: everything that says it is shown in a window.
  static func matches(in frame: ElementID) -> Call {
    Call(
      program: frame.program, path: frame.path, interface: "org.a11y.atspi.Collection",
      member: "GetMatches", values: [.rule(states: 1 << 25)])
  }

  /// The name and the place of an element.
  static func look(at element: ElementID) -> [Call] {
    [
      Call(
        program: element.program, path: element.path,
        interface: "org.freedesktop.DBus.Properties", member: "Get",
        values: [.text("org.a11y.atspi.Accessible"), .text("Name")]),
      Call(
        program: element.program, path: element.path, interface: "org.a11y.atspi.Component",
        member: "GetExtents", values: [.number(0)]),
    ]
  }
}
