/// Messages as they lie on the wire (D-Bus specification, "Message Protocol"): pure functions.
///
/// What is read comes from a program with nothing between that would have looked at it, so that
/// everything in it is checked here.
enum BusWire {
  /// What is no message of this protocol, or none that anybody would send us.
  struct Malformed: Error, Hashable {}

  /// A message, as far as it is looked at.
  struct Message: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case reply, error, other }

    var kind: Kind
    /// The number of the call that it answers.
    var answers: UInt32?
    /// What it holds; only read of a reply.
    var values: [BusValue] = []
  }

  /// More than this is not one message.
  static let longest = 16 << 20
  /// Values are not nested deeper than this.
  static let deepest = 16
  private static let header = 16

  // MARK: Reading

  /// The length of the message that begins at a place; `nil` while too little of it has come.
  static func length(of bytes: [UInt8], from start: Int) throws(Malformed) -> Int? {
    guard bytes.count - start >= header else { return nil }
    var reader = BusWireReader(bytes, from: start, to: start + header)
    try reader.begin()
    let body = Int(try reader.word())
    _ = try reader.word()
    let fields = Int(try reader.word())
    guard body <= longest, fields <= longest else { throw Malformed() }
    let length = header + (fields + 7) / 8 * 8 + body
    guard length <= longest else { throw Malformed() }
    return length
  }

  /// Reads a whole message.
  ///
  /// - Parameter limit: how many values a reply to this call may hold; `nil` for a call that nobody
  ///   waits for, of which nothing is read.
  static func message(
    _ bytes: [UInt8], from start: Int, length: Int, limit: (UInt32) -> Int?
  ) throws(Malformed) -> Message {
    var reader = BusWireReader(bytes, from: start, to: start + length)
    let kind = try reader.begin()
    let body = Int(try reader.word())
    _ = try reader.word()
    let fieldsEnd = header + Int(try reader.word())
    var message = Message(kind: kind == 2 ? .reply : kind == 3 ? .error : .other)
    guard message.kind != .other else { return message }
    var signature: [UInt8] = []
    while reader.offset < fieldsEnd {
      try reader.align(8)
      let code = try reader.byte()
      let type = try reader.signature()
      switch (code, type) {
      case (5, [UInt8(ascii: "u")]): message.answers = try reader.word()
      case (8, [UInt8(ascii: "g")]): signature = try reader.signature()
      default: try reader.skip(type)
      }
    }
    guard reader.offset == fieldsEnd else { throw Malformed() }
    guard message.kind == .reply, let call = message.answers, let limit = limit(call) else {
      return message
    }
    try reader.align(8)
    guard length - reader.offset == body else { throw Malformed() }
    message.values = try reader.values(signature, limit: limit)
    return message
  }

  // MARK: Writing

  /// A call, to be answered, that starts nothing.
  static func call(_ call: BusCall, to destination: String, serial: UInt32) -> [UInt8] {
    var body = BusWireWriter()
    for argument in call.arguments { body.add(argument) }
    var fields = BusWireWriter()
    fields.field(1, "o", call.path)
    fields.field(2, "s", call.interface)
    fields.field(3, "s", call.member)
    fields.field(6, "s", destination)
    let signature = call.arguments.map(BusWireWriter.signature).joined()
    if !signature.isEmpty { fields.field(signature: signature) }
    var message = BusWireWriter()
    message.bytes = [UInt8(ascii: "l"), 1, 2, 1]
    message.add(UInt32(body.bytes.count))
    message.add(serial)
    message.add(UInt32(fields.bytes.count))
    message.bytes += fields.bytes
    message.align(8)
    return message.bytes + body.bytes
  }
}

/// Reads values one after the other; whatever leads out of the message is malformed.
struct BusWireReader {
  private let bytes: [UInt8]
  private let start: Int
  private let end: Int
  private var at: Int
  private var isBig = false
  /// How many values may still be kept.
  private var left = 0

  init(_ bytes: [UInt8], from start: Int, to end: Int) {
    (self.bytes, self.start, self.end, at) = (bytes, start, min(end, bytes.count), start)
  }

  var offset: Int { at - start }

  /// Reads the order of bytes, the kind of the message, its flags and the version.
  @discardableResult
  mutating func begin() throws(BusWire.Malformed) -> UInt8 {
    let order = try byte()
    guard order == UInt8(ascii: "l") || order == UInt8(ascii: "B") else {
      throw BusWire.Malformed()
    }
    isBig = order == UInt8(ascii: "B")
    let kind = try byte()
    _ = try byte()
    guard try byte() == 1 else { throw BusWire.Malformed() }
    return kind
  }

  mutating func align(_ size: Int) throws(BusWire.Malformed) {
    at += (size - offset % size) % size
    guard at <= end else { throw BusWire.Malformed() }
  }

