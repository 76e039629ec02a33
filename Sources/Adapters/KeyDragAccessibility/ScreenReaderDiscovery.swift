import CAtspi
import KeyDragBus

enum ScreenReaderFinding: Sendable {
  case session(BusConnection?)
  case application(BusConnection?)
  /// The desktop, which is our parent, as the registry names it.
  case desktop(String, String)
  case service(AnnouncementRouter.Service, AnnouncementRouter.Reader?)
  case listeners([AnnouncementRouter.Listener])
  /// The first search is complete.
  case settled
}

/// Finds buses, services and listeners, and follows them as they come and go. Starts nothing:
/// without a running accessibility bus there is no reader. An actor on the thread of the buses.
actor ScreenReaderDiscovery {
  private let environment: [String: String]
  private let thread: BusThread
  private let tell: @Sendable (ScreenReaderFinding) -> Void
  private var session: BusConnection?
  private var application: BusConnection?
  private var address = ""
  private var listeners: [AnnouncementRouter.Listener] = []
  /// Process ids, by names on the accessibility bus.
  private var processes: [String: Int32] = [:]
  private var isAsking = false
  private var mustAskAgain = false
  private var isJoining = false
  /// Number of unfinished steps, of the first search and of later ones.
  private var steps = 0
  private var isSettled = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Timeout for a bus or the registry, in milliseconds. Nobody waits for as long as that: a
  /// machine that is just starting its desktop is slow.
  private static let patience: Int32 = 10_000
  /// Queries of a launcher that has just appeared, delays of further searches, and the pause after
  /// a failure, in milliseconds.
  private static let attempts = 5
  private static let looks: [UInt32] = [500, 1_500, 4_000, 10_000]
  private static let pause: UInt32 = 1_000
  /// Longest interval between two searches for a lost session bus, in milliseconds.
  private static let longestPause: UInt32 = 30_000

  init(
    environment: [String: String], thread: BusThread,
    _ tell: @escaping @Sendable (ScreenReaderFinding) -> Void
  ) {
    self.environment = environment
    self.thread = thread
    self.tell = tell
  }

  /// To be called once, on the thread.
  nonisolated func start() { assumeIsolated { $0.look() } }

  // MARK: First search

  private func look() {
    step { me in
      if let address = me.environment["AT_SPI_BUS_ADDRESS"], !address.isEmpty {
        me.step { await $0.join(address) }
      }
      guard let address = BusAddress.session(me.environment),
        let connection = await me.open(address)
      else { return }
      me.follow(connection)
    }
  }

  /// Starts a step; the first search is complete when every step has ended.
  private func step(_ body: @escaping @Sendable (isolated ScreenReaderDiscovery) async -> Void) {
    steps += 1
    Task.immediate {
      await body(self)
      steps -= 1
      guard steps == 0, !isSettled else { return }
      isSettled = true
      tell(.settled)
    }
  }

  private func open(_ address: String) async -> BusConnection? {
    await BusConnection.open(address, on: thread, within: UInt32(Self.patience))
  }

  // MARK: The session bus

  private func follow(_ session: BusConnection) {
    self.session = session
    tell(.session(session))
    session.onClosed { [weak self, weak session] in
      self?.assumeIsolated { me in if let session { me.lose(session: session) } }
    }
    for service in AnnouncementRouter.Service.allCases {
      watch(session, service.rawValue) { $0.find(service, $1) }
      find(service, service.rawValue)
    }
    watch(session, BusName.launcher) { me, owner in
      if !owner.isEmpty { me.findApplicationBus(attempts: Self.attempts) }
    }
    findApplicationBus(attempts: 1)
    for delay in Self.looks { later(delay) { $0.lookAgain() } }
  }

  private func later(
    _ pause: UInt32, _ body: @escaping @Sendable (isolated ScreenReaderDiscovery) -> Void
  ) {
    thread.run(after: pause) { [weak self] in self?.assumeIsolated { body($0) } }
  }

  /// Searches again: a reader that starts at the same time may have registered a moment before we
  /// subscribed.
  private func lookAgain() {
    if application == nil { findApplicationBus(attempts: 1) } else { lookForListeners() }
  }

  private func lose(session: BusConnection) {
    guard self.session === session else { return }
    self.session = nil
    tell(.session(nil))
    for service in AnnouncementRouter.Service.allCases { tell(.service(service, nil)) }
    lookForSession(after: Self.pause / 4)
  }

  /// A lost session bus that returns keeps its address.
  private func lookForSession(after pause: UInt32) {
    later(pause) { me in
      let address = BusAddress.session(me.environment)
      Task.immediate {
        if let address, let connection = await me.open(address) {
          me.follow(connection)
        } else {
          me.lookForSession(after: min(pause * 2, Self.longestPause))
        }
      }
    }
  }

  /// Follows the owner of a name; empty when nobody owns it.
  private func watch(
    _ connection: BusConnection, _ name: String,
    _ handler: @escaping @Sendable (isolated ScreenReaderDiscovery, String) -> Void
  ) {
    connection.hear(BusName.bus, "NameOwnerChanged", from: BusName.bus, about: name) {
      [weak self] signal in
      guard signal.arguments.count == 3, let owner = signal.arguments[2].text else { return }
      self?.assumeIsolated { handler($0, owner) }
    }
  }

  private func find(_ service: AnnouncementRouter.Service, _ owner: String) {
    guard !owner.isEmpty, let session else { return tell(.service(service, nil)) }
    step { me in
      let process = await session.process(of: owner, within: Self.patience)
      me.tell(.service(service, process.map(String.init)))
    }
  }

  /// - Parameter attempts: how often to ask; a launcher that has just appeared may be too busy to
  ///   answer in time.
  private func findApplicationBus(attempts: Int) {
    guard let session, environment["AT_SPI_BUS_ADDRESS"]?.isEmpty != false else { return }
    step { me in
      if let address = await session.accessibilityAddress(within: Self.patience) {
        await me.join(address, attempts: attempts)
      } else {
        me.findLater(attempts: attempts)
      }
    }
  }

  private func findLater(attempts: Int) {
    guard attempts > 1 else { return }
    later(Self.pause) { $0.findApplicationBus(attempts: attempts - 1) }
  }

  // MARK: The accessibility bus

  private func join(_ address: String, attempts: Int = 1) async {
    // A session that came back has an accessibility bus of its own; the old one is stale.
    if let application, self.address != address {
      application.close()
      lose(application: application)
    }
    guard !isJoining, application == nil else { return }
    isJoining = true
    let connection = await open(address)
    (isJoining, application, self.address) = (false, connection, address)
    guard let connection else { return findLater(attempts: attempts) }
    await follow(application: connection)
  }

  private func follow(application: BusConnection) async {
    tell(.application(application))
    application.onClosed { [weak self, weak application] in
      self?.assumeIsolated { me in if let application { me.lose(application: application) } }
    }
    // Late signals of a bus that was left are ignored.
    application.hear(BusName.bus, "NameOwnerChanged", from: BusName.bus) {
      [weak self, weak application] signal in
      self?.assumeIsolated { me in
        if let application, me.application === application { me.ownerChanged(signal.arguments) }
      }
    }
    for member in ["EventListenerRegistered", "EventListenerDeregistered"] {
      application.hear(BusName.registry, member, from: BusName.registry) {
        [weak self, weak application] _ in
        self?.assumeIsolated { me in
          if let application, me.application === application { me.lookForListeners() }
        }
      }
    }
    embed(on: application)
    await askWhoListens()
  }

  private func lose(application: BusConnection) {
    guard self.application === application else { return }
    self.application = nil
    (listeners, processes, isAsking, mustAskAgain) = ([], [:], false, false)
    tell(.application(nil))
    tell(.listeners([]))
  }

  private func ownerChanged(_ arguments: [BusValue]) {
    guard arguments.count == 3, let name = arguments[0].text, let owner = arguments[2].text
    else { return }
    if name == BusName.registry {
      guard !owner.isEmpty, let application else { return }
      embed(on: application)
      lookForListeners()
    } else if owner.isEmpty {
      processes[name] = nil
      let left = listeners.filter { $0.name != name }
      guard left != listeners else { return }
      listeners = left
      tell(.listeners(left))
    }
  }

  /// Registers as a child of the desktop, so that assistive technologies find us.
  private func embed(on application: BusConnection) {
    Task.immediate {
      let call = BusCall(
        path: AccessibleTree.root, interface: ATSPI_DBUS_INTERFACE_SOCKET, member: "Embed",
        arguments: [.tuple([.string(application.name), .path(AccessibleTree.root)])])
      let reply = await application.call(BusName.registry, call, within: Self.patience)
      guard let parts = reply?.first?.elements, parts.count == 2, let name = parts[0].text,
        case .path(let path) = parts[1]
      else { return }
      tell(.desktop(name, path))
    }
  }

  private func lookForListeners() { Task.immediate { await askWhoListens() } }

  /// One query at a time: a reader subscribes to some fifty kinds of events one after the other.
  private func askWhoListens() async {
    guard let application else { return }
    guard !isAsking else {
      mustAskAgain = true
      return
    }
    isAsking = true
    let found = await application.eventListeners(within: Self.patience).filter {
      RegisteredEvents.hasAnnouncement($0.events) || RegisteredEvents.hasShowing($0.events)
    }
    for (name, _) in found where self.application === application && processes[name] == nil {
      let process = await application.process(of: name, within: Self.patience)
      guard self.application === application else { return }
      // A program that is gone meanwhile has no process; 0 is nobody's id.
      processes[name] = process ?? 0
    }
    if self.application === application { tellWhoListens(found) }
  }

  private func tellWhoListens(_ found: [(name: String, events: [String])]) {
    let listeners = found.compactMap { name, events -> AnnouncementRouter.Listener? in
      guard let process = processes[name], process > 0 else { return nil }
      var listener = AnnouncementRouter.Listener(
        name: name, reader: String(process), isOrca: OrcaProcess.isOrca(process),
        hearsAnnouncements: RegisteredEvents.hasAnnouncement(events),
        seesNotifications: RegisteredEvents.hasShowing(events))
      if listener.isOrca { listener.versions = RegisteredEvents.versions(events) }
      return listener
    }
    processes = processes.filter { $0.value > 0 }
    let (isChanged, again) = (listeners != self.listeners, mustAskAgain)
    (self.listeners, isAsking, mustAskAgain) = (listeners, false, false)
    if isChanged { tell(.listeners(listeners)) }
    if again { lookForListeners() }
  }
}
