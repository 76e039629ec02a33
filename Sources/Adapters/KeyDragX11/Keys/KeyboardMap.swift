import KeyDragCore

/// The number of a key on the keyboard.
typealias Keycode = UInt8

/// The meaning of a keyboard's keys: a layout, as the X server tells it to every program.
///
/// Pure: made of what the server answered, asked without it.
struct KeyboardMap: Hashable, Sendable {
  /// The real modifiers of the X protocol.
  enum Mask {
    static let shift: UInt16 = 1
    static let lock: UInt16 = 2
    static let control: UInt16 = 4
    /// Everything but buttons and the number of the layout.
    static let all: UInt16 = 0xFF
  }

  /// The lowest key code of the keyboard.
  private let first: Keycode
  /// For each key what is written on it: for each of two layouts plain and with Shift, then plain
  /// and with Shift on the third level, and what comes after that.
  private let columns: [[Keysym]]
  /// NumLock's modifier, wherever the layout has it; 0 when nowhere.
  let numLock: UInt16
  /// Mod1 where no key says so.
  let alt: UInt16
  /// The modifier of AltGr; 0 when the layout has none.
  let level3: UInt16
  /// The keys of a screen reader's modifiers, which are left alone in every case.
  let screenReaderKeys: Set<Keycode>
  /// The modifiers that keys give while they are down; other keys are not in it.
  let modifiers: [Keycode: UInt16]

  /// Modifiers are in the order of the X protocol: Shift, Lock, Control, Mod1 to Mod5; 0 fills up.
  ///
  /// - Parameters:
  ///   - keysyms: `width` for each key from `first` on.
  ///   - modifiers: the keys of each of the eight modifiers, as many for each.
  init(first: Keycode, keysyms: [Keysym], width: Int, modifiers: [Keycode]) {
    self.first = first
    let width = max(width, 1)
    let columns = stride(from: 0, to: keysyms.count, by: width).map {
      Array(keysyms[$0..<min($0 + width, keysyms.count)])
    }
    self.columns = columns
    let perModifier = modifiers.count / 8
    func mask(of wanted: Set<Keysym>) -> UInt16? {
      // Shift, Lock and Control never stand for another one.
      (3..<8).first { row in
        modifiers.dropFirst(row * perModifier).prefix(perModifier).contains { code in
          code >= first && Int(code - first) < columns.count
            && !wanted.isDisjoint(with: columns[Int(code - first)])
        }
      }.map { 1 << UInt16($0) }
    }
    self.modifiers = modifiers.prefix(8 * perModifier).enumerated().reduce(into: [:]) {
      result, entry in
      if entry.element != 0 {
        result[entry.element, default: 0] |= 1 << UInt16(entry.offset / perModifier)
      }
    }
    numLock = mask(of: [.numLock]) ?? 0
    alt = mask(of: [.leftAlt, .rightAlt]) ?? 1 << 3
    level3 = mask(of: [.level3Shift]) ?? 0
    screenReaderKeys = Set(
      columns.enumerated().compactMap { index, keysyms in
        Keysym.ofScreenReader.isDisjoint(with: keysyms) ? nil : Keycode(exactly: Int(first) + index)
      })
  }

  /// Empty for a key that the keyboard does not have.
  private func keysyms(of code: Keycode) -> [Keysym] {
    guard code >= first, Int(code - first) < columns.count else { return [] }
    return columns[Int(code - first)]
  }

  /// In the order of their numbers.
  private var codes: [Keycode] {
    columns.indices.compactMap { Keycode(exactly: Int(first) + $0) }
  }

  /// The key for the left Ctrl.
  ///
  /// `nil` where no key has it.
  var leftControl: Keycode? { codes.first { keysyms(of: $0).first == .leftControl } }

  // MARK: From strokes to keys

  /// A key with the modifiers held beside it, locks left out.
  struct Press: Hashable, Sendable {
    var code: Keycode
    var modifiers: UInt16
  }

