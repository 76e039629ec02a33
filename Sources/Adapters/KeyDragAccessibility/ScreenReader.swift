import Dispatch
import KeyDragCore
import Synchronization

/// The person's screen reader, reached over the buses of the desktop by a process with no window.
///
/// It is looked for, followed and let go by itself; whether there is one, and which way leads to it,
/// may change at any time.
public final class ScreenReader: Announcer {
  private struct State: Sendable {
    var ladder: AnnouncementLadder
    var tree = AccessibleTree()
    var application: BusConnection?
    var session: BusConnection?
    var lastSent: ContinuousClock.Instant?
    var onChange: (@Sendable (ReaderMessage, ReaderRung?) -> Void)?
    var onCommand: (@Sendable (CommandName) -> Void)?
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>
  private let thread = BusThread()
  private let discovery = DispatchGroup()
  private let finder = Mutex<ReaderFinder?>(nil)
  /// How long a reader may stay silent before the next rung is taken.
  private let patience: UInt32

  /// Starts looking for a reader and returns at once.
  ///
  /// - Parameters:
  ///   - environment: names the buses, as the environment of a process does.
  ///   - rung: the only way to be used; every way when `nil`.
  ///   - patience: milliseconds; a reader that is busy reading something out needs some.
  public init(environment: [String: String], rung: ReaderRung? = nil, patience: UInt32 = 1000) {
    state = Mutex(State(ladder: AnnouncementLadder(forced: rung)))
    self.patience = patience
    discovery.enter()
    let finder = ReaderFinder(environment: environment, thread: thread) { [weak self] news in
      self?.take(news)
    }
    self.finder.withLock { $0 = finder }
    thread.run { finder.start() }
  }

  deinit { close() }

  /// Waits until it is known whether a reader is there.
  ///
  /// - Parameter seconds: the longest wait; a bus that hangs must not keep a person waiting.
  public func settle(within seconds: Double) {
    _ = discovery.wait(timeout: .now() + seconds)
  }

  /// The way that a message would take now; nothing when there is no reader that answers.
  public var rung: ReaderRung? { state.withLock { $0.ladder.rung } }

  // MARK: Announcer

  public func announce(_ message: ReaderMessage) -> ReaderRung? {
    state.withLock { state in
      let (rung, actions) = state.ladder.announce(message)
      // Within the lock, so that two messages can't overtake each other.
      if !actions.isEmpty { thread.run { [weak self] in self?.perform(actions) } }
      return rung
    }
  }

  public func onChange(_ handler: @escaping @Sendable (ReaderMessage, ReaderRung?) -> Void) {
    state.withLock { $0.onChange = handler }
  }

  public func onCommand(_ handler: @escaping @Sendable (CommandName) -> Void) {
    state.withLock { $0.onCommand = handler }
  }

  public func show(_ scene: @autoclosure () -> DragScene) {
    guard state.withLock({ $0.application != nil }) else { return }
    let scene = scene()
    state.withLock { state in
      let events = state.tree.show(scene)
      guard !events.isEmpty else { return }
      thread.run { [weak self] in
        for event in events { _ = self?.emit(event) }
      }
    }
  }

  public func finish() {
    let last = state.withLock { state in
      state.ladder.rung == nil ? nil : state.lastSent
    }
    if let last {
      let left = .milliseconds(Self.farewell) - (ContinuousClock.now - last)
      // Nothing is signalled: a wait that nobody ends is a pause.
      if left > .zero {
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .nanoseconds(left.nanoseconds))
      }
    }
    close()
  }

  /// How long after a message a reader may still ask about it, in milliseconds.
  private static let farewell = 500

  private func close() {
    let (application, session) = state.withLock { state in
      defer { (state.application, state.session) = (nil, nil) }
      return (state.application, state.session)
    }
    finder.withLock { $0 = nil }
    thread.run {
      application?.close()
      session?.close()
    }
    thread.stop()
  }

  /// Returns when the reader has been heard of after every message, or is known to be gone.
  package func allHeard() async {
    await withCheckedContinuation { continuation in
      let isNow = state.withLock { state in
        if state.ladder.pendingCount > 0 { state.waiting.append(continuation) }
        return state.ladder.pendingCount == 0
      }
      if isNow { continuation.resume() }
    }
  }

