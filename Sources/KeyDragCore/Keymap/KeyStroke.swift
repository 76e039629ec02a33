/// A key, without its modifiers.
public enum Key: Hashable, Sendable {
  /// A letter, digit or sign as typed; letters in lower case.
  case character(Character)
  /// Keys that insert or delete.
  case space, tab, enter, escape, backspace, delete, insert
  /// Keys that move.
  case up, down, left, right, home, end, pageUp, pageDown
  /// F1 to F24.
  case function(Int)
}

/// The modifiers that terminals and X servers tell apart.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  /// One bit for each modifier; not for storage.
  public let rawValue: UInt8

  /// A set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Either Shift key.
  public static let shift = KeyModifiers(rawValue: 1)
  /// The left Alt key; Meta where a terminal calls it that.
  public static let alt = KeyModifiers(rawValue: 2)
  /// Either Ctrl key.
  public static let ctrl = KeyModifiers(rawValue: 4)
}

/// One press of a key with its modifiers.
///
/// Characters do not keep Shift: "?" is `.character("?")`, but a capital letter is the lower-case
/// character with `.shift`.
public struct KeyStroke: Hashable, Sendable {
  /// The key.
  public var key: Key
  /// The modifiers held down with it.
  public var modifiers: KeyModifiers

  /// A press of a key.
  public init(_ key: Key, _ modifiers: KeyModifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }
}
