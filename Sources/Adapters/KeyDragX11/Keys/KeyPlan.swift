import KeyDragCore

/// Which keys are to be taken from other programs now, and what each of them says.
///
/// Pure: made anew for each layout and each change of what is carried.
struct KeyPlan: Hashable, Sendable {
  /// Held always; the keyboard is never stopped for them.
  private(set) var chords: [KeyboardMap.Press: KeyStroke] = [:]
  /// Held while carrying: the keyboard waits at each until it is said whose key it is.
  private(set) var strokes: [KeyboardMap.Press: KeyStroke] = [:]
  /// Held while a name is typed.
  private(set) var typing: Set<KeyboardMap.Press> = []
  /// Strokes that no key of this keyboard gives.
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

  /// Takes strokes on all keys that give them in any layout; a key that gives two of them in different
  /// layouts is that of the first.
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
    // The screen reader's own keys are left out on purpose, wherever they are asked for.
    let given = Set(table.values)
    missing += strokes.filter { !given.contains($0) && $0.key != .insert }
    return table
  }

  /// The presses that are grabbed with the keyboard stopped.
  var stopping: Set<KeyboardMap.Press> { Set(strokes.keys).union(typing) }

  /// Whether the keyboard waits at this press.
  func stops(at press: KeyboardMap.Press) -> Bool {
    strokes[press] != nil || typing.contains(press)
  }
}

/// Decides for each press and release of a key whose it is: ours, or the program's that has the
/// keyboard.
///
/// Every event at which the keyboard may wait is answered, also one that should not have come: one
/// answer too few would leave the person without a keyboard. One too many does nothing unless the
/// next key came in the same millisecond, by which the server tells old answers from new ones: it
/// would be the answer to that key. So what the keyboard can't have waited at is not answered.
///
/// Pure. Times are those of the server, in milliseconds.
struct KeyJudge: Hashable, Sendable {
  /// A press or release, as the server tells it.
  struct Input: Hashable, Sendable {
    var isPress: Bool
    var code: Keycode
    /// As in the event: modifiers in bits 0 to 7, buttons in 8 to 12.
    var state: UInt16
    /// The server's, in milliseconds.
    var time: UInt32
  }

  /// A release, which may be one half of a repeat.
  private struct Release: Hashable, Sendable {
    var input: Input
    var wasKept: Bool
  }

  enum Action: Hashable, Sendable {
    /// Keeps the event from everybody else, and goes on to the next one.
    case keep(time: UInt32)
    /// Hands the event to the program that has the keyboard.
    case replay(time: UInt32)
    /// To be told to the handler, as the next.
    case chord(KeyStroke)
    case stroke(KeyStroke)

    /// Whether the keyboard may wait for it.
    fileprivate var isAnswer: Bool {
      switch self {
      case .keep, .replay: true
      case .chord, .stroke: false
      }
    }
  }

  /// The key whose press made the keyboard ours until it is let go, and others pressed meanwhile.
  private(set) var kept: Set<Keycode> = []
  /// The keys whose press was a chord, at which the keyboard never waits.
  private(set) var chording: Set<Keycode> = []
  /// The key that was let go last. When it is pressed in the same moment, that was a repeat whose
  /// two halves came one after the other, and the key is still held.
  private var released: Release?

  /// - Parameters:
  ///   - isPassing: whether strokes belong to their owner now: the screen reader's modifier is
  ///     down, or a password is typed. Asked only when it matters, for it may cost a round trip.
  ///   - layout: the one that is on; asked for what is typed alone.
  /// - Returns: at most one answer, first; then what is to be told.
  mutating func take(
    _ inputs: [Input], _ plan: KeyPlan, _ map: KeyboardMap, layout: () -> Int = { 0 },
    isPassing: () -> Bool
  ) -> [Action] {
    var actions: [Action] = []
    var answer: Action?
    var isRepeat = false
    for (index, input) in inputs.enumerated() {
      // A held key repeats as a release and a press of the same moment, which are one event to the
      // server: answering both would answer the next key before it is seen.
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
      // At those before it the keyboard did not wait, or this one would not have come.
      answer = decided.first(where: \.isAnswer)
      actions += decided.filter { !$0.isAnswer }
      isRepeat = false
    }
    return (answer.map { [$0] } ?? []) + actions
  }

  /// By key, time and modifiers: the halves of a repeat have all in common.
  private func isOneEvent(_ release: Input, _ press: Input) -> Bool {
    (release.code, release.time, release.state) == (press.code, press.time, press.state)
  }

  /// At most one answer among these.
  private mutating func press(
    _ input: Input, isRepeat: Bool, _ plan: KeyPlan, _ map: KeyboardMap, _ layout: () -> Int,
    _ isPassing: () -> Bool
  ) -> [Action] {
    let press = map.press(input.code, state: input.state)
    // A chord that is held down must not add what it has just picked up.
    if let chord = plan.chords[press] {
      let told: [Action] = isRepeat ? [] : [.chord(chord)]
      if kept.isEmpty {
        chording.insert(input.code)
        return told
      }
      // While a key of ours is down the keyboard waits at every other one.
      kept.insert(input.code)
      return [.keep(time: input.time)] + told
    }
    guard plan.stops(at: press) else {
      // Our own key again, with other modifiers or after the walk has ended: it stays ours until it
      // is let go. Any other one came between, and is none of ours.
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

  /// Whether a key that is held is told again and again. What decides something is told once: the
  /// Enter that ends a name must not drop what is carried as well.
  private static func repeats(_ key: Key) -> Bool {
    switch key {
    case .character, .space, .backspace: true
    case .tab, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown: true
    case .enter, .escape, .delete, .insert, .function: false
    }
  }

  /// A release of a key that is not ours belongs to the program that has the keyboard.
  private mutating func release(_ input: Input) -> [Action] {
    if chording.remove(input.code) != nil, !kept.contains(input.code) {
      released = Release(input: input, wasKept: false)
      return []
    }
    let wasKept = kept.remove(input.code) != nil
    released = Release(input: input, wasKept: wasKept)
    return wasKept ? [.keep(time: input.time)] : handOver(input)
  }

  /// The server gives the whole keyboard back with it.
  ///
  /// XAllowEvents, ReplayKeyboard.
  private mutating func handOver(_ input: Input) -> [Action] {
    kept = []
    return [.replay(time: input.time)]
  }
}
