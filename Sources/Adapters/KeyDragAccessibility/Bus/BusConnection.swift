import CAtspi
import KeyDragCore
import KeyDragThreads
import Synchronization

/// One connection of libdbus, to a bus or straight to one program; it belongs to a ``BusThread``,
/// on which libatspi's bridge to GLib's main loop reads it and all that arrives is handled.
///
/// A connection of our own, and not libatspi's: that one is made while the caller waits, belongs to
/// the whole process, and listens to every change of every program.
final class BusConnection: BusAsking {
  /// The signals heard of, and who takes them.
  private struct Listener: Sendable {
    /// The interface, or how its name begins.
    var interface: String
    /// Any when `nil`; so are the next two.
    var member: String?
    var sender: String?
    var argument: String?
    /// Called on the thread.
    var take: @Sendable (BusSignal) -> Void

    /// Whether a signal is for it.
    func hears(_ signal: BusSignal) -> Bool {
      guard isOf(signal.interface), let member else { return isOf(signal.interface) }
      // Whom a well-known name belongs to is known to the bus alone.
      let isFrom = sender.map { $0 == signal.sender || !$0.hasPrefix(":") && $0 != bus }
      return member == signal.member && isFrom != false
        && (argument == nil || argument == signal.arguments.first?.text)
    }

    /// Without a member every interface whose name begins like this.
    func isOf(_ interface: String) -> Bool {
      member == nil ? interface.hasPrefix(self.interface) : interface == self.interface
    }
  }

  /// Everything behind the lock.
  private struct Calls: Sendable {
    /// In the order in which they were added.
    var listeners: [Listener] = []
    /// The one that answers calls; `nil` for nobody.
    var answer: (@Sendable (BusCall) -> BusReply?)?
    /// Told once, when the connection is lost.
    var closed: [@Sendable () -> Void] = []
    /// The callers that wait for an answer, by the numbers of their questions.
    var waiting: [Int: @Sendable (BusAnswer) -> Void] = [:]
    /// Questions are numbered and no number is used twice.
    var asked = 0
    /// It was lost or closed; nobody is told again.
    var isLost = false
  }

  /// Belongs to this object. The library allows every call used here from any thread, but only the
  /// bridge's thread may close it or let it go.
  private nonisolated(unsafe) let pointer: OpaquePointer
  /// Handles everything that arrives.
  private let thread: BusThread
  private let state = Mutex(Calls())

  /// The bus's own name.
  private static let bus = "org.freedesktop.DBus"
  /// Bytes; a longer message of a program is none of ours, and more than this is not read ahead.
  private static let longest = 16 << 20

  /// Takes over a connection that nobody else has.
  private init(_ pointer: OpaquePointer, on thread: BusThread) {
    self.pointer = pointer
    self.thread = thread
  }

  deinit { Self.letGo(pointer, on: thread) }

  /// Closes a connection on the thread, which may be reading it even when it has been told to stop.
  private static func letGo(_ pointer: OpaquePointer, on thread: BusThread) {
    nonisolated(unsafe) let pointer = pointer
    thread.release {
      // One of our own has to be closed before it is let go.
      dbus_connection_close(pointer)
      dbus_connection_unref(pointer)
    }
  }

  // MARK: Opening and closing

