import KeyDragCore

/// The chords that are pressed while a menu is open, whose program may have grabbed the keyboard.
///
/// Keys are looked at while a menu is open and at no other time; of a key that is no modifier and
/// no chord nothing is kept beyond its release.
///
/// Pure. A chord that the keyboard gave and that no grab of ours delivered was kept by the menu's
/// grab.
struct MenuPresses: Hashable, Sendable {
  /// A press or release as the keyboard gave it, before anybody's grab.
  struct RawKey: Hashable, Sendable {
    var isPress: Bool
    var code: Keycode
    /// In milliseconds; the same as that of the event that a grab delivers for it.
    var time: UInt32
  }

  /// Those that are open now.
  private(set) var menus: Set<XWindow> = []
  /// Keys that are down, as raw keys tell.
  private var down: Set<Keycode> = []
  /// Modifiers without a hand on them (sticky keys); for the next key alone.
  private var latched: UInt16 = 0
  /// A chord that was pressed and that no grab of ours has delivered.
  private var awaited: RawKey?
  /// The press that was delivered last.
  private var delivered: KeyJudge.Input?

  /// Whether raw keys are needed.
  var isWatching: Bool { !menus.isEmpty }

  /// Whether it has to be settled if a chord was kept, once everything sent by now is here.
  var isAwaiting: Bool { awaited != nil }

  /// Takes that a menu was opened.
  ///
  /// - Parameter down: the keys that are down; asked only for the first menu.
  mutating func open(_ menu: XWindow, down: () -> Set<Keycode>) {
    if menus.isEmpty { self.down = down() }
    menus.insert(menu)
  }

  /// Does nothing for a window that is no open menu.
  mutating func close(_ menu: XWindow) {
    guard menus.remove(menu) != nil, menus.isEmpty else { return }
    // A chord that is still awaited was pressed while the menu was open.
    (down, latched) = ([], 0)
  }

  /// Takes a raw key.
  ///
  /// - Parameter state: the modifiers that are on now; asked for modifiers alone.
  mutating func take(
    _ key: RawKey, _ plan: KeyPlan, _ map: KeyboardMap, state: () -> UInt16
  ) {
    let isNew = key.isPress ? down.insert(key.code).inserted : down.remove(key.code) != nil
    if map.modifiers[key.code] != nil {
      latched = state()
      return
    }
    guard key.isPress, isNew else { return }
    let held = down.reduce(latched) { $0 | map.modifiers[$1, default: 0] }
    latched = 0
    guard plan.chords[map.press(key.code, state: held)] != nil else { return }
    if delivered?.code == key.code, delivered?.time == key.time { return }
    awaited = key
  }

  /// Takes what grabs of ours delivered.
  ///
  /// The press that is awaited is no longer.
  mutating func deliver(_ inputs: [KeyJudge.Input]) {
    guard let last = inputs.last(where: \.isPress) else { return }
    delivered = last
    if inputs.contains(where: { $0.isPress && $0.code == awaited?.code }) { awaited = nil }
  }

  /// Whether a chord was kept; answered once for each press.
  mutating func settle() -> Bool {
    defer { awaited = nil }
    return awaited != nil
  }
}
