import CGDBus
import Glibc
import Synchronization

/// A method call that reached us.
struct BusCall: Hashable, Sendable {
  var path: String
  var interface: String
  var member: String
  var arguments: [BusValue] = []
}

/// What a call is answered with.
enum BusReply: Hashable, Sendable {
  case values([BusValue])
  /// An error's name and its words.
  case error(String, String)
}

/// How a question ended.
enum BusAnswer: Hashable, Sendable {
  case values([BusValue])
  /// An error came back: there is no such thing to ask, or nobody by that name.
  case error
  /// Nothing came back in time.
  case silence

  var values: [BusValue]? {
    if case .values(let values) = self { values } else { nil }
  }
}

/// A signal that reached us.
struct BusSignal: Hashable, Sendable {
  var sender: String
  var path: String
  var interface: String
  var member: String
  var arguments: [BusValue] = []
}

/// One connection to a bus; it belongs to a ``BusThread``, on which every answer arrives.
///
/// Method calls that reach us are answered on the library's own thread, so that a reader that asks
/// is not kept waiting by anything else.
final class BusConnection: Sendable {
  /// Our name on the bus.
  let name: String
  /// Belongs to this object; the library allows every call used here from any thread.
  private nonisolated(unsafe) let connection: OpaquePointer

  private init(_ connection: OpaquePointer) {
    self.connection = connection
    name = g_dbus_connection_get_unique_name(connection).map { String(cString: $0) } ?? ""
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(connection)) }

  /// Connects; only to be called on the thread, which also gets the result: nothing when there is no
  /// such bus or it does not answer in time.
  ///
  /// - Parameter isBus: `false` for a program that is reached without a bus between; what is sent
  ///   there may bear its name all the same.
  static func open(
    _ address: String, on thread: BusThread, within milliseconds: UInt32, isBus: Bool = true,
    _ done: @escaping @Sendable (BusConnection?) -> Void
  ) {
    nonisolated(unsafe) let cancellable = g_cancellable_new()
    let opening = Opening(done)
    thread.run(after: milliseconds) {
      g_cancellable_cancel(cancellable)
      g_object_unref(cancellable.map { UnsafeMutableRawPointer($0) })
      // The library waits half a minute for a bus that lets one in and says no more.
      opening.end(nil)
    }
    // As a client (1) of a message bus (8).
    g_dbus_connection_new_for_address(
      address, isBus ? 1 | 8 : 1, nil, cancellable,
      { _, result, data in
        let opening = Box<Opening>.take(data)
        var error: OpaquePointer?
        let connection = g_dbus_connection_new_for_address_finish(result, &error)
        if let error { g_error_free(error) }
        opening?.value.end(connection.map(BusConnection.init))
      }, Box<Opening>.give(opening))
  }

  /// Tells once how connecting ended; what comes later is closed.
  private final class Opening: Sendable {
    private let done: Mutex<(@Sendable (BusConnection?) -> Void)?>

    init(_ done: @escaping @Sendable (BusConnection?) -> Void) { self.done = Mutex(done) }

    func end(_ connection: BusConnection?) {
      let done = done.withLock { done in
        defer { done = nil }
        return done
      }
      if let done { done(connection) } else { connection?.close() }
    }
  }

  /// Whether it was closed, from here or from the other end.
  var isClosed: Bool { g_dbus_connection_is_closed(connection) != 0 }

  func close() { g_dbus_connection_close(connection, nil, nil, nil) }

  /// The same; `done` is called once nothing is read any more. Only to be called on the thread.
  func close(_ done: @escaping @Sendable () -> Void) {
    g_dbus_connection_close(
      connection, nil, { _, _, data in Box<() -> Void>.take(data)?.value() },
      Box<() -> Void>.give(done))
  }

  /// Another way to its socket, which stays open when the connection is closed; `nil` when it can't
  /// be had.
  func copyOfSocket() -> Int32? {
    let stream = g_dbus_connection_get_stream(connection)
    let socket = g_socket_get_fd(g_socket_connection_get_socket(stream))
    let copy = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    return copy < 0 ? nil : copy
  }

  /// Waits until all that was sent has been written.
  func flush() { _ = g_dbus_connection_flush_sync(connection, nil, nil) }

  /// Calls a method without starting a program for it; only to be called on the thread. `done` gets
  /// the reply, or nothing when it is an error or does not come in time.
  ///
  /// - Parameter milliseconds: how long to wait; nothing waits as long as the connection lives.
  func call(
    _ destination: String, _ call: BusCall, within milliseconds: Int32?,
    _ done: @escaping @Sendable ([BusValue]?) -> Void
  ) {
    ask(destination, call, within: milliseconds) { answer in
      if case .values(let values) = answer { done(values) } else { done(nil) }
    }
  }

  /// The same, but tells an error from no answer at all; only to be called on the thread.
  ///
  /// - Parameters:
  ///   - limit: how many values a reply may hold, all in all; the rest is left out.
  ///   - startsService: whether the bus may start the program for it; what is sent before that runs
  ///     reaches it in order, ahead of everyone who waits for its name.
  func ask(
    _ destination: String, _ call: BusCall, within milliseconds: Int32?, limit: Int = 20_000,
    startsService: Bool = false, _ done: @escaping @Sendable (BusAnswer) -> Void
  ) {
    g_dbus_connection_call(
      connection, destination, call.path, call.interface, call.member,
      BusValue.tuple(call.arguments).made(), nil,
      // G_DBUS_CALL_FLAGS_NO_AUTO_START is 1.
      startsService ? 0 : 1, milliseconds ?? .max, nil,
      { connection, result, data in
        let asked = Box<Asked>.take(data)
        var error: OpaquePointer?
        let reply = g_dbus_connection_call_finish(
          connection.map { OpaquePointer($0) }, result, &error)
        var answer = BusAnswer.silence
        if let error {
          if g_dbus_error_is_remote_error(error) != 0 { answer = .error }
          g_error_free(error)
        }
        if let reply, let limit = asked?.value.limit {
          answer = .values(BusValue(reply, limit: limit).elements)
        }
        if let reply { g_variant_unref(reply) }
        asked?.value.done(answer)
      }, Box<Asked>.give(Asked(limit: limit, done: done)))
  }

  /// Hears a signal from the bus itself, from one program or, without a name, from all; only to be
  /// called on the thread.
  func hear(
    _ interface: String, _ member: String, from sender: String?, about argument: String? = nil,
    _ handler: @escaping @Sendable ([BusValue]) -> Void
  ) {
    _ = g_dbus_connection_signal_subscribe(
      connection, sender, interface, member, nil, argument, 0,
      { _, _, _, _, _, arguments, data in
        guard let arguments else { return }
        Box<([BusValue]) -> Void>.look(data)?.value(BusValue(arguments).elements)
      }, Box<([BusValue]) -> Void>.give(handler), { Box<([BusValue]) -> Void>.free($0) })
  }

  /// Hears a signal of objects, from all programs, with the object that each is about: its program's
  /// name on the bus and its path. Only to be called on the thread.
  func hearObjects(
    _ interface: String, _ member: String, about argument: String? = nil,
    _ handler: @escaping @Sendable (String, [BusValue]) -> Void
  ) {
    typealias Handler = (String, [BusValue]) -> Void
    _ = g_dbus_connection_signal_subscribe(
      connection, nil, interface, member, nil, argument, 0,
      { _, sender, path, _, _, arguments, data in
        guard let sender, let path, let arguments else { return }
        let object = String(cString: sender) + String(cString: path)
        Box<Handler>.look(data)?.value(object, BusValue(arguments).elements)
      }, Box<Handler>.give(handler), { Box<Handler>.free($0) })
  }

  /// Sends a signal to whoever listens; `false` when the connection is closed.
  func emit(path: String, interface: String, name: String, _ arguments: [BusValue]) -> Bool {
    g_dbus_connection_emit_signal(
      connection, nil, path, interface, name, BusValue.tuple(arguments).made(), nil) != 0
  }

  /// Hears that the connection was lost; only to be called on the thread.
  func onClosed(_ handler: @escaping @Sendable () -> Void) {
    keydrag_bus_on_closed(
      connection, { _, _, _, data in Box<() -> Void>.look(data)?.value() },
      Box<() -> Void>.give(handler), { data, _ in Box<() -> Void>.free(data) })
  }

  /// Answers calls, on a thread of the library; those that get no reply here are the library's to
  /// answer, with an error where it does not know them either.
  func serve(_ answer: @escaping @Sendable (BusCall) -> BusReply?) {
    _ = g_dbus_connection_add_filter(
      connection,
      { connection, message, isIncoming, data in
        guard isIncoming != 0, let message, g_dbus_message_get_message_type(message) == 1,
          let call = BusCall(message),
          let reply = Box<(BusCall) -> BusReply?>.look(data)?.value(call)
        else { return message }
        // Who wants no answer gets none.
        if g_dbus_message_get_flags(message) & 1 == 0, let answer = reply.message(to: message) {
          _ = g_dbus_connection_send_message(connection, answer, 0, nil, nil)
          g_object_unref(UnsafeMutableRawPointer(answer))
        }
        g_object_unref(UnsafeMutableRawPointer(message))
        return nil
      }, Box<(BusCall) -> BusReply?>.give(answer), { Box<(BusCall) -> BusReply?>.free($0) })
  }
}

