import CAtspi
import Glibc
import Synchronization

/// A finding about the desktop's screen reader.
enum ReaderNews: Sendable {
  case session(BusConnection?)
  case application(BusConnection?)
  /// The desktop, whose child we are, as the registry calls it.
  case desktop(String, String)
  case service(AnnouncementLadder.Service, AnnouncementLadder.Reader?)
  case listeners([AnnouncementLadder.Listener])
  /// Whether there is a reader is known for the first time.
  case settled
}

/// Looks for buses, services and listeners, and follows them as they come and go.
///
/// Nothing is started that does not run: where no accessibility bus runs, no reader does. Everything
/// here happens on the thread of the buses; the locks are there for the compiler.
final class ReaderFinder: Sendable {
  private struct Findings: Sendable {
    var session: BusConnection?
    var application: BusConnection?
    /// The address that ``application`` is connected to.
    var address = ""
    var listeners: [AnnouncementLadder.Listener] = []
    /// Processes by the names that programs have on the accessibility bus.
    var processes: [String: Int32] = [:]
    var isAsking = false
    var mustAskAgain = false
    var isJoining = false
    /// The number of steps that have begun and not ended, of the first look and of later ones.
    var steps = 1
    var isSettled = false
  }

  private let environment: [String: String]
  private let thread: BusThread
  private let tell: @Sendable (ReaderNews) -> Void
  private let state = Mutex(Findings())

  /// How long a bus or the registry may take for an answer, in milliseconds. Nobody waits for it as
  /// long as that: a machine that is just starting its desktop is slow.
  private static let patience: Int32 = 10_000
  /// How often a launcher that has just come is asked, and how long after a failure, in milliseconds.
  private static let attempts = 5
  private static let looks: [UInt32] = [500, 1_500, 4_000, 10_000]
  private static let pause: UInt32 = 1_000
  /// The longest pause between two looks for a session bus that was lost, in milliseconds.
  private static let longestPause: UInt32 = 30_000
  private static let bus = "org.freedesktop.DBus"
  private static let registry = ATSPI_DBUS_NAME_REGISTRY
  private static let launcher = "org.a11y.Bus"

  init(
    environment: [String: String], thread: BusThread,
    _ tell: @escaping @Sendable (ReaderNews) -> Void
  ) {
    self.environment = environment
    self.thread = thread
    self.tell = tell
  }

  func start() {
    if let address = environment["AT_SPI_BUS_ADDRESS"], !address.isEmpty {
      begin()
      join(address)
    }
    guard let address = BusAddress.session(environment) else { return end() }
    open(address) { [weak self] connection in
      guard let self else { return }
      if let connection { follow(connection) }
      end()
    }
  }

  // MARK: The first look

  /// Begins a step; the findings are complete when every step that began has ended.
  private func begin() { state.withLock { $0.steps += 1 } }

  private func end() {
    let isLast = state.withLock { state in
      state.steps -= 1
      guard state.steps == 0, !state.isSettled else { return false }
      state.isSettled = true
      return true
    }
    if isLast { tell(.settled) }
  }

  private func open(_ address: String, _ done: @escaping @Sendable (BusConnection?) -> Void) {
    BusConnection.open(address, on: thread, within: UInt32(Self.patience), done)
  }

  // MARK: The session bus

  private func follow(_ session: BusConnection) {
    state.withLock { $0.session = session }
    tell(.session(session))
    session.onClosed { [weak self, weak session] in
      if let self, let session { lose(session: session) }
    }
    for service in AnnouncementLadder.Service.allCases {
      watch(session, service.rawValue) { [weak self] owner in self?.find(service, owner) }
      find(service, service.rawValue)
    }
    watch(session, Self.launcher) { [weak self] owner in
      if !owner.isEmpty { self?.findApplicationBus(attempts: Self.attempts) }
    }
    findApplicationBus(attempts: 1)
    for delay in Self.looks { thread.run(after: delay) { [weak self] in self?.lookAgain() } }
  }

  /// Looks again: a reader that comes up while we do may announce itself a moment before we listen,
  /// and a few more looks in the first seconds see it all the same.
  private func lookAgain() {
    if state.withLock({ $0.application == nil }) {
      findApplicationBus(attempts: 1)
    } else {
      askWhoListens()
    }
  }

