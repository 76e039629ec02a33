import CDBus

/// Messages as they go over a line, made and read by the reference library of D-Bus: it takes a third
/// of the time that GLib's client does, which counts where a window is hundreds of questions.
enum BusMessage {
  /// What begins what was read.
  enum Next: Hashable, Sendable {
    /// Not all of it has come.
    case incomplete
    case malformed
    /// Its length, the number of the call that it answers, and the answer, if it is one that is
    /// waited for.
    case message(Int, UInt32, BusAnswer?)
  }

  /// More than this is not one message.
  static let longest = 16 << 20
  /// The least by which the library can tell how long a message is.
  private static let header = 16

  /// Adds a call; `false` for one that no bus would carry.
  static func add(
    _ call: BusCall, to destination: String, serial: UInt32, _ bytes: inout [UInt8]
  ) -> Bool {
    // The library complains about mistakes on standard error.
    guard dbus_validate_bus_name(destination, nil) != 0, dbus_validate_path(call.path, nil) != 0,
      dbus_validate_interface(call.interface, nil) != 0,
      dbus_validate_member(call.member, nil) != 0, call.arguments.allSatisfy(\.isCarried),
      let message = dbus_message_new_method_call(
        destination, call.path, call.interface, call.member)
    else { return false }
    defer { dbus_message_unref(message) }
    dbus_message_set_serial(message, serial)
    dbus_message_set_auto_start(message, 0)
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(message, &iterator)
    for argument in call.arguments {
      guard argument.append(to: &iterator) else { return false }
    }
    var blob: UnsafeMutablePointer<CChar>?
    var count: Int32 = 0
    guard dbus_message_marshal(message, &blob, &count) != 0, let blob else { return false }
    defer { dbus_free(blob) }
    bytes += UnsafeRawBufferPointer(start: blob, count: Int(count))
    return true
  }

  /// Reads the message that begins what has come.
  ///
  /// - Parameter limit: how many values the reply to this call may hold; `nil` for a call that nobody
  ///   waits for.
  static func next(in bytes: ArraySlice<UInt8>, limit: (UInt32) -> Int?) -> Next {
    bytes.withUnsafeBytes { bytes in
      guard bytes.count >= header,
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      else { return .incomplete }
      let length = Int(
        dbus_message_demarshal_bytes_needed(start, Int32(min(bytes.count, longest))))
      guard length >= header, length <= longest else { return .malformed }
      guard bytes.count >= length else { return .incomplete }
      guard let message = dbus_message_demarshal(start, Int32(length), nil) else {
        return .malformed
      }
      defer { dbus_message_unref(message) }
      let serial = dbus_message_get_reply_serial(message)
      guard let limit = limit(serial) else { return .message(length, serial, nil) }
      switch dbus_message_get_type(message) {
      case 2:
        return .message(length, serial, .values(BusValue.body(of: message, limit: limit)))
      case 3: return .message(length, serial, .error)
      default: return .message(length, serial, nil)
      }
    }
  }
}

extension BusValue {
  /// Whether the library takes it.
  fileprivate var isCarried: Bool {
    switch self {
    case .bool, .int32, .uint32, .double, .string: true
    case .path(let path): dbus_validate_path(path, nil) != 0
    case .array(_, let elements), .tuple(let elements):
      elements.allSatisfy(\.isCarried)
    case .entry(let key, let value): key.isCarried && value.isCarried
    case .variant(let value): value.isCarried
    case .other: false
    }
  }

  /// Its type as the specification writes it ("Type System").
  private var signature: String {
    switch self {
    case .bool: "b"
    case .int32: "i"
    case .uint32: "u"
    case .double: "d"
    case .string: "s"
    case .path: "o"
    case .array(let type, _): "a" + type
    case .tuple(let elements): "(" + elements.map(\.signature).joined() + ")"
    case .entry(let key, let value): "{" + key.signature + value.signature + "}"
    case .variant: "v"
    case .other: ""
    }
  }