extension BusConnection {
  /// Takes every signal of the interfaces whose names begin like this, on a thread of the library.
  ///
  /// Nothing is queued for the thread: whoever floods the bus fills no memory here. What is to come
  /// has to be asked for with a match rule.
  func intercept(_ prefix: String, _ take: @escaping @Sendable (BusSignal) -> Void) {
    let watch = Watch(prefix: prefix, take: take)
    _ = g_dbus_connection_add_filter(
      connection,
      { _, message, isIncoming, data in
        guard isIncoming != 0, let message, g_dbus_message_get_message_type(message) == 4,
          let watch = Box<Watch>.look(data)?.value,
          let signal = BusSignal(message, interfaces: watch.prefix)
        else { return message }
        watch.take(signal)
        g_object_unref(UnsafeMutableRawPointer(message))
        return nil
      }, Box<Watch>.give(watch), { Box<Watch>.free($0) })
  }
}

/// Who waits for an answer, and how large it may be.
private struct Asked: Sendable {
  var limit: Int
  var done: @Sendable (BusAnswer) -> Void
}

/// Who takes which signals.
private struct Watch: Sendable {
  var prefix: String
  var take: @Sendable (BusSignal) -> Void
}

extension BusSignal {
  fileprivate init?(_ message: OpaquePointer, interfaces prefix: String) {
    guard let interface = g_dbus_message_get_interface(message).map({ String(cString: $0) }),
      interface.hasPrefix(prefix), let sender = g_dbus_message_get_sender(message),
      let path = g_dbus_message_get_path(message),
      let member = g_dbus_message_get_member(message)
    else { return nil }
    self.interface = interface
    self.sender = String(cString: sender)
    self.path = String(cString: path)
    self.member = String(cString: member)
    // A name, two numbers and a reference are all that is read of an event.
    arguments = g_dbus_message_get_body(message).map { BusValue($0, limit: 50).elements } ?? []
  }
}

