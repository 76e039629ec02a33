import KeyDragCore

/// The presses to grab, and the stroke that each stands for. Pure: rebuilt for each layout and each
/// change of what is carried.
struct KeyGrabPlan: Hashable, Sendable {
  /// Always grabbed, without freezing the keyboard.
  private(set) var chords: [KeyboardMap.Press: KeyStroke] = [:]
  /// Grabbed while carrying: the keyboard freezes at each until its owner is decided.
  private(set) var strokes: [KeyboardMap.Press: KeyStroke] = [:]
  private(set) var typing: Set<KeyboardMap.Press> = []
  private(set) var missing: [KeyStroke] = []

  init() {}

  init(chords: [KeyStroke], carrying: [KeyStroke]?, isFinding: Bool, on map: KeyboardMap) {
    self.chords = table(chords, map)
    guard let carrying else { return }
    strokes = table(carrying, map)
    if isFinding { typing = map.typingPresses.subtracting(strokes.keys) }
    for chord in self.chords.keys {
      strokes[chord] = nil
      typing.remove(chord)
    }
  }

  /// Maps all presses that produce the strokes in any layout; a press that produces different ones
  /// in different layouts gets the first.
  private mutating func table(
    _ strokes: [KeyStroke], _ map: KeyboardMap
  ) -> [KeyboardMap.Press: KeyStroke] {
    var table: [KeyboardMap.Press: KeyStroke] = [:]
    for layout in 0..<map.layoutCount {
      for stroke in strokes {
        for press in map.presses(of: stroke, layout: layout) where table[press] == nil {
          table[press] = stroke
        }
      }
    }
    // Screen reader keys are left out on purpose, not missing.
    let given = Set(table.values)
    missing += strokes.filter { !given.contains($0) && $0.key != .insert }
    return table
  }

  var stopping: Set<KeyboardMap.Press> { Set(strokes.keys).union(typing) }

  func stops(at press: KeyboardMap.Press) -> Bool {
    strokes[press] != nil || typing.contains(press)
  }
}

/// Decides whether each press and release is ours or the focused program's.
///
/// Every event at which the keyboard may be frozen is answered, even an unexpected one: one answer
/// too few would leave the user without a keyboard. One too many is harmless unless the next key
/// came in the same millisecond, by which the server recognises stale answers: it would answer that
/// key. So events that can't have frozen the keyboard are not answered.
///
/// Pure. Times are the server's, in milliseconds.
struct KeyOwnershipResolver: Hashable, Sendable {
  struct Input: Hashable, Sendable {
    var isPress: Bool
    var code: Keycode
    /// As in the event: modifiers in bits 0 to 7, buttons in 8 to 12.
    var state: UInt16
    var time: UInt32
  }

  /// A release, possibly half of an auto-repeat.
  private struct Release: Hashable, Sendable {
    var input: Input
    var wasKept: Bool
  }

  enum Action: Hashable, Sendable {
    /// Keeps the event from other programs, and continues to the next one.
    case keep(time: UInt32)
    /// Passes the event to the focused program.
    case replay(time: UInt32)
    /// To be reported to the handler.
    case chord(KeyStroke)
    case stroke(KeyStroke)

    fileprivate var isAnswer: Bool {
      switch self {
      case .keep, .replay: true
      case .chord, .stroke: false
      }
    }
  }

  /// The key whose press made the keyboard ours until its release, and others pressed meanwhile.
  private(set) var kept: Set<Keycode> = []
  /// Keys pressed as a chord, at which the keyboard never freezes.
  private(set) var chording: Set<Keycode> = []
  /// The last released key. A press at the same moment means an auto-repeat whose halves arrived
  /// separately, and the key is still held.
  private var released: Release?

