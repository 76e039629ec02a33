/// Makes one plain line of what was pasted.
enum PastedText {
  /// In bytes; no name is as long.
  static let longestText = 4096

  /// Line breaks and other control characters become blanks; blanks at the ends go. Empty where it is
  /// too long to be searched for.
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