extension BusCall {
  /// Reads a call. Nobody has to name the interface; without one it is nobody's.
  fileprivate init?(_ message: OpaquePointer) {
    guard let path = g_dbus_message_get_path(message),
      let interface = g_dbus_message_get_interface(message),
      let member = g_dbus_message_get_member(message)
    else { return nil }
    self.path = String(cString: path)
    self.interface = String(cString: interface)
    self.member = String(cString: member)
    // Nothing that we are asked has more than a few arguments.
    arguments = g_dbus_message_get_body(message).map { BusValue($0, limit: 100).elements } ?? []
  }
}

extension BusReply {
  fileprivate func message(to call: OpaquePointer) -> OpaquePointer? {
    switch self {
    case .values(let values):
      let reply = g_dbus_message_new_method_reply(call)
      if !values.isEmpty { g_dbus_message_set_body(reply, BusValue.tuple(values).made()) }
      return reply
    case .error(let name, let text):
      return g_dbus_message_new_method_error_literal(call, name, text)
    }
  }
}

/// Carries a function through the library.
private final class Box<Value> {
  let value: Value
  private init(_ value: Value) { self.value = value }

  static func give(_ value: Value) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(Box(value)).toOpaque()
  }

  static func look(_ data: UnsafeMutableRawPointer?) -> Box? {
    data.map { Unmanaged<Box>.fromOpaque($0).takeUnretainedValue() }
  }

  static func take(_ data: UnsafeMutableRawPointer?) -> Box? {
    data.map { Unmanaged<Box>.fromOpaque($0).takeRetainedValue() }
  }

  static func free(_ data: UnsafeMutableRawPointer?) {
    if let data { Unmanaged<Box>.fromOpaque(data).release() }
  }
}