  /// - Parameters:
  ///   - isPassing: whether strokes belong to their owner now: the screen reader's modifier is
  ///     down, or a password is typed. Called only when it matters, since it may cost a round trip.
  ///   - layout: the active layout; called only for typed text.
  /// - Returns: at most one answer, first; then what to report.
  mutating func take(
    _ inputs: [Input], _ plan: KeyGrabPlan, _ map: KeyboardMap, layout: () -> Int = { 0 },
    isPassing: () -> Bool
  ) -> [Action] {
    var actions: [Action] = []
    var answer: Action?
    var isRepeat = false
    for (index, input) in inputs.enumerated() {
      // A held key repeats as a release and a press at the same moment, one event to the server:
      // answering both would answer the next key before it is seen.
      let next = index + 1 < inputs.count ? inputs[index + 1] : nil
      if !input.isPress, let next, next.isPress, isOneEvent(input, next) {
        isRepeat = true
        continue
      }
      if input.isPress, let released, isOneEvent(released.input, input) {
        if released.wasKept { kept.insert(input.code) }
        isRepeat = true
      }
      released = nil
      let decided =
        input.isPress
        ? press(input, isRepeat: isRepeat, plan, map, layout, isPassing) : release(input)
      // The keyboard did not freeze at the earlier ones, or this one would not have arrived.
      answer = decided.first(where: \.isAnswer)
      actions += decided.filter { !$0.isAnswer }
      isRepeat = false
    }
    return (answer.map { [$0] } ?? []) + actions
  }

  /// The halves of an auto-repeat share key, time and modifiers.
  private func isOneEvent(_ release: Input, _ press: Input) -> Bool {
    (release.code, release.time, release.state) == (press.code, press.time, press.state)
  }

  /// Returns at most one answer.
  private mutating func press(
    _ input: Input, isRepeat: Bool, _ plan: KeyGrabPlan, _ map: KeyboardMap, _ layout: () -> Int,
    _ isPassing: () -> Bool
  ) -> [Action] {
    let press = map.press(input.code, state: input.state)
    // A held chord must not add again what it has just picked up.
    if let chord = plan.chords[press] {
      let told: [Action] = isRepeat ? [] : [.chord(chord)]
      if kept.isEmpty {
        chording.insert(input.code)
        return told
      }
      // While a key of ours is down, the keyboard freezes at every other one.
      kept.insert(input.code)
      return [.keep(time: input.time)] + told
    }
    guard plan.stops(at: press) else {
      // Our own key again, with other modifiers or after the walk has ended: it stays ours until
      // released. Any other key is not ours.
      return kept.contains(input.code) ? [.keep(time: input.time)] : handOver(input)
    }
    if isPassing() { return handOver(input) }
    kept.insert(input.code)
    let stroke =
      plan.strokes[press] ?? map.stroke(input.code, modifiers: input.state, layout: layout())
    guard let stroke, !isRepeat || Self.repeats(stroke.key) else {
      return [.keep(time: input.time)]
    }
    return [.keep(time: input.time), .stroke(stroke)]
  }

  /// Whether a held key is reported repeatedly. Keys that decide something are reported once: the
  /// Enter that ends a name must not also drop what is carried.
  private static func repeats(_ key: Key) -> Bool {
    switch key {
    case .character, .space, .backspace: true
    case .tab, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown: true
    case .enter, .escape, .delete, .insert, .function: false
    }
  }

  /// The release of a key that is not ours belongs to the focused program.
  private mutating func release(_ input: Input) -> [Action] {
    if chording.remove(input.code) != nil, !kept.contains(input.code) {
      released = Release(input: input, wasKept: false)
      return []
    }
    let wasKept = kept.remove(input.code) != nil
    released = Release(input: input, wasKept: wasKept)
    return wasKept ? [.keep(time: input.time)] : handOver(input)
  }

  /// Replays the event, with which the server gives the whole keyboard back (XAllowEvents,
  /// ReplayKeyboard).
  private mutating func handOver(_ input: Input) -> [Action] {
    kept = []
    return [.replay(time: input.time)]
  }
}
