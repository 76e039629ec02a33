import CAtspi
import KeyDragBus
import KeyDragCore
import Synchronization

/// The changes that programs signal. Only that something changed is kept, not what, so that a
/// program that signals a million changes costs no memory. Events come on the thread of the bus.
/// Safe from any thread; the observer is called without any lock.
final class ProgramChanges: Sendable {
  struct Event: Hashable, Sendable {
    /// The end of the interface's name.
    var interface: String
    var member: String
    /// Its first argument; `nil` for any.
    var detail: String?

    var name: String {
      let parts = [interface.lowercased(), Self.dashed(member), detail].compactMap { $0 }
      return parts.joined(separator: ":")
    }

    /// The match rule for it.
    ///
    /// - Parameter sender: the program; `nil` for all.
    func rule(from sender: String?) -> String {
      let parts = [
        "type='signal'", "interface='\(ProgramChanges.prefix)\(interface)'", "member='\(member)'",
        detail.map { "arg0='\($0)'" }, sender.map { "sender='\($0)'" },
      ]
      return parts.compactMap { $0 }.joined(separator: ",")
    }

    /// Has toolkits, by way of the registry, emit such events or stop. Stopping is for all programs
    /// at once.
    func registration(of program: String?, _ isWanted: Bool) -> BusRequest {
      let arguments: [BusValue] = [.string(name), .strings([]), .string(program ?? "")]
      return BusRequest(
        program: ProgramReader.registry.program,
        call: BusCall(
          path: ATSPI_DBUS_PATH_REGISTRY, interface: ATSPI_DBUS_INTERFACE_REGISTRY,
          member: isWanted ? "RegisterEvent" : "DeregisterEvent",
          arguments: isWanted ? arguments : [arguments[0]]))
    }

    /// In lowercase, with a dash before each further word.
    private static func dashed(_ member: String) -> String {
      var result = ""
      for letter in member {
        if letter.isUppercase, !result.isEmpty { result += "-" }
        result += letter.lowercased()
      }
      return result
    }
  }

  fileprivate struct Tracks {
    /// Changes reported a moment ago.
    var gate = ChangeThrottle()
    var focus = FocusTracker()
    var names = NameTrack()
    var frames: [String: [ElementID]] = [:]
    var observer: (@Sendable (ProgramChange) -> Void)?
  }

  private let state = Mutex(Tracks())
  /// Runs a job after a delay in milliseconds.
  private let alarm = Mutex<(@Sendable (UInt32, @escaping @Sendable () -> Void) -> Void)?>(nil)

  /// Prefix of every event's interface.
  static let prefix = "org.a11y.atspi.Event."
  /// Shortest interval between equal reports, in milliseconds.
  static let pause: UInt32 = 100
  /// Limit on watched windows.
  private static let most = 64

  /// Subscribed for every program: the focus, and the windows.
  static let everywhere: [Event] = [
    Event(interface: "Object", member: "StateChanged", detail: "focused"),
    Event(interface: "Object", member: "ActiveDescendantChanged"),
    Event(interface: "Window", member: "Activate"),
    Event(interface: "Window", member: "Create"),
    Event(interface: "Window", member: "Destroy"),
  ]

  /// The match rule for programs that come and go, which the registry signals by itself.
  static let arrivals = Event(interface: "Object", member: "ChildrenChanged")
    .rule(from: ProgramReader.registry.program)

  /// Subscribed for the programs of watched windows only: there are many.
  static let inWatched: [Event] = [
    Event(interface: "Object", member: "ChildrenChanged"),
    Event(interface: "Object", member: "PropertyChange", detail: "accessible-name"),
    Event(interface: "Object", member: "BoundsChanged"),
    Event(interface: "Object", member: "VisibleDataChanged"),
    Event(interface: "Object", member: "StateChanged", detail: "showing"),
  ]

  /// Starts reporting changes.
  ///
  /// - Parameter alarm: runs a job on the thread of the bus after a delay in milliseconds.
  func observe(
    on alarm: @escaping @Sendable (UInt32, @escaping @Sendable () -> Void) -> Void,
    _ observer: @escaping @Sendable (ProgramChange) -> Void
  ) {
    self.alarm.withLock { $0 = alarm }
    state.withLock { $0.observer = observer }
  }

  func watch(_ frames: [ElementID]) {
    state.withLock { state in
      state.frames = Dictionary(grouping: frames.prefix(Self.most), by: \.program)
    }
  }

  var programs: Set<String> { state.withLock { Set($0.frames.keys) } }

  /// The last known focused element.
  var focused: ElementID? { state.withLock { $0.focus.current } }

  /// Records a focus that was found, unless one was reported before.
  func remember(_ element: ElementID) {
    state.withLock { state in
      if state.focus.current == nil { _ = state.focus.take(focused: element) }
    }
  }

  func forget() {
    state.withLock { state in
      state.focus = FocusTracker()
      state.names = NameTrack()
    }
  }

  func left(_ program: String) {
    state.withLock { $0.focus.left(program) }
    tell(.programs)
  }

