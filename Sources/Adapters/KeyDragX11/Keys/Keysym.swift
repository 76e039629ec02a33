import KeyDragCore

/// The symbol on a key, as the X protocol numbers it.
///
/// X protocol, "Keyboards" and appendix A. 0 is NoSymbol.
struct Keysym: Hashable, Sendable, RawRepresentable {
  var rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  static let none = Keysym(rawValue: 0)
  static let insert = Keysym(rawValue: 0xFF63)
  static let keypadInsert = Keysym(rawValue: 0xFF9E)
  static let capsLock = Keysym(rawValue: 0xFFE5)
  static let shiftLock = Keysym(rawValue: 0xFFE6)
  static let numLock = Keysym(rawValue: 0xFF7F)
  static let leftControl = Keysym(rawValue: 0xFFE3)
  static let leftAlt = Keysym(rawValue: 0xFFE9)
  static let rightAlt = Keysym(rawValue: 0xFFEA)
  /// AltGr, as most layouts have it.
  static let level3Shift = Keysym(rawValue: 0xFE03)

  /// The keys that Orca takes as its modifier, in its layouts for desktops and laptops.
  static let ofScreenReader: Set<Keysym> = [.insert, .keypadInsert, .capsLock, .shiftLock]

  /// The keysym of a key that has a name; `nil` for keys that type something.
  ///
  /// Keys of the keypad are others, although they do the same: Orca reads with them.
  init?(_ key: Key) {
    switch key {
    case .function(let number) where (1...24).contains(number):
      rawValue = 0xFFBE + UInt32(number) - 1
    case .function, .character: return nil
    default:
      guard let found = Keysym.named.first(where: { $0.1 == key }) else { return nil }
      rawValue = found.0
    }
  }

  /// The key with this keysym; capital letters give the small one, which has them on it.
  ///
  /// `nil` for modifiers, dead keys and whatever else types nothing.
  var key: Key? {
    if let named = Keysym.named.first(where: { $0.0 == rawValue }) { return named.1 }
    if (0xFFBE...0xFFD5).contains(rawValue) { return .function(Int(rawValue - 0xFFBE) + 1) }
    guard let scalar, !scalar.properties.isWhitespace else { return nil }
    let small = Character(scalar).lowercased()
    // A few capitals become more than one character: they stay as they are.
    return .character(small.count == 1 ? Character(small) : Character(scalar))
  }

  /// Whether it types a letter, a digit or a sign, or waits for the letter it goes on.
  var isTyping: Bool { scalar != nil || (0xFE50...0xFE93).contains(rawValue) }

  /// Whether it is a capital letter.
  var isUppercase: Bool { scalar?.properties.isUppercase ?? false }

  /// By the numbers of keysymdef.h.
  private static let named: [(UInt32, Key)] = [
    (0x20, .space), (0xFF09, .tab), (0xFF0D, .enter), (0xFF1B, .escape), (0xFF08, .backspace),
    (0xFFFF, .delete), (0xFF63, .insert), (0xFF52, .up), (0xFF54, .down), (0xFF51, .left),
    (0xFF53, .right), (0xFF50, .home), (0xFF57, .end), (0xFF55, .pageUp), (0xFF56, .pageDown),
  ]

  // MARK: Characters (X protocol, appendix A)

  /// The character that the key types.
  ///
  /// Keysyms from 0x01000100 on are Unicode; `nil` for keys that type nothing.
  var scalar: Unicode.Scalar? {
    switch rawValue {
    case 0x20...0x7E, 0xA0...0xFF: return Unicode.Scalar(rawValue)
    case 0x0100_0100...0x0110_FFFF: return Unicode.Scalar(rawValue - 0x0100_0000)
    case 0x5C1...0x5F2: return Unicode.Scalar(rawValue + 0x60)  // Arabic
    case 0xCE0...0xCFA: return Unicode.Scalar(rawValue - 0xCE0 + 0x5D0)  // Hebrew
    case 0xDA1...0xDF9: return Unicode.Scalar(rawValue + 0x60)  // Thai
    case 0x20AC: return "€"
    default: return Keysym.legacy(rawValue)
    }
  }

  /// Letters from the time before Unicode: each page of 96 has an order of its own.
  private static func legacy(_ value: UInt32) -> Unicode.Scalar? {
    guard value < 0x1400, value & 0xFF >= 0xA0, let page = pages[value >> 8] else { return nil }
    let index = Int(value & 0xFF) - 0xA0
    guard index < page.count, page[index] != " " else { return nil }
    return page[index]
  }

  /// From 0xA0 on; a blank where a page has nothing or repeats Latin-1.
  private static let pages: [UInt32: [Unicode.Scalar]] = [
    // Latin-2, Latin-3, Latin-4
    1: """
     Ą˘Ł ĽŚ  ŠŞŤŹ ŽŻ ą˛ł ľśˇ šşťź˝žżŔ  Ă ĹĆ Č Ę Ě  ĎĐŃŇ  Ő  ŘŮ Ű  Ţ ŕ  ă ĺć č ę ě  ďđńň  ő  řů ű  ţ˙
    """,
    2: """
     Ħ    Ĥ  İ ĞĴ    ħ    ĥ  ı ğĵ        ĊĈ              Ġ  Ĝ    ŬŜ      ċĉ              ġ  ĝ    ŭŝ
    """,
    3: """
      ĸŖ ĨĻ   ĒĢŦ      ŗ ĩļ   ēģŧŊ ŋĀ      Į    Ė  Ī ŅŌĶ     Ų   ŨŪ ā      į    ė  ī ņōķ     ų   ũū
    """,
    // Cyrillic
    6: """
     ђѓёєѕіїјљњћќґўџ№ЂЃЁЄЅІЇЈЉЊЋЌҐЎЏюабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ
    """,
    // Greek
    7: """
     ΆΈΉΊΪ ΌΎΫ Ώ  ΅― άέήίϊΐόύϋΰώ     ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣ ΤΥΦΧΨΩ       αβγδεζηθικλμνξοπρσςτυφχψω
    """,
    // Latin-9
    0x13: """
                                ŒœŸ
    """,
  ].mapValues { Array($0.unicodeScalars) }
}
