import Glibc

/// The order of letters in a language, as the C library knows it (`strxfrm`, POSIX.1-2017).
///
/// `@unchecked Sendable` because a `locale_t` that nobody changes may be used by several threads at
/// once (newlocale(3)).
final class Collation: @unchecked Sendable {
  /// The person's own, from `LC_ALL`, `LC_COLLATE` or `LANG`; `nil` where it is that of the bytes.
  ///
  /// Made once, when it is first asked for; a later change of the environment is not seen.
  static let ofPerson = Collation("")

  // Never written after it was made, and freed only when nobody has it any more.
  private let locale: locale_t

  /// - Parameter name: a locale's, or an empty one for that of the environment.
  /// - Returns: `nil` for a locale that is not there, that sorts by bytes, or that is not in UTF-8.
  init?(_ name: String) {
    guard let locale = newlocale(Self.mask, name, nil) else { return nil }
    // strxfrm of another encoding would read the bytes of UTF-8 as other letters.
    let codeset = nl_langinfo_l(nl_item(CODESET), locale).map { String(cString: $0) }
    let name = nl_langinfo_l(Self.nameItem, locale).map { String(cString: $0) } ?? "C"
    guard codeset == "UTF-8", name != "C", name != "POSIX", !name.hasPrefix("C.") else {
      freelocale(locale)
      return nil
    }
    self.locale = locale
  }

  deinit { freelocale(locale) }

  /// glibc's `_NL_LOCALE_NAME (LC_COLLATE)`, a macro with arguments, which Swift does not see.
  private static let nameItem = nl_item(LC_COLLATE << 16 | 0xFFFF)
  /// LC_CTYPE too, because weighing begins with reading letters.
  private static let mask = Int32(LC_COLLATE_MASK | LC_CTYPE_MASK)
  /// A letter has one weight a level at the most, and there are four levels.
  ///
  /// In bytes of the key for each byte of the text.
  private static let weights = 24

  /// Appends bytes that compare as the letters do.
  ///
  /// With no `nul` among them, as strxfrm(3) promises. A text that the C library can't weigh is
  /// appended as it is.
  func append(_ letters: [UInt8], to bytes: inout [UInt8]) {
    var key = [CChar](repeating: 0, count: letters.count * Self.weights + 16)
    // A C string ends at its first zero, which no file name has.
    let source = letters.map(CChar.init(bitPattern:)) + [0]
    let length = strxfrm_l(&key, source, key.count, locale)
    // A text that can't be weighed keeps its place by its bytes.
    guard length > 0, length < key.count else {
      bytes.append(contentsOf: letters)
      return
    }
    for byte in key[..<length] { bytes.append(UInt8(bitPattern: byte)) }
  }
}