  private func lose(session: BusConnection) {
    let isCurrent = state.withLock { state in
      guard state.session === session else { return false }
      state.session = nil
      return true
    }
    guard isCurrent else { return }
    tell(.session(nil))
    for service in AnnouncementLadder.Service.allCases { tell(.service(service, nil)) }
    lookForSession(after: Self.pause / 4)
  }

  /// A session bus that was there once comes back under its address, if it comes back.
  private func lookForSession(after pause: UInt32) {
    thread.run(after: pause) { [weak self] in
      guard let self, let address = BusAddress.session(environment) else { return }
      open(address) { [weak self] connection in
        if let connection {
          self?.follow(connection)
        } else {
          self?.lookForSession(after: min(pause * 2, Self.longestPause))
        }
      }
    }
  }

  /// Hears who owns a name from now on; an empty name is nobody.
  private func watch(
    _ connection: BusConnection, _ name: String, _ handler: @escaping @Sendable (String) -> Void
  ) {
    connection.hear(Self.bus, "NameOwnerChanged", from: Self.bus, about: name) { signal in
      let arguments = signal.arguments
      if arguments.count == 3, let owner = arguments[2].text { handler(owner) }
    }
  }

  private func find(_ service: AnnouncementLadder.Service, _ owner: String) {
    guard !owner.isEmpty, let session = state.withLock({ $0.session }) else {
      return tell(.service(service, nil))
    }
    begin()
    process(of: owner, on: session) { [weak self] process in
      self?.tell(.service(service, process.map(String.init)))
      self?.end()
    }
  }

  private func process(
    of name: String, on connection: BusConnection, _ done: @escaping @Sendable (Int32?) -> Void
  ) {
    let call = BusCall(
      path: "/org/freedesktop/DBus", interface: Self.bus, member: "GetConnectionUnixProcessID",
      arguments: [.string(name)])
    connection.call(Self.bus, call, within: Self.patience) { reply in
      done(reply?.first?.number.flatMap { Int32(exactly: $0) })
    }
  }

  /// - Parameter attempts: how often to ask; a launcher that has only just come may be too busy to
  ///   answer in time.
  private func findApplicationBus(attempts: Int) {
    guard let session = state.withLock({ $0.session }), environment["AT_SPI_BUS_ADDRESS"] == nil
    else { return }
    begin()
    let call = BusCall(path: "/org/a11y/bus", interface: Self.launcher, member: "GetAddress")
    session.call(Self.launcher, call, within: Self.patience) { [weak self] reply in
      guard let self else { return }
      if let address = reply?.first?.text, !address.isEmpty {
        join(address, attempts: attempts)
      } else {
        findLater(attempts: attempts)
        end()
      }
    }
  }

  private func findLater(attempts: Int) {
    guard attempts > 1 else { return }
    thread.run(after: Self.pause) { [weak self] in
      self?.findApplicationBus(attempts: attempts - 1)
    }
  }

  // MARK: The accessibility bus

  /// Ends the step that led here.
  private func join(_ address: String, attempts: Int = 1) {
    // A session that came back has an accessibility bus of its own; the old one leads to nobody.
    let old = state.withLock { $0.address == address ? nil : $0.application }
    if let old {
      old.close()
      lose(application: old)
    }
    let isNeeded = state.withLock { state in
      guard !state.isJoining, state.application == nil else { return false }
      state.isJoining = true
      return true
    }
    guard isNeeded else { return end() }
    open(address) { [weak self] connection in
      guard let self else { return }
      state.withLock { state in
        state.isJoining = false
        state.application = connection
        state.address = address
      }
      if let connection {
        follow(application: connection)
      } else {
        findLater(attempts: attempts)
        end()
      }
    }
  }

  private func follow(application: BusConnection) {
    tell(.application(application))
    application.onClosed { [weak self, weak application] in
      if let self, let application { lose(application: application) }
    }
    application.hear(Self.bus, "NameOwnerChanged", from: Self.bus) {
      [weak self, weak application] signal in
      if let self, let application, isCurrent(application) { ownerChanged(signal.arguments) }
    }
    for member in ["EventListenerRegistered", "EventListenerDeregistered"] {
      application.hear(Self.registry, member, from: Self.registry) {
        [weak self, weak application] _ in
        if let self, let application, isCurrent(application) { askWhoListens() }
      }
    }
    embed()
    askWhoListens { [weak self] in self?.end() }
  }

  /// Tells whether this is still the bus in use; the last words of one that was left are ignored.
  private func isCurrent(_ application: BusConnection) -> Bool {
    state.withLock { $0.application === application }
  }

