import CXKB
import KeyDragCore

typealias Keycode = UInt8

/// The keyboard's layouts, as the X server reports them to every program. Pure once built: it keeps
/// nothing of xkbcommon.
struct KeyboardMap: Hashable, Sendable {
  /// The real modifiers of the X protocol.
  enum Mask {
    static let shift: UInt16 = 1
    static let lock: UInt16 = 2
    static let control: UInt16 = 4
    /// All modifiers, without buttons and the layout number.
    static let all: UInt16 = 0xFF
  }

  /// One shift level of a key.
  private struct Level: Hashable, Sendable {
    /// None when the level gives several at once.
    var keysym: Keysym
    /// The exact modifier combinations that select it.
    var modifiers: Set<UInt16>
  }

  /// A key in one layout, the plain level first.
  private struct Legend: Hashable, Sendable {
    var levels: [Level]
    /// The modifiers that select among the levels.
    var choosing: UInt16

    init(_ levels: [Level]) {
      self.levels = levels
      choosing = levels.reduce(0) { $1.modifiers.reduce($0, |) }
    }

    var plain: Keysym { levels.first?.keysym ?? .none }

    func keysym(_ modifiers: UInt16) -> Keysym {
      levels.first { $0.modifiers.contains(modifiers & choosing) }?.keysym ?? plain
    }
  }

  private let legends: [Keycode: [Legend]]
  private let codes: [Keycode]
  /// The largest number of layouts of any key.
  let layoutCount: Int
  /// The modifiers that keys set while down; other keys are absent.
  let modifiers: [Keycode: UInt16]
  /// NumLock's modifier in whichever layout has it; 0 for none.
  let numLock: UInt16
  /// Mod1 when no key defines it.
  let alt: UInt16
  /// The keys of a screen reader's modifiers, which are never grabbed.
  let screenReaderKeys: Set<Keycode>

  /// - Parameter keymap: an xkbcommon keymap; stays the caller's.
  init(_ keymap: OpaquePointer) {
    let known = (xkb_keymap_min_keycode(keymap)...xkb_keymap_max_keycode(keymap))
      .compactMap(Keycode.init(exactly:))
    let legends = known.reduce(into: [Keycode: [Legend]]()) { legends, code in
      let count = xkb_keymap_num_layouts_for_key(keymap, UInt32(code))
      if count > 0 {
        legends[code] = (0..<count).map { Self.legend(keymap, UInt32(code), layout: $0) }
      }
    }
    let codes = legends.keys.sorted()
    let given = legends.reduce(into: [Keycode: [UInt16]]()) { given, key in
      given[key.key] = key.value.indices.map {
        Self.modifiers(keymap, UInt32(key.key), layout: UInt32($0))
      }
    }
    func mask(of wanted: Set<Keysym>) -> UInt16? {
      for code in codes {
        for (legend, mask) in zip(legends[code] ?? [], given[code] ?? [])
        where wanted.contains(legend.plain) {
          // Shift, Lock and Control never double as another modifier.
          let own = mask & ~(Mask.shift | Mask.lock | Mask.control)
          if own != 0 { return own }
        }
      }
      return nil
    }
    self.legends = legends
    self.codes = codes
    layoutCount = legends.values.map(\.count).max() ?? 0
    modifiers = given.compactMapValues { $0.first { $0 != 0 } }
    numLock = mask(of: [.numLock]) ?? 0
    alt = mask(of: [.leftAlt, .rightAlt]) ?? 1 << 3
    screenReaderKeys = Set(
      codes.filter { code in
        legends[code, default: []].contains { legend in
          // Both Shift keys together may be Caps Lock; each alone is Shift.
          (!legend.plain.isModifier || Keysym.ofScreenReader.contains(legend.plain))
            && legend.levels.contains { Keysym.ofScreenReader.contains($0.keysym) }
        }
      })
  }

  private static func legend(_ keymap: OpaquePointer, _ code: UInt32, layout: UInt32) -> Legend {
    Legend(
      (0..<xkb_keymap_num_levels_for_key(keymap, code, layout)).map { level in
        var keysyms: UnsafePointer<xkb_keysym_t>?
        let count = xkb_keymap_key_get_syms_by_level(keymap, code, layout, level, &keysyms)
        var masks = [xkb_mod_mask_t](repeating: 0, count: 64)
        let found = xkb_keymap_key_get_mods_for_level(
          keymap, code, layout, level, &masks, masks.count)
        return Level(
          keysym: count == 1 ? keysyms.map { Keysym(rawValue: $0[0]) } ?? .none : .none,
          modifiers: Set(
            masks.prefix(found).compactMap(UInt16.init(exactly:)).filter { $0 <= Mask.all }))
      })
  }

  private static func modifiers(_ keymap: OpaquePointer, _ code: UInt32, layout: UInt32) -> UInt16 {
    // A new state each time: a latching key would pass its modifier on to the next key.
    guard let state = xkb_state_new(keymap) else { return 0 }
    defer { xkb_state_unref(state) }
    xkb_state_update_mask(state, 0, 0, 0, 0, 0, layout)
    xkb_state_update_key(state, code, XKB_KEY_DOWN)
    return UInt16(truncatingIfNeeded: xkb_state_serialize_mods(state, XKB_STATE_MODS_EFFECTIVE))
      & Mask.all
  }

