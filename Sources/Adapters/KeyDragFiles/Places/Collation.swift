import Glibc

/// Locale-specific sort keys (`strxfrm`, POSIX.1-2017). `@unchecked Sendable` because an unmodified
/// `locale_t` may be used by several threads at once (newlocale(3)).
final class Collation: @unchecked Sendable {
  /// The user's, from `LC_ALL`, `LC_COLLATE` or `LANG`; `nil` for byte order. Created on first use;
  /// later changes of the environment are ignored.
  static let ofPerson = Collation("")

  // Never written after creation, and freed with the last reference.
  private let locale: locale_t

  /// - Parameter name: a locale name; empty for the environment's.
  /// - Returns: `nil` for a missing locale, one with byte order, or one that is not UTF-8.
  init?(_ name: String) {
    guard let locale = newlocale(Self.mask, name, nil) else { return nil }
    // With another encoding, strxfrm would misread UTF-8.
    let codeset = nl_langinfo_l(nl_item(CODESET), locale).map { String(cString: $0) }
    let name = nl_langinfo_l(Self.nameItem, locale).map { String(cString: $0) } ?? "C"
    guard codeset == "UTF-8", name != "C", name != "POSIX", !name.hasPrefix("C.") else {
      freelocale(locale)
      return nil
    }
    self.locale = locale
  }

  deinit { freelocale(locale) }

  /// glibc's `_NL_LOCALE_NAME (LC_COLLATE)`, a function-like macro that Swift does not import.
  private static let nameItem = nl_item(LC_COLLATE << 16 | 0xFFFF)
  /// Includes LC_CTYPE, because collation decodes characters first.
  private static let mask = Int32(LC_COLLATE_MASK | LC_CTYPE_MASK)
  /// Key bytes reserved per byte of text: at most one weight for each of four levels.
  private static let weights = 24

  /// Appends a sort key, which has no NUL (strxfrm(3)). Text without a key is appended unchanged.
  func append(_ letters: [UInt8], to bytes: inout [UInt8]) {
    var key = [CChar](repeating: 0, count: letters.count * Self.weights + 16)
    // NUL-terminated; file names contain no NUL.
    let source = letters.map(CChar.init(bitPattern:)) + [0]
    let length = strxfrm_l(&key, source, key.count, locale)
    // Falls back to byte order.
    guard length > 0, length < key.count else {
      bytes.append(contentsOf: letters)
      return
    }
    for byte in key[..<length] { bytes.append(UInt8(bitPattern: byte)) }
  }
}
