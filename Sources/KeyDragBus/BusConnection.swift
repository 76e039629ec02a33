import CAtspi
import KeyDragCore
import KeyDragThreads
import Synchronization

/// A libdbus connection to a bus or directly to one program. Belongs to a ``BusThread``, where
/// libatspi's bridge to GLib's main loop reads it and everything that arrives is handled.
///
/// Our own, not libatspi's: that one opens synchronously, belongs to the whole process, and listens
/// to every change of every program.
package final class BusConnection: BusCallChannel {
  private struct Listener: Sendable {
    /// The interface, or its prefix when there is no member.
    var interface: String
    /// `nil` matches any, as in the next two.
    var member: String?
    var sender: String?
    var argument: String?
    /// Called on the thread.
    var take: @Sendable (BusSignal) -> Void

    func hears(_ signal: BusSignal) -> Bool {
      guard isOf(signal.interface), let member else { return isOf(signal.interface) }
      // Only the bus knows who owns a well-known name.
      let isFrom = sender.map { $0 == signal.sender || !$0.hasPrefix(":") && $0 != BusName.bus }
      return member == signal.member && isFrom != false
        && (argument == nil || argument == signal.arguments.first?.text)
    }

    /// Compares the prefix when there is no member.
    func isOf(_ interface: String) -> Bool {
      member == nil ? interface.hasPrefix(self.interface) : interface == self.interface
    }
  }

  private struct Calls: Sendable {
    var listeners: [Listener] = []
    /// Answers incoming calls; `nil` for none.
    var answer: (@Sendable (BusCall) -> BusReply?)?
    /// Called once, when the connection is lost.
    var closed: [@Sendable () -> Void] = []
    /// Pending calls, by number.
    var waiting: [Int: @Sendable (BusCallOutcome) -> Void] = [:]
    /// The number of the last call.
    var asked = 0
    /// Lost or closed; handlers are not called again.
    var isLost = false
  }

  /// Owned by this object. libdbus allows every call used here from any thread, but only the
  /// bridge's thread may close or release it.
  private nonisolated(unsafe) let pointer: OpaquePointer
  private let thread: BusThread
  private let state = Mutex(Calls())

  /// In bytes: limits a program's messages, and the read-ahead.
  private static let longest = 16 << 20

  private init(_ pointer: OpaquePointer, on thread: BusThread) {
    self.pointer = pointer
    self.thread = thread
  }

  deinit { Self.letGo(pointer, on: thread) }

  /// Closes a connection on the thread, which may still be reading it after being told to stop.
  private static func letGo(_ pointer: OpaquePointer, on thread: BusThread) {
    nonisolated(unsafe) let pointer = pointer
    thread.release {
      // A private connection must be closed before it is released.
      dbus_connection_close(pointer)
      dbus_connection_unref(pointer)
    }
  }

  // MARK: Opening and closing

  /// Connects, and calls back on the thread, where it must also be called; with `nil` when nobody
  /// answers in time.
  ///
  /// - Parameter isBus: `false` for a direct connection to a program; calls may still carry its
  ///   name.
  package static func open(
    _ address: String, on thread: BusThread, within milliseconds: UInt32, isBus: Bool = true,
    _ done: @escaping @Sendable (BusConnection?) -> Void
  ) {
    let opening = Once(done)
    // The first result counts; a connection opened later is released.
    thread.run(after: milliseconds) { opening.give(nil) }
    // Connecting blocks forever if the listener never accepts.
    let isConnecting = BackgroundThread.start {
      nonisolated(unsafe) let pointer = dbus_connection_open_private(address, nil)
      let isTaken = thread.run {
        guard let pointer else {
          opening.give(nil)
          return
        }
        greet(BusConnection(pointer, on: thread), isBus: isBus, within: milliseconds) {
          opening.give($0)
        }
      }
      guard !isTaken else { return }
      if let pointer { letGo(pointer, on: thread) }
      // The caller must be answered as well.
      opening.give(nil)
    }
    if !isConnecting { thread.run { opening.give(nil) } }
  }

  /// Sends the first call, which a bus requires. A program's reply, even an error, shows that it is
  /// there.
  private static func greet(
    _ connection: BusConnection, isBus: Bool, within milliseconds: UInt32,
    _ done: @escaping @Sendable (BusConnection?) -> Void
  ) {
    // On a bus libdbus's own limit stays: a long message from anyone would end the connection.
    if !isBus { dbus_connection_set_max_message_size(connection.pointer, longest) }
    dbus_connection_set_max_received_size(connection.pointer, longest)
    connection.listen()
    atspi_dbus_connection_setup_with_g_main(connection.pointer, connection.thread.context)
    let greeting =
      isBus ? BusCall.toBus("Hello") : .ping
    connection.ask(isBus ? BusName.bus : nil, greeting, within: Int32(clamping: milliseconds)) {
      answer in
      if isBus, let name = answer.values?.first?.text {
        dbus_bus_set_unique_name(connection.pointer, name)
      } else if isBus || answer == .silence {
        connection.close()
        return done(nil)
      }
      done(connection)
    }
  }

  /// Our unique name on the bus; empty on a direct connection.
  package var name: String { dbus_bus_get_unique_name(pointer).map { String(cString: $0) } ?? "" }

  /// Whether either end has closed it. From any thread.
  package var isClosed: Bool { dbus_connection_get_is_connected(pointer) == 0 }

  /// Closes it on the thread, since the bridge is not thread-safe. Pending calls end in silence.
  package func close() {
    // A rejected job is not needed: releasing the last reference closes it as well.
    thread.run { dbus_connection_close(self.pointer) }
  }

  /// Registers for the loss or closing of the connection, even a past one. Only on the thread.
  package func onClosed(_ handler: @escaping @Sendable () -> Void) {
    let isLost = state.withLock { state in
      if !state.isLost { state.closed.append(handler) }
      return state.isLost
    }
    if isLost { thread.run(handler) }
  }

  // MARK: Asking

  /// Calls a method without starting a service. Only on the thread. `done` gets the values, or
  /// `nil` for an error or a timeout.
  ///
  /// - Parameter milliseconds: timeout; `nil` waits as long as the connection lives.
  package func call(
    _ destination: String, _ call: BusCall, within milliseconds: Int32?,
    _ done: @escaping @Sendable ([BusValue]?) -> Void
  ) {
    ask(destination, call, within: milliseconds) { done($0.values) }
  }

  /// Without a timeout: waits as long as the connection lives.
  package func ask(
    _ destination: String, _ call: BusCall, limit: Int,
    _ done: @escaping @Sendable (BusCallOutcome) -> Void
  ) {
    ask(destination, call, within: nil, limit: limit, done)
  }

  /// Calls a method, and tells an error from silence. Only on the thread, on which the answer
  /// arrives, never synchronously.
  ///
  /// - Parameters:
  ///   - destination: `nil` for the other end.
  ///   - limit: most values read from a reply; the rest is left out.
  ///   - startsService: whether the bus may start the service; calls sent before it runs reach it
  ///     in order, ahead of everyone who waits for its name.
  package func ask(
    _ destination: String?, _ call: BusCall, within milliseconds: Int32?, limit: Int = 20_000,
    startsService: Bool = false, _ done: @escaping @Sendable (BusCallOutcome) -> Void
  ) {
    guard let message = BusMessage(call, to: destination, startsService: startsService) else {
      thread.run { done(.error) }
      return
    }
    var pending: OpaquePointer?
    // libdbus takes the maximum for infinite.
    guard
      dbus_connection_send_with_reply(
        pointer, message.pointer, &pending, milliseconds ?? .max) != 0, let pending
    else {
      thread.run { done(.silence) }
      return
    }
    // Replies come on this thread only: none arrives before it is recorded.
    let number = state.withLock { state in
      state.asked += 1
      state.waiting[state.asked] = done
      return state.asked
    }
    dbus_pending_call_set_notify(
      pending,
      { pending, data in
        guard let asked = Box<Asked>.look(data)?.value else { return }
        let reply = dbus_pending_call_steal_reply(pending).map(BusMessage.init(owning:))
        asked.connection.settle(asked.number, reply?.answer(limit: asked.limit) ?? .silence)
      }, Box<Asked>.give(Asked(connection: self, number: number, limit: limit)),
      { Box<Asked>.free($0) })
    // The connection keeps it until it is answered.
    dbus_pending_call_unref(pending)
  }

  /// No-op for a call that has been answered.
  private func settle(_ number: Int, _ answer: BusCallOutcome) {
    let done = state.withLock { $0.waiting.removeValue(forKey: number) }
    done?(answer)
  }

  /// Sends a signal; `false` when the connection is closed.
  ///
  /// - Parameter destination: `nil` broadcasts.
  package func emit(
    path: String, interface: String, name: String, _ arguments: [BusValue],
    to destination: String? = nil
  ) -> Bool {
    guard !isClosed, let message = BusMessage(path, interface, name, arguments) else {
      return false
    }
    if let destination { dbus_message_set_destination(message.pointer, destination) }
    return dbus_connection_send(pointer, message.pointer, nil) != 0
  }

  // MARK: Signals

  /// Subscribes to a signal from the bus itself, one program, or every program for `nil`.
  ///
  /// - Parameter argument: the first argument to match; `nil` for any.
  package func hear(
    _ interface: String, _ member: String, from sender: String?, about argument: String? = nil,
    _ handler: @escaping @Sendable (BusSignal) -> Void
  ) {
    state.withLock {
      $0.listeners.append(
        Listener(
          interface: interface, member: member, sender: sender, argument: argument, take: handler))
    }
    // Only what a match rule asks for is delivered.
    var rule = "type='signal',interface='\(interface)',member='\(member)'"
    if let sender { rule += ",sender='\(sender)'" }
    if let argument { rule += ",arg0='\(argument)'" }
    // Without an error argument the call does not block.
    dbus_bus_add_match(pointer, rule, nil)
  }

  /// Receives every signal whose interface has this prefix; its match rule must be added
  /// separately.
  package func intercept(_ prefix: String, _ take: @escaping @Sendable (BusSignal) -> Void) {
    state.withLock { $0.listeners.append(Listener(interface: prefix, take: take)) }
  }

  /// Answers incoming calls; libdbus replies to the rest, with an error for unknown ones.
  package func serve(_ answer: @escaping @Sendable (BusCall) -> BusReply?) {
    state.withLock { $0.answer = answer }
  }

  private func listen() {
    dbus_connection_add_filter(
      pointer,
      { _, message, data in
        // The connection may be gone.
        guard let message, let connection = Box<Weak>.look(data)?.value.connection else {
          return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
        }
        let isOurs = connection.take(BusMessage(message))
        return isOurs ? DBUS_HANDLER_RESULT_HANDLED : DBUS_HANDLER_RESULT_NOT_YET_HANDLED
      }, Box<Weak>.give(Weak(connection: self)), { Box<Weak>.free($0) })
  }

  /// Whether a message is consumed. Signals never are: other listeners and libdbus get them too.
  private func take(_ message: BusMessage) -> Bool {
    if message.isDisconnection {
      let (closed, waiting) = state.withLock { state in
        defer { (state.closed, state.waiting, state.isLost) = ([], [:], true) }
        return (state.closed, state.waiting)
      }
      // libdbus does not report the loss to calls without a timeout.
      for done in waiting.values { done(.silence) }
      for handler in closed { handler() }
      return false
    }
    if let answer = state.withLock({ $0.answer }), let call = message.call {
      guard let reply = answer(call) else { return false }
      if let message = message.reply(reply) {
        // Delivery is not confirmed.
        dbus_connection_send(pointer, message.pointer, nil)
      }
      return true
    }
    let listeners = state.withLock(\.listeners)
    let signal = message.signal { interface in listeners.contains { $0.isOf(interface) } }
    guard let signal else { return false }
    for listener in listeners where listener.hears(signal) {
      // The bus checks the sender of broadcasts, but not of signals sent to us alone.
      if listener.sender == nil || !message.isForUsAlone { listener.take(signal) }
    }
    return false
  }

  private struct Asked: Sendable {
    /// Retained until it is answered or closed, so that the caller gets a result.
    var connection: BusConnection
    var number: Int
    var limit: Int
  }

  /// Keeps libdbus from retaining the connection.
  private struct Weak: Sendable {
    weak var connection: BusConnection?
  }
}

/// Carries a value through libdbus, which frees it.
private final class Box<Value> {
  let value: Value
  private init(_ value: Value) { self.value = value }

  /// Transfers ownership to libdbus.
  static func give(_ value: Value) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(Box(value)).toOpaque()
  }

  /// The value, which stays libdbus's; `nil` for nothing.
  static func look(_ data: UnsafeMutableRawPointer?) -> Box? {
    data.map { Unmanaged<Box>.fromOpaque($0).takeUnretainedValue() }
  }

  static func free(_ data: UnsafeMutableRawPointer?) {
    if let data { Unmanaged<Box>.fromOpaque(data).release() }
  }
}
