import CAtspi
import KeyDragCore
import Synchronization

/// The changes that programs tell of by themselves, kept small: only that something changed is
/// kept, not what, so that a program that tells of a million changes costs no memory.
///
/// Events come on the thread of the bus.
///
/// Safe from any thread; the observer is called without any lock.
final class ProgramChanges: Sendable {
  /// A kind of event.
  struct Event: Hashable, Sendable {
    /// As it ends the name of the interface.
    var interface: String
    /// Its signal.
    var member: String
    /// Its first argument; any where it is `nil`.
    var detail: String?

    /// As the registry calls it.
    var name: String {
      let parts = [interface.lowercased(), Self.dashed(member), detail].compactMap { $0 }
      return parts.joined(separator: ":")
    }

    /// The rule by which the bus sends it.
    ///
    /// - Parameter sender: the program; `nil` for all.
    func rule(from sender: String?) -> String {
      let parts = [
        "type='signal'", "interface='\(ProgramChanges.prefix)\(interface)'", "member='\(member)'",
        detail.map { "arg0='\($0)'" }, sender.map { "sender='\($0)'" },
      ]
      return parts.compactMap { $0 }.joined(separator: ",")
    }

    /// Has toolkits, by way of the registry, make such events or no longer.
    ///
    /// No longer is for all programs at once.
    func registration(of program: String?, _ isWanted: Bool) -> BusQuestion {
      let arguments: [BusValue] = [.string(name), .strings([]), .string(program ?? "")]
      return BusQuestion(
        program: ProgramBus.registry.program,
        call: BusCall(
          path: ATSPI_DBUS_PATH_REGISTRY, interface: ATSPI_DBUS_INTERFACE_REGISTRY,
          member: isWanted ? "RegisterEvent" : "DeregisterEvent",
          arguments: isWanted ? arguments : [arguments[0]]))
    }

    /// In small letters, with a dash for each new word.
    private static func dashed(_ member: String) -> String {
      var result = ""
      for letter in member {
        if letter.isUppercase, !result.isEmpty { result += "-" }
        result += letter.lowercased()
      }
      return result
    }
  }

  /// Everything behind the lock.
  fileprivate struct Tracks {
    /// Changes told a moment ago.
    var gate = ChangeGate()
    /// The element in focus.
    var focus = FocusTrack()
    /// The names of elements.
    var names = NameTrack()
    /// The windows that are watched, by their programs.
    var frames: [String: [ElementID]] = [:]
    /// `nil` until somebody wants to hear of changes.
    var observer: (@Sendable (ProgramChange) -> Void)?
  }

  /// Events and questions come from several threads.
  private let state = Mutex(Tracks())
  /// Runs something after so many milliseconds.
  private let alarm = Mutex<(@Sendable (UInt32, @escaping @Sendable () -> Void) -> Void)?>(nil)

  /// With which the interface of every event begins.
  static let prefix = "org.a11y.atspi.Event."
  /// How often the same thing is told at most, in milliseconds.
  static let pause: UInt32 = 100
  /// More windows than this are not watched.
  private static let most = 64

  /// Told of by every program: what has the focus, and which windows there are.
  static let everywhere: [Event] = [
    Event(interface: "Object", member: "StateChanged", detail: "focused"),
    Event(interface: "Object", member: "ActiveDescendantChanged"),
    Event(interface: "Window", member: "Activate"),
    Event(interface: "Window", member: "Create"),
    Event(interface: "Window", member: "Destroy"),
  ]

  /// The rule for programs that come and go, of which the registry tells by itself.
  static let arrivals = Event(interface: "Object", member: "ChildrenChanged")
    .rule(from: ProgramBus.registry.program)

  /// Told of by the programs of watched windows only: it is a lot.
  static let inWatched: [Event] = [
    Event(interface: "Object", member: "ChildrenChanged"),
    Event(interface: "Object", member: "PropertyChange", detail: "accessible-name"),
    Event(interface: "Object", member: "BoundsChanged"),
    Event(interface: "Object", member: "VisibleDataChanged"),
    Event(interface: "Object", member: "StateChanged", detail: "showing"),
  ]

  /// Tells of changes from now on.
  ///
  /// - Parameter alarm: runs something on the thread of the bus after so many milliseconds.
  func observe(
    on alarm: @escaping @Sendable (UInt32, @escaping @Sendable () -> Void) -> Void,
    _ observer: @escaping @Sendable (ProgramChange) -> Void
  ) {
    self.alarm.withLock { $0 = alarm }
    state.withLock { $0.observer = observer }
  }

  /// Watches these windows and no others.
  func watch(_ frames: [ElementID]) {
    state.withLock { state in
      state.frames = Dictionary(grouping: frames.prefix(Self.most), by: \.program)
    }
  }