  /// Connects; only to be called on the thread, which also gets the result: nothing when nobody is
  /// there or does not answer in time.
  ///
  /// - Parameter isBus: `false` for a program that is reached without a bus between; what is sent
  ///   there may bear its name all the same.
  static func open(
    _ address: String, on thread: BusThread, within milliseconds: UInt32, isBus: Bool = true,
    _ done: @escaping @Sendable (BusConnection?) -> Void
  ) {
    let opening = Once(done)
    // Whatever comes first counts; what is opened after that is let go.
    thread.run(after: milliseconds) { opening.give(nil) }
    // Whoever listens and lets nobody in holds up whoever connects, for ever.
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
      // Whoever waits is let go as well.
      opening.give(nil)
    }
    if !isConnecting { thread.run { opening.give(nil) } }
  }

  /// Says the first words, without which a bus lets nobody ask. A program answers with an error or
  /// not: either shows that it is there.
  private static func greet(
    _ connection: BusConnection, isBus: Bool, within milliseconds: UInt32,
    _ done: @escaping @Sendable (BusConnection?) -> Void
  ) {
    // Of a bus the library's own limit holds: a long message from anyone would end all of it.
    if !isBus { dbus_connection_set_max_message_size(connection.pointer, longest) }
    dbus_connection_set_max_received_size(connection.pointer, longest)
    connection.listen()
    atspi_dbus_connection_setup_with_g_main(connection.pointer, connection.thread.context)
    let greeting =
      isBus ? BusCall(path: "/org/freedesktop/DBus", interface: bus, member: "Hello") : .ping
    connection.ask(isBus ? bus : nil, greeting, within: Int32(clamping: milliseconds)) { answer in
      if isBus, let name = answer.values?.first?.text {
        dbus_bus_set_unique_name(connection.pointer, name)
      } else if isBus || answer == .silence {
        connection.close()
        return done(nil)
      }
      done(connection)
    }
  }

  /// Our name on the bus.
  ///
  /// Empty on a line to a single program.
  var name: String { dbus_bus_get_unique_name(pointer).map { String(cString: $0) } ?? "" }

  /// Whether it was closed, from here or from the other end.
  ///
  /// From any thread.
  var isClosed: Bool { dbus_connection_get_is_connected(pointer) == 0 }

  /// Ends it, on the thread: what bridges the library to it is not for several. What is waited for
  /// is silent then.
  func close() {
    // A job that is not taken is not needed: the end of the last reference closes it as well.
    thread.run { dbus_connection_close(self.pointer) }
  }

  /// Hears that the connection was lost or closed; only to be called on the thread.
  ///
  /// A loss that has happened already is told as well.
  func onClosed(_ handler: @escaping @Sendable () -> Void) {
    let isLost = state.withLock { state in
      if !state.isLost { state.closed.append(handler) }
      return state.isLost
    }
    if isLost { thread.run(handler) }
  }

  // MARK: Asking

  /// Calls a method without starting a program for it; only to be called on the thread. `done` gets
  /// the reply, or nothing when it is an error or does not come in time.
  ///
  /// - Parameter milliseconds: how long to wait; nothing waits as long as the connection lives.
  func call(
    _ destination: String, _ call: BusCall, within milliseconds: Int32?,
    _ done: @escaping @Sendable ([BusValue]?) -> Void
  ) {
    ask(destination, call, within: milliseconds) { done($0.values) }
  }

  /// Waits for as long as the connection lives.
  func ask(
    _ destination: String, _ call: BusCall, limit: Int,
    _ done: @escaping @Sendable (BusAnswer) -> Void
  ) {
    ask(destination, call, within: nil, limit: limit, done)
  }

  /// The same, but tells an error from no answer at all; only to be called on the thread, on which
  /// the answer comes, never at once.
  ///
  /// - Parameters:
  ///   - destination: nothing for whoever is at the other end.
  ///   - limit: how many values a reply may hold, all in all; the rest is left out.
  ///   - startsService: whether the bus may start the program for it; what is sent before that runs
  ///     reaches it in order, ahead of everyone who waits for its name.
  func ask(
    _ destination: String?, _ call: BusCall, within milliseconds: Int32?, limit: Int = 20_000,
    startsService: Bool = false, _ done: @escaping @Sendable (BusAnswer) -> Void
  ) {
    guard let message = BusMessage(call, to: destination, startsService: startsService) else {
      thread.run { done(.error) }
      return
    }
    var pending: OpaquePointer?
    // The library's "infinite" is the highest number.
    guard
      dbus_connection_send_with_reply(
        pointer, message.pointer, &pending, milliseconds ?? .max) != 0, let pending
    else {
      thread.run { done(.silence) }
      return
    }
    // Only the library's thread answers, which is this one: none comes before it is noted.
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

  /// Gives an answer to the one who waits; what was answered before is left alone.
  private func settle(_ number: Int, _ answer: BusAnswer) {
    let done = state.withLock { $0.waiting.removeValue(forKey: number) }
    done?(answer)
  }

  /// Sends a signal to whoever listens; `false` when the connection is closed.
  ///
  /// - Parameter destination: the one who hears it; `nil` for all.
  func emit(
    path: String, interface: String, name: String, _ arguments: [BusValue],
    to destination: String? = nil
  ) -> Bool {
    guard !isClosed, let message = BusMessage(path, interface, name, arguments) else {
      return false
    }
    if let destination { dbus_message_set_destination(message.pointer, destination) }
    return dbus_connection_send(pointer, message.pointer, nil) != 0
  }

  // MARK: Hearing

  /// Hears a signal from the bus itself, from one program or, without a name, from all.
  ///
  /// - Parameter argument: its first argument; any when `nil`.
  func hear(
    _ interface: String, _ member: String, from sender: String?, about argument: String? = nil,
    _ handler: @escaping @Sendable (BusSignal) -> Void
  ) {
    state.withLock {
      $0.listeners.append(
        Listener(
          interface: interface, member: member, sender: sender, argument: argument, take: handler))
    }
    // The library passes on only what the bus was asked for.
    var rule = "type='signal',interface='\(interface)',member='\(member)'"
    if let sender { rule += ",sender='\(sender)'" }
    if let argument { rule += ",arg0='\(argument)'" }
    // Without room for an error the library does not wait for the bus.
    dbus_bus_add_match(pointer, rule, nil)
  }

  /// Takes every signal of an interface whose name begins like this; it has to be asked for with a
  /// match rule.
  func intercept(_ prefix: String, _ take: @escaping @Sendable (BusSignal) -> Void) {
    state.withLock { $0.listeners.append(Listener(interface: prefix, take: take)) }
  }

  /// Answers calls; those that get no reply here are the library's to answer, with an error where
  /// it does not know them either.
  func serve(_ answer: @escaping @Sendable (BusCall) -> BusReply?) {
    state.withLock { $0.answer = answer }
  }

  /// Has the library show us every message first.
  private func listen() {
    dbus_connection_add_filter(
      pointer,
      { _, message, data in
        // It may be about to end.
        guard let message, let connection = Box<Weak>.look(data)?.value.connection else {
          return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
        }
        let isOurs = connection.take(BusMessage(message))
        return isOurs ? DBUS_HANDLER_RESULT_HANDLED : DBUS_HANDLER_RESULT_NOT_YET_HANDLED
      }, Box<Weak>.give(Weak(connection: self)), { Box<Weak>.free($0) })
  }

  /// Whether a message needs nobody else's attention.
  ///
  /// Signals are for all who listen, and for the library too.
  private func take(_ message: BusMessage) -> Bool {
    if message.isDisconnection {
      let (closed, waiting) = state.withLock { state in
        defer { (state.closed, state.waiting, state.isLost) = ([], [:], true) }
        return (state.closed, state.waiting)
      }
      // The library tells nobody who waits for as long as the connection lives.
      for done in waiting.values { done(.silence) }
      for handler in closed { handler() }
      return false
    }
    if let answer = state.withLock({ $0.answer }), let call = message.call {
      guard let reply = answer(call) else { return false }
      if let message = message.reply(reply) {
        // Nobody hears whether it was taken.
        dbus_connection_send(pointer, message.pointer, nil)
      }
      return true
    }
    let listeners = state.withLock(\.listeners)
    let signal = message.signal { interface in listeners.contains { $0.isOf(interface) } }
    guard let signal else { return false }
    for listener in listeners where listener.hears(signal) {
      // The bus compares the sender of what goes to all, and not of what is sent to us alone.
      if listener.sender == nil || !message.isForUsAlone { listener.take(signal) }
    }
    return false
  }

  /// Kept for a question while it waits.
  private struct Asked: Sendable {
    /// Kept until it is answered or closed, so that whoever asks hears of it.
    var connection: BusConnection
    /// Its number among those of the connection.
    var number: Int
    /// How much of its reply is read.
    var limit: Int
  }

  /// Keeps the library from keeping the connection.
  private struct Weak: Sendable {
    weak var connection: BusConnection?
  }
}

/// Carries a value through the library.
///
/// Given once, looked at as often as one likes, and freed by the library.
private final class Box<Value> {
  let value: Value
  private init(_ value: Value) { self.value = value }

  /// Hands a value to the library, which owns it from then on.
  static func give(_ value: Value) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(Box(value)).toOpaque()
  }

  /// The value, which stays the library's; `nil` for nothing.
  static func look(_ data: UnsafeMutableRawPointer?) -> Box? {
    data.map { Unmanaged<Box>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Lets go of the value.
  static func free(_ data: UnsafeMutableRawPointer?) {
    if let data { Unmanaged<Box>.fromOpaque(data).release() }
  }
}
