/// A key, without its modifiers.
public enum Key: Hashable, Sendable {
  /// A letter, digit or sign as typed; letters in lower case.
  case character(Character)
  case space, tab, enter, escape, backspace, delete, insert
  case up, down, left, right, home, end, pageUp, pageDown
  /// F1 to F24.
  case function(Int)
}

/// The modifiers a terminal or an X server tells apart.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let shift = KeyModifiers(rawValue: 1)
  public static let alt = KeyModifiers(rawValue: 2)
  public static let ctrl = KeyModifiers(rawValue: 4)
}

/// One press of a key with its modifiers.
///
/// Shift is not kept with characters: "?" is `.character("?")`, a capital letter is the lower-case
/// character with `.shift`.
public struct KeyStroke: Hashable, Sendable {
  public var key: Key
  public var modifiers: KeyModifiers

  public init(_ key: Key, _ modifiers: KeyModifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }
}
