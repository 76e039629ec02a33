import KeyDragCore

/// Chords pressed while a menu is open, whose program may have grabbed the keyboard.
///
/// Keys are watched only while a menu is open; of a key that is neither modifier nor chord, nothing
/// is kept beyond its release.
///
/// Pure. A chord that the keyboard sent but none of our grabs delivered was taken by the menu's
/// grab.
struct MenuChordMonitor: Hashable, Sendable {
  /// A press or release from the keyboard, before any grab.
  struct RawKey: Hashable, Sendable {
    var isPress: Bool
    var code: Keycode
    /// In milliseconds; equals the time of the event that a grab delivers for it.
    var time: UInt32
  }

  private(set) var menus: Set<XWindow> = []
  private var down: Set<Keycode> = []
  /// Modifiers without a key down (sticky keys), for the next key only.
  private var latched: UInt16 = 0
  /// A pressed chord that none of our grabs has delivered.
  private var awaited: RawKey?
  private var delivered: KeyOwnershipResolver.Input?

  var isWatching: Bool { !menus.isEmpty }

  /// Whether a chord is pending, to be settled once everything sent by now has arrived.
  var isAwaiting: Bool { awaited != nil }

  /// - Parameter down: the keys that are down; called only for the first menu.
  mutating func open(_ menu: XWindow, down: () -> Set<Keycode>) {
    if menus.isEmpty { self.down = down() }
    menus.insert(menu)
  }

  /// No-op for a window that is not an open menu.
  mutating func close(_ menu: XWindow) {
    guard menus.remove(menu) != nil, menus.isEmpty else { return }
    // A chord still awaited was pressed while the menu was open.
    (down, latched) = ([], 0)
  }

  /// - Parameter state: the active modifiers; called only for modifier keys.
  mutating func take(
    _ key: RawKey, _ plan: KeyGrabPlan, _ map: KeyboardMap, state: () -> UInt16
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

  /// Records keys that our grabs delivered; an awaited press among them is settled.
  mutating func deliver(_ inputs: [KeyOwnershipResolver.Input]) {
    guard let last = inputs.last(where: \.isPress) else { return }
    delivered = last
    if inputs.contains(where: { $0.isPress && $0.code == awaited?.code }) { awaited = nil }
  }

  /// Whether a menu kept a chord; reported once per press.
  mutating func settle() -> Bool {
    defer { awaited = nil }
    return awaited != nil
  }
}
