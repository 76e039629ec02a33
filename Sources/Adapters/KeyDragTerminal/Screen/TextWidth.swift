import CTerminalRestore

/// The columns that text takes on a terminal.
package enum TextWidth {
  /// The C library measures characters only in a UTF-8 locale; set once for the process.
  private static let isReady: Bool = {
    ctr_use_utf8()
    return true
  }()

  /// Sets the locale now, while no other thread uses the C library's characters.
  package static func prepare() { _ = isReady }

  /// The sum of the columns of its scalars, as terminals count: none for a combining mark, two for
  /// a wide character, and as much as its parts for joined emoji.
  package static func columns(_ text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
    return text.unicodeScalars.reduce(0) { $0 + columns($1) }
  }

  static func columns(_ scalar: Unicode.Scalar) -> Int {
    if scalar.isASCII { return 1 }
    return isReady ? Int(ctr_width(scalar.value)) : 1
  }

  /// The longest prefix that fits, without splitting a letter from its marks.
  package static func prefix(_ text: some StringProtocol, columns: Int) -> String {
    var left = columns
    return String(text.prefix { take($0, from: &left) })
  }

  /// The longest suffix that fits.
  static func suffix(_ text: some StringProtocol, columns: Int) -> String {
    var left = columns
    return String(text.reversed().prefix { take($0, from: &left) }.reversed())
  }

  private static func take(_ character: Character, from left: inout Int) -> Bool {
    left -= columns(String(character))
    return left >= 0
  }
}
