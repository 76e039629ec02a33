/// Turns a paste into one plain line.
enum PastedText {
  /// In bytes; longer than any name.
  static let longestText = 4096

  /// Line breaks and other control characters become blanks, and the ends are trimmed. Empty for a
  /// text that is too long to search for.
  static func clean(_ bytes: [UInt8]) -> String {
    guard bytes.count <= longestText else { return "" }
    var scalars = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      let blank = isBlank(scalar)
      if blank, scalars.isEmpty || scalars.last == " " { continue }
      scalars.append(blank ? " " : scalar)
    }
    if scalars.last == " " { scalars.removeLast() }
    return String(scalars)
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: true
    default: false
    }
  }
}
