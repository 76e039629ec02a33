import Dispatch
import Glibc
import KeyDragCore
import KeyDragRuntime
import KeyDragThreads
import Synchronization

/// Passes keys that the agent grabs from other programs to the event loop.
final class DesktopKeyRelay: Sendable {
  private struct Grabs: Sendable {
    var send: (@Sendable (RunnerEvent) -> Void)?
    var keys: (any KeyGrabbing)?
    var isCarrying = false
    /// A name is being typed: letters are grabbed until Enter or Escape.
    var isFinding = false
    var isDisplayLost = false
    /// Keys that could not be grabbed so far, except chords that are free again.
    var unavailable: [KeyStroke] = []
    /// Keys that another program has grabbed now.
    var taken: [KeyStroke] = []
  }

  private let state = Mutex(Grabs())
  private let phrases: Phrasebook
  private let chords: DesktopChords
  /// Whether the display's keymap is that of the keyboard used last, as in XWayland: a small
  /// virtual keyboard lacks most keys, but no program has grabbed them.
  private let followsKeyboards: Bool
  /// Called with every grabbed key, before the loop gets it.
  private let onKey: @Sendable (KeyStroke) -> Void
  /// The key that starts typing a name.
  static let finder = KeyStroke(.function(4))
  /// The display answers within milliseconds, later on a busy machine. It is waited for, since a
  /// key pressed at the first word must not reach the program.
  private static let patience = DispatchTimeInterval.seconds(1)
  private static let patienceAtStart = DispatchTimeInterval.seconds(2)

  init(
    phrases: Phrasebook, chords: DesktopChords = .standard, followsKeyboards: Bool = false,
    onKey: @escaping @Sendable (KeyStroke) -> Void
  ) {
    self.phrases = phrases
    self.chords = chords
    self.followsKeyboards = followsKeyboards
    self.onKey = onKey
  }

  /// Grabs the chords on the first display that can; ``isPickUpTaken`` is known then.
  func takeChords(on displays: [any Display]) {
    var grabbed: (any KeyGrabbing)?
    for display in displays where grabbed == nil {
      grabbed = try? display.grabKeys(chords.all) { [weak self] in self?.take($0) }
    }
    // The displays were there a moment ago. Without keys the agent is of no use.
    guard let keys = grabbed else { return take(.connectionLost) }
    state.withLock { $0.keys = keys }
    // Keys that could not be grabbed are reported before this answer.
    let done = BlockingResult<Void>()
    keys.isHeld { _ in done.give() }
    done.wait(within: Self.patienceAtStart)
  }

  /// Whether other programs have all the chords for picking up.
  var isPickUpTaken: Bool { lacksPickUp(state.withLock { $0.unavailable }) }

  private func lacksPickUp(_ unavailable: [KeyStroke]) -> Bool {
    chords[.pickUp].allSatisfy(unavailable.contains)
  }

  /// Starts to pass on keys, and reports chords that other programs have.
  ///
  /// - Parameter wasPickUpTaken: the session's knowledge of the pick-up chord, which is corrected
  ///   if it has become free.
  func connect(wasPickUpTaken: Bool, _ send: @escaping @Sendable (RunnerEvent) -> Void) {
    let (unavailable, isLost) = state.withLock { state in
      state.send = send
      return (state.unavailable, state.isDisplayLost)
    }
    for stroke in unavailable { tell(stroke) }
    if wasPickUpTaken, !lacksPickUp(unavailable) {
      send(.input(.pickUpKeyFree))
    }
    if isLost { take(.connectionLost) }
  }

  /// Whether the connection to the display was lost.
  var isDisplayLost: Bool { state.withLock { $0.isDisplayLost } }

  func end() {
    let keys = state.withLock { state in
      defer { state.keys = nil }
      return state.keys
    }
    keys?.rest {}
    keys?.end()
  }

  /// Lets keys pass to a password field, even while something is carried.
  func passwordHasFocus(_ isPassword: Bool) {
    state.withLock { $0.keys }?.passStrokes(isPassword)
  }

  /// Grabs the keys of the walk while something is carried or asked, and releases them afterwards.
  ///
  /// Returns once that is done, as the next key may follow the first word at once. Waits at most a
  /// second for the display.
  func follow(_ phase: PhaseName) {
    let isCarrying = phase != .browsing
    let keys = state.withLock { state -> (any KeyGrabbing)? in
      guard state.isCarrying != isCarrying else { return nil }
      state.isCarrying = isCarrying
      state.isFinding = false
      return state.keys
    }
    guard let keys else { return }
    let done = BlockingResult<Void>()
    if isCarrying {
      keys.carry(DesktopChords.walk, finder: Self.finder) { done.give() }
    } else {
      keys.rest { done.give() }
    }
    done.wait(within: Self.patience)
  }

  func take(_ event: KeyGrabEvent) {
    switch event {
    case .chord(let stroke), .stroke(let stroke): onKey(stroke)
    case .taken, .missing, .blockedByMenu, .connectionLost: break
    }
    switch event {
    case .chord(let chord): chords.call(of: chord).map { send($0.command) }
    case .stroke(let stroke): press(stroke)
    case .taken(let strokes):
      let (isFree, send) = state.withLock { state in
        let wasLacking = lacksPickUp(state.unavailable)
        // Keys of the walk are not tried between drags, so nothing is known of them.
        let freed = state.taken.filter { chords.all.contains($0) && !strokes.contains($0) }
        state.taken = strokes
        state.unavailable.removeAll(where: freed.contains)
        return (wasLacking && !lacksPickUp(state.unavailable), state.send)
      }
      if isFree { send?(.input(.pickUpKeyFree)) }
      lack(strokes)
    case .missing(let strokes): if !followsKeyboards { lack(strokes) }
    case .blockedByMenu: state.withLock { $0.send }?(.report(.problem(.menuIsOpen)))
    case .connectionLost:
      let send = state.withLock { state in
        state.isDisplayLost = true
        return state.send
      }
      send?(.report(.problem(.noDisplay)))
      send?(.terminate(signal: SIGHUP))
    }
  }

  /// Notes keys as unavailable, and reports each once.
  private func lack(_ strokes: [KeyStroke]) {
    let new = state.withLock { state in
      let new = strokes.filter { !state.unavailable.contains($0) }
      state.unavailable += new
      return new
    }
    for stroke in new { tell(stroke) }
  }

  private func press(_ stroke: KeyStroke) {
    let isFinding = state.withLock { $0.isFinding }
    if !isFinding, stroke == Self.finder {
      find(true)
    } else if isFinding, stroke == KeyStroke(.enter) || stroke == KeyStroke(.escape) {
      // Ends the name only: a drop is a stroke of its own.
      find(false)
    } else {
      state.withLock { $0.send }?(.stroke(stroke))
    }
  }

  private func find(_ isOn: Bool) {
    let send = state.withLock { state in
      state.isFinding = isOn
      return state.send
    }
    send?(.input(isOn ? .finding : .findingEnded))
  }

  private func send(_ command: CommandName) {
    state.withLock { $0.send }?(.command(command))
  }

  private func tell(_ stroke: KeyStroke) {
    state.withLock { $0.send }?(
      .report(.problem(.takenKey(name: phrases.keyName(stroke)))))
  }
}
