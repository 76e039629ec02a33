import CAtspi

/// A libdbus message, holding one reference to it. Not to be sent twice.
package final class BusMessage {
  package let pointer: OpaquePointer

  /// Takes over the caller's reference.
  package init(owning pointer: OpaquePointer) { self.pointer = pointer }

  /// Retains the library's message.
  package init(_ pointer: OpaquePointer) { self.pointer = dbus_message_ref(pointer) }

  deinit { dbus_message_unref(pointer) }

  // MARK: Making

  /// A call; `nil` for an invalid one, about which libdbus would complain on standard error.
  package convenience init?(_ call: BusCall, to destination: String?, startsService: Bool) {
    guard destination.map({ dbus_validate_bus_name($0, nil) }) != 0,
      Self.isPossible(call.path, call.interface, call.member),
      let message = dbus_message_new_method_call(
        destination, call.path, call.interface, call.member)
    else { return nil }
    self.init(owning: message)
    dbus_message_set_auto_start(message, startsService ? 1 : 0)
    guard append(call.arguments) else { return nil }
  }

  /// A broadcast signal; `nil` for an invalid one.
  package convenience init?(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue]
  ) {
    guard Self.isPossible(path, interface, member),
      let message = dbus_message_new_signal(path, interface, member)
    else { return nil }
    self.init(owning: message)
    guard append(arguments) else { return nil }
  }

  /// The reply to this call; `nil` when none is wanted.
  package func reply(_ reply: BusReply) -> BusMessage? {
    guard dbus_message_get_no_reply(pointer) == 0 else { return nil }
    switch reply {
    case .values(let values):
      guard let made = dbus_message_new_method_return(pointer).map(BusMessage.init(owning:)),
        made.append(values)
      else { return nil }
      return made
    case .error(let name, let text):
      guard dbus_validate_error_name(name, nil) != 0 else { return nil }
      return dbus_message_new_error(pointer, name, text).map(BusMessage.init(owning:))
    }
  }

  private static func isPossible(_ path: String, _ interface: String, _ member: String) -> Bool {
    dbus_validate_path(path, nil) != 0 && dbus_validate_interface(interface, nil) != 0
      && dbus_validate_member(member, nil) != 0
  }

  /// `false` for a value that can't be encoded.
  private func append(_ arguments: [BusValue]) -> Bool {
    guard arguments.allSatisfy(\.isCarried) else { return false }
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(pointer, &iterator)
    return arguments.allSatisfy { $0.append(to: &iterator) }
  }

  // MARK: Reading

  /// The outcome that this reply means.
  ///
  /// - Parameter limit: most values read; the rest is left out.
  package func answer(limit: Int) -> BusCallOutcome {
    switch dbus_message_get_type(pointer) {
    case DBUS_MESSAGE_TYPE_METHOD_RETURN: .values(values(limit: limit))
    // Made by libdbus itself: a timeout, or a lost connection.
    case DBUS_MESSAGE_TYPE_ERROR where Self.isSilence(dbus_message_get_error_name(pointer)):
      dbus_message_get_sender(pointer) == nil ? .silence : .error
    default: .error
    }
  }

  private static func isSilence(_ name: UnsafePointer<CChar>?) -> Bool {
    let name = name.map { String(cString: $0) }
    return name == DBUS_ERROR_NO_REPLY || name == DBUS_ERROR_DISCONNECTED
  }

  /// libdbus's own notice that the connection is closed (`org.freedesktop.DBus.Local`).
  package var isDisconnection: Bool {
    dbus_message_is_signal(pointer, "org.freedesktop.DBus.Local", "Disconnected") != 0
      && dbus_message_get_sender(pointer) == nil
  }

  /// Whether it was sent to one connection rather than broadcast.
  package var isForUsAlone: Bool { dbus_message_get_destination(pointer) != nil }

  /// The call in this message. D-Bus makes the interface optional; a call without one is ignored.
  package var call: BusCall? {
    guard dbus_message_get_type(pointer) == DBUS_MESSAGE_TYPE_METHOD_CALL,
      let path = dbus_message_get_path(pointer),
      let interface = dbus_message_get_interface(pointer),
      let member = dbus_message_get_member(pointer)
    else { return nil }
    return BusCall(
      path: String(cString: path), interface: String(cString: interface),
      member: String(cString: member),
      // No call served here has more arguments.
      arguments: values(limit: 100))
  }

  /// The signal in this message, if its interface is wanted.
  package func signal(of isWanted: (String) -> Bool) -> BusSignal? {
    guard dbus_message_get_type(pointer) == DBUS_MESSAGE_TYPE_SIGNAL,
      let interface = dbus_message_get_interface(pointer).map({ String(cString: $0) }),
      isWanted(interface), let sender = dbus_message_get_sender(pointer),
      let path = dbus_message_get_path(pointer), let member = dbus_message_get_member(pointer)
    else { return nil }
    return BusSignal(
      sender: String(cString: sender), path: String(cString: path), interface: interface,
      member: String(cString: member),
      // Of an event, only a name, two numbers and a reference are read.
      arguments: values(limit: 50))
  }

  private func values(limit: Int) -> [BusValue] {
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(pointer, &iterator) != 0 else { return [] }
    var left = limit
    return BusValue.read(&iterator, depth: BusValue.deepest, left: &left)
  }
}

extension BusValue {
  /// Whether libdbus can encode it.
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

  /// Its signature (D-Bus specification, "Type System").
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

  /// `false` when out of memory.
  fileprivate func append(to iterator: inout DBusMessageIter) -> Bool {
    switch self {
    case .bool(let value): Self.append(dbus_bool_t(value ? 1 : 0), "b", &iterator)
    case .int32(let value): Self.append(value, "i", &iterator)
    case .uint32(let value): Self.append(value, "u", &iterator)
    case .double(let value): Self.append(value, "d", &iterator)
    // A text ends at a zero byte, which D-Bus can't carry.
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

  /// Appends a container, which is closed in any case.
  ///
  /// - Parameter contents: the signature of its contents, where libdbus requires it.
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

  /// Nothing read here is nested deeper.
  fileprivate static let deepest = 8

  /// The values of a message; deeper nesting, and values beyond `left` in all, are left out.
  fileprivate static func read(
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
    left -= 1
    // Too deep: skipped as a whole.
    guard depth > 0 else { return .other }
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

  /// Invalid UTF-8 is replaced.
  private static func text(_ iterator: inout DBusMessageIter) -> String {
    basic(nil as UnsafePointer<CChar>?, &iterator).map { String(cString: $0) } ?? ""
  }

  /// The signature of an array's elements.
  private static func elementType(_ iterator: inout DBusMessageIter) -> String {
    guard let signature = dbus_message_iter_get_signature(&iterator) else { return "" }
    defer { dbus_free(signature) }
    return String(cString: signature + 1)
  }
}