  mutating func byte() throws(BusWire.Malformed) -> UInt8 {
    guard at < end else { throw BusWire.Malformed() }
    at += 1
    return bytes[at - 1]
  }

  mutating func word() throws(BusWire.Malformed) -> UInt32 {
    UInt32(truncatingIfNeeded: try number(4))
  }

  private mutating func number(_ size: Int) throws(BusWire.Malformed) -> UInt64 {
    try align(size)
    guard end - at >= size else { throw BusWire.Malformed() }
    var result: UInt64 = 0
    for place in 0..<size {
      result = result << 8 | UInt64(bytes[isBig ? at + place : at + size - 1 - place])
    }
    at += size
    return result
  }

  mutating func signature() throws(BusWire.Malformed) -> [UInt8] {
    try raw(Int(try byte()))
  }

  /// So many bytes with a zero behind them, and none among them.
  private mutating func raw(_ count: Int) throws(BusWire.Malformed) -> [UInt8] {
    guard count < end - at, bytes[at + count] == 0 else { throw BusWire.Malformed() }
    let result = bytes[at..<(at + count)]
    guard !result.contains(0) else { throw BusWire.Malformed() }
    at += count + 1
    return Array(result)
  }

  private mutating func text() throws(BusWire.Malformed) -> [UInt8] {
    try raw(Int(try word()))
  }

  // MARK: Values

  /// Reads what is left of a message.
  mutating func values(
    _ signature: [UInt8], limit: Int
  ) throws(BusWire.Malformed) -> [BusValue] {
    left = limit
    return try sequence(signature[...], depth: 0)
  }

  /// Reads past a value that nobody looks at.
  mutating func skip(_ signature: [UInt8]) throws(BusWire.Malformed) {
    left = 0
    _ = try sequence(signature[...], depth: 0)
  }

  private mutating func sequence(
    _ signature: ArraySlice<UInt8>, depth: Int
  ) throws(BusWire.Malformed) -> [BusValue] {
    var (rest, result) = (signature, [BusValue]())
    while !rest.isEmpty {
      let type = try Self.first(of: rest)
      result.append(try value(type, depth: depth))
      rest = rest.dropFirst(type.count)
    }
    return result
  }

  private mutating func value(
    _ type: ArraySlice<UInt8>, depth: Int
  ) throws(BusWire.Malformed) -> BusValue {
    guard depth < BusWire.deepest, let code = type.first else { throw BusWire.Malformed() }
    left -= 1
    switch code {
    case UInt8(ascii: "b"): return .bool(try word() != 0)
    case UInt8(ascii: "i"): return .int32(Int32(bitPattern: try word()))
    case UInt8(ascii: "u"): return .uint32(try word())
    case UInt8(ascii: "d"): return .double(Double(bitPattern: try number(8)))
    case UInt8(ascii: "s"): return .string(String(decoding: try text(), as: UTF8.self))
    case UInt8(ascii: "o"):
      let path = try text()
      guard Self.isPath(path) else { throw BusWire.Malformed() }
      return .path(String(decoding: path, as: UTF8.self))
    case UInt8(ascii: "a"): return try array(of: type.dropFirst(), depth: depth)
    case UInt8(ascii: "("):
      try align(8)
      return .tuple(try sequence(type.dropFirst().dropLast(), depth: depth + 1))
    case UInt8(ascii: "{"):
      try align(8)
      let parts = try sequence(type.dropFirst().dropLast(), depth: depth + 1)
      guard parts.count == 2 else { throw BusWire.Malformed() }
      return .entry(parts[0], parts[1])
    case UInt8(ascii: "v"):
      let inner = try signature()[...]
      guard try Self.first(of: inner).count == inner.count else { throw BusWire.Malformed() }
      return .variant(try value(inner, depth: depth + 1))
    case UInt8(ascii: "g"): _ = try signature()
    case UInt8(ascii: "y"): _ = try byte()
    default: _ = try number(Self.size(of: code))
    }
    // Nothing that is asked is answered by any of these.
    return .other
  }

  private mutating func array(
    of type: ArraySlice<UInt8>, depth: Int
  ) throws(BusWire.Malformed) -> BusValue {
    let length = Int(try word())
    try align(Self.alignment(of: type.first))
    guard length <= end - at else { throw BusWire.Malformed() }
    let last = at + length
    var elements: [BusValue] = []
    while at < last, left > 0 { elements.append(try value(type, depth: depth + 1)) }
    guard at <= last else { throw BusWire.Malformed() }
    // What there is no room for is left out.
    at = last
    return .array(of: String(decoding: type, as: UTF8.self), elements)
  }

  // MARK: Types

