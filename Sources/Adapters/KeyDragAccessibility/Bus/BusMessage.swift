import CGDBus

/// Messages as the library makes and reads them.
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
    guard
      let message = g_dbus_message_new_method_call(
        destination, call.path, call.interface, call.member)
    else { return false }
    defer { g_object_unref(UnsafeMutableRawPointer(message)) }
    g_dbus_message_set_serial(message, serial)
    g_dbus_message_set_flags(message, 2)
    if !call.arguments.isEmpty {
      g_dbus_message_set_body(message, BusValue.tuple(call.arguments).made())
    }
    var count = 0
    guard let blob = g_dbus_message_to_blob(message, &count, 0, nil) else { return false }
    defer { g_free(blob) }
    bytes += UnsafeRawBufferPointer(start: blob, count: count)
    return true
  }

  /// Reads the message that begins what has come.
  ///
  /// - Parameter limit: how many values the reply to this call may hold; `nil` for a call that nobody
  ///   waits for.
  static func next(in bytes: ArraySlice<UInt8>, limit: (UInt32) -> Int?) -> Next {
    bytes.withUnsafeBytes { bytes in
      guard bytes.count >= header else { return .incomplete }
      let length = g_dbus_message_bytes_needed(bytes.baseAddress, bytes.count, nil)
      guard length >= header, length <= longest else { return .malformed }
      guard bytes.count >= length else { return .incomplete }
      guard let message = g_dbus_message_new_from_blob(bytes.baseAddress, length, 0, nil) else {
        return .malformed
      }
      defer { g_object_unref(UnsafeMutableRawPointer(message)) }
      let serial = g_dbus_message_get_reply_serial(message)
      guard let limit = limit(serial) else { return .message(length, serial, nil) }
      switch g_dbus_message_get_message_type(message) {
      case 2:
        let body = g_dbus_message_get_body(message).map { BusValue($0, limit: limit).elements }
        return .message(length, serial, .values(body ?? []))
      case 3: return .message(length, serial, .error)
      default: return .message(length, serial, nil)
      }
    }
  }
}
