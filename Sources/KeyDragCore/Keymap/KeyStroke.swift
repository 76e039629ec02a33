/// A key, without its modifiers.
public enum Key: Hashable, Sendable {
  /// A letter, digit or sign as typed; letters in lower case.
  case character(Character)
  /// Keys that write or take away.
  case space, tab, enter, escape, backspace, delete, insert
  /// Keys that move.
  case up, down, left, right, home, end, pageUp, pageDown
  /// F1 to F24.
  case function(Int)
}

/// The modifiers a terminal or an X server tells apart.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  /// One bit for each modifier; not for storing.
  public let rawValue: UInt8

  /// A set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Either Shift key.
  public static let shift = KeyModifiers(rawValue: 1)
  /// The left Alt key; Meta where a terminal calls it so.
  public static let alt = KeyModifiers(rawValue: 2)
  /// Either Ctrl key.
  public static let ctrl = KeyModifiers(rawValue: 4)
}

/// One press of a key with its modifiers.
///
/// Shift is not kept with characters: "?" is `.character("?")`, a capital letter is the lower-case
/// character with `.shift`.
public struct KeyStroke: Hashable, Sendable {
  /// The key itself.
  public var key: Key
  /// The modifiers that are held down with it.
  public var modifiers: KeyModifiers

  /// A press of a key.
  public init(_ key: Key, _ modifiers: KeyModifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }
}