  /// The first whole type of a signature.
  private static func first(
    of signature: ArraySlice<UInt8>, depth: Int = 0
  ) throws(BusWire.Malformed) -> ArraySlice<UInt8> {
    guard depth < BusWire.deepest, let code = signature.first else { throw BusWire.Malformed() }
    switch code {
    case UInt8(ascii: "a"):
      return signature.prefix(1 + (try first(of: signature.dropFirst(), depth: depth + 1)).count)
    case UInt8(ascii: "("), UInt8(ascii: "{"):
      let close = code == UInt8(ascii: "(") ? UInt8(ascii: ")") : UInt8(ascii: "}")
      var rest = signature.dropFirst()
      while let next = rest.first, next != close {
        rest = rest.dropFirst(try first(of: rest, depth: depth + 1).count)
      }
      // Nothing is as long as an empty tuple, of which there are endlessly many in no space.
      guard rest.first == close, signature.count - rest.count > 1 else { throw BusWire.Malformed() }
      return signature.prefix(signature.count - rest.count + 1)
    default:
      guard size(of: code) > 0 || "sogv".utf8.contains(code) else { throw BusWire.Malformed() }
      return signature.prefix(1)
    }
  }

  /// The size of a type that always has the same; 0 for others.
  private static func size(of code: UInt8) -> Int {
    switch code {
    case UInt8(ascii: "y"): 1
    case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
    case UInt8(ascii: "b"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "h"): 4
    case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"): 8
    default: 0
    }
  }

  static func alignment(of code: UInt8?) -> Int {
    switch code {
    case UInt8(ascii: "("), UInt8(ascii: "{"): 8
    case UInt8(ascii: "g"), UInt8(ascii: "v"): 1
    case let code?: size(of: code) > 0 ? size(of: code) : 4
    case nil: 1
    }
  }

  /// Whether this is a path that may be asked: the library ends the question without an answer else.
  private static func isPath(_ path: [UInt8]) -> Bool {
    guard path.first == UInt8(ascii: "/") else { return false }
    if path.count == 1 { return true }
    return path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .allSatisfy { part in
        !part.isEmpty
          && part.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
              || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
              || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
          }
      }
  }
}

/// Writes values one after the other, the lowest byte of each first.
struct BusWireWriter {
  var bytes: [UInt8] = []

  mutating func align(_ size: Int) {
    while !bytes.count.isMultiple(of: size) { bytes.append(0) }
  }

  mutating func add(_ number: UInt32) {
    align(4)
    for shift: UInt32 in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  /// Texts end at a zero byte, which the wire could not carry.
  private mutating func add(_ text: String) {
    let text = text.utf8.prefix { $0 != 0 }
    add(UInt32(text.count))
    bytes += text
    bytes.append(0)
  }

  private mutating func add(signature: String) {
    bytes.append(UInt8(signature.utf8.count))
    bytes += signature.utf8
    bytes.append(0)
  }

  mutating func field(_ code: UInt8, _ type: String, _ text: String) {
    align(8)
    bytes.append(code)
    add(signature: type)
    add(text)
  }

  mutating func field(signature: String) {
    align(8)
    bytes.append(8)
    add(signature: "g")
    add(signature: signature)
  }

  mutating func add(_ value: BusValue) {
    switch value {
    case .bool(let value): add(value ? 1 : 0)
    case .int32(let value): add(UInt32(bitPattern: value))
    case .uint32(let value): add(value)
    case .double(let value):
      align(8)
      add(UInt32(truncatingIfNeeded: value.bitPattern))
      add(UInt32(truncatingIfNeeded: value.bitPattern >> 32))
    case .string(let value), .path(let value): add(value)
    case .array(let type, let elements):
      add(0 as UInt32)
      let length = bytes.count - 4
      align(BusWireReader.alignment(of: type.utf8.first))
      let start = bytes.count
      for element in elements { add(element) }
      let count = UInt32(bytes.count - start)
      for shift in 0..<4 { bytes[length + shift] = UInt8(truncatingIfNeeded: count >> (8 * shift)) }
    case .tuple(let elements):
      align(8)
      for element in elements { add(element) }
    case .entry(let key, let value):
      align(8)
      add(key)
      add(value)
    case .variant(let value):
      add(signature: Self.signature(of: value))
      add(value)
    case .other: break
    }
  }

  static func signature(of value: BusValue) -> String {
    switch value {
    case .bool: "b"
    case .int32: "i"
    case .uint32: "u"
    case .double: "d"
    case .string: "s"
    case .path: "o"
    case .array(let type, _): "a" + type
    case .tuple(let elements): "(" + elements.map(signature).joined() + ")"
    case .entry(let key, let value): "{" + signature(of: key) + signature(of: value) + "}"
    case .variant: "v"
    case .other: ""
    }
  }
}