  /// Adds it to what is being written; `false` where there is no memory.
  fileprivate func append(to iterator: inout DBusMessageIter) -> Bool {
    switch self {
    case .bool(let value): Self.append(dbus_bool_t(value ? 1 : 0), "b", &iterator)
    case .int32(let value): Self.append(value, "i", &iterator)
    case .uint32(let value): Self.append(value, "u", &iterator)
    case .double(let value): Self.append(value, "d", &iterator)
    // A text ends at a zero byte, which a bus could not carry.
    case .string(let text): text.withCString { Self.append($0, "s", &iterator) }
    case .path(let path): path.withCString { Self.append($0, "o", &iterator) }
    case .array(let type, let elements): Self.append(elements, "a", type, &iterator)
    case .tuple(let elements): Self.append(elements, "r", nil, &iterator)
    case .entry(let key, let value): Self.append([key, value], "e", nil, &iterator)
    case .variant(let value): Self.append([value], "v", value.signature, &iterator)
    case .other: false
    }
  }

  private static func append<Value: BitwiseCopyable>(
    _ value: Value, _ type: Unicode.Scalar, _ iterator: inout DBusMessageIter
  ) -> Bool {
    withUnsafeBytes(of: value) {
      dbus_message_iter_append_basic(&iterator, Int32(type.value), $0.baseAddress) != 0
    }
  }

  private static func append(
    _ parts: [BusValue], _ type: Unicode.Scalar, _ contents: String?,
    _ iterator: inout DBusMessageIter
  ) -> Bool {
    var inner = DBusMessageIter()
    guard
      dbus_message_iter_open_container(&iterator, Int32(type.value), contents, &inner) != 0
    else { return false }
    let isWhole = parts.allSatisfy { $0.append(to: &inner) }
    return dbus_message_iter_close_container(&iterator, &inner) != 0 && isWhole
  }

  /// What a message holds; what is nested deeper than anything we ask for, or is more than `limit`
  /// values in all, is left out.
  fileprivate static func body(of message: OpaquePointer, limit: Int) -> [BusValue] {
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(message, &iterator) != 0 else { return [] }
    var left = limit
    return read(&iterator, depth: deepest, left: &left)
  }

  private static func read(
    _ iterator: inout DBusMessageIter, depth: Int, left: inout Int
  ) -> [BusValue] {
    var values: [BusValue] = []
    while left > 0, let type = Unicode.Scalar(UInt32(dbus_message_iter_get_arg_type(&iterator))),
      type.value != 0
    {
      values.append(read(type, &iterator, depth: depth, left: &left))
      dbus_message_iter_next(&iterator)
    }
    return values
  }

  private static func read(
    _ type: Unicode.Scalar, _ iterator: inout DBusMessageIter, depth: Int, left: inout Int
  ) -> BusValue {
    guard depth > 0 else { return .other }
    left -= 1
    switch type {
    case "b": return .bool(basic(dbus_bool_t(0), &iterator) != 0)
    case "i": return .int32(basic(0, &iterator))
    case "u": return .uint32(basic(0, &iterator))
    case "d": return .double(basic(0, &iterator))
    case "s": return .string(text(&iterator))
    case "o": return .path(text(&iterator))
    case "a": return .array(of: elementType(&iterator), parts(&iterator, depth, &left))
    case "r": return .tuple(parts(&iterator, depth, &left))
    case "e":
      let parts = parts(&iterator, depth, &left)
      return parts.count == 2 ? .entry(parts[0], parts[1]) : .other
    case "v": return parts(&iterator, depth, &left).first.map(BusValue.variant) ?? .other
    default: return .other
    }
  }

  private static func parts(
    _ iterator: inout DBusMessageIter, _ depth: Int, _ left: inout Int
  ) -> [BusValue] {
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    return read(&inner, depth: depth - 1, left: &left)
  }

  private static func basic<Value: BitwiseCopyable>(
    _ start: Value, _ iterator: inout DBusMessageIter
  ) -> Value {
    var value = start
    dbus_message_iter_get_basic(&iterator, &value)
    return value
  }

  private static func text(_ iterator: inout DBusMessageIter) -> String {
    basic(nil as UnsafePointer<CChar>?, &iterator).map { String(cString: $0) } ?? ""
  }

  private static func elementType(_ iterator: inout DBusMessageIter) -> String {
    guard let signature = dbus_message_iter_get_signature(&iterator) else { return "" }
    defer { dbus_free(signature) }
    return String(cString: signature + 1)
  }
}