  // MARK: On the thread

  private func take(_ news: ReaderNews) {
    switch news {
    case .session(let connection): state.withLock { $0.session = connection }
    case .application(let connection):
      state.withLock { state in
        state.application = connection
        state.tree.busName = connection?.name ?? ""
      }
      if let connection { serve(connection) }
    case .desktop(let name, let path):
      state.withLock { $0.tree.desktop = (name, path) }
    case .service(let service, let reader): apply(.service(service, reader))
    case .listeners(let listeners): apply(.listeners(listeners))
    case .settled: discovery.leave()
    }
  }

  private func serve(_ connection: BusConnection) {
    connection.serve { [weak self] call in
      guard AccessibleTree.owns(call.path), let self else { return nil }
      let (answer, onCommand) = state.withLock { state in
        let answer = state.tree.answer(call)
        if let id = answer.id { state.tree.id = id }
        return (answer, state.onCommand)
      }
      if let command = answer.command { onCommand?(command) }
      return answer.reply
    }
  }

  private func apply(_ event: AnnouncementLadder.Event) {
    let (actions, waiting) = state.withLock { state in
      let actions = state.ladder.apply(event)
      guard state.ladder.pendingCount == 0 else {
        return (actions, [CheckedContinuation<Void, Never>]())
      }
      defer { state.waiting.removeAll() }
      return (actions, state.waiting)
    }
    perform(actions)
    for continuation in waiting { continuation.resume() }
  }

  private func perform(_ actions: [AnnouncementLadder.Action]) {
    for action in actions {
      switch action {
      case .present(let message, let service, let question):
        present(message, service, question)
      case .announce(let message): announce(message, isNotification: false)
      case .notify(let message): announce(message, isNotification: true)
      case .ping(let listener, let question):
        ask(state.withLock { $0.application }, listener, BusCall.ping, question) { _ in true }
      case .moved(let message, let rung):
        state.withLock { $0.onChange }?(message, rung)
      }
    }
  }

  private func present(
    _ message: ReaderMessage, _ service: AnnouncementLadder.Service, _ question: Int
  ) {
    let connection = state.withLock { state in
      state.lastSent = .now
      return state.session
    }
    let call = BusCall(
      path: "/" + service.rawValue.split(separator: ".").joined(separator: "/"),
      interface: service.rawValue, member: "PresentMessage", arguments: [.string(message.text)])
    ask(connection, service.rawValue, call, question) { $0.first == .bool(true) }
  }

  /// Puts a question, and tells the ladder what becomes of it.
  private func ask(
    _ connection: BusConnection?, _ destination: String, _ call: BusCall, _ question: Int,
    isYes: @escaping @Sendable ([BusValue]) -> Bool
  ) {
    guard let connection else { return apply(.failed(question)) }
    // Waits as long as the reader lives: the late answer tells that it is awake again.
    connection.call(destination, call, within: nil) { [weak self] reply in
      self?.apply(reply.map(isYes) == true ? .answered(question) : .failed(question))
    }
    thread.run(after: patience) { [weak self] in self?.apply(.overdue(question)) }
  }

  private func announce(_ message: ReaderMessage, isNotification: Bool) {
    let slot = state.withLock { state in
      state.lastSent = .now
      return state.tree.tell(message.text)
    }
    let object = AccessibleTree.notification(slot)
    let events: [AccessibleEvent] =
      isNotification
      ? [.name(AccessibleTree.label(slot), message.text), .showing(object)]
      : [.announcement(object, message.text, message.urgency)]
    // On a connection that is closed nobody listens any more.
    if !events.allSatisfy(emit) { apply(.listeners([])) }
  }

  private func emit(_ event: AccessibleEvent) -> Bool {
    let connection = state.withLock { $0.application }
    return connection?.emit(
      path: event.path, interface: AccessibleEvent.interface, name: event.member, event.arguments)
      ?? false
  }
}

extension BusCall {
  static let ping = BusCall(path: "/", interface: "org.freedesktop.DBus.Peer", member: "Ping")
}

extension Duration {
  fileprivate var nanoseconds: Int {
    Int(components.seconds) * 1_000_000_000 + Int(components.attoseconds / 1_000_000_000)
  }
}