  private func lose(application: BusConnection) {
    let isCurrent = state.withLock { state in
      guard state.application === application else { return false }
      state.application = nil
      state.listeners = []
      state.processes = [:]
      state.isAsking = false
      state.mustAskAgain = false
      return true
    }
    guard isCurrent else { return }
    tell(.application(nil))
    tell(.listeners([]))
  }

  private func ownerChanged(_ arguments: [BusValue]) {
    guard arguments.count == 3, let name = arguments[0].text, let owner = arguments[2].text
    else { return }
    if name == Self.registry {
      guard !owner.isEmpty else { return }
      embed()
      askWhoListens()
    } else if owner.isEmpty {
      let left = state.withLock { state in
        state.processes[name] = nil
        let left = state.listeners.filter { $0.name != name }
        guard left != state.listeners else { return nil as [AnnouncementLadder.Listener]? }
        state.listeners = left
        return left
      }
      if let left { tell(.listeners(left)) }
    }
  }

  /// Becomes a child of the desktop, so that assistive technologies find us.
  private func embed() {
    guard let application = state.withLock({ $0.application }) else { return }
    let call = BusCall(
      path: AccessibleTree.root, interface: ATSPI_DBUS_INTERFACE_SOCKET, member: "Embed",
      arguments: [.tuple([.string(application.name), .path(AccessibleTree.root)])])
    application.call(Self.registry, call, within: Self.patience) { [weak self] reply in
      guard let parts = reply?.first?.elements, parts.count == 2, let name = parts[0].text,
        case .path(let path) = parts[1]
      else { return }
      self?.tell(.desktop(name, path))
    }
  }

  /// A reader asks for some fifty kinds of events one after the other: one question at a time.
  private func askWhoListens(_ done: (@Sendable () -> Void)? = nil) {
    let application = state.withLock { state -> BusConnection? in
      guard let application = state.application else { return nil }
      if state.isAsking {
        state.mustAskAgain = true
        return nil
      }
      state.isAsking = true
      return application
    }
    guard let application else {
      done?()
      return
    }
    let call = BusCall(
      path: ATSPI_DBUS_PATH_REGISTRY, interface: Self.registry, member: "GetRegisteredEvents")
    application.call(Self.registry, call, within: Self.patience) { [weak self] reply in
      guard let self else { return }
      guard isCurrent(application) else {
        done?()
        return
      }
      let found = RegisteredEvents.listeners(reply?.first).filter {
        RegisteredEvents.hasAnnouncement($0.events) || RegisteredEvents.hasShowing($0.events)
      }
      findProcesses(of: found.map(\.name)[...], on: application) { [weak self] in
        if let self, isCurrent(application) { tellWhoListens(found) }
        done?()
      }
    }
  }

  private func findProcesses(
    of names: ArraySlice<String>, on application: BusConnection,
    _ done: @escaping @Sendable () -> Void
  ) {
    let unknown = state.withLock { state in names.first { state.processes[$0] == nil } }
    guard let unknown else { return done() }
    process(of: unknown, on: application) { [weak self] process in
      guard let self else { return }
      // A program that is gone meanwhile has no process; nobody has the number 0.
      state.withLock { $0.processes[unknown] = process ?? 0 }
      findProcesses(of: names.drop { $0 != unknown }.dropFirst(), on: application, done)
    }
  }

  private func tellWhoListens(_ found: [(name: String, events: [String])]) {
    let (listeners, isChanged, again) = state.withLock { state in
      let listeners = found.compactMap { name, events -> AnnouncementLadder.Listener? in
        guard let process = state.processes[name], process > 0 else { return nil }
        var listener = AnnouncementLadder.Listener(
          name: name, reader: String(process), isOrca: OrcaProcess.isOrca(process),
          hearsAnnouncements: RegisteredEvents.hasAnnouncement(events),
          seesNotifications: RegisteredEvents.hasShowing(events))
        if listener.isOrca { listener.versions = RegisteredEvents.versions(events) }
        return listener
      }
      defer {
        state.isAsking = false
        state.mustAskAgain = false
        state.listeners = listeners
        state.processes = state.processes.filter { $0.value > 0 }
      }
      return (listeners, listeners != state.listeners, state.mustAskAgain)
    }
    if isChanged { tell(.listeners(listeners)) }
    if again { askWhoListens() }
  }
}