  /// The presses that mean a stroke; empty when the keyboard does not have it, or when the key is
  /// one of the screen reader's.
  func presses(of stroke: KeyStroke) -> Set<Press> {
    let taboo = screenReaderKeys
    return Set(
      codes.filter { !taboo.contains($0) }.compactMap { code in
        isKey(code, stroke.key).map { needsShift in
          Press(
            code: code,
            modifiers: mask(of: stroke.modifiers) | (needsShift ? Mask.shift : 0))
        }
      })
  }

  /// Whether a key is this one in any of the layouts, without the higher levels; then whether it
  /// takes Shift to type it.
  ///
  /// `nil` where it is not.
  private func isKey(_ code: Keycode, _ key: Key) -> Bool? {
    let all = keysyms(of: code)
    if let named = Keysym(key) {
      return all.first == named || all.dropFirst(2).first == named ? false : nil
    }
    for (column, keysym) in all.prefix(4).enumerated() where keysym.key == key {
      return column % 2 == 1 && !keysym.isUppercase
    }
    return nil
  }

  /// By the layout's own modifiers.
  private func mask(of modifiers: KeyModifiers) -> UInt16 {
    var mask: UInt16 = 0
    if modifiers.contains(.shift) { mask |= Mask.shift }
    if modifiers.contains(.ctrl) { mask |= Mask.control }
    if modifiers.contains(.alt) { mask |= alt }
    return mask
  }

  /// The keys that type letters, digits and signs in some layout, plain, with Shift and with AltGr,
  /// and Space and Backspace. The keypad is left out: Orca reads with it.
  var typingPresses: Set<Press> {
    var levels: Set<UInt16> = [0, Mask.shift]
    if level3 != 0 { levels.formUnion([level3, level3 | Mask.shift]) }
    let taboo = screenReaderKeys
    let typing = codes.filter { code in
      !taboo.contains(code) && keysyms(of: code).contains(where: \.isTyping)
    }
    return Set(
      typing.flatMap { code in levels.map { Press(code: code, modifiers: $0) } }
    ).union(presses(of: KeyStroke(.backspace)))
  }

  /// The locks under which a press means the same: none, Caps Lock, NumLock, both.
  var lockMasks: Set<UInt16> { [0, Mask.lock, numLock, numLock | Mask.lock] }

  // MARK: From keys to strokes

  /// The press that an event tells of.
  ///
  /// Locks are left out.
  func press(_ code: Keycode, state: UInt16) -> Press {
    Press(code: code, modifiers: state & Mask.all & ~(Mask.lock | numLock))
  }

  /// The text that a press types, or the key's name; `nil` for a key that only puts a mark over the
  /// next letter.
  ///
  /// - Parameter state: as in the event; its bits 13 and 14 tell the layout.
  func stroke(_ code: Keycode, state: UInt16) -> KeyStroke? {
    let all = keysyms(of: code)
    let isShifted = state & Mask.shift != 0
    // From the third layout on the protocol does not say where its columns begin; they begin here
    // unless the layouts before it have a third level.
    let layout = min(Int(state >> 13 & 3), 2)
    var order = [layout * 2, 0]
    // The third level of the first layout; the letter without it is close enough elsewhere.
    if level3 != 0, state & level3 != 0, layout == 0 { order.insert(4, at: 0) }
    for column in order {
      for shift in isShifted ? [1, 0] : [0] where column + shift < all.count {
        let keysym = all[column + shift]
        guard let key = keysym.key else { continue }
        return KeyStroke(key, modifiers(state, isShiftKept: shift == 0 || keysym.isUppercase))
      }
    }
    return nil
  }

  /// Shift is not kept with a sign that needs it ("?").
  private func modifiers(_ state: UInt16, isShiftKept: Bool) -> KeyModifiers {
    var result: KeyModifiers = []
    if state & Mask.shift != 0, isShiftKept { result.insert(.shift) }
    if state & Mask.control != 0 { result.insert(.ctrl) }
    if state & alt != 0 { result.insert(.alt) }
    return result
  }
}
