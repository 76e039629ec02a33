import CTerminalRestore

/// How many columns text takes on a terminal.
package enum TextWidth {
  /// The C library measures characters only when its locale is UTF-8; once in a process is enough.
  private static let isReady: Bool = {
    ctr_use_utf8()
    return true
  }()

  /// Sets the locale now, while no other thread asks the C library for characters.
  package static func prepare() { _ = isReady }

  /// The sum of the columns of its scalars, which is what terminals count: a combining mark takes
  /// none, a wide character two, joined emoji as much as their parts.
  package static func columns(_ text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
    return text.unicodeScalars.reduce(0) { $0 + columns($1) }
  }

  static func columns(_ scalar: Unicode.Scalar) -> Int {
    if scalar.isASCII { return 1 }
    return isReady ? Int(ctr_width(scalar.value)) : 1
  }

  /// The longest beginning that fits, never parting a letter from its marks.
  package static func prefix(_ text: some StringProtocol, columns: Int) -> String {
    var left = columns
    return String(text.prefix { take($0, from: &left) })
  }

  /// The longest end that fits.
  static func suffix(_ text: some StringProtocol, columns: Int) -> String {
    var left = columns
    return String(text.reversed().prefix { take($0, from: &left) }.reversed())
  }

  private static func take(_ character: Character, from left: inout Int) -> Bool {
    left -= columns(String(character))
    return left >= 0
  }
}
