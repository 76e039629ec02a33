import CXKB
import KeyDragCore

/// A key symbol, numbered as in the X protocol ("Keyboards" and appendix A). 0 is NoSymbol.
struct Keysym: Hashable, Sendable, RawRepresentable {
  var rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// - Parameter name: a constant of keysymdef.h.
  private init(_ name: Int32) { rawValue = UInt32(name) }

  static let none = Keysym(XKB_KEY_NoSymbol)
  static let numLock = Keysym(XKB_KEY_Num_Lock)
  static let leftControl = Keysym(XKB_KEY_Control_L)
  static let leftAlt = Keysym(XKB_KEY_Alt_L)
  static let rightAlt = Keysym(XKB_KEY_Alt_R)

  /// The keys that Orca uses as its modifier, in its desktop and laptop layouts.
  static let ofScreenReader = Set(
    [XKB_KEY_Insert, XKB_KEY_KP_Insert, XKB_KEY_Caps_Lock, XKB_KEY_Shift_Lock].map(Keysym.init))

  private static let named: [(Keysym, Key)] =
    [
      (XKB_KEY_space, .space), (XKB_KEY_Tab, .tab), (XKB_KEY_Return, .enter),
      (XKB_KEY_Escape, .escape), (XKB_KEY_BackSpace, .backspace), (XKB_KEY_Delete, .delete),
      (XKB_KEY_Insert, .insert), (XKB_KEY_Up, .up), (XKB_KEY_Down, .down), (XKB_KEY_Left, .left),
      (XKB_KEY_Right, .right), (XKB_KEY_Home, .home), (XKB_KEY_End, .end),
      (XKB_KEY_Page_Up, .pageUp), (XKB_KEY_Page_Down, .pageDown),
    ].map { (Keysym($0), $1) }

  private static let functions = UInt32(XKB_KEY_F1)...UInt32(XKB_KEY_F24)

  /// The keysym of a named key; `nil` for keys that type something. Keypad keys are excluded,
  /// although they do the same: Orca reads with them.
  init?(_ key: Key) {
    switch key {
    case .function(let number) where (1...Self.functions.count).contains(number):
      rawValue = Self.functions.lowerBound + UInt32(number) - 1
    case .function, .character: return nil
    default:
      guard let found = Self.named.first(where: { $0.1 == key }) else { return nil }
      self = found.0
    }
  }

  /// The key with this keysym; a capital letter gives the lowercase key that carries it. `nil` for
  /// modifiers, dead keys and others that type nothing.
  var key: Key? {
    if let named = Self.named.first(where: { $0.0 == self }) { return named.1 }
    if Self.functions.contains(rawValue) {
      return .function(Int(rawValue - Self.functions.lowerBound) + 1)
    }
    guard let scalar else { return nil }
    // Some layouts have no-break spaces.
    if scalar.properties.isWhitespace { return .space }
    let small = Character(scalar).lowercased()
    // A few capitals have more than one lowercase character: they stay as they are.
    return .character(small.count == 1 ? Character(small) : Character(scalar))
  }

  /// Whether it types a letter, a digit or a sign, or is a dead key.
  var isTyping: Bool { scalar != nil || Self.dead.contains(rawValue) }

  private static let dead = UInt32(XKB_KEY_dead_grave)...UInt32(XKB_KEY_dead_longsolidusoverlay)

  var isKeypad: Bool {
    (UInt32(XKB_KEY_KP_Space)...UInt32(XKB_KEY_KP_Equal)).contains(rawValue)
  }

  /// Whether it changes the meaning of other keys, while held or afterwards.
  var isModifier: Bool {
    (UInt32(XKB_KEY_Shift_L)...UInt32(XKB_KEY_Hyper_R)).contains(rawValue)
      || (UInt32(XKB_KEY_ISO_Lock)...UInt32(XKB_KEY_ISO_Level5_Lock)).contains(rawValue)
  }

  var isUppercase: Bool { scalar?.properties.isUppercase ?? false }

  /// The character that the key types; `nil` for keys that type nothing, and for the keypad.
  var scalar: Unicode.Scalar? {
    // This range holds named keys, including the keypad's, some of which have a character.
    let hasName = (0xFD00...0xFFFF).contains(rawValue)
    let code = hasName ? 0 : xkb_keysym_to_utf32(rawValue)
    return code == 0 ? nil : Unicode.Scalar(code)
  }
}