  /// Takes an event. Only the focus, windows and names are read of it; the rest only means that
  /// something changed.
  func take(_ signal: BusSignal) {
    let changes = state.withLock { state -> [ProgramChange] in
      let kind = signal.interface.dropFirst(Self.prefix.count)
      let source = ElementID(program: signal.sender, path: signal.path)
      let detail = signal.arguments.first?.text ?? ""
      let isOn = signal.arguments.count > 1 && signal.arguments[1].number == 1
      switch (kind, signal.member) {
      case ("Object", "StateChanged") where detail == "focused":
        return isOn && state.focus.take(focused: source) ? [.focus] : []
      case ("Object", "ActiveDescendantChanged"):
        guard signal.arguments.count > 3,
          let child = AtspiReplyDecoder.element(signal.arguments[3])
        else { return [] }
        return state.focus.take(descendant: child, of: source) ? [.focus] : []
      case ("Object", "PropertyChange"):
        let name = signal.arguments.count > 3 ? signal.arguments[3].text : nil
        guard state.names.take(name, of: source) else { return [] }
        let isTitle = detail == "accessible-name"
        let isFrame = state.frames[source.program]?.contains(source) == true
        return (isTitle && isFrame ? [.programs] : []) + state.elements(of: source.program)
      case ("Object", "ChildrenChanged") where signal.path == AccessibleTree.root:
        return [.programs]
      case ("Object", _): return state.elements(of: source.program)
      case ("Window", _): return [.programs]
      default: return []
      }
    }
    for change in changes { tell(change) }
  }

  /// Reports a change now, or after the pause when the same was reported a moment ago.
  func tell(_ change: ProgramChange) {
    let (observer, isDue) = state.withLock { ($0.observer, $0.gate.take(change)) }
    guard let observer else { return }
    guard isDue else { return }
    observer(change)
    wait(change)
  }

  /// Reports a change again after the pause, if it has happened again.
  private func wait(_ change: ProgramChange) {
    guard let alarm = alarm.withLock({ $0 }) else { return }
    alarm(Self.pause) { [weak self] in
      guard let self else { return }
      let (observer, isDue) = state.withLock { ($0.observer, $0.gate.open(change)) }
      guard isDue else { return }
      observer?(change)
      wait(change)
    }
  }
}

extension ProgramChanges.Tracks {
  /// An element change for each watched window of a program.
  fileprivate func elements(of program: String) -> [ProgramChange] {
    (frames[program] ?? []).map { .elements(frame: $0) }
  }
}

/// Throttles: passes the first of equal changes, and holds the others back for a moment. Pure: time
/// is measured elsewhere.
struct ChangeThrottle: Sendable {
  /// The changes reported a moment ago, each with whether it has happened again since.
  private var told: [ProgramChange: Bool] = [:]

  mutating func take(_ change: ProgramChange) -> Bool {
    guard told[change] != nil else {
      told[change] = false
      return true
    }
    told[change] = true
    return false
  }

  /// The moment is over; whether to report the change again.
  mutating func open(_ change: ProgramChange) -> Bool {
    let isDue = told[change] == true
    told[change] = isDue ? false : nil
    return isDue
  }
}

/// Tells a new name from one that is set again. Thunar sets its view's name again, and signals
/// that, each time the view is read: reading it again would never end. Unknown names count as new:
/// rather one reading too many.
struct NameTrack: Sendable {
  private var names: [ElementID: String] = [:]
  /// Limits on the remembered names, and on the length of each in characters.
  private static let most = (elements: 256, length: 256)

  /// Whether the name is new, as far as that is known.
  mutating func take(_ name: String?, of element: ElementID) -> Bool {
    guard let name = name.map({ String($0.prefix(Self.most.length)) }) else { return true }
    if names.count >= Self.most.elements, names[element] == nil { names = [:] }
    return names.updateValue(name, forKey: element) != name
  }
}

/// Tracks the focus from event to event. Some toolkits report the focused element, some only the
/// row within a list, some both.
struct FocusTracker: Hashable, Sendable {
  /// The last reported element; if it is a list, its row has the focus.
  private var focused: ElementID?
  /// The last reported rows, the newest last.
  private var rows: [Row] = []

  private struct Row: Hashable {
    var list: ElementID
    var row: ElementID
  }

  /// Limit on the lists whose rows are remembered.
  private static let most = 16

  /// `nil` before anything was reported.
  var current: ElementID? {
    guard let focused else { return rows.last?.row }
    return rows.last { $0.list == focused }?.row ?? focused
  }

  /// Whether the focus has moved.
  mutating func take(focused element: ElementID) -> Bool {
    let before = current
    // In some toolkits the row of the focused list reports itself.
    if rows.last?.row != element || focused != rows.last?.list { focused = element }
    return current != before
  }

  /// Whether the focus has moved.
  mutating func take(descendant row: ElementID, of list: ElementID) -> Bool {
    let before = current
    rows.removeAll { $0.list == list }
    rows.append(Row(list: list, row: row))
    if rows.count > Self.most { rows.removeFirst() }
    // A list elsewhere may report its rows too; the focused one has reported itself before.
    if focused == nil || focused == row { focused = list }
    return current != before
  }

  mutating func left(_ program: String) {
    if focused?.program == program { focused = nil }
    rows.removeAll { $0.list.program == program }
  }
}
