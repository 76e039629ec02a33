import CAtspi
import Glibc
import Synchronization

/// Switches accessibility on for the session while this process reads other programs, as assistive
/// technologies do.
///
/// Qt, Firefox, Chromium and Electron build no accessible tree unless `org.a11y.Status` `IsEnabled`
/// is true on the session bus. Measured with Qt 5.15, Qt 6.4, Firefox 153 and Chromium 156: the
/// property is read when a program starts, and by Qt once more when `org.a11y.Bus` appears on the
/// bus; none follows `PropertiesChanged`. So the property is set with the very message that starts
/// the launcher: programs of Qt that run already then register within 60 ms.
///
/// Processes of KeyDrag that need the property queue for one bus name. The last of them resets it,
/// and only where one of them has set it. A process that crashes passes the duty to the next in the
/// queue; without one the property stays on.
package final class AccessibilityActivation: Sendable {
  /// How the property was found.
  package enum Outcome: Sendable {
    /// There is no session bus, no launcher, or no answer in time.
    case unavailable
    case wasOn
    /// It was off: programs may build their trees only now.
    case switchedOn
  }

  private struct Claim {
    var session: BusConnection?
    /// Whether this process is in the queue of those who reset the property.
    var isInQueue = false
    var isEnded = false
  }

  private let environment: [String: String]
  private let thread = BusThread()
  private let state = Mutex(Claim())

  /// The name for which processes queue that have found the property off, or set by one of them.
  static let mark = "io.github.keydrag.AccessibilityActivation"
  private static let launcher = "org.a11y.Bus"
  private static let launcherPath = "/org/a11y/bus"
  private static let status = "org.a11y.Status"
  private static let properties = "org.freedesktop.DBus.Properties"
  private static let bus = "org.freedesktop.DBus"
  private static let registry = ATSPI_DBUS_NAME_REGISTRY
  /// How long a bus or the launcher may take for an answer, in milliseconds.
  private static let patience: UInt32 = 2_000
  /// How long after its loss a session bus is looked for again, in milliseconds.
  private static let search: UInt32 = 3_000
  /// DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER of the D-Bus specification.
  private static let primaryOwner = 1

  package init(environment: [String: String]) { self.environment = environment }

  deinit { thread.stop() }

  // MARK: Beginning

  /// Sets the property where it is off; returns once it is set, or after 2 s at the latest.
  package func begin() async -> Outcome {
    await withCheckedContinuation { continuation in
      let answer = Once<Outcome> { continuation.resume(returning: $0) }
      thread.run { [self] in
        thread.run(after: Self.patience) { answer.give(.unavailable) }
        connect { answer.give($0) }
      }
    }
  }

  private func connect(_ done: @escaping @Sendable (Outcome) -> Void) {
    // A bus that is given out by hand has nothing to do with the session's property.
    guard environment["AT_SPI_BUS_ADDRESS"]?.isEmpty != false,
      let address = BusAddress.session(environment)
    else { return done(.unavailable) }
    BusConnection.open(address, on: thread, within: Self.patience) { [weak self] connection in
      guard let self, let connection else { return done(.unavailable) }
      let isWanted = state.withLock { state in
        if !state.isEnded { state.session = connection }
        return !state.isEnded
      }
      guard isWanted else {
        connection.close()
        return done(.unavailable)
      }
      connection.onClosed { [weak self, weak connection] in
        if let self, let connection { lose(connection) }
      }
      ask(connection, done)
    }
  }

  private func lose(_ connection: BusConnection) {
    let isLost = state.withLock { state in
      guard state.session === connection, !state.isEnded else { return false }
      (state.session, state.isInQueue) = (nil, false)
      return true
    }
    if isLost { lookAgain() }
  }

  /// A session bus comes back under its address, if it comes back.
  private func lookAgain() {
    thread.run(after: Self.search) { [weak self] in
      guard let self, !state.withLock({ $0.isEnded || $0.session != nil }) else { return }
      connect { [weak self] outcome in
        guard let self, outcome == .unavailable else { return }
        if state.withLock({ $0.session == nil && !$0.isEnded }) { lookAgain() }
      }
    }
  }

  private func ask(
    _ connection: BusConnection, _ done: @escaping @Sendable (Outcome) -> Void
  ) {
    hasOwner(Self.launcher, connection) { [weak self] isRunning in
      guard let self else { return done(.unavailable) }
      guard isRunning else { return set(connection, done) }
      get("IsEnabled", connection) { [weak self] isEnabled in
        guard let self, let isEnabled else { return done(.unavailable) }
        guard isEnabled else { return set(connection, done) }
        // On by the person's own choice, or by one of ours, which must not leave it off behind us.
        hasOwner(Self.mark, connection) { [weak self] isOurs in
          guard let self, isOurs else { return done(.wasOn) }
          set(connection, done)
        }
      }
    }
  }

  /// Takes the name and sets the property in one go: a launcher that is started for it hears that
  /// before any program asks it.
  private func set(
    _ connection: BusConnection, _ done: @escaping @Sendable (Outcome) -> Void
  ) {
    let found = Found()
    request(connection) { place in found.place.withLock { $0 = place } }
    get("IsEnabled", connection) { value in found.isEnabled.withLock { $0 = value } }
    set(true, connection) { [weak self] isSet in
      guard let self, isSet, let wasOn = found.isEnabled.withLock({ $0 }) else {
        connection.close()
        return done(.unavailable)
      }
      if wasOn, found.place.withLock({ $0 }) == Self.primaryOwner {
        // Somebody else has set it, perhaps the settings that the launcher starts with.
        release(connection)
      } else {
        state.withLock { $0.isInQueue = true }
        follow(connection)
      }
      done(wasOn ? .wasOn : .switchedOn)
    }
  }

  /// Queues for the name, or takes it only if nobody has it; `done` gets the bus's number for how that
  /// went.
  private func request(
    _ connection: BusConnection, queues: Bool = true, _ done: @escaping @Sendable (Int?) -> Void
  ) {
    // DBUS_NAME_FLAG_DO_NOT_QUEUE is 4.
    let call = BusCall(
      path: "/org/freedesktop/DBus", interface: Self.bus, member: "RequestName",
      arguments: [.string(Self.mark), .uint32(queues ? 0 : 4)])
    connection.call(Self.bus, call, within: Int32(Self.patience)) { done($0?.first?.number) }
  }

  private func release(_ connection: BusConnection) {
    state.withLock { $0.isInQueue = false }
    let call = BusCall(
      path: "/org/freedesktop/DBus", interface: Self.bus, member: "ReleaseName",
      arguments: [.string(Self.mark)])
    connection.call(Self.bus, call, within: Int32(Self.patience)) { _ in }
  }

  /// Notes that somebody else switches it off, and sets it for a launcher that starts anew.
  ///
  /// Only changes are signalled, so that one to true can follow nothing but one to false.
  private func follow(_ connection: BusConnection) {
    connection.hear(
      Self.properties, "PropertiesChanged", from: Self.launcher, about: Self.status
    ) { [weak self, weak connection] signal in
      guard let self, let connection, signal.arguments.count > 1 else { return }
      let isOff = signal.arguments[1].elements.contains { entry in
        if case .entry(let key, let value) = entry {
          return key.text == "IsEnabled" && value.flag == false
        }
        return false
      }
      if isOff, state.withLock({ $0.isInQueue && !$0.isEnded }) { release(connection) }
    }
    connection.hear(Self.bus, "NameOwnerChanged", from: Self.bus, about: Self.launcher) {
      [weak self, weak connection] signal in
      guard let self, let connection, signal.arguments.count == 3,
        signal.arguments[2].text?.isEmpty == false,
        state.withLock({ $0.isInQueue && !$0.isEnded })
      else { return }
      set(true, connection) { _ in }
    }
  }

  // MARK: Ending

  /// Resets the property where it was set by KeyDrag, is unchanged since, and nobody else needs it;
  /// returns once that is done, or after 2 s at the latest.
  package func end() async {
    let connection = state.withLock { state in
      defer { state.isEnded = true }
      return state.isEnded ? nil : state.session
    }
    guard let connection else { return }
    await withCheckedContinuation { continuation in
      let answer = Once<Void> {
        connection.close()
        continuation.resume()
      }
      thread.run { [self] in
        thread.run(after: Self.patience) { answer.give(()) }
        guard state.withLock({ $0.isInQueue }) else { return answer.give(()) }
        mayReset(connection) { [self] isDue in
          guard isDue else { return answer.give(()) }
          reset(connection) { answer.give(()) }
        }
      }
    }
  }

  private func mayReset(
    _ connection: BusConnection, _ done: @escaping @Sendable (Bool) -> Void
  ) {
    isLast(connection) { [self] isLast in
      guard !isLast else { return isUnneeded(connection, done) }
      // Others in the queue may be about to end as well: whoever finds the name free after leaving
      // the queue is the last.
      release(connection)
      request(connection, queues: false) { [self] place in
        guard place == Self.primaryOwner else { return done(false) }
        self.isLast(connection) { [self] isLast in
          guard isLast else { return done(false) }
          isUnneeded(connection, done)
        }
      }
    }
  }

  /// Whether the property is unchanged and no other assistive program needs it.
  private func isUnneeded(
    _ connection: BusConnection, _ done: @escaping @Sendable (Bool) -> Void
  ) {
    get("IsEnabled", connection) { [self] isEnabled in
      guard isEnabled == true else { return done(false) }
      get("ScreenReaderEnabled", connection) { [self] hasReader in
        guard hasReader == false else { return done(false) }
        hasForeignListener(connection) { done(!$0) }
      }
    }
  }

  private func reset(_ connection: BusConnection, _ done: @escaping @Sendable () -> Void) {
    set(false, connection) { [self] _ in
      // One of ours may have come in this moment: it has found the property on.
      isLast(connection) { [self] isLast in
        guard !isLast else { return done() }
        set(true, connection) { _ in done() }
      }
    }
  }

  private func isLast(
    _ connection: BusConnection, _ done: @escaping @Sendable (Bool) -> Void
  ) {
    let call = BusCall(
      path: "/org/freedesktop/DBus", interface: Self.bus, member: "ListQueuedOwners",
      arguments: [.string(Self.mark)])
    connection.call(Self.bus, call, within: Int32(Self.patience)) { reply in
      done(reply?.first?.elements.map(\.text) == [connection.name])
    }
  }

  /// Whether a process that is not ours has asked the registry for events, as screen readers, screen
  /// keyboards and magnifiers do. Where that cannot be known somebody may.
  private func hasForeignListener(
    _ session: BusConnection, _ done: @escaping @Sendable (Bool) -> Void
  ) {
    let call = BusCall(path: Self.launcherPath, interface: Self.launcher, member: "GetAddress")
    session.call(Self.launcher, call, within: Int32(Self.patience)) { [self] reply in
      guard let address = reply?.first?.text, !address.isEmpty else { return done(true) }
      BusConnection.open(address, on: thread, within: Self.patience) { [self] connection in
        guard let connection else { return done(true) }
        listeners(connection) { names in
          Self.areOurs(names[...], connection) { areOurs in
            connection.close()
            done(!areOurs)
          }
        }
      }
    }
  }

  private func listeners(
    _ connection: BusConnection, _ done: @escaping @Sendable ([String]) -> Void
  ) {
    let call = BusCall(
      path: ATSPI_DBUS_PATH_REGISTRY, interface: Self.registry, member: "GetRegisteredEvents")
    connection.call(Self.registry, call, within: Int32(Self.patience)) { reply in
      // A registry that does not run has no listeners.
      done(RegisteredEvents.listeners(reply?.first).map(\.name))
    }
  }

  private static func areOurs(
    _ names: ArraySlice<String>, _ connection: BusConnection,
    _ done: @escaping @Sendable (Bool) -> Void
  ) {
    guard let name = names.first else { return done(true) }
    let call = BusCall(
      path: "/org/freedesktop/DBus", interface: bus, member: "GetConnectionUnixProcessID",
      arguments: [.string(name)])
    connection.call(bus, call, within: Int32(patience)) { reply in
      let process = reply?.first?.number
      // One that has left meanwhile listens no more.
      guard process == nil || isOurs(process) else { return done(false) }
      areOurs(names.dropFirst(), connection, done)
    }
  }

  /// Whether a process runs the same program as this one.
  private static func isOurs(_ process: Int?) -> Bool {
    guard let process else { return false }
    if process == Int(getpid()) { return true }
    let own = program(of: "self")
    return own != nil && own == program(of: "\(process)")
  }

  private static func program(of process: String) -> String? {
    guard let path = realpath("/proc/\(process)/exe", nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  // MARK: The property

  private func hasOwner(
    _ name: String, _ connection: BusConnection, _ done: @escaping @Sendable (Bool) -> Void
  ) {
    let call = BusCall(
      path: "/org/freedesktop/DBus", interface: Self.bus, member: "NameHasOwner",
      arguments: [.string(name)])
    connection.call(Self.bus, call, within: Int32(Self.patience)) { reply in
      done(reply?.first?.flag == true)
    }
  }

  private func get(
    _ name: String, _ connection: BusConnection, _ done: @escaping @Sendable (Bool?) -> Void
  ) {
    let call = BusCall(
      path: Self.launcherPath, interface: Self.properties, member: "Get",
      arguments: [.string(Self.status), .string(name)])
    connection.ask(Self.launcher, call, within: Int32(Self.patience), startsService: true) {
      done($0.values?.first?.flag)
    }
  }

  private func set(
    _ value: Bool, _ connection: BusConnection, _ done: @escaping @Sendable (Bool) -> Void
  ) {
    let call = BusCall(
      path: Self.launcherPath, interface: Self.properties, member: "Set",
      arguments: [.string(Self.status), .string("IsEnabled"), .variant(.bool(value))])
    connection.ask(Self.launcher, call, within: Int32(Self.patience), startsService: true) {
      done($0.values != nil)
    }
  }
}

/// The answers to what was asked in one go; they come on one thread, in order.
private final class Found: Sendable {
  let place = Mutex<Int?>(nil)
  let isEnabled = Mutex<Bool?>(nil)
}
