import CTermKey
import KeyDragCore

enum KeyTranslation {
  /// `nil` for anything but a key: mouse, position and mode reports, unknown sequences.
  static func stroke(for key: TermKeyKey) -> KeyStroke? {
    let modifiers = modifiers(key.modifiers)
    switch key.type {
    case TERMKEY_TYPE_UNICODE: return character(key.code.codepoint, modifiers)
    case TERMKEY_TYPE_FUNCTION:
      let number = Int(key.code.number)
      return (1...24).contains(number) ? KeyStroke(.function(number), modifiers) : nil
    case TERMKEY_TYPE_KEYSYM: return named(key.code.sym).map { KeyStroke($0, modifiers) }
    default: return nil
    }
  }

  private static func modifiers(_ bits: CInt) -> KeyModifiers {
    var result: KeyModifiers = []
    if bits & CInt(TERMKEY_KEYMOD_SHIFT) != 0 { result.insert(.shift) }
    if bits & CInt(TERMKEY_KEYMOD_ALT) != 0 { result.insert(.alt) }
    if bits & CInt(TERMKEY_KEYMOD_CTRL) != 0 { result.insert(.ctrl) }
    return result
  }

  private static func character(_ codepoint: Int, _ modifiers: KeyModifiers) -> KeyStroke? {
    guard let value = UInt32(exactly: codepoint), let scalar = Unicode.Scalar(value) else {
      return nil
    }
    switch scalar.properties.generalCategory {
    case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
      return nil
    default: break
    }
    if scalar == " " { return KeyStroke(.space, modifiers) }
    return letter(scalar, modifiers)
  }

  /// A capital letter is the small one with Shift; other characters include Shift already.
  private static func letter(_ scalar: Unicode.Scalar, _ modifiers: KeyModifiers) -> KeyStroke {
    let typed = Character(scalar)
    let small = scalar.properties.lowercaseMapping
    if small != String(scalar), small.count == 1, let letter = small.first {
      return KeyStroke(.character(letter), modifiers.union(.shift))
    }
    let hasCase = scalar.properties.uppercaseMapping != String(scalar)
    return KeyStroke(.character(typed), hasCase ? modifiers : modifiers.subtracting(.shift))
  }

  private static func named(_ symbol: TermKeySym) -> Key? {
    switch symbol {
    case TERMKEY_SYM_BACKSPACE, TERMKEY_SYM_DEL: .backspace
    case TERMKEY_SYM_TAB: .tab
    case TERMKEY_SYM_ENTER, TERMKEY_SYM_KPENTER: .enter
    case TERMKEY_SYM_ESCAPE: .escape
    case TERMKEY_SYM_SPACE: .space
    case TERMKEY_SYM_UP: .up
    case TERMKEY_SYM_DOWN: .down
    case TERMKEY_SYM_LEFT: .left
    case TERMKEY_SYM_RIGHT: .right
    case TERMKEY_SYM_INSERT: .insert
    case TERMKEY_SYM_DELETE: .delete
    case TERMKEY_SYM_PAGEUP: .pageUp
    case TERMKEY_SYM_PAGEDOWN: .pageDown
    // The VT220's names of the keys at the positions of Home and End.
    case TERMKEY_SYM_HOME, TERMKEY_SYM_FIND: .home
    case TERMKEY_SYM_END, TERMKEY_SYM_SELECT: .end
    default: nil
    }
  }
}