  /// The programs of watched windows.
  var programs: Set<String> { state.withLock { Set($0.frames.keys) } }

  /// The element that got the focus last, as far as it is known.
  var focused: ElementID? { state.withLock { $0.focus.current } }

  /// Keeps what was found to have the focus before anything was told.
  func remember(_ element: ElementID) {
    state.withLock { state in
      if state.focus.current == nil { _ = state.focus.take(focused: element) }
    }
  }

  /// The bus is gone, and all its names.
  func forget() {
    state.withLock { state in
      state.focus = FocusTrack()
      state.names = NameTrack()
    }
  }

  /// A program left the bus.
  func left(_ program: String) {
    state.withLock { $0.focus.left(program) }
    tell(.programs)
  }

  /// Takes an event as it comes.
  ///
  /// Only what it says of the focus, of windows and of names is read; all else is that something
  /// changed.
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
          let child = AccessibleAnswers.element(signal.arguments[3])
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

  /// Tells of a change now, or, when the same was told a moment ago, at the end of that moment.
  func tell(_ change: ProgramChange) {
    let (observer, isDue) = state.withLock { ($0.observer, $0.gate.take(change)) }
    guard let observer else { return }
    guard isDue else { return }
    observer(change)
    wait(change)
  }

  /// Tells of a change again after a moment, where it has happened again.
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
  /// For each watched window of a program: something in it changed.
  fileprivate func elements(of program: String) -> [ProgramChange] {
    (frames[program] ?? []).map { .elements(frame: $0) }
  }
}

/// Lets the first of equal changes through and holds the others back for a moment.
///
/// Pure: moments are measured elsewhere.
struct ChangeGate: Sendable {
  /// The changes told a moment ago, each with whether it has happened again since.
  private var told: [ProgramChange: Bool] = [:]

  /// Whether the change is to be told now.
  mutating func take(_ change: ProgramChange) -> Bool {
    guard told[change] != nil else {
      told[change] = false
      return true
    }
    told[change] = true
    return false
  }

  /// The moment is over; whether the change is to be told again.
  mutating func open(_ change: ProgramChange) -> Bool {
    let isDue = told[change] == true
    told[change] = isDue ? false : nil
    return isDue
  }
}

/// Knows a name that is told again from a new one.
///
/// Thunar names its view anew, and tells of it, each time that somebody reads the view: reading
/// again for that would never end.
///
/// `true` for a name that is not known: rather a reading too much.
struct NameTrack: Sendable {
  /// The names told last.
  private var names: [ElementID: String] = [:]
  /// More names, and more of a name, are not remembered, in characters.
  private static let most = (elements: 256, length: 256)

  /// Whether an element has another name now, as far as that is known.
  mutating func take(_ name: String?, of element: ElementID) -> Bool {
    guard let name = name.map({ String($0.prefix(Self.most.length)) }) else { return true }
    if names.count >= Self.most.elements, names[element] == nil { names = [:] }
    return names.updateValue(name, forKey: element) != name
  }
}

/// Follows the focus from event to event.
///
/// Some toolkits tell of the element in focus, some only of the row within a list, some of both.
struct FocusTrack: Hashable, Sendable {
  /// The element told of last; perhaps a list, whose row it is then.
  private var focused: ElementID?
  /// The rows last told of, the newest last.
  private var rows: [Row] = []

  /// The row that a list told of last.
  private struct Row: Hashable {
    var list: ElementID
    var row: ElementID
  }

  /// The lists whose rows are remembered.
  private static let most = 16

  /// The element that has the focus; `nil` when nothing was told yet.
  var current: ElementID? {
    guard let focused else { return rows.last?.row }
    return rows.last { $0.list == focused }?.row ?? focused
  }

  /// Whether something else has the focus now.
  mutating func take(focused element: ElementID) -> Bool {
    let before = current
    // The row of the list in focus says so itself in some toolkits.
    if rows.last?.row != element || focused != rows.last?.list { focused = element }
    return current != before
  }

  /// Whether something else has the focus now.
  mutating func take(descendant row: ElementID, of list: ElementID) -> Bool {
    let before = current
    rows.removeAll { $0.list == list }
    rows.append(Row(list: list, row: row))
    if rows.count > Self.most { rows.removeFirst() }
    // A list somewhere else may tell of its rows too; the one in focus has told so before.
    if focused == nil || focused == row { focused = list }
    return current != before
  }

  /// A program has left the bus.
  mutating func left(_ program: String) {
    if focused?.program == program { focused = nil }
    rows.removeAll { $0.list.program == program }
  }
}