  var leftControl: Keycode? { codes.first { legends[$0]?.first?.plain == .leftControl } }

  // MARK: From strokes to keys

  /// A key with the modifiers held, without locks.
  struct Press: Hashable, Sendable {
    var code: Keycode
    var modifiers: UInt16
  }

  /// The presses that mean a stroke in any layout; empty when the keyboard lacks it, or when the
  /// key is one of the screen reader's.
  func presses(of stroke: KeyStroke) -> Set<Press> {
    Set((0..<layoutCount).flatMap { presses(of: stroke, layout: $0) })
  }

  /// The presses in one layout, in keycode order.
  func presses(of stroke: KeyStroke, layout: Int) -> [Press] {
    let modifiers = mask(of: stroke.modifiers)
    return codes.compactMap { code in
      guard !screenReaderKeys.contains(code), let legend = legend(code, layout),
        let needsShift = Self.needsShift(legend, stroke.key)
      else { return nil }
      return Press(code: code, modifiers: modifiers | (needsShift ? Mask.shift : 0))
    }
  }

  /// A key with fewer layouts wraps around to its first, as in the server.
  ///
  /// - Parameter layout: may be out of range, and negative.
  private func legend(_ code: Keycode, _ layout: Int) -> Legend? {
    guard let own = legends[code], layoutCount > 0 else { return nil }
    let wrapped = (layout % layoutCount + layoutCount) % layoutCount
    return own[wrapped % own.count]
  }

  /// Whether a key needs Shift to give this one; `nil` when it does not give it, or only on a
  /// higher level.
  private static func needsShift(_ legend: Legend, _ key: Key) -> Bool? {
    if let named = Keysym(key) { return legend.plain == named ? false : nil }
    if legend.plain.key == key { return false }
    let shifted = legend.keysym(Mask.shift)
    return shifted.key == key ? !shifted.isUppercase : nil
  }

  /// In the layout's own modifiers.
  private func mask(of modifiers: KeyModifiers) -> UInt16 {
    var mask: UInt16 = 0
    if modifiers.contains(.shift) { mask |= Mask.shift }
    if modifiers.contains(.ctrl) { mask |= Mask.control }
    if modifiers.contains(.alt) { mask |= alt }
    return mask
  }

  /// The keys that type letters, digits and signs in any layout and level, and Space and Backspace.
  /// Excludes the keypad: Orca reads with it.
  var typingPresses: Set<Press> {
    let typing = codes.filter { code in
      let keysyms = legends[code, default: []].flatMap(\.levels).map(\.keysym)
      return !screenReaderKeys.contains(code) && keysyms.contains(where: \.isTyping)
        && !keysyms.contains(where: \.isKeypad)
    }
    // Each key with each level's modifiers: a space with AltGr is typed by a key of one level.
    let commands = Mask.control | alt
    let levels = typing.flatMap { legends[$0, default: []] }.flatMap(\.levels).reduce(
      into: Set([0, Mask.shift])
    ) { levels, level in
      levels.formUnion(
        level.modifiers.filter { $0 & commands == 0 }.map { $0 & ~(Mask.lock | numLock) })
    }
    return Set(
      typing.flatMap { code in levels.map { Press(code: code, modifiers: $0) } }
    ).union(presses(of: KeyStroke(.backspace)))
  }

  /// The lock states under which a press means the same: none, Caps Lock, NumLock, both.
  var lockMasks: Set<UInt16> { [0, Mask.lock, numLock, numLock | Mask.lock] }

  // MARK: From keys to strokes

  /// An event's press, without locks.
  func press(_ code: Keycode, state: UInt16) -> Press {
    Press(code: code, modifiers: state & Mask.all & ~(Mask.lock | numLock))
  }

  /// The text that a press types, or the key's name; `nil` for a dead key.
  ///
  /// - Parameters:
  ///   - state: as in the event.
  ///   - layout: as returned by ``XServer/layout(_:)``.
  func stroke(_ code: Keycode, modifiers state: UInt16, layout: Int) -> KeyStroke? {
    guard let legend = legend(code, layout) else { return nil }
    let keysym = legend.keysym(state & Mask.all)
    if let key = keysym.key {
      // Shift is dropped from a sign that requires it ("?").
      let isKept =
        legend.choosing & Mask.shift == 0 || keysym.isUppercase || legend.plain.key == key
      return KeyStroke(key, strokeModifiers(state, isShiftKept: isKept))
    }
    guard !keysym.isTyping, let key = legend.plain.key ?? legends[code]?.first?.plain.key
    else { return nil }
    return KeyStroke(key, strokeModifiers(state, isShiftKept: true))
  }

  private func strokeModifiers(_ state: UInt16, isShiftKept: Bool) -> KeyModifiers {
    var result: KeyModifiers = []
    if state & Mask.shift != 0, isShiftKept { result.insert(.shift) }
    if state & Mask.control != 0 { result.insert(.ctrl) }
    if state & alt != 0 { result.insert(.alt) }
    return result
  }
}
