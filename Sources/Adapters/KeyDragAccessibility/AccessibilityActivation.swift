import Glibc
import KeyDragBus
import KeyDragCore

/// Switches accessibility on for the session while this process reads other programs, as assistive
/// technologies do.
///
/// Qt, Firefox, Chromium and Electron build no accessible tree unless `org.a11y.Status` `IsEnabled`
/// is true on the session bus. Measured with Qt 5.15, Qt 6.4, Firefox 153 and Chromium 156: they
/// read it at startup, and Qt once more when `org.a11y.Bus` appears on the bus; none follows
/// `PropertiesChanged`. So the very message that starts the launcher sets the property: running Qt
/// programs then register within 60 ms.
///
/// KeyDrag processes that need the property queue for one bus name. The last of them resets it, and
/// only if one of them has set it. A crashed process passes the duty to the next in the queue;
/// without one the property stays on.
package actor AccessibilityActivation {
  /// The property's state at the start.
  package enum Outcome: Sendable {
    /// No session bus, no launcher, or no answer in time.
    case unavailable
    case wasOn
    /// It was off: programs may build their trees only now.
    case switchedOn
  }

  private let environment: [String: String]
  private let thread = BusThread()
  private var session: BusConnection?
  /// Whether this process queues for resetting the property.
  private var isInQueue = false
  private var isEnded = false

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  /// The bus name that processes queue for when the property was off, or set by one of them.
  static let mark = "io.github.keydrag.AccessibilityActivation"
  private static let launcherPath = "/org/a11y/bus"
  private static let status = "org.a11y.Status"
  private static let properties = "org.freedesktop.DBus.Properties"
  private static let patience: UInt32 = 2_000
  private static let answerPatience = Int32(patience)
  /// Delay before a lost session bus is looked for again, in milliseconds.
  private static let search: UInt32 = 3_000
  /// DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER of the D-Bus specification.
  private static let primaryOwner = 1

  package init(environment: [String: String]) { self.environment = environment }

  deinit { thread.stop() }

  /// Awaits work up to the timeout; late work continues by itself.
  private func bounded<Value: Sendable>(
    else late: Value,
    _ work: @escaping @Sendable (isolated AccessibilityActivation) async -> Value
  ) async -> Value {
    await answer { reply in
      thread.run(after: Self.patience) { reply(late) }
      Task { reply(await work(self)) }
    }
  }

  // MARK: Beginning

  /// Sets the property if it is off; returns once it is set, or after 2 s.
  package func begin() async -> Outcome {
    await bounded(else: .unavailable) { await $0.connect() }
  }

  private func connect() async -> Outcome {
    // A manually provided bus has nothing to do with the session's property.
    guard environment["AT_SPI_BUS_ADDRESS"]?.isEmpty != false,
      let address = BusAddress.session(environment),
      let connection = await BusConnection.open(address, on: thread, within: Self.patience)
    else { return .unavailable }
    guard !isEnded else {
      connection.close()
      return .unavailable
    }
    session = connection
    connection.onClosed { [weak self, weak connection] in
      self?.assumeIsolated { me in if let connection { me.lose(connection) } }
    }
    return await look(connection)
  }

  private func lose(_ connection: BusConnection) {
    guard session === connection, !isEnded else { return }
    (session, isInQueue) = (nil, false)
    lookAgain()
  }

  /// A session bus that returns keeps its address.
  private func lookAgain() {
    thread.run(after: Self.search) { [weak self] in Task { await self?.connectAgain() } }
  }

  private func connectAgain() async {
    guard !isEnded, session == nil, await connect() == .unavailable else { return }
    if session == nil, !isEnded { lookAgain() }
  }

  private func look(_ connection: BusConnection) async -> Outcome {
    guard await hasOwner(BusName.launcher, connection) else { return await switchOn(connection) }
    guard let isEnabled = await get("IsEnabled", connection) else { return .unavailable }
    // On by the user's choice. If one of ours has set it, queue behind it for the reset.
    if isEnabled, await !hasOwner(Self.mark, connection) { return .wasOn }
    return await switchOn(connection)
  }

  /// Requests the name and sets the property in one batch: a launcher started by it hears that
  /// before any program asks.
  private func switchOn(_ connection: BusConnection) async -> Outcome {
    // All three are sent before the first is answered; replies arrive in order.
    let place = Task.immediate { await request(connection) }
    let enabled = Task.immediate { await get("IsEnabled", connection) }
    guard await set(true, connection), let wasOn = await enabled.value else {
      connection.close()
      return .unavailable
    }
    if wasOn, await place.value == Self.primaryOwner {
      // Somebody else has set it, perhaps the launcher's own settings.
      release(connection)
    } else {
      isInQueue = true
      follow(connection)
    }
    return wasOn ? .wasOn : .switchedOn
  }

  /// Requests the name, queueing for it unless told otherwise; returns the bus's reply code.
  private func request(_ connection: BusConnection, queues: Bool = true) async -> Int? {
    // DBUS_NAME_FLAG_DO_NOT_QUEUE is 4.
    await connection.askBus(
      "RequestName", .string(Self.mark), .uint32(queues ? 0 : 4), within: Self.answerPatience)?
      .number
  }

  /// Leaves the queue without awaiting the reply.
  private func release(_ connection: BusConnection) {
    isInQueue = false
    Task.immediate {
      await connection.askBus(
        "ReleaseName", .string(Self.mark), within: Self.answerPatience, isolation: self)
    }
  }

  /// Leaves the queue when somebody else switches it off, and sets it for a restarted launcher.
  /// Only changes are signalled: one to true can only follow one to false.
  private func follow(_ connection: BusConnection) {
    connection.hear(
      Self.properties, "PropertiesChanged", from: BusName.launcher, about: Self.status
    ) { [weak self, weak connection] signal in
      guard signal.arguments.count > 1 else { return }
      let isOff = signal.arguments[1].elements.contains { entry in
        if case .entry(let key, let value) = entry {
          return key.text == "IsEnabled" && value.flag == false
        }
        return false
      }
      self?.assumeIsolated { me in
        if let connection, isOff, me.isInQueue, !me.isEnded { me.release(connection) }
      }
    }
    connection.hear(BusName.bus, "NameOwnerChanged", from: BusName.bus, about: BusName.launcher) {
      [weak self, weak connection] signal in
      guard signal.arguments.count == 3, signal.arguments[2].text?.isEmpty == false else { return }
      self?.assumeIsolated { me in
        guard let connection, me.isInQueue, !me.isEnded else { return }
        Task.immediate { await me.set(true, connection) }
      }
    }
  }

  // MARK: Ending

  /// Resets the property if KeyDrag has set it, it is unchanged since, and nobody else needs it;
  /// returns when done, or after 2 s.
  package func end() async {
    guard !isEnded else { return }
    isEnded = true
    guard let connection = session else { return }
    await bounded(else: ()) { me in
      if me.isInQueue, await me.mayReset(connection) { await me.reset(connection) }
    }
    connection.close()
  }

  private func mayReset(_ connection: BusConnection) async -> Bool {
    if await !isLast(connection) {
      // Others in the queue may be ending too: whoever finds the name free after leaving the queue
      // is the last.
      release(connection)
      guard await request(connection, queues: false) == Self.primaryOwner,
        await isLast(connection)
      else { return false }
    }
    // Unchanged, and not needed by another assistive program.
    guard await get("IsEnabled", connection) == true,
      await get("ScreenReaderEnabled", connection) == false
    else { return false }
    return await !hasForeignListener(connection)
  }

  private func reset(_ connection: BusConnection) async {
    _ = await set(false, connection)
    // One of ours may have started just now, and found the property on.
    if await !isLast(connection) { _ = await set(true, connection) }
  }

  private func isLast(_ connection: BusConnection) async -> Bool {
    let owners = await connection.askBus(
      "ListQueuedOwners", .string(Self.mark), within: Self.answerPatience)
    return owners?.elements.map(\.text) == [connection.name]
  }

  /// Whether another program's process has registered for events, as screen readers, screen
  /// keyboards and magnifiers do; `true` when unknown.
  private func hasForeignListener(_ session: BusConnection) async -> Bool {
    guard let address = await session.accessibilityAddress(within: Self.answerPatience),
      let connection = await BusConnection.open(address, on: thread, within: Self.patience)
    else { return true }
    defer { connection.close() }
    for (name, _) in await connection.eventListeners(within: Self.answerPatience) {
      let process = await connection.process(of: name, within: Self.answerPatience)
      // A process that has exited no longer listens.
      if let process, !Self.isOurs(process) { return true }
    }
    return false
  }

  /// Whether a process runs the same executable as this one.
  private static func isOurs(_ process: Int32) -> Bool {
    if process == getpid() { return true }
    let own = program(of: "self")
    return own != nil && own == program(of: "\(process)")
  }

  private static func program(of process: String) -> String? {
    guard let path = realpath("/proc/\(process)/exe", nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  // MARK: The property

  private func hasOwner(_ name: String, _ connection: BusConnection) async -> Bool {
    await connection.askBus("NameHasOwner", .string(name), within: Self.answerPatience)?.flag
      == true
  }

  private func get(_ name: String, _ connection: BusConnection) async -> Bool? {
    let call = BusCall(
      path: Self.launcherPath, interface: Self.properties, member: "Get",
      arguments: [.string(Self.status), .string(name)])
    return await connection.call(
      BusName.launcher, call, within: Self.answerPatience, startsService: true)?.first?.flag
  }

  @discardableResult
  private func set(_ value: Bool, _ connection: BusConnection) async -> Bool {
    let call = BusCall(
      path: Self.launcherPath, interface: Self.properties, member: "Set",
      arguments: [.string(Self.status), .string("IsEnabled"), .variant(.bool(value))])
    return await connection.call(
      BusName.launcher, call, within: Self.answerPatience, startsService: true) != nil
  }
}
